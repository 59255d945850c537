//! Changes of users in the history.

use super::store::{self, UserRow};
use crate::access::scope::Scope;
use crate::features::history::{self, Entry};
use crate::platform::db::{Result, Tx};
use forecourt_core::history::{Change, ChangedValue, HistoryAction, changes, changes_of_other_user};
use forecourt_core::permissions::ResourceId;
use forecourt_core::users::full_name;
use uuid::Uuid;

/// The name of the password among the changes of a user.
pub(crate) const PASSWORD: &str = "password";
/// The name of the ban among the changes of a user.
pub(crate) const BANNED: &str = "banned";
/// The name of the profile picture among the changes of a user.
pub(crate) const PICTURE: &str = "picture";
/// The name of the connection with a sign-in provider among the changes of a user.
pub(crate) const PROVIDER: &str = "google";

/// A change of a user that is not in the history yet. Contains the user before the change, unless the user is new.
pub(crate) struct AccountChange {
    user: Uuid,
    before: Option<UserRow>,
}

impl AccountChange {
    /// Reads the user with this id before the change. The id may be that of a user to be created.
    pub(crate) async fn begin(tx: &mut Tx, scope: &Scope, user: Uuid) -> Result<Self> {
        Ok(AccountChange { user, before: store::find(tx, scope, user).await? })
    }

    /// Returns the change that creates a user.
    pub(crate) fn creation(user: Uuid) -> Self {
        AccountChange { user, before: None }
    }

    /// Reads the user after the change, and adds the history entry; also to the platform's history, if one of its
    /// administrators changes a user of another corporation. `secrets` names what has changed but is recorded without
    /// values, such as a password or a picture. Returns `false`, and adds nothing, if an update changed nothing.
    pub(crate) async fn record(self, tx: &mut Tx, scope: &Scope, now: i64, secrets: &[&str]) -> Result<bool> {
        let after = store::find(&mut *tx, scope, self.user).await?;
        let action = HistoryAction::between(self.before.as_ref(), after.as_ref());
        let Some(named) = after.as_ref().or(self.before.as_ref()) else { return Ok(false) };
        let label = full_name(&named.first_name, &named.last_name);
        let is_banned = [&self.before, &after].map(|row| row.as_ref().is_some_and(UserRow::is_banned));
        let [before, after] = [self.before, after].map(|row| row.map(UserRow::into_user));
        let mut changes = changes(before.as_ref(), after.as_ref(), secrets);
        // The number of permissions follows from the role.
        changes.retain(|change| change.field != "permissionsCount");
        if is_banned[0] != is_banned[1] {
            let [before, after] = is_banned.map(|is_banned| Some(ChangedValue::Flag(is_banned)));
            changes.push(Change { field: BANNED.into(), before, after });
        }
        if action == HistoryAction::Updated && changes.is_empty() {
            return Ok(false);
        }
        let entry = Entry::new(action, ResourceId::Users, self.user, &label, &changes)?.of_request(scope);
        history::insert(tx, scope, now, vec![entry]).await?;
        let names = [before, after].map(|user| user.map(|user| full_name(&user.first_name, &user.last_name)));
        let changes = changes_of_other_user(names, &changes);
        history::record_for_platform(tx, scope, now, HistoryAction::Updated, &changes).await.map(|()| true)
    }
}
