//! Creation of a corporation with its initial records.

use super::store::insert_resources;
use crate::features::roles;
use crate::features::users::{self, NewUser};
use crate::platform::db::{Result, Tx};
use forecourt_core::corporations::AdminInput;
use forecourt_core::organizations::{OrganizationInput, normalize_number};
use forecourt_core::permissions::UserType;
use forecourt_core::settings::Settings;
use uuid::Uuid;

/// A new corporation: its company record, allowed resources, and first Admin, who gets the first role. Deliberately not
/// `Debug`: it contains a password's hash.
pub(crate) struct Registration<'a> {
    /// Whether its users may sign in.
    pub is_active: bool,
    /// Ids of the catalogue's main resources that it may use.
    pub resources: Vec<&'static str>,
    pub organization: &'a OrganizationInput,
    /// The code of the country whose settings it starts with; the default ones without a country.
    pub country: &'a str,
    pub admin: &'a AdminInput,
    /// The hash of the admin's password, from [`crate::features::auth::hasher::Hasher::hash`].
    pub password_hash: &'a str,
}

/// The outcome of a registration.
pub(crate) struct Registered {
    pub corp: Uuid,
    /// `None` if the e-mail is already in use; the transaction must then be dropped.
    pub admin: Option<Uuid>,
}

/// Creates a corporation, its company record, allowed resources, first role and Admin.
pub(crate) async fn register(tx: &mut Tx, new: &Registration<'_>, now: i64) -> Result<Registered> {
    let (corp, organization) = (Uuid::now_v7(), new.organization);
    let Settings { country, currency, vat_rate } = Settings::of_country(new.country);
    tx.sql(
        "INSERT INTO corporations (corp_id, name, active, awaits_approval, created_at, updated_at, country, currency, \
         vat_rate) VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)",
    )
    .bind_all((
        corp,
        organization.corp_name.clone(),
        new.is_active,
        !new.is_active,
        now,
        country,
        currency,
        vat_rate.pence(),
    ))
    .exec()
    .await?;
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, \
         city, company_email, company_phone, created_at, updated_at, number_key) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)",
    )
    .bind_all((
        corp,
        organization.organization_number.clone(),
        organization.street_address.clone(),
        organization.registered_city.clone(),
        organization.postal_code.clone(),
        organization.city.clone(),
        organization.company_email.clone(),
        organization.company_phone.clone(),
        now,
        normalize_number(&organization.organization_number),
    ))
    .exec()
    .await?;
    insert_resources(tx, corp, &new.resources).await?;
    let role = roles::create_first(tx, corp, &new.resources, now).await?;
    let admin = NewUser {
        corp,
        email: &new.admin.email,
        first_name: &new.admin.first_name,
        last_name: &new.admin.last_name,
        mobile: &new.admin.phone,
        user_type: UserType::Admin,
        role: Some(role),
        password_hash: new.password_hash,
    };
    let admin = users::create_account(tx, &admin, now).await?;
    Ok(Registered { corp, admin })
}
