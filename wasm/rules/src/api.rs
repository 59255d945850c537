//! Requests with the session of the signed-in user, and public ones without. One of the former that is rejected with
//! 401 waits for a refresh of the session, which all waiting requests share, and is then sent once more. This is safe
//! because the server did not process the first one.

use crate::request::{ResponseFuture, has_status, send, send_public};
use crate::session;
use forecourt_call::{ApiRequest, ApiResponse, BindingError};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::AbortSignal;

const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;

/// Converts a response to the value that a binding returns.
type Reader = Box<dyn FnOnce(ApiResponse) -> Result<JsValue, BindingError>>;

/// Converts to a request, or to the error that occurred while the request was built.
pub(crate) trait IntoRequest {
    fn into_request(self) -> Result<ApiRequest, BindingError>;
}

impl IntoRequest for ApiRequest {
    fn into_request(self) -> Result<ApiRequest, BindingError> {
        Ok(self)
    }
}

impl IntoRequest for Result<ApiRequest, BindingError> {
    fn into_request(self) -> Result<ApiRequest, BindingError> {
        self
    }
}

/// Sends a request as the signed-in user, and returns the response body.
pub(crate) fn fetch_body(request: impl IntoRequest) -> Promise {
    fetch_with(request, |response| Ok(response.into_body()?))
}

/// Sends a request as the signed-in user, and returns the message of the response.
pub(crate) fn fetch_message(request: impl IntoRequest) -> Promise {
    fetch_with(request, |response| Ok(response.into_message()?))
}

/// Sends a request as the signed-in user, and returns the property `data` of the response.
pub(crate) fn fetch_data(request: impl IntoRequest) -> Promise {
    fetch_with(request, |response| Ok(response.into_data()?))
}

/// Sends a request as the signed-in user and returns the response body. For pages whose requests have no binding of
/// their own, such as lists. For a GET request, `body` is ignored.
#[wasm_bindgen(js_name = sendJson, unchecked_return_type = "Promise<unknown>")]
pub fn send_json(
    #[wasm_bindgen(unchecked_param_type = "'GET' | 'POST' | 'PUT' | 'DELETE'")] method: &str,
    path: &str,
    body: JsValue,
    signal: Option<AbortSignal>,
) -> Promise {
    let request = match method {
        "POST" => ApiRequest::post(path, body),
        "PUT" => ApiRequest::put(path, body),
        "DELETE" if body.is_undefined() => ApiRequest::delete(path),
        "DELETE" => ApiRequest::delete_with_body(path, body),
        _ => ApiRequest::get(path),
    };
    fetch_body(request.abort_on(signal))
}

/// Sends a request as the signed-in user, and converts the response with `reader`.
pub(crate) fn fetch_with(
    request: impl IntoRequest,
    reader: impl FnOnce(ApiResponse) -> Result<JsValue, BindingError> + 'static,
) -> Promise {
    promise(request.into_request(), true, Box::new(reader))
}

/// Sends a request without a session, and returns the response body.
pub(crate) fn fetch_public_body(request: ApiRequest) -> Promise {
    fetch_public_with(request, |response| Ok(response.into_body()?))
}

/// Sends a request without a session, and returns the message of the response.
pub(crate) fn fetch_public_message(request: ApiRequest) -> Promise {
    fetch_public_with(request, |response| Ok(response.into_message()?))
}

/// Sends a request without a session, and converts the response with `reader`.
pub(crate) fn fetch_public_with(
    request: ApiRequest,
    reader: impl FnOnce(ApiResponse) -> Result<JsValue, BindingError> + 'static,
) -> Promise {
    promise(Ok(request), false, Box::new(reader))
}

fn promise(request: Result<ApiRequest, BindingError>, is_authorized: bool, read: Reader) -> Promise {
    let result = async move {
        let request = request?;
        read(if is_authorized { send_authorized(&request).await? } else { send_public(&request).await? })
    };
    future_to_promise(async { result.await.map_err(JsValue::from) })
}

/// Sends a request as the signed-in user. Calls the page's listener ([`session::on_forbidden`]) after a 403 response.
pub(crate) fn send_authorized(request: &ApiRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let response = send_with_refresh(request).await;
        if has_status(&response, FORBIDDEN) {
            session::report_forbidden();
        }
        response
    })
}

async fn send_with_refresh(request: &ApiRequest) -> Result<ApiResponse, BindingError> {
    let token = session::fresh_token().await?;
    let response = send(request, Some(token.expose_secret())).await;
    if !has_status(&response, UNAUTHORIZED) {
        return response;
    }
    let token = session::refresh_token(token.expose_secret()).await?;
    let response = send(request, Some(token.expose_secret())).await;
    if has_status(&response, UNAUTHORIZED) {
        return Err(session::end().into());
    }
    response
}
