//! The OpenAPI 3.1 document of all routes, generated from the routes and the types of their handlers, and the page that
//! shows it. Both are the same on every installation, so they are generated once.

mod page;
mod routes;

pub use routes::ROUTES;

use crate::access::describe::{Operation, settings};
use crate::access::route::{Body, Method, Who};
use crate::features::Route;
use crate::platform::clock::MINUTE;
use crate::platform::limits::Limit;
use crate::platform::responses::{Css, Html, OpenApi, Page};
use forecourt_core::permissions::{ResourceId, all_entries};
use forecourt_core::problem::Problem;
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};
use std::sync::{LazyLock, OnceLock};

const DESCRIPTION: &str = "Every call answers `{success, message?, data?}` or, refused, a `Problem` whose `message` is a \
    sentence to show. A field that isn't known is passed over; a text with a least length must be there. Beyond what \
    each call lists, one that does not exist answers 404, another method 405, and a fault of the server's own 500.";

/// The routes that the document describes; set before the first request.
static DESCRIBED: OnceLock<Vec<&'static Route>> = OnceLock::new();
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| document(DESCRIBED.get().into_iter().flatten().copied()));

static JSON: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
static PAGE: LazyLock<String> = LazyLock::new(|| page::of(&DOCUMENT));

/// Sets the routes that the document describes.
pub fn describe(routes: impl Iterator<Item = &'static Route>) {
    DESCRIBED.get_or_init(|| routes.collect());
}

/// `GET /api/openapi.json`
pub async fn json() -> Page<OpenApi> {
    Page::new(JSON.as_str())
}

/// `GET /api/docs`
pub async fn html() -> Page<Html> {
    Page::new(PAGE.as_str())
}

/// `GET /api/docs.css`
pub async fn css() -> Page<Css> {
    Page::new(page::STYLE)
}

/// Returns the document of these routes.
pub fn document(table: impl Iterator<Item = &'static Route>) -> Value {
    let mut schemas = settings().for_serialize().into_generator();
    let problem = schemas.subschema_for::<Problem>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for route in table {
        let mut call = Operation::new(schemas);
        (route.handler.describe)(&mut call);
        let operation = operation(route, &mut call, &problem);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[verb(route.method)] = operation;
        schemas = call.told;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Forecourt", "version": env!("CARGO_PKG_VERSION"), "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": named(&mut schemas),
            "securitySchemes": {"session": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "The access token of a sign-in.",
            }},
        },
    })
}

fn named(schemas: &mut SchemaGenerator) -> Map<String, Value> {
    schemas.take_definitions(true)
}

fn verb(verb: Method) -> &'static str {
    match verb {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Delete => "delete",
    }
}

fn operation(route: &Route, call: &mut Operation, problem: &Value) -> Value {
    let ids: Vec<_> = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
    call.refusals.extend(implied(route));
    if !ids.is_empty() {
        call.refusals.insert(404);
    }
    let in_path = ids.into_iter().map(|name| {
        let schema =
            if call.has_uuids { json!({"type": "string", "format": "uuid"}) } else { json!({"type": "string"}) };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    });
    let in_query = call.query.iter().map(|(name, schema)| json!({"name": name, "in": "query", "schema": schema}));
    let mut operation = json!({
        "operationId": id(route),
        "tags": [tag(route.path)],
        "summary": route.handler.summary,
        "description": access_description(route),
        "security": if route.who == Who::Public { json!([]) } else { json!([{"session": []}]) },
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": answers(call, problem),
    });
    if let Some((media, schema)) = &call.body {
        operation["requestBody"] = json!({"required": true, "content": {*media: {"schema": schema}}});
    }
    operation
}

/// Returns the error statuses that a route's fields imply.
fn implied(route: &Route) -> Vec<u16> {
    // On any route the database may be unavailable, or a share in use.
    let mut statuses = vec![429, 503];
    if route.method == Method::Get {
        // A response may be too large.
        statuses.push(400);
    }
    statuses.extend(route.errors);
    match route.who {
        Who::Public => {}
        Who::Session => statuses.push(401),
        Who::May(..) | Who::Administrator => statuses.extend([401, 403]),
    }
    statuses
}

fn answers(call: &Operation, problem: &Value) -> Map<String, Value> {
    let mut answers = Map::new();
    for (status, body) in &call.answers {
        let mut answer = json!({"description": status_description(*status)});
        if let Some((media, schema)) = body {
            answer["content"] = json!({*media: {"schema": schema}});
        }
        if *status == 302 {
            answer["headers"] = json!({"Location": {"required": true, "schema": {"type": "string"}}});
        }
        answers.insert(status.to_string(), answer);
    }
    for status in &call.refusals {
        let schema = match status {
            // A conflict also returns the current record.
            409 => about_record(problem),
            _ => problem.clone(),
        };
        let mut answer =
            json!({"description": status_description(*status), "content": {"application/json": {"schema": schema}}});
        if matches!(status, 429 | 503) {
            let seconds = json!({"type": "integer", "minimum": 1});
            answer["headers"] = json!({"Retry-After": {"required": true, "schema": seconds}});
        }
        answers.insert(status.to_string(), answer);
    }
    answers
}

fn about_record(problem: &Value) -> Value {
    json!({"anyOf": [problem, {"type": "object", "required": ["success", "message", "errors", "data"]}]})
}

/// Returns the description of a status.
fn status_description(status: u16) -> &'static str {
    match status {
        200 => "Done",
        201 => "Created",
        202 => "Taken in, to be done later",
        302 => "The browser is sent elsewhere",
        400 => "It makes no sense, or a rule is broken",
        401 => "The session is over; at a sign-in, the wrong e-mail or password",
        403 => "Not permitted",
        404 => "Not there, or another corporation's",
        408 => "It took too long to arrive",
        409 => "It can't be done as things are",
        413 => "Too large",
        415 => "Not JSON",
        429 => "Too often, or too much at once; Retry-After says when to come again",
        503 => "Busy; Retry-After says when to come again",
        _ => "Another answer",
    }
}

/// Returns the description of a route: who may use it, how often, and the size of its body.
fn access_description(route: &Route) -> String {
    let who = match route.who {
        Who::Public => "Anybody may call.".to_owned(),
        Who::Session => "Anybody who is signed in may call.".to_owned(),
        Who::Administrator => "Whoever administers the corporation, or the platform, may call.".to_owned(),
        Who::May(action, resource) => {
            format!("Whoever may {} {} may call.", format!("{action:?}").to_lowercase(), title(resource))
        }
    };
    let often = route
        .limit
        .map(|Limit { uses, window, .. }| format!(" From one address {uses} times in {} minutes.", window / MINUTE));
    let much = match route.body {
        Body::Small => "",
        Body::Line => " At most 4 kB.",
        Body::Picture | Body::File => " A form in parts.",
    };
    who + &often.unwrap_or_default() + much
}

fn title(resource: ResourceId) -> &'static str {
    let entry = all_entries().find(|entry| entry.resource_id == resource.as_str());
    entry.map_or(resource.as_str(), |entry| entry.title)
}

/// Returns the operation id, made of method and path: `getContactsId`.
fn id(route: &Route) -> String {
    let parts = route.path.trim_start_matches("/api").split(|c: char| !c.is_ascii_alphanumeric());
    let mut id = verb(route.method).to_owned();
    for part in parts.filter(|part| !part.is_empty()) {
        let (first, rest) = part.split_at(1);
        id += &first.to_uppercase();
        id += rest;
    }
    id
}

/// Returns the tag: the first segment of the path.
fn tag(path: &str) -> &str {
    path.trim_start_matches("/api/").split(['/', '.']).next().unwrap_or_default()
}
