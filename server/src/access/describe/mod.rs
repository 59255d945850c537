//! Describes each operation for OpenAPI by the types of its handler: its extractors and its response.

pub mod forms;

use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Below, Change, Id, Question, Valid};
use crate::platform::responses::{Created, Elsewhere, Kind, Page, Queued, Sent};
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use forecourt_core::form::{Form, FormSettings, RuleSpec, rule_specs};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

/// The description of one operation.
pub struct Operation {
    /// Generates the schemas of responses, and collects the named ones.
    pub told: SchemaGenerator,
    /// The query parameters, by name.
    pub query: Map<String, Value>,
    /// The media type and schema of the request body.
    pub body: Option<(&'static str, Value)>,
    /// The media type and schema of each successful response; `None` if it has no body.
    pub answers: BTreeMap<u16, Option<(&'static str, Value)>>,
    /// The statuses of its errors.
    pub refusals: BTreeSet<u16>,
    /// Whether the ids in its path are UUIDs.
    pub has_uuids: bool,
}

impl Operation {
    pub fn new(told: SchemaGenerator) -> Self {
        let (query, answers, refusals) = (Map::new(), BTreeMap::new(), BTreeSet::new());
        Operation { told, query, body: None, answers, refusals, has_uuids: false }
    }

    /// Describes the extractors and the response of this handler.
    pub fn read<H: Handler<M>, M>(&mut self, _: H) {
        H::describe(self);
    }

    fn ask(&mut self, schema: Schema) {
        if let Some(Value::Object(properties)) = schema.get("properties") {
            self.query.extend(properties.clone());
        }
        // The default is an empty text; what it means depends on the list.
        for parameter in self.query.values_mut().filter_map(Value::as_object_mut) {
            parameter.remove("default");
        }
        self.refusals.insert(400);
    }

    fn tell<T: JsonSchema>(&mut self, status: u16) {
        let schema = self.told.subschema_for::<T>().to_value();
        self.answers.insert(status, Some(("application/json", schema)));
    }
}

/// Returns the settings of all schemas. OpenAPI 3.1 uses JSON Schema 2020-12 unchanged.
pub fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|s| {
        s.definitions_path = "/components/schemas".into();
        s.meta_schema = None;
    })
}

/// Returns the schema of request data, with all subschemas inlined.
pub fn sent<T: JsonSchema>() -> Schema {
    settings().for_deserialize().with(|s| s.inline_subschemas = true).into_generator().into_root_schema_for::<T>()
}

/// A handler function, as axum accepts it. `M` is the tuple of its extractors.
pub trait Handler<M> {
    fn describe(operation: &mut Operation);
}

/// An extractor of a handler.
pub trait Asks {
    /// Adds what a client must send, and the errors that this can cause.
    fn ask(_: &mut Operation) {}
}

/// A response of a handler.
pub trait Tells {
    fn tell(operation: &mut Operation);
}

macro_rules! handlers {
    ($($taken:ident)*) => {
        impl<F, G, R, $($taken),*> Handler<($($taken,)*)> for F
        where
            F: Fn($($taken),*) -> G,
            G: Future<Output = R>,
            R: Tells,
            $($taken: Asks,)*
        {
            fn describe(operation: &mut Operation) {
                $($taken::ask(operation);)*
                R::tell(operation);
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A B);
handlers!(A B C);
handlers!(A B C D);

impl<S> Asks for State<S> {}
impl Asks for HeaderMap {}
impl Asks for Result<Path<String>, PathRejection> {}

impl Asks for Id {
    fn ask(operation: &mut Operation) {
        operation.has_uuids = true;
    }
}

impl Asks for Below {
    fn ask(operation: &mut Operation) {
        operation.has_uuids = true;
    }
}

impl<Q: JsonSchema> Asks for Question<Q> {
    fn ask(operation: &mut Operation) {
        operation.ask(sent::<Q>());
    }
}

impl<Q: JsonSchema> Asks for Result<Query<Q>, QueryRejection> {
    fn ask(operation: &mut Operation) {
        operation.ask(sent::<Q>());
        // Invalid parameters never cause an error here: the browser is redirected to a page.
        operation.refusals.remove(&400);
    }
}

impl<F: Form + Default + DeserializeOwned + JsonSchema> Asks for Valid<F> {
    fn ask(operation: &mut Operation) {
        let mut schema = sent::<F>().to_value();
        let takes = |body: Value| serde_json::from_value::<F>(body).is_ok();
        with_null(&mut schema, &|null| takes(null));
        for (field, rule) in rule_specs::<F>(FormSettings::default()) {
            with_rule(&mut schema, &field, rule);
        }
        // Recursive types have names, and are added to the document's named schemas.
        if let Some(Value::Object(mut own)) = schema.as_object_mut().and_then(|schema| schema.remove("components"))
            && let Some(Value::Object(own)) = own.remove("schemas")
        {
            operation.told.definitions_mut().extend(own);
        }
        operation.body = Some(("application/json", schema));
        operation.refusals.extend([400, 408, 413, 415]);
    }
}

impl<F: Form + Default + DeserializeOwned + JsonSchema> Asks for Change<F> {
    fn ask(operation: &mut Operation) {
        Valid::<F>::ask(operation);
    }
}

/// A body that may be missing or have another media type: the handler then responds as to an empty form.
impl<F: Form + Default + DeserializeOwned + JsonSchema> Asks for ApiResult<Valid<F>> {
    fn ask(operation: &mut Operation) {
        Valid::<F>::ask(operation);
        operation.refusals.remove(&415);
    }
}

/// Adds `null` to the type of every text property that accepts it. `takes` tries this with the form's deserializer.
fn with_null(schema: &mut Value, takes: &dyn Fn(Value) -> bool) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        let within = |value: Value| takes(json!({ name.as_str(): value }));
        if property["type"] == "string" && within(Value::Null) {
            property["type"] = json!(["string", "null"]);
        }
        with_null(property, &within);
    }
}

/// Adds a rule to the schema of its field. The field's name may lead into a nested object. A required field gets a
/// minimum length instead of `required`, since some forms require it only with a certain value of another field.
fn with_rule(schema: &mut Value, field: &str, rule: RuleSpec) {
    let property = field.split('.').try_fold(schema, |schema, name| schema.get_mut("properties")?.get_mut(name));
    let Some(Value::Object(property)) = property else { return };
    let (name, value) = match rule {
        RuleSpec::Required => ("minLength", json!(1)),
        RuleSpec::Email => ("format", json!("email")),
        // A minimum length does not apply to an optional field, which may be empty.
        RuleSpec::Min(_) if !property.contains_key("minLength") => return,
        RuleSpec::Min(least) => ("minLength", json!(least)),
        RuleSpec::Max(most) => ("maxLength", json!(most)),
    };
    property.insert(name.into(), value);
}

/// A multipart form.
pub trait Parts {
    fn schema() -> Value;
}

impl<P: Parts> Asks for Sent<P> {
    fn ask(operation: &mut Operation) {
        operation.body = Some(("multipart/form-data", P::schema()));
        operation.refusals.extend([400, 408, 413]);
    }
}

impl<T: JsonSchema> Tells for Json<T> {
    fn tell(operation: &mut Operation) {
        operation.tell::<T>(200);
    }
}

impl<T: JsonSchema> Tells for Created<T> {
    fn tell(operation: &mut Operation) {
        operation.tell::<T>(201);
    }
}

impl<T: JsonSchema> Tells for Queued<T> {
    fn tell(operation: &mut Operation) {
        operation.tell::<T>(202);
    }
}

/// A response with additional headers.
impl<H, T: Tells> Tells for (H, T) {
    fn tell(operation: &mut Operation) {
        T::tell(operation);
    }
}

impl<T: Tells> Tells for ApiResult<T> {
    fn tell(operation: &mut Operation) {
        T::tell(operation);
    }
}

impl Tells for ApiError {
    fn tell(_: &mut Operation) {}
}

impl Tells for Elsewhere {
    fn tell(operation: &mut Operation) {
        operation.answers.insert(302, None);
    }
}

impl<K: Kind> Tells for Page<K> {
    fn tell(operation: &mut Operation) {
        let kind = if K::MEDIA == "application/json" { "object" } else { "string" };
        operation.answers.insert(200, Some((K::MEDIA, json!({"type": kind}))));
    }
}
