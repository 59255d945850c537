//! Creation of a corporation with its initial records.

use crate::features::roles;
use crate::features::users::{self, NewUser};
use crate::platform::db::{Result, Tx};
use forecourt_core::organizations::normalize_number;
use forecourt_core::permissions::UserType;
use uuid::Uuid;

/// A new corporation: its company record, allowed resources, and first Admin, who gets the first role. Deliberately not
/// `Debug`: it contains a password's hash.
pub(crate) struct Registration<'a> {
    pub name: &'a str,
    /// Whether its users may sign in.
    pub is_active: bool,
    /// Ids of the catalogue's main resources that it may use.
    pub resources: Vec<&'static str>,
    pub organization: Organization<'a>,
    pub admin: Admin<'a>,
}

/// A company record.
pub(crate) struct Organization<'a> {
    pub number: &'a str,
    pub street_address: &'a str,
    pub registered_city: &'a str,
    pub postal_code: &'a str,
    pub city: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
}

/// A corporation's first Admin.
pub(crate) struct Admin<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub email: &'a str,
    pub mobile: &'a str,
    /// From [`crate::features::auth::hasher::Hasher::hash`].
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
    let corp = Uuid::now_v7();
    tx.sql("INSERT INTO corporations (corp_id, name, active, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)")
        .bind(corp)
        .bind(new.name.to_owned())
        .bind(new.is_active)
        .bind(now)
        .exec()
        .await?;
    let organization = &new.organization;
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, \
         city, company_email, company_phone, created_at, updated_at, number_key) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)",
    )
    .bind(corp)
    .bind(organization.number.to_owned())
    .bind(organization.street_address.to_owned())
    .bind(organization.registered_city.to_owned())
    .bind(organization.postal_code.to_owned())
    .bind(organization.city.to_owned())
    .bind(organization.email.to_owned())
    .bind(organization.phone.to_owned())
    .bind(now)
    .bind(normalize_number(organization.number))
    .exec()
    .await?;
    for resource in &new.resources {
        tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
            .bind(corp)
            .bind(*resource)
            .exec()
            .await?;
    }
    let role = roles::create_first(tx, corp, &new.resources, now).await?;
    let admin = NewUser {
        corp,
        email: new.admin.email,
        first_name: new.admin.first_name,
        last_name: new.admin.last_name,
        mobile: new.admin.mobile,
        user_type: UserType::Admin,
        role: Some(role),
        password_hash: new.admin.password_hash,
    };
    let admin = users::create(tx, &admin, now).await?;
    Ok(Registered { corp, admin })
}
