//! Row level security on PostgreSQL, which separates tenants (docs/decisions/0007-row-level-security.md): set for every
//! statement, and checked at every start. SQLite has no such feature.

use super::{Db, Result};
use sqlx::PgConnection;
use uuid::Uuid;

/// The tenants whose rows a PostgreSQL handle can see (see [`Db::within`]).
#[derive(Clone, Copy)]
pub enum Tenants {
    All,
    One(Uuid),
}

impl Tenants {
    /// Returns the tenant, if it is only one.
    pub(super) fn one(self) -> Option<Uuid> {
        match self {
            Tenants::All => None,
            Tenants::One(corp) => Some(corp),
        }
    }

    /// Returns the value of the setting that the tables' policies read.
    pub(super) fn setting(self) -> String {
        self.one().map_or_else(|| "all".to_owned(), |corp| corp.to_string())
    }

    /// Sets the visible tenants for this transaction, or for the connection. Every use of a connection sets them again,
    /// because the previous value belongs to another request.
    pub(super) async fn set_visible(self, connection: &mut PgConnection, is_transaction: bool) -> Result<()> {
        let sql = sqlx::query("SELECT set_config('forecourt.corp', $1, $2)");
        sql.bind(self.setting()).bind(is_transaction).execute(connection).await?;
        Ok(())
    }
}

/// Returns an error message if the database user is exempt from row level security.
pub async fn find_exempt_user(db: &Db) -> Result<Option<String>> {
    let Db::Postgres(..) = db else { return Ok(None) };
    let (user, bypasses): (String, bool) = db
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

/// Returns an error message if a table with tenant data lacks forced row level security. The search tables are exempt:
/// only row positions and counts are read from them.
pub async fn find_unprotected_table(db: &Db) -> Result<Option<String>> {
    let Db::Postgres(..) = db else { return Ok(None) };
    let unprotected: Option<(String,)> = db
        .sql(
            "SELECT CAST(t.relname AS TEXT) FROM pg_catalog.pg_class t JOIN pg_catalog.pg_attribute c \
             ON c.attrelid = t.oid AND c.attname = 'corp_id' AND NOT c.attisdropped \
             WHERE t.relkind IN ('r', 'p') AND pg_catalog.pg_table_is_visible(t.oid) \
             AND t.relname NOT IN ('contacts_search', 'customers_search', 'invoices_search') \
             AND NOT (t.relrowsecurity AND t.relforcerowsecurity) ORDER BY t.relname LIMIT 1",
        )
        .maybe()
        .await?;
    Ok(unprotected
        .map(|(table,)| format!("its table {table} lacks the forced row-level security that separates tenants")))
}
