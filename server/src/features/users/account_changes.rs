//! Changes of an account that both the user and a manager of users can make.

use super::{Account, AccountChange, is_email_taken, reject_last_admin};
use crate::access::scope::Scope;
use crate::features::auth::oidc::identities;
use crate::features::auth::sessions::end_all;
use crate::features::state::App;
use crate::platform::clock::DAY;
use crate::platform::db::Tx;
use crate::platform::error::ApiResult;
use forecourt_core::auth::mail::MailText;
use uuid::Uuid;

/// Changes the account's e-mail, marks it as unverified, and mails `mail_text` to the old address. Ends all sessions
/// except `except`, and deletes sign-in codes, trusted devices, reset links and one-time values. Also disconnects
/// OpenID Connect providers, because someone who controls the old mailbox may have connected them. Returns `false` if
/// another account has the e-mail; the transaction must then be dropped.
pub(crate) async fn change_email(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    email: &str,
    mail_text: MailText,
    except: Option<Uuid>,
) -> ApiResult<bool> {
    let (corp, user) = (account.corp_id, account.user_id);
    let changed = tx
        .sql("UPDATE users SET email = $1, email_verified_at = NULL WHERE corp_id = $2 AND user_id = $3")
        .bind_all((email.to_owned(), corp, user))
        .exec()
        .await;
    match changed {
        Err(error) if is_email_taken(&error) => return Ok(false),
        changed => changed?,
    };
    end_all(tx, corp, user, except).await?;
    identities::disconnect_all(tx, corp, user).await?;
    app.mail.queue(app, tx, corp, &account.mail(mail_text), None, app.clock.now() + DAY).await?;
    Ok(true)
}

/// Deletes a user and everything that belongs to them. Records they wrote stay (docs/product.md 4.9), and the e-mail
/// can be used again. Call [`super::lock_corporation`] first, then lock the account in the same transaction, and pass
/// it here.
///
/// # Errors
/// 409 for the last active administrator of the corporation.
pub(crate) async fn delete_account(tx: &mut Tx, scope: &Scope, account: &Account, now: i64) -> ApiResult<()> {
    reject_last_admin(tx, account).await?;
    let change = AccountChange::begin(tx, scope, account.user_id).await?;
    tx.sql("DELETE FROM users WHERE corp_id = $1 AND user_id = $2")
        .bind_all((account.corp_id, account.user_id))
        .exec()
        .await?;
    change.record(tx, scope, now, &[]).await?;
    Ok(())
}
