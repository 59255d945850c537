//! Management of a corporation's users, shared by the users screen (`handlers`) and the screen of any corporation's
//! users (`corporation_users`). The rules on who may do what are in core.

use super::store::{self, UserData, UserRow};
use super::{
    Account, AccountChange, BANNED, NewUser, PASSWORD, PROVIDER, change_email, create_account, delete_account, find,
    lock, lock_corporation, reject_last_admin,
};
use crate::access::rights::Rights;
use crate::access::scope::{Manager, Scope};
use crate::features::auth::oidc::identities;
use crate::features::auth::passwords::{self, ChangedBy};
use crate::features::auth::sessions;
use crate::features::state::App;
use crate::features::{history, roles};
use crate::platform::clock::DAY;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::limits;
use forecourt_core::auth::mail::{account_created_mail, email_changed_by_admin_mail};
use forecourt_core::form::Checked;
use forecourt_core::history::{HistoryAction, HistoryEntry};
use forecourt_core::permissions::ResourceId;
use forecourt_core::users::{
    PasswordInput, UserInput, UserUpdateInput, check_own_credentials_unchanged, check_role_assignment,
    check_type_assignment, check_user_deactivation, check_user_deletion, may_manage, text,
};
use serde::Serialize;
use uuid::Uuid;

/// How long delivery of the mail about a new account is attempted.
const MAIL_LIFETIME: i64 = 3 * DAY;

/// An update of a user.
pub struct UserUpdate {
    /// The user's new data; `None` leaves it unchanged.
    pub form: Option<Checked<UserUpdateInput>>,
    /// Whether the screen has a field for the mobile number. If not, an empty number leaves it unchanged.
    pub has_mobile_field: bool,
    /// Whether the user may sign in; `None` leaves it unchanged.
    pub is_active: Option<bool>,
    /// The version that the update is based on.
    pub version: Option<i64>,
}

/// Creates a user, and notifies them by mail.
///
/// # Errors
/// 403 for a type or role with more permissions than the manager's, 400 for a role of another corporation, 409 if the
/// e-mail is already in use.
pub async fn create(app: &App, manager: &Manager, form: Checked<UserInput>) -> ApiResult<Uuid> {
    limits::count_use(app, limits::ACCOUNT_CHANGES, manager.user().as_bytes()).await?;
    let UserInput { fields, password } = form.into_inner();
    let password_hash = app.hasher.hash(password).await?;
    let user_type = fields.user_type().unwrap_or_default();
    let now = app.clock.now();
    let (mut tx, rights) = manager.begin().await?;
    let is_platform = lock_and_check_platform(&mut tx, manager).await?;
    check_type_assignment(rights.user_type, user_type, is_platform).map_err(ApiError::Forbidden)?;
    let role = assignable_role(&mut tx, manager, &rights, &fields.role_id, false).await?;
    let email = fields.email.to_lowercase();
    let new = NewUser {
        corp: manager.corp(),
        email: &email,
        first_name: &fields.first_name,
        last_name: &fields.last_name,
        mobile: &fields.mobile,
        user_type,
        role,
        password_hash: &password_hash,
    };
    let id = create_account(&mut tx, &new, now).await?;
    let id = id.ok_or_else(|| ApiError::already_exists("email", text::EMAIL_TAKEN))?;
    mail_new_account(app, &mut tx, manager.corp(), id, now).await?;
    AccountChange::creation(id).record(&mut tx, manager, now, &[]).await.map_err(history::request_error)?;
    tx.commit().await?;
    app.mail.wake();
    Ok(id)
}

/// Queues the mail to a user whose account was created by an administrator.
pub(crate) async fn mail_new_account(app: &App, tx: &mut Tx, corp: Uuid, user: Uuid, now: i64) -> ApiResult<()> {
    let account = find(&mut *tx, corp, user).await?.ok_or(ApiError::NotFound)?;
    let link = format!("{}/login", app.config.public_url());
    let mail_text = account_created_mail(&app.config.brand, &account.first_name, &account.email, &link);
    app.mail.queue(app, tx, corp, &account.mail(mail_text), None, now + MAIL_LIFETIME).await
}

/// Changes a user. A new e-mail or password ends the user's sessions and is notified by mail. Deactivation ends the
/// sessions without a mail. Returns `false`, and writes nothing, if the update is based on an older version and would
/// change something.
///
/// # Errors
/// Those of [`create`]; 404 if the user is not in this corporation, 403 if the user has more permissions than the
/// manager, 409 for the last administrator.
pub async fn update(app: &App, manager: &Manager, id: Uuid, update: UserUpdate) -> ApiResult<bool> {
    let form = update.form.map(Checked::into_inner);
    if let Some(form) = &form
        && changes_credentials(manager, id, form).await?
    {
        limits::count_use(app, limits::ACCOUNT_CHANGES, manager.user().as_bytes()).await?;
    }
    let password_hash = match form.as_ref().filter(|form| !form.password.expose_secret().is_empty()) {
        Some(form) => Some(app.hasher.hash(form.password.clone()).await?),
        None => None,
    };
    let now = app.clock.now();
    let (mut tx, rights) = manager.begin().await?;
    let is_platform = lock_and_check_platform(&mut tx, manager).await?;
    let (account, row) = lock_manageable(&mut tx, manager, &rights, id).await?;
    let is_outdated = update.version.is_some_and(|based_on| based_on != row.version);
    let change = AccountChange::begin(&mut tx, manager, id).await?;
    let secrets: &[&str] = if password_hash.is_some() { &[PASSWORD] } else { &[] };
    if let Some(UserUpdateInput { fields, .. }) = &form {
        let old_type = row.user_type();
        // A client that omits the type leaves it unchanged.
        let new_type = if fields.user_type.is_empty() { old_type } else { fields.user_type().unwrap_or(old_type) };
        check_type_assignment(rights.user_type, new_type, is_platform).map_err(ApiError::Forbidden)?;
        let changes_own =
            id == manager.user() && row.role_id.map(|role| role.to_string()) != Some(fields.role_id.clone());
        let role = assignable_role(&mut tx, manager, &rights, &fields.role_id, changes_own).await?;
        let email = fields.email.to_lowercase();
        check_own_credentials_unchanged(id == manager.user(), email != account.email, password_hash.is_some())?;
        if new_type < old_type {
            reject_last_admin(&mut tx, &account).await?;
        }
        let keeps_mobile = fields.mobile.is_empty() && !update.has_mobile_field;
        let data = UserData {
            first_name: &fields.first_name,
            last_name: &fields.last_name,
            mobile: if keeps_mobile { &row.mobile } else { &fields.mobile },
            user_type: new_type,
            role,
        };
        store::update(&mut tx, manager, id, &data, now).await?;
        if email != account.email {
            let mail_text = email_changed_by_admin_mail(&app.config.brand, &account.first_name, &email);
            if !change_email(app, &mut tx, &account, &email, mail_text, None).await? {
                return Err(ApiError::already_exists("email", text::EMAIL_TAKEN));
            }
        }
        // A connection made by e-mail for a normal user must not give access to an administrator account (F2).
        if !old_type.is_administrator() && new_type.is_administrator() {
            identities::disconnect_all(&mut tx, manager.corp(), id).await?;
        }
    }
    if let Some(password_hash) = password_hash {
        // Read again: the mail about the password goes to the new e-mail address.
        let account = find(&mut tx, manager.corp(), id).await?.ok_or(ApiError::NotFound)?;
        replace_password_and_disconnect_providers(app, &mut tx, &account, password_hash).await?;
    }
    if let Some(is_active) = update.is_active {
        set_active(&mut tx, manager, id, is_active, now).await?;
    }
    // Without a change, the transaction is dropped, so that the user keeps its version.
    if change.record(&mut tx, manager, now, secrets).await? {
        if is_outdated {
            return Ok(false);
        }
        tx.commit().await?;
        app.mail.wake();
        tracing::info!(user = %id, by = %manager.user(), "a user was changed");
    }
    Ok(true)
}

/// Returns the 409 for an update that is based on an old version of a user, whose present state is `current`.
pub async fn version_conflict(scope: &Scope, id: Uuid, current: &impl Serialize) -> ApiResult<ApiError> {
    // A ban, the connection with a provider, and a new password from the user don't increment the version.
    let is_of_version = |entry: &HistoryEntry| {
        let is_by_user = entry.actor.id == id.to_string();
        let keeps_version = |field: &str| [BANNED, PROVIDER].contains(&field) || is_by_user && field == PASSWORD;
        let is_update = entry.action == HistoryAction::Updated.as_str();
        is_update && !entry.changes.iter().any(|change| keeps_version(&change.field))
    };
    let last_change = history::last_change(scope, ResourceId::Users, id, is_of_version).await?;
    Ok(history::version_conflict(current, last_change))
}

/// Returns whether the form changes the e-mail or password. `true` for an unknown user, whom [`lock_manageable`]
/// rejects later.
async fn changes_credentials(manager: &Manager, id: Uuid, form: &UserUpdateInput) -> ApiResult<bool> {
    if !form.password.expose_secret().is_empty() {
        return Ok(true);
    }
    Ok(store::find(manager.db(), manager, id).await?.is_none_or(|row| row.email != form.fields.email.to_lowercase()))
}

/// Activates a user, or deactivates them and ends their sessions.
async fn set_active(tx: &mut Tx, manager: &Manager, id: Uuid, is_active: bool, now: i64) -> ApiResult<()> {
    if !is_active {
        check_user_deactivation(id == manager.user()).map_err(ApiError::Forbidden)?;
        // Read again, because the same change may have altered the user's type.
        let account = lock(tx, manager.corp(), id).await?.ok_or(ApiError::NotFound)?;
        reject_last_admin(tx, &account).await?;
        sessions::end_all(tx, manager.corp(), id, None).await?;
    }
    store::set_active(tx, manager, id, is_active, now).await?;
    Ok(())
}

/// Deletes a user; records they wrote stay.
///
/// # Errors
/// 404 if the user is not in this corporation; 403 if the user has more permissions than the manager, is the manager, or
/// is a Super Admin; 409 for the last administrator.
pub async fn delete(app: &App, manager: &Manager, id: Uuid) -> ApiResult<()> {
    let (mut tx, rights) = manager.begin().await?;
    lock_and_check_platform(&mut tx, manager).await?;
    let (account, row) = lock_manageable(&mut tx, manager, &rights, id).await?;
    check_user_deletion(row.user_type(), id == manager.user()).map_err(ApiError::Forbidden)?;
    delete_account(&mut tx, manager, &account, app.clock.now()).await?;
    tx.commit().await?;
    tracing::info!(user = %id, by = %manager.user(), "a user was deleted");
    Ok(())
}

/// Sets another user's password, ends the user's sessions, disconnects the user's sign-in providers, and notifies the
/// user by mail.
///
/// # Errors
/// 404 if the user is not in this corporation; 403 if the user has more permissions than the manager; 429 after too many
/// changes; a validation error for the manager's own password.
pub async fn set_password(app: &App, manager: &Manager, id: Uuid, form: Checked<PasswordInput>) -> ApiResult<()> {
    limits::count_use(app, limits::ACCOUNT_CHANGES, manager.user().as_bytes()).await?;
    let password_hash = app.hasher.hash(form.into_inner().password).await?;
    let (mut tx, rights) = manager.begin().await?;
    let (account, _) = lock_manageable(&mut tx, manager, &rights, id).await?;
    check_own_credentials_unchanged(id == manager.user(), false, true)?;
    let change = AccountChange::begin(&mut tx, manager, id).await?;
    replace_password_and_disconnect_providers(app, &mut tx, &account, password_hash).await?;
    change.record(&mut tx, manager, app.clock.now(), &[PASSWORD]).await?;
    tx.commit().await?;
    app.mail.wake();
    tracing::info!(user = %id, by = %manager.user(), "a user's password was set by another");
    Ok(())
}

/// Replaces the password and disconnects providers, as after a reset: an intruder loses every way to sign in.
async fn replace_password_and_disconnect_providers(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    password_hash: String,
) -> ApiResult<()> {
    passwords::replace(app, tx, account, password_hash, ChangedBy::Administrator).await?;
    Ok(identities::disconnect_all(tx, account.corp_id, account.user_id).await?)
}

/// Locks the corporation against other changes of its users, and returns whether it is the platform's own.
async fn lock_and_check_platform(tx: &mut Tx, manager: &Manager) -> ApiResult<bool> {
    lock_corporation(tx, manager.corp()).await?;
    store::is_platform(tx, manager).await?.ok_or(ApiError::NotFound)
}

/// Locks and returns a user of the manager's corporation whom the manager may manage.
async fn lock_manageable(tx: &mut Tx, manager: &Manager, rights: &Rights, id: Uuid) -> ApiResult<(Account, UserRow)> {
    let account = lock(tx, manager.corp(), id).await?.ok_or(ApiError::NotFound)?;
    let row = store::find(&mut *tx, manager, id).await?.ok_or(ApiError::NotFound)?;
    let grants = match row.role_id {
        Some(role) => roles::lock_and_get_grants(tx, manager, role).await?.unwrap_or_default(),
        None => Vec::new(),
    };
    match may_manage(rights.user_type, &rights.access, row.user_type(), &grants) {
        true => Ok((account, row)),
        false => Err(ApiError::Forbidden(text::ABOVE_OWN)),
    }
}

/// Returns the role of the form if the manager may assign it; `None` if the form names no role.
async fn assignable_role(
    tx: &mut Tx,
    manager: &Manager,
    rights: &Rights,
    role_id: &str,
    changes_own: bool,
) -> ApiResult<Option<Uuid>> {
    let role = match role_id {
        "" => None,
        id => Some(Uuid::parse_str(id).map_err(|_| unknown_role_error())?),
    };
    let grants = match role {
        Some(role) => roles::lock_and_get_grants(tx, manager, role).await?.ok_or_else(unknown_role_error)?,
        None => Vec::new(),
    };
    check_role_assignment(rights.user_type, &rights.access, changes_own, &grants).map_err(ApiError::Forbidden)?;
    Ok(role)
}

fn unknown_role_error() -> ApiError {
    ApiError::for_field("role_id", text::ROLE_UNKNOWN)
}
