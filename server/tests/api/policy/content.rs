//! The body or the query of a test's request.

use reqwest::RequestBuilder;
use reqwest::multipart::{Form, Part};
use serde_json::Value;

/// The body of a request, or its query.
#[derive(Clone)]
pub enum Content {
    Empty,
    /// Parameters in the query of the URL.
    Query(Vec<(&'static str, String)>),
    Json(Value),
    Form(Vec<(&'static str, String)>),
    /// A multipart form with a file. The members are the file's field, name and bytes, and the other fields.
    File(&'static str, &'static str, Vec<u8>, Vec<(&'static str, String)>),
}

impl Content {
    /// Replaces the value at a JSON pointer. Panics if the body or query has no such value.
    pub fn set(&mut self, pointer: &str, value: &str) {
        match self {
            Content::Json(body) => *body.pointer_mut(pointer).unwrap() = value.into(),
            Content::Form(fields) | Content::Query(fields) => {
                fields.iter_mut().find(|(name, _)| pointer[1..] == **name).unwrap().1 = value.to_owned();
            }
            _ => panic!("no field is named {pointer}"),
        }
    }

    /// Returns the values of the secret fields (passwords, tokens, codes …), which must not appear in a history.
    pub fn secrets(&self) -> Vec<String> {
        let is_secret = |name: &str| {
            let name = name.to_lowercase();
            ["password", "token", "otp", "socialsecurity"].iter().any(|part| name.contains(part))
        };
        let mut secrets = Vec::new();
        let mut add =
            |name: &str, value: &str| secrets.extend((is_secret(name) && !value.is_empty()).then(|| value.to_owned()));
        match self {
            Content::Json(Value::Object(body)) => {
                let values = body.values().filter_map(Value::as_object).flatten().chain(body);
                values.for_each(|(name, value)| add(name, value.as_str().unwrap_or_default()));
            }
            Content::Form(fields) => fields.iter().for_each(|(name, value)| add(name, value)),
            _ => {}
        }
        secrets
    }

    /// Returns whether the body has named fields, so that undocumented ones can be added.
    pub fn has_named_fields(&self) -> bool {
        matches!(self, Content::Json(_) | Content::Form(_))
    }

    /// Adds a field, unless the body already has it.
    pub fn add(&mut self, name: &'static str, value: &str) {
        match self {
            Content::Json(body) => {
                body.as_object_mut().unwrap().entry(name).or_insert_with(|| value.into());
            }
            Content::Form(fields) if fields.iter().all(|(known, _)| *known != name) => {
                fields.push((name, value.to_owned()));
            }
            _ => {}
        }
    }

    /// Adds the content to a request, as its body or its query.
    pub fn put_into(self, request: RequestBuilder) -> RequestBuilder {
        let texts = |form: Form, texts: Vec<(&'static str, String)>| {
            texts.into_iter().fold(form, |form, (name, text)| form.text(name, text))
        };
        match self {
            Content::Empty => request,
            Content::Query(parameters) => request.query(&parameters),
            Content::Json(body) => request.json(&body),
            Content::Form(fields) => request.multipart(texts(Form::new(), fields)),
            Content::File(field, name, bytes, fields) => {
                request.multipart(texts(Form::new(), fields).part(field, Part::bytes(bytes).file_name(name)))
            }
        }
    }
}
