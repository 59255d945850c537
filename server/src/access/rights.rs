//! Reads the rights of a signed-in user: once when the route's guard has received the request, and again inside the
//! transaction that writes on their behalf, because the user may have lost rights while the request waited.

use super::route::Who;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Connection, Db, Result, Tx};
use crate::platform::error::ApiError;
use forecourt_core::auth::{AccountFlags, AccountStatus, session_status};
use forecourt_core::permissions::{
    Access, ByResource, CatalogueEntry, Permissions, ResourceId, UserType, compute_access, may, modules,
};
use futures_util::future::BoxFuture;
use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;
use uuid::Uuid;

/// The check that every transaction on a user's behalf makes: the session has not ended, and the user meets `requires`.
#[derive(Clone)]
pub struct RightsCheck {
    pub corp: Uuid,
    pub user: Uuid,
    pub session: Uuid,
    pub requires: Who,
    /// The tenant whose rows are written; `None` if they may be those of any tenant.
    pub tenant: Option<Uuid>,
    pub clock: Clock,
}

/// What the user of a session may do, as read from the database. If it was read inside a transaction that writes, it
/// can't change until that transaction ends.
pub struct Rights {
    pub corp: Uuid,
    pub user: Uuid,
    pub user_type: UserType,
    pub role: Option<Uuid>,
    pub access: Access,
}

/// Returns true if a user of this type and of the corporation `own` may work in `corp`.
pub(crate) fn may_work_in(user_type: UserType, own: Uuid, corp: Uuid) -> bool {
    own == corp || user_type == UserType::SuperAdmin
}

impl Who {
    /// Returns true if a signed-in user of this type, with this access, may make the request.
    pub(crate) fn admits(self, user_type: UserType, access: &Access) -> bool {
        match self {
            Who::Public | Who::Session => true,
            Who::May(action, resource) => may(access, resource, action),
            Who::Administrator => user_type.is_administrator(),
        }
    }
}

/// Sessions per query of [`find_ended`].
const SESSIONS_PER_QUERY: usize = 500;

/// Selects the user of a session, the ids of their corporation's resources (`contacts,invoices`), and their role's
/// grants (`contacts:3,invoices:1`, where the bits are reading, creating, updating and deleting).
const READ: &str = "SELECT s.corp_id, s.user_id, u.user_type, u.role_id, u.banned_at IS NOT NULL, u.is_active, c.active, \
     (SELECT string_agg(r.resource_id, ',') FROM corporation_resources r WHERE r.corp_id = s.corp_id), \
     (SELECT string_agg(p.resource_id || ':' || (CAST(p.can_read AS INTEGER) + 2 * CAST(p.can_create AS INTEGER) \
     + 4 * CAST(p.can_update AS INTEGER) + 8 * CAST(p.can_delete AS INTEGER)), ',') FROM role_permissions p \
     WHERE p.corp_id = s.corp_id AND p.role_id = u.role_id) \
     FROM sessions s JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id \
     JOIN corporations c ON c.corp_id = s.corp_id WHERE s.session_id = $1 AND s.expires_at > $2";

type RightsRow = (Uuid, Uuid, String, Option<Uuid>, bool, bool, bool, Option<String>, Option<String>);

/// Reads the rights of a session's user in one statement; `None` if the session has ended, the user is banned, or the
/// user or their corporation is deactivated (docs/product.md 1.7).
pub(super) async fn read_rights<'e>(db: impl Connection<'e>, session: Uuid, now: i64) -> Result<Option<Rights>> {
    let row: Option<RightsRow> = db.sql(READ).bind(session).bind(now).maybe().await?;
    Ok(row.and_then(Rights::from_row))
}

/// Returns those of the given sessions that can no longer be used: they have ended, or their user is banned, or their
/// user or corporation is deactivated.
pub(crate) async fn find_ended(db: &Db, sessions: &[Uuid], now: i64) -> Result<Vec<Uuid>> {
    let mut ended = Vec::new();
    for sessions in sessions.chunks(SESSIONS_PER_QUERY) {
        let sql = db.sql(
            "SELECT s.session_id, u.banned_at IS NOT NULL, u.is_active, c.active FROM sessions s \
             JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id \
             JOIN corporations c ON c.corp_id = s.corp_id WHERE s.expires_at > ",
        );
        let sql = sql.arg(now).push(" AND s.session_id IN (").joined(",", sessions, |sql, id| sql.arg(*id));
        let rows: Vec<(Uuid, bool, bool, bool)> = sql.push(")").all().await?;
        let usable = rows.into_iter().filter_map(|(session, is_banned, is_active, corp_active)| {
            is_usable(is_banned, is_active, corp_active).then_some(session)
        });
        let usable: HashSet<Uuid> = usable.collect();
        ended.extend(sessions.iter().filter(|session| !usable.contains(session)));
    }
    Ok(ended)
}

/// Returns whether the session of a user with these flags can be used.
fn is_usable(is_banned: bool, is_active: bool, corp_active: bool) -> bool {
    session_status(AccountFlags { is_banned, is_active, corp_active, wrong_codes: 0 }) == AccountStatus::Active
}

impl Rights {
    fn from_row(row: RightsRow) -> Option<Self> {
        let (corp, user, user_type, role, is_banned, is_active, corp_active, allowed, grants) = row;
        if !is_usable(is_banned, is_active, corp_active) {
            return None;
        }
        let user_type = UserType::parse(&user_type)?;
        let access = compute_access(user_type, &parse_grants(grants.as_deref()), &parse_ids(allowed.as_deref()));
        Some(Rights { corp, user, user_type, role, access })
    }
}

fn parse_ids(ids: Option<&str>) -> ByResource<bool> {
    let mut allowed = ByResource::default();
    for resource in ids.into_iter().flat_map(|ids| ids.split(',')).filter_map(ResourceId::parse) {
        allowed[resource] = true;
    }
    allowed
}

fn parse_grants(grants: Option<&str>) -> ByResource<Permissions> {
    let mut role = ByResource::default();
    for grant in grants.into_iter().flat_map(|grants| grants.split(',')) {
        if let Some((id, bits)) = grant.split_once(':')
            && let (Some(resource), Ok(bits)) = (ResourceId::parse(id), bits.parse::<u8>())
        {
            let has = |bit: u8| bits & bit != 0;
            role[resource] =
                Permissions { can_read: has(1), can_create: has(2), can_update: has(4), can_delete: has(8) };
        }
    }
    role
}

impl db::WriteCheck for RightsCheck {
    /// Reads the user's [`Rights`], and returns them if they are sufficient. They can't change until the transaction
    /// ends: on SQLite it is the only writer, on PostgreSQL it takes locks.
    fn check<'a>(&'a self, tx: &'a mut Tx) -> BoxFuture<'a, Result<Box<dyn Any + Send>>> {
        Box::pin(async move {
            let now = self.clock.now();
            let rights = match tx {
                Tx::Sqlite(..) => read_rights(tx, self.session, now).await?,
                Tx::Postgres(tx) => tx.begin_with(self.lock_and_read(now)).await?.and_then(Rights::from_row),
            };
            let rights = rights.ok_or(ApiError::SessionExpired)?;
            if !self.requires.admits(rights.user_type, &rights.access) {
                return Err(ApiError::PermissionDenied.into());
            }
            match self.tenant {
                Some(tenant) if !may_work_in(rights.user_type, self.corp, tenant) => Err(ApiError::NotFound.into()),
                _ => Ok(Box::new(rights) as Box<dyn Any + Send>),
            }
        })
    }

    fn for_tenant(&self, tenant: Option<Uuid>) -> Arc<dyn db::WriteCheck> {
        Arc::new(RightsCheck { tenant, ..self.clone() })
    }
}

impl RightsCheck {
    /// Returns the statement that takes PostgreSQL's locks and then selects the same columns as [`READ`]. It locks the
    /// corporation (shared, or exclusively and with the user's row if [`RightsCheck::is_exclusive`]) and the session's row.
    /// It is sent together with BEGIN, where values can't be bound, so its text contains them: UUIDs, a number, a
    /// boolean.
    fn lock_and_read(&self, now: i64) -> String {
        let RightsCheck { corp, user, session, .. } = self;
        let is_exclusive = self.is_exclusive();
        format!("SELECT * FROM forecourt_lock_rights('{corp}', '{user}', '{session}', {now}, {is_exclusive})")
    }

    /// Returns true if requests with this requirement must run one after the other in a corporation. Requests on records
    /// never change rights, so they share the corporation's lock. All other requests may change rights: if two of them
    /// shared the lock before they take it exclusively, they would deadlock.
    fn is_exclusive(&self) -> bool {
        match self.requires {
            Who::May(_, resource) => {
                !modules().flat_map(CatalogueEntry::with_subresources).any(|entry| entry.resource == resource)
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_bit_of_a_grant_and_ignores_unknown_resources() {
        let role = parse_grants(Some("contacts:1,invoices:2,contacts.imports:12,gone:15"));
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let create = Permissions { can_create: true, ..Permissions::NONE };
        let change = Permissions { can_update: true, can_delete: true, ..Permissions::NONE };
        let mut expected = ByResource::default();
        expected[ResourceId::Contacts] = read;
        expected[ResourceId::Invoices] = create;
        expected[ResourceId::ContactsImports] = change;
        assert_eq!(role, expected);
        assert_eq!((parse_grants(None), parse_ids(None)), (ByResource::default(), ByResource::default()));
        let allowed = parse_ids(Some("users,gone"));
        assert!(allowed[ResourceId::Users] && !allowed[ResourceId::Roles]);
    }
}
