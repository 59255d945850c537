//! The errors of requests, and the body of their responses.

use crate::message::{Message, Parameters};
use crate::{form::FieldError, text};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The error of a request, with its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The message to show where there is room for only one.
    pub message: Message,
    /// All messages, in the order of the fields on the screen.
    pub messages: Vec<FieldMessage>,
    /// The ban, if the account is banned.
    pub data: Option<Ban>,
}

/// The body of an error response.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Problem"))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemBody {
    /// Always `false`.
    pub success: bool,
    /// The English text to show where there is room for only one.
    pub message: String,
    /// The English texts of all messages, in the order of the fields on the screen.
    pub errors: Vec<String>,
    /// The English texts by the name of the field that they belong to.
    pub fields: BTreeMap<String, Vec<String>>,
    /// The messages of `errors` in the same order, each with its code and the field that it belongs to.
    pub messages: Vec<FieldMessage>,
    /// The ban, if the account is banned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Ban>,
}

/// A `Message` and the field that it belongs to.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldMessage {
    /// Absent if the message belongs to no field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    pub code: Cow<'static, str>,
    #[serde(skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
    pub text: Cow<'static, str>,
}

/// Why and since when an account is banned.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ban {
    pub is_banned: bool,
    pub reason: String,
    /// RFC 3339, UTC.
    pub banned_at: String,
}

impl From<Message> for FieldMessage {
    fn from(Message { code, parameters, text }: Message) -> Self {
        FieldMessage { field: None, code, parameters, text }
    }
}

impl From<FieldError> for FieldMessage {
    fn from(error: FieldError) -> Self {
        FieldMessage { field: Some(error.field), ..error.message.into() }
    }
}

impl Problem {
    pub fn new(message: impl Into<Message>) -> Self {
        let message = message.into();
        Problem { messages: vec![message.clone().into()], message, data: None }
    }

    /// Creates a problem from validation errors. Its message is that of the first error, or [`text::FORM_INVALID`] if
    /// there is none.
    pub fn from_field_errors(errors: Vec<FieldError>) -> Self {
        let message = errors.first().map_or(text::FORM_INVALID, |e| &e.message).clone();
        Problem { message, messages: errors.into_iter().map(FieldMessage::from).collect(), data: None }
    }
}

impl From<Problem> for ProblemBody {
    fn from(Problem { message, messages, data }: Problem) -> Self {
        let mut fields = BTreeMap::<String, Vec<String>>::new();
        for message in &messages {
            if let Some(field) = &message.field {
                fields.entry(field.clone()).or_default().push(message.text.clone().into_owned());
            }
        }
        let errors = messages.iter().map(|message| message.text.clone().into_owned()).collect();
        ProblemBody { success: false, message: message.into(), errors, fields, messages, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &Message = &Message::new("a", "A is required");
    const B: &Message = &Message::new("b", "B is required");

    #[test]
    fn the_body_has_the_english_texts_and_the_codes() {
        let errors =
            [("b", B), ("a", A)].map(|(field, message)| FieldError { field: field.into(), message: message.into() });
        let problem = Problem::from_field_errors(errors.into());
        let body = serde_json::to_string(&ProblemBody::from(problem)).unwrap_or_default();
        assert_eq!(
            body,
            r#"{"success":false,"message":"B is required","errors":["B is required","A is required"],"fields":{"a":["A is required"],"b":["B is required"]},"messages":[{"field":"b","code":"b","text":"B is required"},{"field":"a","code":"a","text":"A is required"}]}"#
        );
    }
}
