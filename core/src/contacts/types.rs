//! The JSON types of contacts.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`; GET (a page) and POST on `{PATH}/{id}/comments`; PUT
/// and DELETE on `{PATH}/{id}/comments/{commentId}`. Changes of comments return the updated contact.
pub const PATH: &str = "/api/contacts";
/// Default number of contacts per page.
pub const PAGE_SIZE: u32 = 10;

pub const COMMENTS_PAGE_SIZE: u32 = 25;

api_types!(
    /// A contact in a list. Missing texts are empty; times are RFC 3339 in UTC.
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
        /// Name of the imported file. Absent if the contact was not imported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub import_source: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub imported_at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub import_batch_id: Option<String>,
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }

    /// A contact with its other details and newest comments.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    #[serde(rename_all = "camelCase")]
    pub struct Contact {
        #[serde(flatten)]
        pub summary: ContactSummary,
        pub other_details: BTreeMap<String, String>,
        /// The newest comments, newest first; not all if they are many or long.
        /// `GET /api/contacts/{id}/comments` returns all.
        pub comments: Vec<Comment>,
        /// Number of all comments of the contact.
        pub comments_total: u64,
    }

    /// A page of a contact's comments, newest first.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CommentList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<Comment>,
        /// Number of all comments of the contact.
        pub comments_total: u64,
    }

    /// A comment on a contact.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Comment {
        #[serde(rename = "_id")]
        pub id: String,
        /// Id of the author; empty if the account was deleted.
        pub user_id: String,
        /// Name of the author, or a text that stands for a deleted account.
        pub user_name: String,
        /// `userName` as a message with its code, if the account was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub user_name_message: Option<Message>,
        pub comment: String,
        /// RFC 3339, UTC.
        pub created_at: String,
        /// RFC 3339, UTC. Later than `createdAt` if the comment was edited.
        pub updated_at: String,
    }
);

forms!(
    /// The comment form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct CommentInput {
        pub comment: String,
    }

    /// A new contact, from the form or from an import.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    #[serde(default, rename_all = "camelCase")]
    pub struct ContactInput {
        pub name: String,
        pub email: String,
        pub phone: String,
        pub website: String,
        pub address: Lines,
        pub other_details: BTreeMap<String, String>,
    }

    /// An update of a contact. Without `otherDetails` the stored other details stay unchanged; otherwise all of them
    /// are replaced by those sent.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    #[serde(default, rename_all = "camelCase")]
    pub struct ContactUpdateInput {
        pub name: String,
        pub email: String,
        pub phone: String,
        pub website: String,
        pub address: Lines,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub other_details: Option<BTreeMap<String, String>>,
        ..Base,
    }
);

api_types!(
    /// A page of contacts.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ContactList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<ContactSummary>,
        pub pagination: ContactPagination,
    }

    /// The number of this page, and the numbers of all pages and contacts that the query matches.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ContactPagination {
        pub current_page: u32,
        pub total_pages: u32,
        pub total_contacts: u64,
    }
);
