//! The proofs that a handler receives: which user makes the request, and what they may do.
//!
//! **Invariant:** only this module can create a [`Signed`], an [`Administrator`], a [`Manager`] or a [`May`].

use super::actor::Authorization;
use super::describe::Extractor;
use super::rights::may_work_in;
use super::route::Who;
use crate::platform::db::Db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::KeyedRequest;
use crate::platform::state::Platform;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use forecourt_core::permissions::{Access, Action, Grant, Permissions, ResourceId, UserType, may};
use forecourt_core::roles::{check_role_change, grantable, may_assign};
use forecourt_core::users::may_manage;
use std::marker::PhantomData;
use std::ops::Deref;
use uuid::Uuid;

pub use super::actor::{Actor, Scope};
pub(crate) use super::actor::{authorize, find_actor, scope_of_job};
pub(crate) use super::rights::find_ended;

/// Proof that a user is signed in.
pub struct Signed(Actor);

impl Signed {
    /// Checks the session again, for a handler that has received a long body: the session may have ended during a slow
    /// upload.
    ///
    /// # Errors
    /// 401 if the session has ended.
    pub async fn recheck(self, platform: &Platform) -> ApiResult<Self> {
        Ok(Signed(authorize(platform, self.session(), Who::Session).await?.actor))
    }

    /// Returns the user's scope, whose writes check this permission again, for a route that serves several resources.
    ///
    /// # Errors
    /// 403 without the permission.
    pub fn with_permission(&self, action: Action, resource: ResourceId) -> ApiResult<Scope> {
        match may(self.access(), resource, action) {
            true => Ok(self.scope().with_requirement(Who::May(action, resource))),
            false => Err(ApiError::PermissionDenied),
        }
    }
}

impl Deref for Signed {
    type Target = Actor;
    fn deref(&self) -> &Actor {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Signed {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let authorization = parts.extensions.get::<Authorization>();
        authorization
            .map(|a| Signed(a.actor.clone()))
            .ok_or_else(|| ApiError::internal("the route requires no signed-in user"))
    }
}

/// Proof that the signed-in user is an Admin of their corporation, or a Super Admin, who administers every corporation.
pub struct Administrator(Actor);

impl Administrator {
    /// Checks the session again, as [`Signed::recheck`] does, and that the user is still an administrator (else 403).
    pub async fn recheck(self, platform: &Platform) -> ApiResult<Self> {
        Ok(Administrator(authorize(platform, self.0.session(), Who::Administrator).await?.actor))
    }

    /// Returns the scope of the administrator's own corporation, if they also have this permission.
    ///
    /// # Errors
    /// 403 without the permission.
    pub fn with_permission(&self, action: Action, resource: ResourceId) -> ApiResult<&Scope> {
        if may(self.0.access(), resource, action) { Ok(self.0.scope()) } else { Err(ApiError::PermissionDenied) }
    }

    /// Returns this administrator as the [`Manager`] of the corporation `corp`. Does not check that it exists.
    ///
    /// # Errors
    /// 404 if `corp` is not the user's own corporation and they are no Super Admin.
    pub fn manager(&self, corp: Uuid) -> ApiResult<Manager> {
        let (scope, user_type) = (self.0.scope(), self.0.user_type());
        if !may_work_in(user_type, scope.corp(), corp) {
            return Err(ApiError::NotFound);
        }
        let scope = scope.in_corporation(corp);
        Ok(Manager { scope, user_type, role: self.0.role(), access: Access::default() })
    }
}

impl Deref for Administrator {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        self.0.scope()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let authorization = parts.extensions.get::<Authorization>().filter(|a| a.who == Who::Administrator);
        authorization
            .map(|a| Administrator(a.actor.clone()))
            .ok_or_else(|| ApiError::internal("the route requires no administrator"))
    }
}

impl Actor {
    /// Returns the proof that this user is an administrator; `None` if they are not. Every write through it checks this
    /// again.
    pub fn administrator(&self) -> Option<Administrator> {
        self.user_type().is_administrator().then(|| Administrator(self.with_requirement(Who::Administrator)))
    }
}

impl Extractor for Signed {}
impl Extractor for Administrator {}
impl<A, R> Extractor for May<A, R> {}

/// Proof that a user manages users or roles of one corporation, which need not be their own. Core decides each action,
/// by the manager's type and own permissions.
pub struct Manager {
    scope: Scope,
    user_type: UserType,
    /// The id of the manager's own role; `None` if they have none.
    role: Option<Uuid>,
    /// The manager's permissions. Empty for administrators, because core does not use theirs.
    access: Access,
}

impl Manager {
    /// Returns the same manager for this request.
    pub fn of_request(self, request: Option<KeyedRequest>) -> Self {
        Manager { scope: self.scope.of_request(request), ..self }
    }

    /// Returns true if the manager's screen offers to change a user of this type whose role has these grants.
    pub fn can_manage(&self, target: UserType, grants: &[Grant]) -> bool {
        may_manage(self.user_type, &self.access, target, grants)
    }

    /// Returns true if the manager's screen offers to change this role, which has these grants.
    pub fn can_change_role(&self, role: Uuid, grants: &[Grant]) -> bool {
        check_role_change(self.user_type, &self.access, self.role == Some(role), grants, grants).is_ok()
    }

    /// Returns what the manager's screen offers to grant on a resource.
    pub fn grantable(&self, resource: ResourceId) -> Permissions {
        grantable(self.user_type, &self.access, resource)
    }

    /// Returns true if the manager's screen offers to give users a role with these grants.
    pub fn can_assign_role(&self, grants: &[Grant]) -> bool {
        may_assign(self.user_type, &self.access, grants)
    }
}

impl Deref for Manager {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        &self.scope
    }
}

/// A type that stands for an action, such as `Create` in `May<Create, Contacts>`.
pub trait ActionType {
    const ACTION: Action;
}

/// A type that stands for a resource, such as `Contacts` in `May<Create, Contacts>`.
pub trait ResourceType {
    const RESOURCE: ResourceId;
}

/// Defines a type for each of these actions or resources, to name it in a handler's signature.
macro_rules! markers {
    ($trait:ident $constant:ident $enum:ident: $($name:ident)*) => { $(
        pub struct $name;
        impl $trait for $name {
            const $constant: $enum = $enum::$name;
        }
    )* };
}

markers!(ActionType ACTION Action: Read Create Update Delete);

macro_rules! resource_markers {
    ($($name:ident = $id:literal,)*) => { markers!(ResourceType RESOURCE ResourceId: $($name)*); };
}

forecourt_core::resources!(resource_markers);

/// Proof that the signed-in user may do `A` with `R`. It contains the [`Scope`] that store functions require.
pub struct May<A, R> {
    authorization: Authorization,
    marker: PhantomData<fn() -> (A, R)>,
}

impl<A, R> May<A, R> {
    /// Checks the session again, as [`Signed::recheck`] does, and that the user still has the permission (else 403).
    pub async fn recheck(self, platform: &Platform) -> ApiResult<Self> {
        let Authorization { actor, who, .. } = self.authorization;
        Ok(May { authorization: authorize(platform, actor.session(), who).await?, marker: PhantomData })
    }

    /// Checks session and permission again, for a response that takes long to produce. Also fails if the user has
    /// meanwhile lost the permission to read any resource, because the fields in the response can depend on it.
    pub async fn require_still(&self, platform: &Platform) -> ApiResult<()> {
        let Authorization { actor, who, .. } = &self.authorization;
        let present = authorize(platform, actor.session(), *who).await?.actor;
        let reads = |access: &Access, resource: &ResourceId| may(access, *resource, Action::Read);
        let has_lost = |resource| reads(actor.access(), resource) && !reads(present.access(), resource);
        if ResourceId::ALL.iter().any(has_lost) { Err(ApiError::PermissionDenied) } else { Ok(()) }
    }

    /// Returns this user as a manager of users or roles of their own corporation.
    pub fn manager(&self) -> Manager {
        let actor = &self.authorization.actor;
        let (user_type, role) = (actor.user_type(), actor.role());
        Manager { scope: actor.scope().clone(), user_type, role, access: *actor.access() }
    }
}

impl<A, R: ResourceType> May<A, R> {
    /// Returns the same scope, whose writes check the permission for `action` on `R`; `None` without that permission.
    pub fn with_permission(&self, action: Action) -> Option<Scope> {
        let actor = &self.authorization.actor;
        may(actor.access(), R::RESOURCE, action).then(|| actor.scope().with_requirement(Who::May(action, R::RESOURCE)))
    }
}

impl<A> May<A, Corporations> {
    /// Returns the scope of the platform's administrator in any corporation. Does not check that the corporation
    /// exists.
    pub fn tenant(&self, corp: Uuid) -> Scope {
        self.in_corporation(corp)
    }

    /// Returns the database with access to the rows of every corporation, for the platform's administrators.
    pub fn all_tenants(&self) -> Db {
        self.db().all_tenants()
    }
}

impl<A, R> Deref for May<A, R> {
    type Target = Scope;
    fn deref(&self) -> &Scope {
        self.authorization.actor.scope()
    }
}

impl<A: ActionType, R: ResourceType, S: Send + Sync> FromRequestParts<S> for May<A, R> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let needed = Who::May(A::ACTION, R::RESOURCE);
        match parts.extensions.get::<Authorization>().filter(|a| a.who == needed) {
            Some(authorization) => Ok(May { authorization: authorization.clone(), marker: PhantomData }),
            None => Err(ApiError::internal("the route and its handler require different permissions")),
        }
    }
}
