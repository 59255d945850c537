//! What the server sends to browsers at once, by server-sent events (docs/product.md 4.24).

pub mod text;

use crate::form::{Form, Rules, text_or_null};
use crate::history::parse_resource;
use crate::permissions::{Access, Action, ResourceId, may};
use serde::{Deserialize, Serialize};

api_types!(
    /// The data of an event `changed`: records were changed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LiveChange {
        pub resource: String,
        /// The records, at most 100. Absent if there are more, and for an import.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ids: Option<Vec<String>>,
        /// As in the history.
        pub action: String,
        /// The id of the user who made the change. Absent for a job, and for an administrator of the platform in another
        /// corporation.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub by: Option<String>,
    }

    /// Whether the user has a form open that changes a record.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PresenceInput {
        #[serde(deserialize_with = "text_or_null")]
        pub resource: String,
        #[serde(deserialize_with = "text_or_null")]
        pub id: String,
        pub editing: bool,
    }

    /// The data of an event `presence`: a user begins or continues to edit a record, or has ended.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LivePresence {
        pub resource: String,
        pub id: String,
        pub user: Editor,
        pub editing: bool,
    }

    /// A user who edits a record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Editor {
        pub id: String,
        pub name: String,
    }
);

impl PresenceInput {
    /// Returns the resource, if its records are edited in forms that show who else does.
    pub fn resource(&self) -> Option<ResourceId> {
        parse_resource(&self.resource)
    }
}

impl Form for PresenceInput {
    fn rules(&self, rules: &mut Rules) {
        rules.require("resource", self.resource().is_some(), text::RESOURCE_INVALID);
    }
}

/// Returns whether a user gets the changes of a resource.
pub fn may_see(access: &Access, resource: ResourceId) -> bool {
    may(access, resource, Action::Read)
}
