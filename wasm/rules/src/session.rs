//! The session of this browser: where its tokens are kept, and how they are kept fresh. The tabs of a browser share one
//! session, so a refresh is made by one tab at a time, and a tab first looks whether another has just made it.

use crate::request::{has_status, open_call};
use forecourt_call::{Answer, Call, Failure, read, read_value, sendable};
use forecourt_core::auth::{self, RefreshInput, SUCCESSOR_GRACE_SECONDS, SignIn, Tokens};
use forecourt_core::{problem::Problem, text};
use js_sys::{Function, Promise};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{Storage, StorageEvent, VisibilityState, Window};

const ACCESS: &str = "accessToken";
const REFRESH: &str = "refreshToken";
/// When the access token came, by this machine's clock, which may differ from the server's.
const RECEIVED: &str = "accessTokenReceived";
/// Held by the tab that refreshes.
const LOCK: &str = "forecourt-refresh";
/// How long a refresh may take: less than the seconds in which a spent token is still forgiven.
const REFRESH_MS: u32 = (SUCCESSOR_GRACE_SECONDS as u32 - 2) * 1_000;
/// The shortest pause before the timer looks again, in seconds.
const SHORTEST_PAUSE: i64 = 10;

thread_local! {
    /// The refresh under way in this tab; every call that needs one waits for the same.
    static UNDER_WAY: RefCell<Option<Promise>> = const { RefCell::new(None) };
    static ON_END: RefCell<Option<Function>> = const { RefCell::new(None) };
    static ON_FORBIDDEN: RefCell<Option<Function>> = const { RefCell::new(None) };
    static TIMER: Cell<Option<i32>> = const { Cell::new(None) };
    static WAKE: Closure<dyn FnMut()> = Closure::new(wake);
}

#[wasm_bindgen]
extern "C" {
    /// The browser's Web Locks; absent where the page isn't served securely.
    type Locks;
    #[wasm_bindgen(method)]
    fn request(this: &Locks, name: &str, work: &Closure<dyn FnMut() -> Promise>) -> Promise;
}

/// What the access token says.
#[derive(Deserialize)]
struct Claims {
    exp: i64,
    #[serde(default)]
    iat: Option<i64>,
    #[serde(default)]
    role: String,
}

/// Starts to keep the session fresh; `onEnd` is called when it is over, here or in another tab.
#[wasm_bindgen(js_name = startSession)]
pub fn start_session(
    #[wasm_bindgen(js_name = onEnd, unchecked_param_type = "() => void")] on_end: Function,
) -> Result<(), JsValue> {
    let is_first = ON_END.replace(Some(on_end)).is_none();
    let Some(window) = web_sys::window().filter(|_| is_first) else { return Ok(()) };
    let document = window.document();
    let on_storage = Closure::<dyn FnMut(StorageEvent)>::new(|event: StorageEvent| {
        // No key: everything was wiped.
        match event.key().as_deref() {
            Some(ACCESS) | None if stored().is_none() => notify_end(),
            Some(ACCESS) => schedule(),
            _ => {}
        }
    });
    // A machine that slept, or a tab in the back, has run its timer late or not at all.
    let on_visible = Closure::<dyn FnMut()>::new(move || {
        if document.as_ref().is_some_and(|d| d.visibility_state() == VisibilityState::Visible) {
            wake();
        }
    });
    window.add_event_listener_with_callback("storage", on_storage.as_ref().unchecked_ref())?;
    if let Some(document) = window.document() {
        document.add_event_listener_with_callback("visibilitychange", on_visible.as_ref().unchecked_ref())?;
    }
    // They listen as long as the page lives.
    on_storage.forget();
    on_visible.forget();
    wake();
    Ok(())
}

/// `tell` is called after each answer by which somebody may not do what they tried: what they may do has perhaps changed.
/// Without it nobody is told any more.
#[wasm_bindgen(js_name = onForbidden)]
pub fn on_forbidden(
    #[wasm_bindgen(js_name = tell, unchecked_optional_param_type = "() => void")] tell: Option<Function>,
) {
    ON_FORBIDDEN.set(tell);
}

/// Is somebody signed in? Both tokens must be there.
#[wasm_bindgen(js_name = hasSession)]
pub fn has_session() -> bool {
    stored().is_some()
}

/// Begins a session with the tokens of a sign-in.
#[wasm_bindgen(js_name = storeTokens)]
pub fn store_tokens(tokens: Ts<Tokens>) -> Result<(), Failure> {
    store(&read(&tokens)?)?;
    Ok(())
}

/// Forgets the tokens.
#[wasm_bindgen(js_name = clearSession)]
pub fn clear() {
    if let Some(storage) = storage() {
        for key in [ACCESS, REFRESH, RECEIVED] {
            // Removing a key of an open storage can't fail.
            let _ = storage.remove_item(key);
        }
    }
    stop_timer();
}

/// The access token for work outside of this module, such as the import worker's; refreshed when it is about to end.
#[wasm_bindgen(js_name = accessToken)]
pub async fn access_token() -> Result<String, Failure> {
    Ok(fresh().await?)
}

/// The role that the access token names; empty without a session.
#[wasm_bindgen(js_name = tokenRole)]
pub fn token_role() -> String {
    stored().and_then(|tokens| claims(&tokens.access_token)).map(|c| c.role).unwrap_or_default()
}

/// Both tokens, if somebody is signed in.
pub(crate) fn stored() -> Option<Tokens> {
    let storage = storage()?;
    let read = |key| storage.get_item(key).ok().flatten().filter(|token| !token.is_empty());
    Some(Tokens { access_token: read(ACCESS)?, refresh_token: read(REFRESH)? })
}

/// An access token that isn't about to end. Without a network, one that hasn't ended yet must do.
pub(crate) async fn fresh() -> Result<String, Problem> {
    let Some(tokens) = stored() else { return Err(over()) };
    let token = tokens.access_token;
    let ends = ends_at(&token);
    if ends.is_none_or(|ends| auth::refresh_in(ends, now()) > 0) {
        return Ok(token);
    }
    match refreshed(&token).await {
        Err(problem) if !ends_session(&problem) && ends.is_some_and(|ends| ends > now()) => Ok(token),
        answer => answer,
    }
}

/// An access token other than the stale one. All who ask while a refresh is under way share it.
pub(crate) async fn refreshed(stale: &str) -> Result<String, Problem> {
    let shared = UNDER_WAY.with_borrow(Clone::clone).unwrap_or_else(|| {
        let stale = stale.to_owned();
        let work = future_to_promise(async move {
            let answer = refresh_alone(&stale).await;
            UNDER_WAY.set(None);
            answer
        });
        UNDER_WAY.set(Some(work.clone()));
        work
    });
    match JsFuture::from(shared).await {
        Ok(token) => Ok(token.as_string().unwrap_or_default()),
        Err(problem) => Err(read_value(problem).unwrap_or_else(|_| Problem::new(text::UNEXPECTED))),
    }
}

/// The session is over: the tokens are forgotten, and the page is told.
pub(crate) fn over() -> Problem {
    clear();
    notify_end();
    Problem::new(text::SESSION_ENDED).with_status(401)
}

/// Refreshes under the lock that all tabs share.
async fn refresh_alone(stale: &str) -> Result<JsValue, JsValue> {
    let locks = web_sys::window()
        .and_then(|window| js_sys::Reflect::get(&window.navigator(), &"locks".into()).ok().filter(JsValue::is_object));
    let owned = stale.to_owned();
    let Some(locks) = locks else { return refresh(owned).await };
    let mut owned = Some(owned);
    let work = Closure::new(move || future_to_promise(refresh(owned.take().unwrap_or_default())));
    JsFuture::from(locks.unchecked_ref::<Locks>().request(LOCK, &work)).await
}

async fn refresh(stale: String) -> Result<JsValue, JsValue> {
    change(&stale).await.map(JsValue::from).map_err(|problem| {
        // Only passes through a promise, to be read by `refreshed`.
        sendable(&problem).unwrap_or_default()
    })
}

async fn change(stale: &str) -> Result<String, Problem> {
    let Some(tokens) = stored() else { return Err(over()) };
    if tokens.access_token != stale {
        // Another tab was quicker.
        return Ok(tokens.access_token);
    }
    let form = RefreshInput { refresh_token: tokens.refresh_token.clone() };
    let call = Call::post(auth::REFRESH_TOKEN, sendable(&form)?).within(REFRESH_MS);
    let mut answer = open_call(&call).await;
    if has_status(&answer, 0) {
        // Perhaps only the answer was lost. For some seconds the server gives the same one again, later no more.
        answer = open_call(&call).await;
    }
    let answer = answer.map_err(Problem::from).and_then(Answer::read::<SignIn>);
    if stored().is_none_or(|now| now.refresh_token != tokens.refresh_token) {
        // Signed out, or signed in anew, while the answer was on its way.
        return stored().map(|now| now.access_token).ok_or_else(over);
    }
    match answer.map(|answer| answer.data) {
        Ok(Some(data)) => {
            store(&data.tokens)?;
            Ok(data.tokens.access_token)
        }
        Ok(None) => Err(Problem::new(text::UNEXPECTED)),
        Err(problem) if ends_session(&problem) => Err(over()),
        Err(problem) => Err(problem),
    }
}

/// Does this refusal of a refresh end the session? A failing network or a busy server doesn't.
fn ends_session(problem: &Problem) -> bool {
    matches!(problem.status, 400 | 401 | 403)
}

fn store(tokens: &Tokens) -> Result<(), Problem> {
    let received = now().to_string();
    // The access token comes last: whoever sees the new one finds the others changed too.
    for (key, value) in [(RECEIVED, &received), (REFRESH, &tokens.refresh_token), (ACCESS, &tokens.access_token)] {
        let kept = storage().is_some_and(|storage| storage.set_item(key, value).is_ok());
        if !kept {
            return Err(Problem::new(text::NO_STORAGE));
        }
    }
    schedule();
    Ok(())
}

fn notify_end() {
    stop_timer();
    tell(ON_END.with_borrow(Clone::clone));
}

/// An answer was that the person may not: one of this module, or one that came another way, such as the import worker's.
#[wasm_bindgen]
pub fn forbidden() {
    tell(ON_FORBIDDEN.with_borrow(Clone::clone));
}

fn tell(page: Option<Function>) {
    if let Some(page) = page {
        // What the page's function throws is the page's affair; there is nobody here to tell.
        let _ = page.call0(&JsValue::NULL);
    }
}

/// Refreshes if it is time, and sets the timer anew.
fn wake() {
    if stored().is_none() {
        return;
    }
    spawn_local(async {
        // A refusal was told by `over`; when the network fails, the timer tries again.
        let _ = fresh().await;
        schedule();
    });
}

/// Sets the timer to when the access token should be refreshed.
fn schedule() {
    stop_timer();
    let Some(window) = web_sys::window() else { return };
    let Some(ends) = stored().and_then(|tokens| ends_at(&tokens.access_token)) else { return };
    let pause = auth::refresh_in(ends, now()).max(SHORTEST_PAUSE).saturating_mul(1_000);
    let pause = i32::try_from(pause).unwrap_or(i32::MAX);
    WAKE.with(|wake| {
        let timer = window.set_timeout_with_callback_and_timeout_and_arguments_0(wake.as_ref().unchecked_ref(), pause);
        TIMER.set(timer.ok());
    });
}

fn stop_timer() {
    if let (Some(window), Some(timer)) = (web_sys::window(), TIMER.take()) {
        window.clear_timeout_with_handle(timer);
    }
}

/// When a token ends, in seconds of this machine's clock: its lifetime counted from when it came.
fn ends_at(token: &str) -> Option<i64> {
    let claims = claims(token)?;
    let received = storage()?.get_item(RECEIVED).ok().flatten().and_then(|at| at.parse::<i64>().ok());
    Some(match (received, claims.iat) {
        (Some(received), Some(issued)) => received.saturating_add(claims.exp.saturating_sub(issued)),
        _ => claims.exp,
    })
}

/// Reads a token's payload. Its signature is the server's affair.
fn claims(token: &str) -> Option<Claims> {
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
