//! Corporations in the database, across tenants: only the witness that somebody administers the platform opens it.

use crate::clock::rfc3339;
use crate::db::{Db, Result, Sql};
use crate::scope::{Corporations, May, Read};
use forecourt_core::corporations::{Corporation, CorporationUser};
use forecourt_core::paging::Page;
use forecourt_core::permissions::{CATALOGUE, UserType};
use forecourt_core::problem::Ban;
use forecourt_core::text::fold;
use forecourt_core::users::UserRole;
use uuid::Uuid;

/// Each corporation with its company record, if there is one, and its first Admin.
const ROWS: &str = "SELECT c.corp_id, c.name, c.active, c.is_platform, c.version, \
     coalesce(o.organization_number, '') AS organization_number, coalesce(o.street_address, '') AS street_address, \
     coalesce(o.registered_city, '') AS registered_city, coalesce(o.postal_code, '') AS postal_code, \
     coalesce(o.city, '') AS city, coalesce(o.company_email, '') AS company_email, \
     coalesce(o.company_phone, '') AS company_phone, coalesce(u.first_name, '') AS first_name, \
     coalesce(u.last_name, '') AS last_name, coalesce(u.email, '') AS email \
     FROM corporations c LEFT JOIN organizations o ON o.corp_id = c.corp_id \
     LEFT JOIN users u ON u.corp_id = c.corp_id AND u.user_id = (SELECT a.user_id FROM users a \
     WHERE a.corp_id = c.corp_id AND a.user_type IN ('Admin', 'Super Admin') ORDER BY a.user_id LIMIT 1)";

#[derive(sqlx::FromRow)]
struct CorporationRow {
    corp_id: Uuid,
    name: String,
    active: bool,
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
    /// Does a column that one may look for hold this folded text?
    fn holds(&self, folded: &str) -> bool {
        let contact = full_name(&self.first_name, &self.last_name);
        [&self.name, &self.organization_number, &self.city, &self.company_email, &contact, &self.email]
            .iter()
            .any(|text| fold(text).contains(folded))
    }

    fn with_resources(self, allowed: &[(Uuid, String)]) -> Corporation {
        let has = |id: &str| allowed.iter().any(|(corp, resource)| *corp == self.corp_id && resource == id);
        let resources = || CATALOGUE.iter().filter(|entry| has(entry.resource_id));
        Corporation {
            corp_id: self.corp_id.to_string(),
            corp_active: self.active,
            allowed_resources: resources().map(|entry| entry.resource_id.to_owned()).collect(),
            allowed_resources_names: resources().map(|entry| entry.title.to_owned()).collect(),
            corp_name: self.name,
            organization_number: self.organization_number,
            street_address: self.street_address,
            registered_city: self.registered_city,
            postal_code: self.postal_code,
            city: self.city,
            company_email: self.company_email,
            company_phone: self.company_phone,
            corp_contact_name: full_name(&self.first_name, &self.last_name),
            corp_contact_email: self.email,
            is_platform: self.is_platform,
            version: self.version,
        }
    }
}

fn full_name(first: &str, last: &str) -> String {
    format!("{first} {last}").trim().to_owned()
}

/// A page of corporations, the newest first, and how many there are on all pages.
///
/// There are few of them, far fewer than anything that they own: a search reads them all and compares by core's own
/// folding, which neither database knows.
pub async fn list(
    db: &Db,
    _: &May<Read, Corporations>,
    page: Page,
    search: Option<&str>,
) -> Result<(Vec<Corporation>, u64)> {
    let rows = || db.sql(ROWS).push(" ORDER BY c.corp_id DESC");
    let (found, total) = match search {
        None => {
            let rows = rows().push(" LIMIT ").arg(i64::from(page.limit)).push(" OFFSET ").arg(page.offset());
            let count = db.sql("SELECT count(*) FROM corporations").one::<(i64,)>();
            let (rows, (total,)) = tokio::try_join!(rows.all::<CorporationRow>(), count)?;
            (rows, total.unsigned_abs())
        }
        Some(text) => {
            let folded = fold(text);
            let mut rows: Vec<CorporationRow> = rows().all().await?;
            rows.retain(|row| row.holds(&folded));
            let total = rows.len() as u64;
            let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
            (rows.into_iter().skip(before).take(page.limit as usize).collect(), total)
        }
    };
    Ok((with_resources(db, found).await?, total))
}

/// One corporation.
pub async fn get(db: &Db, _: &May<Read, Corporations>, id: Uuid) -> Result<Option<Corporation>> {
    let rows: Vec<CorporationRow> = db.sql(ROWS).push(" WHERE c.corp_id = ").arg(id).all().await?;
    Ok(with_resources(db, rows).await?.pop())
}

/// The same rows with what each corporation may use.
async fn with_resources(db: &Db, rows: Vec<CorporationRow>) -> Result<Vec<Corporation>> {
    let mut ids = rows.iter().map(|row| row.corp_id);
    let Some(first) = ids.next() else { return Ok(Vec::new()) };
    let sql = db.sql("SELECT corp_id, resource_id FROM corporation_resources WHERE corp_id IN (").arg(first);
    let allowed: Vec<(Uuid, String)> = ids.fold(sql, Sql::next).push(")").all().await?;
    Ok(rows.into_iter().map(|row| row.with_resources(&allowed)).collect())
}

#[derive(sqlx::FromRow)]
struct UserRow {
    user_id: Uuid,
    first_name: String,
    last_name: String,
    email: String,
    mobile: String,
    user_type: String,
    role_id: Option<Uuid>,
    role: Option<String>,
    is_active: bool,
    version: i64,
    banned_at: Option<i64>,
    ban_reason: Option<String>,
}

impl From<UserRow> for CorporationUser {
    fn from(row: UserRow) -> Self {
        CorporationUser {
            id: row.user_id.to_string(),
            first: row.first_name,
            last: row.last_name,
            email: row.email,
            mobile: row.mobile,
            // The table takes no other texts than those that are read here.
            user_type: UserType::parse(&row.user_type).unwrap_or(UserType::User),
            user_role: row.role_id.zip(row.role).map(|(id, name)| UserRole { role_id: id.to_string(), name }),
            is_active: row.is_active,
            version: row.version,
            ban: row.banned_at.map(|at| Ban {
                is_banned: true,
                reason: row.ban_reason.unwrap_or_default(),
                banned_at: rfc3339(at),
            }),
        }
    }
}

/// The users of a corporation by name; none if there is no such corporation.
pub async fn users(db: &Db, _: &May<Read, Corporations>, corp: Uuid) -> Result<Option<Vec<CorporationUser>>> {
    let rows = db
        .sql(
            "SELECT u.user_id, u.first_name, u.last_name, u.email, u.mobile, u.user_type, u.role_id, r.name AS role, \
             u.is_active, u.version, u.banned_at, u.ban_reason \
             FROM users u LEFT JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.corp_id = $1",
        )
        .bind(corp)
        .all::<UserRow>();
    let known = db.sql("SELECT name FROM corporations WHERE corp_id = $1").bind(corp).maybe::<(String,)>();
    let (mut rows, known) = tokio::try_join!(rows, known)?;
    rows.sort_by_cached_key(|row| (fold(&full_name(&row.first_name, &row.last_name)), row.user_id));
    Ok(known.map(|_| rows.into_iter().map(CorporationUser::from).collect()))
}
