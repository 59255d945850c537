//! Bulk actions: one request changes or deletes many records in one transaction. A dry run does the same without
//! writing.

use super::change::{Batch, agreement_states};
use super::identity;
use super::set_fields::{Plan, form_value, is_form_value, plan, write};
use super::{Editable, Entity, ListRequest, panel_filter};
use crate::access::scope::{May, Read, ResourceType, Scope};
use crate::features::listing::{self, ListFilter, writes};
use crate::features::state::App;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{LocalDay, Valid};
use aws_lc_rs::digest::{Context, SHA256};
use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use forecourt_core::bulk::{Action, BulkInput, BulkQuery, BulkResult, RECORDS_MAX, Refused, size_error, text};
use forecourt_core::date::Date;
use forecourt_core::form::{FieldError, FormSettings, check};
use forecourt_core::history::HistoryAction;
use forecourt_core::lists::{Arrangement, Fields, Filter, Record, Sort, Today};
use forecourt_core::message::Message;
use forecourt_core::paging::{Page, read_search};
use forecourt_core::permissions;
use forecourt_core::reply::Reply;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Maximum number of records that are in memory at a time. Of the others, only ids and versions are.
const BATCH: usize = 500;
/// Length of the digest of the selected records, in bytes.
const DIGEST_BYTES: usize = 16;

/// `POST /api/{resource}/bulk`: requires the permission for the action. A dry run reports what the same request would
/// do.
pub async fn bulk<E: Editable>(
    may: May<Read, <E::Entity as Entity>::Resource>,
    State(app): State<App>,
    LocalDay(day): LocalDay,
    Valid(input): Valid<BulkInput>,
) -> ApiResult<Json<Reply<BulkResult>>> {
    let action = input.action().ok_or_else(|| ApiError::for_field("action", text::ACTION_INVALID))?;
    let permission = match action {
        Action::Update => permissions::Action::Update,
        Action::Delete => permissions::Action::Delete,
    };
    let scope = may.with_permission(permission).ok_or(ApiError::PermissionDenied)?;
    let fields = read_fields::<E>(&scope, &input)?;
    let ids = find::<E::Entity>(&scope, &input, &day).await?;
    // Records that a query has found may be changed while the action waits for the lock, and then not match any more.
    let expected = match &input.expected {
        None if input.query.is_some() && !input.dry_run => {
            Some(digest(&versions::<E::Entity>(None, &scope, &ids).await?))
        }
        expected => expected.clone(),
    };
    let mut batch = match input.dry_run {
        true => None,
        false => Some(begin::<E::Entity>(&scope, app.clock.now(), action).await?),
    };
    let matched = versions::<E::Entity>(batch.as_mut().map(Batch::tx), &scope, &ids).await?;
    let digest = digest(&matched);
    if batch.is_some() && expected.is_some_and(|expected| expected != digest) {
        return Err(ApiError::Conflict(text::CHANGED_SINCE_PREVIEW.clone()));
    }
    let label = match matched[..] {
        [(id, _)] => label::<E::Entity>(batch.as_mut().map(Batch::tx), &scope, id).await?,
        _ => None,
    };
    let result = BulkResult { matched: matched.len() as u64, label, digest, ..BulkResult::default() };
    let mut run = Run { scope: &scope, batch, settings: app.form_settings, today: day.date(), result };
    for records in matched.chunks(BATCH) {
        let ids = records.iter().map(|(id, _)| *id).collect();
        match action {
            Action::Update => run.update::<E>(ids, &fields).await?,
            Action::Delete => run.delete::<E::Entity>(ids).await?,
        }
    }
    if let Some(batch) = run.batch {
        run.result.batch_id = batch.commit().await?.map(|id| id.to_string());
    }
    let message = match (action, input.dry_run) {
        (Action::Update, true) => text::would_update,
        (Action::Update, false) => text::updated,
        (Action::Delete, true) => text::would_delete,
        (Action::Delete, false) => text::deleted,
    };
    let message = message(run.result.changed);
    Ok(Json(Reply::new(run.result).with_message(&message)))
}

/// Returns the new values of the request by field. An empty text stands for no value.
///
/// # Errors
/// 400 for a field that the user does not see or can't change in bulk, or for an invalid value.
fn read_fields<E: Editable>(scope: &Scope, input: &BulkInput) -> ApiResult<Map<String, Value>> {
    let mut errors = input.check_fields(Fields::visible(E::Entity::FIELDS, scope.access()));
    let mut fields = Map::new();
    for (name, value) in &input.fields {
        let value = form_value(value.as_ref())?;
        if errors.is_empty() && !is_form_value::<E>(name, &value) {
            errors.push(FieldError { field: format!("fields.{name}"), message: text::VALUE_INVALID.into() });
        }
        fields.insert(name.clone(), value);
    }
    if errors.is_empty() { Ok(fields) } else { Err(errors.into()) }
}

/// Returns the ids that the request lists or that its query finds on this day, in ascending order. Listed ids may be
/// those of no record.
///
/// # Errors
/// 400 if the query is invalid or finds too many records.
async fn find<E: Entity>(scope: &Scope, input: &BulkInput, day: &Today) -> ApiResult<Vec<Uuid>> {
    let ids: BTreeSet<Uuid> = match &input.query {
        None => input.ids.iter().flatten().filter_map(|id| Uuid::try_parse(id).ok()).collect(),
        Some(query) => {
            let request = read_query::<E>(scope, query, day)?;
            let (ids, total) = listing::ids(scope, E::LISTING, &request.selection()).await?;
            if let Some(message) = size_error(total) {
                return Err(ApiError::for_field("query", &message));
            }
            ids.into_iter().collect()
        }
    };
    Ok(ids.into_iter().collect())
}

fn read_query<E: Entity>(scope: &Scope, query: &BulkQuery, day: &Today) -> ApiResult<ListRequest> {
    let mut errors = query.check_own_filters(E::Resource::RESOURCE);
    let search = read_search(&query.search).unwrap_or_else(|found| {
        errors.extend(found);
        None
    });
    let filter = Filter::read(Fields::visible(E::FIELDS, scope.access()), &query.filter, day).unwrap_or_else(|found| {
        errors.extend(found);
        Filter::default()
    });
    let id = |text: &str| (!text.trim().is_empty()).then(|| Uuid::try_parse(text.trim()).unwrap_or_default());
    let panel = check(query.panel.clone()).map_err(|found| errors.extend(found)).ok();
    if !errors.is_empty() {
        let within = |error: FieldError| FieldError { field: format!("query.{}", error.field), ..error };
        return Err(errors.into_iter().map(within).collect::<Vec<_>>().into());
    }
    let own = panel.map(|panel| panel_filter(&panel)).unwrap_or_default();
    Ok(ListRequest {
        page: Page { page: 1, limit: RECORDS_MAX },
        search,
        filter: ListFilter {
            import: id(&query.import_batch_id),
            customer: id(&query.customer_id),
            vehicle: id(&query.vehicle_id),
            ..own
        },
        arrangement: Arrangement { sort: Sort::default(), filter },
    })
}

/// Returns the ids and versions of those of the records that exist.
async fn versions<E: Entity>(mut tx: Option<&mut Tx>, scope: &Scope, ids: &[Uuid]) -> ApiResult<Vec<(Uuid, i64)>> {
    let mut versions = Vec::new();
    for ids in ids.chunks(BATCH) {
        versions.extend(listing::versions(tx.as_deref_mut(), scope, E::LISTING, ids.to_vec()).await?);
    }
    Ok(versions)
}

/// Returns the text by which users know a record; `None` if it does not exist.
async fn label<E: Entity>(tx: Option<&mut Tx>, scope: &Scope, id: Uuid) -> ApiResult<Option<String>> {
    let row = listing::rows_in(tx, scope, E::COLUMNS, E::LISTING, vec![id]).maybe::<E::Row>().await?;
    let record = row.map(E::from_row).transpose()?;
    Ok(record.map(|record| identity::label(&record).to_owned()))
}

/// Begins the transaction of a bulk action. Until it ends, no other request changes records of this list.
async fn begin<E: Entity>(scope: &Scope, now: i64, action: Action) -> ApiResult<Batch<'_>> {
    let recorded = match action {
        Action::Update => HistoryAction::Updated,
        Action::Delete => HistoryAction::Deleted,
    };
    let mut batch = Batch::begin(scope, now, recorded).await?;
    writes::lock(batch.tx(), scope, E::LISTING, action == Action::Delete).await?;
    Ok(batch)
}

/// Returns a digest of the ids and versions of records, which shows whether a record changed since a dry run. It does
/// not show new comments, or links that changed because a linked record was deleted or restored: these leave the
/// version as it is.
fn digest(records: &[(Uuid, i64)]) -> String {
    let mut digest = Context::new(&SHA256);
    for (id, version) in records {
        digest.update(id.as_bytes());
        digest.update(&version.to_be_bytes());
    }
    BASE64_URL_SAFE_NO_PAD.encode(&digest.finish().as_ref()[..DIGEST_BYTES])
}

/// A bulk action in progress, to which records are passed in batches.
struct Run<'s> {
    scope: &'s Scope,
    /// `None` in a dry run, which only reads.
    batch: Option<Batch<'s>>,
    settings: FormSettings,
    today: Date,
    result: BulkResult,
}

impl Run<'_> {
    async fn delete<E: Entity>(&mut self, ids: Vec<Uuid>) -> ApiResult<()> {
        let ids = if E::MAY_REFUSE_DELETION { self.deletable::<E>(ids).await? } else { ids };
        self.result.changed += match &mut self.batch {
            Some(batch) => batch.delete::<E>(&ids).await?,
            None => ids.len() as u64,
        };
        Ok(())
    }

    /// Returns the ids of the records that can be deleted, and reports the others.
    async fn deletable<E: Entity>(&mut self, ids: Vec<Uuid>) -> ApiResult<Vec<Uuid>> {
        let mut agreements = agreement_states::<E>(self.batch.as_mut().map(Batch::tx), self.scope, &ids).await?;
        let rows = listing::rows_in(self.batch.as_mut().map(Batch::tx), self.scope, E::COLUMNS, E::LISTING, ids);
        let rows: Vec<E::Row> = rows.all().await?;
        let mut deletable = Vec::new();
        for row in rows {
            let record = E::from_row(row)?;
            let id = identity::id(&record)?;
            match record.deletion_error(&agreements.remove(&id).unwrap_or_default()) {
                None => deletable.push(id),
                Some(message) => self.result.refused.push(refusal(&record, message.clone())),
            }
        }
        Ok(deletable)
    }

    async fn update<E: Editable>(&mut self, ids: Vec<Uuid>, fields: &Map<String, Value>) -> ApiResult<()> {
        let listing = <E::Entity as Entity>::LISTING;
        let rows: Vec<E::Row> =
            listing::rows_in(self.batch.as_mut().map(Batch::tx), self.scope, E::COLUMNS, listing, ids).all().await?;
        let mut planned = Vec::new();
        for row in rows {
            let record = E::from_row(row)?;
            let tx = self.batch.as_mut().map(Batch::tx);
            match plan(tx, self.scope, &record, self.settings, self.today, fields).await? {
                Plan::Change(columns, secrets) => planned.push((columns, record, secrets)),
                Plan::Keep => self.result.unchanged += 1,
                Plan::Refuse(message) => self.result.refused.push(refusal(record.record(), message)),
            }
        }
        self.result.changed += match &mut self.batch {
            Some(batch) => write(batch, planned).await?,
            None => planned.len() as u64,
        };
        Ok(())
    }
}

pub(super) fn refusal<E: Entity>(record: &E, message: Message) -> Refused {
    Refused {
        id: identity::id(record).map(|id| id.to_string()).unwrap_or_default(),
        label: identity::label(record).to_owned(),
        message: message.to_string(),
        messages: vec![message],
    }
}
