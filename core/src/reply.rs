//! The envelope of every answer that isn't a refusal (decisions 4.2): `{success, message?, data?}`.

use serde::{Deserialize, Serialize};

/// The most bytes of an answer in JSON, the unpaged list of invoices apart. Exports, reports and files have no such limit.
pub const JSON_MAX: usize = 2_000_000;
/// The most of these bytes that are left for records: the envelope takes the others.
pub const RECORDS_MAX: usize = JSON_MAX - 1_000;

/// An answer with its data.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Reply"))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply<T> {
    /// Always `true`.
    pub success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub data: T,
}

impl<T> Reply<T> {
    pub fn new(data: T) -> Self {
        Reply { success: true, message: None, data }
    }

    pub fn with_message(self, message: impl Into<String>) -> Self {
        Reply { message: Some(message.into()), ..self }
    }
}

/// An answer that is only a sentence.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Always `true`.
    pub success: bool,
    pub message: String,
}

impl Done {
    pub fn new(message: impl Into<String>) -> Self {
        Done { success: true, message: message.into() }
    }
}
