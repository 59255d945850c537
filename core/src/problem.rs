//! The body of an error response, shared by the server and the browser.

use crate::{form::FieldError, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An error response: `{success: false, message, errors: [texts], fields: {name: [texts]}}`.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Always `false`.
    pub success: bool,
    /// The message to show if there is room for only one.
    #[serde(default)]
    pub message: String,
    /// All messages, in the order of the screen.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The messages by field.
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<String>>,
    /// The HTTP status. 0 in the browser if the server could not be reached. Not part of the body.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub status: u16,
    /// The ban, if the account is banned. Other data in this place, such as the current record of a conflict, is ignored.
    #[serde(default, deserialize_with = "deserialize_ban", skip_serializing_if = "Option::is_none")]
    pub data: Option<Ban>,
    /// The current record as JSON, if an update was based on an outdated version. Only set in the browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<String>,
}

fn deserialize_ban<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Ban>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Data {
        Ban(Ban),
        Other(serde::de::IgnoredAny),
    }
    Ok(match Option::<Data>::deserialize(d)? {
        Some(Data::Ban(ban)) => Some(ban),
        Some(Data::Other(_)) | None => None,
    })
}

fn is_zero(status: &u16) -> bool {
    *status == 0
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

impl Problem {
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Problem {
            success: false,
            errors: vec![message.clone()],
            message,
            fields: BTreeMap::new(),
            status: 0,
            data: None,
            present: None,
        }
    }

    /// Creates a problem from validation errors. Its message is that of the first error.
    pub fn from_field_errors(errors: &[FieldError]) -> Self {
        let mut problem = Problem::new(errors.first().map_or(text::FORM_INVALID, |e| e.message.as_str()));
        problem.errors = errors.iter().map(|e| e.message.clone()).collect();
        for e in errors {
            problem.fields.entry(e.field.clone()).or_default().push(e.message.clone());
        }
        problem
    }

    pub fn with_status(self, status: u16) -> Self {
        Problem { status, ..self }
    }

    /// Fills a blank message from `errors`, or else from `fields`. The message stays empty if both are empty.
    pub fn with_default_message(self) -> Self {
        if !self.message.trim().is_empty() {
            return self;
        }
        let field_messages = || self.fields.values().flatten().cloned().collect();
        let errors: Vec<String> = if self.errors.is_empty() { field_messages() } else { self.errors.clone() };
        let sentences = errors.iter().map(|sentence| sentence.trim()).filter(|sentence| !sentence.is_empty());
        // `join` of the standard library would cost half a kilobyte of the wasm package.
        let mut message = String::new();
        for sentence in sentences {
            if !message.is_empty() {
                message.push_str("; ");
            }
            message.push_str(sentence);
        }
        Problem { message, errors, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_errors_are_listed_in_screen_order_and_by_field() {
        let errors = [("b", "B is required"), ("a", "A is required")]
            .map(|(field, message)| FieldError { field: field.into(), message: message.into() });
        let problem = Problem::from_field_errors(&errors);
        assert_eq!(problem.message, "B is required");
        assert_eq!(problem.errors, ["B is required", "A is required"]);
        assert_eq!(problem.fields["a"], ["A is required"]);
    }

    #[test]
    fn reads_data_only_if_it_is_a_ban() {
        let read = |data: &str| -> Problem {
            let body = format!(r#"{{"success":false,"message":"No","data":{data}}}"#);
            let Ok(problem) = serde_json::from_str(&body) else { panic!("{body}") };
            problem
        };
        assert!(read(r#"{"isBanned":true,"reason":"Fraud","bannedAt":"2026-01-01T00:00:00Z"}"#).data.is_some());
        assert!(read(r#"{"role_id":"r1","version":2}"#).data.is_none());
        assert!(read("null").data.is_none());
    }

    #[test]
    fn fills_a_missing_message_from_errors_or_fields() {
        let message = |body: &str| {
            let Ok(problem) = serde_json::from_str::<Problem>(body) else { panic!("{body}") };
            problem.with_default_message().message
        };
        let errors = r#"{"success":false,"errors":["Name is required","Email is required"]}"#;
        assert_eq!(message(errors), "Name is required; Email is required");
        let fields = r#"{"success":false,"message":" ","fields":{"name":["Name is required"]}}"#;
        assert_eq!(message(fields), "Name is required");
        let own = r#"{"success":false,"message":"No","errors":["Name is required"]}"#;
        assert_eq!(message(own), "No");
        assert_eq!(message(r#"{"success":false,"errors":[" "]}"#), "");
    }

    #[test]
    fn does_not_serialize_a_status_of_zero() {
        let body = serde_json::to_string(&Problem::new("No")).unwrap_or_default();
        assert_eq!(body, r#"{"success":false,"message":"No","errors":["No"],"fields":{}}"#);
    }
}
