//! The organizations of this platform's corporations, across tenants. [`find`] requires the proof that the caller may
//! read corporations.

use crate::access::scope::{Corporations, May, Read};
use crate::platform::db::{Db, Result, Tx};
use forecourt_core::organizations::{Organization, normalize_number};
use uuid::Uuid;

#[derive(sqlx_macros::FromRow)]
pub(super) struct OrganizationRow {
    organization_number: String,
    corp_name: String,
    street_address: String,
    registered_city: String,
    postal_code: String,
    city: String,
    company_email: String,
    company_phone: String,
}

impl From<OrganizationRow> for Organization {
    fn from(row: OrganizationRow) -> Self {
        Organization {
            organization_number: row.organization_number,
            corp_name: row.corp_name,
            street_address: row.street_address,
            registered_city: row.registered_city,
            postal_code: row.postal_code,
            city: row.city,
            company_email: row.company_email,
            company_phone: row.company_phone,
        }
    }
}

/// Returns the organization with this normalized number; the oldest if several have registered with it.
pub(super) async fn find(db: &Db, _: &May<Read, Corporations>, key: &str) -> Result<Option<Organization>> {
    let row: Option<OrganizationRow> = db
        .sql(
            "SELECT o.organization_number, c.name AS corp_name, o.street_address, o.registered_city, o.postal_code, \
             o.city, o.company_email, o.company_phone \
             FROM organizations o JOIN corporations c ON c.corp_id = o.corp_id \
             WHERE o.number_key = $1 ORDER BY o.corp_id LIMIT 1",
        )
        .bind(key.to_owned())
        .maybe()
        .await?;
    Ok(row.map(Organization::from))
}

/// Returns whether a corporation other than `corp` has this number. The caller must have locked the corporation of the
/// platform, as everything that assigns a number does, so that no other transaction assigns it meanwhile.
pub(crate) async fn is_number_taken(tx: &mut Tx, number: &str, corp: Option<Uuid>) -> Result<bool> {
    tx.sql("SELECT corp_id FROM organizations WHERE number_key = $1 AND corp_id <> $2 LIMIT 1")
        .bind_all((normalize_number(number), corp.unwrap_or_default()))
        .exists()
        .await
}
