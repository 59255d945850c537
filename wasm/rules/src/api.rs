//! Calls of the signed-in user. A call that is answered with 401 waits for one refresh of the session, which all waiting
//! calls share, and is then made once more: the server has done nothing the first time.

use crate::session;
use forecourt_call::{Answer, Call, Coming, ComingList, Failure};
use js_sys::Promise;
use std::pin::Pin;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;

/// A call that is on its way. Boxed, so that the doors don't each hold a copy of how calls are made.
type Answering<'a> = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + 'a>>;
/// What a door makes of an answer.
type Reader = Box<dyn FnOnce(Answer) -> Result<JsValue, Failure>>;

/// A call, or why there is none.
pub(crate) trait Asked {
    fn asked(self) -> Result<Call, Failure>;
}

impl Asked for Call {
    fn asked(self) -> Result<Call, Failure> {
        Ok(self)
    }
}

impl Asked for Result<Call, Failure> {
    fn asked(self) -> Result<Call, Failure> {
        self
    }
}

/// The whole answer to a call of the signed-in user.
pub(crate) fn whole<T>(call: impl Asked) -> Coming<T> {
    read(call, |answer| Ok(answer.whole()?))
}

/// As [`whole`], of what stands under `data`.
pub(crate) fn data<T>(call: impl Asked) -> Coming<T> {
    read(call, |answer| Ok(answer.data()?))
}

/// As [`data`], of a list.
pub(crate) fn list<T>(call: Call) -> ComingList<T> {
    ComingList::new_unchecked(promise(Ok(call), true, Box::new(|answer| Ok(answer.data()?))))
}

/// What is made of the answer to a call of the signed-in user.
pub(crate) fn read<T>(
    call: impl Asked,
    reader: impl FnOnce(Answer) -> Result<JsValue, Failure> + 'static,
) -> Coming<T> {
    Coming::new_unchecked(promise(call.asked(), true, Box::new(reader)))
}

/// The whole answer to a call that needs no session.
pub(crate) fn open<T>(call: Call) -> Coming<T> {
    read_open(call, |answer| Ok(answer.whole()?))
}

/// As [`read`], of a call that needs no session.
pub(crate) fn read_open<T>(call: Call, reader: impl FnOnce(Answer) -> Result<JsValue, Failure> + 'static) -> Coming<T> {
    Coming::new_unchecked(promise(Ok(call), false, Box::new(reader)))
}

fn promise(asked: Result<Call, Failure>, is_signed: bool, read: Reader) -> Promise {
    let answered = async move {
        let asked = asked?;
        read(if is_signed { call(&asked).await? } else { open_call(&asked).await? })
    };
    future_to_promise(async { answered.await.map_err(JsValue::from) })
}

/// Makes a call as the signed-in user.
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

/// Makes a call that needs no session.
pub(crate) fn open_call(call: &Call) -> Answering<'_> {
    Box::pin(send(call, None))
}

/// Makes a call, and lets it be known whether the server was there, unless nobody waited to find out. Boxed, because it
/// stands in two places.
fn send<'a>(call: &'a Call, token: Option<&'a str>) -> Answering<'a> {
    Box::pin(async move {
        let answer = call.send(token).await;
        if !call.is_given_up() {
            session::called(!has_status(&answer, 0));
        }
        answer
    })
}

/// Was the call refused with this status? 0 stands for a server that wasn't reached.
pub(crate) fn has_status(answer: &Result<Answer, Failure>, status: u16) -> bool {
    answer.as_ref().is_err_and(|failure| failure.status() == Some(status))
}
