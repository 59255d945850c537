//! Users: their management, and access to their rows for sign-in, first start and demo, before a session determines the
//! tenant.

mod account_changes;
mod account_history;
pub mod bans;
pub mod corporation_users;
pub mod handlers;
mod management;
mod routes;
mod store;

pub(crate) use account_changes::{change_email, delete_account};
pub(crate) use account_history::{AccountChange, BANNED, PASSWORD, PICTURE, PROVIDER};

use crate::platform::db::{self, Connection, Db, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::mail::MailMessage;
use forecourt_core::auth::AccountFlags;
use forecourt_core::auth::mail::MailText;
use forecourt_core::permissions::UserType;
use forecourt_core::users::{check_not_last_admin, full_name};
pub(crate) use management::{mail_new_account, version_conflict};
pub use routes::ROUTES;
use uuid::Uuid;

/// What sign-in and changes of accounts need of a user's row, and whether the corporation is active. Deliberately not
/// `Debug`: it contains the password's hash.
#[derive(sqlx_macros::FromRow)]
pub struct Account {
    pub corp_id: Uuid,
    pub user_id: Uuid,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// As text, see [`UserType::as_str`].
    pub user_type: String,
    pub password_hash: String,
    pub is_active: bool,
    pub banned_at: Option<i64>,
    pub ban_reason: Option<String>,
    pub corp_active: bool,
    /// The corporation has signed up and was not activated yet.
    pub corp_awaits_approval: bool,
    /// When the user last proved access to this mailbox, in microseconds since 1970; `None` if never.
    pub email_verified_at: Option<i64>,
    /// Number of consecutive wrong codes.
    pub wrong_codes: i32,
    pub version: i64,
}

impl Account {
    pub fn full_name(&self) -> String {
        full_name(&self.first_name, &self.last_name)
    }

    /// Returns a mail to the user.
    pub fn mail(&self, text: MailText) -> MailMessage {
        MailMessage::new(&self.email, &self.full_name(), text)
    }

    /// Returns the flags that determine the account's status.
    pub fn flags(&self) -> AccountFlags {
        AccountFlags {
            is_banned: self.banned_at.is_some(),
            is_active: self.is_active,
            corp_active: self.corp_active,
            wrong_codes: self.wrong_codes,
        }
    }
}

const ACCOUNT: &str = "SELECT u.corp_id, u.user_id, u.email, u.first_name, u.last_name, u.user_type, u.password_hash, \
    u.is_active, u.banned_at, u.ban_reason, c.active AS corp_active, c.awaits_approval AS corp_awaits_approval, \
    u.email_verified_at, u.wrong_codes, u.version FROM users u JOIN corporations c ON c.corp_id = u.corp_id";

/// Returns the account with this e-mail, which must be in lower case.
pub async fn by_email(db: impl Connection<'_>, email: &str) -> db::Result<Option<Account>> {
    db.sql(ACCOUNT).push(" WHERE u.email = $1").bind(email.to_owned()).maybe().await
}

/// Returns the account of this user; `None` if there is none.
pub async fn find(db: impl Connection<'_>, corp: Uuid, user: Uuid) -> db::Result<Option<Account>> {
    db.sql(ACCOUNT).push(" WHERE u.corp_id = $1 AND u.user_id = $2").bind_all((corp, user)).maybe().await
}

/// Returns an account and locks its row until the transaction ends. To avoid deadlocks, transactions that create or
/// delete a user's sessions, codes or links lock the user first. Exceptions are the deletion of expired ones, of a
/// session whose spent refresh token is used again, and of a whole corporation, which is repeated after a deadlock.
pub async fn lock(tx: &mut Tx, corp: Uuid, user: Uuid) -> db::Result<Option<Account>> {
    let row_lock = tx.pick("", " FOR NO KEY UPDATE OF u");
    tx.sql(ACCOUNT).push(" WHERE u.corp_id = $1 AND u.user_id = $2").push(row_lock).bind_all((corp, user)).maybe().await
}

/// Does the same as [`lock`] by e-mail, which must be in lower case.
pub async fn lock_by_email(tx: &mut Tx, email: &str) -> db::Result<Option<Account>> {
    let row_lock = tx.pick("", " FOR NO KEY UPDATE OF u");
    tx.sql(ACCOUNT).push(" WHERE u.email = $1").push(row_lock).bind(email.to_owned()).maybe().await
}

/// Locks a corporation until the transaction ends, against other callers and against every write by the corporation's
/// users ([`crate::access::rights::RightsCheck`]). A change that depends on the corporation's other administrators, alters
/// its users' permissions or ends their sessions must take this lock before [`lock`]. A writing transaction of a scope
/// has it already for its own user's corporation, unless its route requires a permission on records. The others call
/// this: password resets, the use of a spent refresh token, the confirmation of a sign-up, and changes of another
/// corporation (except `DELETE`, which runs as a job).
pub async fn lock_corporation(tx: &mut Tx, corp: Uuid) -> db::Result<()> {
    // SQLite has only one write transaction at a time.
    if let Tx::Postgres(..) = tx {
        tx.sql("SELECT forecourt_lock_corporation($1)").bind(corp).exec().await?;
    }
    Ok(())
}

/// Records that the user proved access to the mailbox, and resets the count of wrong codes.
pub async fn mark_email_verified(tx: &mut Tx, account: &Account, now: i64) -> db::Result<()> {
    tx.sql("UPDATE users SET email_verified_at = $1, wrong_codes = 0 WHERE corp_id = $2 AND user_id = $3")
        .bind_all((now, account.corp_id, account.user_id))
        .exec()
        .await?;
    Ok(())
}

/// Returns an error if this is the last active administrator of a corporation or the platform (docs/product.md 1.6).
/// Call it after [`lock_corporation`], with an account that was read after that, and before the account is changed.
///
/// # Errors
/// 409 with the reason.
pub async fn reject_last_admin(tx: &mut Tx, account: &Account) -> ApiResult<()> {
    let active: Vec<String> = tx
        .sql(
            "SELECT user_type FROM users WHERE corp_id = $1 AND user_type IN ($2, $3) \
             AND is_active AND banned_at IS NULL",
        )
        .bind_all((account.corp_id, UserType::Admin.as_str(), UserType::SuperAdmin.as_str()))
        .values()
        .await?;
    let active: Vec<_> = active.iter().filter_map(|user_type| UserType::parse(user_type)).collect();
    let user_type = UserType::parse(&account.user_type).unwrap_or_default();
    check_not_last_admin(user_type, account.is_active && account.banned_at.is_none(), &active)
        .map_err(|reason| ApiError::Conflict(reason.into()))
}

pub async fn has_super_admin(db: &Db) -> db::Result<bool> {
    let sql = db.sql("SELECT user_id FROM users WHERE user_type = $1 LIMIT 1");
    sql.bind(UserType::SuperAdmin.as_str()).exists().await
}

/// Returns the Super Admins that are active and not banned.
pub async fn super_admins(db: &Db) -> db::Result<Vec<Account>> {
    db.sql(ACCOUNT)
        .push(" WHERE c.is_platform AND u.user_type = $1 AND u.is_active AND u.banned_at IS NULL ORDER BY u.user_id")
        .bind(UserType::SuperAdmin.as_str())
        .all()
        .await
}

/// Returns the Admins of a corporation that are active and not banned.
pub async fn admins(tx: &mut Tx, corp: Uuid) -> db::Result<Vec<Account>> {
    tx.sql(ACCOUNT)
        .push(" WHERE u.corp_id = $1 AND u.user_type = $2 AND u.is_active AND u.banned_at IS NULL ORDER BY u.user_id")
        .bind_all((corp, UserType::Admin.as_str()))
        .all()
        .await
}

pub struct NewUser<'a> {
    pub corp: Uuid,
    pub email: &'a str,
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub mobile: &'a str,
    pub user_type: UserType,
    pub role: Option<Uuid>,
    /// The password's hash, from [`crate::features::auth::hasher::Hasher::hash`].
    pub password_hash: &'a str,
}

/// Creates a user, with the e-mail in lower case, and returns the id; `None` if the e-mail is already in use.
pub async fn create_account(tx: &mut Tx, user: &NewUser<'_>, now: i64) -> db::Result<Option<Uuid>> {
    tx.sql(
        "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
             password_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) \
             ON CONFLICT (email) DO NOTHING RETURNING user_id",
    )
    .bind_all((
        user.corp,
        Uuid::now_v7(),
        user.email.to_lowercase(),
        user.first_name.to_owned(),
        user.last_name.to_owned(),
        user.mobile.to_owned(),
        user.user_type.as_str(),
        user.role,
        user.password_hash.to_owned(),
        now,
    ))
    .maybe_value()
    .await
}

/// Returns whether the error is a violation of the unique e-mail.
pub fn is_email_taken(error: &sqlx::Error) -> bool {
    db::is_unique_violation(error, "users.email", "users_email_key")
}
