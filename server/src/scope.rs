//! Who is calling, and the witnesses that a handler gets of it. Every function that touches a tenant's rows demands a
//! [`Scope`]; a scope comes only from a session's row or a job's row, never from what a client sent.
//!
//! **Invariant:** nothing outside of this module can make a [`Scope`], a [`Signed`], a [`Manager`] or a [`May`].

use crate::clock::Clock;
use crate::db::{self, Db, Tx};
use crate::policy::{self, Who};
use crate::problem::{Answer, Refusal};
use crate::rights::{Guard, Rights, may_work_in};
use crate::state::App;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use forecourt_core::auth::{AccountFlags, AccountStatus, session_status};
use forecourt_core::permissions::{
    Action, Grant, PermissionResource, Permissions, ResourceId, UserType, effective_permissions, may,
};
use forecourt_core::theme::may_set_for_corporation;
use forecourt_core::users::may_manage;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;
use uuid::Uuid;

/// One tenant's data, seen by one of its users, or by somebody who administers the platform.
#[derive(Clone)]
pub struct Scope {
    db: Db,
    corp: Uuid,
    user: Uuid,
}

impl Scope {
    fn new(db: &Db, corp: Uuid, user: Uuid) -> Self {
        Scope { db: db.within(corp), corp, user }
    }

    /// The database, which shows this tenant's rows alone where it can (see [`Db::within`]). What a request writes through
    /// it is written only if the user still may: every write reads that again in its own transaction ([`Guard`]).
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The same data, whose writes require this of the user.
    fn requiring(&self, requires: Who) -> Self {
        let guard = self.db.guard().map(|guard| Guard { requires, ..guard.clone() });
        Scope { db: self.db.with_guard(guard), ..*self }
    }

    /// The same tenant's data without a user whose rights are read again: to finish what was decided while they had them,
    /// and to clean up.
    pub(crate) fn as_job(&self) -> Self {
        scope_of_job(&self.db.with_guard(None), self.corp, self.user)
    }

    /// The tenant whose rows may be touched.
    pub fn corp(&self) -> Uuid {
        self.corp
    }

    /// The person on whose behalf they are.
    pub fn user(&self) -> Uuid {
        self.user
    }
}

/// The signed-in person, as the database knows them at this very call.
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

    /// The witness for what concerns the whole corporation, if this person may set that.
    pub fn administrator(&self) -> Option<Administrator> {
        let scope = self.scope.requiring(Who::Administrator);
        may_set_for_corporation(self.user_type).then(|| Administrator(Actor { scope, ..self.clone() }))
    }

    /// The same user, whose writes require a live session and this.
    pub(crate) fn guarded(mut self, requires: Who, clock: &Clock) -> Self {
        let Scope { corp, user, .. } = self.scope;
        let (session, tenant, clock) = (self.session, Some(corp), clock.clone());
        self.scope.db = self.scope.db.with_guard(Some(Guard { corp, user, session, requires, tenant, clock }));
        self
    }

    /// What this person may do, derived by core from the present rows.
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

/// The person behind a session, if the session lives and neither person nor corporation is switched off or banned
/// (decisions 1.7).
pub(crate) async fn actor_of_session(db: &Db, session: Uuid, now: i64) -> db::Result<Option<Actor>> {
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

/// The scope of a job that was accepted from a person earlier: the ids are those of the job's own row.
pub(crate) fn scope_of_job(db: &Db, corp: Uuid, user: Uuid) -> Scope {
    Scope::new(db, corp, user)
}

/// What the route's policy granted this call; put there by `policy.rs` before the handler runs.
#[derive(Clone)]
pub(crate) struct Granted {
    pub(crate) actor: Actor,
    pub(crate) who: Who,
    /// What the actor may do, where the route's policy had to ask.
    pub(crate) resources: Arc<[PermissionResource]>,
}

/// Witness: somebody is signed in.
pub struct Signed(Actor);

impl Signed {
    /// The same witness once more, for a handler that has taken a long body in: whoever sends one slowly may have been thrown
    /// out when it is there.
    ///
    /// # Errors
    /// As the guard's: 401.
    pub async fn again(self, app: &App) -> Answer<Self> {
        Ok(Signed(policy::grant_again(app, self.session(), Who::Session).await?.actor))
    }
}

impl Deref for Signed {
    type Target = Actor;
    fn deref(&self) -> &Actor {
        &self.0
    }
}

impl FromRequestParts<App> for Signed {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Answer<Self> {
        let granted = parts.extensions.get::<Granted>();
        granted
            .map(|g| Signed(g.actor.clone()))
            .ok_or_else(|| Refusal::unexpected("the route's policy signs nobody in"))
    }
}

/// Witness: the signed-in person administers their corporation, or the platform and with it every corporation.
pub struct Administrator(Actor);

impl Administrator {
    /// As [`Signed::again`].
    ///
    /// # Errors
    /// As the guard's: 401 or 403.
    pub async fn again(self, app: &App) -> Answer<Self> {
        Ok(Administrator(policy::grant_again(app, self.0.session(), Who::Administrator).await?.actor))
    }

    /// The same person at work in a corporation: in any of them for the platform, else in their own alone.
    ///
    /// # Errors
    /// 404: it is another's. Whether there is such a corporation at all is for its rows to tell.
    pub fn manager(&self, corp: Uuid) -> Answer<Manager> {
        let Actor { scope, user_type, .. } = &self.0;
        if !may_work_in(*user_type, scope.corp, corp) {
            return Err(Refusal::NotFound);
        }
        let scope = Scope::new(&scope.db, corp, scope.user);
        Ok(Manager { scope, user_type: *user_type, resources: Arc::from([]) })
    }
}

impl Deref for Administrator {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        &self.0.scope
    }
}

impl FromRequestParts<App> for Administrator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Answer<Self> {
        let granted = parts.extensions.get::<Granted>().filter(|g| g.who == Who::Administrator);
        granted
            .map(|g| Administrator(g.actor.clone()))
            .ok_or_else(|| Refusal::unexpected("the route's policy asks for no administrator"))
    }
}

/// Witness: somebody manages people or roles of one corporation, which need not be their own. What they may do there in
/// particular is for core to say, by their type and what they hold themselves.
pub struct Manager {
    scope: Scope,
    user_type: UserType,
    /// What they hold themselves; empty for administrators, of whom core doesn't ask it.
    resources: Arc<[PermissionResource]>,
}

impl Manager {
    /// Begins a transaction, and returns with it what the manager may do: only that decides what is written.
    ///
    /// # Errors
    /// As [`Db::begin`].
    pub async fn begin(&self) -> Answer<(Tx, Rights)> {
        let (tx, rights) = self.scope.db.begin_with_rights().await?;
        Ok((tx, rights.ok_or_else(|| Refusal::unexpected("nobody manages on behalf of a job"))?))
    }

    /// Is a user of this type and with these grants shown to the manager as one whom they can change?
    pub fn can_manage(&self, target: UserType, grants: &[Grant]) -> bool {
        may_manage(self.user_type, &self.resources, target, grants)
    }
}

impl Deref for Manager {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        &self.scope
    }
}

/// A kind of action, for [`May`].
pub trait Doing {
    const ACTION: Action;
}

/// A kind of resource, for [`May`].
pub trait On {
    const RESOURCE: ResourceId;
}

/// Makes the types that name actions and resources in a handler's signature.
macro_rules! kinds {
    ($($kind:ident is $name:ident: $of:ident = $value:expr;)*) => { $(
        pub struct $kind;
        impl $name for $kind {
            const $of: kinds!(@$name) = $value;
        }
    )* };
    (@Doing) => { Action };
    (@On) => { ResourceId };
}

kinds! {
    Read is Doing: ACTION = Action::Read;
    Create is Doing: ACTION = Action::Create;
    Update is Doing: ACTION = Action::Update;
    Delete is Doing: ACTION = Action::Delete;
    Contacts is On: RESOURCE = ResourceId::Contacts;
    Customers is On: RESOURCE = ResourceId::Customers;
    Invoices is On: RESOURCE = ResourceId::Invoices;
    ContactsImports is On: RESOURCE = ResourceId::ContactsImports;
    Users is On: RESOURCE = ResourceId::Users;
    Roles is On: RESOURCE = ResourceId::Roles;
    Corporations is On: RESOURCE = ResourceId::Corporations;
}

/// Witness: the signed-in person may do `A` with `R`. It holds the [`Scope`] that every store function demands.
pub struct May<A, R> {
    granted: Granted,
    of: PhantomData<fn() -> (A, R)>,
}

impl<A, R> May<A, R> {
    /// As [`Signed::again`].
    ///
    /// # Errors
    /// As the guard's: 401 or 403.
    pub async fn again(self, app: &App) -> Answer<Self> {
        let Granted { actor, who, .. } = self.granted;
        Ok(May { granted: policy::grant_again(app, actor.session(), who).await?, of: PhantomData })
    }

    /// The same person as somebody who manages people or roles of their own corporation.
    pub fn manager(&self) -> Manager {
        let Granted { actor, resources, .. } = &self.granted;
        Manager { scope: actor.scope.clone(), user_type: actor.user_type, resources: resources.clone() }
    }
}

impl<A, R: On> May<A, R> {
    /// The same data, whose writes require the permission for this action instead; `None` without that permission.
    pub fn also(&self, action: Action) -> Option<Scope> {
        let may_also = may(&self.granted.resources, R::RESOURCE, action);
        may_also.then(|| self.granted.actor.scope.requiring(Who::May(action, R::RESOURCE)))
    }
}

impl<A> May<A, Corporations> {
    /// One corporation's data, for the platform. Whether there is such a corporation is for its rows to tell.
    pub fn tenant(&self, corp: Uuid) -> Scope {
        Scope::new(&self.db, corp, self.user)
    }

    /// The rows of every corporation, for the platform.
    pub fn all_tenants(&self) -> Db {
        self.db.all_tenants()
    }
}

impl<A, R> Deref for May<A, R> {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        &self.granted.actor.scope
    }
}

impl<A: Doing, R: On> FromRequestParts<App> for May<A, R> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Answer<Self> {
        let needed = Who::May(A::ACTION, R::RESOURCE);
        match parts.extensions.get::<Granted>().filter(|g| g.who == needed) {
            Some(granted) => Ok(May { granted: granted.clone(), of: PhantomData }),
            None => Err(Refusal::unexpected("the route's policy and its handler ask for different permissions")),
        }
    }
}
