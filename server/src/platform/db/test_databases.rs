//! Creates a database for each test. Creating the schema takes longer than most tests, so a test process creates it
//! once and then copies it. (The HTTP tests include this file too.)

use super::Db;
use super::schema::Definition;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::path::Path;
use tokio::sync::OnceCell;
use uuid::Uuid;

/// Returns the URL of the PostgreSQL cluster for test databases from the environment; `None` if tests run on SQLite.
pub(crate) fn cluster_url() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a test chooses its database by the environment")]
    std::env::var("FORECOURT_TEST_POSTGRES_URL").ok()
}

/// Creates a database in the cluster as a copy of another, and returns its URL.
pub(crate) async fn copy_database(cluster: &str, template: &str) -> String {
    let name = format!("test_{}", Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(cluster).await.unwrap();
    // This strategy needs a third of the time of the default one, which writes every page to the write-ahead log.
    let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
    sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut connection).await.unwrap();
    let mut url = url::Url::parse(cluster).unwrap();
    url.set_path(&name);
    url.to_string()
}

/// Creates a database with the migrations and these definitions, without rows except the resources: in the cluster if
/// there is one, else as the SQLite file that the program uses in its data folder. Returns its URL. The definitions must
/// be the same in each call of a process.
pub(crate) async fn create_migrated(folder: &Path, definitions: fn(&Db) -> Vec<Definition>) -> String {
    static POSTGRES: OnceCell<String> = OnceCell::const_new();
    static SQLITE: OnceCell<Vec<u8>> = OnceCell::const_new();
    if let Some(cluster) = cluster_url() {
        let template = POSTGRES.get_or_init(|| async {
            let url = copy_database(&cluster, "template1").await;
            let db = Db::open(&url, 1).await.unwrap();
            db.migrate(&definitions(&db)).await.unwrap();
            db.close().await;
            url.rsplit('/').next().unwrap().to_owned()
        });
        return copy_database(&cluster, template.await).await;
    }
    let template = SQLITE.get_or_init(|| async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("template.sqlite3");
        let db = Db::open(&format!("sqlite:{}", file.display()), 1).await.unwrap();
        db.migrate(&definitions(&db)).await.unwrap();
        // Read while it is open: closing it would store statistics, which a new database doesn't have.
        if let Db::Sqlite { write, .. } = &db {
            sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(write).await.unwrap();
        }
        let template = std::fs::read(file).unwrap();
        db.close().await;
        template
    });
    let file = folder.join("forecourt.sqlite3");
    std::fs::write(&file, template.await).unwrap();
    format!("sqlite:{}", file.display())
}
