//! The JSON types of duplicates and merging.

use crate::history::ChangedValue;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

api_types!(
    /// Why records may be the same, from the strongest reason to the weakest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DuplicateReason {
        /// The same organization number of a company, however it is written.
        OrganizationNumber,
        /// The same e-mail address.
        Email,
        /// The same phone number, however it is written.
        Phone,
        /// The same words as name, in any order, and the same postal code.
        NameAndPostalCode,
        /// The names have the same words except one, which becomes equal if at most one letter (not the first) is left
        /// out of each: a replaced, extra, missing or moved letter. The postal code is the same or, without one, the
        /// address.
        SimilarName,
    }
);

forms!(
    /// A request to merge records.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    pub struct MergeInput {
        /// The id of the record that is kept.
        pub keep: String,
        /// The ids of the other records, which go to the trash.
        pub ids: Vec<String>,
        /// The new values of the kept record, by field name. Its other fields stay unchanged.
        pub fields: BTreeMap<String, Option<ChangedValue>>,
        /// The versions on which the merge is based, by record id. If a record has another version, the response
        /// is 409.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub versions: BTreeMap<String, i64>,
        /// If `true`, nothing is changed, and the response says what would happen.
        pub dry_run: bool,
    }
);

api_types!(
    /// How much a merge moves from the other records to the kept one.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Moved {
        /// Number of comments.
        pub comments: u64,
        /// Number of other records that are linked to the kept record instead, such as the invoices of a customer.
        pub links: u64,
        /// Number of entries of the contacts' field `otherDetails`; 0 for other records.
        pub details: u64,
    }
);

/// A group of records that may be the same.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Duplicates"))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duplicates<T> {
    /// The strongest of the `reasons`.
    pub reason: DuplicateReason,
    pub reasons: Vec<DuplicateReason>,
    /// The newest records of the group, newest first; not all if they are many.
    pub records: Vec<T>,
    /// Number of all records of the group, including those that are not in `records`.
    pub count: u64,
}

/// The response to a merge.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Merged"))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merged<T> {
    /// Always `true`.
    pub success: bool,
    pub message: String,
    /// `message` as a `Message`, with its code.
    pub messages: Vec<Message>,
    /// The kept record after the merge, as lists show it.
    pub data: T,
    pub moved: Moved,
    /// The id of the merge's entry in the history. Absent in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
}
