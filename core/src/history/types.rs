//! The JSON types of the history.

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub const PATH: &str = "/api/history";

pub const ACTIONS: &[&str] = &["created", "updated", "deleted"];
pub const ACTOR_KINDS: &[&str] = &["user", "system"];

api_types!(
    /// A change that somebody made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryEntry {
        pub history_id: String,
        pub at: String,
        pub actor: Actor,
        /// One of [`ACTIONS`].
        pub action: String,
        /// The resource of the record.
        pub resource: String,
        pub record_id: String,
        /// The text by which users knew the record then.
        pub label: String,
        pub changes: Vec<Change>,
        /// The entry of the bulk action that made this change, if one did.
        pub batch_id: Option<String>,
    }

    /// Who made a change.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Actor {
        /// One of [`ACTOR_KINDS`].
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
        #[cfg_attr(feature = "wasm", tsify(type = "string | number | boolean | null"))]
        pub before: Option<Value>,
        #[cfg_attr(feature = "wasm", tsify(type = "string | number | boolean | null"))]
        pub after: Option<Value>,
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
