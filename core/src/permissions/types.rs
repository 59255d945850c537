//! What travels about permissions. The names are the wire's (specification section 3).

use serde::{Deserialize, Serialize};

/// GET: what the signed-in user may do.
pub const PATH: &str = "/api/rbac/user-permissions";

/// Kinds of users (decisions 1.1), from the least to the most.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum UserType {
    #[default]
    User,
    Admin,
    #[serde(rename = "Super Admin")]
    SuperAdmin,
}

impl UserType {
    pub const ALL: [UserType; 3] = [UserType::User, UserType::Admin, UserType::SuperAdmin];

    /// The type in words, as it travels and as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            UserType::User => "User",
            UserType::Admin => "Admin",
            UserType::SuperAdmin => "Super Admin",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str() == text)
    }
}

/// The four things that can be done with a resource.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    Read,
    Create,
    Update,
    Delete,
}

impl Action {
    pub const ALL: [Action; 4] = [Action::Read, Action::Create, Action::Update, Action::Delete];
}

/// Which of the four actions are granted.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Permissions {
    pub can_read: bool,
    pub can_create: bool,
    pub can_update: bool,
    pub can_delete: bool,
}

impl Permissions {
    pub const ALL: Permissions = Permissions { can_read: true, can_create: true, can_update: true, can_delete: true };
    pub const NONE: Permissions =
        Permissions { can_read: false, can_create: false, can_update: false, can_delete: false };

    /// Whoever may add, edit or delete may also view: the one rule of what implies what.
    #[must_use]
    pub fn with_view(self) -> Self {
        Permissions { can_read: self.can_read || self.can_create || self.can_update || self.can_delete, ..self }
    }

    /// Is everything that the other grants granted here too?
    pub fn covers(self, other: Permissions) -> bool {
        Action::ALL.into_iter().all(|action| self.allows(action) || !other.allows(action))
    }

    /// The same with one action granted or not.
    #[must_use]
    pub fn with(mut self, action: Action, granted: bool) -> Self {
        *match action {
            Action::Read => &mut self.can_read,
            Action::Create => &mut self.can_create,
            Action::Update => &mut self.can_update,
            Action::Delete => &mut self.can_delete,
        } = granted;
        self
    }

    pub fn allows(self, action: Action) -> bool {
        match action {
            Action::Read => self.can_read,
            Action::Create => self.can_create,
            Action::Update => self.can_update,
            Action::Delete => self.can_delete,
        }
    }
}

/// One line of a role's matrix, as it is stored: a resource or a subresource, and what the role grants on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub resource_id: String,
    pub permissions: Permissions,
}

/// A resource as it is granted to the signed-in user (specification section 3, Permission resource).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionResource {
    pub resource_id: String,
    pub title: String,
    pub route: String,
    pub icon: String,
    pub position: u32,
    pub has_subresources: bool,
    pub subresources: Vec<PermissionResource>,
    pub permissions: Permissions,
    /// May the person's corporation use it at all? Where not, an upgrade is needed (decisions 5.2).
    #[serde(default)]
    pub allowed: bool,
}

/// What `GET /api/rbac/user-permissions` holds under `data`.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserPermissions {
    pub resources: Vec<PermissionResource>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_is_granted_and_taken_by_itself() {
        for action in Action::ALL {
            let (one, others) = (Permissions::NONE.with(action, true), Permissions::ALL.with(action, false));
            for other in Action::ALL {
                assert_eq!((one.allows(other), others.allows(other)), (other == action, other != action), "{other:?}");
            }
        }
    }
}
