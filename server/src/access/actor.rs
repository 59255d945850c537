//! The signed-in user who makes a request, and the tenant's data that they may use. Every function that uses a tenant's
//! rows for a signed-in user requires a [`Scope`]. The ids of tenant and user in a scope come only from the row of a
//! session, a job or an account, never from client input.
//!
//! **Invariant:** only functions of [`crate::access`] create a [`Scope`].

use super::rights::{Rights, RightsCheck, read_rights};
use super::route::Who;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Db, Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::KeyedRequest;
use crate::platform::state::Platform;
use forecourt_core::permissions::{Access, UserType};
use std::any::Any;
use std::sync::Arc;
use uuid::Uuid;

/// Access to one tenant's data on behalf of a user: one of the tenant's own, or an administrator of the platform.
#[derive(Clone)]
pub struct Scope {
    db: Db,
    corp: Uuid,
    user: Uuid,
    /// The id of the user's own corporation.
    home: Uuid,
    access: Access,
    /// The request, if its client may repeat it.
    request: Option<KeyedRequest>,
}

impl Scope {
    /// Returns the scope of a user in their own corporation `corp`.
    pub(super) fn new(db: &Db, corp: Uuid, user: Uuid, access: Access) -> Self {
        Scope { db: db.for_tenant(corp), corp, user, home: corp, access, request: None }
    }

    /// Returns the same user's scope in the corporation `corp`. The caller has checked that the user may work in it: it
    /// is their own, or they are an administrator of the platform.
    pub(super) fn in_corporation(&self, corp: Uuid) -> Self {
        Scope { db: self.db.for_tenant(corp), corp, ..*self }
    }

    /// Returns the same user's scope in their own corporation.
    pub fn in_own_corporation(&self) -> Self {
        self.in_corporation(self.home)
    }

    /// Returns the database handle, limited to this tenant's rows where possible (see [`Db::for_tenant`]). Every write
    /// of a request reads the user's rights again in its own transaction ([`RightsCheck`]), and fails if they were lost;
    /// only writes of a scope from [`Scope::as_job`] check nothing.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Starts a statement, inside the transaction if there is one.
    pub fn sql_in<'e>(&'e self, tx: Option<&'e mut Tx>, text: &'static str) -> Sql<'e> {
        match tx {
            Some(tx) => tx.sql(text),
            None => self.db.sql(text),
        }
    }

    /// Builds a statement on this tenant's rows; `$1` is bound to the tenant's id.
    pub fn sql(&self, text: &'static str) -> Sql<'_> {
        self.db.sql(text).bind(self.corp)
    }

    /// Begins a transaction, and returns it with the user's rights as read inside it. What may be written must be
    /// decided by these rights, not by those that were read earlier in the request. If the tenant is not the user's own
    /// corporation, the transaction reaches the rows of all tenants, because it also writes the platform's history.
    pub async fn begin(&self) -> ApiResult<(Tx, Rights)> {
        let db = match self.is_own_corporation() {
            true => self.db.clone(),
            false => self.db.all_tenants().with_write_check(self.db.write_check().cloned()),
        };
        let (tx, found) = db.begin_with_rights().await?;
        let rights = found.and_then(|found| found.downcast().ok());
        Ok((tx, *rights.ok_or_else(|| ApiError::internal("the transaction of a job has no user"))?))
    }

    /// Returns the same scope, but each write checks that the user meets `requires` at that time. The writes of a job
    /// still check nothing.
    pub(super) fn with_requirement(&self, requires: Who) -> Self {
        let write_check =
            self.db.write_check().and_then(|write_check| (&**write_check as &dyn Any).downcast_ref::<RightsCheck>());
        let db = match write_check {
            Some(write_check) => {
                self.db.with_write_check(Some(Arc::new(RightsCheck { requires, ..write_check.clone() })))
            }
            None => self.db.clone(),
        };
        Scope { db, ..*self }
    }

    /// Returns the same scope, but writes do not check the user's rights: to finish work that was authorized before,
    /// and to clean up.
    pub(crate) fn as_job(&self) -> Self {
        Scope { db: self.db.with_write_check(None), ..*self }
    }

    /// Returns the same scope for this request.
    pub fn of_request(&self, request: Option<KeyedRequest>) -> Self {
        Scope { db: self.db.clone(), request, ..*self }
    }

    /// Returns the request, if its client may repeat it.
    pub fn request(&self) -> Option<KeyedRequest> {
        self.request
    }

    /// Returns true if the tenant is the user's own corporation.
    pub fn is_own_corporation(&self) -> bool {
        self.corp == self.home
    }

    /// Returns the id of the tenant to whose data the scope gives access.
    pub fn corp(&self) -> Uuid {
        self.corp
    }

    /// Returns the user's permissions; none for a job. They also decide which fields of records the user sees.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the id of the user on whose behalf the data is used.
    pub fn user(&self) -> Uuid {
        self.user
    }
}

/// The signed-in user who makes a request, with their type and permissions as read from the database for this request.
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

    /// Returns the id of the user's role; `None` if they have none.
    pub(super) fn role(&self) -> Option<Uuid> {
        self.role
    }

    /// Returns the same user, but each write checks that they meet `requires` at that time.
    pub(super) fn with_requirement(&self, requires: Who) -> Self {
        Actor { scope: self.scope.with_requirement(requires), ..self.clone() }
    }

    /// Returns the same user, but each write checks that their session has not ended and that they meet `requires`.
    pub(crate) fn with_write_check(mut self, requires: Who, clock: &Clock) -> Self {
        let Scope { corp, user, .. } = self.scope;
        let (session, tenant, clock) = (self.session, Some(corp), clock.clone());
        self.scope.db = self.scope.db.with_write_check(Some(Arc::new(RightsCheck {
            corp,
            user,
            session,
            requires,
            tenant,
            clock,
        })));
        self
    }

    /// Returns the proof that the user meets the requirement `who` of a route; 403 if they don't.
    pub(super) fn authorize(self, app: &Platform, who: Who) -> ApiResult<Authorization> {
        if !who.admits(self.user_type, self.access()) {
            return Err(ApiError::PermissionDenied);
        }
        Ok(Authorization { actor: self.with_write_check(who, &app.clock), who })
    }

    /// Returns the user's permissions.
    pub fn access(&self) -> &Access {
        self.scope.access()
    }
}

/// Returns the user of a session, with their permissions; `None` if the session has ended or its user may not use it
/// (see [`read_rights`]).
pub(crate) async fn find_actor(db: &Db, session: Uuid, now: i64) -> db::Result<Option<Actor>> {
    let rights = read_rights(db, session, now).await?;
    Ok(rights.map(|rights| Actor {
        scope: Scope::new(db, rights.corp, rights.user, rights.access),
        session,
        user_type: rights.user_type,
        role: rights.role,
    }))
}

/// Returns a scope whose writes check no rights: for a job that the user started earlier, or for sign-in, when there is
/// no session yet. Both ids must come from the row of the job or of the account, never from a client.
pub(crate) fn scope_of_job(db: &Db, corp: Uuid, user: Uuid) -> Scope {
    Scope::new(db, corp, user, Access::default())
}

/// The proof that the user of a request meets the requirement `who` of its route. `guard.rs` adds it to the request
/// before the handler runs.
#[derive(Clone)]
pub(crate) struct Authorization {
    pub(crate) actor: Actor,
    pub(crate) who: Who,
}

/// Reads the permissions of a session's user, and returns the proof that they meet the requirement `who` of a route.
///
/// # Errors
/// 401 if the session has ended, 403 if the user does not meet the requirement.
pub(crate) async fn authorize(app: &Platform, session: Uuid, who: Who) -> ApiResult<Authorization> {
    let actor = find_actor(&app.db, session, app.clock.now()).await?.ok_or(ApiError::SessionExpired)?;
    actor.authorize(app, who)
}
