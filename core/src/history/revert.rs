//! Undoing a change: which fields get their old values back (docs/product.md 4.22).

use super::{Change, ChangedValue, HistoryAction, HistoryEntry, LastChange, RESOURCES, is_recorded, text};
use crate::bulk::Refused;
use crate::form::{Form, Rules, text_or_null};
use crate::lists::Record;
use crate::money::Money;
use crate::permissions::{Access, Action, ResourceId, may};
use serde::{Deserialize, Serialize};

/// Maximum number of contacts of an import that a preview names because they were changed since.
pub const KEPT_MAX: u32 = 1_000;

/// What becomes of fields that were changed again since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing is undone.
    Refuse,
    /// They stay as they are, and so do contacts of an import that have such fields.
    Keep,
    /// They get their old values, too.
    Overwrite,
}

api_types!(
    /// How an entry is undone.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct RevertInput {
        /// `refuse`, `keep` or `overwrite`: what becomes of fields that were changed again since. Empty: `refuse`.
        #[serde(deserialize_with = "text_or_null")]
        pub on_conflict: String,
        /// Whether only to report what would happen.
        pub dry_run: bool,
    }

    /// What was undone of a bulk action, or would be undone of an entry.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct RevertResult {
        /// Number of records that have their old values again, or are restored, or, of an import, are in the trash.
        pub reverted: u64,
        /// In a dry run for one record: the names of the fields that get their old values.
        pub fields: Vec<String>,
        /// The fields that were changed again since. Whether they are undone depends on `on_conflict`. Of an import, the contacts that
        /// were changed since, at most [`KEPT_MAX`].
        pub kept: Vec<Kept>,
        /// Number of records with such fields.
        pub kept_count: u64,
        /// The records of which nothing can be undone.
        pub refused: Vec<Refused>,
    }

    /// An undoing that goes on after the response.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevertStarted {
        /// The entry of the undoing, which `GET /api/history/{history_id}` returns with its progress.
        pub batch_id: String,
    }

    /// How far an undoing has come that goes on after its response.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevertProgress {
        /// `running`, or `done`.
        pub state: String,
        /// Number of records that the undone entry changed, as far as they were left when it began.
        pub total: u64,
        /// Number of records that are undone so far.
        pub reverted: u64,
        /// Number of records that stay because they were changed since.
        pub kept_count: u64,
    }

    /// An entry, with its progress if it stands for an undoing that went on after its response.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryDetail {
        #[serde(flatten)]
        pub entry: HistoryEntry,
        pub progress: Option<RevertProgress>,
    }

    /// A record with fields that were changed again since.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Kept {
        pub id: String,
        /// The text by which users know the record.
        pub label: String,
        /// The names of the fields.
        pub fields: Vec<String>,
        /// In a dry run for one update: who changed one of them last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub last_change: Option<LastChange>,
    }
);

/// Returns the permission that undoing such an entry requires, which is that of the change it makes; `None` if it can't be undone.
pub fn permission_to_undo(resource: ResourceId, action: HistoryAction) -> Option<Action> {
    match action {
        _ if !RESOURCES.contains(&resource) => None,
        HistoryAction::Updated | HistoryAction::Reverted => Some(Action::Update),
        // What was imported goes to the trash. For a merge, see `may_undo`.
        HistoryAction::Deleted | HistoryAction::Imported | HistoryAction::Merged => Some(Action::Delete),
        _ => None,
    }
}

/// Returns whether a user has all permissions that undoing such an entry requires. Undoing a merge takes records from the trash and
/// changes the kept one.
pub fn may_undo(access: &Access, resource: ResourceId, action: HistoryAction) -> bool {
    let is_allowed = |needed| may(access, resource, needed);
    permission_to_undo(resource, action).is_some_and(is_allowed)
        && (action != HistoryAction::Merged || is_allowed(Action::Update))
}

impl HistoryEntry {
    /// Leaves `undo` only if the user may undo the entry.
    pub fn limit_undo(&mut self, access: &Access) {
        let entry = ResourceId::parse(&self.resource).zip(HistoryAction::parse(&self.action));
        if !entry.is_some_and(|(resource, action)| may_undo(access, resource, action)) {
            self.undo = None;
        }
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

/// What undoing an update does with a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Undo {
    /// The old values by the names of their fields.
    pub values: Vec<(String, Option<ChangedValue>)>,
    /// The names of the fields that were changed again since.
    pub conflicts: Vec<String>,
    /// Whether some fields have their old values already.
    pub is_partly_undone: bool,
}

/// Returns what undoing these changes does with the present record. Values that are unknown, because they were secrets or were erased,
/// and changes of what only belongs to a record, as of its comments, or follows from other fields, are not undone.
pub fn undo<R: Record>(present: &R, changes: &[Change], on_conflict: OnConflict) -> Undo {
    let mut undo = Undo::default();
    for Change { field, before, after } in changes {
        let is_secret = before.is_none() && after.is_none();
        let is_unknown = is_secret || before == &Some(ChangedValue::ERASED);
        if is_unknown || !R::FIELDS.iter().any(|known| known.name == field && is_recorded(known)) {
            continue;
        }
        let value = ChangedValue::of(present.cell(field));
        if is_same(value.as_ref(), before.as_ref()) {
            undo.is_partly_undone = true;
            continue;
        }
        let is_conflict = !is_same(value.as_ref(), after.as_ref());
        if is_conflict {
            undo.conflicts.push(field.clone());
        }
        if !is_conflict || on_conflict == OnConflict::Overwrite {
            undo.values.push((field.clone(), before.clone()));
        }
    }
    if on_conflict == OnConflict::Refuse && !undo.conflicts.is_empty() {
        undo.values.clear();
    }
    undo
}

/// Returns whether a value of a record is the same as one that was read from the history, where whole pounds are a number.
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
    use crate::permissions::Permissions;
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
    fn fields_that_still_have_the_new_value_get_the_old_one() {
        for on_conflict in [OnConflict::Refuse, OnConflict::Keep, OnConflict::Overwrite] {
            let undo = undo(&contact("Ada Öberg", "070"), &changes(), on_conflict);
            assert_eq!(undo.values, [name(), ("phone".into(), None)], "{on_conflict:?}");
            assert!(undo.conflicts.is_empty());
        }
    }

    #[test]
    fn fields_that_were_changed_again_are_undone_only_if_they_shall_be_overwritten() {
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
    fn fields_that_have_their_old_values_again_are_no_conflict() {
        let undo = undo(&contact("Ada", "070"), &changes(), OnConflict::Refuse);
        assert_eq!((undo.values, undo.conflicts), (vec![("phone".to_owned(), None)], vec![]));
        assert!(undo.is_partly_undone);
    }

    #[test]
    fn a_value_that_was_erased_does_not_come_back() {
        let erased = json!([
            {"field": "name", "before": {"erased": true}, "after": {"erased": true}},
            {"field": "phone", "before": null, "after": {"erased": true}},
        ]);
        let changes: Vec<Change> = serde_json::from_value(erased).unwrap();
        for on_conflict in [OnConflict::Refuse, OnConflict::Keep, OnConflict::Overwrite] {
            let undo = undo(&contact("Erased", ""), &changes, on_conflict);
            assert_eq!((undo.values, undo.conflicts), (vec![], vec![]), "{on_conflict:?}");
        }
    }

    #[test]
    fn undoing_requires_the_permission_for_the_change_that_it_makes() {
        let needed = permission_to_undo(ResourceId::Contacts, HistoryAction::Updated);
        assert_eq!(needed, Some(Action::Update));
        assert_eq!(permission_to_undo(ResourceId::Invoices, HistoryAction::Deleted), Some(Action::Delete));
        for action in [HistoryAction::Imported, HistoryAction::Merged] {
            assert_eq!(permission_to_undo(ResourceId::Contacts, action), Some(Action::Delete));
        }
        for action in [HistoryAction::Created, HistoryAction::Exported, HistoryAction::Purged, HistoryAction::Unmerged]
        {
            assert_eq!(permission_to_undo(ResourceId::Contacts, action), None);
        }
        assert_eq!(permission_to_undo(ResourceId::Users, HistoryAction::Updated), None);
    }

    #[test]
    fn only_who_may_update_and_delete_may_undo_a_merge() {
        let may_undo_it = |action, allowed: Permissions| {
            let mut access = Access::default();
            access.permissions[ResourceId::Contacts] = allowed;
            may_undo(&access, ResourceId::Contacts, action)
        };
        let (update, delete) = (
            Permissions { can_update: true, ..Permissions::default() },
            Permissions { can_delete: true, ..Permissions::default() },
        );
        let both = Permissions { can_update: true, ..delete };
        assert!(!may_undo_it(HistoryAction::Merged, update) && !may_undo_it(HistoryAction::Merged, delete));
        assert!(may_undo_it(HistoryAction::Merged, both) && may_undo_it(HistoryAction::Deleted, delete));
        assert!(may_undo_it(HistoryAction::Updated, update) && !may_undo_it(HistoryAction::Updated, delete));
        assert!(!may_undo_it(HistoryAction::Created, both));
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
    fn an_unknown_answer_to_conflicts_is_rejected() {
        let input = |text: &str| RevertInput { on_conflict: text.into(), dry_run: false };
        assert_eq!(input("").on_conflict(), Some(OnConflict::Refuse));
        let errors = crate::form::errors_as_texts(input("ignore"));
        assert_eq!(errors, ["on_conflict: Use one of: refuse, keep, overwrite."]);
    }
}
