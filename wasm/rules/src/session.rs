//! The session of this browser: stores its tokens, and refreshes them before they expire. The tabs of a browser share
//! one session, so a lock allows only one tab at a time to refresh, and a tab that gets the lock first checks whether
//! another tab has just refreshed.
//!
//! **Invariant:** a tab that shows a user's pages sends no request with the tokens of another user, who may have signed in
//! in another tab ([`adopt_session`]).

use crate::request::{has_status, send_public};
use forecourt_call::{ApiRequest, ApiResponse, BindingError, Problem, read, read_value, to_json_value};
use forecourt_core::auth::{self, RefreshInput, SPENT_TOKEN_GRACE_SECONDS, SignIn, Tokens};
use forecourt_core::secret::Secret;
use forecourt_core::text;
use js_sys::{Function, Promise};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{Storage, StorageEvent, VisibilityState, Window};

const ACCESS: &str = "accessToken";
const REFRESH: &str = "refreshToken";
/// The key in the browser's storage for the time when the access token was received, by this machine's clock, which may
/// differ from the server's.
const RECEIVED: &str = "accessTokenReceived";
/// The name of the Web Lock that a tab acquires to refresh the tokens.
const LOCK: &str = "forecourt-refresh";
/// The timeout of a request that refreshes the tokens, in milliseconds. It is shorter than the period in which the
/// server accepts a used refresh token again, so that a second request still succeeds.
const REFRESH_MS: u32 = (SPENT_TOKEN_GRACE_SECONDS as u32 - 2) * 1_000;
/// The minimum delay of the timer that refreshes the tokens, in seconds.
const MIN_DELAY_S: i64 = 10;

thread_local! {
    /// The running refresh of this tab's tokens, for which all requests that need new tokens wait.
    static RUNNING_REFRESH: RefCell<Option<Promise>> = const { RefCell::new(None) };
    static ON_END: RefCell<Option<Function>> = const { RefCell::new(None) };
    static ON_FORBIDDEN: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// The id of the user whose pages this tab shows, or has shown last.
    static USER: RefCell<Option<String>> = const { RefCell::new(None) };
    static TIMER: Cell<Option<i32>> = const { Cell::new(None) };
    static WAKE: Closure<dyn FnMut()> = Closure::new(wake);
}

#[wasm_bindgen]
extern "C" {
    /// The browser's Web Locks API; absent in an insecure context.
    type Locks;
    #[wasm_bindgen(method)]
    fn request(this: &Locks, name: &str, work: &Closure<dyn FnMut() -> Promise>) -> Promise;
}

/// The claims of an access token.
#[derive(Deserialize)]
struct Claims {
    #[serde(default)]
    user_id: String,
    exp: i64,
    #[serde(default)]
    iat: Option<i64>,
    #[serde(default)]
    role: String,
}

/// Starts to refresh the session's tokens before they expire. `onEnd` is called when the server has ended the session,
/// when another tab deletes the tokens, and when a request finds no tokens. It is not called when this tab deletes them
/// (`logout`, `deleteAccount`, `clearSession`).
#[wasm_bindgen(js_name = startSession)]
pub fn start_session(
    #[wasm_bindgen(js_name = onEnd, unchecked_param_type = "() => void")] on_end: Function,
) -> Result<(), JsValue> {
    let is_first = ON_END.replace(Some(on_end)).is_none();
    let Some(window) = web_sys::window().filter(|_| is_first) else { return Ok(()) };
    let document = window.document();
    let on_storage = Closure::<dyn FnMut(StorageEvent)>::new(|event: StorageEvent| {
        // An event without a key means that the whole storage was cleared.
        match event.key().as_deref() {
            Some(ACCESS) | None if stored_tokens().is_none() => notify_end(),
            Some(ACCESS) => schedule(),
            _ => {}
        }
    });
    // While the machine sleeps or the tab is in the background, the timer runs late or not at all, so the token is also
    // checked when the tab becomes visible.
    let on_visible = Closure::<dyn FnMut()>::new(move || {
        if document.as_ref().is_some_and(|d| d.visibility_state() == VisibilityState::Visible) {
            wake();
        }
    });
    window.add_event_listener_with_callback("storage", on_storage.as_ref().unchecked_ref())?;
    if let Some(document) = window.document() {
        document.add_event_listener_with_callback("visibilitychange", on_visible.as_ref().unchecked_ref())?;
    }
    // The listeners stay until the page is closed.
    on_storage.forget();
    on_visible.forget();
    wake();
    Ok(())
}

/// Sets a function that is called after each 403 response to a request of the signed-in user, because the user's
/// permissions may have changed. Without an argument, removes it.
#[wasm_bindgen(js_name = onForbidden)]
pub fn on_forbidden(
    #[wasm_bindgen(js_name = listener, unchecked_optional_param_type = "() => void")] listener: Option<Function>,
) {
    ON_FORBIDDEN.set(listener);
}

/// Returns true if this tab's user is signed in, or any user before [`adopt_session`]: both tokens are stored.
#[wasm_bindgen(js_name = hasSession)]
pub fn has_session() -> bool {
    stored_tokens().is_some_and(|tokens| !is_of_other_user(&tokens))
}

/// Returns true if another user than this tab's has signed in, in another tab of this browser.
#[wasm_bindgen(js_name = hasOtherSession)]
pub fn has_other_session() -> bool {
    stored_tokens().is_some_and(|tokens| is_of_other_user(&tokens))
}

/// Makes the user of the stored tokens this tab's user. Called before the tab shows the first page of a user. From then
/// on, a request that finds the tokens of another user fails and isn't sent.
#[wasm_bindgen(js_name = adoptSession)]
pub fn adopt_session() {
    USER.set(stored_tokens().and_then(|tokens| user_of(&tokens)));
}

/// Returns the id of this tab's user; undefined before [`adopt_session`].
#[wasm_bindgen(js_name = tabUser)]
pub fn tab_user() -> Option<String> {
    USER.with_borrow(Clone::clone)
}

/// Stores the tokens of a sign-in, which starts the session in this browser.
#[wasm_bindgen(js_name = storeTokens)]
pub fn store_tokens(tokens: Ts<Tokens>) -> Result<(), BindingError> {
    store(&read(&tokens)?)?;
    Ok(())
}

/// Deletes the tokens from this browser's storage, which ends the session for all its tabs. Tokens of another user than
/// this tab's stay.
#[wasm_bindgen(js_name = clearSession)]
pub fn clear() {
    if has_other_session() {
        return;
    }
    if let Some(storage) = storage() {
        for key in [ACCESS, REFRESH, RECEIVED] {
            // Removing a key from an available storage can't fail.
            let _ = storage.remove_item(key);
        }
    }
    stop_timer();
}

/// Returns the access token for requests that TypeScript sends itself, such as the upload of an import. Refreshes it
/// first if it is about to expire.
#[wasm_bindgen(js_name = accessToken)]
pub async fn access_token() -> Result<String, BindingError> {
    Ok(fresh_token().await?.expose_secret().clone())
}

/// Returns the name of the browser's time zone, for the header `Time-Zone` of such requests; undefined if it is unknown.
#[wasm_bindgen(js_name = timeZone)]
pub fn time_zone() -> Option<String> {
    forecourt_call::time_zone()
}

/// Returns the user type in the access token, such as `Admin`; empty without a session.
#[wasm_bindgen(js_name = tokenRole)]
pub fn token_role() -> String {
    stored_tokens()
        .and_then(|tokens| parse_claims(tokens.access_token.expose_secret()))
        .map(|c| c.role)
        .unwrap_or_default()
}

/// Returns both tokens if a user is signed in.
fn stored_tokens() -> Option<Tokens> {
    let storage = storage()?;
    let read = |key| storage.get_item(key).ok().flatten().filter(|token| !token.is_empty()).map(Secret::new);
    Some(Tokens { access_token: read(ACCESS)?, refresh_token: read(REFRESH)? })
}

/// Returns the tokens of this tab's user. Without tokens, ends the session.
fn own_tokens() -> Result<Tokens, Problem> {
    let Some(tokens) = stored_tokens() else { return Err(end()) };
    if is_of_other_user(&tokens) { Err(Problem::new(text::OTHER_USER)) } else { Ok(tokens) }
}

fn is_of_other_user(tokens: &Tokens) -> bool {
    let Some(user) = tab_user() else { return false };
    user_of(tokens).is_some_and(|found| found != user)
}

/// Returns the id of the user that the access token is for; `None` if the token is malformed.
fn user_of(tokens: &Tokens) -> Option<String> {
    parse_claims(tokens.access_token.expose_secret()).map(|claims| claims.user_id)
}

/// Returns an access token that isn't about to expire. If a refresh fails without ending the session, returns the
/// current token as long as it is valid.
pub(crate) async fn fresh_token() -> Result<Secret<String>, Problem> {
    let token = own_tokens()?.access_token;
    let expires = expires_at(token.expose_secret());
    if expires.is_none_or(|expires| auth::refresh_in(expires, now()) > 0) {
        return Ok(token);
    }
    match refresh_token(token.expose_secret()).await {
        Err(problem) if !ends_session(&problem) && expires.is_some_and(|expires| expires > now()) => Ok(token),
        response => response,
    }
}

/// Returns an access token that replaces `stale`, which the server has rejected or which is about to expire.
/// Simultaneous callers share one refresh.
pub(crate) async fn refresh_token(stale: &str) -> Result<Secret<String>, Problem> {
    let shared = RUNNING_REFRESH.with_borrow(Clone::clone).unwrap_or_else(|| {
        let stale = stale.to_owned();
        let work = future_to_promise(async move {
            let response = refresh_with_lock(&stale).await;
            RUNNING_REFRESH.set(None);
            response
        });
        RUNNING_REFRESH.set(Some(work.clone()));
        work
    });
    match JsFuture::from(shared).await {
        Ok(token) => Ok(token.as_string().unwrap_or_default().into()),
        Err(problem) => Err(Problem::from_thrown(problem)),
    }
}

/// Ends the session in this browser: deletes the tokens, calls the page's `onEnd`, and returns the error for the
/// caller. If another user has signed in meanwhile, only returns the error that says so.
pub(crate) fn end() -> Problem {
    if has_other_session() {
        return Problem::new(text::OTHER_USER);
    }
    clear();
    notify_end();
    Problem::new(text::SESSION_ENDED).with_status(401)
}

/// Refreshes the tokens while holding the lock that all tabs share; without a lock if the browser has no Web Locks.
async fn refresh_with_lock(stale: &str) -> Result<JsValue, JsValue> {
    let locks = web_sys::window()
        .and_then(|window| js_sys::Reflect::get(&window.navigator(), &"locks".into()).ok().filter(JsValue::is_object));
    let owned = stale.to_owned();
    let Some(locks) = locks else { return refresh(owned).await };
    let mut owned = Some(owned);
    let work = Closure::new(move || future_to_promise(refresh(owned.take().unwrap_or_default())));
    JsFuture::from(locks.unchecked_ref::<Locks>().request(LOCK, &work)).await
}

async fn refresh(stale: String) -> Result<JsValue, JsValue> {
    refresh_tokens(&stale).await.map(|token| token.expose_secret().into()).map_err(JsValue::from)
}

async fn refresh_tokens(stale: &str) -> Result<Secret<String>, Problem> {
    let tokens = own_tokens()?;
    if tokens.access_token.expose_secret() != stale {
        // Another tab has already refreshed.
        return Ok(tokens.access_token);
    }
    let form = RefreshInput { refresh_token: tokens.refresh_token.clone() };
    let request = ApiRequest::post(auth::REFRESH_TOKEN, to_json_value(&form)?).timeout_ms(REFRESH_MS);
    let mut response = send_public(&request).await;
    if has_status(&response, 0) {
        // Perhaps only the response was lost. For a few seconds, the server still accepts the used refresh token.
        response = send_public(&request).await;
    }
    let response = response.map_err(Problem::from).and_then(ApiResponse::parse::<SignIn>);
    if stored_tokens().is_none_or(|now| now.refresh_token.expose_secret() != tokens.refresh_token.expose_secret()) {
        // During the request a user signed out or in, or, without a lock, another tab refreshed.
        return own_tokens().map(|now| now.access_token);
    }
    match response.map(|response| response.data) {
        Ok(Some(data)) => {
            store(&data.tokens)?;
            // Checks the user again: the refresh token may be one that another tab was just storing.
            own_tokens().map(|now| now.access_token)
        }
        Ok(None) => Err(Problem::new(text::UNEXPECTED)),
        Err(problem) if ends_session(&problem) => Err(end()),
        Err(problem) => Err(problem),
    }
}

/// Returns true if this error of a refresh means that the session has ended. A network failure or an overloaded server
/// doesn't mean that.
fn ends_session(problem: &Problem) -> bool {
    matches!(problem.status(), 400 | 401 | 403)
}

fn store(tokens: &Tokens) -> Result<(), Problem> {
    let received = now().to_string();
    // The access token is stored last, so that a reader of the new one also finds the other new values.
    let (refresh, access) = (tokens.refresh_token.expose_secret(), tokens.access_token.expose_secret());
    for (key, value) in [(RECEIVED, &received), (REFRESH, refresh), (ACCESS, access)] {
        let is_stored = storage().is_some_and(|storage| storage.set_item(key, value).is_ok());
        if !is_stored {
            return Err(Problem::new(text::NO_STORAGE));
        }
    }
    schedule();
    Ok(())
}

fn notify_end() {
    stop_timer();
    notify(ON_END.with_borrow(Clone::clone));
}

/// Calls the function set by [`on_forbidden`]. Called after each 403 response to a request of the signed-in user: by
/// `api.rs` for its requests, and by TypeScript for those that it sends itself.
#[wasm_bindgen(js_name = reportForbidden)]
pub fn report_forbidden() {
    notify(ON_FORBIDDEN.with_borrow(Clone::clone));
}

fn notify(listener: Option<Function>) {
    if let Some(listener) = listener {
        // If the listener throws an exception, there is no caller to report it to.
        let _ = listener.call0(&JsValue::NULL);
    }
}

/// Refreshes the tokens if necessary, and restarts the timer.
fn wake() {
    if !has_session() {
        return;
    }
    spawn_local(async {
        // `end` has reported an ended session; after a network failure the timer tries again.
        let _ = fresh_token().await;
        schedule();
    });
}

/// Sets the timer to the time when the access token should be refreshed.
fn schedule() {
    stop_timer();
    let Some(window) = web_sys::window() else { return };
    let Some(expires) = stored_tokens().and_then(|tokens| expires_at(tokens.access_token.expose_secret())) else {
        return;
    };
    let delay = auth::refresh_in(expires, now()).max(MIN_DELAY_S).saturating_mul(1_000);
    let delay = i32::try_from(delay).unwrap_or(i32::MAX);
    WAKE.with(|wake| {
        let timer = window.set_timeout_with_callback_and_timeout_and_arguments_0(wake.as_ref().unchecked_ref(), delay);
        TIMER.set(timer.ok());
    });
}

fn stop_timer() {
    if let (Some(window), Some(timer)) = (web_sys::window(), TIMER.take()) {
        window.clear_timeout_with_handle(timer);
    }
}

/// Returns when an access token expires, in seconds of this machine's clock: its lifetime is counted from the time when
/// it was received.
fn expires_at(token: &str) -> Option<i64> {
    let claims = parse_claims(token)?;
    let received = storage()?.get_item(RECEIVED).ok().flatten().and_then(|at| at.parse::<i64>().ok());
    Some(match (received, claims.iat) {
        (Some(received), Some(issued)) => received.saturating_add(claims.exp.saturating_sub(issued)),
        _ => claims.exp,
    })
}

/// Returns the claims of a token. Only the server verifies its signature.
fn parse_claims(token: &str) -> Option<Claims> {
    let payload = token.split('.').nth(1)?.replace('-', "+").replace('_', "/");
    let json = web_sys::window()?.atob(&payload).ok()?;
    read_value(js_sys::JSON::parse(&json).ok()?).ok()
}

fn storage() -> Option<Storage> {
    web_sys::window().and_then(|window: Window| window.local_storage().ok().flatten())
}

fn now() -> i64 {
    (js_sys::Date::now() / 1_000.0) as i64
}
