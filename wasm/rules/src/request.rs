//! Sends one request, with or without a session's token, and reports whether the server was reached.

use forecourt_call::{Answer, Call, Failure};
use js_sys::Function;
use std::cell::RefCell;
use std::pin::Pin;
use wasm_bindgen::prelude::*;

thread_local! {
    static ON_CALL: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// A response that is awaited. Boxed, so that the bindings share one copy of the code.
pub(crate) type Answering<'a> = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + 'a>>;

/// Calls `tell` after each request, with whether the server was reached.
#[wasm_bindgen(js_name = onCall)]
pub fn on_call(#[wasm_bindgen(js_name = tell, unchecked_param_type = "(isReached: boolean) => void")] tell: Function) {
    ON_CALL.set(Some(tell));
}

/// Sends a request that needs no session.
pub(crate) fn open_call(call: &Call) -> Answering<'_> {
    Box::pin(send(call, None))
}

/// Sends a request, and reports whether the server was reached, unless the caller has given up. Boxed, because it is used
/// in two places.
pub(crate) fn send<'a>(call: &'a Call, token: Option<&'a str>) -> Answering<'a> {
    Box::pin(async move {
        let answer = call.send(token).await;
        if !call.is_given_up() {
            report(!has_status(&answer, 0));
        }
        answer
    })
}

/// Did the request fail with this status? 0 stands for a server that wasn't reached.
pub(crate) fn has_status(answer: &Result<Answer, Failure>, status: u16) -> bool {
    answer.as_ref().is_err_and(|failure| failure.status() == Some(status))
}

fn report(is_reached: bool) {
    if let Some(page) = ON_CALL.with_borrow(Clone::clone) {
        // An exception of the page's function does not concern the request.
        let _ = page.call1(&JsValue::NULL, &is_reached.into());
    }
}
