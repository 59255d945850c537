//! Holds every call that a test makes against the document of the calls: no status, no header, no answer and no accepted
//! body may be other than it says.

use crate::openapi::DOCUMENT;
use jsonschema::Validator;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Request, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The validators made so far, by where their schema stands in the document.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// What was answered, whole.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// What it says as JSON, or as a text if it is none.
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| Value::String(self.text()))
    }
}

/// Makes a call, and holds it against the document.
pub async fn send(request: RequestBuilder) -> Reply {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let asked = Asked::of(&request);
    let answer = client.execute(request).await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let reply = Reply { status, headers, bytes: answer.bytes().await.unwrap().into() };
    asked.answered(&reply);
    reply
}

/// What is asked for.
enum Asked {
    /// A documented call, by where it stands, with what is sent as JSON.
    Call(String, Option<Value>),
    /// A call that the document doesn't have.
    NoCall(String),
    /// No call at all, or only whether there is one.
    Elsewhere,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let (path, method) = (request.url().path(), request.method());
        if !path.starts_with("/api/") || method == Method::HEAD {
            return Asked::Elsewhere;
        }
        let verb = method.as_str().to_lowercase();
        let call = template(path).map(|template| format!("/paths/{}/{verb}", escaped(template)));
        match call.filter(|call| DOCUMENT.pointer(call).is_some()) {
            Some(call) => {
                let body = request.body().and_then(|body| serde_json::from_slice(body.as_bytes()?).ok());
                Asked::Call(call, body)
            }
            None => Asked::NoCall(format!("{method} {path}")),
        }
    }

    /// The answer and, if it was accepted, what was sent must be as the document says.
    fn answered(self, reply: &Reply) {
        let status = reply.status;
        let (call, body) = match self {
            Asked::Call(call, body) => (call, body),
            Asked::NoCall(what) => return assert!(matches!(status.as_u16(), 404 | 405), "{what} answers {status}"),
            Asked::Elsewhere => return,
        };
        let told = format!("{call}/responses/{}", status.as_str());
        assert!(DOCUMENT.pointer(&told).is_some(), "{call} is not said to answer {status}: {}", reply.text());
        let headers = DOCUMENT.pointer(&format!("{told}/headers")).and_then(Value::as_object);
        for (name, header) in headers.into_iter().flatten() {
            let value = reply.headers.get(name).and_then(|value| value.to_str().ok());
            assert!(value.is_some() || header["required"] != true, "{call} answers {status} without {name}");
        }
        let kind = reply.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        match DOCUMENT.pointer(&format!("{told}/content")).and_then(Value::as_object) {
            None => assert!(reply.bytes.is_empty(), "{call} answers {status} with {}", reply.text()),
            Some(content) => {
                let fits =
                    |media: &String| media == kind || media.strip_suffix('*').is_some_and(|m| kind.starts_with(m));
                assert!(content.keys().any(fits), "{call} answers {status} as {kind:?}");
            }
        }
        if kind == "application/json" {
            let faults = faults(&format!("{told}/content/application~1json/schema"), &reply.value(), true);
            assert!(faults.is_empty(), "{call} answers {status} with {}: {faults:?}", reply.text());
        }
        if let (true, Some(body)) = (status.is_success(), body) {
            // What is sent may be no e-mail yet: it is trimmed, and rules of core's own decide.
            let faults = faults(&format!("{call}/requestBody/content/application~1json/schema"), &body, false);
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
fn faults(pointer: &str, value: &Value, with_formats: bool) -> Vec<String> {
    let Some(schema) = DOCUMENT.pointer(pointer) else { return Vec::new() };
    let known = VALIDATORS.lock().unwrap().get(pointer).cloned();
    // Made without the lock: a schema that is none fails one test, and not all that come after.
    let validator = known.unwrap_or_else(|| {
        let whole = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        let options = jsonschema::draft202012::options().should_validate_formats(with_formats);
        let made = Arc::new(options.build(&whole).unwrap());
        VALIDATORS.lock().unwrap().insert(pointer.to_owned(), made.clone());
        made
    });
    validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect()
}
