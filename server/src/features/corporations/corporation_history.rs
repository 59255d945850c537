//! Changes of corporations in the history.

use super::store;
use crate::access::scope::Scope;
use crate::features::history;
use crate::platform::db::{Result, Tx};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::corporations::Corporation;
use forecourt_core::history::{
    Change, ChangedValue, HistoryAction, HistoryEntry, changes, changes_of_other_corporation, text_change,
};
use forecourt_core::lists::Record;
use forecourt_core::permissions::ResourceId;

/// The name of the allowed resources among the changes of a corporation.
const RESOURCES: &str = "allowed_resources";

/// A change of the scope's corporation that is not in the history yet. Contains the corporation before the change.
pub(super) struct CorporationChange(Option<Corporation>);

impl CorporationChange {
    /// Reads the corporation before the change.
    pub(super) async fn begin(tx: &mut Tx, scope: &Scope) -> Result<Self> {
        Ok(CorporationChange(store::find(tx, scope).await?))
    }

    /// Reads the corporation after the change, and adds the history entry; for another corporation than that of the
    /// user, also to the platform's history. Returns `false`, and adds nothing, if nothing was changed.
    pub(super) async fn record(self, tx: &mut Tx, scope: &Scope, now: i64) -> Result<bool> {
        let Some(after) = store::find(tx, scope).await? else { return Ok(false) };
        let mut changes = changes(self.0.as_ref(), Some(&after), &[]);
        let resources = |corporation: &Corporation| corporation.allowed_resources.join(", ");
        let before = self.0.as_ref().map(resources).unwrap_or_default();
        changes.extend(text_change(RESOURCES, &before, &resources(&after)));
        if changes.is_empty() {
            return Ok(false);
        }
        history::insert_about_corporation(tx, scope, scope.corp(), now, HistoryAction::Updated, &changes).await?;
        if self.0.is_some_and(|before| before.awaits_approval) && !after.awaits_approval {
            // Only the platform's history says who has approved a sign-up.
            changes.retain(|change| change.field != "corp_active");
            let [before, after] = [true, false].map(|value| Some(ChangedValue::Flag(value)));
            changes.insert(0, Change { field: "awaits_approval".into(), before, after });
        }
        let changes = changes_of_other_corporation(&changes);
        history::record_for_platform(tx, scope, now, HistoryAction::Updated, &changes).await.map(|()| true)
    }
}

/// Adds the history entry for a change of the scope's corporation; for another corporation than that of the user, also
/// to the platform's history.
pub(crate) async fn record(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    action: HistoryAction,
    changes: &[Change],
) -> Result<()> {
    history::insert_about_corporation(tx, scope, scope.corp(), now, action, changes).await?;
    history::record_for_platform(tx, scope, now, action, changes).await
}

/// Returns the 409 for a form that is based on an old version of the scope's corporation.
pub(super) async fn version_conflict(scope: &Scope) -> ApiResult<ApiError> {
    // The settings, the colour and the logo don't increment the version, and are no fields of a corporation.
    let is_versioned = |change: &Change| {
        change.field == RESOURCES || Corporation::FIELDS.iter().any(|field| field.name == change.field)
    };
    let is_of_version = |entry: &HistoryEntry| {
        entry.action == HistoryAction::Updated.as_str() && entry.changes.iter().all(is_versioned)
    };
    let last_change = history::last_change(scope, ResourceId::Corporations, scope.corp(), is_of_version).await?;
    Ok(history::version_conflict(&store::get(scope).await?, last_change))
}
