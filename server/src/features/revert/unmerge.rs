//! Undoing a merge, given the entry of the whole merge or that of the kept record.

use super::{Reverted, Undoing, conflict};
use crate::features::customers::StoredCustomer;
use crate::features::history::StoredEntry;
use crate::features::records::duplicates::Mergeable;
use crate::features::records::unmerge::unmerge;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::responses::Finished;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::duplicates::text;
use forecourt_core::history::OnConflict;
use forecourt_core::permissions::ResourceId;
use forecourt_core::reply::Reply;

impl Undoing<'_> {
    pub(super) async fn undo_merge(&self, entry: StoredEntry) -> ApiResult<Finished<Reply<Reverted>>> {
        match entry.resource {
            ResourceId::Contacts => self.unmerge_records::<ContactSummary>(entry).await,
            ResourceId::Customers => self.unmerge_records::<StoredCustomer>(entry).await,
            other => Err(ApiError::internal(format!("{} can't be merged", other.as_str()))),
        }
    }

    async fn unmerge_records<E: Mergeable>(&self, entry: StoredEntry) -> ApiResult<Finished<Reply<Reverted>>> {
        let merge = entry.batch.unwrap_or(self.id);
        let result = unmerge::<E>(self.scope, self.app, self.today, merge, self.on_conflict, self.dry_run).await?;
        let is_refused = self.on_conflict == OnConflict::Refuse && !result.kept.is_empty();
        let data = match entry.record {
            _ if self.dry_run => return Ok(Finished::Now(Reply::new(Reverted::Result(result)))),
            None if is_refused => return Err(conflict(&result)),
            None => Reverted::Result(result),
            Some(id) if is_refused => return Err(conflict(&E::show(self.scope, id).await?)),
            Some(id) => self.show::<E>(id).await?,
        };
        Ok(Finished::Now(Reply::new(data).with_message(text::UNMERGED)))
    }
}
