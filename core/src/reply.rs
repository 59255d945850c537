//! The envelope of successful responses: `{success, message?, messages?, data?}`.

use crate::message::Message;
use serde::{Deserialize, Serialize};

/// Maximum size of the JSON response to a GET request, in bytes. Only the unpaged list of invoices may be larger.
pub const JSON_MAX: usize = 2_000_000;
/// Maximum size of the records in a JSON response, in bytes. The remaining bytes are for the rest of the response.
pub const RECORDS_MAX: usize = JSON_MAX - 1_000;

/// A response with data.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Reply"))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply<T> {
    /// Always `true`.
    pub success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// `message` as a `Message`, with its code; empty without a message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    pub data: T,
}

impl<T> Reply<T> {
    pub fn new(data: T) -> Self {
        Reply { success: true, message: None, messages: Vec::new(), data }
    }

    pub fn with_message(self, message: &Message) -> Self {
        Reply { message: Some(message.as_str().to_owned()), messages: vec![message.clone()], ..self }
    }
}

/// A response with only a message.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Always `true`.
    pub success: bool,
    pub message: String,
    /// `message` as a `Message`, with its code.
    #[serde(default)]
    pub messages: Vec<Message>,
}

impl Done {
    pub fn new(message: &Message) -> Self {
        Done { success: true, message: message.as_str().to_owned(), messages: vec![message.clone()] }
    }
}
