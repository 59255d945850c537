//! Rules of bulk actions.

use super::{Action, BulkInput, BulkQuery, text};
use crate::form::{FieldError, Form, Rules};
use crate::lists::{Field, Fields, Kind, Operand, required};
use crate::message::Message;
use crate::permissions::ResourceId;
use crate::vehicles::{VehicleStatus, offered_statuses};

/// Maximum number of records of a bulk action.
pub const RECORDS_MAX: u32 = 10_000;

/// Returns the error message for a bulk action on this many records; `None` if one can have so many.
pub fn size_error(count: u64) -> Option<Message> {
    (count > u64::from(RECORDS_MAX)).then(|| text::too_many(RECORDS_MAX.into()))
}

/// Returns the names of the fields that a bulk action can change.
pub fn editable(fields: Fields<'_>) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(|field| field.is_bulk_editable).map(|field| field.name)
}

/// Returns the values that a bulk action can set in this field; none unless it is a choice. Those of a vehicle's status
/// are the ones that users can give to a new vehicle ([`offered_statuses`]).
pub fn choices(list: &str, field: &Field) -> Vec<&'static str> {
    match field.kind {
        Kind::Choice(_) if list == ResourceId::Vehicles.as_str() && field.name == "status" => {
            offered_statuses(None).into_iter().map(VehicleStatus::as_str).collect()
        }
        Kind::Choice(values) => values.to_vec(),
        _ => Vec::new(),
    }
}

impl BulkInput {
    pub fn action(&self) -> Option<Action> {
        match self.action.as_str() {
            "update" => Some(Action::Update),
            "delete" => Some(Action::Delete),
            _ => None,
        }
    }

    /// Returns a validation error for each field in `self.fields` that a bulk action can't change, or would leave empty
    /// although it is required. `fields` are the fields of the records.
    pub fn check_fields(&self, fields: Fields<'_>) -> Vec<FieldError> {
        let unknown = self.fields.keys().filter(|name| !editable(fields).any(|field| field == *name));
        let message = || text::not_editable(&editable(fields).collect::<Vec<_>>().join(", "));
        let unknown = unknown.map(|name| FieldError { field: format!("fields.{name}"), message: message() });
        let is_empty = |value: &Option<Operand>| match value {
            Some(Operand::Text(text)) => text.trim().is_empty(),
            value => value.is_none(),
        };
        let removed =
            fields.iter().filter(|field| field.is_required && self.fields.get(field.name).is_some_and(is_empty));
        let removed = removed
            .map(|field| FieldError { field: format!("fields.{}", field.name), message: required(field.kind).into() });
        unknown.chain(removed).collect()
    }
}

impl BulkQuery {
    /// Returns an error for each filter of the query that the list of this resource does not have. The filters of the
    /// customers' panel count as one, `typeAdv`.
    pub fn check_own_filters(&self, resource: ResourceId) -> Vec<FieldError> {
        let is_contacts = resource == ResourceId::Contacts || self.import_batch_id.is_empty();
        let is_agreements = |id: &str| resource == ResourceId::Agreements || id.is_empty();
        let filters = [
            ("importBatchId", is_contacts),
            ("customer_id", is_agreements(&self.customer_id)),
            ("vehicle_id", is_agreements(&self.vehicle_id)),
            ("typeAdv", self.panel.is_allowed_for(resource)),
        ];
        filters
            .into_iter()
            .filter(|(_, is_allowed)| !is_allowed)
            .map(|(field, _)| FieldError { field: field.into(), message: text::NOT_OF_THIS_LIST.into() })
            .collect()
    }
}

impl Form for BulkInput {
    fn rules(&self, rules: &mut Rules) {
        if let Some(name) = &self.unknown {
            rules.require(name, false, text::FIELD_UNKNOWN);
        }
        if let Some(name) = self.query.as_ref().and_then(|query| query.unknown.as_ref()) {
            rules.require(&format!("query.{name}"), false, text::FIELD_UNKNOWN);
        }
        rules.require("ids", self.ids.is_some() != self.query.is_some(), text::IDS_OR_QUERY);
        let count = self.ids.as_ref().map_or(0, Vec::len);
        if let Some(message) = size_error(count as u64) {
            rules.require("ids", false, message);
        }
        let action = self.action();
        rules.require("action", action.is_some(), text::ACTION_INVALID);
        rules.require("fields", action != Some(Action::Update) || !self.fields.is_empty(), text::NO_FIELDS);
        let is_clean = action != Some(Action::Delete) || self.fields.is_empty();
        rules.require("fields", is_clean, text::NO_FIELDS_TO_DELETE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::customers::{CustomerStatus, CustomerSummary};
    use crate::form::errors_as_texts;
    use crate::lists::{Record, fields_of};
    use serde_json::{Value, json};

    fn errors(input: Value) -> Vec<String> {
        errors_as_texts(serde_json::from_value::<BulkInput>(input).unwrap())
    }

    #[test]
    fn names_the_records_by_ids_or_by_a_query() {
        let website = json!({"website": "nordbil.se"});
        assert!(errors(json!({"ids": ["a"], "action": "update", "fields": website})).is_empty());
        assert!(errors(json!({"query": {}, "action": "delete", "dry_run": true})).is_empty());
        for input in [json!({"action": "delete"}), json!({"ids": [], "query": {}, "action": "delete"})] {
            assert_eq!(errors(input), ["ids: Send either ids or a query."]);
        }
        assert_eq!(size_error(RECORDS_MAX.into()), None);
        let many = json!({"ids": vec!["a"; RECORDS_MAX as usize + 1], "action": "delete"});
        assert_eq!(errors(many), ["ids: A bulk action can have at most 10,000 records. Select fewer."]);
    }

    #[test]
    fn a_misspelt_field_is_an_error_and_does_not_widen_the_action() {
        let error = |field: &str| vec![format!("{field}: {}", text::FIELD_UNKNOWN)];
        let mut query =
            json!({"search": "", "filter": [], "sort": "-name", "importBatchId": "", "customer_id": "", "typeAdv": ""});
        assert!(errors(json!({"query": query, "action": "delete"})).is_empty());
        for field in ["serach", "searchTerm", "customerId", ""] {
            query[field] = json!({"any": ["value"]});
            assert_eq!(errors(json!({"query": query, "action": "delete"})), error(&format!("query.{field}")));
            query.as_object_mut().unwrap().remove(field);
        }
        for field in ["search", "dryRun", "unknown"] {
            assert_eq!(errors(json!({"query": {}, "action": "delete", field: true})), error(field));
        }
    }

    #[test]
    fn only_an_update_has_fields() {
        let errors = |action: &str, fields: Value| errors(json!({"ids": [], "action": action, "fields": fields}));
        assert_eq!(errors("update", json!({})), ["fields: Choose at least one field to change."]);
        assert_eq!(errors("delete", json!({"a": 1})), ["fields: A deletion has no fields. Leave them out."]);
        assert_eq!(errors("rename", json!({"a": 1})), ["action: The action must be 'update' or 'delete'"]);
    }

    #[test]
    fn rejects_unknown_fields_and_fields_that_are_not_bulk_editable() {
        let input = json!({"ids": [], "action": "update", "fields": {"website": "a.se", "createdAt": "", "age": 1}});
        let input: BulkInput = serde_json::from_value(input).unwrap();
        let errors = input.check_fields(Fields::all(ContactSummary::FIELDS));
        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["fields.age", "fields.createdAt"]);
        assert!(errors[0].message.as_str().starts_with("This field can't be changed in bulk. Use one of: "));
    }

    #[test]
    fn a_required_field_can_not_be_emptied() {
        let fields = |status: Value| -> Vec<String> {
            let input = json!({"ids": [], "action": "update", "fields": {"status": status, "warranty": null}});
            let input: BulkInput = serde_json::from_value(input).unwrap();
            input.check_fields(Fields::all(CustomerSummary::FIELDS)).into_iter().map(|error| error.field).collect()
        };
        for empty in [Value::Null, json!(""), json!(" ")] {
            assert_eq!(fields(empty), ["fields.status"]);
        }
        assert!(fields(json!("Inactive")).is_empty());
    }

    #[test]
    fn only_an_agreement_makes_a_vehicle_sold_so_a_bulk_action_does_not_offer_it() {
        let of = |list: &str, name: &str| {
            choices(list, fields_of(list).unwrap().iter().find(|field| field.name == name).unwrap())
        };
        let statuses = of("vehicles", "status");
        assert!(statuses.contains(&"In stock") && !statuses.contains(&"Sold"), "{statuses:?}");
        assert_eq!(of("customers", "status"), CustomerStatus::NAMES);
        assert!(of("customers", "warranty").is_empty());
    }

    #[test]
    fn a_query_has_only_the_filters_of_its_list() {
        let query = |json: Value| serde_json::from_value::<BulkQuery>(json).unwrap();
        let fields = |json: Value, resource| -> Vec<String> {
            query(json).check_own_filters(resource).into_iter().map(|error| error.field).collect()
        };
        let (import, panel) = (json!({"importBatchId": "a"}), json!({"typeAdv": "Company"}));
        let vehicle = json!({"vehicle_id": "a"});
        assert!(fields(vehicle.clone(), ResourceId::Agreements).is_empty());
        assert_eq!(fields(vehicle, ResourceId::Vehicles), ["vehicle_id"]);
        let customer = json!({"customer_id": "a"});
        assert!(fields(customer.clone(), ResourceId::Agreements).is_empty());
        assert_eq!(fields(customer, ResourceId::Customers), ["customer_id"]);
        assert!(fields(import.clone(), ResourceId::Contacts).is_empty());
        assert!(fields(panel.clone(), ResourceId::Customers).is_empty());
        assert_eq!(fields(import, ResourceId::Invoices), ["importBatchId"]);
        assert_eq!(fields(panel, ResourceId::Contacts), ["typeAdv"]);
    }
}
