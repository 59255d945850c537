//! What keeps corporations apart on PostgreSQL (docs/decisions/0007-row-level-security.md): said with every statement, and
//! looked at at every start. SQLite has nothing of the kind.

use super::{Db, Result};
use sqlx::PgConnection;
use uuid::Uuid;

/// Whose rows a handle to PostgreSQL shows (see [`Db::within`]).
#[derive(Clone, Copy)]
pub enum Tenants {
    All,
    One(Uuid),
}

impl Tenants {
    /// The tenant, if it is one alone.
    pub(super) fn one(self) -> Option<Uuid> {
        match self {
            Tenants::All => None,
            Tenants::One(corp) => Some(corp),
        }
    }

    /// The value of the setting that the policies of the tables read.
    pub(super) fn setting(self) -> String {
        self.one().map_or_else(|| "all".to_owned(), |corp| corp.to_string())
    }

    /// Tells the database, for this transaction or until it is told otherwise. Whoever takes a connection says it anew:
    /// what the one before has said never holds for the next.
    pub(super) async fn show(self, connection: &mut PgConnection, is_transaction: bool) -> Result<()> {
        let sql = sqlx::query("SELECT set_config('forecourt.corp', $1, $2)");
        sql.bind(self.setting()).bind(is_transaction).execute(connection).await?;
        Ok(())
    }
}
/// What is wrong with the database's user, for whom row level security must hold.
pub async fn unfit_user(db: &Db) -> Result<Option<String>> {
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
            "its user {user} is a superuser or bypasses row level security, which keeps corporations apart: make a user \
             that is neither, to own the database (FORECOURT_DATABASE_URL)"
        )
    }))
}

/// What is wrong with a table that belongs to corporations. What searches look through may lie open: only the place
/// of a row leaves it, and how many there are.
pub async fn open_table(db: &Db) -> Result<Option<String>> {
    let Db::Postgres(..) = db else { return Ok(None) };
    let open: Option<(String,)> = db
        .sql(
            "SELECT CAST(t.relname AS TEXT) FROM pg_catalog.pg_class t JOIN pg_catalog.pg_attribute c \
             ON c.attrelid = t.oid AND c.attname = 'corp_id' AND NOT c.attisdropped \
             WHERE t.relkind IN ('r', 'p') AND pg_catalog.pg_table_is_visible(t.oid) \
             AND t.relname NOT IN ('contacts_search', 'customers_search', 'invoices_search') \
             AND NOT (t.relrowsecurity AND t.relforcerowsecurity) ORDER BY t.relname LIMIT 1",
        )
        .maybe()
        .await?;
    Ok(open
        .map(|(table,)| format!("its table {table} lacks the forced row level security that keeps corporations apart")))
}
