//! The steps of agreements, each in one transaction: the agreement, its vehicles, and the figures of its customer.

use super::references;
use crate::access::scope::{Agreements, May, Scope, Update};
use crate::features::listing::{self, writes};
use crate::features::records::change::Batch;
use crate::features::records::columns::{Base, Columns};
use crate::features::records::{self, Entity};
use crate::features::settings;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{IdAndForm, LocalDay};
use axum::Json;
use axum::extract::State;
use forecourt_core::agreements::{
    self, Agreement, AgreementState, Changes, StepInput, VehicleChange, step_message, text,
};
use forecourt_core::customers::CustomerSummary;
use forecourt_core::date::Date;
use forecourt_core::history::{HistoryAction, changes};
use forecourt_core::money::Money;
use forecourt_core::privacy::{ERASED, KEPT_IF_BINDING};
use forecourt_core::reply::Reply;
use forecourt_core::text::choice_error;
use forecourt_core::vehicles::Vehicle;
use uuid::Uuid;

/// `POST /api/agreements/{id}/state`: responds with the agreement, and with 409 if the step was based on an older
/// version, or can't be taken.
pub async fn step(
    may: May<Update, Agreements>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    IdAndForm(id, form): IdAndForm<StepInput>,
) -> ApiResult<Json<Reply<Agreement>>> {
    let mut batch = Batch::begin(&may, app.clock.now(), HistoryAction::Updated).await?.for_one_record();
    // All lists: nobody else writes the agreement, its vehicles or its customer before the transaction ends.
    writes::lock(batch.tx(), &may, Agreement::LISTING, true).await?;
    let row = listing::rows_in(Some(batch.tx()), &may, Agreement::COLUMNS, Agreement::LISTING, vec![id]).one().await?;
    let before = Agreement::from_row(row)?;
    let base = Base::of(&*form);
    if base.is_outdated(before.version, &before.updated_at) {
        drop(batch);
        return Err(records::version_conflict::<Agreement>(&may, id, &base).await?);
    }
    let state_error = || ApiError::for_field("state", &choice_error(AgreementState::NAMES));
    let wanted = form.step().ok_or_else(state_error)?;
    let ids: Vec<Uuid> = before.legs.iter().filter_map(|leg| Uuid::try_parse(&leg.vehicle_id).ok()).collect();
    let vehicles = references::vehicles(Some(batch.tx()), &may, &ids, Some(id)).await?;
    let changes = agreements::step(&before, &vehicles, wanted, today.date())
        .map_err(|error| ApiError::Conflict(error.message))?;
    let customer = before.customer_id.as_deref().and_then(|id| Uuid::try_parse(id).ok());
    let vat_rate = match changes.state {
        AgreementState::Delivered => Some(settings::read_in(batch.tx(), &may).await?.vat_rate),
        _ => before.vat_rate,
    };
    // Accounting law doesn't require the name in an agreement that is no longer binding, and the customer may have been
    // erased since.
    let name = match changes.state {
        AgreementState::Cancelled if before.state.is_binding() => {
            let name = references::find_customer_name(batch.tx(), &may, id, customer).await?;
            Some(name.unwrap_or_else(|| ERASED.to_owned()))
        }
        _ => None,
    };
    let after = update_agreement(&mut batch, id, before, &changes, vat_rate, name.as_deref()).await?;
    for vehicle in &changes.vehicles {
        update_vehicle(&may, &mut batch, vehicle).await?;
    }
    if let Some(customer) = customer {
        batch.refresh::<CustomerSummary>(&[customer]).await?;
    }
    batch.commit().await?;
    Ok(Json(Reply::new(records::as_seen(&may, after)).with_message(step_message(changes.state))))
}

async fn update_agreement(
    batch: &mut Batch<'_>,
    id: Uuid,
    before: Agreement,
    changes: &Changes,
    vat_rate: Option<Money>,
    customer_name: Option<&str>,
) -> ApiResult<Agreement> {
    let day = |date: Option<Date>| date.map(|date| date.to_string());
    let columns = Columns::default()
        .set("state", Some(changes.state.as_str()))
        .set("agreed_on", day(changes.agreed_on))
        .set("delivered_on", day(changes.delivered_on))
        .set("vat_rate", vat_rate.map(Money::pence))
        .set_text_or_empty(KEPT_IF_BINDING.1, customer_name);
    let updated = batch.update_all::<Agreement>(&[id], columns).await.map_err(Agreement::write_error)?;
    let after = updated.into_iter().next().ok_or(ApiError::NotFound)?;
    batch.record([(Some(before), Some(after.clone()), &[][..])]).await?;
    Ok(after)
}

/// Updates a vehicle, also if it keeps its status: its new version makes forms that were read before outdated.
async fn update_vehicle(scope: &Scope, batch: &mut Batch<'_>, change: &VehicleChange) -> ApiResult<()> {
    let id = Uuid::try_parse(&change.vehicle_id).map_err(|_| ApiError::NotFound)?;
    let row = listing::rows_in(Some(batch.tx()), scope, Vehicle::COLUMNS, Vehicle::LISTING, vec![id]).one().await?;
    let before = Vehicle::from_row(row)?;
    let columns = Columns::default()
        .set("status", Some(change.status.as_str()))
        .set_if("in_stock_on", change.in_stock_on.map(|day| day.to_string()))
        .set_if("purchase_price", change.purchase_price.map(Money::pence))
        .set_if("vat_scheme", change.vat_scheme.map(|scheme| Some(scheme.as_str())));
    // No field of the agreement has the registration number or VIN that is taken.
    let updated =
        batch.update_all::<Vehicle>(&[id], columns).await.map_err(|error| match Vehicle::write_error(error) {
            ApiError::Invalid(_) => ApiError::Conflict(text::already_in_stock(&before.name)),
            error => error,
        })?;
    let after = updated.into_iter().next().ok_or(ApiError::NotFound)?;
    if changes(Some(&before), Some(&after), &[]).is_empty() {
        return Ok(());
    }
    batch.record([(Some(before), Some(after), &[][..])]).await
}
