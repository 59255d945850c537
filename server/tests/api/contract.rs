//! Checks the requests that the tests send with [`send`], and their responses, against the OpenAPI document: the status,
//! the headers, the response body, and the body of an accepted request.

use crate::openapi::DOCUMENT;
use forecourt::platform::responses::EVENT_STREAM;
use jsonschema::{Registry, Resource, Validator};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Request, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The address of the OpenAPI document for the references of validators.
const ADDRESS: &str = "urn:document";

/// The OpenAPI document, read once for all validators.
static REGISTRY: LazyLock<Registry<'static>> = LazyLock::new(|| {
    let document = Resource::from_contents(DOCUMENT.clone());
    Registry::new().add(ADDRESS, document).unwrap().prepare().unwrap()
});

/// The compiled validators, by the JSON pointer of their schema.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// A response with its whole body, or without it if it is an event stream, which does not end.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the body as JSON, or as a string if it is not JSON.
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| Value::String(self.text()))
    }
}

/// Sends a request, and checks it and its response against the document.
pub async fn send(request: RequestBuilder) -> Reply {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let target = Target::of(&request);
    let response = client.execute(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let is_endless = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == EVENT_STREAM);
    let bytes = if is_endless { Vec::new() } else { response.bytes().await.unwrap().into() };
    let reply = Reply { status, headers, bytes };
    target.check(&reply);
    reply
}

/// What the OpenAPI document says about a request.
enum Target {
    /// A documented operation: its JSON pointer, and the request body if it is JSON.
    Documented(String, Option<Value>),
    /// An operation that is not in the document.
    Undocumented(String),
    /// Not an API request, or a HEAD request.
    Unchecked,
}

impl Target {
    fn of(request: &Request) -> Self {
        let (path, method) = (request.url().path(), request.method());
        if !path.starts_with("/api/") || method == Method::HEAD {
            return Target::Unchecked;
        }
        let verb = method.as_str().to_lowercase();
        let operation = template(path).map(|template| format!("/paths/{}/{verb}", escape(template)));
        match operation.filter(|operation| DOCUMENT.pointer(operation).is_some()) {
            Some(operation) => {
                let body = request.body().and_then(|body| serde_json::from_slice(body.as_bytes()?).ok());
                Target::Documented(operation, body)
            }
            None => Target::Undocumented(format!("{method} {path}")),
        }
    }

    /// Asserts that the response, and the request body if it was accepted, match the document.
    fn check(self, reply: &Reply) {
        let status = reply.status;
        let (operation, body) = match self {
            Target::Documented(operation, body) => (operation, body),
            Target::Undocumented(what) => {
                return assert!(matches!(status.as_u16(), 404 | 405), "{what} responds with {status}");
            }
            Target::Unchecked => return,
        };
        let response = format!("{operation}/responses/{}", status.as_str());
        assert!(DOCUMENT.pointer(&response).is_some(), "{operation} does not document {status}: {}", reply.text());
        let headers = DOCUMENT.pointer(&format!("{response}/headers")).and_then(Value::as_object);
        for (name, header) in headers.into_iter().flatten() {
            let value = reply.headers.get(name).and_then(|value| value.to_str().ok());
            assert!(value.is_some() || header["required"] != true, "{operation} responds with {status} without {name}");
        }
        let kind = reply.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        match DOCUMENT.pointer(&format!("{response}/content")).and_then(Value::as_object) {
            None => assert!(reply.bytes.is_empty(), "{operation} responds with {status} and {}", reply.text()),
            Some(content) => {
                let fits =
                    |media: &String| media == kind || media.strip_suffix('*').is_some_and(|m| kind.starts_with(m));
                assert!(content.keys().any(fits), "{operation} responds with {status} as {kind:?}");
            }
        }
        if kind == "application/json" {
            let faults =
                validation_errors(&format!("{response}/content/application~1json/schema"), &reply.value(), true);
            assert!(faults.is_empty(), "{operation} responds with {status} and {}: {faults:?}", reply.text());
        }
        if let (true, Some(body)) = (status.is_success(), body) {
            // The schema's formats are not checked: core's rules decide, and accept an email with spaces around it.
            let faults =
                validation_errors(&format!("{operation}/requestBody/content/application~1json/schema"), &body, false);
            assert!(faults.is_empty(), "{operation} accepts {body}: {faults:?}");
        }
    }
}

fn escape(path: &str) -> String {
    path.replace('~', "~0").replace('/', "~1")
}

/// Returns the path of the document that matches a request's path; of several, the one with the fewest parameters.
fn template(path: &str) -> Option<&'static str> {
    let fits = |template: &str| {
        let (mut parts, mut named) = (path.split('/'), template.split('/'));
        parts.clone().count() == named.clone().count()
            && named.all(|name| parts.next().is_some_and(|part| name.starts_with('{') || name == part))
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths.keys().map(String::as_str).filter(|template| fits(template)).min_by_key(|t| t.matches('{').count())
}

/// Validates a value by the schema at this JSON pointer of the document. Returns no errors if there is no schema.
fn validation_errors(pointer: &str, value: &Value, with_formats: bool) -> Vec<String> {
    if DOCUMENT.pointer(pointer).is_none() {
        return Vec::new();
    }
    let known = VALIDATORS.lock().unwrap().get(pointer).cloned();
    // The lock is not held while the schema is compiled, so that an invalid schema fails only one test.
    let validator = known.unwrap_or_else(|| {
        let fragment = pointer.replace('{', "%7B").replace('}', "%7D");
        let options = jsonschema::draft202012::options().with_registry(&REGISTRY);
        let options = options.should_validate_formats(with_formats);
        let made = Arc::new(options.build(&json!({"$ref": format!("{ADDRESS}#{fragment}")})).unwrap());
        VALIDATORS.lock().unwrap().insert(pointer.to_owned(), made.clone());
        made
    });
    validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect()
}
