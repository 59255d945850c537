//! The history of records: who changed what, and when (docs/product.md 4.20). Its rules are the same for every kind of record: they
//! follow from the fields of the lists.

pub mod text;
mod types;

pub use types::{ACTIONS, ACTOR_KINDS, Actor, Change, HistoryEntry, HistoryList, PATH};

use crate::form::is_secret;
use crate::lists::{Field, Kind};
use serde_json::{Map, Value};

/// Default number of entries on a page.
pub const PAGE_SIZE: u32 = 20;

/// Returns whether the history has the values of a field: not of ids, versions and times that the program sets.
fn is_recorded(field: &Field) -> bool {
    match field.kind {
        Kind::Id => field.is_link,
        Kind::Time | Kind::Serial(_) => false,
        _ => field.name != "version",
    }
}

/// Returns the changes between two states of a record, each by the names of its fields; an empty map is no record. A secret that
/// `after` contains counts as changed, and has no values.
pub fn changes(fields: &[Field], before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Change> {
    let recorded = fields.iter().filter(|field| is_recorded(field)).map(|field| field.name);
    let changed = recorded.filter_map(|name| {
        let [before, after] = [before, after].map(|state| state.get(name).filter(|value| !is_empty(value)).cloned());
        (before != after).then(|| Change { field: name.to_owned(), before, after })
    });
    let secrets = after.iter().filter(|(name, value)| is_secret(name) && !value.is_null());
    let secrets = secrets.map(|(name, _)| Change { field: name.clone(), before: None, after: None });
    changed.chain(secrets).collect()
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value == ""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::customers::CustomerSummary;
    use crate::invoices::Invoice;
    use crate::lists::Record;
    use proptest::prelude::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn change(field: &str, before: Value, after: Value) -> Change {
        let some = |value: Value| (!value.is_null()).then_some(value);
        Change { field: field.into(), before: some(before), after: some(after) }
    }

    #[test]
    fn only_fields_with_other_values_are_changes() {
        let before = map(json!({"_id": "1", "name": "Ada", "email": "ada@example.se", "phone": "", "version": 1}));
        let after = map(json!({"name": "Ada Öberg", "email": "ada@example.se", "phone": null, "address": "Lund", "version": 2}));
        let expected = [change("name", json!("Ada"), json!("Ada Öberg")), change("address", json!(null), json!("Lund"))];
        assert_eq!(changes(ContactSummary::FIELDS, &before, &after), expected);
    }

    #[test]
    fn a_new_record_has_only_values_after_the_change_and_a_deleted_one_only_before() {
        let record = map(json!({"_id": "1", "customer": "Nordbil", "projectPrice": 12.5, "startDate": "2026-01-31"}));
        let none = Map::new();
        let fields = |changes: Vec<Change>| changes.into_iter().map(|change| change.field).collect::<Vec<_>>();
        let created = changes(Invoice::FIELDS, &none, &record);
        assert!(created.iter().all(|change| change.before.is_none() && change.after.is_some()));
        assert_eq!(fields(created), ["customer", "startDate", "projectPrice"]);
        let deleted = changes(Invoice::FIELDS, &record, &none);
        assert!(deleted.iter().all(|change| change.before.is_some() && change.after.is_none()));
        assert_eq!(fields(deleted), ["customer", "startDate", "projectPrice"]);
    }

    #[test]
    fn a_secret_is_a_change_without_values() {
        let after = map(json!({"name": "Ada", "socialSecurityNumber": "19900101-0017"}));
        let found = changes(CustomerSummary::FIELDS, &map(json!({"name": "Ada"})), &after);
        assert_eq!(found, [change("socialSecurityNumber", json!(null), json!(null))]);
        assert!(!format!("{found:?}").contains("0017"));
    }

    #[test]
    fn a_link_to_another_record_is_recorded() {
        let (before, after) = (map(json!({"customer_id": null})), map(json!({"customer_id": "7"})));
        assert_eq!(changes(Invoice::FIELDS, &before, &after), [change("customer_id", json!(null), json!("7"))]);
    }

    proptest! {
        #[test]
        fn the_opposite_change_has_the_values_exchanged(before in ".{0,3}", after in ".{0,3}", same in ".{0,3}") {
            let before = map(json!({"name": before, "email": same}));
            let after = map(json!({"name": after, "email": same}));
            let swap = |change: Change| Change { before: change.after, after: change.before, ..change };
            let there = changes(ContactSummary::FIELDS, &before, &after);
            let back: Vec<Change> = changes(ContactSummary::FIELDS, &after, &before).into_iter().map(swap).collect();
            prop_assert_eq!(there, back);
        }
    }
}
