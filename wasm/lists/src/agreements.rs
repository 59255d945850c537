//! Bindings for the rules of agreements. They are in this package and not in `wasm/rules`, because few pages show
//! agreements.

use crate::BindingResult;
use forecourt_call::{read, to_js};
use forecourt_core::agreements::{
    self, Agreement, AgreementInput, AgreementState, AgreementType, Direction, LegCosts, LegInput, LegVehicle,
    LegsMargin, StepInput, Totals, VehicleChange,
};
use forecourt_core::date::Date;
use forecourt_core::form::{FieldError, check};
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

fn read_form(form: &Ts<AgreementInput>, stored: Option<&Ts<Agreement>>) -> BindingResult<AgreementInput> {
    let stored = stored.map(read).transpose()?.map(Box::new);
    Ok(AgreementInput { stored, ..read(form)? })
}

fn read_all<T>(values: &[Ts<T>]) -> BindingResult<Vec<T>>
where
    T: Tsify + serde::de::DeserializeOwned,
    T::JsType: JsCast,
{
    values.iter().map(read).collect()
}

/// Validates an agreement. `stored` is the one that is edited.
#[wasm_bindgen(js_name = checkAgreement)]
pub fn check_agreement(form: Ts<AgreementInput>, stored: Option<Ts<Agreement>>) -> BindingResult<Vec<Ts<FieldError>>> {
    let form = read_form(&form, stored.as_ref())?;
    check(form).err().unwrap_or_default().iter().map(to_js).collect()
}

/// Returns the fields that can't be changed in this state, each with the reason.
#[wasm_bindgen(js_name = fixedFields)]
pub fn fixed_fields(state: Ts<AgreementState>) -> BindingResult<Vec<Ts<FieldError>>> {
    let fields = agreements::fixed_fields(read(&state)?).into_iter();
    fields.map(|(field, message)| to_js(&FieldError { field: field.to_owned(), message: message.clone() })).collect()
}

/// Returns why an agreement in this state can't be deleted; undefined if it can be.
#[wasm_bindgen(js_name = agreementDeletionError)]
pub fn agreement_deletion_error(state: Ts<AgreementState>) -> BindingResult<Option<Ts<Message>>> {
    agreements::deletion_error(read(&state)?).map(to_js).transpose()
}

/// Returns which way a vehicle of an agreement goes; undefined if `direction`, that of its form, is invalid.
#[wasm_bindgen(js_name = legDirection)]
pub fn leg_direction(agreement_type: Ts<AgreementType>, direction: String) -> BindingResult<Option<Ts<Direction>>> {
    let leg = LegInput { direction, ..LegInput::default() };
    leg.direction(read(&agreement_type)?).as_ref().map(to_js).transpose()
}

/// The totals of an agreement, the margin of its vehicles and the commission while it is typed.
#[derive(Serialize, Tsify)]
pub struct Balance {
    pub totals: Totals,
    /// Missing if nothing is sold, or a purchase price is unknown.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<LegsMargin>,
    /// The ids of the sold vehicles without a known purchase price.
    pub without_purchase_price: Vec<String>,
    /// Missing without a commission.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission: Option<Money>,
}

/// Returns the totals and the commission of a form, and the margin of its sold vehicles. `rate` is the corporation's
/// rate of VAT, in percent.
#[wasm_bindgen(js_name = agreementBalance)]
pub fn agreement_balance(
    form: Ts<AgreementInput>,
    stored: Option<Ts<Agreement>>,
    vehicles: Vec<Ts<LegCosts>>,
    rate: f64,
) -> BindingResult<Ts<Balance>> {
    let form = read_form(&form, stored.as_ref())?;
    let vehicles: Vec<LegCosts> = read_all(&vehicles)?;
    to_js(&Balance {
        totals: form.totals(),
        margin: Money::from_pounds(rate).and_then(|rate| form.margin(&vehicles, rate)),
        without_purchase_price: form.without_purchase_price(&vehicles),
        commission: form.commission_amount(),
    })
}

/// A state to which an agreement can change.
#[derive(Serialize, Tsify)]
pub struct NextStep {
    pub state: AgreementState,
    /// The day of the signature or delivery that a form offers, `yyyy-MM-dd`.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// How the step changes the vehicles.
    pub changes: Vec<VehicleChange>,
    /// Why the step can't be taken yet.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Message>,
}

/// Returns the states that can follow. `vehicles` are those of the agreement that exist, and `today` is `yyyy-MM-dd`.
#[wasm_bindgen(js_name = nextSteps)]
pub fn next_steps(
    agreement: Ts<Agreement>,
    vehicles: Vec<Ts<LegVehicle>>,
    today: &str,
) -> BindingResult<Vec<Ts<NextStep>>> {
    let (agreement, vehicles) = (read(&agreement)?, read_all(&vehicles)?);
    let Some(today) = Date::parse(today) else { return Ok(Vec::new()) };
    let steps = agreements::next_steps(&agreement, &vehicles, today);
    let shown = steps.into_iter().map(|(state, result)| match result {
        Ok(changes) => {
            let day = match state {
                AgreementState::Signed => changes.agreed_on,
                AgreementState::Delivered => changes.delivered_on,
                _ => None,
            };
            let day = day.map(|day| day.to_string());
            NextStep { state, day, changes: changes.vehicles, problem: None }
        }
        Err(error) => NextStep { state, day: None, changes: Vec::new(), problem: Some(error.message) },
    });
    shown.map(|step| to_js(&step)).collect()
}

/// Validates a step with the days that are typed.
#[wasm_bindgen(js_name = checkStep)]
pub fn check_step(
    form: Ts<StepInput>,
    agreement: Ts<Agreement>,
    vehicles: Vec<Ts<LegVehicle>>,
    today: &str,
) -> BindingResult<Vec<Ts<FieldError>>> {
    let (agreement, vehicles) = (read(&agreement)?, read_all(&vehicles)?);
    let errors = match check::<StepInput>(read(&form)?) {
        Err(errors) => errors,
        Ok(form) => form
            .step()
            .zip(Date::parse(today))
            .and_then(|(step, today)| agreements::step(&agreement, &vehicles, step, today).err())
            .into_iter()
            .collect(),
    };
    errors.iter().map(to_js).collect()
}
