//! Holds every call that a test makes against the document of the calls: no status, no answer and no accepted body may
//! be other than it says.

use forecourt::openapi::DOCUMENT;
use jsonschema::Validator;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Request, StatusCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The validators made so far, by where their schema stands in the document.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// A documented call that is being made.
pub struct Asked(Option<(String, Option<Value>)>);

impl Asked {
    /// What the document says of this request, if it is of a call.
    pub fn of(request: &Request) -> Self {
        let Some(template) = template(request.url().path()) else { return Asked(None) };
        let verb = request.method().as_str().to_lowercase();
        let pointer = format!("/paths/{}/{verb}", escaped(template));
        let body = request.body().and_then(|body| serde_json::from_slice(body.as_bytes()?).ok());
        Asked(DOCUMENT.pointer(&pointer).map(|_| (pointer, body)))
    }

    /// The answer and, if it was accepted, the request must be as the document says.
    pub fn answered(self, status: StatusCode, headers: &HeaderMap, answer: &Value) {
        let Some((call, body)) = self.0 else { return };
        let told = format!("{call}/responses/{}", status.as_str());
        assert!(DOCUMENT.pointer(&told).is_some(), "{call} is not said to answer {status}: {answer}");
        let content = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if content.starts_with("application/json") {
            let faults = faults(&format!("{told}/content/application~1json/schema"), answer);
            assert!(faults.is_empty(), "{call} answers {status} with {answer}: {faults:?}");
        }
        if let (true, Some(body)) = (status.is_success(), body) {
            let faults = faults(&format!("{call}/requestBody/content/application~1json/schema"), &body);
            assert!(faults.is_empty(), "{call} takes {body}: {faults:?}");
        }
    }
}

fn escaped(path: &str) -> String {
    path.replace('~', "~0").replace('/', "~1")
}

/// The documented path that this one is of: of two, the one with fewer ids.
fn template(path: &str) -> Option<&'static str> {
    let fits = |template: &str| {
        let (mut parts, mut named) = (path.split('/'), template.split('/'));
        parts.clone().count() == named.clone().count()
            && named.all(|name| parts.next().is_some_and(|part| name.starts_with('{') || name == part))
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths.keys().map(String::as_str).filter(|template| fits(template)).min_by_key(|t| t.matches('{').count())
}

/// What of the value isn't as the schema says that stands there; nothing where there is none.
fn faults(pointer: &str, value: &Value) -> Vec<String> {
    let Some(schema) = DOCUMENT.pointer(pointer) else { return Vec::new() };
    let make = || {
        let whole = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        Arc::new(jsonschema::draft202012::new(&whole).unwrap())
    };
    let validator = VALIDATORS.lock().unwrap().entry(pointer.to_owned()).or_insert_with(make).clone();
    validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect()
}
