//! The JSON types of the trash.

use crate::form::text_or_null;
use serde::{Deserialize, Serialize};

api_types!(
    /// A deleted record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TrashEntry {
        pub resource: String,
        pub id: String,
        /// The text by which users knew the record.
        pub label: String,
        pub deleted_at: String,
        pub deleted_by: DeletedBy,
        /// When it is purged.
        pub purge_at: String,
    }

    /// The user who deleted a record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DeletedBy {
        /// Empty if the account was deleted.
        pub id: String,
        /// The present name, or [`crate::contacts::text::DELETED_USER`] if the account was deleted.
        pub name: String,
    }

    /// A page of the trash, last deleted first.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct TrashList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<TrashEntry>,
        pub total_items: u64,
        pub total_pages: u32,
    }

    /// Records in the trash: those with these ids, or all of a bulk deletion.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct TrashInput {
        #[serde(deserialize_with = "text_or_null")]
        pub resource: String,
        pub ids: Option<Vec<String>>,
        /// The `batch_id` of the response to a bulk deletion.
        pub batch_id: Option<String>,
    }

    /// The number of records that were restored or deleted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TrashCount {
        pub count: u64,
    }
);
