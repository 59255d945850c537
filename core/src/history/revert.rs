//! Undoing an entry of the history: which fields get their old values back (docs/product.md 4.22).

use super::{Change, ChangedValue, HistoryEntry, LastChange, field_of, is_recorded, text};
use crate::bulk::Refused;
use crate::form::{Form, Rules};
use crate::lists::{Field, Record};
use crate::message::Message;
use crate::money::Money;
use crate::{agreements, invoices};
use serde::{Deserialize, Serialize};

/// Maximum number of contacts that the preview of undoing an import names because they were changed after the import.
pub const KEPT_MAX: u32 = 1_000;

/// What undoing does if fields were changed again after the undone entry (or contacts after the undone import).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing is undone if there is such a change.
    Refuse,
    /// Such fields keep their present values, and such contacts stay.
    Keep,
    /// Such fields get their old values, too, and such contacts go to the trash, too.
    Overwrite,
}

forms!(
    /// How to undo an entry of the history.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct RevertInput {
        /// What to do if fields were changed again after the entry, or contacts after the import. `refuse`: nothing is
        /// undone. `keep`: such fields keep their present values, and such contacts stay. `overwrite`: such fields get
        /// their old values, and such contacts go to the trash. Empty means `refuse`.
        pub on_conflict: String,
        /// If `true`, nothing is undone, and the response says what would happen.
        pub dry_run: bool,
    }
);

api_types!(
    /// What was undone of a bulk action or an import or, in a dry run, what undoing an entry would do.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct RevertResult {
        /// Number of records that have got their old values back, are restored from the trash, or (undoing an import)
        /// are moved to the trash.
        pub reverted: u64,
        /// Only in a dry run for one record: the names of the fields that would get their old values back.
        pub fields: Vec<String>,
        /// Like `fields`: the names of those that stay, because their old values are not recorded.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub unrecorded: Vec<String>,
        /// Like `fields`: the names of those that stay, because their values follow from agreements.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub following: Vec<String>,
        /// The records with fields that were changed again after the entry; `on_conflict` decides whether these fields
        /// are undone. For an import: its contacts that were changed since; if they are many, only some of them.
        pub kept: Vec<Kept>,
        /// Number of all records whose fields were changed again, including those that are not in `kept`. After the
        /// undoing of an import: number of all its contacts that have stayed.
        pub kept_count: u64,
        /// Only in a dry run for an import: number of its contacts that stay with every `on_conflict`, because they are
        /// in signed, delivered or closed agreements.
        pub bound_count: u64,
        /// The records of which nothing can be undone, and why.
        pub refused: Vec<Refused>,
    }

    /// The response if undoing takes longer than the request: it goes on after the response.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevertStarted {
        /// The id of the undoing's own entry in the history. `GET /api/history/{history_id}` with this id returns the
        /// progress.
        pub batch_id: String,
    }

    /// The progress of undoing an import or a bulk deletion.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevertProgress {
        /// `running` or `done`.
        pub state: String,
        /// Number of records to go through: contacts of the import, or records of the bulk deletion that were still in
        /// the trash when the undoing began.
        pub total: u64,
        /// Number of records that are undone so far.
        pub reverted: u64,
        /// Number of records that have stayed so far: contacts in the list, because they were changed after the import
        /// or are in binding agreements, or deleted records in the trash, because one of them conflicts with another
        /// record.
        pub kept_count: u64,
    }

    /// An entry of the history. It has a `progress` if it records the undoing of an import or of a bulk deletion.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryDetail {
        #[serde(flatten)]
        pub entry: HistoryEntry,
        pub progress: Option<RevertProgress>,
    }

    /// A record with fields that were changed again after the entry that is undone.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Kept {
        pub id: String,
        /// The text by which users know the record, such as a contact's name.
        pub label: String,
        /// The names of the fields that were changed again.
        pub fields: Vec<String>,
        /// Only in a dry run for the update of one record: the last change of any of these fields.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub last_change: Option<LastChange>,
    }
);

impl Change {
    /// Returns whether a value was erased, so that the change can't be undone.
    pub(super) fn is_erased(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|value| *value == ChangedValue::ERASED)
    }

    /// Returns whether the old value is known: it is no secret, and was not erased.
    fn has_old_value(&self) -> bool {
        (self.before.is_some() || self.after.is_some()) && !self.is_erased()
    }

    /// Returns the name of the field that gets its old value back if the change is undone, of a record with these
    /// fields. `None` if the old value is unknown, and for what is not a recorded field of the record itself: comments,
    /// for example, and values that follow from other fields.
    pub(super) fn undone_field(&self, fields: &[Field]) -> Option<&str> {
        let name = field_of(&self.field);
        let is_field = fields.iter().any(|field| field.name == name && is_recorded(field));
        (is_field && self.has_old_value()).then_some(name)
    }
}

impl RevertInput {
    pub fn on_conflict(&self) -> Option<OnConflict> {
        match self.on_conflict.as_str() {
            "" | "refuse" => Some(OnConflict::Refuse),
            "keep" => Some(OnConflict::Keep),
            "overwrite" => Some(OnConflict::Overwrite),
            _ => None,
        }
    }
}

impl Form for RevertInput {
    fn rules(&self, rules: &mut Rules) {
        rules.require("on_conflict", self.on_conflict().is_some(), text::ON_CONFLICT_INVALID);
    }
}

/// What undoing an update changes in a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Undo {
    /// The old values that the record gets back, each with its field's name. `None` empties the field.
    pub values: Vec<(String, Option<ChangedValue>)>,
    /// The names of the fields that were changed again after the update.
    pub conflicts: Vec<String>,
    /// Whether at least one field already has its old value.
    pub is_partly_undone: bool,
    /// The names of the fields that stay because their old values are not recorded.
    pub unrecorded: Vec<String>,
    /// The names of the fields that stay because their values follow from other records.
    pub following: Vec<String>,
}

/// Returns what undoing an update with these changes does with the present record. Not undone are changes without an
/// [`Change::undone_field`], and values that follow from other records.
pub fn undo<R: Record>(present: &R, changes: &[Change], on_conflict: OnConflict) -> Undo {
    let mut undo = Undo::default();
    for change in changes {
        let Change { field, before, after } = change;
        if !change.has_old_value() {
            undo.unrecorded.push(field.clone());
        }
        let Some(name) = change.undone_field(R::FIELDS) else { continue };
        let typed = present.typed_value(name);
        if name == field && typed.is_some() {
            undo.following.push(field.clone());
            continue;
        }
        let value = ChangedValue::of(typed.unwrap_or_else(|| present.cell(name)));
        if is_same(value.as_ref(), before.as_ref()) {
            undo.is_partly_undone = true;
            continue;
        }
        let is_conflict = !is_same(value.as_ref(), after.as_ref());
        if is_conflict {
            undo.conflicts.push(field.clone());
        }
        if !is_conflict || on_conflict == OnConflict::Overwrite {
            undo.values.push((name.to_owned(), before.clone()));
        }
    }
    if on_conflict == OnConflict::Refuse && !undo.conflicts.is_empty() {
        undo.values.clear();
    }
    undo
}

/// Returns why an update can't be undone whose old values break a form's rule with this message. The message itself may
/// ask for another value, which the user can't choose here.
pub fn undo_error(broken: &Message) -> Message {
    let unknown = [
        invoices::text::CUSTOMER_UNKNOWN,
        agreements::text::CUSTOMER_UNKNOWN,
        agreements::text::CONTACT_UNKNOWN,
        agreements::text::VEHICLE_UNKNOWN,
    ];
    if unknown.contains(&broken) { text::LINK_GONE.clone() } else { text::old_values_refused(broken) }
}

/// Returns whether a present value equals one that was read from the history, where an amount of whole pounds is a
/// `Number`.
pub(super) fn is_same(present: Option<&ChangedValue>, stored: Option<&ChangedValue>) -> bool {
    match (present, stored) {
        (Some(ChangedValue::Money(money)), Some(ChangedValue::Number(pounds))) => {
            pounds.checked_mul(100).and_then(Money::from_pence) == Some(*money)
        }
        (present, stored) => present == stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::customers::{CustomerFigures, CustomerSummary};
    use crate::history::changes as changes_between;
    use serde_json::json;

    fn contact(name: &str, phone: &str) -> ContactSummary {
        let json = json!({"_id": "1", "name": name, "email": "", "phone": phone, "website": "", "address": "",
            "createdAt": "", "updatedAt": "", "version": 1});
        serde_json::from_value(json).unwrap()
    }

    fn changes() -> Vec<Change> {
        let changes = json!([
            {"field": "name", "before": "Ada", "after": "Ada Öberg"},
            {"field": "phone", "before": null, "after": "070"},
            {"field": "comments", "before": null, "after": "Called"},
            {"field": "email", "before": null, "after": null},
        ]);
        serde_json::from_value(changes).unwrap()
    }

    fn name() -> (String, Option<ChangedValue>) {
        ("name".into(), Some(ChangedValue::Text("Ada".into())))
    }

    #[test]
    fn undo_restores_fields_that_were_not_changed_again() {
        for on_conflict in [OnConflict::Refuse, OnConflict::Keep, OnConflict::Overwrite] {
            let undo = undo(&contact("Ada Öberg", "070"), &changes(), on_conflict);
            assert_eq!(undo.values, [name(), ("phone".into(), None)], "{on_conflict:?}");
            assert_eq!((undo.conflicts, undo.unrecorded), (vec![], vec!["email".to_owned()]));
        }
    }

    #[test]
    fn undo_restores_fields_that_were_changed_again_only_with_overwrite() {
        let phone = ("phone".to_owned(), None);
        for (on_conflict, values) in [
            (OnConflict::Refuse, vec![]),
            (OnConflict::Keep, vec![phone.clone()]),
            (OnConflict::Overwrite, vec![name(), phone]),
        ] {
            let undo = undo(&contact("Ada Ek", "070"), &changes(), on_conflict);
            assert_eq!((undo.values, undo.conflicts), (values, vec!["name".to_owned()]), "{on_conflict:?}");
        }
    }

    #[test]
    fn undo_has_no_conflict_in_fields_that_already_have_their_old_values() {
        let undo = undo(&contact("Ada", "070"), &changes(), OnConflict::Refuse);
        assert_eq!((undo.values, undo.conflicts), (vec![("phone".to_owned(), None)], vec![]));
        assert!(undo.is_partly_undone);
    }

    #[test]
    fn undo_leaves_values_that_follow_from_other_records_and_restores_what_was_typed() {
        let mut customer: CustomerSummary = serde_json::from_value(json!({
            "customer_id": "1", "customerNumber": "C-1001", "name": "Ada", "email": "", "telephone": "", "address": "",
            "postalCode": "", "location": "", "type": "Private", "status": "Active", "organizationNumber": "",
            "role": "buyer", "companyName": "", "numberOfOrders": 2, "totalSpent": 0, "warranty": "Dealer",
            "warrantyPeriod": "", "createdAt": "", "updatedAt": "", "version": 1,
        }))
        .unwrap();
        let typed = CustomerFigures { warranty: "Extended".into(), ..CustomerFigures::from(&customer) };
        customer.typed = Some(Box::new(typed));
        let mut before = customer.clone();
        before.typed = Some(Box::new(CustomerFigures { warranty: "Yes".into(), ..CustomerFigures::from(&customer) }));
        let typed = changes_between(Some(&before), Some(&customer), &[]);
        let yes = json!([{"field": "typed.warranty", "before": "Yes", "after": "Extended"}]);
        assert_eq!(serde_json::to_value(&typed).unwrap(), yes);
        let value = vec![("warranty".to_owned(), Some(ChangedValue::Text("Yes".into())))];
        assert_eq!(undo(&customer, &typed, OnConflict::Refuse).values, value);
        let orders = [Change { field: "numberOfOrders".into(), before: None, after: Some(ChangedValue::Number(2)) }];
        let left = undo(&customer, &orders, OnConflict::Overwrite);
        assert_eq!((left.values, left.following), (vec![], vec!["numberOfOrders".to_owned()]));
        // Once no value follows from agreements any more, the typed values are shown.
        customer.typed = None;
        customer.warranty = "Extended".into();
        assert_eq!(undo(&customer, &typed, OnConflict::Refuse).values, value);
    }

    #[test]
    fn undo_does_not_bring_back_an_erased_value() {
        let erased = json!([
            {"field": "name", "before": {"erased": true}, "after": {"erased": true}},
            {"field": "phone", "before": null, "after": {"erased": true}},
        ]);
        let changes: Vec<Change> = serde_json::from_value(erased).unwrap();
        for on_conflict in [OnConflict::Refuse, OnConflict::Keep, OnConflict::Overwrite] {
            for phone in ["", "070"] {
                let undo = undo(&contact("Erased", phone), &changes, on_conflict);
                assert_eq!((undo.values, undo.conflicts), (vec![], vec![]), "{on_conflict:?} {phone}");
            }
        }
    }

    #[test]
    fn undo_does_not_ask_for_another_value_if_an_old_one_breaks_a_rule() {
        assert_eq!(undo_error(agreements::text::CUSTOMER_UNKNOWN), *text::LINK_GONE);
        let taken = undo_error(crate::vehicles::text::VIN_TAKEN);
        assert_eq!(taken.as_str(), "The old values can't be restored: Another vehicle in stock has this VIN.");
    }

    #[test]
    fn an_amount_in_whole_pounds_that_was_read_from_the_history_equals_that_of_the_record() {
        let money = |pence| Some(ChangedValue::Money(Money::from_pence(pence).unwrap()));
        let stored = |json| serde_json::from_value::<Option<ChangedValue>>(json).unwrap();
        assert!(is_same(money(1_200).as_ref(), stored(json!(12)).as_ref()));
        assert!(is_same(money(1_250).as_ref(), stored(json!(12.5)).as_ref()));
        assert!(!is_same(money(1_201).as_ref(), stored(json!(12)).as_ref()));
        assert!(!is_same(money(1_200).as_ref(), None));
    }

    #[test]
    fn rejects_an_unknown_value_of_on_conflict() {
        let input = |text: &str| RevertInput { on_conflict: text.into(), dry_run: false };
        assert_eq!(input("").on_conflict(), Some(OnConflict::Refuse));
        let errors = crate::form::errors_as_texts(input("ignore"));
        assert_eq!(errors, ["on_conflict: Use one of: refuse, keep, overwrite."]);
    }
}
