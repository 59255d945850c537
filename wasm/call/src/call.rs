//! One call of the server: JSON or a form in, JSON or a file out, every refusal a `Problem`.
//!
//! **Invariant:** a call is made once. When the network fails nobody knows whether the server has done what it was asked
//! to do, so the person decides.

use crate::{Failure, read_value};
use forecourt_core::{problem::Problem, text};
use gloo_net::http::{Headers, Method, Request, RequestBuilder};
use js_sys::{Array, JSON, Reflect};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Blob, FormData};

/// The longest that an answer is waited for, in milliseconds. An upload takes as long as it takes.
const PATIENCE_MS: u32 = 30_000;
const CONFLICT: u16 = 409;

/// A call before it is made.
pub struct Call {
    method: Method,
    address: String,
    query: Vec<(&'static str, String)>,
    body: Body,
    patience_ms: u32,
    /// Says that nobody waits for the answer any more.
    signal: Option<AbortSignal>,
    is_file: bool,
}

enum Body {
    None,
    Json(JsValue),
    Form(FormData),
}

/// What the server answered: JSON that nobody has looked at yet, or a file.
pub struct Answer {
    status: u16,
    headers: Headers,
    body: JsValue,
}

impl Answer {
    /// Reads the answer as what is expected.
    ///
    /// # Errors
    /// An answer of another shape; our server didn't write it, but for example a proxy.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, Problem> {
        let strange = self.strange();
        read_value(self.body).map_err(|_| strange)
    }

    /// Hands the answer on as it came. What the server writes is of the very type that core states, so it isn't read only
    /// to be written anew.
    ///
    /// # Errors
    /// An answer that isn't our server's, but for example a proxy's.
    pub fn whole(self) -> Result<JsValue, Problem> {
        self.succeeded()?;
        Ok(self.body)
    }

    /// As [`Answer::whole`], of what stands under `data`: an object or a list.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn data(self) -> Result<JsValue, Problem> {
        self.part("data")
    }

    /// As [`Answer::data`], under another name.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn part(self, name: &str) -> Result<JsValue, Problem> {
        self.succeeded()?;
        Reflect::get(&self.body, &name.into()).ok().filter(JsValue::is_object).ok_or_else(|| self.strange())
    }

    /// The array that is the whole answer.
    ///
    /// # Errors
    /// As [`Answer::whole`].
    pub fn array(self) -> Result<Array, Problem> {
        if self.body.is_array() { Ok(self.body.unchecked_into()) } else { Err(self.strange()) }
    }

    /// The file that [`Call::get_file`] asked for. Its bytes stay with the browser.
    ///
    /// # Errors
    /// The call asked for something else.
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

    /// A header of the answer, if it is there.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name)
    }

    /// Reads a refusal. A stale update's comes with the record as it is by now.
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

    /// Asks for a file, which [`Answer::file`] gives.
    pub fn get_file(address: &str) -> Self {
        Call { is_file: true, ..Call::get(address) }
    }

    /// Sends a value as JSON, as it is.
    pub fn post(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::POST, address, Body::Json(body.into()))
    }

    /// As [`Call::post`], to replace.
    pub fn put(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::PUT, address, Body::Json(body.into()))
    }

    pub fn delete(address: &str) -> Self {
        Call::new(Method::DELETE, address, Body::None)
    }

    /// As [`Call::post`], to delete what the address names.
    pub fn delete_with(address: &str, body: impl Into<JsValue>) -> Self {
        Call::new(Method::DELETE, address, Body::Json(body.into()))
    }

    /// Sends nothing but the wish.
    pub fn post_bare(address: &str) -> Self {
        Call::new(Method::POST, address, Body::None)
    }

    /// Sends a form with files; what is in them never passes through wasm.
    pub fn upload(address: &str, form: FormData) -> Self {
        Call::new(Method::POST, address, Body::Form(form))
    }

    /// As [`Call::upload`], to replace.
    pub fn upload_over(address: &str, form: FormData) -> Self {
        Call::new(Method::PUT, address, Body::Form(form))
    }

    /// Waits for the answer only so many milliseconds.
    pub fn within(self, patience_ms: u32) -> Self {
        Call { patience_ms, ..self }
    }

    /// Breaks off as soon as this signal says so.
    pub fn until(self, signal: Option<AbortSignal>) -> Self {
        Call { signal, ..self }
    }

    /// Was it broken off by whoever made it? Then that it has no answer says nothing of the network.
    pub fn is_given_up(&self) -> bool {
        self.signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    /// One step down the path; the step is escaped, whatever it holds.
    pub fn under(mut self, step: &str) -> Self {
        self.address.push('/');
        self.address.push_str(&String::from(js_sys::encode_uri_component(step)));
        self
    }

    pub fn query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name, value.to_owned()));
        self
    }

    /// As [`Call::query`]; an empty text is left out.
    pub fn query_if_any(self, name: &'static str, value: &str) -> Self {
        if value.is_empty() { self } else { self.query(name, value) }
    }

    /// Asks for a page of so many.
    pub fn page(self, page: u32, limit: u32) -> Self {
        self.query("page", &page.to_string()).query("limit", &limit.to_string())
    }

    /// Makes the call, with a bearer token if there is one.
    ///
    /// # Errors
    /// What the server refused it with; status 0 when it wasn't reached. A body that JSON can't hold.
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
            // The browser names the type itself, because the parts' boundary is in it.
            Body::Form(form) => request.body(form),
        })
    }
}
