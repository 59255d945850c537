//! A record as it was after an entry (docs/product.md 4.20).

use super::{ReadableEntry, find_readable};
use crate::access::scope::{Scope, Signed};
use crate::features::history;
use crate::features::records::{self, Entity, EntityOf};
use crate::features::with_record;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, Params};
use axum::Json;
use forecourt_core::history::{HistoryAction, Past, PastRecord, PastValue, parse_resource, text};
use forecourt_core::lists::hidden_fields;
use forecourt_core::permissions::ResourceId;
use forecourt_core::reply::Reply;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// Entries per query.
const BATCH: u32 = 200;

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PastQuery {
    /// The id of the record. The entry of an import needs it: it stands for all contacts of the import.
    id: String,
}

/// `GET /api/history/{history_id}/record`
pub async fn read(
    actor: Signed,
    id: ApiResult<Id>,
    Params(query): Params<PastQuery>,
) -> ApiResult<Json<Reply<PastRecord>>> {
    let ReadableEntry { id, entry, scope } = find_readable(&actor, id).await?;
    let resource = parse_resource(&entry.resource).ok_or(ApiError::NotFound)?;
    let requested = match query.id.trim() {
        "" => None,
        text => Some(Uuid::parse_str(text).map_err(|_| ApiError::NotFound)?),
    };
    let record = match Uuid::parse_str(&entry.record_id).ok() {
        Some(record) => record,
        None => requested.ok_or_else(|| ApiError::for_field("id", text::ID_REQUIRED))?,
    };
    if requested.is_some_and(|requested| requested != record) {
        return Err(ApiError::NotFound);
    }
    match HistoryAction::parse(&entry.action) {
        Some(HistoryAction::Deleted | HistoryAction::Purged) => {
            return Err(ApiError::Conflict(text::DELETED_THEN.clone()));
        }
        Some(HistoryAction::Imported) if history::is_of_import(&scope, id, record).await? => {}
        _ if entry.record_id.is_empty() => return Err(ApiError::NotFound),
        _ => {}
    }
    let values = with_record!(resource, Record => values::<EntityOf<Record>>(&scope, resource, record, id).await?);
    let values = values.ok_or(ApiError::NotFound)?;
    let record_id = record.to_string();
    Ok(Json(Reply::new(PastRecord {
        history_id: entry.history_id,
        at: entry.at,
        resource: entry.resource,
        record_id,
        values,
    })))
}

async fn values<E: Entity>(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    entry: Uuid,
) -> ApiResult<Vec<PastValue>> {
    // Read before the entries: a change that is made in between then has an entry, whose value before it is that of
    // this record.
    let present = records::get_existing::<E>(scope, vec![record]).await?.pop();
    let (mut past, mut last) = (Past::default(), entry);
    loop {
        let entries = history::changes_since(scope, resource, record, last, BATCH).await?;
        let count = entries.len();
        for (id, changes) in entries {
            last = id;
            past.add(changes);
        }
        if count < BATCH as usize {
            let mut values = past.values(present.as_ref());
            // Of a field that is hidden in part, the history knows nothing.
            values.retain(|value| hidden_fields::<E>(scope.access()).all(|hidden| hidden != value.field));
            return Ok(values);
        }
    }
}
