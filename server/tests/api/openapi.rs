//! The OpenAPI document, and its HTML page.

use crate::app::TestApp;
use forecourt::access::route::{Method as RouteMethod, Who};
use forecourt::app::openapi::document;
use forecourt::app::routes::routes;
use forecourt_core::invoices::TOTAL_HEADER;
use forecourt_core::paging::LIMIT_MAX;
use forecourt_core::text::escape_html;
use forecourt_core::{users, vehicles};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The OpenAPI document of all routes.
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
fn the_openapi_document_has_exactly_the_routes_of_the_table() {
    let lines: BTreeSet<_> = routes().map(|route| (verb(route.method), route.path)).collect();
    let mut documented = BTreeSet::new();
    for (path, verbs) in DOCUMENT["paths"].as_object().unwrap() {
        documented.extend(verbs.as_object().unwrap().keys().map(|verb| (verb.as_str(), path.as_str())));
    }
    assert_eq!(documented, lines);
    for route in routes() {
        let operation = &DOCUMENT["paths"][route.path][verb(route.method)];
        assert_eq!(operation["security"] == json!([]), route.who == Who::Public, "{operation}");
        assert!(operation["responses"]["429"].is_object() && operation["responses"]["503"].is_object(), "{operation}");
        assert!(!operation["summary"].as_str().unwrap().is_empty());
        let named = route.path.matches('{').count();
        let parameters = operation["parameters"].as_array().unwrap();
        assert_eq!(parameters.iter().filter(|parameter| parameter["in"] == "path").count(), named);
    }
    let ids: BTreeSet<_> =
        routes().map(|r| DOCUMENT["paths"][r.path][verb(r.method)]["operationId"].to_string()).collect();
    assert_eq!(ids.len(), routes().count(), "operation ids are unique");
}

/// Returns a value and all values within it.
fn all_values(value: &Value) -> Vec<&Value> {
    let inner: Vec<&Value> = match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(values) => values.iter().collect(),
        _ => Vec::new(),
    };
    std::iter::once(value).chain(inner.into_iter().flat_map(all_values)).collect()
}

#[test]
fn every_schema_is_valid_and_its_references_resolve() {
    let mut found: Vec<_> = all_values(&DOCUMENT).into_iter().filter_map(|value| value.get("schema")).collect();
    found.extend(DOCUMENT["components"]["schemas"].as_object().unwrap().values());
    assert!(found.len() > 300, "{}", found.len());
    for schema in &found {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
    }
    // All in one, because the schemas of components would be compiled again for each.
    let whole = json!({"allOf": found, "components": DOCUMENT["components"]});
    if let Err(error) = jsonschema::draft202012::new(&whole) {
        panic!("{error}");
    }
}

#[test]
fn request_schemas_have_the_limits_of_the_validation_rules() {
    let body = |path: &str| &DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let fields = &body("/api/contacts")["properties"];
    assert_eq!((&fields["name"]["minLength"], &fields["name"]["maxLength"]), (&json!(1), &json!(200)));
    assert_eq!((&fields["email"]["format"], &fields["email"]["type"]), (&json!("email"), &json!(["string", "null"])));
    assert_eq!(fields["otherDetails"]["type"], "object");
    let password = &body("/api/orgs/register")["properties"]["admin_data"]["properties"]["password"];
    assert_eq!((&password["minLength"], &password["maxLength"]), (&json!(6), &json!(256)));
}

#[test]
fn the_conflict_of_an_update_describes_what_its_data_has_besides_the_record() {
    let responses = &DOCUMENT["paths"]["/api/contacts/{id}"]["put"]["responses"];
    let schemas = responses["409"]["content"]["application/json"]["schema"]["anyOf"].as_array().unwrap();
    let data = schemas.iter().find_map(|schema| schema["properties"]["data"]["description"].as_str()).unwrap();
    assert!(data.contains("`last_change`") && data.contains("`erased`"), "{data}");
}

#[test]
fn descriptions_name_nothing_that_only_readers_of_the_source_code_know() {
    let values = all_values(&DOCUMENT);
    let texts = ["description", "summary"].map(|name| values.iter().filter_map(move |value| value.get(name)?.as_str()));
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    assert!(texts.len() > 500, "{}", texts.len());
    for text in texts {
        // Links of rustdoc, names of Rust, paths of files, and the order of fields, which the document sorts by name.
        for part in ["[`", "::", "{PATH}", "docs/", "the next ", "the following"] {
            assert!(!text.contains(part), "{text}");
        }
    }
}

#[test]
fn an_alternative_name_stands_for_a_field_of_the_same_form() {
    let mut count = 0;
    for properties in all_values(&DOCUMENT).into_iter().filter_map(|value| value.get("properties")?.as_object()) {
        let descriptions = properties.values().filter_map(|property| property["description"].as_str());
        for name in descriptions.filter_map(|text| text.strip_prefix("Alternative name of `")?.strip_suffix("`.")) {
            assert!(properties.contains_key(name), "{name}");
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn each_schema_has_a_name_of_its_own() {
    for (path, name) in [("agreements", "Agreement"), ("corporations", "Corporation"), ("users", "User")] {
        let response = &DOCUMENT["paths"][format!("/api/{path}")]["get"]["responses"]["200"];
        let schema = &response["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(*schema, format!("#/components/schemas/{name}List"));
    }
    // A name that another type has already would get a number.
    for name in DOCUMENT["components"]["schemas"].as_object().unwrap().keys() {
        assert!(!name.ends_with(|last: char| last.is_ascii_digit()), "{name}");
    }
}

#[test]
fn pages_have_the_defaults_and_the_maximum_of_the_code() {
    let parameter = |path: &str, name: &str| {
        let parameters = DOCUMENT["paths"][path]["get"]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).map(|parameter| &parameter["schema"])
    };
    for (path, size) in [("/api/users", users::PAGE_SIZE), ("/api/vehicles", vehicles::PAGE_SIZE)] {
        let limit = parameter(path, "limit").unwrap();
        let bounds = (&limit["minimum"], &limit["maximum"], &limit["default"]);
        assert_eq!(bounds, (&json!(1), &json!(LIMIT_MAX), &json!(size)), "{path}");
        let page = parameter(path, "page").unwrap();
        assert_eq!((&page["minimum"], &page["default"]), (&json!(1), &json!(1)), "{path}");
    }
    assert_eq!((parameter("/api/users/export", "page"), parameter("/api/users/export", "limit")), (None, None));
}

#[test]
fn responses_have_the_headers_of_files_and_of_the_list_of_invoices() {
    let headers = |path: &str| &DOCUMENT["paths"][path]["get"]["responses"]["200"]["headers"];
    assert_eq!(headers("/api/invoices")[TOTAL_HEADER]["schema"]["type"], "integer");
    for route in routes().filter(|route| route.path.ends_with("/export") || route.path.ends_with(".csv")) {
        assert_eq!(headers(route.path)["Content-Disposition"]["required"], true, "{}", route.path);
    }
}

#[test]
fn bulk_actions_and_merges_name_all_permissions_that_they_require() {
    for route in routes() {
        let permissions: &[&str] = match route.path.rsplit('/').next() {
            Some("bulk") => &["Read", "Update", "Delete"],
            Some("merge") => &["Update", "Delete"],
            _ => &[],
        };
        let description = DOCUMENT["paths"][route.path][verb(route.method)]["description"].as_str().unwrap();
        for permission in permissions {
            assert!(description.contains(permission), "{}: {description}", route.path);
        }
    }
}

#[tokio::test]
async fn the_docs_page_shows_every_route_without_scripts() {
    let app = TestApp::start().await;
    let document = app.get("/api/openapi.json", None).await;
    assert_eq!((&document.body["openapi"], &document.body), (&json!("3.1.0"), &*DOCUMENT));
    let page = app.get("/api/docs", None).await;
    let html = page.body.as_str().unwrap();
    for route in routes() {
        let verb = verb(route.method);
        let operation = &DOCUMENT["paths"][route.path][verb];
        let summary = escape_html(operation["summary"].as_str().unwrap());
        let line =
            format!("{}</b> <code>{}</code> <span>{summary}</span>", verb.to_uppercase(), escape_html(route.path));
        assert!(html.contains(&line), "{line}");
        assert!(html.contains(&escape_html(operation["description"].as_str().unwrap())), "{}", route.path);
    }
    for inline in ["<script", "<style", " style=", " onclick", "javascript:"] {
        assert!(!html.contains(inline), "{inline}");
    }
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(app.get("/api/docs.css", None).await.headers["content-type"], "text/css; charset=utf-8");
}
