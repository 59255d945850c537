//! The document of the calls, and its page.

use crate::app::TestApp;
use forecourt::access::route::{Method as RouteMethod, Who};
use forecourt::app::openapi::document;
use forecourt::app::routes::routes;
use forecourt_core::text::escape_html;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The document of every route.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| document(routes()));

fn verb(verb: RouteMethod) -> &'static str {
    match verb {
        RouteMethod::Get => "get",
        RouteMethod::Post => "post",
        RouteMethod::Put => "put",
        RouteMethod::Delete => "delete",
    }
}

#[test]
fn the_document_has_every_line_of_the_table_and_nothing_else() {
    let lines: BTreeSet<_> = routes().map(|route| (verb(route.method), route.path)).collect();
    let mut told = BTreeSet::new();
    for (path, verbs) in DOCUMENT["paths"].as_object().unwrap() {
        told.extend(verbs.as_object().unwrap().keys().map(|verb| (verb.as_str(), path.as_str())));
    }
    assert_eq!(told, lines);
    for route in routes() {
        let call = &DOCUMENT["paths"][route.path][verb(route.method)];
        assert_eq!(call["security"] == json!([]), route.who == Who::Public, "{call}");
        assert!(call["responses"]["429"].is_object() && call["responses"]["503"].is_object(), "{call}");
        assert!(!call["summary"].as_str().unwrap().is_empty());
        let named = route.path.matches('{').count();
        let parameters = call["parameters"].as_array().unwrap();
        assert_eq!(parameters.iter().filter(|parameter| parameter["in"] == "path").count(), named);
    }
    let ids: BTreeSet<_> =
        routes().map(|r| DOCUMENT["paths"][r.path][verb(r.method)]["operationId"].to_string()).collect();
    assert_eq!(ids.len(), routes().count(), "each has an id of its own");
}

/// Every schema in the document.
fn schemas<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("schema"));
            fields.values().for_each(|field| schemas(field, found));
        }
        Value::Array(values) => values.iter().for_each(|value| schemas(value, found)),
        _ => {}
    }
}

#[test]
fn every_schema_is_one_and_leads_to_those_that_there_are() {
    let mut found = Vec::new();
    schemas(&DOCUMENT, &mut found);
    found.extend(DOCUMENT["components"]["schemas"].as_object().unwrap().values());
    assert!(found.len() > 300, "{}", found.len());
    for schema in found {
        let whole = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
        assert!(jsonschema::draft202012::new(&whole).is_ok(), "{schema}");
    }
}

#[test]
fn what_a_form_takes_and_its_limits_are_those_of_core() {
    let body = |path: &str| &DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let fields = &body("/api/contacts")["properties"];
    assert_eq!((&fields["name"]["minLength"], &fields["name"]["maxLength"]), (&json!(1), &json!(200)));
    assert_eq!((&fields["email"]["format"], &fields["email"]["type"]), (&json!("email"), &json!(["string", "null"])));
    assert_eq!(fields["otherDetails"]["type"], "object");
    let password = &body("/api/orgs/register")["properties"]["admin_data"]["properties"]["password"];
    assert_eq!((&password["minLength"], &password["maxLength"]), (&json!(6), &json!(256)));
}

#[tokio::test]
async fn the_page_shows_every_call_and_who_may_make_it_without_a_script() {
    let app = TestApp::start().await;
    let document = app.get("/api/openapi.json", None).await;
    assert_eq!((&document.body["openapi"], &document.body), (&json!("3.1.0"), &*DOCUMENT));
    let page = app.get("/api/docs", None).await;
    let html = page.body.as_str().unwrap();
    for route in routes() {
        let call = &DOCUMENT["paths"][route.path][verb(route.method)];
        assert!(
            html.contains(route.path) && html.contains(&escape_html(call["summary"].as_str().unwrap())),
            "{}",
            route.path
        );
        assert!(html.contains(&escape_html(call["description"].as_str().unwrap())), "{}", route.path);
    }
    for inline in ["<script", "<style", " style=", " onclick", "javascript:"] {
        assert!(!html.contains(inline), "{inline}");
    }
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(app.get("/api/docs.css", None).await.headers["content-type"], "text/css; charset=utf-8");
}
