//! Deserialization of requests. Its errors name the field, but never contain a value that was sent, which may be a
//! password.

use super::error::{ApiError, ApiResult};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use forecourt_core::lists::text::{
    A_LIST, A_NUMBER, A_TEXT, AN_AMOUNT, AN_OBJECT, ANY_NUMBER, TRUE_OR_FALSE, a_number_from_zero, wrong_value,
};
use forecourt_core::message::Message;
use forecourt_core::text;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::{Path, Segment};
use std::error::Error;
use std::iter::successors;

type Located<E> = serde_path_to_error::Error<E>;

/// Maximum number of members that [`find_member`] tries one by one. No form has as many.
const MEMBERS_MAX: usize = 100;

/// Deserializes a body, which must be valid JSON.
///
/// # Errors
/// 400 for a value that has the wrong type, and for a body that is not an object: from an array, a form would take its
/// fields by their order.
pub(super) fn deserialize<F: DeserializeOwned>(json: &str) -> ApiResult<F> {
    if !json.starts_with('{') {
        return Err(ApiError::invalid(text::BODY_NOT_AN_OBJECT));
    }
    read(json).map_err(|error: Located<serde_json::Error>| {
        let fits = |body: &Value| read::<F>(&body.to_string()).is_ok();
        let (path, error) = (error.path(), error.inner());
        let position = format!(" at line {} column {}", error.line(), error.column());
        let error = error.to_string();
        let error = error.strip_suffix(&position).unwrap_or(&error);
        field_error(path, error, || find_member(json, path, &fits))
            .unwrap_or_else(|| ApiError::invalid(text::BODY_INVALID))
    })
}

fn read<F: DeserializeOwned>(json: &str) -> Result<F, Located<serde_json::Error>> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(json))
}

/// Returns the error of a body that is not valid JSON or could not be received.
pub(super) fn syntax_error(rejection: &JsonRejection) -> ApiError {
    let located = find_source::<Located<serde_json::Error>>(rejection).map(Located::inner);
    match located.or_else(|| find_source(rejection)) {
        Some(error) => ApiError::invalid(text::body_not_json(error.line() as u64, error.column() as u64)),
        None => ApiError::invalid(text::BODY_INVALID),
    }
}

/// Returns the error of a query string that can't be deserialized.
pub(super) fn query_error(rejection: &QueryRejection) -> ApiError {
    let error = find_source::<Located<serde::de::value::Error>>(rejection);
    error
        .and_then(|error| field_error(error.path(), &error.inner().to_string(), || None))
        .unwrap_or_else(|| ApiError::invalid(text::QUERY_INVALID))
}

fn find_source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
}

/// Returns serde's `error` about the value at `path` as an error of its field; `None` if the path leads to no field.
/// `member` returns the name of a member of the value, if the error is about one.
fn field_error(path: &Path, error: &str, member: impl FnOnce() -> Option<String>) -> Option<ApiError> {
    let name = |segment: &Segment| match segment {
        Segment::Seq { index } => index.to_string(),
        segment => segment.to_string(),
    };
    let mut field: Vec<String> = path.iter().map(name).collect();
    let message = match error.split('`').collect::<Vec<_>>()[..] {
        ["missing field ", name, _] => {
            field.push(name.to_owned());
            text::FIELD_MISSING.clone()
        }
        ["duplicate field ", name, _] => {
            field.push(name.to_owned());
            text::SENT_TWICE.clone()
        }
        _ => {
            field.extend(member());
            type_message(error)
        }
    };
    (!field.is_empty()).then(|| ApiError::for_field(&field.join("."), &message))
}

/// Returns the message for a value that can't be deserialized. `error` is serde's, which ends with what was expected.
fn type_message(error: &str) -> Message {
    // Not the first such words, because the value that was sent may contain them, too.
    let expected = error.rsplit_once(", expected ").map_or("", |(_, expected)| expected);
    let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let expected = match expected {
        _ if error.starts_with("unknown variant ") => return text::choice_error(&names),
        _ if error.starts_with("unknown field ") => return text::member_unknown(&names.join(", ")),
        "a string" => A_TEXT,
        "a boolean" => TRUE_OR_FALSE,
        "i64" => A_NUMBER,
        "u32" => &a_number_from_zero(u32::MAX.into()),
        "f64" => ANY_NUMBER,
        "a sequence" => A_LIST,
        "a map" => AN_OBJECT,
        expected if expected.starts_with("struct ") => AN_OBJECT,
        // The types of core that have their own deserialization.
        expected => match [AN_AMOUNT, A_LIST].into_iter().find(|message| **message == *expected) {
            Some(message) => message,
            None => return text::VALUE_INVALID.clone(),
        },
    };
    wrong_value(expected)
}

/// Returns the name of the member that an error at `path` is about. If the type there has flattened fields, the path of
/// the error ends at the object. `fits` returns whether a body can be deserialized: with an empty object at `path` it
/// can, but not with one that has only this member.
fn find_member(json: &str, path: &Path, fits: &dyn Fn(&Value) -> bool) -> Option<String> {
    let body: Value = serde_json::from_str(json).ok()?;
    let value = path.iter().try_fold(&body, |value, segment| match segment {
        Segment::Map { key } => value.get(key),
        Segment::Seq { index } => value.get(index),
        Segment::Enum { .. } | Segment::Unknown => None,
    })?;
    let fits_there = |object: Value| {
        fits(&path.iter().rev().fold(object, |value, segment| match segment {
            Segment::Map { key } => json!({ key: value }),
            _ => json!([value]),
        }))
    };
    let mut members = value.as_object().filter(|_| fits_there(json!({})))?.iter().take(MEMBERS_MAX);
    members.find(|(name, value)| !fits_there(json!({ *name: value }))).map(|(name, _)| name.clone())
}
