//! Describes each operation for OpenAPI by the types of its handler: its extractors and its response.

pub mod forms;

use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{
    IDEMPOTENCY_KEY, Id, IdAndForm, LocalDay, NestedIds, Params, Repeatable, TIME_ZONE, Unchecked, Valid,
};
use crate::platform::multipart::MultipartBody;
use crate::platform::responses::{Content, Created, Download, Finished, MediaType, Queued, Redirect};
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method};
use forecourt_core::form::{Form, FormSettings, RuleSpec, rule_specs};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

/// The OpenAPI description of one operation (method and path), to which the types of the handler add their parts.
pub struct Operation {
    /// Generates the schemas of responses, and collects the named ones.
    pub schemas: SchemaGenerator,
    /// The query parameters, by name.
    pub query: Map<String, Value>,
    /// The schemas of optional headers, by name.
    pub headers: Map<String, Value>,
    /// The media type and schema of the request body.
    pub body: Option<(&'static str, Value)>,
    /// The media types and schemas of the body, by status of success; empty for a response without a body.
    pub responses: BTreeMap<u16, Vec<(&'static str, Value)>>,
    /// The headers that every successful response has, by name.
    pub response_headers: Map<String, Value>,
    /// Sentences about the operation that its handler's types add to its description.
    pub notes: Vec<String>,
    /// The HTTP statuses of the operation's errors.
    pub errors: BTreeSet<u16>,
    /// Whether the ids in the operation's path are UUIDs.
    pub has_uuids: bool,
}

impl Operation {
    pub fn new(schemas: SchemaGenerator) -> Self {
        let (query, headers, response_headers) = (Map::new(), Map::new(), Map::new());
        let (responses, errors, notes) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        Operation { schemas, query, headers, body: None, responses, response_headers, notes, errors, has_uuids: false }
    }

    /// Describes the extractors and the response of this handler.
    pub fn add_handler<H: Handler<M>, M>(&mut self, _: H) {
        H::describe(self);
    }

    fn add_query(&mut self, schema: Schema) {
        if let Some(Value::Object(properties)) = schema.get("properties") {
            self.query.extend(properties.clone());
        }
        // The document omits empty texts as defaults, since their meaning depends on the list.
        for parameter in self.query.values_mut().filter_map(Value::as_object_mut) {
            if parameter.get("default").is_some_and(|default| default == "") {
                parameter.remove("default");
            }
        }
        self.errors.insert(400);
    }

    fn add_response<T: JsonSchema>(&mut self, status: u16) {
        let schema = self.schemas.subschema_for::<T>().to_value();
        self.responses.insert(status, vec![("application/json", schema)]);
    }

    /// Adds a header that every successful response has.
    pub fn add_response_header(&mut self, name: &str, description: &str, schema: &Value) {
        let header = json!({"description": description, "required": true, "schema": schema});
        self.response_headers.insert(name.to_owned(), header);
    }

    /// Adds a media type in which the response with this status may return a file.
    pub fn add_file(&mut self, status: u16, media_type: &'static str) {
        self.responses.entry(status).or_default().push((media_type, json!({"type": "string"})));
    }
}

/// Returns the settings of all schemas. OpenAPI 3.1 uses JSON Schema 2020-12 unchanged.
pub fn schema_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|s| {
        s.definitions_path = "/components/schemas".into();
        s.meta_schema = None;
    })
}

/// Returns the schema of request data, with all subschemas inlined.
pub fn request_schema<T: JsonSchema>() -> Schema {
    schema_settings()
        .for_deserialize()
        .with(|s| s.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<T>()
}

/// A handler function, as axum accepts it. `M` is the tuple of its extractors.
pub trait Handler<M> {
    fn describe(operation: &mut Operation);
}

/// An extractor of a handler, which describes what it takes from the request.
pub trait Extractor {
    /// Adds to the operation what a client must send for this extractor, and the statuses of errors that it can cause.
    fn describe(_: &mut Operation) {}
}

/// A type that a handler returns, which describes the response.
pub trait ResponseType {
    fn describe(operation: &mut Operation);
}

macro_rules! handlers {
    ($($extractor:ident)*) => {
        impl<F, G, R, $($extractor),*> Handler<($($extractor,)*)> for F
        where
            F: Fn($($extractor),*) -> G,
            G: Future<Output = R>,
            R: ResponseType,
            $($extractor: Extractor,)*
        {
            fn describe(operation: &mut Operation) {
                $($extractor::describe(operation);)*
                R::describe(operation);
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A B);
handlers!(A B C);
handlers!(A B C D);
handlers!(A B C D E);

impl<S> Extractor for State<S> {}
impl Extractor for HeaderMap {}
impl Extractor for Method {}
impl Extractor for Result<Path<String>, PathRejection> {}

impl Extractor for Id {
    fn describe(operation: &mut Operation) {
        operation.has_uuids = true;
    }
}

impl Extractor for ApiResult<Id> {
    fn describe(operation: &mut Operation) {
        Id::describe(operation);
    }
}

impl Extractor for NestedIds {
    fn describe(operation: &mut Operation) {
        operation.has_uuids = true;
    }
}

impl<B: Extractor> Extractor for Repeatable<B> {
    fn describe(operation: &mut Operation) {
        B::describe(operation);
        let key = json!({
            "type": "string",
            "format": "uuid",
            "description": "A request that is sent again with the same key creates only one record, user or comment. The \
                            same key with another body is a 400.",
        });
        operation.headers.insert(IDEMPOTENCY_KEY.to_owned(), key);
        // 404 if what the request has created was deleted before it was repeated.
        operation.errors.extend([400, 404]);
    }
}

impl Extractor for LocalDay {
    fn describe(operation: &mut Operation) {
        let zone = json!({
            "type": "string",
            "examples": ["Europe/Stockholm"],
            "description": "The time zone of the current day. By default, and if it is unknown, UTC.",
        });
        operation.headers.insert(TIME_ZONE.to_owned(), zone);
    }
}

impl<Q: JsonSchema> Extractor for Params<Q> {
    fn describe(operation: &mut Operation) {
        operation.add_query(request_schema::<Q>());
    }
}

impl<Q: JsonSchema> Extractor for Result<Query<Q>, QueryRejection> {
    fn describe(operation: &mut Operation) {
        operation.add_query(request_schema::<Q>());
        // A handler with this extractor does not respond to invalid parameters with 400, but redirects the browser to a
        // page.
        operation.errors.remove(&400);
    }
}

impl<F: Form + Default + DeserializeOwned + JsonSchema> Extractor for Valid<F> {
    fn describe(operation: &mut Operation) {
        let mut schema = request_schema::<F>().to_value();
        let accepts = |body: Value| serde_json::from_value::<F>(body).is_ok();
        allow_null(&mut schema, &|null| accepts(null));
        for (field, rule) in rule_specs::<F>(FormSettings::default()) {
            add_rule(&mut schema, &field, rule);
        }
        // Recursive types have names, and are added to the document's named schemas.
        if let Some(Value::Object(mut own)) = schema.as_object_mut().and_then(|schema| schema.remove("components"))
            && let Some(Value::Object(own)) = own.remove("schemas")
        {
            operation.schemas.definitions_mut().extend(own);
        }
        operation.body = Some(("application/json", schema));
        operation.errors.extend([400, 408, 413, 415]);
    }
}

impl<F: Form + Default + DeserializeOwned + JsonSchema> Extractor for IdAndForm<F> {
    fn describe(operation: &mut Operation) {
        Id::describe(operation);
        Valid::<F>::describe(operation);
    }
}

/// An id and a body whose errors the handler returns itself, after it has checked a permission.
impl<F: Form + Default + DeserializeOwned + JsonSchema> Extractor for ApiResult<IdAndForm<F>> {
    fn describe(operation: &mut Operation) {
        IdAndForm::<F>::describe(operation);
    }
}

impl<F: Form + Default + DeserializeOwned + JsonSchema> Extractor for Unchecked<F> {
    fn describe(operation: &mut Operation) {
        Valid::<F>::describe(operation);
    }
}

/// A body that may be missing or have another media type: the handler then responds as to an empty form.
impl<F: Form + Default + DeserializeOwned + JsonSchema> Extractor for ApiResult<Valid<F>> {
    fn describe(operation: &mut Operation) {
        Valid::<F>::describe(operation);
        operation.errors.remove(&415);
    }
}

/// Adds `null` to the type of every text property that accepts it. `accepts` returns true if the form can be
/// deserialized from a value.
fn allow_null(schema: &mut Value, accepts: &dyn Fn(Value) -> bool) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        let accepts_field = |value: Value| accepts(json!({ name.as_str(): value }));
        if property["type"] == "string" && accepts_field(Value::Null) {
            property["type"] = json!(["string", "null"]);
        }
        allow_null(property, &accepts_field);
    }
}

/// Adds a form's rule to the schema of its field, whose name may be a path such as `fields.status`. A required field
/// gets a minimum length instead of `required`, since some forms require it only with a certain value of another field.
fn add_rule(schema: &mut Value, field: &str, rule: RuleSpec) {
    let property = field.split('.').try_fold(schema, |schema, name| schema.get_mut("properties")?.get_mut(name));
    let Some(Value::Object(property)) = property else { return };
    let (name, value) = match rule {
        RuleSpec::Required => ("minLength", json!(1)),
        RuleSpec::Email => ("format", json!("email")),
        // A minimum length does not apply to an optional field, which may be empty.
        RuleSpec::Min(_) if !property.contains_key("minLength") => return,
        RuleSpec::Min(min) => ("minLength", json!(min)),
        RuleSpec::Max(max) => ("maxLength", json!(max)),
    };
    property.insert(name.into(), value);
}

/// A multipart form, with the schema of its fields.
pub trait MultipartSchema {
    fn schema() -> Value;
}

impl<P: MultipartSchema> Extractor for MultipartBody<P> {
    fn describe(operation: &mut Operation) {
        operation.body = Some(("multipart/form-data", P::schema()));
        operation.errors.extend([400, 408, 413]);
    }
}

impl<T: JsonSchema> ResponseType for Json<T> {
    fn describe(operation: &mut Operation) {
        operation.add_response::<T>(200);
    }
}

impl<T: JsonSchema> ResponseType for Created<T> {
    fn describe(operation: &mut Operation) {
        operation.add_response::<T>(201);
    }
}

impl<T: JsonSchema> ResponseType for Queued<T> {
    fn describe(operation: &mut Operation) {
        operation.add_response::<T>(202);
    }
}

impl<T: JsonSchema> ResponseType for Finished<T> {
    fn describe(operation: &mut Operation) {
        operation.add_response::<T>(200);
        operation.add_response::<T>(202);
    }
}

/// A response with additional headers, which the document does not describe.
impl<H, T: ResponseType> ResponseType for (H, T) {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl<T: ResponseType> ResponseType for ApiResult<T> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl ResponseType for ApiError {
    fn describe(_: &mut Operation) {}
}

impl ResponseType for Redirect {
    fn describe(operation: &mut Operation) {
        operation.responses.insert(302, Vec::new());
        operation.add_response_header("Location", "The URL to open.", &json!({"type": "string"}));
    }
}

impl<T: ResponseType> ResponseType for Download<T> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
        let text = json!({"type": "string"});
        operation.add_response_header("Content-Disposition", "`attachment`, with a name for the file.", &text);
    }
}

impl<K: MediaType> ResponseType for Content<K> {
    fn describe(operation: &mut Operation) {
        let schema_type = if K::NAME == "application/json" { "object" } else { "string" };
        operation.responses.insert(200, vec![(K::NAME, json!({"type": schema_type}))]);
    }
}
