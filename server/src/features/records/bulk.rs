//! Bulk actions: changes or deletes many records in one transaction.

use super::{Editable, Entity, ListRequest, delete, panel_filter};
use crate::access::scope::{May, Read, ResourceType, Scope};
use crate::features::listing::{self, ListFilter};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use axum::Json;
use axum::extract::State;
use forecourt_core::bulk::{Action, BulkInput, BulkQuery, BulkResult, RECORDS_MAX, Refused, text};
use forecourt_core::form::{Checked, FieldError, FormSettings, check, normalize_lines};
use forecourt_core::lists::{Arrangement, Filter, Operand, Record, Sort};
use forecourt_core::message::Message;
use forecourt_core::paging::{Page, read_search};
use forecourt_core::permissions;
use forecourt_core::reply::Reply;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Records per query.
const BATCH: usize = 500;

/// `POST /api/{resource}/bulk`: requires the permission for the action. A dry run reports what the same request would do.
pub async fn bulk<E: Editable>(
    may: May<Read, <E::Entity as Entity>::Resource>,
    State(app): State<App>,
    Valid(input): Valid<BulkInput>,
) -> ApiResult<Json<Reply<BulkResult>>> {
    let action = input.action().ok_or_else(|| ApiError::for_field("action", text::ACTION_INVALID))?;
    let permission = match action {
        Action::Update => permissions::Action::Update,
        Action::Delete => permissions::Action::Delete,
    };
    let scope = may.with_permission(permission).ok_or(ApiError::PermissionDenied)?;
    let fields = read_fields::<E>(&input)?;
    let ids = find::<E::Entity>(&scope, &input).await?;
    let (result, message) = match (action, input.dry_run) {
        (Action::Update, is_dry) => {
            let plan = Plan::<E>::new(&scope, app.form_settings, ids, &fields).await?;
            match is_dry {
                true => (plan.preview(), text::would_update as fn(u64) -> Message),
                false => (plan.apply(&scope, app.clock.now()).await?, text::updated as fn(u64) -> Message),
            }
        }
        (Action::Delete, true) => (deletion(count::<E::Entity>(&scope, ids).await?), text::would_delete as _),
        (Action::Delete, false) => (deletion(delete_all::<E::Entity>(&scope, &ids).await?), text::deleted as _),
    };
    let message = message(result.changed);
    Ok(Json(Reply::new(result).with_message(&message)))
}

/// Returns the new values. An absent value is an empty text.
fn read_fields<E: Editable>(input: &BulkInput) -> ApiResult<Map<String, Value>> {
    let mut errors = input.check_fields(E::Entity::FIELDS);
    let mut fields = Map::new();
    for (name, value) in &input.fields {
        let value = match value {
            Some(Operand::Text(text)) => {
                let mut text = text.clone();
                normalize_lines(&mut text);
                Value::String(text)
            }
            Some(value) => serde_json::to_value(value).map_err(ApiError::internal)?,
            None => Value::String(String::new()),
        };
        let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        if errors.is_empty() && serde_json::from_value::<E::Form>(alone).is_err() {
            errors.push(FieldError { field: format!("fields.{name}"), message: text::VALUE_INVALID.into() });
        }
        fields.insert(name.clone(), value);
    }
    if errors.is_empty() { Ok(fields) } else { Err(errors.into()) }
}

/// Returns the ids of the request in ascending order, in which transactions lock the rows. With ids of the request itself, some
/// may have no record.
///
/// # Errors
/// 400 if there are too many, or the query is invalid.
async fn find<E: Entity>(scope: &Scope, input: &BulkInput) -> ApiResult<Vec<Uuid>> {
    let ids: BTreeSet<Uuid> = match &input.query {
        None => input.ids.iter().flatten().filter_map(|id| Uuid::try_parse(id).ok()).collect(),
        Some(query) => {
            let request = read_query::<E>(query)?;
            let (ids, total) = listing::ids(scope, E::LISTING, &request.selection()).await?;
            if total > RECORDS_MAX.into() {
                return Err(ApiError::for_field("query", &text::too_many(RECORDS_MAX.into())));
            }
            ids.into_iter().collect()
        }
    };
    Ok(ids.into_iter().collect())
}

fn read_query<E: Entity>(query: &BulkQuery) -> ApiResult<ListRequest> {
    let mut errors = query.check_own_filters(E::Resource::RESOURCE);
    let search = read_search(&query.search).unwrap_or_else(|found| {
        errors.extend(found);
        None
    });
    let filter = Filter::read(E::FIELDS, &query.filter).unwrap_or_else(|found| {
        errors.extend(found);
        Filter::default()
    });
    let import = query.import_batch_id.trim();
    let import = (!import.is_empty()).then(|| Uuid::try_parse(import).unwrap_or_default());
    let panel = check(query.panel.clone()).map_err(|found| errors.extend(found)).ok();
    if !errors.is_empty() {
        let within = |error: FieldError| FieldError { field: format!("query.{}", error.field), ..error };
        return Err(errors.into_iter().map(within).collect::<Vec<_>>().into());
    }
    let own = panel.map(|panel| panel_filter(&panel)).unwrap_or_default();
    Ok(ListRequest {
        page: Page { page: 1, limit: RECORDS_MAX },
        search,
        filter: ListFilter { import, ..own },
        arrangement: Arrangement { sort: Sort::default(), filter },
    })
}

fn deletion(deleted: u64) -> BulkResult {
    BulkResult { matched: deleted, changed: deleted, unchanged: 0, refused: Vec::new() }
}

/// Returns how many of these records exist.
async fn count<E: Entity>(scope: &Scope, ids: Vec<Uuid>) -> ApiResult<u64> {
    let mut count = 0;
    for ids in ids.chunks(BATCH) {
        let found: Vec<(Uuid,)> = listing::rows(scope, E::ID, E::LISTING, ids.to_vec()).all().await?;
        count += found.len() as u64;
    }
    Ok(count)
}

async fn delete_all<E: Entity>(scope: &Scope, ids: &[Uuid]) -> ApiResult<u64> {
    let (mut tx, _) = scope.begin().await?;
    let mut deleted = 0;
    for ids in ids.chunks(BATCH) {
        deleted += delete::<E>(&mut tx, scope, ids).await?;
    }
    tx.commit().await?;
    Ok(deleted)
}

/// What an update does with each record. It is made without a lock; a record that changes until it is applied is refused.
struct Plan<E: Editable> {
    changes: Vec<(E, Checked<E::Form>)>,
    unchanged: u64,
    refused: Vec<Refused>,
}

impl<E: Editable> Plan<E> {
    async fn new(
        scope: &Scope,
        settings: FormSettings,
        ids: Vec<Uuid>,
        fields: &Map<String, Value>,
    ) -> ApiResult<Self> {
        let mut plan = Plan { changes: Vec::new(), unchanged: 0, refused: Vec::new() };
        for ids in ids.chunks(BATCH) {
            let rows: Vec<E::Row> =
                listing::rows(scope, E::COLUMNS, <E::Entity as Entity>::LISTING, ids.to_vec()).all().await?;
            for row in rows {
                plan.add(settings, E::from_row(row)?, fields)?;
            }
        }
        Ok(plan)
    }

    fn add(&mut self, settings: FormSettings, record: E, fields: &Map<String, Value>) -> ApiResult<()> {
        let mut values = to_map(record.record())?;
        if fields.iter().all(|(name, value)| text_of(&values, name) == value) {
            self.unchanged += 1;
            return Ok(());
        }
        values.extend(fields.clone());
        let form = serde_json::from_value(Value::Object(values)).map_err(ApiError::internal)?;
        match record.check(settings, form) {
            Ok(form) => self.changes.push((record, form)),
            Err(errors) => {
                let message = errors.into_iter().next().map(|error| error.message);
                self.refused.extend(message.map(|message| refused(&record, message)));
            }
        }
        Ok(())
    }

    fn preview(self) -> BulkResult {
        result(self.changes.len() as u64, self.unchanged, self.refused)
    }

    async fn apply(mut self, scope: &Scope, now: i64) -> ApiResult<BulkResult> {
        let (mut tx, _) = scope.begin().await?;
        let mut changed = 0;
        for (record, form) in self.changes {
            match record.update(&mut tx, scope, form, now)?.exec().await? {
                0 => self.refused.push(refused(&record, text::CHANGED_MEANWHILE.clone())),
                _ => changed += 1,
            }
        }
        tx.commit().await?;
        Ok(result(changed, self.unchanged, self.refused))
    }
}

fn result(changed: u64, unchanged: u64, refused: Vec<Refused>) -> BulkResult {
    BulkResult { matched: changed + unchanged + refused.len() as u64, changed, unchanged, refused }
}

fn refused<E: Editable>(record: &E, message: Message) -> Refused {
    Refused {
        id: record.id().to_owned(),
        label: record.label().to_owned(),
        message: message.to_string(),
        messages: vec![message],
    }
}

/// Returns a value, and for none an empty text.
fn text_of<'a>(map: &'a Map<String, Value>, name: &str) -> &'a Value {
    static EMPTY: Value = Value::String(String::new());
    map.get(name).filter(|value| !value.is_null()).unwrap_or(&EMPTY)
}

/// Returns a record's values by the names of its fields.
fn to_map(record: &impl Serialize) -> ApiResult<Map<String, Value>> {
    match serde_json::to_value(record) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(ApiError::internal("a record is no JSON object")),
    }
}
