//! Fills the columns of folded texts (without case and accents, for comparisons) in rows that were written before these
//! columns existed. Every later write fills them itself.

use crate::platform::db::{Db, Result};
use forecourt_core::text::fold;
use sqlx::{ColumnIndex, Decode, FromRow, Type};
use uuid::Uuid;

/// Rows per statement. SQLite binds at most 32,766 values.
const BATCH: i64 = 2_000;

/// The statements for a table: `unfilled` selects the ids and texts of rows to fill; `update` and `condition` are the
/// parts of the UPDATE before and after its values.
struct Table {
    unfilled: &'static str,
    update: &'static str,
    condition: &'static str,
}

const CONTACTS: Table = Table {
    unfilled: "SELECT corp_id, contact_id, name, email, phone, website, address, import_source FROM contacts WHERE name_key IS NULL LIMIT ",
    update: "UPDATE contacts SET name_key = column3, email_key = column4, phone_key = column5, website_key = column6, address_key = column7, import_source_key = column8 FROM (VALUES ",
    condition: ") AS folded WHERE corp_id = column1 AND contact_id = column2 AND name_key IS NULL",
};
const CUSTOMERS: Table = Table {
    unfilled: "SELECT corp_id, customer_id, name, email, telephone, address, postal_code, location, role, organization_number, company_name, warranty, warranty_period FROM customers WHERE name_key IS NULL LIMIT ",
    update: "UPDATE customers SET name_key = column3, email_key = column4, telephone_folded = column5, address_key = column6, postal_code_key = column7, location_key = column8, role_key = column9, organization_number_key = column10, company_name_key = column11, warranty_key = column12, warranty_period_key = column13 FROM (VALUES ",
    condition: ") AS folded WHERE corp_id = column1 AND customer_id = column2 AND name_key IS NULL",
};
const INVOICES: Table = Table {
    unfilled: "SELECT corp_id, invoice_id, customer, website, email, customer_requirements FROM invoices WHERE customer_key IS NULL LIMIT ",
    update: "UPDATE invoices SET customer_key = column3, website_key = column4, email_key = column5, customer_requirements_key = column6 FROM (VALUES ",
    condition: ") AS folded WHERE corp_id = column1 AND invoice_id = column2 AND customer_key IS NULL",
};

/// The ids and texts of a row.
struct Unfilled {
    corp: Uuid,
    id: Uuid,
    texts: Vec<Option<String>>,
}

impl<'r, R: sqlx::Row> FromRow<'r, R> for Unfilled
where
    usize: ColumnIndex<R>,
    Uuid: Decode<'r, R::Database> + Type<R::Database>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Self> {
        let texts = (2..row.len()).map(|column| row.try_get(column)).collect::<Result<_>>()?;
        Ok(Unfilled { corp: row.try_get(0)?, id: row.try_get(1)?, texts })
    }
}

/// Fills these columns in the rows of all tenants. If it is interrupted, the next call continues.
pub async fn fill(db: &Db) -> Result<()> {
    let db = db.all_tenants();
    for table in [&CONTACTS, &CUSTOMERS, &INVOICES] {
        let mut filled = 0;
        loop {
            let rows: Vec<Unfilled> = db.sql(table.unfilled).arg(BATCH).all().await?;
            if rows.is_empty() {
                break;
            }
            filled += rows.len();
            let update = db.sql(table.update).tuples(rows, |sql, row| {
                let sql = sql.arg(row.corp).comma(row.id);
                row.texts.into_iter().fold(sql, |sql, text| sql.comma(text.map(|text| fold(&text))))
            });
            update.push(table.condition).exec().await?;
        }
        if filled > 0 {
            tracing::info!(rows = filled, "filled the keys of existing rows");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::test_rows::{Row, corporation, insertion};
    use super::*;
    use crate::features::listing;
    use crate::features::listing::definitions::test_database;

    /// Counts the rows whose key is their folded text, and all rows.
    const FILLED: [&str; 3] = [
        "SELECT count(CASE WHEN name_key = 'asa' AND address_key = '' AND import_source_key IS NULL THEN 1 END), count(*) \
         FROM contacts",
        "SELECT count(CASE WHEN name_key = 'asa' AND warranty_period_key = '' THEN 1 END), count(*) FROM customers",
        "SELECT count(CASE WHEN customer_key = 'asa' AND customer_requirements_key = '' THEN 1 END), count(*) FROM invoices",
    ];

    #[tokio::test]
    async fn fills_the_folded_texts_of_all_tenants_in_batches() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        for count in [1_100, 1_000] {
            let scope = corporation(&db).await;
            for listing in [&listing::CONTACTS, &listing::CUSTOMERS, &listing::INVOICES] {
                let rows = |count| (0..count).map(|_| Row::new("Åsa".into())).collect();
                insertion(scope.db().sql(""), &scope, listing, None, rows(count)).exec().await.unwrap();
                let unfill = scope.db().sql("UPDATE ").push(listing.table).push(" SET ").push(listing.search_keys[0]);
                unfill.push_arg(" = NULL WHERE corp_id = ", scope.corp()).exec().await.unwrap();
            }
        }
        for _ in 0..2 {
            fill(&db).await.unwrap();
            for filled in FILLED {
                assert_eq!(db.all_tenants().sql(filled).one::<(i64, i64)>().await.unwrap(), (2_100, 2_100));
            }
        }
        db.close().await;
    }
}
