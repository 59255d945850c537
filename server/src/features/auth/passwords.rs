//! Verification and replacement of an account's password.

use super::sessions;
use crate::features::state::App;
use crate::features::users::Account;
use crate::platform::clock::DAY;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::limits;
use forecourt_core::auth::mail::{MailText, password_changed_mail, password_set_by_admin_mail};
use forecourt_core::profile::text::CURRENT_PASSWORD_WRONG;
use forecourt_core::secret::Secret;
use uuid::Uuid;

/// Verifies the user's password, for changes that a session alone does not authorize, as it may be left open or stolen.
/// Attempts are counted before anything is hashed. `field` is the form field to which an error is attached.
pub(crate) async fn verify_current(
    app: &App,
    account: &Account,
    field: &str,
    password: Secret<String>,
) -> ApiResult<()> {
    limits::count_use(app, limits::PASSWORD_CONFIRMATIONS, account.user_id.as_bytes()).await?;
    match app.hasher.verify(password, Some(account.password_hash.clone())).await? {
        true => Ok(()),
        false => Err(wrong_password_error(field)),
    }
}

/// Returns the validation error for a wrong current password.
pub(crate) fn wrong_password_error(field: &str) -> ApiError {
    ApiError::for_field(field, CURRENT_PASSWORD_WRONG)
}

/// Who changes a password.
pub(crate) enum ChangedBy {
    /// The user, whose present session, if there is one, continues.
    Owner {
        session: Option<Uuid>,
    },
    Administrator,
}

/// Sets a new password, ends the user's other sessions, invalidates codes, trusted devices, reset links and
/// one-time values, and queues a notification mail. The caller wakes the mail worker after the commit.
pub(crate) async fn replace(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    password_hash: String,
    by: ChangedBy,
) -> ApiResult<()> {
    let (except, mail_text): (_, fn(&str, &str, &str) -> MailText) = match by {
        ChangedBy::Owner { session } => (session, password_changed_mail),
        ChangedBy::Administrator => (None, password_set_by_admin_mail),
    };
    tx.sql("UPDATE users SET password_hash = $1 WHERE corp_id = $2 AND user_id = $3")
        .bind_all((password_hash, account.corp_id, account.user_id))
        .exec()
        .await?;
    sessions::end_all(tx, account.corp_id, account.user_id, except).await?;
    let link = format!("{}/forgot-password", app.config.public_url());
    let text = mail_text(&app.config.brand, &account.first_name, &link);
    app.mail.queue(app, tx, account.corp_id, &account.mail(text), None, app.clock.now() + DAY).await
}
