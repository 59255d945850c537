//! Computes a record's values at the time of one of its history entries (docs/product.md 4.20).

use super::revert::is_same;
use super::{Change, ChangedValue, PHOTO_COUNT, PastValue, is_recorded};
use crate::lists::Record;
use std::collections::HashMap;

/// Computes the values that a record had just after an entry, from the present record and the changes of all later
/// entries.
#[derive(Debug, Default)]
pub struct Past {
    /// By field name: the value before the first change that is later than the entry.
    values: HashMap<String, Option<ChangedValue>>,
    secrets: Vec<String>,
}

impl Past {
    /// Adds the changes of a later entry. The entries must be added from oldest to newest.
    pub fn add(&mut self, changes: Vec<Change>) {
        for Change { field, before, after } in changes {
            let is_secret = before.is_none() && after.is_none();
            if !is_secret {
                self.values.entry(field).or_insert(before);
            } else if !self.secrets.contains(&field) {
                self.secrets.push(field);
            }
        }
    }

    /// Returns the value of each field just after the entry, beside its present value. `present` is `None` if the
    /// record is deleted. What only belongs to the record, such as its comments, is left out.
    pub fn values<R: Record>(mut self, present: Option<&R>) -> Vec<PastValue> {
        let fields = R::FIELDS.iter().filter(|field| is_recorded(field)).map(|field| field.name);
        let known = fields.chain([PHOTO_COUNT]).filter_map(|field| {
            let present = present.and_then(|record| ChangedValue::of(record.cell(field)));
            let value = self.values.remove(field).unwrap_or_else(|| present.clone());
            let is_changed = !is_same(present.as_ref(), value.as_ref());
            let is_used = value.is_some() || present.is_some();
            is_used.then(|| PastValue { field: field.to_owned(), value, present, is_changed, is_known: true })
        });
        let mut values: Vec<PastValue> = known.collect();
        values.extend(self.secrets.into_iter().map(|field| PastValue {
            field,
            value: None,
            present: None,
            is_changed: true,
            is_known: false,
        }));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::changes;
    use super::super::tests::{contact, invoice};
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::date::tests::day;
    use crate::invoices::Invoice;
    use crate::money::Money;
    use proptest::prelude::*;
    use serde_json::json;

    /// Returns the changes as they are after they were stored in the history as JSON and read back.
    fn stored(changes: &[Change]) -> Vec<Change> {
        serde_json::from_str(&serde_json::to_string(changes).unwrap()).unwrap()
    }

    fn past<R: Record>(present: Option<&R>, later: &[Vec<Change>]) -> Vec<PastValue> {
        let mut past = Past::default();
        later.iter().for_each(|changes| past.add(stored(changes)));
        past.values(present)
    }

    #[test]
    fn the_past_value_of_a_field_is_that_before_its_first_later_change() {
        let [first, second, third] = [contact("Ada", ""), contact("Ada Ek", "070"), contact("Ada Öberg", "070")];
        let later = [changes(Some(&first), Some(&second), &[]), changes(Some(&second), Some(&third), &[])];
        let expected = json!([
            {"field": "name", "value": "Ada", "present": "Ada Öberg", "is_changed": true, "is_known": true},
            {"field": "phone", "value": null, "present": "070", "is_changed": true, "is_known": true},
        ]);
        assert_eq!(serde_json::to_value(past(Some(&third), &later)).unwrap(), expected);
        let expected = json!([
            {"field": "name", "value": "Ada Ek", "present": "Ada Öberg", "is_changed": true, "is_known": true},
            {"field": "phone", "value": "070", "present": "070", "is_changed": false, "is_known": true},
        ]);
        assert_eq!(serde_json::to_value(past(Some(&third), &later[1..])).unwrap(), expected);
    }

    #[test]
    fn past_values_of_a_deleted_record_are_those_before_its_deletion() {
        let before = contact("Ada", "070");
        let values = past::<ContactSummary>(None, &[changes(Some(&before), None, &[])]);
        let texts: Vec<_> = values.iter().map(|value| (value.field.as_str(), value.value.clone())).collect();
        let text = |text: &str| Some(ChangedValue::Text(text.into()));
        assert_eq!(texts, [("name", text("Ada")), ("phone", text("070"))]);
        assert!(values.iter().all(|value| value.is_changed && value.present.is_none()));
    }

    #[test]
    fn the_past_value_of_a_secret_that_was_changed_later_is_unknown() {
        let ada = contact("Ada", "");
        let later = changes(Some(&ada), Some(&ada), &["socialSecurityNumber"]);
        let values = past(Some(&ada), &[later.clone(), later]);
        let unknown = json!({"field": "socialSecurityNumber", "value": null, "present": null, "is_changed": true, "is_known": false});
        assert_eq!(serde_json::to_value(&values[1..]).unwrap(), json!([unknown]));
    }

    #[test]
    fn past_values_show_erased_values_as_erased_and_leave_out_comments() {
        let later = json!([
            {"field": "phone", "before": {"erased": true}, "after": {"erased": true}},
            {"field": "comments", "before": null, "after": "Called"},
        ]);
        let values = past(Some(&contact("Erased", "")), &[serde_json::from_value(later).unwrap()]);
        let found: Vec<_> = values.into_iter().map(|value| (value.field, value.value)).collect();
        let name = Some(ChangedValue::Text("Erased".into()));
        assert_eq!(found, [("name".to_owned(), name), ("phone".to_owned(), Some(ChangedValue::ERASED))]);
    }

    proptest! {
        #[test]
        fn past_values_are_those_that_the_record_had_at_that_time(
            states in prop::collection::vec((1..=28_u32, 1..500_i64, prop::option::of("[ab]")), 2..6),
            then in any::<prop::sample::Index>(),
        ) {
            let states: Vec<Invoice> = states
                .into_iter()
                // Every other amount is in whole pounds, which is read back from JSON as `ChangedValue::Number`.
                .map(|(date, pence, customer_id)| Invoice {
                    start_date: day(&format!("2026-01-{date:02}")),
                    project_price: Money::saturating_from_pence(pence * 50),
                    customer_id,
                    ..invoice()
                })
                .collect();
            let later: Vec<_> = states.windows(2).map(|two| changes(Some(&two[0]), Some(&two[1]), &[])).collect();
            let (then, present) = (then.index(states.len()), states.last());
            let values = past(present, &later[then..]);
            for field in Invoice::FIELDS.iter().filter(|field| is_recorded(field)) {
                let cell = |state: &Invoice| ChangedValue::of(state.cell(field.name));
                let (value, now) = (cell(&states[then]), present.and_then(cell));
                let found = values.iter().find(|value| value.field == field.name);
                prop_assert!(is_same(value.as_ref(), found.and_then(|found| found.value.as_ref())), "{}", field.name);
                prop_assert_eq!(found.is_some_and(|found| found.is_changed), value != now);
            }
        }
    }
}
