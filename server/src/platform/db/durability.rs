//! Checks whether the database's settings make acknowledged writes durable, even if the machine crashes.

use super::{Db, Result};

/// What may be lost, and because of which setting.
#[derive(Debug, PartialEq, Eq)]
pub struct Risk {
    /// Whether the whole database may be lost, not only the last writes. The program then starts only if a setting
    /// allows it.
    pub is_grave: bool,
    pub reason: &'static str,
}

/// Returns the risks of the database's settings. Settings that a connection can choose are set in `open.rs`.
pub async fn risks(db: &Db) -> Result<Vec<Risk>> {
    let grave = |reason| Risk { is_grave: true, reason };
    let slight = |reason| Risk { is_grave: false, reason };
    let mut risks = Vec::new();
    match db {
        Db::Sqlite { write, .. } => {
            let (journal,): (String,) = sqlx::query_as("PRAGMA journal_mode").fetch_one(write).await?;
            let (synchronous,): (i64,) = sqlx::query_as("PRAGMA synchronous").fetch_one(write).await?;
            if synchronous < 2 {
                risks.push(grave("SQLite does not wait for the disk (synchronous is less than FULL)"));
            }
            if journal != "wal" {
                risks.push(slight("SQLite can't keep a write-ahead log here: is the folder on a network's disk?"));
            }
        }
        Db::Postgres(..) => {
            let settings = "SELECT current_setting('fsync'), current_setting('full_page_writes'), \
                            current_setting('synchronous_commit')";
            let (fsync, pages, commit): (String, String, String) = db.sql(settings).one().await?;
            if fsync == "off" {
                risks.push(grave("PostgreSQL runs with fsync=off: a power cut may destroy the database"));
            }
            if pages == "off" {
                risks.push(slight("PostgreSQL runs with full_page_writes=off: a power cut may tear a page"));
            }
            if commit == "off" {
                risks.push(grave("PostgreSQL runs with synchronous_commit=off: a crash loses acknowledged writes"));
            }
        }
    }
    Ok(risks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::fresh;

    #[tokio::test]
    async fn a_connection_waits_for_the_disk_whatever_the_database_says() {
        let folder = tempfile::tempdir().unwrap();
        let db = fresh(folder.path()).await;
        let found = risks(&db).await.unwrap();
        // The test cluster has synchronous_commit=off, fsync=off and full_page_writes=off.
        assert!(!found.iter().any(|risk| risk.reason.contains("synchronous")), "{found:?}");
    }

    #[tokio::test]
    async fn a_log_that_does_not_wait_for_the_disk_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let db = fresh(folder.path()).await;
        let Db::Sqlite { write, .. } = &db else { return };
        sqlx::raw_sql("PRAGMA synchronous = NORMAL").execute(write).await.unwrap();
        assert!(risks(&db).await.unwrap().iter().any(|risk| risk.is_grave));
    }
}
