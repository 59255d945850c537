//! Rules of merging records.

use super::{MergeInput, text};
use crate::form::{FieldError, Form, Rules};
use crate::history::is_recorded;
use crate::lists::{Fields, is_uuid};
use std::collections::BTreeMap;

/// Maximum number of records of a merge, including the kept one.
pub const RECORDS_MAX: usize = 10;

impl MergeInput {
    /// Returns an error for each field in `self.fields` that a merge can't set. `fields` are the fields of the records.
    /// A merge can set those that the history records.
    pub fn check_fields(&self, fields: Fields<'_>) -> Vec<FieldError> {
        let is_known = |name: &str| fields.iter().any(|field| field.name == name && is_recorded(field));
        let unknown = self.fields.keys().filter(|name| !is_known(name));
        unknown.map(|name| FieldError { field: name.clone(), message: text::FIELD_UNKNOWN.clone() }).collect()
    }
}

impl Form for MergeInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("keep", &self.keep).required(text::KEEP_REQUIRED);
        rules.require("ids", !self.ids.is_empty(), text::IDS_REQUIRED);
        rules.require("ids", self.ids.len() < RECORDS_MAX, text::too_many(RECORDS_MAX as u64));
        rules.require("ids", !self.ids.contains(&self.keep), text::KEEP_AMONG_IDS);
        rules.require("versions", self.versions.keys().all(|id| is_uuid(id)), text::VERSIONS_INVALID);
    }
}

/// Other details of a contact: their values by name.
pub type Details = BTreeMap<String, String>;

/// Returns for each of `others` the other details that the kept contact gets from it: those whose name the kept contact
/// does not have. If several contacts have a detail of the same name, the value of the first one counts; a later
/// contact also gives it if its value is the same.
pub fn added_details<'a>(kept: &Details, others: impl IntoIterator<Item = &'a Details>) -> Vec<Details> {
    let mut added = BTreeMap::new();
    let given = others.into_iter().map(|details| {
        let given = details.iter().filter(|(name, value)| {
            !kept.contains_key(*name) && *added.entry((*name).clone()).or_insert_with(|| (*value).clone()) == **value
        });
        given.map(|(name, value)| (name.clone(), value.clone())).collect()
    });
    given.collect()
}

/// Removes the other details that a contact got by a merge (`given`), except those whose value was changed since.
/// Returns whether any was removed.
pub fn take_back_details(details: &mut Details, given: &Details) -> bool {
    let count = details.len();
    details.retain(|name, value| given.get(name) != Some(value));
    details.len() < count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::customers::CustomerSummary;
    use crate::form::errors_as_texts;
    use crate::lists::Record;
    use serde_json::{Value, json};

    fn errors(input: Value) -> Vec<String> {
        errors_as_texts(serde_json::from_value::<MergeInput>(input).unwrap())
    }

    #[test]
    fn a_merge_needs_a_record_to_keep_and_others() {
        assert!(errors(json!({"keep": "a", "ids": ["b"]})).is_empty());
        assert_eq!(errors(json!({})), ["keep: Choose the record to keep", "ids: Choose at least one other record"]);
        let kept = errors(json!({"keep": "a", "ids": ["b", "a"]}));
        assert_eq!(kept, ["ids: The record to keep can't be one of the others"]);
        assert!(errors(json!({"keep": "a", "ids": vec!["b"; RECORDS_MAX - 1]})).is_empty());
        let many = errors(json!({"keep": "a", "ids": vec!["b"; RECORDS_MAX]}));
        assert_eq!(many, ["ids: At most 10 records can be merged at once"]);
    }

    #[test]
    fn a_merge_sets_only_fields_that_a_form_has() {
        let fields = |names: &[&str], fields| {
            let values = names.iter().map(|name| ((*name).to_owned(), Value::Null)).collect::<serde_json::Map<_, _>>();
            let input: MergeInput = serde_json::from_value(json!({"fields": values})).unwrap();
            input.check_fields(Fields::all(fields)).into_iter().map(|error| error.field).collect::<Vec<_>>()
        };
        assert!(fields(&["name", "email", "phone", "website", "address"], ContactSummary::FIELDS).is_empty());
        assert!(fields(&["type", "totalSpent", "latestPurchase"], CustomerSummary::FIELDS).is_empty());
        let unknown = ["_id", "createdAt", "importSource", "otherDetails", "version"];
        assert_eq!(fields(&unknown, ContactSummary::FIELDS), unknown);
        let unknown = ["customerNumber", "customer_id", "socialSecurityNumber"];
        assert_eq!(fields(&unknown, CustomerSummary::FIELDS), unknown);
    }

    #[test]
    fn the_kept_contact_gets_only_details_that_it_lacks() {
        let first = details(json!({"Town": "Lund", "Fax": "1"}));
        let second = details(json!({"Fax": "2", "Dog": "Rex"}));
        let third = details(json!({"Fax": "1", "Dog": "Rex", "Cat": "Mio"}));
        let added = added_details(&details(json!({"Town": "Malmö"})), [&first, &second, &third]);
        let given = [json!({"Fax": "1"}), json!({"Dog": "Rex"}), json!({"Fax": "1", "Dog": "Rex", "Cat": "Mio"})];
        assert_eq!(added, given.map(details));
    }

    #[test]
    fn taking_back_details_keeps_those_that_were_changed_after_the_merge() {
        let mut kept = details(json!({"Town": "Malmö", "Fax": "3", "Dog": "Rex"}));
        assert!(take_back_details(&mut kept, &details(json!({"Fax": "1", "Dog": "Rex"}))));
        assert_eq!(kept, details(json!({"Town": "Malmö", "Fax": "3"})));
        assert!(!take_back_details(&mut kept, &details(json!({"Fax": "1"}))));
    }

    fn details(json: Value) -> Details {
        serde_json::from_value(json).unwrap()
    }
}
