//! Inserts the corporations of the demo with their roles and users.

use super::accounts::{Corporation, DemoUser, ROLES, Record, SALES};
use super::people::Country;
use crate::access::scope::{Scope, scope_of_job};
use crate::features::corporations::{self, Registration};
use crate::features::history::{self, Entry};
use crate::features::roles;
use crate::features::state::App;
use crate::features::users::{self, NewUser};
use crate::platform::clock::{DAY, HOUR};
use crate::platform::db::{self, Tx};
use forecourt_core::corporations::AdminInput;
use forecourt_core::history::HistoryAction;
use forecourt_core::organizations::{OrganizationInput, normalize_number};
use forecourt_core::permissions::{CatalogueEntry, Grant, ResourceId, UserType, modules};
use forecourt_core::settings::Settings;
use uuid::Uuid;

/// Inserts a corporation, its roles and its users, in the order in which they joined. Returns the scopes
/// of the users who work with records, and those of the others who may sign in.
pub async fn insert(
    app: &App,
    tx: &mut Tx,
    corporation: &Corporation,
    password_hash: &str,
    now: i64,
) -> db::Result<(Vec<Scope>, Vec<Scope>)> {
    let begin = corporation.users.iter().map(|user| user.joined).max().unwrap_or_default();
    let corp = insert_corporation(tx, corporation, now - begin * DAY).await?;
    let first = roles::create_first(tx, corp, &resources(), now - begin * DAY).await?;
    let roles = match corporation.size {
        None => Vec::new(),
        Some(_) => insert_roles(tx, corp, Country::of(corporation.country), now - begin * DAY).await?,
    };
    let mut users: Vec<&DemoUser> = corporation.users.iter().collect();
    users.sort_by_key(|user| std::cmp::Reverse(user.joined));
    let (mut staff, mut others): (Vec<Scope>, Vec<Scope>) = Default::default();
    for (i, user) in users.into_iter().enumerate() {
        let at = now - user.joined * DAY - (i as i64 % 5) * HOUR;
        let new = NewUser {
            corp,
            email: user.email,
            first_name: user.name.0,
            last_name: user.name.1,
            mobile: user.mobile,
            user_type: user.user_type,
            role: if user.user_type == UserType::Admin { Some(first) } else { user.role.map(|role| roles[role]) },
            password_hash,
        };
        let Some(id) = users::create_account(tx, &new, at).await? else { continue };
        if let Some((days, reason)) = user.ban {
            let sql = tx.sql("UPDATE users SET banned_at = $1, ban_reason = $2 WHERE corp_id = $3 AND user_id = $4");
            sql.bind_all((now - days * DAY, reason.to_owned(), corp, id)).exec().await?;
            continue;
        }
        let works_with_records = user.user_type == UserType::Admin || user.role == SALES;
        let scopes = if works_with_records { &mut staff } else { &mut others };
        scopes.push(scope_of_job(&app.db, corp, id));
        if let Some(admin) = staff.first().filter(|_| i > 0 && user.joined < 60) {
            let name = format!("{} {}", user.name.0, user.name.1);
            let entry = Entry::new(HistoryAction::Created, ResourceId::Users, id, &name, &[])?;
            history::insert(tx, admin, at, vec![entry]).await?;
        }
    }
    Ok((staff, others))
}

/// Inserts a corporation that has signed up, and waits for the approval of the platform.
pub async fn insert_sign_up(tx: &mut Tx, password_hash: &str, now: i64) -> db::Result<()> {
    let organization = OrganizationInput {
        organization_number: "556100-0315".into(),
        corp_name: "Bilhuset Sundsvall AB".into(),
        street_address: "Storgatan 61".into(),
        registered_city: "Sundsvall".into(),
        postal_code: "852 30".into(),
        city: "Sundsvall".into(),
        company_email: "info@bilhuset.example".into(),
        company_phone: "+46 8 465 004 82".into(),
        ..OrganizationInput::default()
    };
    let admin = AdminInput {
        first_name: "Tomas".into(),
        last_name: "Wikman".into(),
        email: "tomas.wikman@bilhuset.example".into(),
        phone: "+46 70 174 06 91".into(),
        ..AdminInput::default()
    };
    let new = Registration {
        is_active: false,
        resources: resources(),
        organization: &organization,
        country: "SE",
        admin: &admin,
        password_hash,
    };
    corporations::register(tx, &new, now - 20 * HOUR).await.map(|_| ())
}

async fn insert_corporation(tx: &mut Tx, corporation: &Corporation, now: i64) -> db::Result<Uuid> {
    let is_platform = corporation.size.is_none();
    let corp = Uuid::now_v7();
    let Settings { country, currency, vat_rate } = Settings::of_country(corporation.country);
    tx.sql(
        "INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at, country, currency, vat_rate) \
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7)",
    )
    .bind_all((corp, corporation.name.to_owned(), is_platform, now, country, currency, vat_rate.pence()))
    .exec()
    .await?;
    let Record { number, address: [street, postal_code, city], email, phone, category, legal_form } =
        corporation.record;
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, city, \
         company_email, company_phone, business_category, legal_form, created_at, updated_at, number_key) \
         VALUES ($1, $2, $3, $5, $4, $5, $6, $7, $8, $9, $10, $10, $11)",
    )
    .bind(corp)
    .bind(number)
    .bind(street)
    .bind(postal_code)
    .bind(city)
    .bind(email)
    .bind(phone)
    .bind(category)
    .bind(legal_form)
    .bind(now)
    .bind(normalize_number(number))
    .exec()
    .await?;
    corporations::insert_resources(tx, corp, &resources()).await?;
    Ok(corp)
}

/// Returns the resources that every corporation of the demo is allowed to use, the same as after a sign-up.
fn resources() -> Vec<&'static str> {
    modules().map(CatalogueEntry::resource_id).collect()
}

async fn insert_roles(tx: &mut Tx, corp: Uuid, country: Country, now: i64) -> db::Result<Vec<Uuid>> {
    let mut ids = Vec::new();
    for role in ROLES {
        let (name, description) = (country.text(role.name), country.text(role.description));
        let id = roles::create_without_grants(tx, corp, name, description, now).await?;
        let grants = role
            .grants
            .iter()
            .map(|(id, permissions)| Grant { resource_id: (*id).to_owned(), permissions: *permissions });
        roles::insert_grants(tx, corp, id, grants.collect()).await?;
        ids.push(id);
    }
    Ok(ids)
}
