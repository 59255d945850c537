//! The JSON types of the trash.

use crate::message::Message;
use serde::{Deserialize, Serialize};

api_types!(
    /// A deleted record in the trash.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TrashEntry {
        pub resource: String,
        pub id: String,
        /// The text by which users knew the record, such as a contact's name.
        pub label: String,
        pub deleted_at: String,
        pub deleted_by: DeletedBy,
        /// When the record will be purged from the trash, unless it is kept. RFC 3339, UTC.
        pub purge_at: String,
        /// Whether the record is not purged, because a signed, delivered or closed agreement has it.
        pub is_kept: bool,
    }

    /// The user who deleted a record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DeletedBy {
        /// The user's id. Empty if the account was deleted.
        pub id: String,
        /// The user's present name, or a text that stands for a deleted account.
        pub name: String,
        /// `name` as a message with its code, if the account was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name_message: Option<Message>,
    }
);

forms!(
    /// Selects records in the trash: those with these ids, or all of one bulk deletion.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct TrashInput {
        pub resource: String,
        pub ids: Option<Vec<String>>,
        /// The `batch_id` in the response to the bulk deletion.
        pub batch_id: Option<String>,
    }
);

api_types!(
    /// Number of records that were restored from the trash or deleted from it permanently.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TrashCount {
        pub count: u64,
    }
);
