//! The JSON types of the history.

use crate::lists::Cell;
use crate::money::Money;
use crate::permissions::ResourceId;
use serde::{Deserialize, Serialize};

/// The resources whose records have a history.
pub const RESOURCES: [ResourceId; 3] = [ResourceId::Contacts, ResourceId::Customers, ResourceId::Invoices];

/// What was done with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryAction {
    Created,
    Updated,
    /// To the trash.
    Deleted,
    Restored,
    /// From the trash.
    Purged,
    Imported,
}

impl HistoryAction {
    pub fn as_str(self) -> &'static str {
        match self {
            HistoryAction::Created => "created",
            HistoryAction::Updated => "updated",
            HistoryAction::Deleted => "deleted",
            HistoryAction::Restored => "restored",
            HistoryAction::Purged => "purged",
            HistoryAction::Imported => "imported",
        }
    }
}

api_types!(
    /// A change of a record, and who made it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryEntry {
        pub history_id: String,
        pub at: String,
        pub actor: Actor,
        /// `created`, `updated`, `deleted`, `restored`, `purged` if it was deleted from the trash, or `imported`.
        pub action: String,
        /// The resource of the record.
        pub resource: String,
        pub record_id: String,
        /// The text by which users knew the record then; for an import the file's name.
        pub label: String,
        /// Empty for a creation and an import: the first values of a record follow from its present ones and the later changes.
        pub changes: Vec<Change>,
        /// The entry of the bulk action that made this change, if one did.
        pub batch_id: Option<String>,
    }

    /// Who made a change.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Actor {
        /// Always `user`.
        pub kind: String,
        /// Empty if the account was deleted.
        pub id: String,
        /// The present name, or [`crate::contacts::text::DELETED_USER`] if the account was deleted.
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

    /// A value of a field, as the record's JSON has it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum ChangedValue {
        Flag(bool),
        Number(i64),
        Money(Money),
        Text(String),
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
    /// Returns the value of a cell; `None` if it is empty.
    pub fn of(cell: Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Empty => None,
            Cell::Flag(flag) => Some(ChangedValue::Flag(flag)),
            Cell::Number(number) => Some(ChangedValue::Number(number)),
            Cell::Money(money) => Some(ChangedValue::Money(money)),
            Cell::Date(date) => Some(ChangedValue::Text(date.to_string())),
            Cell::Id(text) | Cell::Text(text) | Cell::Choice(text) | Cell::Serial(_, text) | Cell::Time(text) => {
                (!text.is_empty()).then(|| ChangedValue::Text(text.to_owned()))
            }
        }
    }
}
