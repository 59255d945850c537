//! Re-encryption of all social security numbers with a new data key, while the server runs.

use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::db::{self, Db};
use crate::platform::encryption::{self, DataKeys};
use forecourt_core::text::one_line;
use std::fmt::Write;
use uuid::Uuid;

/// Rows per transaction. Few, so that others do not wait long for SQLite's write lock.
const BATCH: i64 = 100;

/// The result of one pass over the rows that are encrypted with an old key.
#[derive(Default)]
struct Pass {
    reencrypted: u64,
    /// Number of rows whose social security number no known key can decrypt.
    undecryptable: u64,
}

/// Creates a new data key, re-encrypts all numbers with it, and returns a report with advice about the old key. If
/// interrupted, it can be run again.
///
/// # Errors
/// A one-line message: the keys cannot be written, or the database is not available.
pub async fn rotate(app: &App) -> Result<String, Failure> {
    let (db, keys) = (&app.db, &app.data_keys);
    let failed = |e: sqlx::Error| format!("the numbers can't be re-encrypted: {}", one_line(&e.to_string()));
    keys.start_rotation(db).await?;
    let registered = keys.register_current_key(db).await.map_err(failed)?;
    let current = keys.current_key_id();
    let (mut reencrypted, mut retired, mut undecryptable) = (0, Vec::new(), 0);
    for old in registered.into_iter().filter(|id| *id != current) {
        loop {
            let pass = reencrypt_all(db, keys, &old).await.map_err(failed)?;
            reencrypted += pass.reencrypted;
            if encryption::delete_key_id(db, &old).await.map_err(failed)? {
                retired.push(old);
                break;
            }
            // The old key is still in use: a server that has not loaded the new one may have written a row after the
            // pass. So passes repeat until only rows are left that no key decrypts.
            if pass.reencrypted == 0 && pass.undecryptable > 0 {
                undecryptable += pass.undecryptable;
                break;
            }
        }
    }
    let mut report = format!("{reencrypted} social security numbers were re-encrypted; the data key is {current} now.");
    let location = keys.location();
    if app.config.data_keys.is_empty() {
        let _ = write!(report, "\nIt is the first line of {location}: copy this file to another place again.");
    }
    if undecryptable > 0 {
        let _ = write!(
            report,
            "\n{undecryptable} numbers can't be opened, and stay as they are; the log names the customers."
        );
    } else if !retired.is_empty() {
        let _ = write!(
            report,
            "\nNothing in the database needs {} any more, but backups from before do. When the last of them is gone, \
             remove all keys but the first from {location}.",
            retired.join(", ")
        );
    }
    Ok(report)
}

/// The ids of a customer's corporation and of the customer, and the encrypted social security number.
type EncryptedNumber = (Uuid, Uuid, Vec<u8>);

/// The SQL statements that re-encrypt the social security numbers in a table.
struct Numbers {
    /// Selects the next rows that are encrypted with a key.
    next: &'static str,
    update: &'static str,
}

const CUSTOMERS: Numbers = Numbers {
    next: "SELECT corp_id, customer_id, social_security FROM customers WHERE social_security_key = $1 \
           AND (corp_id, customer_id) > ($2, $3) ORDER BY corp_id, customer_id LIMIT $4",
    update: "UPDATE customers SET social_security = $1, social_security_key = $2 \
             WHERE corp_id = $3 AND customer_id = $4 AND social_security = $5",
};
const TRASH: Numbers = Numbers {
    next: "SELECT corp_id, record_id, social_security FROM trash WHERE social_security_key = $1 \
           AND (corp_id, record_id) > ($2, $3) ORDER BY corp_id, record_id LIMIT $4",
    update: "UPDATE trash SET social_security = $1, social_security_key = $2 \
             WHERE corp_id = $3 AND record_id = $4 AND social_security = $5",
};

/// Re-encrypts the social security numbers that are encrypted with the key `old`, in customers and in the trash.
async fn reencrypt_all(db: &Db, keys: &DataKeys, old: &str) -> db::Result<Pass> {
    let mut pass = Pass::default();
    for numbers in [CUSTOMERS, TRASH] {
        let (mut corp, mut customer) = (Uuid::nil(), Uuid::nil());
        loop {
            let rows = db.sql(numbers.next).bind_all((old.to_owned(), corp, customer, BATCH));
            let rows: Vec<EncryptedNumber> = rows.all().await?;
            let Some((last_corp, last_customer, _)) = rows.last() else { break };
            (corp, customer) = (*last_corp, *last_customer);
            // One tenant at a time: the update locks its list before its rows, as every writer does.
            for rows in rows.chunk_by(|(a, ..), (b, ..)| a == b) {
                reencrypt_batch(&db.for_tenant(rows[0].0), keys, &numbers, rows, &mut pass).await?;
            }
        }
    }
    Ok(pass)
}

async fn reencrypt_batch(
    db: &Db,
    keys: &DataKeys,
    numbers: &Numbers,
    rows: &[EncryptedNumber],
    pass: &mut Pass,
) -> db::Result<()> {
    let mut tx = db.begin().await?;
    for (corp, customer, encrypted) in rows {
        let (corp, customer) = (*corp, *customer);
        let Some(number) = keys.decrypt(corp, customer, encrypted) else {
            pass.undecryptable += 1;
            continue;
        };
        let new = keys.encrypt(corp, customer, &number)?;
        // Only if the row is unchanged, because a number written since is newer. The customer's version stays, so that
        // open forms get no version conflict.
        let update = tx.sql(numbers.update).bind_all((new.bytes, new.key, corp, customer, encrypted.clone()));
        pass.reencrypted += update.exec().await?;
    }
    tx.commit().await
}
