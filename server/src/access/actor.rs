//! The signed-in user who makes a request, and the tenant's data that they may use. Every function that uses a tenant's
//! rows for a signed-in user requires a [`Scope`]. A scope comes only from a session's row or a job's row, never from
//! client input.
//!
//! **Invariant:** only functions of [`crate::access`] create a [`Scope`].

use super::rights::{Guard, Rights, read_rights};
use super::route::Who;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Db, Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::state::Platform;
use forecourt_core::permissions::{Access, UserType};
use std::any::Any;
use std::sync::Arc;
use uuid::Uuid;

/// One tenant's data, used by one of its users or by an administrator of the platform.
#[derive(Clone)]
pub struct Scope {
    db: Db,
    corp: Uuid,
    user: Uuid,
    is_own: bool,
    access: Access,
}

impl Scope {
    /// Returns the data of the user's own corporation.
    pub(super) fn new(db: &Db, corp: Uuid, user: Uuid, access: Access) -> Self {
        Scope { db: db.for_tenant(corp), corp, user, is_own: true, access }
    }

    /// Returns another corporation's data, for an administrator of the platform, or the same data if it is their own.
    pub(super) fn of(&self, corp: Uuid) -> Self {
        Scope { db: self.db.for_tenant(corp), corp, is_own: self.is_own && corp == self.corp, ..*self }
    }

    /// Returns the database handle, limited to this tenant's rows where possible (see [`Db::for_tenant`]). Every write of a
    /// request reads the user's rights again in its own transaction ([`Guard`]), and fails if they were lost.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Builds a statement on this tenant's rows; `$1` is the tenant.
    pub fn sql(&self, text: &'static str) -> Sql<'_> {
        self.db.sql(text).bind(self.corp)
    }

    /// Begins a transaction and returns the user's rights in it. Only these may decide what is written.
    pub async fn begin(&self) -> ApiResult<(Tx, Rights)> {
        let (tx, found) = self.db.begin_with_rights().await?;
        let rights = found.and_then(|found| found.downcast().ok());
        Ok((tx, *rights.ok_or_else(|| ApiError::internal("the transaction of a job has no user"))?))
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
        Scope { db: self.db.with_write_guard(None), ..*self }
    }

    /// Returns whether this is the data of the user's own corporation.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// Returns the tenant whose rows may be used.
    pub fn corp(&self) -> Uuid {
        self.corp
    }

    /// Returns what the user may do: nothing for a job. It decides which fields of records the user sees.
    pub fn access(&self) -> &Access {
        &self.access
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

    /// Returns the proof that the user meets a route's requirement, if they do.
    pub(super) fn authorize(self, app: &Platform, who: Who) -> ApiResult<Authorization> {
        if !who.admits(self.user_type, self.access()) {
            return Err(ApiError::PermissionDenied);
        }
        Ok(Authorization { actor: self.with_write_guard(who, &app.clock), who })
    }

    /// Returns what the user may do.
    pub fn access(&self) -> &Access {
        self.scope.access()
    }
}

/// Returns the user of a session, with what they may do; `None` as for [`read_rights`].
pub(crate) async fn find_actor(db: &Db, session: Uuid, now: i64) -> db::Result<Option<Actor>> {
    let rights = read_rights(db, session, now).await?;
    Ok(rights.map(|rights| Actor {
        scope: Scope::new(db, rights.corp, rights.user, rights.access),
        session,
        user_type: rights.user_type,
    }))
}

/// Returns the scope of a job that a user started earlier, or of a user before a session proves who they are. The ids come from
/// the job's own row, or from that of the account.
pub(crate) fn scope_of_job(db: &Db, corp: Uuid, user: Uuid) -> Scope {
    Scope::new(db, corp, user, Access::default())
}

/// What a request is authorized to do, according to its route. `guard.rs` inserts it before the handler runs.
#[derive(Clone)]
pub(crate) struct Authorization {
    pub(crate) actor: Actor,
    pub(crate) who: Who,
}

/// Reads what the user of a session may do, and returns it if they meet the route's requirement.
pub(crate) async fn authorize(app: &Platform, session: Uuid, who: Who) -> ApiResult<Authorization> {
    let actor = find_actor(&app.db, session, app.clock.now()).await?.ok_or(ApiError::SessionExpired)?;
    actor.authorize(app, who)
}
