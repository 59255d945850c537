//! A client for the server's API. A request has a JSON body, a form or no body; a response is JSON or a file; an
//! unsuccessful response is a `Problem`.
//!
//! **Invariant:** a request is sent once. After a network failure it is unknown whether the server processed it, so
//! the user decides whether to repeat it.

use crate::{Failure, read_value};
use forecourt_core::{problem::Problem, text};
use gloo_net::http::{Headers, Method, Request, RequestBuilder};
use js_sys::{Array, JSON, Reflect};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Blob, FormData};

/// The timeout of a request in milliseconds. Uploads have none.
const PATIENCE_MS: u32 = 30_000;
const CONFLICT: u16 = 409;

/// A request that is being built.
pub struct Call {
    method: Method,
    address: String,
    query: Vec<(&'static str, String)>,
    body: Body,
    patience_ms: u32,
    /// Aborts the request when the response is no longer needed.
    signal: Option<AbortSignal>,
    is_file: bool,
}

enum Body {
    None,
    Json(JsValue),
    Form(FormData),
}

/// A response: a parsed JSON value of unknown shape, or a file.
pub struct Answer {
    status: u16,
    headers: Headers,
    body: JsValue,
}

impl Answer {
    /// Deserializes the response.
    ///
    /// # Errors
    /// The response has another shape. It was written by a proxy, for example, and not by our server.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, Problem> {
        let strange = self.strange();
        read_value(self.body).map_err(|_| strange)
    }

    /// Returns the response body unchanged. The server serializes the same type of core that the bindings declare, so
    /// the body isn't deserialized and serialized again.
    ///
    /// # Errors
    /// The response was not written by our server, but by a proxy, for example.
    pub fn whole(self) -> Result<JsValue, Problem> {
        self.succeeded()?;
        Ok(self.body)
    }

    /// As [`Answer::whole`], but returns the property `data`: an object or a list.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn data(self) -> Result<JsValue, Problem> {
        self.part("data")
    }

    /// As [`Answer::data`], for the property `name`.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn part(self, name: &str) -> Result<JsValue, Problem> {
        self.succeeded()?;
        Reflect::get(&self.body, &name.into()).ok().filter(JsValue::is_object).ok_or_else(|| self.strange())
    }

    /// Returns a response body that is an array.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn array(self) -> Result<Array, Problem> {
        if self.body.is_array() { Ok(self.body.unchecked_into()) } else { Err(self.strange()) }
    }

    /// Returns the file of a response to [`Call::get_file`]. Its bytes stay in the browser's memory.
    ///
    /// # Errors
    /// The response is not a file.
    pub fn file(self) -> Result<Blob, Problem> {
        let strange = self.strange();
        self.body.dyn_into().map_err(|_| strange)
    }

    fn succeeded(&self) -> Result<(), Problem> {
        let success = Reflect::get(&self.body, &"success".into());
        if success.is_ok_and(|success| success == JsValue::TRUE) { Ok(()) } else { Err(self.strange()) }
    }

    fn strange(&self) -> Problem {
        Problem::new(text::UNEXPECTED).with_status(self.status)
    }

    /// Returns a header of the response.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name)
    }

    /// Reads an error response. A conflict (409) includes the current state of the record.
    fn read_problem(self) -> Result<Problem, Problem> {
        let status = self.status;
        let present = (status == CONFLICT).then(|| Reflect::get(&self.body, &"data".into()).ok()).flatten();
        let present = present.filter(JsValue::is_object).and_then(|data| JSON::stringify(&data).ok());
        let problem = self.read::<Problem>()?.with_default_message().with_status(status);
        Ok(Problem { present: present.map(String::from), ..problem })
    }
}

impl Call {
    fn new(method: Method, address: &str, body: Body) -> Self {
        Call {
            method,
            address: address.to_owned(),
            query: Vec::new(),
            body,
            patience_ms: PATIENCE_MS,
            signal: None,
            is_file: false,
        }
    }

    pub fn get(address: &str) -> Self {
        Call::new(Method::GET, address, Body::None)
    }

    /// Creates a GET request for a file; see [`Answer::file`].
    pub fn get_file(address: &str) -> Self {
        Call { is_file: true, ..Call::get(address) }
    }

    /// Creates a POST request with a JSON body.
    pub fn post(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::POST, address, Body::Json(body.into()))
    }

    /// Creates a PUT request with a JSON body.
    pub fn put(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::PUT, address, Body::Json(body.into()))
    }

    pub fn delete(address: &str) -> Self {
        Call::new(Method::DELETE, address, Body::None)
    }

    /// Creates a DELETE request with a JSON body.
    pub fn delete_with(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::DELETE, address, Body::Json(body.into()))
    }

    /// Creates a POST request without a body.
    pub fn post_bare(address: &str) -> Self {
        Call::new(Method::POST, address, Body::None)
    }

    /// Creates a POST request with a form. The contents of its files are never copied to wasm memory.
    pub fn upload(address: &str, form: FormData) -> Self {
        Call::new(Method::POST, address, Body::Form(form))
    }

    /// As [`Call::upload`], with PUT.
    pub fn upload_over(address: &str, form: FormData) -> Self {
        Call::new(Method::PUT, address, Body::Form(form))
    }

    /// Sets the timeout in milliseconds.
    pub fn within(self, patience_ms: u32) -> Self {
        Call { patience_ms, ..self }
    }

    /// Aborts the request when `signal` is aborted.
    pub fn until(self, signal: Option<AbortSignal>) -> Self {
        Call { signal, ..self }
    }

    /// Returns whether the caller aborted the request. If so, the missing response says nothing about the network.
    pub fn is_given_up(&self) -> bool {
        self.signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    /// Appends a path segment, which is percent-encoded.
    pub fn under(mut self, step: &str) -> Self {
        self.address.push('/');
        self.address.push_str(&String::from(js_sys::encode_uri_component(step)));
        self
    }

    pub fn query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name, value.to_owned()));
        self
    }

    /// As [`Call::query`], but omits an empty value.
    pub fn query_if_any(self, name: &'static str, value: &str) -> Self {
        if value.is_empty() { self } else { self.query(name, value) }
    }

    /// Adds the parameters for a page of `limit` items.
    pub fn page(self, page: u32, limit: u32) -> Self {
        self.query("page", &page.to_string()).query("limit", &limit.to_string())
    }

    /// Sends the request, with a bearer token if there is one.
    ///
    /// # Errors
    /// The server's error response; status 0 if the server wasn't reached. The body can't be serialized as JSON.
    pub async fn send(&self, token: Option<&str>) -> Result<Answer, Failure> {
        let unreached = |_| Problem::new(text::NO_CONNECTION);
        let response = self.request(token)?.map_err(unreached)?.send().await.map_err(unreached)?;
        let (status, headers, ok) = (response.status(), response.headers(), response.ok());
        if ok && self.is_file {
            let lost = |_| Problem::new(text::NO_CONNECTION);
            let coming = web_sys::Response::from(response).blob().map_err(lost)?;
            let body = JsFuture::from(coming).await.map_err(lost)?;
            return Ok(Answer { status, headers, body });
        }
        let body = response.text().await.map_err(unreached)?;
        let answer = Answer { status, headers, body: JSON::parse(&body).unwrap_or_default() };
        if ok { Ok(answer) } else { Err(answer.read_problem()?.into()) }
    }

    fn request(&self, token: Option<&str>) -> Result<Result<Request, gloo_net::Error>, Failure> {
        let query = self.query.iter().map(|(name, value)| (*name, value.as_str()));
        let mut request = RequestBuilder::new(&self.address)
            .method(self.method.clone())
            .query(query)
            .header("Accept", if self.is_file { "*/*" } else { "application/json" });
        if let Some(token) = token {
            request = request.header("Authorization", &format!("Bearer {token}"));
        }
        if !matches!(self.body, Body::Form(_)) {
            let patience = AbortSignal::timeout_with_u32(self.patience_ms);
            let end = match &self.signal {
                Some(signal) => AbortSignal::any(&Array::of2(signal, &patience)),
                None => patience,
            };
            request = request.abort_signal(Some(&end));
        }
        Ok(match &self.body {
            Body::None => request.build(),
            Body::Json(value) => {
                let json = JSON::stringify(value).map_err(|_| Failure::Misused("This value is no JSON".to_owned()))?;
                request.header("Content-Type", "application/json").body(json)
            }
            // The browser sets the content type itself, because it includes the multipart boundary.
            Body::Form(form) => request.body(form),
        })
    }
}
