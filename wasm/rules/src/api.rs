//! Calls of the signed-in user. A call that is answered with 401 waits for one refresh of the session, which all waiting
//! calls share, and is then made once more: the server has done nothing the first time.

use crate::session;
use forecourt_call::{Answer, Call};
use forecourt_core::problem::Problem;
use std::pin::Pin;

const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;

/// A call that is on its way. Boxed, so that the doors don't each hold a copy of how calls are made.
type Coming<'a> = Pin<Box<dyn Future<Output = Result<Answer, Problem>> + 'a>>;

/// Makes a call as the signed-in user.
pub(crate) fn call(call: &Call) -> Coming<'_> {
    Box::pin(async move {
        let answer = attempt(call).await;
        if answer.as_ref().is_err_and(|problem| problem.status == FORBIDDEN) {
            session::forbidden();
        }
        answer
    })
}

async fn attempt(call: &Call) -> Result<Answer, Problem> {
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
pub(crate) fn open_call(call: &Call) -> Coming<'_> {
    Box::pin(send(call, None))
}

/// Makes a call, and lets it be known whether the server was there, unless nobody waited to find out.
async fn send(call: &Call, token: Option<&str>) -> Result<Answer, Problem> {
    let answer = call.send(token).await;
    if !call.is_given_up() {
        session::called(answer.as_ref().map_or_else(|problem| problem.status != 0, |_| true));
    }
    answer
}
