//! Sealing every number with a new key, while the program runs.

use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::db::{self, Db};
use crate::platform::encryption::{self, DataKeys};
use forecourt_core::text::one_line;
use std::fmt::Write;
use uuid::Uuid;

/// How many rows are sealed anew in one transaction: few enough that nobody waits long for SQLite's writer.
const BATCH: i64 = 100;

/// What became of the rows under one key.
#[derive(Default)]
struct Pass {
    sealed: u64,
    /// Numbers that no key opens.
    lost: u64,
}

/// Makes a new key, seals every number with it, and says what to do with the old one. Whoever ends it midway calls it
/// again.
///
/// # Errors
/// One line: the keys can't be written, or the database is away.
pub async fn rotate(app: &App) -> Result<String, Failure> {
    let (db, keys) = (&app.db, &app.data_keys);
    let away = |e: sqlx::Error| format!("the numbers can't be sealed anew: {}", one_line(&e.to_string()));
    keys.renew(db).await?;
    let named = keys.name_first(db).await.map_err(away)?;
    let new = keys.sealing_key();
    let (mut sealed, mut retired, mut lost) = (0, Vec::new(), 0);
    for old in named.into_iter().filter(|id| *id != new) {
        loop {
            let pass = all_under(db, keys, &old).await.map_err(away)?;
            sealed += pass.sealed;
            if encryption::retire(db, &old).await.map_err(away)? {
                retired.push(old);
                break;
            }
            // A server that doesn't know the new key yet may have used the old one once more.
            if pass.sealed == 0 && pass.lost > 0 {
                lost += pass.lost;
                break;
            }
        }
    }
    let mut told = format!("{sealed} social security numbers were sealed anew; the data key is {new} now.");
    if !retired.is_empty() {
        let _ = write!(
            told,
            "\nNothing in the database needs {} any more. Backups from before do: keep the old key with them, and take it \
             out of {} when the last of them is gone.",
            retired.join(", "),
            keys.place()
        );
    }
    if lost > 0 {
        let _ = write!(told, "\n{lost} numbers can't be opened, and stay as they are; the log names the customers.");
    }
    Ok(told)
}

/// A number as it is sealed by now.
type Kept = (Uuid, Uuid, Vec<u8>);

/// Seals what stands under an old key with the present one.
async fn all_under(db: &Db, keys: &DataKeys, old: &str) -> db::Result<Pass> {
    let mut pass = Pass::default();
    let (mut corp, mut customer) = (Uuid::nil(), Uuid::nil());
    loop {
        let rows: Vec<Kept> = db
            .sql(
                "SELECT corp_id, customer_id, social_security FROM customers WHERE social_security_key = $1 \
                 AND (corp_id, customer_id) > ($2, $3) ORDER BY corp_id, customer_id LIMIT $4",
            )
            .bind(old.to_owned())
            .bind(corp)
            .bind(customer)
            .bind(BATCH)
            .all()
            .await?;
        let Some((last_corp, last_customer, _)) = rows.last() else { return Ok(pass) };
        (corp, customer) = (*last_corp, *last_customer);
        batch(db, keys, rows, &mut pass).await?;
    }
}

async fn batch(db: &Db, keys: &DataKeys, rows: Vec<Kept>, pass: &mut Pass) -> db::Result<()> {
    let mut tx = db.begin().await?;
    for (corp, customer, kept) in rows {
        let Some(number) = keys.open_text(corp, customer, &kept) else {
            pass.lost += 1;
            continue;
        };
        let sealed = keys.seal(corp, customer, &number)?;
        // Only what is still as it was read: a number that was written since is the newer one. Who is at work on the
        // customer sees no change.
        pass.sealed += tx
            .sql(
                "UPDATE customers SET social_security = $1, social_security_key = $2 \
                 WHERE corp_id = $3 AND customer_id = $4 AND social_security = $5",
            )
            .bind(sealed.bytes)
            .bind(sealed.key)
            .bind(corp)
            .bind(customer)
            .bind(kept)
            .exec()
            .await?;
    }
    tx.commit().await
}
