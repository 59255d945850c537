//! Calls of the signed-in user. A call that is answered with 401 waits for one refresh of the session, which all waiting
//! calls share, and is then made once more: the server has done nothing the first time.

use crate::request::{Answering, has_status, open_call, send};
use crate::session;
use forecourt_call::{Answer, Call, Coming, ComingList, Failure};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;

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
