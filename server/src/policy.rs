//! The route table: every call, who may make it, how often, and how much it may carry. Routes can only be mounted from
//! here, and the guard in front of each refuses before its handler is asked.

use crate::auth::tokens;
use crate::fairness::{Client, Cost, run_to_end};
use crate::http;
use crate::limits::{self, Caller, Limit};
use crate::openapi::calls::Call;
use crate::pace::Slow;
use crate::problem::{Answer, Refusal};
use crate::scope::{Actor, Granted, actor_of_session};
use crate::state::App;
use crate::users::{self, bans};
use crate::{
    auth, contacts, corporations, customers, dashboard, health, images, import, invoices, logs, menu, openapi,
    organizations, profile, roles, theme,
};
use axum::Router;
use axum::body::{Body as Incoming, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequestParts, Request, State};
use axum::handler::Handler;
use axum::http::{header, request::Parts};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use forecourt_core::import::Limits;
use forecourt_core::permissions::{Action, ResourceId};
use forecourt_core::text;
use futures_util::future::BoxFuture;
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};
use std::time::Duration;
use uuid::Uuid;

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Anybody, signed in or not.
    Public,
    /// Anybody who is signed in.
    Session,
    /// Whoever has this permission.
    May(Action, ResourceId),
    /// Whoever administers a corporation, or the platform.
    Administrator,
}

/// What a call's body may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// At most 256 kB, within 30 seconds.
    Small,
    /// A line for the log: at most 4 kB (decisions 4.4).
    Line,
    /// A form with a picture, within a minute; the picture's size is its use's own limit.
    Picture,
    /// A file to import, within 15 minutes; its size is the import's own limit.
    File,
}

impl Body {
    fn most_bytes(self, app: &App) -> usize {
        match self {
            Small => 256 * 1024,
            Line => 4 * 1024,
            // The largest picture, and room for the form around it.
            Picture => 6 * 1024 * 1024,
            // The file's limit, and room for the form around it.
            File => {
                let Limits { csv_bytes, excel_bytes, .. } = app.config.import_limits();
                usize::try_from(csv_bytes.max(excel_bytes)).unwrap_or(usize::MAX).saturating_add(import::MOST_BESIDE)
            }
        }
    }

    fn patience(self) -> Duration {
        match self {
            Small | Line => Duration::from_secs(30),
            Picture => Duration::from_secs(60),
            File => Duration::from_secs(15 * 60),
        }
    }
}

/// One line of the table.
#[derive(Clone, Copy)]
pub struct Route {
    pub verb: Verb,
    pub path: &'static str,
    pub who: Who,
    /// Counted by the caller's address before anything else is done.
    pub limit: Option<Limit>,
    pub body: Body,
    pub call: Handling,
}

/// What answers a call, and what the document of the calls says of it.
#[derive(Clone, Copy)]
pub struct Handling {
    /// Its handler's type ends here: what stands in front of handlers is compiled once, and not for each of them.
    answer: fn(Request, App) -> BoxFuture<'static, Response>,
    /// Reads its types.
    pub describe: fn(&mut Call),
    pub summary: &'static str,
    /// What it may be refused with that neither its types nor its line in the table tell.
    pub refuses: &'static [u16],
}

macro_rules! call {
    ($handler:path, $summary:literal $(, refuses $($status:literal),+)?) => {
        Handling {
            answer: |request, app| Box::pin(Handler::call($handler, request, app)),
            describe: |call| call.read($handler),
            summary: $summary,
            refuses: &[$($($status),+)?],
        }
    };
}

/// The methods that the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
    Put,
    Delete,
}

impl Verb {
    fn filter(self) -> MethodFilter {
        match self {
            Get => MethodFilter::GET,
            Post => MethodFilter::POST,
            Put => MethodFilter::PUT,
            Delete => MethodFilter::DELETE,
        }
    }
}

use Action::{Create, Read, Update};
use Body::{File, Line, Picture, Small};
use ResourceId::{Contacts, ContactsImports, Corporations, Customers, Invoices, Roles, Users};
use Verb::{Delete, Get, Post, Put};
use Who::{Administrator, May, Public, Session};

const fn route(verb: Verb, path: &'static str, who: Who, limit: Option<Limit>, body: Body, call: Handling) -> Route {
    Route { verb, path, who, limit, body, call }
}

/// Every call there is.
#[rustfmt::skip]
pub const TABLE: &[Route] = &[
    route(Get,    "/api/health",                                Public,                            None,                            Small,   call!(health::get, "Tells whether this server can work")),
    route(Get,    "/api/health/live",                           Public,                            None,                            Small,   call!(health::live, "Tells whether this process answers")),
    route(Get,    "/api/health/ready",                          Public,                            None,                            Small,   call!(health::ready, "Tells whether calls may be sent here")),
    route(Get,    "/api/openapi.json",                          Public,                            None,                            Small,   call!(openapi::json, "Describes every call")),
    route(Get,    "/api/docs",                                  Public,                            None,                            Small,   call!(openapi::html, "Shows what this describes")),
    route(Get,    "/api/docs.css",                              Public,                            None,                            Small,   call!(openapi::css, "How that page looks")),
    route(Post,   "/api/auth/login",                            Public,                            Some(limits::LOGIN_ADDRESS),     Small,   call!(auth::login, "Signs in with a password; a new device is mailed a code", refuses 401, 403)),
    route(Post,   "/api/auth/verify-otp",                       Public,                            Some(limits::CODE_ADDRESS),      Small,   call!(auth::verify_otp, "Ends a sign-in with the mailed code", refuses 401, 403)),
    route(Post,   "/api/auth/resend-otp",                       Public,                            Some(limits::CODE_ADDRESS),      Small,   call!(auth::resend_otp, "Mails another code")),
    route(Post,   "/api/auth/forgot-password",                  Public,                            Some(limits::FORGOT_ADDRESS),    Small,   call!(auth::resets::forgot, "Mails a link to set a new password")),
    route(Post,   "/api/auth/reset-password",                   Public,                            Some(limits::RESET_ADDRESS),     Small,   call!(auth::resets::reset, "Sets a new password with a mailed link")),
    route(Post,   "/api/auth/refresh-token",                    Public,                            Some(limits::REFRESH_ADDRESS),   Small,   call!(auth::refresh_token, "Changes a refresh token for new tokens", refuses 401)),
    route(Post,   "/api/auth/signup",                           Public,                            Some(limits::SIGNUP_ADDRESS),    Small,   call!(corporations::signup, "Registers a corporation, to be confirmed by a mailed link", refuses 403)),
    route(Post,   "/api/auth/verify-email",                     Public,                            Some(limits::VERIFY_EMAIL_ADDRESS), Small, call!(corporations::verify_email, "Confirms a registration with the mailed link", refuses 403, 409)),
    route(Post,   "/api/auth/verify-token",                     Public,                            Some(limits::PAIR_ADDRESS),      Small,   call!(auth::handoffs::verify_token, "Changes a callback's one-time values for tokens", refuses 401, 403)),
    route(Get,    "/api/auth/google",                           Public,                            Some(limits::FEDERATED_ADDRESS), Small,   call!(auth::oidc::leave, "Sends the browser to the provider")),
    route(Get,    "/api/auth/google/callback",                  Public,                            Some(limits::FEDERATED_ADDRESS), Small,   call!(auth::oidc::callback, "Takes the browser back from the provider")),
    route(Post,   "/api/auth/google/connect",                   Session,                           None,                            Small,   call!(auth::oidc::connect, "Begins to connect one's account with the provider", refuses 409, 429)),
    route(Delete, "/api/auth/google/connect",                   Session,                           None,                            Small,   call!(auth::oidc::disconnect, "Ends that connection")),
    route(Post,   "/api/auth/logout",                           Session,                           None,                            Small,   call!(auth::logout, "Ends one's session")),
    route(Get,    "/api/auth/profile/detail",                   Session,                           None,                            Small,   call!(profile::get, "Shows one's own account")),
    route(Post,   "/api/auth/profile/update-profile",           Session,                           None,                            Picture, call!(profile::update, "Changes one's own account and picture", refuses 403, 429)),
    route(Put,    "/api/auth/profile/language",                 Session,                           None,                            Small,   call!(profile::put_language, "Chooses the language of one's own screens")),
    route(Post,   "/api/auth/change-password",                  Session,                           None,                            Small,   call!(profile::change_password, "Changes one's own password", refuses 429)),
    route(Delete, "/api/profile/delete-account",                Session,                           None,                            Small,   call!(profile::delete, "Deletes one's own account, given its password", refuses 409, 429)),
    route(Get,    "/api/theme",                                 Session,                           None,                            Small,   call!(theme::get, "Shows the accent colour")),
    route(Put,    "/api/theme",                                 Session,                           None,                            Small,   call!(theme::put, "Changes the accent colour", refuses 403)),
    route(Get,    "/api/theme/logo",                            Session,                           None,                            Small,   call!(theme::get_logo, "Shows where the corporation's logo is")),
    route(Put,    "/api/theme/logo",                            Administrator,                     None,                            Picture, call!(theme::put_logo, "Replaces the corporation's logo", refuses 429)),
    route(Delete, "/api/theme/logo",                            Administrator,                     None,                            Small,   call!(theme::delete_logo, "Removes the corporation's logo")),
    route(Get,    "/api/images/{id}",                           Public,                            None,                            Small,   call!(images::get, "Sends a picture to whoever has its link")),
    route(Post,   "/api/logs",                                  Session,                           None,                            Line,    call!(logs::post, "Writes a line into the server's log", refuses 429)),
    route(Get,    "/api/rbac/user-permissions",                 Session,                           None,                            Small,   call!(auth::user_permissions, "Lists what one may do")),
    route(Get,    "/api/rbac/roles",                            May(Read, Roles),                  None,                            Small,   call!(roles::list, "Lists roles")),
    route(Post,   "/api/rbac/roles",                            May(Create, Roles),                None,                            Small,   call!(roles::create, "Creates a role", refuses 409)),
    route(Put,    "/api/rbac/roles/{roleId}",                   May(Update, Roles),                None,                            Small,   call!(roles::update, "Changes a role's name and description", refuses 409)),
    route(Delete, "/api/rbac/roles/{roleId}",                   May(Action::Delete, Roles),        None,                            Small,   call!(roles::delete, "Deletes a role that nobody holds", refuses 409)),
    route(Post,   "/api/rbac/roles/{roleId}/permissions",       May(Update, Roles),                None,                            Small,   call!(roles::set_permissions, "Replaces what a role permits", refuses 409)),
    route(Get,    "/api/users",                                 May(Read, Users),                  None,                            Small,   call!(users::calls::list, "Lists users")),
    route(Post,   "/api/users",                                 May(Create, Users),                None,                            Small,   call!(users::calls::create, "Creates a user", refuses 409, 429)),
    route(Get,    "/api/users/{id}",                            May(Read, Users),                  None,                            Small,   call!(users::calls::get, "Shows a user")),
    route(Put,    "/api/users/{id}",                            May(Update, Users),                None,                            Small,   call!(users::calls::update, "Changes a user", refuses 409, 429)),
    route(Delete, "/api/users/{id}",                            May(Action::Delete, Users),        None,                            Small,   call!(users::calls::delete, "Deletes a user", refuses 409)),
    route(Put,    "/api/users/{id}/password",                   May(Update, Users),                None,                            Small,   call!(users::calls::set_password, "Sets a user's password", refuses 429)),
    route(Get,    "/api/contacts",                              May(Read, Contacts),               None,                            Small,   call!(contacts::list, "Lists contacts")),
    route(Post,   "/api/contacts",                              May(Create, Contacts),             None,                            Small,   call!(contacts::create, "Creates a contact")),
    route(Get,    "/api/contacts/{id}",                         May(Read, Contacts),               None,                            Small,   call!(contacts::get, "Shows a contact")),
    route(Put,    "/api/contacts/{id}",                         May(Update, Contacts),             None,                            Small,   call!(contacts::update, "Changes a contact", refuses 409)),
    route(Delete, "/api/contacts/{id}",                         May(Action::Delete, Contacts),     None,                            Small,   call!(contacts::delete, "Deletes a contact")),
    route(Get,    "/api/contacts/{id}/comments",                May(Read, Contacts),               None,                            Small,   call!(contacts::comments::list, "Lists the comments on a contact")),
    route(Post,   "/api/contacts/{id}/comments",                May(Read, Contacts),               None,                            Small,   call!(contacts::comments::create, "Comments on a contact", refuses 409)),
    route(Put,    "/api/contacts/{id}/comments/{commentId}",    May(Read, Contacts),               None,                            Small,   call!(contacts::comments::update, "Changes one's own comment")),
    route(Delete, "/api/contacts/{id}/comments/{commentId}",    May(Read, Contacts),               None,                            Small,   call!(contacts::comments::delete, "Deletes a comment")),
    route(Post,   "/api/contacts/import/preview",               May(Create, Contacts),             None,                            File,    call!(import::preview, "Shows how a file would be read", refuses 429)),
    route(Post,   "/api/contacts/import/submit",                May(Create, Contacts),             None,                            File,    call!(import::submit, "Takes a file in to be imported", refuses 409, 429)),
    route(Get,    "/api/contacts/import/status/{sessionId}",    May(Create, Contacts),             None,                            Small,   call!(import::status, "Shows how far an import is")),
    route(Post,   "/api/contacts/import/cancel/{sessionId}",    May(Create, Contacts),             None,                            Small,   call!(import::cancel, "Cancels an import", refuses 409)),
    route(Get,    "/api/contacts/import/mapping",               May(Create, Contacts),             None,                            Small,   call!(import::mapping, "Recalls how such a file was mapped before")),
    route(Get,    "/api/contacts/imports",                      May(Read, ContactsImports),        None,                            Small,   call!(import::list, "Lists imports")),
    route(Delete, "/api/contacts/imports/{sessionId}",          May(Action::Delete, ContactsImports), None,                         Small,   call!(import::delete, "Deletes an import and its report; the contacts stay", refuses 409)),
    route(Get,    "/api/contacts/imports/{sessionId}/failed.csv", May(Read, Contacts),             None,                            Small,   call!(import::report::failed, "Sends the rows that failed, to be corrected")),
    route(Get,    "/api/customers",                             May(Read, Customers),              None,                            Small,   call!(customers::list, "Lists customers")),
    route(Post,   "/api/customers",                             May(Create, Customers),            None,                            Small,   call!(customers::create, "Creates a customer")),
    route(Post,   "/api/customers/search-person",               May(Read, Customers),              None,                            Small,   call!(customers::search_person, "Finds a customer by telephone number", refuses 404)),
    route(Get,    "/api/customers/{id}",                        May(Read, Customers),              None,                            Small,   call!(customers::get, "Shows a customer")),
    route(Put,    "/api/customers/{id}",                        May(Update, Customers),            None,                            Small,   call!(customers::update, "Changes a customer", refuses 409)),
    route(Delete, "/api/customers/{id}",                        May(Action::Delete, Customers),    None,                            Small,   call!(customers::delete, "Deletes a customer")),
    route(Get,    "/api/invoices",                              May(Read, Invoices),               None,                            Small,   call!(invoices::list, "Lists invoices")),
    route(Post,   "/api/invoices",                              May(Create, Invoices),             None,                            Small,   call!(invoices::create, "Creates an invoice")),
    route(Get,    "/api/invoices/total",                        May(Read, Invoices),               None,                            Small,   call!(invoices::total, "Counts invoices")),
    route(Get,    "/api/invoices/{id}",                         May(Read, Invoices),               None,                            Small,   call!(invoices::get, "Shows an invoice")),
    route(Put,    "/api/invoices/{id}",                         May(Update, Invoices),             None,                            Small,   call!(invoices::update, "Changes an invoice", refuses 409)),
    route(Delete, "/api/invoices/{id}",                         May(Action::Delete, Invoices),     None,                            Small,   call!(invoices::delete, "Deletes an invoice")),
    route(Get,    "/api/dashboard",                             Session,                           None,                            Small,   call!(dashboard::get, "Shows the figures of the dashboard")),
    route(Get,    "/api/corporations",                          May(Read, Corporations),           None,                            Small,   call!(corporations::list, "Lists corporations")),
    route(Get,    "/api/corporations/{id}",                     May(Read, Corporations),           None,                            Small,   call!(corporations::get, "Shows a corporation")),
    route(Get,    "/api/corporations/{corpId}/users",           Administrator,                     None,                            Small,   call!(users::corporation::list, "Lists a corporation's users")),
    route(Get,    "/api/corporations/{corpId}/roles",           Administrator,                     None,                            Small,   call!(users::corporation::list_roles, "Lists a corporation's roles")),
    route(Post,   "/api/corporations/users",                    Administrator,                     None,                            Small,   call!(users::corporation::create, "Creates a user of a corporation", refuses 404, 409, 429)),
    route(Put,    "/api/corporations/users/{id}",               Administrator,                     None,                            Small,   call!(users::corporation::update, "Changes a user of a corporation, or switches one on or off", refuses 409, 429)),
    route(Post,   "/api/corporations/users/{id}/ban",           May(Update, Corporations),         None,                            Small,   call!(bans::ban, "Bans a user", refuses 409)),
    route(Delete, "/api/corporations/users/{id}/ban",           May(Update, Corporations),         None,                            Small,   call!(bans::lift, "Lifts a ban")),
    route(Get,    "/api/corporations/{id}/full-details",        May(Read, Corporations),           None,                            Small,   call!(corporations::full_details, "Shows a corporation and its organisation")),
    route(Put,    "/api/corporations/{id}",                     May(Update, Corporations),         None,                            Small,   call!(corporations::put, "Changes a corporation", refuses 409)),
    route(Delete, "/api/corporations/{id}",                     May(Action::Delete, Corporations), None,                            Small,   call!(corporations::delete, "Deletes a corporation and all that is its own", refuses 409)),
    route(Post,   "/api/corporations/{id}/resources",           May(Update, Corporations),         None,                            Small,   call!(corporations::add_resources, "Adds modules to a corporation", refuses 409)),
    route(Delete, "/api/corporations/{id}/resources",           May(Action::Delete, Corporations), None,                            Small,   call!(corporations::remove_resources, "Takes modules from a corporation", refuses 409)),
    route(Post,   "/api/corporations/organizations/register",   May(Create, Corporations),         None,                            Small,   call!(corporations::create, "Registers a corporation and its administrator", refuses 409)),
    route(Get,    "/api/corporations/corporations/current",     Session,                           None,                            Small,   call!(corporations::current, "Shows one's own corporation", refuses 404)),
    route(Get,    "/api/corporations/resources",                May(Read, Corporations),           None,                            Small,   call!(corporations::resources, "Lists the modules that a corporation can have")),
    route(Get,    "/api/corporations/allowed-resources",        Session,                           None,                            Small,   call!(corporations::allowed_resources, "Lists the modules of one's own corporation, and the others")),
    route(Get,    "/api/corporations/users/{id}/notifications", Session,                           None,                            Small,   call!(corporations::notifications, "Shows whether notifications are included")),
    route(Get,    "/api/corporations/users/{id}/lists",         Session,                           None,                            Small,   call!(corporations::lists, "Shows whether lists are included")),
    route(Get,    "/api/corporations/users/{id}/subscriptions", Session,                           None,                            Small,   call!(corporations::subscriptions, "Lists what somebody's corporation includes")),
    route(Post,   "/api/orgs/register",                         May(Create, Corporations),         None,                            Small,   call!(corporations::create, "Registers a corporation and its administrator", refuses 409)),
    route(Put,    "/api/orgs/update",                           May(Update, Corporations),         None,                            Small,   call!(corporations::update, "Changes a corporation, named in the body", refuses 404, 409)),
    route(Post,   "/api/orgs/search",                           May(Read, Corporations),           None,                            Small,   call!(organizations::search, "Looks a company up, here and in the directory", refuses 404, 429)),
    route(Post,   "/api/orgs/public-search",                    May(Read, Corporations),           None,                            Small,   call!(organizations::public_search, "Looks a company up in the directory", refuses 404, 429)),
    route(Post,   "/api/orgs/check-exists",                     May(Read, Corporations),           None,                            Small,   call!(organizations::check_exists, "Tells whether a company is registered here", refuses 429)),
    route(Get,    "/api/menu/get-all-menu",                     Session,                           None,                            Small,   call!(menu::list, "Lists the menu's entries")),
    route(Get,    "/api/menu/get-menu/{id}",                    Session,                           None,                            Small,   call!(menu::get, "Shows an entry of the menu")),
    route(Post,   "/api/menu/create-menu",                      May(Create, Corporations),         None,                            Small,   call!(menu::create, "Refused: the menu is fixed", refuses 409)),
    route(Post,   "/api/menu/update-menu",                      May(Update, Corporations),         None,                            Small,   call!(menu::update, "Refused: the menu is fixed", refuses 409)),
    route(Delete, "/api/menu/delete-menu/{id}",                 May(Action::Delete, Corporations), None,                            Small,   call!(menu::delete, "Refused: the menu is fixed", refuses 409)),
];

/// The router of the whole table.
pub fn router(app: &App) -> Router<App> {
    TABLE.iter().fold(Router::new(), |router, route| {
        let answer = route.call.answer;
        let guarded = on(route.verb.filter(), move |State(app): State<App>, request: Request| answer(request, app))
            .route_layer(DefaultBodyLimit::max(route.body.most_bytes(app)))
            .route_layer(from_fn_with_state((app.clone(), *route), guard));
        router.route(route.path, guarded)
    })
}

/// Stands in front of every handler: throttle, then who, then permission, then time.
async fn guard(State((app, route)): State<(App, Route)>, request: Request, next: Next) -> Response {
    let is_slow = request.extensions().get::<Slow>().cloned().unwrap_or_default();
    if route.body == File {
        is_slow.expect_file();
    }
    let admitted = async {
        let (mut parts, mut body) = request.into_parts();
        let length = body.size_hint().exact().and_then(|length| usize::try_from(length).ok());
        let cost = Cost::of(&route, &parts.uri, length);
        let mut permits = app.fairness.enter(client(&app, &route, &mut parts).await?, cost).await?;
        if let Some(limit) = route.limit {
            let Caller(address) = Caller::from_request_parts(&mut parts, &app).await?;
            limits::take(&app, limit, &address).await?;
        }
        admit(&app, &route, &mut parts).await?;
        // Whoever sends what they want slowly may have lost the right to it when it is there.
        if route.who != Public && route.body == Small && !body.is_end_stream() {
            body = whole(body, route.body.most_bytes(&app)).await?.into();
            admit(&app, &route, &mut parts).await?;
        }
        let tenant = parts.extensions.get::<Granted>().map(|granted| granted.actor.scope().corp());
        let mut turn = None;
        if let Some(tenant) = tenant {
            turn = app.fairness.turn(tenant, cost.work).await?;
            permits.charge(&app.fairness, tenant).await?;
        }
        let response = next.run(Request::from_parts(parts, body));
        let response = match turn {
            Some(turn) => run_to_end(response, turn).await,
            None => response.await,
        };
        Ok(permits.hold(response).await)
    };
    let answer = tokio::time::timeout(route.body.patience(), admitted).await;
    // Whatever the handler made of a body that broke off.
    if is_slow.is_so() {
        return Refusal::TooSlow.into_response();
    }
    match answer {
        Ok(answer) => answer.unwrap_or_else(Refusal::into_response),
        Err(_) => Refusal::TooSlow.into_response(),
    }
}

/// Who asks, without asking the database: the session that a valid token names, else the address.
async fn client(app: &App, route: &Route, parts: &mut Parts) -> Answer<Client> {
    let session = bearer(parts).filter(|_| route.who != Public);
    match session.and_then(|token| tokens::session_of(&app.keys, token, app.clock.now())) {
        Some(session) => Ok(Client::Session(session)),
        None => Caller::from_request_parts(parts, app).await.map(|Caller(address)| Client::Address(address)),
    }
}

async fn whole(body: Incoming, most: usize) -> Answer<Bytes> {
    Limited::new(body, most).collect().await.map(Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() { Refusal::TooLarge } else { Refusal::invalid(text::BODY_INVALID) }
    })
}

async fn admit(app: &App, route: &Route, parts: &mut Parts) -> Answer<()> {
    if route.who == Public {
        return Ok(());
    }
    let now = app.clock.now();
    let session =
        bearer(parts).and_then(|token| tokens::session_of(&app.keys, token, now)).ok_or(Refusal::SessionOver)?;
    let actor = actor_of_session(&app.db, session, now).await?.ok_or(Refusal::SessionOver)?;
    // Once, however often it is asked.
    if parts.extensions.get::<Granted>().is_none() {
        http::concerns(actor.scope().user());
    }
    parts.extensions.insert(grant(app, actor, route.who).await?);
    Ok(())
}

/// What this person may do now, if that is what the route asks for.
async fn grant(app: &App, actor: Actor, who: Who) -> Answer<Granted> {
    let resources = match who {
        May(..) => actor.permissions().await?,
        Public | Session | Administrator => Vec::new(),
    };
    if !who.admits(actor.user_type(), &resources) {
        return Err(Refusal::NotAllowed);
    }
    Ok(Granted { actor: actor.guarded(who, &app.clock), who, resources: resources.into() })
}

/// What the person behind a session was granted for a call, asked once more.
///
/// # Errors
/// As the guard's: 401 or 403.
pub(crate) async fn grant_again(app: &App, session: Uuid, who: Who) -> Answer<Granted> {
    let actor = actor_of_session(&app.db, session, app.clock.now()).await?.ok_or(Refusal::SessionOver)?;
    grant(app, actor, who).await
}

/// The token of `Authorization: Bearer …` (RFC 6750). Of two such headers, a program on the way may have read the other.
fn bearer(parts: &Parts) -> Option<&str> {
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table_says_who_makes_which_call_how_often_and_with_what_body() {
        let Route { verb, path, who, limit, body, .. } =
            route(Delete, "/api/x", Administrator, Some(limits::IMPORTS), File, TABLE[0].call);
        assert_eq!((verb, path, who, body), (Delete, "/api/x", Administrator, File));
        assert_eq!(limit.map(|limit| limit.name), Some("imports"));
    }
}
