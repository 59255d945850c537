//! What a refusal is, on the server, on the wire and in the browser (decisions 4.2).

use crate::{form::FieldError, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A refused call: `{success: false, message, errors: [texts], fields: {name: [texts]}}`.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Always `false`.
    pub success: bool,
    /// The one sentence to show when only one can be shown.
    #[serde(default)]
    pub message: String,
    /// Every sentence, in screen order.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The sentences by field.
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<String>>,
    /// The HTTP status; 0 in the browser when the server was not reached. Not part of the body.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub status: u16,
    /// Why the account is banned, where that is the refusal. Another refusal's data, such as the present record of a stale
    /// update, is passed over.
    #[serde(default, deserialize_with = "ban_or_none", skip_serializing_if = "Option::is_none")]
    pub data: Option<Ban>,
    /// The record as it is by now, as JSON, where an update was based on an older state. In the browser only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<String>,
}

fn ban_or_none<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Ban>, D::Error> {
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

/// Why an account may not sign in (specification section 3, Ban details).
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
    /// A refusal that one sentence tells.
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

    /// A form's broken rules, under the form's own sentence if it has one, else under its first broken rule's.
    pub fn of_fields(message: Option<&str>, errors: &[FieldError]) -> Self {
        let first = errors.first().map_or(text::FORM_INVALID, |e| e.message.as_str());
        let mut problem = Problem::new(message.unwrap_or(first));
        problem.errors = errors.iter().map(|e| e.message.clone()).collect();
        for e in errors {
            problem.fields.entry(e.field.clone()).or_default().push(e.message.clone());
        }
        problem
    }

    pub fn with_status(self, status: u16) -> Self {
        Problem { status, ..self }
    }

    /// Returns the problem with a message: its own, or else its errors, or else the sentences of its fields. It stays
    /// empty if there is no sentence at all.
    pub fn with_message(self) -> Self {
        if !self.message.trim().is_empty() {
            return self;
        }
        let of_fields = || self.fields.values().flatten().cloned().collect();
        let errors: Vec<String> = if self.errors.is_empty() { of_fields() } else { self.errors.clone() };
        let mut message = String::new();
        for sentence in errors.iter().map(|sentence| sentence.trim()).filter(|sentence| !sentence.is_empty()) {
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
    fn a_problem_lists_its_sentences_in_screen_order_and_by_field() {
        let errors = [("b", "B is required"), ("a", "A is required")]
            .map(|(field, message)| FieldError { field: field.into(), message: message.into() });
        let problem = Problem::of_fields(None, &errors);
        assert_eq!(problem.message, "B is required");
        assert_eq!(problem.errors, ["B is required", "A is required"]);
        assert_eq!(problem.fields["a"], ["A is required"]);
    }

    #[test]
    fn what_a_refusal_carries_is_read_if_it_is_a_ban_and_passed_over_otherwise() {
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
    fn shows_the_errors_of_a_refusal_without_a_message() {
        let message = |body: &str| {
            let Ok(problem) = serde_json::from_str::<Problem>(body) else { panic!("{body}") };
            problem.with_message().message
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
    fn the_body_of_a_problem_does_not_repeat_the_status() {
        let body = serde_json::to_string(&Problem::new("No")).unwrap_or_default();
        assert_eq!(body, r#"{"success":false,"message":"No","errors":["No"],"fields":{}}"#);
    }
}
