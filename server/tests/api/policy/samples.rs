//! A sample request for each route, and the status of its response to a user who may send it.

use super::content::Content;
use super::fixtures::ResourceKind::{
    self, Change, Comment, Corporation, Image, Import, MenuEntry, OwnUser, Photo, PlatformUser, Record, Resource, Role,
    SignUp, User, VehiclePhoto, View,
};
use crate::app::PASSWORD;
use crate::image_files::{png, red_and_blue};
use crate::imports::{csv, csv_mapping};
use crate::records::{RECORDS, TestRecord, merge_of_missing};
use forecourt::access::route::Method as RouteMethod;
use forecourt::access::route::Method::{Delete, Get, Post, Put};
use forecourt::access::route::Who;
use forecourt::features::Route;
use forecourt_core::history::HistoryAction::{
    self, Created, Declined, Deleted, Erased, Exported, Imported, Reverted, SignedOut, Updated,
};
use forecourt_core::permissions::Action::{Delete as Delete_, Read, Update};
use forecourt_core::permissions::ResourceId::{Contacts, Customers, History};
use reqwest::Method;
use serde_json::json;
use std::sync::LazyLock;
use uuid::Uuid;

/// The values that a request is built from.
pub struct RequestValues {
    /// The user that sends the request.
    pub user: Uuid,
    pub email: String,
    /// The tenant that the request refers to; `role` is one of its roles.
    pub corp: Uuid,
    pub role: Uuid,
    /// A number that is different in each request, for values that must be unique.
    pub n: u64,
}

/// How a request's body is made.
#[derive(Clone, Copy, Debug)]
enum Body {
    Of(fn(&RequestValues) -> Content),
    OfRecord(fn(&TestRecord, &RequestValues) -> Content, &'static TestRecord),
}

/// A sample request for one route, and what a test must know about it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    verb: RouteMethod,
    path: &'static str,
    /// The kind of resource that the ids in the path name.
    pub id: Option<ResourceKind>,
    body: Body,
    /// The ids in the body or query: the JSON pointer of each, and the kind of resource that it names. `body` has the
    /// user's own ids in their place, except for those of records.
    pub ids: &'static [(&'static str, ResourceKind)],
    /// The status of the response to a user who may send the request.
    pub expected_status: u16,
    /// A requirement that the user must meet in addition to that of the route.
    pub also: Who,
    /// The requirement for seeing the resource in the path. Other users get 404, even if they may send the request.
    pub shown_to: Who,
    /// Whether the user can't send other requests of the matrix afterwards: the request ends the session, deletes the
    /// user, or changes the password. It is then sent by a new user of the same kind.
    pub uses_up_user: bool,
    /// Whether the request queues a mail under the platform's tenant, and so adds a row there.
    pub mails_platform: bool,
    /// Whether only the first such request on a resource succeeds.
    pub succeeds_once: bool,
    /// The action of the one entry that the request adds to a history, without those of a batch's records.
    pub entry: Option<HistoryAction>,
}

const fn sample(verb: RouteMethod, path: &'static str, expected_status: u16) -> Sample {
    Sample {
        verb,
        path,
        id: None,
        body: Body::Of(|_| Content::Empty),
        ids: &[],
        expected_status,
        also: Who::Public,
        shown_to: Who::Public,
        uses_up_user: false,
        mails_platform: false,
        succeeds_once: false,
        entry: match (verb, expected_status) {
            (Get, _) | (_, 300..) => None,
            (Post, 201) => Some(Created),
            (Delete, _) => Some(Deleted),
            (Post | Put, _) => Some(Updated),
        },
    }
}

impl Sample {
    const fn path_id(self, resource: ResourceKind) -> Self {
        Sample { id: Some(resource), ..self }
    }

    const fn with(self, content: fn(&RequestValues) -> Content) -> Self {
        Sample { body: Body::Of(content), ..self }
    }

    fn with_record(self, content: fn(&TestRecord, &RequestValues) -> Content, record: &'static TestRecord) -> Self {
        Sample { body: Body::OfRecord(content, record), ..self }
    }

    const fn body_ids(self, ids: &'static [(&'static str, ResourceKind)]) -> Self {
        Sample { ids, ..self }
    }

    const fn also_requires(self, also: Who) -> Self {
        Sample { also, ..self }
    }

    const fn shown_to(self, shown_to: Who) -> Self {
        Sample { shown_to, ..self }
    }

    const fn uses_up_user(self) -> Self {
        Sample { uses_up_user: true, ..self }
    }

    const fn mails_platform(self) -> Self {
        Sample { mails_platform: true, ..self }
    }

    const fn succeeds_once(self) -> Self {
        Sample { succeeds_once: true, ..self }
    }

    /// Sets the action of the request's history entry, if `sample` does not derive it from method and status.
    const fn recorded_as(self, action: HistoryAction) -> Self {
        Sample { entry: Some(action), ..self }
    }

    /// Says that the request adds no history entry: it changes nothing, only the settings of the user's own screens, or
    /// stores a sign-up that is not confirmed yet.
    const fn is_not_recorded(self) -> Self {
        Sample { entry: None, ..self }
    }

    pub fn content(&self, values: &RequestValues) -> Content {
        match self.body {
            Body::Of(content) => content(values),
            Body::OfRecord(content, record) => content(record, values),
        }
    }

    pub fn is_for_route(&self, route: &Route) -> bool {
        (self.verb, self.path) == (route.method, route.path)
    }
}

fn import(_: &RequestValues) -> Content {
    Content::File("file", "people.csv", csv(3), vec![("columnMapping", csv_mapping().to_string())])
}

/// Returns a body with an email, device, token and code that belong to no user.
fn unknown_user(_: &RequestValues) -> Content {
    let unknown_user = "nobody@nowhere.example";
    Content::Json(json!({
        "email": unknown_user, "password": PASSWORD, "deviceId": "none", "deviceName": "Tests", "otp": "000000",
        "token": "none", "accessToken": "none", "refreshToken": "none",
    }))
}

/// Returns a body with the tenant's organization number.
fn company(values: &RequestValues) -> Content {
    Content::Json(json!({"organization_number": values.corp.simple().to_string()}))
}

/// Returns the form that changes the tenant's company record.
fn record(values: &RequestValues) -> Content {
    Content::Json(json!({
        "corp_id": values.corp.to_string(), "organization_number": values.corp.simple().to_string(), "corp_name": "Ny Bil",
        "street_address": "Storgatan 1", "registered_city": "Malmö", "postal_code": "211 42", "city": "Malmö",
        "company_email": "info@bil.example", "company_phone": "040123456", "allowed_resources": ["contacts"],
    }))
}

/// Returns the form that registers a new corporation.
fn corporation_registration(values: &RequestValues) -> Content {
    let Content::Json(mut body) = record(values) else { unreachable!() };
    body["organization_number"] = format!("55{:08}", values.n).into();
    body["admin_data"] = json!({
        "first_name": "Ada", "last_name": "Lindqvist", "email": format!("first{}@bil.example", values.n),
        "phone": "0701234567", "password": PASSWORD,
    });
    Content::Json(body)
}

/// Returns the form of a new user of the tenant, which both `/api/users` and `/api/corporations/users` accept.
fn person(values: &RequestValues) -> Content {
    Content::Json(json!({
        "corp_id": values.corp.to_string(), "first_name": "Ada", "last_name": "Lindqvist",
        "email": format!("person{}@bil.example", values.n), "mobile": "0701234567", "password": PASSWORD,
        "user_type": "User", "role_id": values.role.to_string(),
    }))
}

fn role(values: &RequestValues) -> Content {
    Content::Json(json!({"name": format!("Sales {}", values.n), "description": "Sells"}))
}

fn comment(_: &RequestValues) -> Content {
    Content::Json(json!({"comment": "Called"}))
}

fn view(values: &RequestValues) -> Content {
    Content::Json(json!({"resource": "contacts", "name": format!("Without e-mail {}", values.n)}))
}

/// Returns settings of a corporation that differ from those of the previous request.
fn settings(values: &RequestValues) -> Content {
    Content::Json(json!({"country": "SE", "currency": "SEK", "vat_rate": values.n % 101}))
}

fn modules(_: &RequestValues) -> Content {
    Content::Json(json!({"resourceIds": ["contacts"]}))
}

/// The samples of all routes. A route may have several.
pub static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let of_records = RECORDS.iter().flat_map(|record| samples_of_records(record));
    OTHERS.iter().copied().chain(of_records).collect()
});

/// Returns the samples of the routes that every list of records has, for this list.
#[rustfmt::skip]
fn samples_of_records(record: &'static TestRecord) -> [Sample; 8] {
    let path = |end: &str| -> &'static str { format!("/api/{}{end}", record.list).leak() };
    let (list, one, id) = (path(""), path("/{id}"), Record(record.list));
    let bulk = sample(Post, path("/bulk"), 200);
    let may = |action| Who::May(action, record.resource());
    [
        sample(Get,    list,            200),
        sample(Post,   list,            201).with_record(TestRecord::form, record),
        sample(Get,    one,             200).path_id(id),
        sample(Put,    one,             200).path_id(id).with_record(TestRecord::form, record),
        sample(Delete, one,             200).path_id(id),
        sample(Get,    path("/export"), 200).recorded_as(Exported),
        bulk.also_requires(may(Update)).with_record(TestRecord::bulk_update, record).recorded_as(Updated),
        // Deletes no record, so it adds no entry; `history.rs` tests deletions.
        bulk.also_requires(may(Delete_)).with_record(TestRecord::bulk_delete, record).is_not_recorded(),
    ]
}

const CONTACT: ResourceKind = Record("contacts");
const VEHICLE: ResourceKind = Record("vehicles");
const AGREEMENT: ResourceKind = Record("agreements");

/// The samples of the other routes, by path.
#[rustfmt::skip]
const OTHERS: &[Sample] = &[
    sample(Get,    "/api/health",                             200),
    sample(Get,    "/api/health/live",                        200),
    sample(Get,    "/api/health/ready",                       200),
    sample(Get,    "/api/openapi.json",                       200),
    sample(Get,    "/api/docs",                               200),
    sample(Get,    "/api/docs.css",                           200),
    sample(Post,   "/api/auth/login",                         401).with(unknown_user),
    sample(Post,   "/api/auth/verify-otp",                    400).with(unknown_user),
    sample(Post,   "/api/auth/resend-otp",                    200).is_not_recorded().with(unknown_user),
    sample(Post,   "/api/auth/forgot-password",               200).is_not_recorded().with(unknown_user),
    sample(Post,   "/api/auth/reset-password",                400).with(unknown_user),
    sample(Post,   "/api/auth/refresh-token",                 401).with(unknown_user),
    sample(Post,   "/api/auth/signup",                        201).is_not_recorded().mails_platform().with(|values| Content::Json(json!({
        "first_name": "Ada", "last_name": "Lindqvist", "email": format!("new{}@bil.example", values.n),
        "mobile": "0701234567", "password": PASSWORD, "organization_number": "556036-0793", "corp_name": "Ny Bil",
        "street_address": "Storgatan 1", "registered_city": "Malmö", "postal_code": "211 42", "city": "Malmö",
        "company_email": "info@bil.example", "company_phone": "040123456",
    }))),
    sample(Post,   "/api/auth/verify-email",                  400).with(|_| Content::Json(json!({"token": "unknown"}))),
    sample(Post,   "/api/auth/verify-token",                  200).is_not_recorded().with(unknown_user),
    sample(Get,    "/api/auth/google",                        302),
    sample(Get,    "/api/auth/google/callback",               302),
    // 409, because no provider is configured in this installation.
    sample(Post,   "/api/auth/google/connect",                409).with(|_| Content::Json(json!({"currentPassword": PASSWORD}))),
    sample(Delete, "/api/auth/google/connect",                200).is_not_recorded(),
    sample(Post,   "/api/auth/logout",                        200).recorded_as(SignedOut).uses_up_user(),
    sample(Get,    "/api/auth/profile/detail",                200),
    sample(Post,   "/api/auth/profile/update-profile",        200).body_ids(&[("/_id", User)]).with(|values| Content::Form(vec![
        ("_id", values.user.to_string()), ("first_name", "Ada".into()), ("last_name", "Lindqvist".into()),
        ("email", values.email.clone()), ("mobile", "0701234567".into()),
    ])),
    sample(Put,    "/api/auth/profile/language",              200).is_not_recorded().with(|_| Content::Json(json!({"language": "sv"}))),
    sample(Post,   "/api/auth/change-password",               200).uses_up_user().with(|_| Content::Json(json!({
        "currentPassword": PASSWORD, "newPassword": "another-long-password", "confirmPassword": "another-long-password",
    }))),
    sample(Delete, "/api/profile/delete-account",             200).uses_up_user().with(|_| Content::Json(json!({"password": PASSWORD}))),
    sample(Get,    "/api/theme",                              200),
    sample(Put,    "/api/theme",                              200).with(|_| Content::Json(json!({"color": "#ef4444"}))).is_not_recorded(),
    sample(Put,    "/api/theme",                              200).also_requires(Who::Administrator).with(|_| Content::Json(json!({
        "color": "#ef4444", "scope": "corporation",
    }))),
    sample(Get,    "/api/theme/logo",                         200),
    sample(Put,    "/api/theme/logo",                         200).with(|_| Content::File("logo", "logo.png", png(red_and_blue(8, 8)), vec![])),
    sample(Delete, "/api/theme/logo",                         200).recorded_as(Updated),
    sample(Get,    "/api/settings",                           200),
    sample(Put,    "/api/settings",                           200).with(settings),
    sample(Get,    "/api/images/{id}",                        200).path_id(Image),
    sample(Get,    "/api/photos/{id}",                        200).path_id(Photo),
    sample(Get,    "/api/photos/{id}/thumbnail",              200).path_id(Photo),
    sample(Post,   "/api/vehicles/{id}/photos",               201).recorded_as(Updated).path_id(VEHICLE).with(|_| Content::File("photo", "car.png", png(red_and_blue(8, 6)), vec![])),
    // The vehicle has no photos, so this order changes nothing.
    sample(Put,    "/api/vehicles/{id}/photos",               200).path_id(VEHICLE).with(|_| Content::Json(json!({"order": []}))).is_not_recorded(),
    sample(Delete, "/api/vehicles/{id}/photos/{photo_id}",    200).recorded_as(Updated).path_id(VehiclePhoto),
    sample(Post,   "/api/agreements/{id}/state",              200).recorded_as(Updated).succeeds_once().path_id(AGREEMENT).with(|_| Content::Json(json!({"state": "Cancelled"}))),
    sample(Post,   "/api/logs",                               200).is_not_recorded().with(|_| Content::Json(json!({"message": "Something failed"}))),
    sample(Get,    "/api/rbac/user-permissions",              200),
    sample(Get,    "/api/rbac/roles",                         200),
    sample(Post,   "/api/rbac/roles",                         201).with(role),
    sample(Put,    "/api/rbac/roles/{roleId}",                200).path_id(Role).with(role),
    sample(Delete, "/api/rbac/roles/{roleId}",                200).path_id(Role),
    sample(Post,   "/api/rbac/roles/{roleId}/permissions",    200).path_id(Role).body_ids(&[("/permissions/0/resource_id", Resource)]).with(
        |_| Content::Json(json!({"permissions": [{"resource_id": "contacts", "can_read": true}]})),
    ),
    sample(Get,    "/api/users",                              200),
    sample(Get,    "/api/users/export",                       200).recorded_as(Exported),
    sample(Post,   "/api/users",                              201).body_ids(&[("/role_id", Role)]).with(person),
    sample(Get,    "/api/users/{id}",                         200).path_id(User),
    sample(Put,    "/api/users/{id}",                         200).path_id(User).body_ids(&[("/role_id", Role)]).with(person),
    sample(Delete, "/api/users/{id}",                         200).path_id(User),
    sample(Put,    "/api/users/{id}/password",                200).path_id(User).with(|_| Content::Json(json!({"password": PASSWORD}))),
    sample(Get,    "/api/contacts/{id}/comments",             200).path_id(CONTACT),
    sample(Post,   "/api/contacts/{id}/comments",             201).recorded_as(Updated).path_id(CONTACT).with(comment),
    sample(Put,    "/api/contacts/{id}/comments/{commentId}", 200).path_id(Comment).with(comment),
    sample(Delete, "/api/contacts/{id}/comments/{commentId}", 200).recorded_as(Updated).path_id(Comment),
    sample(Post,   "/api/contacts/import/preview",            200).is_not_recorded().with(import),
    sample(Post,   "/api/contacts/import/submit",             202).recorded_as(Imported).with(import),
    sample(Get,    "/api/contacts/import/status/{sessionId}", 200).path_id(Import),
    // The import has already ended, and cancelling it again has no effect.
    sample(Post,   "/api/contacts/import/cancel/{sessionId}", 200).is_not_recorded().path_id(Import),
    sample(Get,    "/api/contacts/import/mapping",            200),
    sample(Get,    "/api/contacts/imports",                   200),
    sample(Delete, "/api/contacts/imports/{sessionId}",      200).path_id(Import),
    sample(Get,    "/api/contacts/imports/{sessionId}/failed.csv", 200).path_id(Import),
    sample(Post,   "/api/customers/search-person",            404).with(|_| Content::Json(json!({"phoneNumber": "000"}))),
    sample(Get,    "/api/invoices/total",                     200),
    sample(Get,    "/api/dashboard",                          200),
    sample(Get,    "/api/events",                             200),
    sample(Post,   "/api/events/presence",                    404).also_requires(Who::May(Read, Contacts)).with(not_in_the_trash),
    sample(Get,    "/api/views",                              200),
    sample(Get,    "/api/history",                            200).also_requires(Who::May(Read, Contacts)).body_ids(&[("/id", CONTACT)]).with(record_of_history),
    sample(Get,    "/api/history",                            200).also_requires(Who::May(Read, History)),
    sample(Get,    "/api/history/{history_id}",               200).path_id(Change).also_requires(Who::May(Read, Contacts)),
    sample(Get,    "/api/history/{history_id}/record",        200).path_id(Change).also_requires(Who::May(Read, Contacts)),
    sample(Post,   "/api/history/{history_id}/revert",        200).recorded_as(Reverted).path_id(Change).also_requires(Who::May(Update, Contacts)).succeeds_once()
        .with(|_| Content::Json(json!({}))),
    sample(Get,    "/api/contacts/duplicates",                200),
    sample(Get,    "/api/customers/duplicates",               200),
    sample(Post,   "/api/contacts/merge",                     404).also_requires(Who::May(Delete_, Contacts)).with(merge_of_missing),
    sample(Post,   "/api/customers/merge",                    404).also_requires(Who::May(Delete_, Customers)).with(merge_of_missing),
    sample(Get,    "/api/trash",                              200).also_requires(Who::May(Delete_, Contacts)).with(trash_of_contacts),
    sample(Post,   "/api/trash/restore",                      404).also_requires(Who::May(Delete_, Contacts)).with(not_in_the_trash),
    sample(Delete, "/api/trash",                              404).with(not_in_the_trash),
    sample(Post,   "/api/views",                              201).is_not_recorded().also_requires(Who::May(Read, Contacts)).with(view),
    sample(Put,    "/api/views/{view_id}",                    200).is_not_recorded().path_id(View).shown_to(Who::May(Read, Contacts)).with(view),
    sample(Delete, "/api/views/{view_id}",                    200).is_not_recorded().path_id(View).shown_to(Who::May(Read, Contacts)),
    sample(Post,   "/api/privacy/person",                     200).is_not_recorded().with(|values| Content::Json(json!({"email": values.email}))),
    sample(Get,    "/api/privacy/export",                     200).recorded_as(Exported).with(|values| Content::Query(vec![("email", values.email.clone())])),
    sample(Post,   "/api/privacy/erase",                      200).recorded_as(Erased).with(|values| Content::Json(json!({"email": values.email}))),
    sample(Get,    "/api/privacy/certificates",               200),
    sample(Get,    "/api/platform",                           200),
    sample(Get,    "/api/corporations",                       200),
    sample(Get,    "/api/corporations/export",                200).recorded_as(Exported),
    sample(Get,    "/api/corporations/{id}",                  200).path_id(Corporation),
    sample(Get,    "/api/corporations/{corpId}/users",        200).path_id(Corporation),
    sample(Get,    "/api/corporations/{corpId}/roles",        200).path_id(Corporation),
    sample(Post,   "/api/corporations/users",                 201).body_ids(&[("/corp_id", Corporation), ("/role_id", Role)]).with(person),
    sample(Put,    "/api/corporations/users/{id}",            200).path_id(PlatformUser).body_ids(&[("/role_id", Role)]).with(person),
    sample(Put,    "/api/corporations/users/{id}",            200).path_id(PlatformUser).with(|_| Content::Json(json!({"is_active": false}))),
    sample(Post,   "/api/corporations/users/{id}/ban",        200).path_id(PlatformUser).with(|_| Content::Json(json!({"reason": "Spam"}))),
    // The user is not banned, so lifting the ban changes nothing.
    sample(Delete, "/api/corporations/users/{id}/ban",        200).path_id(PlatformUser).is_not_recorded(),
    sample(Get,    "/api/corporations/{id}/full-details",     200).path_id(Corporation),
    sample(Put,    "/api/corporations/{id}",                  200).path_id(Corporation).body_ids(&[("/allowed_resources/0", Resource)]).with(record),
    sample(Delete, "/api/corporations/{id}",                  200).path_id(Corporation),
    sample(Post,   "/api/corporations/{id}/decline",          200).recorded_as(Declined).path_id(SignUp).with(|_| Content::Json(json!({"reason": "No"}))),
    // The corporation may use these modules already.
    sample(Post,   "/api/corporations/{id}/resources",        200).is_not_recorded().path_id(Corporation).body_ids(&[("/resourceIds/0", Resource)]).with(modules),
    sample(Delete, "/api/corporations/{id}/resources",        200).recorded_as(Updated).path_id(Corporation).body_ids(&[("/resourceIds/0", Resource)]).with(modules),
    sample(Post,   "/api/corporations/organizations/register", 201).body_ids(&[("/allowed_resources/0", Resource)]).with(corporation_registration),
    sample(Get,    "/api/corporations/corporations/current",  200),
    sample(Get,    "/api/corporations/resources",             200),
    sample(Get,    "/api/corporations/allowed-resources",     200),
    sample(Get,    "/api/corporations/users/{id}/notifications", 200).path_id(OwnUser),
    sample(Get,    "/api/corporations/users/{id}/lists",      200).path_id(OwnUser),
    sample(Get,    "/api/corporations/users/{id}/subscriptions", 200).path_id(OwnUser),
    sample(Post,   "/api/orgs/register",                      201).body_ids(&[("/allowed_resources/0", Resource)]).with(corporation_registration),
    sample(Put,    "/api/orgs/update",                        200).body_ids(&[("/corp_id", Corporation), ("/allowed_resources/0", Resource)]).with(record),
    sample(Post,   "/api/orgs/search",                        200).is_not_recorded().with(company),
    sample(Post,   "/api/orgs/public-search",                 200).is_not_recorded().with(company),
    sample(Post,   "/api/orgs/check-exists",                  200).is_not_recorded().with(company),
    sample(Get,    "/api/menu/get-all-menu",                  200),
    sample(Get,    "/api/menu/get-menu/{id}",                 200).path_id(MenuEntry).shown_to(Who::May(Read, Contacts)),
    // No user can change the menu, so users with the permission get 409.
    sample(Post,   "/api/menu/create-menu",                   409),
    sample(Post,   "/api/menu/update-menu",                   409),
    sample(Delete, "/api/menu/delete-menu/{id}",              409).path_id(MenuEntry),
];

pub fn method(verb: RouteMethod) -> Method {
    match verb {
        Get => Method::GET,
        Post => Method::POST,
        Put => Method::PUT,
        Delete => Method::DELETE,
    }
}

/// Returns the route's path with these ids in place of its parameters; `x` for a parameter without an id.
pub fn path(route: &Route, ids: &[String]) -> String {
    let mut ids = ids.iter();
    let mut id = || ids.next().map_or("x", String::as_str);
    let part = |part| if str::starts_with(part, '{') { id() } else { part };
    route.path.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn trash_of_contacts(_: &RequestValues) -> Content {
    Content::Query(vec![("resource", "contacts".to_owned())])
}

/// Returns a body with the id of a contact that is not in the trash.
fn not_in_the_trash(values: &RequestValues) -> Content {
    Content::Json(json!({"resource": "contacts", "ids": [values.user.to_string()]}))
}

/// Returns a query for the history of a contact, whose id the test sets.
fn record_of_history(values: &RequestValues) -> Content {
    Content::Query(vec![("resource", "contacts".to_owned()), ("id", values.user.to_string())])
}
