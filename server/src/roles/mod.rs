//! Roles: what each grants of what its corporation may use.

mod store;

use crate::db::{self, Tx};
use crate::scope::Scope;
use forecourt_core::roles::{self, GrantInput, PermissionsInput, text};
use uuid::Uuid;

/// Makes the role that a new corporation begins with: it grants everything on these resources of the catalogue.
pub(crate) async fn create_first(tx: &mut Tx, corp: Uuid, resources: &[&'static str], now: i64) -> db::Result<Uuid> {
    let everything = |id: &&str| GrantInput {
        resource_id: (*id).to_owned(),
        can_read: true,
        can_create: true,
        can_update: true,
        can_delete: true,
        ..GrantInput::default()
    };
    let input = PermissionsInput { permissions: resources.iter().map(everything).collect(), version: None };
    let role = store::create(tx, corp, text::FIRST_ROLE, text::FIRST_ROLE_DESCRIPTION, now).await?;
    store::insert_grants(tx, corp, role, roles::grants(&input)).await?;
    Ok(role)
}

/// Takes away what roles grant on resources that their corporation may use no more. To be asked after
/// [`crate::users::lock_corporation`], once `corporation_resources` says what it may use from now on.
pub(crate) async fn withdraw_disallowed(tx: &mut Tx, scope: &Scope, now: i64) -> db::Result<()> {
    store::withdraw_disallowed(tx, scope, now).await
}
