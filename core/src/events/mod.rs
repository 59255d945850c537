//! The events that the server sends to open pages (server-sent events, docs/product.md 4.24).

use crate::form::{Form, Rules};
use crate::history::{parse_resource, resource_error};
use crate::permissions::ResourceId;
use serde::{Deserialize, Serialize};

api_types!(
    /// The data of an event `changed`: records were changed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LiveChange {
        pub resource: String,
        /// The ids of the changed records, at most 100. Absent if there are more, and for an import.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ids: Option<Vec<String>>,
        /// What was done, as `action` in an entry of the history.
        pub action: String,
        /// The id of the user who made the change. Absent if a job of the program made it, or an administrator of the
        /// platform in another corporation.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub by: Option<String>,
    }
);

forms!(
    /// Reports that the signed-in user begins, continues or (with `editing: false`) stops editing a record in a form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PresenceInput {
        pub resource: String,
        pub id: String,
        pub editing: bool,
        /// Asks the other users who edit the record to announce that at once: the form was just opened, or has missed
        /// events.
        pub asks: bool,
    }
);

api_types!(
    /// The data of an event `presence`: a user begins, continues or (with `editing: false`) stops editing a record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LivePresence {
        pub resource: String,
        pub id: String,
        pub user: Editor,
        pub editing: bool,
        /// Whether an open form of the record is to announce itself at once.
        pub asks: bool,
    }

    /// A user who edits a record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Editor {
        pub id: String,
        pub name: String,
    }
);

impl PresenceInput {
    /// Returns the resource if its forms show who else is editing the same record; otherwise `None`.
    pub fn resource(&self) -> Option<ResourceId> {
        parse_resource(&self.resource)
    }
}

impl Form for PresenceInput {
    fn rules(&self, rules: &mut Rules) {
        rules.require("resource", self.resource().is_some(), resource_error());
    }
}
