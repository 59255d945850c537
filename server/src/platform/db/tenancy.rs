//! Row-level security on PostgreSQL, which separates tenants (docs/decisions/0007-row-level-security.md). Every
//! statement sets whose rows it may see, or sees none, and every start checks that no table of tenants' rows, except the
//! search tables, lacks the protection. SQLite has no such feature.

use super::{Db, Result};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgArguments, PgTypeInfo};
use sqlx::{Arguments, Encode, Postgres, Type};
use uuid::Uuid;

/// The tenants whose rows a PostgreSQL handle can see (see [`Db::for_tenant`]).
#[derive(Clone, Copy)]
pub enum Tenants {
    /// No rows of any tenant.
    Unset,
    All,
    One(Uuid),
}

impl Tenants {
    /// Returns the id of the tenant if only one tenant's rows can be seen.
    pub(super) fn one(self) -> Option<Uuid> {
        match self {
            Tenants::One(corp) => Some(corp),
            Tenants::Unset | Tenants::All => None,
        }
    }

    /// Adds the tenants as the last of a statement's values; the statement's text does not use it. The value's type is
    /// a domain whose constraint calls `set_config`. PostgreSQL evaluates the constraint before it runs the statement,
    /// which makes the tenants' rows visible until the transaction ends.
    pub(super) fn bind_to(self, args: &mut PgArguments) {
        if let Tenants::All | Tenants::One(_) = self
            && let Err(error) = args.add(self)
        {
            tracing::error!(%error, "the tenant could not be bound");
        }
    }
}

impl Type<Postgres> for Tenants {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("forecourt_tenant")
    }
}

impl Encode<'_, Postgres> for Tenants {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> std::result::Result<IsNull, BoxDynError> {
        match self {
            Tenants::Unset => return Ok(IsNull::Yes),
            Tenants::All => buffer.extend_from_slice(b"all"),
            Tenants::One(corp) => buffer.extend_from_slice(corp.hyphenated().encode_lower(&mut [0; 36]).as_bytes()),
        }
        Ok(IsNull::No)
    }
}

/// Returns an error message if the database user is exempt from row-level security; `None` if not, and on SQLite.
pub async fn exempt_user_error(db: &Db) -> Result<Option<String>> {
    let Db::Postgres(..) = db else { return Ok(None) };
    let (user, bypasses): (String, bool) = db
        .catalog()
        .sql(
            "SELECT CAST(rolname AS TEXT), rolsuper OR rolbypassrls FROM pg_catalog.pg_roles \
             WHERE rolname = current_user",
        )
        .one()
        .await?;
    Ok(bypasses.then(|| {
        format!(
            "its user {user} is a superuser or bypasses row-level security, which separates tenants: create a user that \
             is neither, and make it the owner of the database (FORECOURT_DATABASE_URL)"
        )
    }))
}

/// Returns an error message that names a table with tenant data that lacks forced row-level security; `None` if there
/// is no such table, and on SQLite. `search_tables` are exempt: only row positions and counts are read from them.
pub async fn unprotected_table_error(
    db: &Db,
    search_tables: impl Iterator<Item = &'static str>,
) -> Result<Option<String>> {
    let Db::Postgres(..) = db else { return Ok(None) };
    let exempt: Vec<_> = search_tables.collect();
    let unprotected: Vec<String> = db
        .catalog()
        .sql(
            "SELECT CAST(t.relname AS TEXT) FROM pg_catalog.pg_class t JOIN pg_catalog.pg_attribute c \
             ON c.attrelid = t.oid AND c.attname = 'corp_id' AND NOT c.attisdropped \
             WHERE t.relkind IN ('r', 'p') AND pg_catalog.pg_table_is_visible(t.oid) \
             AND NOT (t.relrowsecurity AND t.relforcerowsecurity) ORDER BY t.relname",
        )
        .values()
        .await?;
    Ok(unprotected
        .into_iter()
        .find(|table| !exempt.contains(&table.as_str()))
        .map(|table| format!("its table {table} lacks the forced row-level security that separates tenants")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::test_database;
    use crate::platform::db::test_databases::create_migrated;

    const COUNT: &str = "SELECT count(*) FROM corporations";

    #[tokio::test]
    async fn a_reused_connection_shows_no_rows_of_another_tenant() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&create_migrated(folder.path(), |_| Vec::new()).await, 1).await.unwrap();
        let Db::Postgres(..) = db else { return };
        let corp = Uuid::now_v7();
        let insert = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        let (own, other) = (db.for_tenant(corp), db.for_tenant(Uuid::now_v7()));
        own.sql(insert).bind(corp).exec().await.unwrap();
        assert!(other.sql(insert).bind(Uuid::now_v7()).exec().await.is_err(), "a row of a third tenant");
        for _ in 0..3 {
            let none = db.catalog();
            // The last text differs from `COUNT`, because a prepared statement always has the same number of values,
            // and only `none` does not add the tenants.
            let seen =
                [own.sql(COUNT), other.sql(COUNT), db.sql(COUNT), none.sql("SELECT count(*) FROM ONLY corporations")];
            let mut counts = Vec::new();
            for sql in seen {
                counts.push(sql.value::<i64>().await.unwrap());
            }
            assert_eq!(counts, [1, 0, 1, 0]);
            let mut tx = own.begin().await.unwrap();
            assert_eq!(tx.sql(COUNT).value::<i64>().await.unwrap(), 1);
            tx.commit().await.unwrap();
        }
        db.close().await;
    }

    #[tokio::test]
    async fn a_dropped_transaction_or_statement_leaves_a_usable_connection() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let insert = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        for _ in 0..4 {
            let mut tx = db.begin().await.unwrap();
            tx.sql(insert).bind(Uuid::now_v7()).exec().await.unwrap();
            drop(tx);
            let sleep = db.sql(db.pick("SELECT 1", "SELECT 1 FROM pg_sleep(0.1)")).exists();
            let _ = tokio::time::timeout(std::time::Duration::from_millis(10), sleep).await;
            assert!(db.sql("SELECT nothing").exists().await.is_err());
            assert_eq!(db.sql(COUNT).value::<i64>().await.unwrap(), 0);
        }
        db.close().await;
    }
}
