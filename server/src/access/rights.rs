//! Reads the rights of a signed-in user again, inside the transaction that writes on their behalf. The route's guard
//! reads them when the request arrives; a request that waits may have lost them by the time it writes.

use super::route::Who;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Result, Tx};
use crate::platform::error::ApiError;
use forecourt_core::auth::{AccountFlags, AccountStatus, session_status};
use forecourt_core::permissions::{
    Grant, PermissionResource, Permissions, ResourceId, UserType, effective_permissions, may,
};
use forecourt_core::theme::may_set_for_corporation;
use futures_util::future::BoxFuture;
use std::any::Any;
use std::sync::Arc;
use uuid::Uuid;

/// The rights that a transaction on a user's behalf requires.
#[derive(Clone)]
pub struct Guard {
    pub corp: Uuid,
    pub user: Uuid,
    pub session: Uuid,
    pub requires: Who,
    /// The tenant whose rows are written, if it is only one.
    pub tenant: Option<Uuid>,
    pub clock: Clock,
}

/// The rights of a user, as read in a transaction. They can't change until that transaction ends.
pub struct Rights {
    pub user_type: UserType,
    pub role: Option<Uuid>,
    pub resources: Vec<PermissionResource>,
}

/// Returns true if a user of this type and of the corporation `own` may work in `corp`.
pub(crate) fn may_work_in(user_type: UserType, own: Uuid, corp: Uuid) -> bool {
    own == corp || user_type == UserType::SuperAdmin
}

impl Who {
    /// Returns true if a signed-in user of this type, with these permissions, may make the request.
    pub(crate) fn admits(self, user_type: UserType, resources: &[PermissionResource]) -> bool {
        match self {
            Who::Public | Who::Session => true,
            Who::May(action, resource) => may(resources, resource, action),
            Who::Administrator => may_set_for_corporation(user_type),
        }
    }
}

/// Selects the user, with a row for each resource that their role has grants on.
const READ: &str = "SELECT u.user_type, u.role_id, u.banned_at IS NOT NULL AS is_banned, u.is_active, \
     c.active AS corp_active, (SELECT group_concat(r.resource_id) FROM corporation_resources r \
     WHERE r.corp_id = s.corp_id) AS allowed, p.resource_id, p.can_read, p.can_create, p.can_update, p.can_delete \
     FROM sessions s JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id \
     JOIN corporations c ON c.corp_id = s.corp_id \
     LEFT JOIN role_permissions p ON p.corp_id = s.corp_id AND p.role_id = u.role_id \
     WHERE s.corp_id = $1 AND s.user_id = $2 AND s.session_id = $3 AND s.expires_at > $4";

/// The same for PostgreSQL, in one round trip: takes the corporation's lock, which changes of rights hold exclusively, and
/// locks the session's row. Then it reads in a second statement, because a statement that waits for a lock sees other rows
/// as they were before the wait.
const LOCK_AND_READ: &str = "SELECT user_type, role_id, is_banned, is_active, corp_active, allowed, resource_id, can_read, \
     can_create, can_update, can_delete FROM forecourt_lock_actor($1, $2, $3, $4, $5, $6)";

#[derive(sqlx_macros::FromRow)]
struct RightsRow {
    user_type: String,
    role_id: Option<Uuid>,
    is_banned: bool,
    is_active: bool,
    corp_active: bool,
    /// The resources that the corporation may use, separated by commas.
    allowed: Option<String>,
    resource_id: Option<String>,
    can_read: Option<bool>,
    can_create: Option<bool>,
    can_update: Option<bool>,
    can_delete: Option<bool>,
}

impl RightsRow {
    fn grant(&self) -> Option<Grant> {
        let can = |granted: Option<bool>| granted.unwrap_or_default();
        let permissions = Permissions {
            can_read: can(self.can_read),
            can_create: can(self.can_create),
            can_update: can(self.can_update),
            can_delete: can(self.can_delete),
        };
        Some(Grant { resource_id: self.resource_id.clone()?, permissions })
    }
}

impl Rights {
    /// Returns `None` if the session has ended, or the user or their corporation may not be signed in.
    fn from_rows(rows: &[RightsRow]) -> Option<Self> {
        let user = rows.first()?;
        let RightsRow { is_banned, is_active, corp_active, role_id, .. } = *user;
        if session_status(AccountFlags { is_banned, is_active, corp_active, wrong_codes: 0 }) != AccountStatus::Active {
            return None;
        }
        let user_type = UserType::parse(&user.user_type)?;
        let grants: Vec<Grant> = rows.iter().filter_map(RightsRow::grant).collect();
        let allowed: Vec<String> = user.allowed.iter().flat_map(|ids| ids.split(',')).map(str::to_owned).collect();
        Some(Rights { user_type, role: role_id, resources: effective_permissions(user_type, &grants, &allowed) })
    }
}

impl db::WriteGuard for Guard {
    /// Reads the user's [`Rights`]. On SQLite the transaction is the only writer. On PostgreSQL locks keep the rights
    /// unchanged until the transaction ends; it also sets the tenant whose rows the transaction shows.
    fn check<'a>(&'a self, tx: &'a mut Tx, tenant: String) -> BoxFuture<'a, Result<Box<dyn Any + Send>>> {
        Box::pin(async move {
            let is_postgres = tx.pick(false, true);
            let sql = tx.sql(tx.pick(READ, LOCK_AND_READ));
            let sql = sql.bind(self.corp).bind(self.user).bind(self.session).bind(self.clock.now());
            let sql = if is_postgres { sql.bind(self.is_exclusive()).bind(tenant) } else { sql };
            let rights = Rights::from_rows(&sql.all().await?).ok_or(ApiError::SessionExpired)?;
            if !self.requires.admits(rights.user_type, &rights.resources) {
                return Err(ApiError::PermissionDenied.into());
            }
            match self.tenant {
                Some(tenant) if !may_work_in(rights.user_type, self.corp, tenant) => Err(ApiError::NotFound.into()),
                _ => Ok(Box::new(rights) as Box<dyn Any + Send>),
            }
        })
    }

    fn for_tenant(&self, tenant: Option<Uuid>) -> Arc<dyn db::WriteGuard> {
        Arc::new(Guard { tenant, ..self.clone() })
    }
}

impl Guard {
    /// Returns true if such requests of one corporation must run one after the other. Requests on records never change
    /// rights, so they share the lock. Others may change them: two that share the lock first would deadlock.
    fn is_exclusive(&self) -> bool {
        use ResourceId::{Contacts, ContactsImports, Customers, Invoices};
        !matches!(self.requires, Who::May(_, Contacts | ContactsImports | Customers | Invoices))
    }
}
