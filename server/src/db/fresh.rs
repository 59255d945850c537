//! A database for one test.

use super::Db;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

/// An empty database of its own: in the cluster that `FORECOURT_TEST_POSTGRES_URL` names if it does, else SQLite in the
/// folder.
pub(crate) async fn fresh(folder: &std::path::Path) -> Db {
    use sqlx::Connection;
    #[expect(clippy::disallowed_methods, reason = "a test chooses its database by the environment")]
    let cluster = std::env::var("FORECOURT_TEST_POSTGRES_URL");
    let url = match cluster {
        Ok(cluster) => {
            let mut url = url::Url::parse(&cluster).unwrap();
            let name = format!("test_{}", Uuid::now_v7().simple());
            let mut connection = sqlx::PgConnection::connect(url.as_str()).await.unwrap();
            sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut connection).await.unwrap();
            url.set_path(&name);
            url.to_string()
        }
        Err(_) => format!("sqlite:{}", folder.join("test.sqlite3").display()),
    };
    let db = Db::open(&url, 2).await.unwrap();
    db.migrate().await.unwrap();
    db
}
