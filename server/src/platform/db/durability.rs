//! Checks whether the database's settings make acknowledged writes durable, even if the machine crashes.

use super::{Db, Result};

/// A setting of the database because of which data may be lost if the machine crashes.
#[derive(Debug, PartialEq, Eq)]
pub struct Risk {
    /// Whether acknowledged writes or the whole database may be lost. The program then starts only with the setting
    /// `FORECOURT_DATABASE_UNSAFE`.
    pub is_severe: bool,
    pub reason: &'static str,
}

/// Returns the risks of the database's current settings. `open.rs` has set those that a connection can choose for
/// itself.
pub async fn risks(db: &Db) -> Result<Vec<Risk>> {
    let severe = |reason| Risk { is_severe: true, reason };
    let minor = |reason| Risk { is_severe: false, reason };
    let mut risks = Vec::new();
    match db {
        Db::Sqlite { write, .. } => {
            let (journal,): (String,) = sqlx::query_as("PRAGMA journal_mode").fetch_one(write).await?;
            let (synchronous,): (i64,) = sqlx::query_as("PRAGMA synchronous").fetch_one(write).await?;
            if synchronous < 2 {
                risks.push(severe("SQLite does not wait for the disk (synchronous is less than FULL)"));
            }
            if journal != "wal" {
                risks.push(minor("SQLite can't use a write-ahead log here: is the folder on a network file system?"));
            }
        }
        Db::Postgres(..) => {
            let settings = "SELECT current_setting('fsync'), current_setting('full_page_writes'), \
                            current_setting('synchronous_commit')";
            let (fsync, pages, commit): (String, String, String) = db.catalog().sql(settings).one().await?;
            if fsync == "off" {
                risks.push(severe("PostgreSQL runs with fsync=off: a power failure may destroy the database"));
            }
            if pages == "off" {
                risks.push(minor("PostgreSQL runs with full_page_writes=off: a power failure may corrupt a page"));
            }
            if commit == "off" {
                risks.push(severe("PostgreSQL runs with synchronous_commit=off: a crash loses acknowledged writes"));
            }
        }
    }
    Ok(risks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::test_database;

    #[tokio::test]
    async fn a_connection_turns_synchronous_commit_on() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let found = risks(&db).await.unwrap();
        // The PostgreSQL cluster for tests has synchronous_commit=off, but the connection turns it on.
        assert!(!found.iter().any(|risk| risk.reason.contains("synchronous")), "{found:?}");
    }

    #[tokio::test]
    async fn reports_sqlite_with_synchronous_normal_as_a_severe_risk() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let Db::Sqlite { write, .. } = &db else { return };
        sqlx::raw_sql("PRAGMA synchronous = NORMAL").execute(write).await.unwrap();
        assert!(risks(&db).await.unwrap().iter().any(|risk| risk.is_severe));
    }
}
