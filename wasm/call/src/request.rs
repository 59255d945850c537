//! A client for the server's API. A request has a JSON body, a form or no body; a response is JSON or a file; an
//! unsuccessful response is a `Problem`.
//!
//! **Invariant:** `send` never repeats a request. After a network failure it is unknown whether the server processed it,
//! so the user decides whether to repeat it.

use crate::{BindingError, Problem, read_value, set};
use forecourt_core::text;
use gloo_net::http::{Headers, Method, Request, RequestBuilder};
use js_sys::{Array, Intl, JSON, Object, Reflect};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Blob, FormData};

/// The timeout of a request in milliseconds. Uploads have none.
const TIMEOUT_MS: u32 = 30_000;

/// A request that is being built.
pub struct ApiRequest {
    method: Method,
    url: String,
    query: Vec<(Cow<'static, str>, String)>,
    body: Body,
    timeout_ms: u32,
    /// The caller's signal, which aborts the request when the response is no longer needed.
    signal: Option<AbortSignal>,
    is_file: bool,
    key: Option<String>,
}

enum Body {
    None,
    Json(JsValue),
    Form(FormData),
}

/// A response: a parsed JSON value of unknown shape, or a file.
pub struct ApiResponse {
    status: u16,
    headers: Headers,
    body: JsValue,
}

impl ApiResponse {
    /// Deserializes the response body.
    ///
    /// # Errors
    /// The response has another shape, because a proxy wrote it, for example, and not our server.
    pub fn parse<T: DeserializeOwned>(self) -> Result<T, Problem> {
        let unexpected = self.unexpected();
        read_value(self.body).map_err(|_| unexpected)
    }

    /// Returns the response body unchanged. The server serializes the same type of core that the bindings declare, so
    /// the body isn't deserialized and serialized again.
    ///
    /// # Errors
    /// The response was not written by our server, but by a proxy, for example.
    pub fn into_body(self) -> Result<JsValue, Problem> {
        self.check_success()?;
        Ok(self.body)
    }

    /// As [`ApiResponse::into_body`], but returns the property `data`: an object or a list.
    pub fn into_data(self) -> Result<JsValue, Problem> {
        self.into_property("data")
    }

    /// As [`ApiResponse::into_body`], but returns the property `name`: an object or a list.
    pub fn into_property(self, name: &str) -> Result<JsValue, Problem> {
        self.check_success()?;
        Reflect::get(&self.body, &name.into()).ok().filter(JsValue::is_object).ok_or_else(|| self.unexpected())
    }

    /// Returns the response body, which must be an array.
    pub fn into_array(self) -> Result<Array, Problem> {
        if self.body.is_array() { Ok(self.body.unchecked_into()) } else { Err(self.unexpected()) }
    }

    /// Returns the file of a response to [`ApiRequest::get_file`]. Its bytes stay in the browser's memory.
    ///
    /// # Errors
    /// The response is not a file.
    pub fn into_file(self) -> Result<Blob, Problem> {
        let unexpected = self.unexpected();
        self.body.dyn_into().map_err(|_| unexpected)
    }

    /// Returns the message of a response. Its code is empty if another version of the server sent only the text.
    pub fn into_message(self) -> Result<JsValue, Problem> {
        self.check_success()?;
        let get = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap_or_default();
        let message = Reflect::get_u32(&get(&self.body, "messages"), 0).unwrap_or_default();
        if message.is_object() {
            return Ok(message);
        }
        let message = Object::new();
        set(&message, "code", &"".into());
        set(&message, "text", &get(&self.body, "message"));
        Ok(message.into())
    }

    fn check_success(&self) -> Result<(), Problem> {
        let success = Reflect::get(&self.body, &"success".into());
        if success.is_ok_and(|success| success == JsValue::TRUE) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Problem {
        Problem::new(text::UNEXPECTED).with_status(self.status)
    }

    /// Returns a header of the response.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name)
    }
}

impl ApiRequest {
    fn new(method: Method, url: &str, body: Body) -> Self {
        ApiRequest {
            method,
            url: url.to_owned(),
            query: Vec::new(),
            body,
            timeout_ms: TIMEOUT_MS,
            signal: None,
            is_file: false,
            key: None,
        }
    }

    pub fn get(url: &str) -> Self {
        ApiRequest::new(Method::GET, url, Body::None)
    }

    /// Creates a GET request for a file; see [`ApiResponse::into_file`].
    pub fn get_file(url: &str) -> Self {
        ApiRequest { is_file: true, ..ApiRequest::get(url) }
    }

    /// Creates a POST request with a JSON body.
    pub fn post(url: &str, body: impl Into<JsValue>) -> Self {
        ApiRequest::new(Method::POST, url, Body::Json(body.into()))
    }

    /// Creates a PUT request with a JSON body.
    pub fn put(url: &str, body: impl Into<JsValue>) -> Self {
        ApiRequest::new(Method::PUT, url, Body::Json(body.into()))
    }

    pub fn delete(url: &str) -> Self {
        ApiRequest::new(Method::DELETE, url, Body::None)
    }

    /// Creates a DELETE request with a JSON body.
    pub fn delete_with_body(url: &str, body: impl Into<JsValue>) -> Self {
        ApiRequest::new(Method::DELETE, url, Body::Json(body.into()))
    }

    /// Creates a POST request without a body.
    pub fn post_empty(url: &str) -> Self {
        ApiRequest::new(Method::POST, url, Body::None)
    }

    /// Creates a POST request with a form. The contents of its files are never copied to wasm memory.
    pub fn upload(url: &str, form: FormData) -> Self {
        ApiRequest::new(Method::POST, url, Body::Form(form))
    }

    /// As [`ApiRequest::upload`], with PUT.
    pub fn upload_with_put(url: &str, form: FormData) -> Self {
        ApiRequest::new(Method::PUT, url, Body::Form(form))
    }

    /// Sets the timeout in milliseconds.
    pub fn timeout_ms(self, timeout_ms: u32) -> Self {
        ApiRequest { timeout_ms, ..self }
    }

    /// Aborts the request when `signal` is aborted. An upload ignores it.
    pub fn abort_on(self, signal: Option<AbortSignal>) -> Self {
        ApiRequest { signal, ..self }
    }

    /// Sets the header `Idempotency-Key`, by which the server recognizes a request that the user repeats.
    pub fn key(self, key: String) -> Self {
        ApiRequest { key: Some(key), ..self }
    }

    /// Returns true if the caller aborted the request. In that case, the missing response does not mean a network
    /// failure.
    pub fn is_aborted(&self) -> bool {
        self.signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    /// Appends `/` and a path segment to the URL; percent-encodes the segment.
    pub fn segment(mut self, segment: &str) -> Self {
        self.url.push('/');
        self.url.push_str(&String::from(js_sys::encode_uri_component(segment)));
        self
    }

    pub fn query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name.into(), value.to_owned()));
        self
    }

    /// Adds the query parameters for a page of a list: its number, and the number of items per page.
    pub fn page(self, page: u32, limit: u32) -> Self {
        self.query("page", &page.to_string()).query("limit", &limit.to_string())
    }

    /// Adds each property of an object as a query parameter, unless its value is falsy, such as undefined, null, an
    /// empty text, 0 or false.
    pub fn parameters(mut self, parameters: &Object) -> Self {
        for entry in Object::entries(parameters) {
            let entry: Array = entry.unchecked_into();
            let [name, value] = [entry.get(0), entry.get(1)];
            // An optional parameter may be undefined.
            if value.is_truthy() {
                // JavaScript converts the value to text, because Rust's code that formats numbers takes 4 kB.
                self.query.push((text_of(name).into(), text_of(value)));
            }
        }
        self
    }

    /// Sends the request, with a bearer token if there is one.
    ///
    /// # Errors
    /// The server's error response; a problem with status 0 if no complete response arrived; an invalid argument if the
    /// body can't be serialized as JSON.
    pub async fn send(&self, token: Option<&str>) -> Result<ApiResponse, BindingError> {
        let response = self.build_request(token)?.map_err(no_connection)?.send().await.map_err(no_connection)?;
        let (status, headers, ok) = (response.status(), response.headers(), response.ok());
        if ok && self.is_file {
            let blob = web_sys::Response::from(response).blob().map_err(no_connection)?;
            let body = JsFuture::from(blob).await.map_err(no_connection)?;
            return Ok(ApiResponse { status, headers, body });
        }
        let body = response.text().await.map_err(no_connection)?;
        let response = ApiResponse { status, headers, body: JSON::parse(&body).unwrap_or_default() };
        if ok { Ok(response) } else { Err(Problem::from_response(status, &response.body).into()) }
    }

    fn build_request(&self, token: Option<&str>) -> Result<Result<Request, gloo_net::Error>, BindingError> {
        let query = self.query.iter().map(|(name, value)| (name.as_ref(), value.as_str()));
        let mut request = RequestBuilder::new(&self.url)
            .method(self.method.clone())
            .query(query)
            .header("Accept", if self.is_file { "*/*" } else { "application/json" });
        if let Some(token) = token {
            request = request.header("Authorization", &format!("Bearer {token}"));
            // The server determines the current day by it.
            if let Some(time_zone) = time_zone() {
                request = request.header("Time-Zone", &time_zone);
            }
        }
        if let Some(key) = &self.key {
            request = request.header("Idempotency-Key", key);
        }
        if !matches!(self.body, Body::Form(_)) {
            let timeout = AbortSignal::timeout_with_u32(self.timeout_ms);
            let signal = match &self.signal {
                Some(signal) => AbortSignal::any(&Array::of2(signal, &timeout)),
                None => timeout,
            };
            request = request.abort_signal(Some(&signal));
        }
        Ok(match &self.body {
            Body::None => request.build(),
            Body::Json(value) => {
                let json = JSON::stringify(value)
                    .map_err(|_| BindingError::InvalidArgument("This value can't be converted to JSON".to_owned()))?;
                request.header("Content-Type", "application/json").body(json)
            }
            // The browser sets the content type itself, because it includes the multipart boundary.
            Body::Form(form) => request.body(form),
        })
    }
}

/// Returns the name of the browser's time zone, such as `Europe/Stockholm`, for the header `Time-Zone`.
pub fn time_zone() -> Option<String> {
    let options = Intl::DateTimeFormat::new(&Array::new(), &Object::new()).resolved_options();
    Reflect::get(&options, &"timeZone".into()).ok()?.as_string()
}

/// Converts a JavaScript value, such as a text or a number, to text as JavaScript does.
fn text_of(value: JsValue) -> String {
    Object::from(value).to_string().into()
}

fn no_connection<E>(_: E) -> Problem {
    Problem::new(text::NO_CONNECTION)
}
