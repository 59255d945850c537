//! By what users know a vehicle: its stock number, its name, and its VIN and registration number.

use super::plate::plate_shown;
use super::vin::{normalize_vin, vin_error, vin_notes};
use super::{NUMBER_PREFIX, VehicleInput, text};
use crate::form::FieldError;
use crate::message::Message;

const VIN: &str = "vin";
const PLATE: &str = "registration_number";

/// Formats a stock number as it is shown, such as `S-1042`.
pub fn stock_number(number: i64) -> String {
    format!("{NUMBER_PREFIX}{number}")
}

/// Returns the text by which users know a vehicle: make and model, followed by the registration number or else the VIN.
pub fn name(form: &VehicleInput) -> String {
    let number = match form.registration_number.as_str() {
        "" => form.vin.clone(),
        plate => plate_shown(form.country(), plate).unwrap_or_else(|| plate.to_owned()),
    };
    let car =
        [form.make.as_str(), &form.model].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    if car.is_empty() { number } else { format!("{car}, {number}") }
}

/// Returns notes on a form's VIN for the user, which do not prevent saving. Empty if the VIN is empty or invalid.
pub fn notes_on_vin(form: &VehicleInput) -> Vec<Message> {
    let (vin, year) = (normalize_vin(&form.vin), form.model_year());
    if vin.is_empty() || vin_error(&vin, year).is_some() {
        return Vec::new();
    }
    vin_notes(&vin, year)
}

/// A number that no two vehicles in stock have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VehicleNumber {
    Vin,
    Registration,
}

/// Returns the validation error of a vehicle with a number that another vehicle has already that is Expected, In stock
/// or Reserved. `vehicle` is its name if the request changes several vehicles.
pub fn taken_errors(number: VehicleNumber, vehicle: Option<&str>) -> Vec<FieldError> {
    let (field, message) = match (number, vehicle) {
        (VehicleNumber::Vin, None) => (VIN, text::VIN_TAKEN.clone()),
        (VehicleNumber::Vin, Some(vehicle)) => (VIN, text::vin_taken_of(vehicle)),
        (VehicleNumber::Registration, None) => (PLATE, text::PLATE_TAKEN.clone()),
        (VehicleNumber::Registration, Some(vehicle)) => (PLATE, text::plate_taken_of(vehicle)),
    };
    vec![FieldError { field: field.into(), message }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::check;

    #[test]
    fn the_name_has_make_model_and_the_plate_or_else_the_vin() {
        let named = |json: &str| name(&check(serde_json::from_str::<VehicleInput>(json).unwrap()).unwrap());
        assert_eq!(
            named(r#"{"registration_number":"ab12cde","make":"Volvo","model":"V60","vin":"WP0ZZZ99ZTS392124"}"#),
            "Volvo V60, AB12 CDE"
        );
        assert_eq!(
            named(r#"{"registration_number":"bma 1","registration_country":"de","model":"Polo"}"#),
            "Polo, BMA1"
        );
        assert_eq!(named(r#"{"vin":"WP0ZZZ99ZTS392124"}"#), "WP0ZZZ99ZTS392124");
    }

    #[test]
    fn the_notes_concern_a_valid_vin_only() {
        let form = |vin: &str| VehicleInput { vin: vin.into(), ..VehicleInput::default() };
        assert_eq!(notes_on_vin(&form("wp0zzz99zts392124")), [text::VIN_NO_CHECK_DIGIT.as_str()]);
        for vin in ["1HGCM82633A004352", "short", ""] {
            assert!(notes_on_vin(&form(vin)).is_empty(), "{vin}");
        }
    }
}
