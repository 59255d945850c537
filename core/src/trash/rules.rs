//! Rules of the trash.

use super::{TrashInput, text};
use crate::bulk::RECORDS_MAX;
use crate::form::{Form, Rules};
use crate::history::{parse_resource, resource_error, resources};
use crate::permissions::{Access, Action, ResourceId, may};

/// Returns the resources whose records in the trash a user sees and may restore.
pub fn visible(access: &Access) -> impl Iterator<Item = ResourceId> {
    resources().filter(|resource| may(access, *resource, Action::Delete))
}

impl TrashInput {
    /// Returns the resource if it has a trash, otherwise `None`.
    pub fn resource(&self) -> Option<ResourceId> {
        parse_resource(&self.resource)
    }
}

impl Form for TrashInput {
    fn rules(&self, rules: &mut Rules) {
        rules.require("resource", self.resource().is_some(), resource_error());
        rules.require("ids", self.ids.is_some() != self.batch_id.is_some(), text::IDS_OR_BATCH);
        let count = self.ids.as_ref().map_or(0, Vec::len);
        rules.require("ids", count <= RECORDS_MAX as usize, text::too_many(RECORDS_MAX.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors_as_texts;
    use crate::permissions::{Grant, Permissions, UserType, effective_permissions};
    use serde_json::{Value, json};

    fn errors(input: Value) -> Vec<String> {
        errors_as_texts(serde_json::from_value::<TrashInput>(input).unwrap())
    }

    #[test]
    fn names_a_resource_and_either_ids_or_a_batch() {
        assert!(errors(json!({"resource": "contacts", "ids": ["a"]})).is_empty());
        assert!(errors(json!({"resource": "invoices", "ids": null, "batch_id": "a"})).is_empty());
        for neither in [json!({"resource": "contacts"}), json!({"resource": "contacts", "ids": [], "batch_id": ""})] {
            assert_eq!(errors(neither), ["ids: Send either ids or a batch_id."]);
        }
        let names: Vec<_> = resources().map(ResourceId::as_str).collect();
        let no_trash = format!("resource: Use one of these resources: {}.", names.join(", "));
        for resource in [json!("roles"), json!("contacts.list"), json!(null)] {
            assert_eq!(errors(json!({"resource": resource, "ids": []})), [no_trash.as_str()]);
        }
        let many = json!({"resource": "contacts", "ids": vec!["a"; RECORDS_MAX as usize + 1]});
        assert_eq!(errors(many), ["ids: At most 10,000 records at a time. Send fewer ids."]);
    }

    #[test]
    fn a_user_sees_deleted_records_of_the_resources_that_they_may_delete() {
        let grant = |resource: ResourceId, can_delete| Grant {
            resource_id: resource.as_str().into(),
            permissions: Permissions { can_delete, ..Permissions::ALL },
        };
        let grants = [grant(ResourceId::Customers, true), grant(ResourceId::Invoices, false)];
        let allowed = ["customers".to_owned(), "invoices".to_owned()];
        let access = effective_permissions(UserType::User, &grants, &allowed);
        assert_eq!(visible(&access).collect::<Vec<_>>(), [ResourceId::Customers]);
    }
}
