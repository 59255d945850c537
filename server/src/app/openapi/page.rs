//! The OpenAPI document as an HTML page without scripts, so that it needs no exception from the content security
//! policy.

use forecourt_core::text::escape_html as escaped;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

pub const STYLE: &str = include_str!("page.css");

type Operation<'a> = (&'a str, &'a str, &'a Value);

/// Returns the HTML page that shows an OpenAPI document.
pub fn render(document: &Value) -> String {
    let groups = groups(document);
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Forecourt API</title>\
         <link rel=\"stylesheet\" href=\"/api/docs.css\"><header><h1>Forecourt API</h1>",
    );
    let description = text(&document["info"], "description").replace('`', "");
    let _ =
        write!(page, "<p>{}</p><p><a href=\"/api/openapi.json\">OpenAPI 3.1</a></p></header>", escaped(&description));
    page += "<nav aria-label=\"Topics\">";
    for (tag, operations) in &groups {
        let _ = write!(page, "<a href=\"#{0}\">{0} <span>{1}</span></a>", escaped(tag), operations.len());
    }
    page += "</nav><main>";
    for (tag, operations) in &groups {
        let _ = write!(page, "<section id=\"{0}\"><h2>{0}</h2>", escaped(tag));
        operations.iter().for_each(|operation| render_operation(&mut page, operation));
        page += "</section>";
    }
    page += "<section id=\"schemas\"><h2>Schemas</h2>";
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(page, "<details id=\"schema-{0}\"><summary><code>{0}</code></summary>", escaped(name));
        render_schema(&mut page, schema);
        page += "</details>";
    }
    page + "</section></main></html>"
}

fn groups(document: &Value) -> BTreeMap<&str, Vec<Operation<'_>>> {
    let mut groups: BTreeMap<&str, Vec<Operation<'_>>> = BTreeMap::new();
    for (path, verbs) in document["paths"].as_object().into_iter().flatten() {
        for (verb, operation) in verbs.as_object().into_iter().flatten() {
            let tag = operation["tags"][0].as_str().unwrap_or_default();
            groups.entry(tag).or_default().push((verb, path, operation));
        }
    }
    groups
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn render_operation(page: &mut String, (verb, path, operation): &Operation<'_>) {
    let _ = write!(
        page,
        "<details id=\"{}\"><summary><b class=\"{verb}\">{}</b> <code>{}</code> <span>{}</span></summary><p>{}</p>",
        escaped(text(operation, "operationId")),
        verb.to_uppercase(),
        escaped(path),
        escaped(text(operation, "summary")),
        escaped(text(operation, "description")),
    );
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        page.push_str("<h3>Parameters</h3><dl>");
        for parameter in parameters {
            render_field(page, text(parameter, "name"), &parameter["schema"], parameter["required"] == true);
        }
        page.push_str("</dl>");
    }
    for (media, body) in content(&operation["requestBody"]).into_iter().flatten() {
        let _ = write!(page, "<h3>Body <small>{}</small></h3>", escaped(media));
        render_schema(page, &body["schema"]);
    }
    page.push_str("<h3>Responses</h3><dl>");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let schema =
            content(response).and_then(|content| content.values().next()).map(|body| type_html(&body["schema"]));
        let description = escaped(text(response, "description"));
        let _ = write!(page, "<dt><code>{status}</code></dt><dd>{description} {}", schema.unwrap_or_default());
        for name in response["headers"].as_object().into_iter().flat_map(Map::keys) {
            let _ = write!(page, ", header <code>{}</code>", escaped(name));
        }
        page.push_str("</dd>");
    }
    page.push_str("</dl></details>");
}

fn content(value: &Value) -> Option<&Map<String, Value>> {
    value["content"].as_object()
}

fn render_schema(page: &mut String, schema: &Value) {
    let Some(properties) = schema["properties"].as_object() else {
        let _ = write!(page, "<p>{}</p>", type_html(schema));
        return;
    };
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    page.push_str("<dl>");
    for (name, property) in properties {
        render_field(page, name, property, required.iter().any(|r| r == name.as_str()));
    }
    page.push_str("</dl>");
}

fn render_field(page: &mut String, name: &str, schema: &Value, is_required: bool) {
    let mut notes = vec![type_html(schema)];
    for (word, key) in [
        ("at least", "minLength"),
        ("at most", "maxLength"),
        ("from", "minimum"),
        ("to", "maximum"),
        ("by default", "default"),
    ] {
        if let Some(number) = schema.get(key).filter(|value| value.is_number()) {
            notes.push(format!("{word} {number}"));
        }
    }
    if is_required {
        notes.push("required".into());
    }
    let description = text(schema, "description").replace('`', "");
    let _ = write!(
        page,
        "<dt><code>{}</code></dt><dd><em>{}</em> {}</dd>",
        escaped(name),
        notes.join(", "),
        escaped(&description)
    );
    if schema.get("properties").is_some() {
        page.push_str("<dd>");
        render_schema(page, schema);
        page.push_str("</dd>");
    }
}

/// Returns the type of a JSON schema as HTML, such as `list of string`, or a link for a schema that has a name.
fn type_html(schema: &Value) -> String {
    if let Some(name) = text(schema, "$ref").strip_prefix("#/components/schemas/") {
        return format!("<a href=\"#schema-{0}\">{0}</a>", escaped(name));
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| escaped(value.as_str().unwrap_or("null"))).collect::<Vec<_>>().join(" | ");
    }
    for choice in ["anyOf", "oneOf", "allOf"] {
        if let Some(types) = schema[choice].as_array() {
            return types.iter().map(type_html).collect::<Vec<_>>().join(" or ");
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", type_html(&schema["items"])),
        Value::String(name) => format!("{} {}", name, escaped(text(schema, "format"))).trim_end().to_owned(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "object".to_owned(),
    }
}
