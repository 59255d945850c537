//! Sessions: the one place where tokens are made, and the rotation of refresh tokens (decisions 2.3).

use super::tokens::{self, Bearer};
use crate::clock::{DAY, HOUR, SECOND, rfc3339};
use crate::db::{self, Tx};
use crate::problem::{Answer, Refusal};
use crate::state::App;
use crate::users::{self, Account};
use forecourt_core::auth::{self, REMEMBER_DAYS, SESSION_HOURS, SUCCESSOR_GRACE_SECONDS, Standing, Tokens};
use forecourt_core::problem::Ban;
use uuid::Uuid;

/// How many successors inside the grace are followed; a client that needs more is not two tabs that race.
const LONGEST_RACE: usize = 16;

/// May a session of this account begin? Asked only once the person has proved who they are, by whichever way.
pub(super) fn standing(account: &Account) -> Answer<()> {
    match auth::standing_to_enter(account.marks()) {
        Standing::Good => Ok(()),
        Standing::SwitchedOff => Err(Refusal::SwitchedOff),
        Standing::Locked => Err(Refusal::Locked),
        Standing::Banned => Err(Refusal::Banned(Ban {
            is_banned: true,
            reason: account.ban_reason.clone().unwrap_or_default(),
            banned_at: rfc3339(account.banned_at.unwrap_or_default()),
        })),
    }
}

/// Makes a session. Every way to sign in ends here, and is refused here while the person's standing does not allow it.
///
/// # Errors
/// 403 when the person is banned, switched off or locked; 401 when there is no such person any more.
pub(super) async fn mint(
    app: &App,
    tx: &mut Tx,
    corp: Uuid,
    user: Uuid,
    device_name: String,
    remember: bool,
) -> Answer<Tokens> {
    let now = app.clock.now();
    let Some(account) = users::lock(tx, corp, user).await? else { return Err(Refusal::WrongCredentials) };
    standing(&account)?;
    let session = Uuid::now_v7();
    let lasts = if remember { REMEMBER_DAYS * DAY } else { SESSION_HOURS * HOUR };
    tx.sql(
        "INSERT INTO sessions (corp_id, session_id, user_id, device_name, remember, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(corp)
    .bind(session)
    .bind(user)
    .bind(device_name)
    .bind(remember)
    .bind(now)
    .bind(now + lasts)
    .exec()
    .await?;
    let refresh_token = tokens::refresh()?;
    keep(app, tx, corp, session, &refresh_token).await?;
    pair(app, user, session, &account.user_type, refresh_token)
}

/// A refresh token's row, and the session's person.
type TokenRow = (Uuid, Uuid, Option<i64>);

/// Changes a refresh token for a new pair.
///
/// # Errors
/// [`Refusal::SessionOver`] when there is no such token, its session is over, or it was used before.
pub(super) async fn refresh(app: &App, token: &str) -> Answer<Tokens> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // Of those that come at once, one spends it. The others wait here for its commit, and see the successor.
    let spent: Option<(Uuid, Uuid)> = tx
        .sql(
            "UPDATE refresh_tokens SET spent_at = $1 WHERE token_hash = $2 AND spent_at IS NULL \
             RETURNING corp_id, session_id",
        )
        .bind(now)
        .bind(tokens::refresh_hash(&app.keys, token))
        .maybe()
        .await?;
    let (corp, session, next) = match spent {
        Some((corp, session)) => {
            let next = tokens::successor(&app.keys, token);
            keep(app, &mut tx, corp, session, &next).await?;
            (corp, session, next)
        }
        None => match after_a_race(app, &mut tx, token, now).await? {
            Race::Successor(corp, session, next) => (corp, session, next),
            Race::Reused(corp, session) => {
                end(&mut tx, corp, session).await?;
                tx.commit().await?;
                tracing::warn!(%session, "a spent refresh token was used again: its session was ended");
                return Err(Refusal::SessionOver);
            }
            Race::Unknown => return Err(Refusal::SessionOver),
        },
    };
    let person: Option<(Uuid,)> = tx
        .sql("SELECT user_id FROM sessions WHERE corp_id = $1 AND session_id = $2 AND expires_at > $3")
        .bind(corp)
        .bind(session)
        .bind(now)
        .maybe()
        .await?;
    let Some((user,)) = person else { return Err(Refusal::SessionOver) };
    let account = users::get(&mut tx, corp, user).await?.filter(|a| auth::standing(a.marks()) == Standing::Good);
    let Some(account) = account else { return Err(Refusal::SessionOver) };
    tx.commit().await?;
    pair(app, user, session, &account.user_type, next)
}

enum Race {
    /// The token was spent a moment ago: this is what it led to.
    Successor(Uuid, Uuid, String),
    /// The token was spent long ago.
    Reused(Uuid, Uuid),
    Unknown,
}

/// Follows a token that is spent to the one that isn't, as long as each was spent inside the grace.
async fn after_a_race(app: &App, tx: &mut Tx, token: &str, now: i64) -> Answer<Race> {
    let mut token = token.to_owned();
    for _ in 0..LONGEST_RACE {
        let row: Option<TokenRow> = tx
            .sql("SELECT corp_id, session_id, spent_at FROM refresh_tokens WHERE token_hash = $1")
            .bind(tokens::refresh_hash(&app.keys, &token))
            .maybe()
            .await?;
        match row {
            None => return Ok(Race::Unknown),
            Some((corp, session, None)) => return Ok(Race::Successor(corp, session, token)),
            Some((corp, session, Some(spent_at))) if now - spent_at > SUCCESSOR_GRACE_SECONDS * SECOND => {
                return Ok(Race::Reused(corp, session));
            }
            Some(_) => token = tokens::successor(&app.keys, &token),
        }
    }
    Ok(Race::Unknown)
}

/// Ends a session; its tokens go with it.
pub(super) async fn end(tx: &mut Tx, corp: Uuid, session: Uuid) -> db::Result<()> {
    tx.sql("DELETE FROM sessions WHERE corp_id = $1 AND session_id = $2").bind(corp).bind(session).exec().await?;
    Ok(())
}

/// Ends all that lets a person in: every session but `except`, and every code, trusted device, reset link and one-time
/// pair. What has to be new afterwards (a password, an e-mail, a ban) is written in the same transaction.
pub(crate) async fn end_all(tx: &mut Tx, corp: Uuid, user: Uuid, except: Option<Uuid>) -> db::Result<()> {
    users::lock(tx, corp, user).await?;
    for text in [
        "DELETE FROM login_codes WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM trusted_devices WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM password_resets WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM handoffs WHERE corp_id = $1 AND user_id = $2",
    ] {
        tx.sql(text).bind(corp).bind(user).exec().await?;
    }
    tx.sql("DELETE FROM sessions WHERE corp_id = $1 AND user_id = $2 AND session_id <> $3")
        .bind(corp)
        .bind(user)
        .bind(except.unwrap_or_default())
        .exec()
        .await?;
    Ok(())
}

async fn keep(app: &App, tx: &mut Tx, corp: Uuid, session: Uuid, token: &str) -> db::Result<()> {
    tx.sql("INSERT INTO refresh_tokens (corp_id, token_hash, session_id, created_at) VALUES ($1, $2, $3, $4)")
        .bind(corp)
        .bind(tokens::refresh_hash(&app.keys, token))
        .bind(session)
        .bind(app.clock.now())
        .exec()
        .await?;
    Ok(())
}

fn pair(app: &App, user: Uuid, session: Uuid, role: &str, refresh_token: String) -> Answer<Tokens> {
    let bearer = Bearer { user, session, role };
    let access_token = tokens::access(&app.keys, &bearer, app.clock.now()).map_err(Refusal::unexpected)?;
    Ok(Tokens { access_token, refresh_token })
}
