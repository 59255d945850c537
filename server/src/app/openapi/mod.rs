//! The OpenAPI 3.1 document of all routes, generated from the routes and the types of their handlers, and the page that
//! shows it. Both are the same on every installation, so they are generated once.

mod page;

use crate::access::describe::{Operation, schema_settings};
use crate::access::route::{Body, Method, Who, get, handler};
use crate::features::Route;
use crate::platform::clock::MINUTE;
use crate::platform::extract::IDEMPOTENCY_KEY;
use crate::platform::limits::Limit;
use crate::platform::responses::{Content, Css, Html, OpenApi};
use forecourt_core::permissions::{ResourceId, all_entries};
use forecourt_core::problem::ProblemBody;
use serde_json::{Map, Value, json};
use std::sync::{LazyLock, OnceLock};

pub const ROUTES: &[Route] = &[
    get("/api/openapi.json", Who::Public, handler!(json, "Returns the OpenAPI document")),
    get("/api/docs", Who::Public, handler!(html, "Shows the document as a page")),
    get("/api/docs.css", Who::Public, handler!(css, "Returns the page's style sheet")),
];

const DESCRIPTION: &str = "A successful response is `{success, message?, messages?, data?}`, sometimes with further \
    fields, such as the totals of a list. Only the list of invoices is an array, and exports, pictures and events are \
    not JSON. An error is a `Problem`, whose `message` can be shown to the user. `messages` has each message with its \
    code and parameters, for other languages. Unknown fields are ignored, except those of bulk actions; a text with a \
    minimum length is required. A PUT replaces a record as a whole: a field that is left out becomes empty, unless its \
    description says otherwise. Besides the errors listed with each operation, an unknown route returns 404, another \
    method 405, and an internal error 500. Any route returns 400 for an invalid `Host` header (in the demo, also for \
    that of another machine), 413 for a body that is too large, also where none is expected, and 431, without a body, \
    if the request line and the headers are longer than 16 kB or there are more than 64 headers.";

/// The routes that the document describes; set before the first request.
static ROUTES_TO_DESCRIBE: OnceLock<Vec<&'static Route>> = OnceLock::new();
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| document(ROUTES_TO_DESCRIBE.get().into_iter().flatten().copied()));

static JSON: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
static PAGE: LazyLock<String> = LazyLock::new(|| page::render(&DOCUMENT));

/// Sets the routes that the document describes. Only the first call has an effect.
pub fn set_routes(routes: impl Iterator<Item = &'static Route>) {
    ROUTES_TO_DESCRIBE.get_or_init(|| routes.collect());
}

/// `GET /api/openapi.json`: the OpenAPI document.
pub async fn json() -> Content<OpenApi> {
    Content::new(JSON.as_str())
}

/// `GET /api/docs`: the OpenAPI document as an HTML page.
pub async fn html() -> Content<Html> {
    Content::new(PAGE.as_str())
}

/// `GET /api/docs.css`: the style sheet of that page.
pub async fn css() -> Content<Css> {
    Content::new(page::STYLE)
}

/// Returns the OpenAPI document of these routes.
pub fn document(routes: impl Iterator<Item = &'static Route>) -> Value {
    let mut schemas = schema_settings().for_serialize().into_generator();
    let problem = schemas.subschema_for::<ProblemBody>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let mut described = Operation::new(schemas);
        (route.handler.describe)(&mut described);
        let operation = describe_operation(route, &mut described, &problem);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[method_name(route.method)] = operation;
        schemas = described.schemas;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Forecourt", "version": env!("CARGO_PKG_VERSION"), "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": {"session": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "The access token from signing in.",
            }},
        },
    })
}

fn method_name(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Delete => "delete",
    }
}

fn describe_operation(route: &Route, described: &mut Operation, problem: &Value) -> Value {
    let ids: Vec<_> = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
    described.errors.extend(implied_errors(route));
    if !ids.is_empty() {
        described.errors.insert(404);
    }
    let path_parameters = ids.into_iter().map(|name| {
        let schema =
            if described.has_uuids { json!({"type": "string", "format": "uuid"}) } else { json!({"type": "string"}) };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    });
    let others = [("query", &described.query), ("header", &described.headers)];
    let other_parameters = others.into_iter().flat_map(|(place, parameters)| {
        parameters.iter().map(move |(name, schema)| json!({"name": name, "in": place, "schema": schema}))
    });
    let mut operation = json!({
        "operationId": operation_id(route),
        "tags": [tag(route.path)],
        "summary": route.handler.summary,
        "description": description(route, &described.notes),
        "security": if route.who == Who::Public { json!([]) } else { json!([{"session": []}]) },
        "parameters": path_parameters.chain(other_parameters).collect::<Vec<_>>(),
        "responses": describe_responses(described, problem),
    });
    if let Some((media, schema)) = &described.body {
        operation["requestBody"] = json!({"required": true, "content": {*media: {"schema": schema}}});
    }
    operation
}

/// Returns the error statuses that follow from a route's method, its requirement (`who`) and its own list of errors.
fn implied_errors(route: &Route) -> Vec<u16> {
    // On any route the client may have too many parallel requests (429), or the server may be too busy (503).
    let mut statuses = vec![429, 503];
    if route.method == Method::Get {
        // A response that would be too large is replaced by a 400.
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

fn describe_responses(described: &Operation, problem: &Value) -> Map<String, Value> {
    let mut responses = Map::new();
    for (status, bodies) in &described.responses {
        let mut response = json!({"description": status_description(*status)});
        for (media, schema) in bodies {
            response["content"][*media] = json!({"schema": schema});
        }
        if !described.response_headers.is_empty() {
            response["headers"] = json!(described.response_headers);
        }
        responses.insert(status.to_string(), response);
    }
    for status in &described.errors {
        // Some conflicts also return the current record, and a used key the record of the earlier request.
        let has_record = *status == 409 || (*status == 400 && described.headers.contains_key(IDEMPOTENCY_KEY));
        let schema = if has_record { problem_with_record(problem) } else { problem.clone() };
        let mut response =
            json!({"description": status_description(*status), "content": {"application/json": {"schema": schema}}});
        if matches!(status, 429 | 503) {
            let seconds = json!({"type": "integer", "minimum": 1});
            let header = json!({"description": "Seconds to wait.", "required": true, "schema": seconds});
            response["headers"] = json!({"Retry-After": header});
        }
        responses.insert(status.to_string(), response);
    }
    responses
}

fn problem_with_record(problem: &Value) -> Value {
    let data = "In a 400, the record that the first request with this `Idempotency-Key` created. In a 409, the current \
        record or job, or what undoing would do. If an update was based on an older version of a record, its \
        `last_change` is who (`actor`) changed it last and when (`at`), or `null`, and its `erased` has the names of \
        the fields whose values were erased since then; absent if there are none.";
    let properties = json!({"data": {"description": data}});
    let required = ["success", "message", "errors", "data"];
    json!({"anyOf": [problem, {"type": "object", "required": required, "properties": properties}]})
}

/// Returns the document's description of an HTTP status.
fn status_description(status: u16) -> &'static str {
    match status {
        200 => "Success",
        201 => "Created",
        202 => "Accepted, processed later",
        302 => "Redirect",
        400 => "Invalid request",
        401 => "Session expired; at sign-in, wrong e-mail or password",
        403 => "Not permitted",
        404 => "Not found, or of another corporation",
        408 => "Request timeout",
        409 => "Conflict with the current state",
        413 => "Too large",
        415 => "Not JSON",
        429 => "Too many requests",
        503 => "Unavailable",
        _ => "Other response",
    }
}

/// Returns the description of a route: who may use it, its rate limit per address, its body if that is a form or a log
/// line, and the notes of its handler's types.
fn description(route: &Route, notes: &[String]) -> String {
    let who = match route.who {
        Who::Public => "Public.".to_owned(),
        Who::Session => "Requires a session.".to_owned(),
        Who::Administrator => "Requires an administrator of the corporation or the platform.".to_owned(),
        Who::May(action, resource) => format!("Requires the {action:?} permission for {}.", title(resource)),
    };
    let rate_limit = route
        .limit
        .map(|Limit { uses, window, .. }| format!("Rate limit per address: {uses} in {} minutes.", window / MINUTE));
    let body = match route.body {
        Body::Small => "",
        Body::Line => "Body: at most 4 kB.",
        Body::Ids => "Body: at most 512 kB.",
        Body::Picture | Body::Photo | Body::File => "Body: multipart form.",
    };
    let sentences = [who.as_str(), route.note, rate_limit.as_deref().unwrap_or_default(), body];
    let sentences = sentences.into_iter().chain(notes.iter().map(String::as_str));
    sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}

fn title(resource: ResourceId) -> &'static str {
    let entry = all_entries().find(|entry| entry.resource == resource);
    entry.map_or(resource.as_str(), |entry| entry.title)
}

/// Returns the operation id of a route, made of method and path: `getContactsId` for `GET /api/contacts/{id}`.
fn operation_id(route: &Route) -> String {
    let parts = route.path.trim_start_matches("/api").split(|c: char| !c.is_ascii_alphanumeric());
    let mut id = method_name(route.method).to_owned();
    for part in parts.filter(|part| !part.is_empty()) {
        let (first, rest) = part.split_at(1);
        id += &first.to_uppercase();
        id += rest;
    }
    id
}

/// Returns the OpenAPI tag of a path, by which routes are grouped: its first segment after `/api`.
fn tag(path: &str) -> &str {
    path.trim_start_matches("/api/").split(['/', '.']).next().unwrap_or_default()
}
