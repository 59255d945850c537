//! What an agreement refers to: its customer, its contact and its vehicles, as they are now.

use crate::access::scope::Scope;
use crate::features::binding::push_agreements_of_deleted;
use crate::features::records::columns::push_id_list;
use crate::features::records::row::{Id, Parsed};
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{AgreementInput, LEGS_MAX, LegVehicle, References};
use forecourt_core::vehicles::{VatScheme, VehicleStatus};
use uuid::Uuid;

/// Returns the id in a form. A text that is no UUID is the id of no record.
fn id(text: &str) -> Uuid {
    Uuid::try_parse(text.trim()).unwrap_or_default()
}

/// Looks up what a form refers to. Its texts may not be normalized yet.
pub async fn find(mut tx: Option<&mut Tx>, scope: &Scope, form: &AgreementInput) -> Result<References> {
    let mut references = References::default();
    if !form.customer_id.trim().is_empty() {
        let sql = scope.sql_in(tx.as_deref_mut(), "SELECT name FROM customers WHERE corp_id = ").arg(scope.corp());
        references.customer_name = sql.push_arg(" AND customer_id = ", id(&form.customer_id)).maybe_value().await?;
    }
    if !form.contact_id.trim().is_empty() {
        let sql = scope.sql_in(tx.as_deref_mut(), "SELECT 1 FROM contacts WHERE corp_id = ").arg(scope.corp());
        references.has_contact = sql.push_arg(" AND contact_id = ", id(&form.contact_id)).exists().await?;
    }
    // More legs than an agreement has are an error of the form, which is checked afterwards.
    let ids: Vec<Uuid> = form.legs.iter().take(LEGS_MAX).map(|leg| id(&leg.vehicle_id)).collect();
    if !ids.is_empty() {
        references.vehicles = vehicles(tx, scope, &ids, None).await?;
    }
    Ok(references)
}

/// Returns the present name of an agreement's customer. Without a customer, it is the name of the one in the trash that
/// the agreement had; `None` if that one was purged.
pub async fn find_customer_name(
    tx: &mut Tx,
    scope: &Scope,
    agreement: Uuid,
    customer: Option<Uuid>,
) -> Result<Option<String>> {
    if let Some(customer) = customer {
        let sql = tx.sql("SELECT name FROM customers WHERE corp_id = ").arg(scope.corp());
        return sql.push_arg(" AND customer_id = ", customer).maybe_value().await;
    }
    let sql = tx.sql("SELECT t.label FROM trash t WHERE t.resource_id = 'customers' AND t.corp_id = ");
    let sql = push_agreements_of_deleted(sql.arg(scope.corp()).push_arg(" AND ", agreement).push(" IN "));
    sql.push(" ORDER BY t.deleted_at DESC LIMIT 1").maybe_value().await
}

/// Id, name, status, VAT scheme, whether there is a purchase price, and the number of another signed agreement with the
/// vehicle.
type VehicleRow = (Id, String, Parsed<VehicleStatus>, Parsed<VatScheme>, bool, Option<String>);

/// Returns those of these vehicles that exist, in the order of their ids. Each has the number of a signed agreement
/// that contains it, if there is one besides `except`.
pub async fn vehicles(
    tx: Option<&mut Tx>,
    scope: &Scope,
    ids: &[Uuid],
    except: Option<Uuid>,
) -> Result<Vec<LegVehicle>> {
    let sql = scope.sql_in(
        tx,
        "SELECT v.vehicle_id, v.name, v.status, v.vat_scheme, v.purchase_price IS NOT NULL, \
         (SELECT min(a.number) FROM agreement_vehicles l JOIN agreements a ON a.corp_id = l.corp_id AND a.agreement_id = l.agreement \
         WHERE l.corp_id = v.corp_id AND l.vehicle = v.vehicle_id AND l.state = 'Signed' AND l.agreement <> ",
    );
    let sql = sql.arg(except.unwrap_or_default()).push_arg(") FROM vehicles v WHERE v.corp_id = ", scope.corp());
    let sql = push_id_list(sql.push(" AND v.vehicle_id IN ("), ids).push(") ORDER BY v.vehicle_id");
    let vehicle = |(id, name, status, vat_scheme, has_purchase_price, signed_in): VehicleRow| LegVehicle {
        vehicle_id: id.0,
        name,
        status: status.0,
        vat_scheme: vat_scheme.0,
        signed_in,
        has_purchase_price,
    };
    Ok(sql.all::<VehicleRow>().await?.into_iter().map(vehicle).collect())
}
