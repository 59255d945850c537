//! Corporations in the database, across tenants. The list requires the proof that the caller may read corporations.

use crate::access::scope::{Corporations, May, Read, Scope};
use crate::features::listing::{page_in_memory, push_page};
use crate::features::roles;
use crate::platform::db::{Db, Result, Tx};
use forecourt_core::corporations::{ContactPerson, Corporation};
use forecourt_core::lists::Arrangement;
use forecourt_core::paging::Page;
use forecourt_core::permissions::{UserType, modules};
use forecourt_core::text::fold;
use forecourt_core::users::full_name;
use uuid::Uuid;

/// Each corporation with its company record, if any, and its first Admin.
const ROWS: &str = "SELECT c.corp_id, c.name, c.active, c.country, c.awaits_approval, c.is_platform, c.version, \
     coalesce(o.organization_number, '') AS organization_number, coalesce(o.street_address, '') AS street_address, \
     coalesce(o.registered_city, '') AS registered_city, coalesce(o.postal_code, '') AS postal_code, \
     coalesce(o.city, '') AS city, coalesce(o.company_email, '') AS company_email, \
     coalesce(o.company_phone, '') AS company_phone, coalesce(u.first_name, '') AS first_name, \
     coalesce(u.last_name, '') AS last_name, coalesce(u.email, '') AS email \
     FROM corporations c LEFT JOIN organizations o ON o.corp_id = c.corp_id \
     LEFT JOIN users u ON u.corp_id = c.corp_id AND u.user_id = (SELECT a.user_id FROM users a \
     WHERE a.corp_id = c.corp_id AND a.user_type IN ('Admin', 'Super Admin') ORDER BY a.user_id LIMIT 1)";

#[derive(sqlx_macros::FromRow)]
struct CorporationRow {
    corp_id: Uuid,
    name: String,
    active: bool,
    country: String,
    awaits_approval: bool,
    is_platform: bool,
    version: i64,
    organization_number: String,
    street_address: String,
    registered_city: String,
    postal_code: String,
    city: String,
    company_email: String,
    company_phone: String,
    first_name: String,
    last_name: String,
    email: String,
}

impl CorporationRow {
    /// Returns whether a searchable column contains this folded text.
    fn matches(&self, folded: &str) -> bool {
        let contact = full_name(&self.first_name, &self.last_name);
        [&self.name, &self.organization_number, &self.city, &self.company_email, &contact, &self.email]
            .iter()
            .any(|text| fold(text).contains(folded))
    }

    fn with_resources(self, allowed: &[(Uuid, String)]) -> Corporation {
        let has = |id: &str| allowed.iter().any(|(corp, resource)| *corp == self.corp_id && resource == id);
        // The database may also have resources that belong to every corporation.
        let resources = || modules().filter(|entry| has(entry.resource_id()));
        Corporation {
            corp_id: self.corp_id.to_string(),
            corp_active: self.active,
            allowed_resources: resources().map(|entry| entry.resource_id().to_owned()).collect(),
            allowed_resources_names: resources().map(|entry| entry.title.to_owned()).collect(),
            corp_name: self.name,
            organization_number: self.organization_number,
            street_address: self.street_address,
            registered_city: self.registered_city,
            postal_code: self.postal_code,
            city: self.city,
            country: self.country,
            company_email: self.company_email,
            company_phone: self.company_phone,
            corp_contact_name: full_name(&self.first_name, &self.last_name),
            corp_contact_email: self.email,
            awaits_approval: self.awaits_approval,
            is_platform: self.is_platform,
            version: self.version,
        }
    }
}

/// Returns a page of corporations, newest first unless the arrangement has a sort order, and the total number on all
/// pages.
///
/// A search and an arrangement read all corporations, of which there are few, and compare them with core's case
/// folding, which neither database supports.
pub async fn list(
    db: &Db,
    may: &May<Read, Corporations>,
    page: Page,
    search: Option<&str>,
    arrangement: &Arrangement,
) -> Result<(Vec<Corporation>, u64)> {
    if search.is_none() && arrangement.is_empty() {
        let select = db.sql(ROWS).push(" ORDER BY c.corp_id DESC");
        let count = db.sql("SELECT count(*) FROM corporations").value::<i64>();
        let (rows, total) = tokio::try_join!(push_page(select, page).all(), count)?;
        return Ok((with_resources(db, rows).await?, total.unsigned_abs()));
    }
    Ok(page_in_memory(list_all(db, may, search, arrangement).await?, page))
}

/// Returns all corporations that a request lists, in its order.
pub async fn list_all(
    db: &Db,
    _: &May<Read, Corporations>,
    search: Option<&str>,
    arrangement: &Arrangement,
) -> Result<Vec<Corporation>> {
    let mut rows: Vec<CorporationRow> = db.sql(ROWS).push(" ORDER BY c.corp_id DESC").all().await?;
    if let Some(folded) = search.map(fold) {
        rows.retain(|row| row.matches(&folded));
    }
    let mut corporations = with_resources(db, rows).await?;
    arrangement.apply(&mut corporations);
    Ok(corporations)
}

/// Returns the scope's corporation, or [`sqlx::Error::RowNotFound`].
pub async fn get(scope: &Scope) -> Result<Corporation> {
    let rows: Vec<CorporationRow> = scope.db().sql(ROWS).push_arg(" WHERE c.corp_id = ", scope.corp()).all().await?;
    with_resources(scope.db(), rows).await?.pop().ok_or(sqlx::Error::RowNotFound)
}

/// Returns the scope's corporation as a transaction sees it.
pub async fn find(tx: &mut Tx, scope: &Scope) -> Result<Option<Corporation>> {
    let row: Option<CorporationRow> = tx.sql(ROWS).push_arg(" WHERE c.corp_id = ", scope.corp()).maybe().await?;
    let allowed = roles::resources(tx, scope).await?;
    let allowed: Vec<_> = allowed.into_iter().map(|id| (scope.corp(), id)).collect();
    Ok(row.map(|row| row.with_resources(&allowed)))
}

/// Adds the allowed resources to the rows.
async fn with_resources(db: &Db, rows: Vec<CorporationRow>) -> Result<Vec<Corporation>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = db.sql("SELECT corp_id, resource_id FROM corporation_resources WHERE corp_id IN (");
    let sql = sql.joined(",", &rows, |sql, row| sql.arg(row.corp_id)).push(")");
    let allowed: Vec<(Uuid, String)> = sql.all().await?;
    Ok(rows.into_iter().map(|row| row.with_resources(&allowed)).collect())
}

/// Adds allowed resources to a corporation that has none.
pub async fn insert_resources(tx: &mut Tx, corp: Uuid, resources: &[&'static str]) -> Result<()> {
    if resources.is_empty() {
        return Ok(());
    }
    let sql = tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ");
    sql.tuples(resources, |sql, resource| sql.arg(corp).comma(*resource)).exec().await.map(|_| ())
}

/// Returns the first administrator of the scope's corporation who is active and not banned, as a contact.
pub async fn first_admin(scope: &Scope) -> Result<Option<ContactPerson>> {
    let row: Option<(String, String, String)> = scope
        .db()
        .sql(
            "SELECT first_name, last_name, email FROM users WHERE corp_id = $1 AND user_type IN ('Admin', 'Super Admin') \
             AND is_active AND banned_at IS NULL ORDER BY user_id LIMIT 1",
        )
        .bind(scope.corp())
        .maybe()
        .await?;
    Ok(row.map(|(first, last, email)| ContactPerson { name: full_name(&first, &last), email }))
}

/// Returns the platform's contact, from the one company record that all tenants may read.
pub async fn platform_contact(db: &Db) -> Result<Option<ContactPerson>> {
    let row: Option<(String, String)> = db
        .sql(
            "SELECT c.name, coalesce(o.company_email, '') FROM corporations c \
             LEFT JOIN organizations o ON o.corp_id = c.corp_id WHERE c.is_platform",
        )
        .maybe()
        .await?;
    Ok(row.map(|(name, email)| ContactPerson { name, email }))
}

/// Returns the type of a user of any tenant, and the allowed resources of their corporation.
pub async fn corporation_resources_of_user(db: &Db, user: Uuid) -> Result<Option<(UserType, Vec<String>)>> {
    let rows: Vec<(String, Option<String>)> = db
        .sql(
            "SELECT u.user_type, r.resource_id FROM users u \
             LEFT JOIN corporation_resources r ON r.corp_id = u.corp_id WHERE u.user_id = $1",
        )
        .bind(user)
        .all()
        .await?;
    let user_type = rows.first().and_then(|(user_type, _)| UserType::parse(user_type));
    let allowed = rows.into_iter().filter_map(|(_, id)| id).collect();
    Ok(user_type.map(|user_type| (user_type, allowed)))
}
