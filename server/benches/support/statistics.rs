//! Updates the statistics by which a database plans its queries.

use sqlx::{Connection, PgConnection, SqliteConnection};

/// Updates the statistics of a database, on a connection of its own: the program's have a timeout, which a large
/// database exceeds.
pub async fn update(url: &str) {
    let updated = if url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(url).await.expect("the database opens");
        sqlx::raw_sql("ANALYZE").execute(&mut connection).await.map(drop)
    } else {
        let mut connection = PgConnection::connect(url).await.expect("the database answers");
        sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await.map(drop)
    };
    updated.expect("statistics are updated");
}
