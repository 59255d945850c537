//! The JSON types of bulk actions.

use crate::customers::CustomerFilter;
use crate::lists::{ConditionInput, Operand};
use crate::message::Message;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// What a bulk action does with each record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Update,
    Delete,
}

/// Deserializes the fields that a form does not have: returns the name of the first of them, in alphabetical order.
fn unknown_field<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    Ok(BTreeMap::<String, IgnoredAny>::deserialize(d)?.into_keys().next())
}

forms!(
    /// A bulk action on the records with these `ids`, or on all records that the `query` finds.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    #[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
    pub struct BulkInput {
        /// Ids of records that do not exist are ignored.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ids: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub query: Option<BulkQuery>,
        /// `update` or `delete`.
        pub action: String,
        /// For an update: the new values, by field name. `null` empties the field.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub fields: BTreeMap<String, Option<Operand>>,
        /// If `true`, nothing is changed, and the response says what would happen.
        pub dry_run: bool,
        /// The `digest` of a dry run. If other records match, or one has a new version, the response is 409 and
        /// nothing is changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub expected: Option<String>,
        /// The name of a field that is none of these. Such a request is rejected, because without the field it could
        /// change other records than its client means.
        #[serde(flatten, skip_serializing, deserialize_with = "unknown_field")]
        #[cfg_attr(feature = "schema", schemars(skip))]
        pub unknown: Option<String>,
    }

    /// Selects the records that a list shows with this search and these filters.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    #[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
    pub struct BulkQuery {
        pub search: String,
        pub filter: Vec<ConditionInput>,
        /// Ignored, so that the `query` of a saved view can be sent as it is.
        #[serde(skip_serializing)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub sort: String,
        /// Only for contacts: the id of the import that created them. Empty: no such filter.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub import_batch_id: String,
        /// Only for agreements: the customer with whom they are. Empty: no such filter.
        #[serde(rename = "customer_id", skip_serializing_if = "String::is_empty")]
        pub customer_id: String,
        /// Only for agreements: a vehicle that they have. Empty: no such filter.
        #[serde(rename = "vehicle_id", skip_serializing_if = "String::is_empty")]
        pub vehicle_id: String,
        /// Only for customers: the filters of the panel above the list.
        #[serde(flatten)]
        pub panel: CustomerFilter,
        /// As [`BulkInput::unknown`]. Must come after `panel`, whose fields are unknown before that.
        #[serde(flatten, skip_serializing, deserialize_with = "unknown_field")]
        #[cfg_attr(feature = "schema", schemars(skip))]
        pub unknown: Option<String>,
    }
);

api_types!(
    /// What a bulk action did or, in a dry run, would do.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct BulkResult {
        /// Number of records that were found: the changed, the unchanged and the refused ones.
        pub matched: u64,
        /// The text by which users know the record, if exactly one was found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
        /// Number of changed or deleted records.
        pub changed: u64,
        /// Number of records that have the new values already.
        pub unchanged: u64,
        /// The records that can't be changed. They don't prevent the change of the others.
        pub refused: Vec<Refused>,
        /// A hash of the found records' ids and versions, to detect changes between a dry run and the action. A new
        /// comment on a contact does not change it, nor does the deletion of an invoice's customer.
        pub digest: String,
        /// The id of the action's entry in the history. Absent in a dry run, and if nothing was changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub batch_id: Option<String>,
    }

    /// A record that a bulk action can't change, and why.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Refused {
        pub id: String,
        /// The text by which users know the record, such as a contact's name.
        pub label: String,
        pub message: String,
        /// `message` as a `Message`, with its code.
        #[serde(default)]
        pub messages: Vec<Message>,
    }
);
