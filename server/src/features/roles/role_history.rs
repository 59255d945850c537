//! Changes of roles in the history.

use super::store;
use crate::access::scope::Scope;
use crate::features::history::{self, Entry};
use crate::platform::db::{Result, Tx};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use forecourt_core::roles::{RoleState, changes};
use uuid::Uuid;

/// A change of a role that is not in the history yet. Contains the role before the change.
pub(super) struct RoleChange {
    role: Uuid,
    before: Option<RoleState>,
}

impl RoleChange {
    /// Reads a role before the change.
    pub(super) async fn begin(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<Self> {
        Ok(RoleChange { role, before: store::state(tx, scope, role).await? })
    }

    /// Returns the change that creates a role.
    pub(super) fn creation(role: Uuid) -> Self {
        RoleChange { role, before: None }
    }

    /// Reads the role after the change, and adds the history entry. Returns `false`, and adds nothing, if an update changed
    /// nothing.
    pub(super) async fn record(self, tx: &mut Tx, scope: &Scope, now: i64) -> Result<bool> {
        let after = store::state(&mut *tx, scope, self.role).await?;
        if self.before == after {
            return Ok(false);
        }
        let action = HistoryAction::between(self.before.as_ref(), after.as_ref());
        let Some(named) = after.as_ref().or(self.before.as_ref()) else { return Ok(false) };
        let changes = changes(self.before.as_ref(), after.as_ref());
        let entry = Entry::new(action, ResourceId::Roles, self.role, &named.name, &changes)?;
        history::insert(tx, scope, now, vec![entry]).await.map(|()| true)
    }
}
