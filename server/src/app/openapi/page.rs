//! The OpenAPI document as an HTML page without scripts, so that it needs no exception from the content security
//! policy.

use forecourt_core::text::escape_html as escaped;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

pub const STYLE: &str = include_str!("page.css");

type Call<'a> = (&'a str, &'a str, &'a Value);

/// Returns the whole page.
pub fn of(document: &Value) -> String {
    let groups = groups(document);
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Forecourt API</title>\
         <link rel=\"stylesheet\" href=\"/api/docs.css\"><header><h1>Forecourt API</h1>",
    );
    let about = text(&document["info"], "description").replace('`', "");
    let _ = write!(page, "<p>{}</p><p><a href=\"/api/openapi.json\">OpenAPI 3.1</a></p></header>", escaped(&about));
    page += "<nav aria-label=\"Subjects\">";
    for (tag, calls) in &groups {
        let _ = write!(page, "<a href=\"#{0}\">{0} <span>{1}</span></a>", escaped(tag), calls.len());
    }
    page += "</nav><main>";
    for (tag, calls) in &groups {
        let _ = write!(page, "<section id=\"{0}\"><h2>{0}</h2>", escaped(tag));
        calls.iter().for_each(|call| of_call(&mut page, call));
        page += "</section>";
    }
    page += "<section id=\"schemas\"><h2>Schemas</h2>";
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(page, "<details id=\"schema-{0}\"><summary><code>{0}</code></summary>", escaped(name));
        of_schema(&mut page, schema);
        page += "</details>";
    }
    page + "</section></main></html>"
}

fn groups(document: &Value) -> BTreeMap<&str, Vec<Call<'_>>> {
    let mut groups: BTreeMap<&str, Vec<Call<'_>>> = BTreeMap::new();
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

fn of_call(page: &mut String, (verb, path, operation): &Call<'_>) {
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
        page.push_str("<h3>Address</h3><dl>");
        for parameter in parameters {
            field(page, text(parameter, "name"), &parameter["schema"], parameter["required"] == true);
        }
        page.push_str("</dl>");
    }
    for (media, body) in content(&operation["requestBody"]).into_iter().flatten() {
        let _ = write!(page, "<h3>Body <small>{}</small></h3>", escaped(media));
        of_schema(page, &body["schema"]);
    }
    page.push_str("<h3>Answers</h3><dl>");
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let schema = content(answer).and_then(|content| content.values().next()).map(|body| kind(&body["schema"]));
        let words = escaped(text(answer, "description"));
        let _ = write!(page, "<dt><code>{status}</code></dt><dd>{words} {}</dd>", schema.unwrap_or_default());
    }
    page.push_str("</dl></details>");
}

fn content(value: &Value) -> Option<&Map<String, Value>> {
    value["content"].as_object()
}

fn of_schema(page: &mut String, schema: &Value) {
    let Some(properties) = schema["properties"].as_object() else {
        let _ = write!(page, "<p>{}</p>", kind(schema));
        return;
    };
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    page.push_str("<dl>");
    for (name, property) in properties {
        field(page, name, property, required.iter().any(|r| r == name.as_str()));
    }
    page.push_str("</dl>");
}

fn field(page: &mut String, name: &str, schema: &Value, is_required: bool) {
    let mut notes = vec![kind(schema)];
    for (word, key) in [("at least", "minLength"), ("at most", "maxLength"), ("from", "minimum"), ("to", "maximum")] {
        if let Some(number) = schema.get(key) {
            notes.push(format!("{word} {number}"));
        }
    }
    if is_required {
        notes.push("required".into());
    }
    let about = text(schema, "description").replace(['`', '[', ']'], "");
    let _ = write!(
        page,
        "<dt><code>{}</code></dt><dd><em>{}</em> {}</dd>",
        escaped(name),
        notes.join(", "),
        escaped(&about)
    );
    if schema.get("properties").is_some() {
        page.push_str("<dd>");
        of_schema(page, schema);
        page.push_str("</dd>");
    }
}

/// Returns the type of a schema, as HTML.
fn kind(schema: &Value) -> String {
    if let Some(name) = text(schema, "$ref").strip_prefix("#/components/schemas/") {
        return format!("<a href=\"#schema-{0}\">{0}</a>", escaped(name));
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(|word| escaped(word.as_str().unwrap_or("null"))).collect::<Vec<_>>().join(" | ");
    }
    for choice in ["anyOf", "oneOf", "allOf"] {
        if let Some(kinds) = schema[choice].as_array() {
            return kinds.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) => format!("{} {}", name, escaped(text(schema, "format"))).trim_end().to_owned(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "object".to_owned(),
    }
}
