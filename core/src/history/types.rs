//! The JSON types of the history.

use super::text;
use crate::agreements::Leg;
use crate::lists::Cell;
use crate::message::Message;
use crate::money::Money;
use crate::permissions::Action;
use crate::users::author_message;
use crate::users::text::DELETED_USER;
use crate::vehicles::Cost;
use serde::{Deserialize, Serialize};

string_enum! {
    /// What an entry of the history says was done.
    HistoryAction {
        Created = "created",
        Updated = "updated",
        /// A record of a list with a trash was moved there; any other was deleted permanently.
        Deleted = "deleted",
        /// The sign-up of a corporation was declined, which deletes the corporation.
        Declined = "declined",
        Restored = "restored",
        /// A record was deleted from the trash permanently.
        Purged = "purged",
        Imported = "imported",
        Exported = "exported",
        SignedIn = "signed_in",
        SignedOut = "signed_out",
        /// An earlier change was undone.
        Reverted = "reverted",
        /// Records were merged. The entry of the merge itself and that of the kept record have this action.
        Merged = "merged",
        /// A merge was undone, or a merged record was restored from the trash.
        Unmerged = "unmerged",
        /// Someone's personal data was erased.
        Erased = "erased",
    }
}

impl HistoryAction {
    /// Returns whether an entry with this action leaves the record's values and comments as they are.
    pub fn keeps_values(self) -> bool {
        matches!(self, HistoryAction::Deleted | HistoryAction::Restored)
    }

    /// Returns `Created` if there is no state before, `Deleted` if there is none after, otherwise `Updated`.
    pub fn between<T>(before: Option<&T>, after: Option<&T>) -> Self {
        match (before, after) {
            (None, _) => HistoryAction::Created,
            (_, None) => HistoryAction::Deleted,
            _ => HistoryAction::Updated,
        }
    }

    /// Returns whether the action changes records, so that an open list may be out of date.
    pub fn changes_records(self) -> bool {
        !matches!(self, HistoryAction::Exported | HistoryAction::SignedIn | HistoryAction::SignedOut)
    }

    /// Returns whether the action changes what is in the trash, so that an open view of the trash may be out of date.
    pub fn changes_trash(self) -> bool {
        use HistoryAction::{Deleted, Erased, Purged, Restored};
        matches!(self, Deleted | Restored | Purged | Erased)
    }
}

api_types!(
    /// An entry of the history: what was done, when, and by whom.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryEntry {
        pub history_id: String,
        pub at: String,
        pub actor: Actor,
        /// `created`, `updated`, `deleted`, `declined` if a corporation was deleted because its sign-up was declined,
        /// `restored`, `purged` if it was deleted from the trash, `imported`, `exported`, `signed_in`, `signed_out`,
        /// `reverted` if an earlier change was undone, `merged`, `unmerged`, or `erased` if someone's
        /// personal data was erased.
        pub action: String,
        /// The id of the record's resource. For a sign-in or sign-out `users`.
        pub resource: String,
        /// The id of the record. For a sign-in or sign-out the user's id. Empty for an export, and for an entry that
        /// stands for a batch: a bulk action, a merge, an import, or the undoing of one.
        pub record_id: String,
        /// The text by which users knew the record then, or the one that replaces erased texts. For an import the
        /// file's name, for an export its format, for a sign-in or sign-out the device's name, for an erasure the
        /// certificate's id.
        pub label: String,
        /// The changed fields. The creation of a user or a role has its first values here. Any other creation has none,
        /// because its first values follow from the present record and the later changes. Also empty for an import, an
        /// export, a bulk action, a sign-in or sign-out, a restored or purged record, and the deletion of an import or
        /// a corporation.
        pub changes: Vec<Change>,
        /// Whether `changes` is empty only because the page would be too large otherwise:
        /// `GET /api/history/{history_id}` returns the changes. Absent if it is not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub is_shortened: bool,
        /// The id of the batch's entry, if this change is part of a batch.
        pub batch_id: Option<String>,
        /// Number of records that a batch changed, each counted once. `null` in a record's history, and for all other
        /// entries.
        pub records: Option<u64>,
        /// The permission on the resource that undoing this entry requires; `null` if it can't be undone, if this user
        /// may not undo it, if nothing is left to undo, and while `undoing_id` is present. A dry run says what exactly
        /// undoing would do.
        pub undo: Option<Action>,
        /// While this entry is being undone, or the undoing that it records continues: the id of the undoing's own
        /// entry, which has the progress.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub undoing_id: Option<String>,
        /// Whether the record is deleted now: it is in the trash, or was purged. Absent if it is not, or if the entry
        /// is not about one contact, customer, invoice, vehicle or agreement.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub is_deleted: bool,
    }

    /// Who made a change.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Actor {
        /// `user`, or `system` for a job of the program, such as the one that purges the trash.
        pub kind: String,
        /// The user's id. Empty if the account was deleted, for an administrator of the platform without a name, and
        /// for the program.
        pub id: String,
        /// The user's present name, or a text that stands for it: of a deleted account, of the program, and of a
        /// platform administrator in the history of another corporation (platform administrators see the name).
        pub name: String,
        /// `name` as a message with its code, if it stands for a deleted account or a platform administrator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name_message: Option<Message>,
    }

    /// The change of a field. An empty value is `null`. For a secret, both values are `null`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Change {
        /// The field's name in the record's JSON; with `typed.` before it if what is typed in the field changed, while
        /// the field shows another value. For photos of vehicles `photos` (their number) and `photo_order` (no values).
        /// For a user of another corporation, whom a platform administrator has changed, the platform's history has
        /// `user` (the user's name) and, with `user.` before it, each changed field.
        pub field: String,
        pub before: Option<ChangedValue>,
        pub after: Option<ChangedValue>,
    }

    /// A value of a field, as the record's JSON has it.
    // An amount without decimals is deserialized as a `Number`, which is serialized in the same way.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum ChangedValue {
        Flag(bool),
        Number(i64),
        Money(Money),
        Text(String),
        Erased(Erased),
        /// The costs of a vehicle.
        Costs(Vec<Cost>),
        /// The vehicles of an agreement.
        Legs(Vec<Leg>),
    }

    /// Stands for a value that was erased: with someone's personal data, or because the entry is old.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Erased {
        /// Always `true`.
        pub erased: bool,
    }

    /// Who changed a record last, and when.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct LastChange {
        pub at: String,
        pub actor: Actor,
    }

    /// A record's values just after one of its history entries.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PastRecord {
        /// The id of the entry.
        pub history_id: String,
        pub at: String,
        pub resource: String,
        pub record_id: String,
        /// The record's fields, without those that were empty then and are empty now.
        pub values: Vec<PastValue>,
    }

    /// A field's value just after an entry, and its present value. An empty value is `null`. For a secret, both are
    /// `null`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PastValue {
        /// The field's name in the record's JSON.
        pub field: String,
        pub value: Option<ChangedValue>,
        /// The value in the present record; `null` also if the record is deleted.
        pub present: Option<ChangedValue>,
        /// Whether the present value differs from the value then.
        pub is_changed: bool,
        /// `false` for a secret that was changed after the entry: its value then is not known.
        pub is_known: bool,
    }
);

impl Actor {
    /// Returns the user with this id and name; `None` if the account was deleted.
    pub fn user(account: Option<(String, String)>) -> Self {
        let name_message = author_message(account.is_some());
        let (id, name) = account.unwrap_or_else(|| (String::new(), DELETED_USER.to_string()));
        Actor { kind: "user".into(), id, name, name_message }
    }

    /// Returns an administrator of the platform, who has no name for the users of another corporation.
    pub fn platform_administrator() -> Self {
        let name = text::PLATFORM_ADMINISTRATOR;
        Actor { kind: "user".into(), id: String::new(), name: name.to_string(), name_message: Some(name.clone()) }
    }

    /// Returns the program itself.
    pub fn system() -> Self {
        Actor { kind: "system".into(), id: String::new(), name: text::SYSTEM.into(), name_message: None }
    }
}

impl HistoryEntry {
    /// Removes the changes from an entry of a page that is too large.
    pub fn leave_out_changes(&mut self) {
        self.is_shortened = !self.changes.is_empty();
        self.changes.clear();
    }
}

impl ChangedValue {
    pub const ERASED: ChangedValue = ChangedValue::Erased(Erased { erased: true });

    /// Returns the value of a cell; `None` if it is empty.
    pub fn of(cell: Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Empty => None,
            Cell::Flag(flag) => Some(ChangedValue::Flag(flag)),
            Cell::Number(number) => Some(ChangedValue::Number(number)),
            Cell::Money(money) => Some(ChangedValue::Money(money)),
            Cell::Costs([]) | Cell::Legs([]) => None,
            Cell::Costs(costs) => Some(ChangedValue::Costs(costs.to_vec())),
            Cell::Legs(legs) => Some(ChangedValue::Legs(legs.to_vec())),
            Cell::Date(date) => Some(ChangedValue::Text(date.to_string())),
            Cell::Id(text) | Cell::Text(text) | Cell::Choice(text) | Cell::Serial(_, text) | Cell::Time(text) => {
                (!text.is_empty()).then(|| ChangedValue::Text(text.to_owned()))
            }
        }
    }
}
