//! Sends one request, with or without a session's token, and reports whether the server was reached.

use forecourt_call::{ApiRequest, ApiResponse, BindingError};
use js_sys::Function;
use std::cell::RefCell;
use std::pin::Pin;
use wasm_bindgen::prelude::*;

thread_local! {
    static ON_REQUEST_END: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// The future of a response. Boxed, so that its code is compiled once and not into every caller.
pub(crate) type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<ApiResponse, BindingError>> + 'a>>;

/// Sets a function that is called after each request that was sent and not aborted. Its argument is true if the server
/// was reached.
#[wasm_bindgen(js_name = onRequestEnd)]
pub fn on_request_end(
    #[wasm_bindgen(js_name = listener, unchecked_param_type = "(isReached: boolean) => void")] listener: Function,
) {
    ON_REQUEST_END.set(Some(listener));
}

/// Sends a request that needs no session.
pub(crate) fn send_public(request: &ApiRequest) -> ResponseFuture<'_> {
    send(request, None)
}

/// Sends a request. If it was sent and not aborted by the caller, then tells the listener ([`on_request_end`]) whether
/// the server was reached.
pub(crate) fn send<'a>(request: &'a ApiRequest, token: Option<&'a str>) -> ResponseFuture<'a> {
    Box::pin(async move {
        let response = request.send(token).await;
        let is_sent = !matches!(response, Err(BindingError::InvalidArgument(_)));
        if is_sent && !request.is_aborted() {
            notify_request_end(!has_status(&response, 0));
        }
        response
    })
}

/// Returns true if the request failed with this HTTP status. 0 stands for a request without a complete response.
pub(crate) fn has_status(response: &Result<ApiResponse, BindingError>, status: u16) -> bool {
    response.as_ref().is_err_and(|failure| failure.status() == Some(status))
}

fn notify_request_end(is_reached: bool) {
    if let Some(listener) = ON_REQUEST_END.with_borrow(Clone::clone) {
        // An exception in the listener must not make the request fail.
        let _ = listener.call1(&JsValue::NULL, &is_reached.into());
    }
}
