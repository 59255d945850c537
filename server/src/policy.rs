//! The route table: every call, who may make it, how often, and how much it may carry. Routes can only be mounted from
//! here, and the guard in front of each refuses before its handler is asked.

use crate::auth::tokens;
use crate::limits::{self, Caller, Limit};
use crate::pace::Slow;
use crate::problem::{Answer, Refusal};
use crate::scope::{Granted, actor_of_session};
use crate::state::App;
use crate::users::{self, bans};
use crate::{
    auth, contacts, corporations, customers, dashboard, health, images, import, invoices, logs, menu, organizations,
    profile, roles, theme,
};
use axum::Router;
use axum::body::{Body as Incoming, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequestParts, Request, State};
use axum::http::{header, request::Parts};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use forecourt_core::import::Limits;
use forecourt_core::permissions::{Action, ResourceId, may};
use forecourt_core::text;
use forecourt_core::theme::may_set_for_all;
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};
use std::time::Duration;

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
    mount: fn(MethodFilter) -> MethodRouter<App>,
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
use ResourceId::{Contacts, Corporations, Customers, Invoices, Roles, Users};
use Verb::{Delete, Get, Post, Put};
use Who::{Administrator, May, Public, Session};

const fn route(
    verb: Verb,
    path: &'static str,
    who: Who,
    limit: Option<Limit>,
    body: Body,
    mount: fn(MethodFilter) -> MethodRouter<App>,
) -> Route {
    Route { verb, path, who, limit, body, mount }
}

/// Every call there is.
#[rustfmt::skip]
pub const TABLE: &[Route] = &[
    route(Get,    "/api/health",                                Public,                            None,                            Small,   |m| on(m, health::get)),
    route(Get,    "/api/health/live",                           Public,                            None,                            Small,   |m| on(m, health::live)),
    route(Get,    "/api/health/ready",                          Public,                            None,                            Small,   |m| on(m, health::ready)),
    route(Post,   "/api/auth/login",                            Public,                            Some(limits::LOGIN_ADDRESS),     Small,   |m| on(m, auth::login)),
    route(Post,   "/api/auth/verify-otp",                       Public,                            Some(limits::CODE_ADDRESS),      Small,   |m| on(m, auth::verify_otp)),
    route(Post,   "/api/auth/resend-otp",                       Public,                            Some(limits::CODE_ADDRESS),      Small,   |m| on(m, auth::resend_otp)),
    route(Post,   "/api/auth/forgot-password",                  Public,                            Some(limits::FORGOT_ADDRESS),    Small,   |m| on(m, auth::resets::forgot)),
    route(Post,   "/api/auth/reset-password",                   Public,                            Some(limits::RESET_ADDRESS),     Small,   |m| on(m, auth::resets::reset)),
    route(Post,   "/api/auth/refresh-token",                    Public,                            Some(limits::REFRESH_ADDRESS),   Small,   |m| on(m, auth::refresh_token)),
    route(Post,   "/api/auth/signup",                           Public,                            Some(limits::SIGNUP_ADDRESS),    Small,   |m| on(m, corporations::signup)),
    route(Post,   "/api/auth/verify-token",                     Public,                            Some(limits::PAIR_ADDRESS),      Small,   |m| on(m, auth::handoffs::verify_token)),
    route(Get,    "/api/auth/google",                           Public,                            Some(limits::FEDERATED_ADDRESS), Small,   |m| on(m, auth::oidc::leave)),
    route(Get,    "/api/auth/google/callback",                  Public,                            Some(limits::FEDERATED_ADDRESS), Small,   |m| on(m, auth::oidc::callback)),
    route(Post,   "/api/auth/google/connect",                   Session,                           None,                            Small,   |m| on(m, auth::oidc::connect)),
    route(Delete, "/api/auth/google/connect",                   Session,                           None,                            Small,   |m| on(m, auth::oidc::disconnect)),
    route(Post,   "/api/auth/logout",                           Session,                           None,                            Small,   |m| on(m, auth::logout)),
    route(Get,    "/api/auth/profile/detail",                   Session,                           None,                            Small,   |m| on(m, profile::get)),
    route(Post,   "/api/auth/profile/update-profile",           Session,                           None,                            Picture, |m| on(m, profile::update)),
    route(Post,   "/api/auth/change-password",                  Session,                           None,                            Small,   |m| on(m, profile::change_password)),
    route(Delete, "/api/profile/delete-account",                Session,                           None,                            Small,   |m| on(m, profile::delete)),
    route(Get,    "/api/theme",                                 Session,                           None,                            Small,   |m| on(m, theme::get)),
    route(Put,    "/api/theme",                                 Session,                           None,                            Small,   |m| on(m, theme::put)),
    route(Get,    "/api/theme/logo",                            Session,                           None,                            Small,   |m| on(m, theme::get_logo)),
    route(Put,    "/api/theme/logo",                            Administrator,                     None,                            Picture, |m| on(m, theme::put_logo)),
    route(Delete, "/api/theme/logo",                            Administrator,                     None,                            Small,   |m| on(m, theme::delete_logo)),
    route(Get,    "/api/images/{id}",                           Public,                            None,                            Small,   |m| on(m, images::get)),
    route(Post,   "/api/logs",                                  Session,                           None,                            Line,    |m| on(m, logs::post)),
    route(Get,    "/api/rbac/user-permissions",                 Session,                           None,                            Small,   |m| on(m, auth::user_permissions)),
    route(Get,    "/api/rbac/roles",                            May(Read, Roles),                  None,                            Small,   |m| on(m, roles::list)),
    route(Post,   "/api/rbac/roles",                            May(Create, Roles),                None,                            Small,   |m| on(m, roles::create)),
    route(Put,    "/api/rbac/roles/{roleId}",                   May(Update, Roles),                None,                            Small,   |m| on(m, roles::update)),
    route(Delete, "/api/rbac/roles/{roleId}",                   May(Action::Delete, Roles),        None,                            Small,   |m| on(m, roles::delete)),
    route(Post,   "/api/rbac/roles/{roleId}/permissions",       May(Update, Roles),                None,                            Small,   |m| on(m, roles::set_permissions)),
    route(Get,    "/api/users",                                 May(Read, Users),                  None,                            Small,   |m| on(m, users::calls::list)),
    route(Post,   "/api/users",                                 May(Create, Users),                None,                            Small,   |m| on(m, users::calls::create)),
    route(Get,    "/api/users/{id}",                            May(Read, Users),                  None,                            Small,   |m| on(m, users::calls::get)),
    route(Put,    "/api/users/{id}",                            May(Update, Users),                None,                            Small,   |m| on(m, users::calls::update)),
    route(Delete, "/api/users/{id}",                            May(Action::Delete, Users),        None,                            Small,   |m| on(m, users::calls::delete)),
    route(Put,    "/api/users/{id}/password",                   May(Update, Users),                None,                            Small,   |m| on(m, users::calls::set_password)),
    route(Get,    "/api/contacts",                              May(Read, Contacts),               None,                            Small,   |m| on(m, contacts::list)),
    route(Post,   "/api/contacts",                              May(Create, Contacts),             None,                            Small,   |m| on(m, contacts::create)),
    route(Get,    "/api/contacts/{id}",                         May(Read, Contacts),               None,                            Small,   |m| on(m, contacts::get)),
    route(Put,    "/api/contacts/{id}",                         May(Update, Contacts),             None,                            Small,   |m| on(m, contacts::update)),
    route(Delete, "/api/contacts/{id}",                         May(Action::Delete, Contacts),     None,                            Small,   |m| on(m, contacts::delete)),
    route(Post,   "/api/contacts/{id}/comments",                May(Read, Contacts),               None,                            Small,   |m| on(m, contacts::comments::create)),
    route(Put,    "/api/contacts/{id}/comments/{commentId}",    May(Read, Contacts),               None,                            Small,   |m| on(m, contacts::comments::update)),
    route(Delete, "/api/contacts/{id}/comments/{commentId}",    May(Read, Contacts),               None,                            Small,   |m| on(m, contacts::comments::delete)),
    route(Post,   "/api/contacts/import/preview",               May(Create, Contacts),             None,                            File,    |m| on(m, import::preview)),
    route(Post,   "/api/contacts/import/submit",                May(Create, Contacts),             None,                            File,    |m| on(m, import::submit)),
    route(Get,    "/api/contacts/import/status/{sessionId}",    May(Create, Contacts),             None,                            Small,   |m| on(m, import::status)),
    route(Post,   "/api/contacts/import/cancel/{sessionId}",    May(Create, Contacts),             None,                            Small,   |m| on(m, import::cancel)),
    route(Get,    "/api/contacts/import/mapping",               May(Create, Contacts),             None,                            Small,   |m| on(m, import::mapping)),
    route(Get,    "/api/contacts/imports",                      May(Read, Contacts),               None,                            Small,   |m| on(m, import::list)),
    route(Get,    "/api/contacts/imports/{sessionId}/failed.csv", May(Read, Contacts),             None,                            Small,   |m| on(m, import::report::failed)),
    route(Get,    "/api/customers",                             May(Read, Customers),              None,                            Small,   |m| on(m, customers::list)),
    route(Post,   "/api/customers",                             May(Create, Customers),            None,                            Small,   |m| on(m, customers::create)),
    route(Post,   "/api/customers/search-person",               May(Read, Customers),              None,                            Small,   |m| on(m, customers::search_person)),
    route(Get,    "/api/customers/{id}",                        May(Read, Customers),              None,                            Small,   |m| on(m, customers::get)),
    route(Put,    "/api/customers/{id}",                        May(Update, Customers),            None,                            Small,   |m| on(m, customers::update)),
    route(Delete, "/api/customers/{id}",                        May(Action::Delete, Customers),    None,                            Small,   |m| on(m, customers::delete)),
    route(Get,    "/api/invoices",                              May(Read, Invoices),               None,                            Small,   |m| on(m, invoices::list)),
    route(Post,   "/api/invoices",                              May(Create, Invoices),             None,                            Small,   |m| on(m, invoices::create)),
    route(Get,    "/api/invoices/total",                        May(Read, Invoices),               None,                            Small,   |m| on(m, invoices::total)),
    route(Get,    "/api/invoices/{id}",                         May(Read, Invoices),               None,                            Small,   |m| on(m, invoices::get)),
    route(Put,    "/api/invoices/{id}",                         May(Update, Invoices),             None,                            Small,   |m| on(m, invoices::update)),
    route(Delete, "/api/invoices/{id}",                         May(Action::Delete, Invoices),     None,                            Small,   |m| on(m, invoices::delete)),
    route(Get,    "/api/dashboard",                             Session,                           None,                            Small,   |m| on(m, dashboard::get)),
    route(Get,    "/api/corporations",                          May(Read, Corporations),           None,                            Small,   |m| on(m, corporations::list)),
    route(Get,    "/api/corporations/{id}",                     May(Read, Corporations),           None,                            Small,   |m| on(m, corporations::get)),
    route(Get,    "/api/corporations/{corpId}/users",           Administrator,                     None,                            Small,   |m| on(m, users::corporation::list)),
    route(Get,    "/api/corporations/{corpId}/roles",           Administrator,                     None,                            Small,   |m| on(m, users::corporation::list_roles)),
    route(Post,   "/api/corporations/users",                    Administrator,                     None,                            Small,   |m| on(m, users::corporation::create)),
    route(Put,    "/api/corporations/users/{id}",               Administrator,                     None,                            Small,   |m| on(m, users::corporation::update)),
    route(Post,   "/api/corporations/users/{id}/ban",           May(Update, Corporations),         None,                            Small,   |m| on(m, bans::ban)),
    route(Delete, "/api/corporations/users/{id}/ban",           May(Update, Corporations),         None,                            Small,   |m| on(m, bans::lift)),
    route(Get,    "/api/corporations/{id}/full-details",        May(Read, Corporations),           None,                            Small,   |m| on(m, corporations::full_details)),
    route(Put,    "/api/corporations/{id}",                     May(Update, Corporations),         None,                            Small,   |m| on(m, corporations::put)),
    route(Delete, "/api/corporations/{id}",                     May(Action::Delete, Corporations), None,                            Small,   |m| on(m, corporations::delete)),
    route(Post,   "/api/corporations/{id}/resources",           May(Update, Corporations),         None,                            Small,   |m| on(m, corporations::add_resources)),
    route(Delete, "/api/corporations/{id}/resources",           May(Action::Delete, Corporations), None,                            Small,   |m| on(m, corporations::remove_resources)),
    route(Post,   "/api/corporations/organizations/register",   May(Create, Corporations),         None,                            Small,   |m| on(m, corporations::create)),
    route(Get,    "/api/corporations/corporations/current",     Session,                           None,                            Small,   |m| on(m, corporations::current)),
    route(Get,    "/api/corporations/resources",                May(Read, Corporations),           None,                            Small,   |m| on(m, corporations::resources)),
    route(Get,    "/api/corporations/allowed-resources",        Session,                           None,                            Small,   |m| on(m, corporations::allowed_resources)),
    route(Get,    "/api/corporations/users/{id}/notifications", Session,                           None,                            Small,   |m| on(m, corporations::notifications)),
    route(Get,    "/api/corporations/users/{id}/lists",         Session,                           None,                            Small,   |m| on(m, corporations::lists)),
    route(Get,    "/api/corporations/users/{id}/subscriptions", Session,                           None,                            Small,   |m| on(m, corporations::subscriptions)),
    route(Post,   "/api/orgs/register",                         May(Create, Corporations),         None,                            Small,   |m| on(m, corporations::create)),
    route(Put,    "/api/orgs/update",                           May(Update, Corporations),         None,                            Small,   |m| on(m, corporations::update)),
    route(Post,   "/api/orgs/search",                           May(Read, Corporations),           None,                            Small,   |m| on(m, organizations::search)),
    route(Post,   "/api/orgs/public-search",                    May(Read, Corporations),           None,                            Small,   |m| on(m, organizations::public_search)),
    route(Post,   "/api/orgs/check-exists",                     May(Read, Corporations),           None,                            Small,   |m| on(m, organizations::check_exists)),
    route(Get,    "/api/menu/get-all-menu",                     Session,                           None,                            Small,   |m| on(m, menu::list)),
    route(Get,    "/api/menu/get-menu/{id}",                    Session,                           None,                            Small,   |m| on(m, menu::get)),
    route(Post,   "/api/menu/create-menu",                      May(Create, Corporations),         None,                            Small,   |m| on(m, menu::create)),
    route(Post,   "/api/menu/update-menu",                      May(Update, Corporations),         None,                            Small,   |m| on(m, menu::update)),
    route(Delete, "/api/menu/delete-menu/{id}",                 May(Action::Delete, Corporations), None,                            Small,   |m| on(m, menu::delete)),
];

/// The router of the whole table.
pub fn router(app: &App) -> Router<App> {
    TABLE.iter().fold(Router::new(), |router, route| {
        let guarded = (route.mount)(route.verb.filter())
            .route_layer(DefaultBodyLimit::max(route.body.most_bytes(app)))
            .route_layer(from_fn_with_state((app.clone(), *route), guard));
        router.route(route.path, guarded)
    })
}

/// Stands in front of every handler: throttle, then who, then permission, then time.
async fn guard(State((app, route)): State<(App, Route)>, request: Request, next: Next) -> Response {
    let is_slow = request.extensions().get::<Slow>().cloned().unwrap_or_default();
    let admitted = async {
        let (mut parts, mut body) = request.into_parts();
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
        Ok(next.run(Request::from_parts(parts, body)).await)
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

async fn whole(body: Incoming, most: usize) -> Answer<Bytes> {
    Limited::new(body, most).collect().await.map(Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() { Refusal::TooLarge } else { Refusal::invalid(text::BODY_UNREADABLE) }
    })
}

async fn admit(app: &App, route: &Route, parts: &mut Parts) -> Answer<()> {
    let permission = match route.who {
        Public => return Ok(()),
        Session | Administrator => None,
        May(action, resource) => Some((action, resource)),
    };
    let now = app.clock.now();
    let session =
        bearer(parts).and_then(|token| tokens::session_of(&app.keys, token, now)).ok_or(Refusal::SessionOver)?;
    let actor = actor_of_session(&app.db, session, now).await?.ok_or(Refusal::SessionOver)?;
    let mut resources = Vec::new();
    if let Some((action, resource)) = permission {
        resources = actor.permissions().await?;
        if !may(&resources, resource, action) {
            return Err(Refusal::NotAllowed);
        }
    }
    if route.who == Administrator && !may_set_for_all(actor.user_type()) {
        return Err(Refusal::NotAllowed);
    }
    parts.extensions.insert(Granted { actor, who: route.who, resources: resources.into() });
    Ok(())
}

/// The token of `Authorization: Bearer …` (RFC 6750).
fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
