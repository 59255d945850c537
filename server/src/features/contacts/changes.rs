//! Updates and deletions of contacts in the database.

use super::store::searched;
use crate::access::scope::Scope;
use crate::platform::db::Result;
use forecourt_core::contacts::ContactUpdateInput;
use forecourt_core::form::Checked;
use sqlx::types::Json;
use uuid::Uuid;

/// Updates a contact. Other details that the form omits stay. Returns `false` if the contact does not exist or is not
/// in the version that the change is based on; the check and the write are one statement, so that it is atomic.
pub async fn update(scope: &Scope, id: Uuid, form: Checked<ContactUpdateInput>, now: i64) -> Result<bool> {
    let ContactUpdateInput { name, email, phone, website, address, other_details, version, updated_at, .. } =
        form.into_inner();
    let search = searched(&name, &email, &phone, &address);
    let changed = scope
        .db()
        .sql("UPDATE contacts SET version = version + 1, updated_at = ")
        .arg(now)
        .push(", name = ")
        .arg(name)
        .push(", email = ")
        .arg(email)
        .push(", phone = ")
        .arg(phone)
        .push(", website = ")
        .arg(website)
        .push(", address = ")
        .arg(address)
        .push(", search = ")
        .arg(search)
        .filter(", other_details = ", other_details.map(Json))
        .push(" WHERE corp_id = ")
        .arg(scope.corp())
        .push(" AND contact_id = ")
        .arg(id)
        .require_version(version, updated_at.as_deref())
        .exec()
        .await?;
    Ok(changed > 0)
}

/// Deletes a contact and its comments. Returns `false` if it does not exist.
pub async fn delete(scope: &Scope, id: Uuid) -> Result<bool> {
    let gone = scope
        .db()
        .sql("DELETE FROM contacts WHERE corp_id = $1 AND contact_id = $2")
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    Ok(gone > 0)
}
