//! The client of the server's API: JSON in, JSON out, every refusal a `Problem`. A call that is answered with 401 waits
//! for one refresh of the session, which all waiting calls share, and is then made once more.
//!
//! **Invariant:** nothing but such a 401 makes a call twice. When the network fails nobody knows whether the server has
//! done what it was asked to do, so the person decides.

use crate::problem::Failure;
use crate::session;
use forecourt_core::{problem::Problem, text};
use gloo_net::http::{Method, Request, RequestBuilder};
use serde::{Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

/// The longest that an answer is waited for, in milliseconds.
const PATIENCE_MS: u32 = 30_000;
const UNAUTHORIZED: u16 = 401;

/// A call before it is made.
pub(crate) struct Call {
    method: Method,
    path: String,
    query: Vec<(&'static str, String)>,
    body: Option<String>,
}

impl Call {
    pub(crate) fn get(path: &str) -> Self {
        Call { method: Method::GET, path: path.to_owned(), query: Vec::new(), body: None }
    }

    pub(crate) fn post(path: &str, body: &impl Serialize) -> Result<Self, Failure> {
        let body = json(body).map_err(|error| Failure::Misused(format!("{error:?}")))?;
        Ok(Call { method: Method::POST, path: path.to_owned(), query: Vec::new(), body: Some(body) })
    }

    /// One step down the path; the step is escaped, whatever it holds.
    pub(crate) fn under(mut self, step: &str) -> Self {
        self.path.push('/');
        self.path.push_str(&String::from(js_sys::encode_uri_component(step)));
        self
    }

    pub(crate) fn query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name, value.to_owned()));
        self
    }

    fn request(&self, token: Option<&str>) -> Result<Request, gloo_net::Error> {
        let query = self.query.iter().map(|(name, value)| (*name, value.as_str()));
        let mut request = RequestBuilder::new(&self.path)
            .method(self.method.clone())
            .query(query)
            .header("Accept", "application/json")
            .abort_signal(Some(&web_sys::AbortSignal::timeout_with_u32(PATIENCE_MS)));
        if let Some(token) = token {
            request = request.header("Authorization", &format!("Bearer {token}"));
        }
        match &self.body {
            Some(body) => request.header("Content-Type", "application/json").body(body.as_str()),
            None => request.build(),
        }
    }
}

/// Makes a call as the signed-in user.
pub(crate) async fn call<T: DeserializeOwned>(call: &Call) -> Result<T, Problem> {
    let token = session::fresh().await?;
    match send(call, Some(&token)).await {
        Err(problem) if problem.status == UNAUTHORIZED => {
            let token = session::refreshed(&token).await?;
            let answer = send(call, Some(&token)).await;
            if answer.as_ref().is_err_and(|problem| problem.status == UNAUTHORIZED) {
                session::over();
            }
            answer
        }
        answer => answer,
    }
}

/// Makes a call that needs no session.
pub(crate) async fn open_call<T: DeserializeOwned>(call: &Call) -> Result<T, Problem> {
    send(call, None).await
}

async fn send<T: DeserializeOwned>(call: &Call, token: Option<&str>) -> Result<T, Problem> {
    let unreached = |_| Problem::new(text::NO_CONNECTION);
    let response = call.request(token).map_err(unreached)?.send().await.map_err(unreached)?;
    let status = response.status();
    let body = response.text().await.map_err(unreached)?;
    // What isn't the expected JSON wasn't written by our server, such as a proxy's own page.
    let strange = || Problem::new(text::UNEXPECTED).with_status(status);
    if response.ok() {
        parse(&body).ok_or_else(strange)
    } else {
        Err(parse::<Problem>(&body).map_or_else(strange, |problem| problem.with_status(status)))
    }
}

fn parse<T: DeserializeOwned>(body: &str) -> Option<T> {
    serde_wasm_bindgen::from_value(js_sys::JSON::parse(body).ok()?).ok()
}

fn json(value: &impl Serialize) -> Result<String, JsValue> {
    let value = value.serialize(&Serializer::json_compatible())?;
    Ok(js_sys::JSON::stringify(&value)?.into())
}
