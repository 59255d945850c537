//! The JSON types of bulk actions.

use crate::customers::CustomerFilter;
use crate::form::text_or_null;
use crate::lists::{ConditionInput, Operand};
use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is done with each record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Update,
    Delete,
}

api_types!(
    /// A bulk action on the records with these ids, or on all records that a query finds.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    pub struct BulkInput {
        /// Ids without a record are ignored.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ids: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub query: Option<BulkQuery>,
        /// `update` or `delete`.
        #[serde(deserialize_with = "text_or_null")]
        pub action: String,
        /// The new values of an update, by the names of the fields.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub fields: BTreeMap<String, Option<Operand>>,
        /// Whether only to report what would happen.
        pub dry_run: bool,
        /// The `digest` of a dry run: if other records match or one has a new version since then, the response is 409 and nothing
        /// happens.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub expected: Option<String>,
    }

    /// Which records a list shows, with the filters of the list's own screen.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct BulkQuery {
        #[serde(deserialize_with = "text_or_null")]
        pub search: String,
        pub filter: Vec<ConditionInput>,
        /// Contacts: the import that created them.
        #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
        pub import_batch_id: String,
        /// Customers: the filter panel.
        #[serde(flatten)]
        pub panel: CustomerFilter,
    }

    /// What a bulk action did, or would do.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct BulkResult {
        /// Number of records that were found: the changed, the unchanged and the refused ones.
        pub matched: u64,
        /// Number of changed or deleted records.
        pub changed: u64,
        /// Number of records that have the new values already.
        pub unchanged: u64,
        /// The records that can't be changed. The others are.
        pub refused: Vec<Refused>,
        /// Changes when other records match, or one of them gets a new version. A comment, or the deletion of an invoice's customer,
        /// makes none.
        pub digest: String,
        /// The entry in the history. Missing in a dry run, and if nothing was changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub batch_id: Option<String>,
    }

    /// A record that can't be changed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Refused {
        pub id: String,
        /// The record's name.
        pub label: String,
        pub message: String,
        /// The message with its code.
        #[serde(default)]
        pub messages: Vec<Message>,
    }
);
