//! The JSON types of the history.

use crate::agreements::Leg;
use crate::lists::Cell;
use crate::money::Money;
use crate::permissions::{Action, ResourceId};
use crate::vehicles::Cost;
use serde::{Deserialize, Serialize};

/// The resources whose records have a history of their own, and a trash.
pub const RESOURCES: [ResourceId; 5] =
    [ResourceId::Contacts, ResourceId::Customers, ResourceId::Invoices, ResourceId::Vehicles, ResourceId::Agreements];

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HistoryAction {
    Created,
    Updated,
    /// A record of a list with a trash was moved there; any other was deleted permanently.
    Deleted,
    Restored,
    /// From the trash.
    Purged,
    Imported,
    Exported,
    SignedIn,
    SignedOut,
    /// An earlier change was undone.
    Reverted,
    /// Records were merged: the entry of the batch, and of the record that was kept.
    Merged,
    /// A merge was undone.
    Unmerged,
    /// The personal data of someone was erased.
    Erased,
}

impl HistoryAction {
    pub const ALL: [HistoryAction; 13] = [
        HistoryAction::Created,
        HistoryAction::Updated,
        HistoryAction::Deleted,
        HistoryAction::Restored,
        HistoryAction::Purged,
        HistoryAction::Imported,
        HistoryAction::Exported,
        HistoryAction::SignedIn,
        HistoryAction::SignedOut,
        HistoryAction::Reverted,
        HistoryAction::Merged,
        HistoryAction::Unmerged,
        HistoryAction::Erased,
    ];

    /// Returns whether an entry with this action leaves the record's values and comments as they are.
    pub fn keeps_values(self) -> bool {
        matches!(self, HistoryAction::Deleted | HistoryAction::Restored)
    }

    /// Returns the action that leads from one state of something to another, of which one may be missing.
    pub fn between<T>(before: Option<&T>, after: Option<&T>) -> Self {
        match (before, after) {
            (None, _) => HistoryAction::Created,
            (_, None) => HistoryAction::Deleted,
            _ => HistoryAction::Updated,
        }
    }

    /// Returns whether it changed records: an open list may show something else now.
    pub fn changes_records(self) -> bool {
        !matches!(self, HistoryAction::Exported | HistoryAction::SignedIn | HistoryAction::SignedOut)
    }

    /// Returns whether it changes what the trash shows: an open one may show something else now.
    pub fn changes_trash(self) -> bool {
        use HistoryAction::{Deleted, Erased, Purged, Restored};
        matches!(self, Deleted | Restored | Purged | Erased)
    }

    /// Returns the action with this name, as `action` has it in the API and in the database.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            HistoryAction::Created => "created",
            HistoryAction::Updated => "updated",
            HistoryAction::Deleted => "deleted",
            HistoryAction::Restored => "restored",
            HistoryAction::Purged => "purged",
            HistoryAction::Imported => "imported",
            HistoryAction::Exported => "exported",
            HistoryAction::SignedIn => "signed_in",
            HistoryAction::SignedOut => "signed_out",
            HistoryAction::Reverted => "reverted",
            HistoryAction::Merged => "merged",
            HistoryAction::Unmerged => "unmerged",
            HistoryAction::Erased => "erased",
        }
    }
}

api_types!(
    /// What was done, and who did it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryEntry {
        pub history_id: String,
        pub at: String,
        pub actor: Actor,
        /// `created`, `updated`, `deleted`, `restored`, `purged` if it was deleted from the trash, `imported`, `exported`,
        /// `signed_in`, `signed_out`, `reverted` if an earlier change was undone, `merged`, `unmerged`, or `erased` if the personal
        /// data of someone was.
        pub action: String,
        /// The resource of the record, `users` for a session.
        pub resource: String,
        /// Empty for a bulk action, an import and an export. The user of a session.
        pub record_id: String,
        /// The text by which users knew the record then, or [`crate::privacy::ERASED`]; for an import the file's name, for an export
        /// its format, for a session the device's name, for an erasure the certificate's id.
        pub label: String,
        /// The changed fields. A creation of a user or a role has the first values. Any other creation has none: they follow from the
        /// present record and the later changes. Empty too for an import, an export, a bulk action, a session, a restored or
        /// purged record, and the deletion of an import or a corporation.
        pub changes: Vec<Change>,
        /// The entry of the bulk action that made this change, if one did.
        pub batch_id: Option<String>,
        /// In a corporation's history, for a bulk action and an import: how many records it changed.
        pub records: Option<u64>,
        /// The permission on the resource that undoing it requires; `null` if it can't be undone, or not by the user.
        pub undo: Option<Action>,
    }

    /// Who made a change.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Actor {
        /// `user`, or `system` for a job of the program, such as the one that purges the trash.
        pub kind: String,
        /// Empty if the account was deleted, for an administrator of the platform, and for the program.
        pub id: String,
        /// The present name, [`crate::contacts::text::DELETED_USER`] if the account was deleted,
        /// [`super::text::PLATFORM_ADMINISTRATOR`] for the platform's administrators in the history of another corporation, or
        /// [`super::text::SYSTEM`].
        pub name: String,
    }

    /// The change of a field. Empty values are `null`, and both values of a secret.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Change {
        /// The name in the record's JSON.
        pub field: String,
        pub before: Option<ChangedValue>,
        pub after: Option<ChangedValue>,
    }

    /// A value of a field, as the record's JSON has it. Whole pounds are read back as a `Number`; their JSON is the same.
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

    /// Stands for a value that was erased with someone's personal data.
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

    /// A record as it was after one of its entries.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PastRecord {
        /// The entry.
        pub history_id: String,
        pub at: String,
        pub resource: String,
        pub record_id: String,
        /// Fields that are empty then and now are left out.
        pub values: Vec<PastValue>,
    }

    /// A field of a record then and now. Empty values are `null`, and both values of a secret.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PastValue {
        /// The name in the record's JSON.
        pub field: String,
        pub value: Option<ChangedValue>,
        /// Of the present record; `null` if it is deleted.
        pub present: Option<ChangedValue>,
        /// Whether it was another value then.
        pub is_changed: bool,
        /// Not of a secret that was changed since.
        pub is_known: bool,
    }

    /// A page of entries, newest first.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct HistoryList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<HistoryEntry>,
        pub total_items: u64,
        pub total_pages: u32,
    }
);

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
