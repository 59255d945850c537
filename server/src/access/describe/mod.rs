//! What a call asks and tells, found in the types of its handler: what a handler takes and gives is what is documented.

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

/// What is known of one operation.
pub struct Operation {
    /// Makes the schemas of what is told, and keeps those that have names.
    pub told: SchemaGenerator,
    /// The parameters in the address, by name.
    pub query: Map<String, Value>,
    /// The body's media type and schema.
    pub body: Option<(&'static str, Value)>,
    /// The media type and schema of each answer that is no refusal; none where there is no body.
    pub answers: BTreeMap<u16, Option<(&'static str, Value)>>,
    /// The statuses of its refusals.
    pub refusals: BTreeSet<u16>,
    /// Are the ids in its path UUIDs?
    pub has_uuids: bool,
}

impl Operation {
    pub fn new(told: SchemaGenerator) -> Self {
        let (query, answers, refusals) = (Map::new(), BTreeMap::new(), BTreeSet::new());
        Operation { told, query, body: None, answers, refusals, has_uuids: false }
    }

    /// Reads what this handler takes and gives.
    pub fn read<H: Handler<M>, M>(&mut self, _: H) {
        H::describe(self);
    }

    fn ask(&mut self, schema: Schema) {
        if let Some(Value::Object(properties)) = schema.get("properties") {
            self.query.extend(properties.clone());
        }
        // As text, an empty one; what a list does then is its own.
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

/// The settings of every schema here: OpenAPI 3.1 takes JSON Schema of 2020-12 as it is.
pub fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|s| {
        s.definitions_path = "/components/schemas".into();
        s.meta_schema = None;
    })
}

/// The schema of what is sent, in one piece.
pub fn sent<T: JsonSchema>() -> Schema {
    settings().for_deserialize().with(|s| s.inline_subschemas = true).into_generator().into_root_schema_for::<T>()
}

/// A handler, as axum takes it.
pub trait Handler<M> {
    fn describe(operation: &mut Operation);
}

/// What a handler takes.
pub trait Asks {
    /// Says what a client must send, and how it can be refused.
    fn ask(_: &mut Operation) {}
}

/// What a handler gives.
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
        // Whatever an address says, the browser is sent to a page.
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
        // What holds others of its kind has a name, and stands among those that are told.
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

/// A body that may be missing or of another type: the handler answers as to an empty form.
impl<F: Form + Default + DeserializeOwned + JsonSchema> Asks for ApiResult<Valid<F>> {
    fn ask(operation: &mut Operation) {
        Valid::<F>::ask(operation);
        operation.refusals.remove(&415);
    }
}

/// Adds `null` to the type of every text that takes it, which is asked of the type that reads it.
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

/// Writes a rule beside its field, whose name may lead into another object. That something must be there is told as the
/// least length, since some forms ask for it only where another field asks.
fn with_rule(schema: &mut Value, field: &str, rule: RuleSpec) {
    let property = field.split('.').try_fold(schema, |schema, name| schema.get_mut("properties")?.get_mut(name));
    let Some(Value::Object(property)) = property else { return };
    let (name, value) = match rule {
        RuleSpec::Required => ("minLength", json!(1)),
        RuleSpec::Email => ("format", json!("email")),
        // An empty text is as short as it likes where none is needed.
        RuleSpec::Min(_) if !property.contains_key("minLength") => return,
        RuleSpec::Min(least) => ("minLength", json!(least)),
        RuleSpec::Max(most) => ("maxLength", json!(most)),
    };
    property.insert(name.into(), value);
}

/// A form that comes in parts.
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

/// With headers before it.
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
