//! What travels about contacts (specification section 3).

use crate::form::{ChangesWebsite, text_or_null};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`; POST on `{PATH}/{id}/comments`, PUT and DELETE on
/// `{PATH}/{id}/comments/{commentId}`, each of which answers with the contact as it is then. GET on `{PATH}/{id}/comments`
/// gives a page of its comments.
pub const PATH: &str = "/api/contacts";
/// Contacts on a page when nothing is said (specification section 9).
pub const PAGE_SIZE: u32 = 10;

/// Comments on a page of them.
pub const COMMENTS_PAGE_SIZE: u32 = 25;

/// A contact in a list. Absent texts are empty; times are RFC 3339 in UTC.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContactSummary {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub email: String,
    pub phone: String,
    pub website: String,
    pub address: String,
    /// The name of the file that the contact was imported from; absent when it was typed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_batch_id: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    /// Counts the contact's changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// A contact with everything that is known of it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    #[serde(flatten)]
    pub summary: ContactSummary,
    pub other_details: BTreeMap<String, String>,
    /// The newest first: at most [`super::NEWEST_COMMENTS`], and at most [`super::NEWEST_COMMENTS_BYTES`] of JSON.
    pub comments: Vec<Comment>,
    /// How many comments the contact has.
    pub comments_total: u64,
}

/// A page of a contact's comments, the newest first.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<Comment>,
    /// How many comments the contact has.
    pub comments_total: u64,
}

/// What somebody said about a contact.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: String,
    /// Whoever wrote it; empty when they are deleted.
    pub user_id: String,
    /// Their name; [`super::text::DELETED_USER`] when they are deleted (decisions 4.9).
    pub user_name: String,
    pub comment: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// Later than `created_at` once it was edited.
    pub updated_at: String,
}

/// A comment as it is filled in.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommentInput {
    #[serde(deserialize_with = "text_or_null")]
    pub comment: String,
}

/// A contact as it is filled in, typed or imported.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ContactInput {
    #[serde(deserialize_with = "text_or_null")]
    pub name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub phone: String,
    #[serde(deserialize_with = "text_or_null")]
    pub website: String,
    #[serde(deserialize_with = "text_or_null")]
    pub address: String,
    pub other_details: BTreeMap<String, String>,
}

/// A contact as it is changed. Other details that are left out stay as they are.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ContactUpdateInput {
    #[serde(deserialize_with = "text_or_null")]
    pub name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub phone: String,
    #[serde(deserialize_with = "text_or_null")]
    pub website: String,
    #[serde(deserialize_with = "text_or_null")]
    pub address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_details: Option<BTreeMap<String, String>>,
    /// The version that the change is based on (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// The `updatedAt` that the change is based on, for whoever keeps no version (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// The website that is stored: unchanged, it is accepted whatever it is. Never read from a body.
    #[serde(skip)]
    pub stored_website: Option<String>,
}

impl ChangesWebsite for ContactUpdateInput {
    fn set_stored_website(&mut self, stored: Option<String>) {
        self.stored_website = stored;
    }
}

/// Which contacts a list asks for; the numbers as [`crate::paging::PageQuery`] reads them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactQuery {
    pub page: u32,
    pub limit: u32,
    pub search: String,
    /// Only those of this import; empty: all.
    #[serde(rename = "importBatchId")]
    pub import_batch_id: String,
}

/// A page of contacts.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<ContactSummary>,
    pub pagination: ContactPagination,
}

/// Where a page of contacts lies in the whole.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContactPagination {
    pub current_page: u32,
    pub total_pages: u32,
    pub total_contacts: u64,
}
