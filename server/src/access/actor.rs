//! The signed-in user who makes a request, and the tenant's data that they may use. Every function that uses a tenant's
//! rows requires a [`Scope`]. A scope comes only from a session's row or a job's row, never from client input.
//!
//! **Invariant:** only [`crate::access`] can create a [`Scope`].

use super::rights::Guard;
use super::route::Who;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Db, Sql};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::state::Platform;
use forecourt_core::auth::{AccountFlags, AccountStatus, session_status};
use forecourt_core::permissions::{Grant, PermissionResource, Permissions, UserType, effective_permissions};
use std::any::Any;
use std::sync::Arc;
use uuid::Uuid;

/// One tenant's data, used by one of its users or by an administrator of the platform.
#[derive(Clone)]
pub struct Scope {
    db: Db,
    corp: Uuid,
    user: Uuid,
}

impl Scope {
    pub(super) fn new(db: &Db, corp: Uuid, user: Uuid) -> Self {
        Scope { db: db.for_tenant(corp), corp, user }
    }

    /// Returns the database handle, limited to this tenant's rows where possible (see [`Db::within`]). Every write of a
    /// request reads the user's rights again in its own transaction ([`Guard`]), and fails if they were lost.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Builds a statement on this tenant's rows; `$1` is the tenant.
    pub fn sql(&self, text: &'static str) -> Sql<'_> {
        self.db.sql(text).bind(self.corp)
    }

    /// Returns the same data with writes that require this of the user.
    pub(super) fn with_requirement(&self, requires: Who) -> Self {
        let guard = self.db.guard().and_then(|guard| (&**guard as &dyn Any).downcast_ref::<Guard>());
        let db = match guard {
            Some(guard) => self.db.with_write_guard(Some(Arc::new(Guard { requires, ..guard.clone() }))),
            None => self.db.clone(),
        };
        Scope { db, ..*self }
    }

    /// Returns the same tenant's data without the check of the user's rights, to finish work that was authorized
    /// before, and to clean up.
    pub(crate) fn as_job(&self) -> Self {
        scope_of_job(&self.db.with_write_guard(None), self.corp, self.user)
    }

    /// Returns the tenant whose rows may be used.
    pub fn corp(&self) -> Uuid {
        self.corp
    }

    /// Returns the user on whose behalf the data is used.
    pub fn user(&self) -> Uuid {
        self.user
    }
}

/// The signed-in user, as the database describes them at this request.
#[derive(Clone)]
pub struct Actor {
    scope: Scope,
    session: Uuid,
    user_type: UserType,
    role: Option<Uuid>,
}

impl Actor {
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    pub fn session(&self) -> Uuid {
        self.session
    }

    pub fn user_type(&self) -> UserType {
        self.user_type
    }

    /// Returns the same user with writes that require this.
    pub(super) fn with_requirement(&self, requires: Who) -> Self {
        Actor { scope: self.scope.with_requirement(requires), ..self.clone() }
    }

    /// Returns the same user with writes that require a live session and this.
    pub(crate) fn with_write_guard(mut self, requires: Who, clock: &Clock) -> Self {
        let Scope { corp, user, .. } = self.scope;
        let (session, tenant, clock) = (self.session, Some(corp), clock.clone());
        self.scope.db =
            self.scope.db.with_write_guard(Some(Arc::new(Guard { corp, user, session, requires, tenant, clock })));
        self
    }

    /// Returns the user's permissions, which core derives from the current rows.
    pub async fn permissions(&self) -> db::Result<Vec<PermissionResource>> {
        let db = self.scope.db();
        let grants: Vec<(String, bool, bool, bool, bool)> = match self.role {
            Some(role) => {
                db.sql(
                    "SELECT resource_id, can_read, can_create, can_update, can_delete FROM role_permissions \
                     WHERE corp_id = $1 AND role_id = $2",
                )
                .bind(self.scope.corp)
                .bind(role)
                .all()
                .await?
            }
            None => Vec::new(),
        };
        let grants: Vec<Grant> = grants
            .into_iter()
            .map(|(resource_id, can_read, can_create, can_update, can_delete)| Grant {
                resource_id,
                permissions: Permissions { can_read, can_create, can_update, can_delete },
            })
            .collect();
        let allowed: Vec<(String,)> = db
            .sql("SELECT resource_id FROM corporation_resources WHERE corp_id = $1")
            .bind(self.scope.corp)
            .all()
            .await?;
        let allowed: Vec<String> = allowed.into_iter().map(|(id,)| id).collect();
        Ok(effective_permissions(self.user_type, &grants, &allowed))
    }
}

/// Returns the user of a session; `None` if the session has ended, or the user or their corporation is deactivated or
/// banned (docs/product.md 1.7).
pub(crate) async fn find_actor(db: &Db, session: Uuid, now: i64) -> db::Result<Option<Actor>> {
    type SessionRow = (Uuid, Uuid, String, Option<Uuid>, bool, bool, bool);
    let row: Option<SessionRow> = db
        .sql(
            "SELECT s.corp_id, s.user_id, u.user_type, u.role_id, u.banned_at IS NOT NULL, u.is_active, c.active \
             FROM sessions s \
             JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id \
             JOIN corporations c ON c.corp_id = s.corp_id \
             WHERE s.session_id = $1 AND s.expires_at > $2",
        )
        .bind(session)
        .bind(now)
        .maybe()
        .await?;
    Ok(row.and_then(|(corp, user, user_type, role, is_banned, is_active, corp_active)| {
        if session_status(AccountFlags { is_banned, is_active, corp_active, wrong_codes: 0 }) != AccountStatus::Active {
            return None;
        }
        let user_type = UserType::parse(&user_type)?;
        Some(Actor { scope: Scope::new(db, corp, user), session, user_type, role })
    }))
}

/// Returns the scope of a job that a user started earlier. The ids come from the job's own row.
pub(crate) fn scope_of_job(db: &Db, corp: Uuid, user: Uuid) -> Scope {
    Scope::new(db, corp, user)
}

/// What a request is authorized to do, according to its route. `guard.rs` inserts it before the handler runs.
#[derive(Clone)]
pub(crate) struct Authorization {
    pub(crate) actor: Actor,
    pub(crate) who: Who,
    /// The user's permissions, if the route's policy needed them.
    pub(crate) resources: Arc<[PermissionResource]>,
}

/// Returns the user's current grant, if they meet the route's requirement.
pub(super) async fn authorize(app: &Platform, actor: Actor, who: Who) -> ApiResult<Authorization> {
    let resources = match who {
        Who::May(..) => actor.permissions().await?,
        Who::Public | Who::Session | Who::Administrator => Vec::new(),
    };
    if !who.admits(actor.user_type(), &resources) {
        return Err(ApiError::PermissionDenied);
    }
    Ok(Authorization { actor: actor.with_write_guard(who, &app.clock), who, resources: resources.into() })
}

/// Reads again what the user of a session may do, for a request in progress.
pub(crate) async fn authorize_again(app: &Platform, session: Uuid, who: Who) -> ApiResult<Authorization> {
    let actor = find_actor(&app.db, session, app.clock.now()).await?.ok_or(ApiError::SessionExpired)?;
    authorize(app, actor, who).await
}
