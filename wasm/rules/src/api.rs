//! Requests of the signed-in user. A request that is rejected with 401 waits for a refresh of the session, which all
//! waiting requests share, and is then sent once more. This is safe because the server did not process the first one.

use crate::request::{Answering, has_status, open_call, send};
use crate::session;
use forecourt_call::{Answer, Call, Coming, ComingList, Failure};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;

/// Converts a response to the value that a binding returns.
type Reader = Box<dyn FnOnce(Answer) -> Result<JsValue, Failure>>;

/// A request, or the error that occurred while it was built.
pub(crate) trait IntoRequest {
    fn into_request(self) -> Result<Call, Failure>;
}

impl IntoRequest for Call {
    fn into_request(self) -> Result<Call, Failure> {
        Ok(self)
    }
}

impl IntoRequest for Result<Call, Failure> {
    fn into_request(self) -> Result<Call, Failure> {
        self
    }
}

/// Sends a request as the signed-in user, and returns the response body.
pub(crate) fn whole<T>(call: impl IntoRequest) -> Coming<T> {
    read(call, |answer| Ok(answer.whole()?))
}

/// As [`whole`], but returns the property `data`.
pub(crate) fn data<T>(call: impl IntoRequest) -> Coming<T> {
    read(call, |answer| Ok(answer.data()?))
}

/// As [`data`], for a list.
pub(crate) fn list<T>(call: Call) -> ComingList<T> {
    ComingList::new_unchecked(promise(Ok(call), true, Box::new(|answer| Ok(answer.data()?))))
}

/// Sends a request as the signed-in user, and converts the response with `reader`.
pub(crate) fn read<T>(
    call: impl IntoRequest,
    reader: impl FnOnce(Answer) -> Result<JsValue, Failure> + 'static,
) -> Coming<T> {
    Coming::new_unchecked(promise(call.into_request(), true, Box::new(reader)))
}

/// Sends a request without a session, and returns the response body.
pub(crate) fn open<T>(call: Call) -> Coming<T> {
    read_open(call, |answer| Ok(answer.whole()?))
}

/// As [`read`], without a session.
pub(crate) fn read_open<T>(call: Call, reader: impl FnOnce(Answer) -> Result<JsValue, Failure> + 'static) -> Coming<T> {
    Coming::new_unchecked(promise(Ok(call), false, Box::new(reader)))
}

fn promise(request: Result<Call, Failure>, is_signed: bool, read: Reader) -> Promise {
    let result = async move {
        let request = request?;
        read(if is_signed { call(&request).await? } else { open_call(&request).await? })
    };
    future_to_promise(async { result.await.map_err(JsValue::from) })
}

/// Sends a request as the signed-in user. Reports 403 responses to the page.
pub(crate) fn call(call: &Call) -> Answering<'_> {
    Box::pin(async move {
        let answer = attempt(call).await;
        if has_status(&answer, FORBIDDEN) {
            session::forbidden();
        }
        answer
    })
}

async fn attempt(call: &Call) -> Result<Answer, Failure> {
    let token = session::fresh().await?;
    let answer = send(call, Some(&token)).await;
    if !has_status(&answer, UNAUTHORIZED) {
        return answer;
    }
    let token = session::refreshed(&token).await?;
    let answer = send(call, Some(&token)).await;
    if has_status(&answer, UNAUTHORIZED) {
        session::over();
    }
    answer
}
