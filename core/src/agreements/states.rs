//! The states of an agreement, and what each step to another one needs and does (docs/product.md 4.30).

use super::balance::is_deposit_covered;
use super::legs::LEGS;
use super::{Agreement, AgreementState, Direction, Leg, LegVehicle, text};
use crate::date::Date;
use crate::form::{FieldError, Form, Rules, normalize_fields};
use crate::message::Message;
use crate::money::Money;
use crate::text::{DATE_INVALID, DAY_IN_FUTURE};
use crate::vehicles::{VatScheme, VehicleStatus, text as vehicle_text};
use serde::{Deserialize, Serialize};

forms!(
    /// A step to another state.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct StepInput {
        pub state: String,
        /// The day of signing, `yyyy-MM-dd`. Empty means that of the agreement, or else today.
        pub agreed_on: String,
        /// The day of delivery. Empty means that of the agreement, or else today, or `agreed_on` if that is later.
        pub delivered_on: String,
        ..Base,
    }
);

api_types!(
    /// How a step changes a vehicle.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct VehicleChange {
        pub vehicle_id: String,
        pub status: VehicleStatus,
        /// Absent: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub in_stock_on: Option<Date>,
        /// Absent: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub purchase_price: Option<Money>,
        /// Absent: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub vat_scheme: Option<VatScheme>,
    }
);

/// A step with the days that the request gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub to: AgreementState,
    pub agreed_on: Option<Date>,
    pub delivered_on: Option<Date>,
}

/// What a step changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    pub state: AgreementState,
    pub agreed_on: Option<Date>,
    pub delivered_on: Option<Date>,
    pub vehicles: Vec<VehicleChange>,
}

impl StepInput {
    /// Returns the step, or `None` if the text is not a state.
    pub fn step(&self) -> Option<Step> {
        let (agreed_on, delivered_on) = (Date::parse(&self.agreed_on), Date::parse(&self.delivered_on));
        Some(Step { to: AgreementState::parse(&self.state)?, agreed_on, delivered_on })
    }
}

impl Form for StepInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.state, &mut self.agreed_on, &mut self.delivered_on]);
    }

    fn rules(&self, rules: &mut Rules) {
        rules.require_choice("state", self.step().is_some(), AgreementState::NAMES);
        for (field, day) in [("agreed_on", &self.agreed_on), ("delivered_on", &self.delivered_on)] {
            rules.field(field, day).parses(Date::parse, DATE_INVALID);
        }
    }
}

impl AgreementState {
    /// The states of a binding agreement. It stays on record, and so do the records that it has.
    pub const BINDING: [Self; 3] = [Self::Signed, Self::Delivered, Self::Closed];
    /// The states of an agreement whose vehicles were handed over.
    pub const DELIVERED: [Self; 2] = [Self::Delivered, Self::Closed];

    pub fn is_binding(self) -> bool {
        Self::BINDING.contains(&self)
    }

    pub fn is_delivered(self) -> bool {
        Self::DELIVERED.contains(&self)
    }
}

/// Returns the states that can follow on this one.
pub fn next_states(state: AgreementState) -> &'static [AgreementState] {
    use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
    match state {
        Draft => &[Offered, Cancelled],
        Offered => &[Signed, Cancelled],
        Signed => &[Delivered, Cancelled],
        Delivered => &[Closed],
        Closed | Cancelled => &[],
    }
}

/// Returns what can follow on this state, in words.
fn next_text(state: AgreementState) -> &'static Message {
    match state {
        AgreementState::Draft => text::DRAFT_NEXT,
        AgreementState::Offered => text::OFFERED_NEXT,
        AgreementState::Signed => text::SIGNED_NEXT,
        AgreementState::Delivered => text::DELIVERED_NEXT,
        AgreementState::Closed => text::CLOSED_STAYS,
        AgreementState::Cancelled => text::CANCELLED_STAYS,
    }
}

/// Returns the message after a step to this state.
pub fn step_message(state: AgreementState) -> &'static Message {
    match state {
        AgreementState::Draft => text::UPDATED,
        AgreementState::Offered => text::OFFERED,
        AgreementState::Signed => text::SIGNED,
        AgreementState::Delivered => text::DELIVERED,
        AgreementState::Closed => text::CLOSED,
        AgreementState::Cancelled => text::CANCELLED,
    }
}

/// Returns what a step of an agreement changes. `vehicles` are those of its legs that exist.
///
/// # Errors
/// Why the step can't be taken.
pub fn step(agreement: &Agreement, vehicles: &[LegVehicle], step: Step, today: Date) -> Result<Changes, FieldError> {
    let Step { to, agreed_on, delivered_on } = step;
    ensure!(next_states(agreement.state).contains(&to), error("state", next_text(agreement.state)));
    let mut changes = Changes {
        state: to,
        agreed_on: agreement.agreed_on,
        delivered_on: agreement.delivered_on,
        vehicles: Vec::new(),
    };
    match to {
        AgreementState::Offered => check_offer(agreement)?,
        AgreementState::Signed => {
            check_offer(agreement)?;
            let day = agreed_on.or(agreement.agreed_on).unwrap_or(today);
            check_days("agreed_on", day, agreement.delivered_on)?;
            check_past("agreed_on", day, today)?;
            changes.agreed_on = Some(day);
            for (leg, vehicle) in with_vehicles(agreement, vehicles)? {
                check_vehicle(leg, vehicle)?;
                if leg.direction == Direction::Out {
                    changes.vehicles.push(change(vehicle, VehicleStatus::Reserved, None));
                }
            }
        }
        AgreementState::Delivered => {
            // It may have been deleted since the signature. The rest of what an offer needs can't have changed.
            check_customer(agreement, text::CUSTOMER_DELETED)?;
            // It may have been signed on a later day: where the user is, or before future days were rejected.
            let latest = agreement.agreed_on.map_or(today, |agreed| agreed.max(today));
            let day = delivered_on.or(agreement.delivered_on).unwrap_or(latest);
            check_days("delivered_on", agreement.agreed_on.unwrap_or(day), Some(day))?;
            check_past("delivered_on", day, latest)?;
            changes.delivered_on = Some(day);
            for (leg, vehicle) in with_vehicles(agreement, vehicles)? {
                check_unsold(leg, vehicle)?;
                changes.vehicles.push(match leg.direction {
                    Direction::Out | Direction::Brokered => change(vehicle, VehicleStatus::Sold, None),
                    Direction::In => take_in(leg, vehicle, day),
                });
            }
        }
        AgreementState::Cancelled if agreement.state == AgreementState::Signed => {
            let reserved = agreement.legs.iter().filter(|leg| leg.direction == Direction::Out);
            let reserved = reserved.filter_map(|leg| find(leg, vehicles));
            let reserved = reserved.filter(|vehicle| vehicle.status == VehicleStatus::Reserved);
            changes.vehicles = reserved.map(|vehicle| change(vehicle, VehicleStatus::InStock, None)).collect();
        }
        AgreementState::Draft | AgreementState::Closed | AgreementState::Cancelled => {}
    }
    Ok(changes)
}

/// Returns each state that can follow, with what the step changes or why it can't be taken. A day on which it could not
/// be taken is not the reason, because the step can give another one.
pub fn next_steps(
    agreement: &Agreement,
    vehicles: &[LegVehicle],
    today: Date,
) -> Vec<(AgreementState, Result<Changes, FieldError>)> {
    let (agreed_on, delivered_on) = (agreement.agreed_on, agreement.delivered_on);
    let signed = agreed_on.into_iter().chain(delivered_on).fold(today, Date::min);
    let delivered = delivered_on.into_iter().fold(today, Date::min);
    let delivered = agreed_on.into_iter().fold(delivered, Date::max);
    let to = next_states(agreement.state).iter();
    let steps = to.map(|to| Step { to: *to, agreed_on: Some(signed), delivered_on: Some(delivered) });
    steps.map(|next| (next.to, step(agreement, vehicles, next, today))).collect()
}

fn error(field: &str, message: impl Into<Message>) -> FieldError {
    FieldError { field: field.to_owned(), message: message.into() }
}

/// An offer has a customer, vehicles, a price of each that goes out or is brokered, and no deposit above these prices.
fn check_offer(agreement: &Agreement) -> Result<(), FieldError> {
    check_customer(agreement, text::CUSTOMER_REQUIRED)?;
    ensure!(!agreement.legs.is_empty(), error(LEGS, text::LEGS_REQUIRED));
    let has_prices = agreement.legs.iter().all(|leg| !leg.is_sale() || leg.has_price());
    ensure!(has_prices, error(LEGS, text::PRICES_REQUIRED));
    let is_covered = is_deposit_covered(&agreement.legs, agreement.out_total, agreement.deposit);
    ensure!(is_covered, error("deposit", text::DEPOSIT_TOO_HIGH));
    Ok(())
}

fn check_customer(agreement: &Agreement, message: &'static Message) -> Result<(), FieldError> {
    ensure!(agreement.customer_id.is_some(), error("customer_id", message));
    Ok(())
}

/// Returns whether the delivery is not before the day of the agreement, as far as both days are known.
pub(super) fn are_days_in_order(agreed: Option<Date>, delivered: Option<Date>) -> bool {
    agreed.zip(delivered).is_none_or(|(agreed, delivered)| agreed <= delivered)
}

/// The days are in order. `field` is the day that the step gives.
fn check_days(field: &str, agreed: Date, delivered: Option<Date>) -> Result<(), FieldError> {
    ensure!(are_days_in_order(Some(agreed), delivered), error(field, text::DELIVERED_TOO_EARLY));
    Ok(())
}

/// A signature or delivery is not in the future.
fn check_past(field: &str, day: Date, today: Date) -> Result<(), FieldError> {
    ensure!(!day.is_in_future(today), error(field, DAY_IN_FUTURE));
    Ok(())
}

fn find<'a>(leg: &Leg, vehicles: &'a [LegVehicle]) -> Option<&'a LegVehicle> {
    vehicles.iter().find(|vehicle| vehicle.vehicle_id == leg.vehicle_id)
}

/// Returns the legs, each with its vehicle.
fn with_vehicles<'a>(
    agreement: &'a Agreement,
    vehicles: &'a [LegVehicle],
) -> Result<Vec<(&'a Leg, &'a LegVehicle)>, FieldError> {
    let found = agreement.legs.iter().map(|leg| Some((leg, find(leg, vehicles)?)));
    found.collect::<Option<_>>().ok_or_else(|| error(LEGS, text::VEHICLE_DELETED))
}

/// The vehicle is not sold yet: a sold one can be neither sold again nor taken in.
fn check_unsold(leg: &Leg, vehicle: &LegVehicle) -> Result<(), FieldError> {
    let is_sold = vehicle.status == VehicleStatus::Sold;
    ensure!(!is_sold || !leg.is_sale(), error(LEGS, text::is_sold(&vehicle.name)));
    ensure!(!is_sold, error(LEGS, vehicle_text::SOLD_IS_FINAL));
    Ok(())
}

/// A vehicle that goes out or is brokered is in no other signed agreement, and one that goes out is In stock or
/// Reserved. What was bought with VAT shown on the invoice can't be sold under the margin scheme.
fn check_vehicle(leg: &Leg, vehicle: &LegVehicle) -> Result<(), FieldError> {
    check_unsold(leg, vehicle)?;
    if let Some(number) = vehicle.signed_in.as_ref().filter(|_| leg.is_sale()) {
        return Err(error(LEGS, text::in_signed(&vehicle.name, number)));
    }
    ensure!(
        vehicle.status.is_in_stock() || leg.direction != Direction::Out,
        error(LEGS, text::not_in_stock(&vehicle.name))
    );
    let is_margin_sale = leg.direction == Direction::Out && leg.vat_scheme == VatScheme::Margin;
    ensure!(
        !is_margin_sale || vehicle.vat_scheme == VatScheme::Margin,
        error(LEGS, text::not_under_margin(&vehicle.name))
    );
    Ok(())
}

fn change(vehicle: &LegVehicle, status: VehicleStatus, in_stock_on: Option<Date>) -> VehicleChange {
    let vehicle_id = vehicle.vehicle_id.clone();
    VehicleChange { vehicle_id, status, in_stock_on, purchase_price: None, vat_scheme: None }
}

/// Returns how a delivery on this day changes a vehicle that comes in. It is in stock, or stays reserved if another
/// signed agreement promises it to its customer.
fn take_in(leg: &Leg, vehicle: &LegVehicle, day: Date) -> VehicleChange {
    let is_promised = vehicle.status == VehicleStatus::Reserved && vehicle.signed_in.is_some();
    let status = if is_promised { VehicleStatus::Reserved } else { VehicleStatus::InStock };
    // Signing a sale of the vehicle checks this scheme.
    let vat_scheme = Some(leg.vat_scheme).filter(|scheme| *scheme != vehicle.vat_scheme);
    VehicleChange { purchase_price: purchase_price(leg, vehicle), vat_scheme, ..change(vehicle, status, Some(day)) }
}

/// Returns the purchase price that a delivery gives to a vehicle that comes in: under the margin scheme, what the dealer
/// pays or allows for it (VAT Notice 718). `None` if the vehicle has one already, if its price is not known, and under
/// the standard scheme, where the price can include deductible VAT, which a purchase price does not.
fn purchase_price(leg: &Leg, vehicle: &LegVehicle) -> Option<Money> {
    let is_set = !vehicle.has_purchase_price && leg.vat_scheme == VatScheme::Margin && leg.has_price();
    leg.price.filter(|_| is_set)
}

#[cfg(test)]
mod tests;
