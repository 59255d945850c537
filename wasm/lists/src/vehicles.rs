//! Bindings for the rules of vehicles. They are in this package and not in `wasm/rules`, because every page waits for
//! that one, and few pages show vehicles.

use crate::BindingResult;
use forecourt_call::{read, to_js};
use forecourt_core::date::Date;
use forecourt_core::form::{FieldError, check};
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use forecourt_core::vehicles::{
    self, ColumnFigures, ColumnVehicle, Cost, CostKind, InStock, Margin, MileageUnit, StoredVehicle, VehicleInput,
    VehicleStatus, model_years, normalize_plate, normalize_vin, notes_on_vin, plate_shown, region,
};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Returns the validation errors of a vehicle's form. `stored` is the stored vehicle, if one is edited, and `today` is
/// `yyyy-MM-dd`.
#[wasm_bindgen(js_name = checkVehicle)]
pub fn check_vehicle(
    form: Ts<VehicleInput>,
    stored: Option<Ts<StoredVehicle>>,
    today: &str,
) -> BindingResult<Vec<Ts<FieldError>>> {
    let stored = stored.as_ref().map(read).transpose()?;
    let form = VehicleInput { stored, today: Date::parse(today), ..read(&form)? };
    check(form).err().unwrap_or_default().iter().map(to_js).collect()
}

/// Returns whether the vehicle is in stock from the day on which the form is saved.
#[wasm_bindgen(js_name = isInStockFromToday)]
pub fn is_in_stock_from_today(form: Ts<VehicleInput>, stored: Option<Ts<StoredVehicle>>) -> BindingResult<bool> {
    let stored = stored.as_ref().map(read).transpose()?;
    Ok(VehicleInput { stored, ..read(&form)? }.in_stock() == InStock::Today)
}

/// What the form shows about a VIN while the user types it.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct VinFacts {
    /// The region in which the manufacturer is registered; missing if the VIN does not tell it.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<&'static Message>,
    /// The model years that the VIN's code for the year can mean, the newest first.
    pub model_years: Vec<i64>,
    /// Remarks on the VIN that are no validation errors.
    pub notes: Vec<Message>,
}

/// Returns what the form shows about its VIN. `latest` is the newest model year that a vehicle can have.
#[wasm_bindgen(js_name = vinFacts)]
pub fn vin_facts(form: Ts<VehicleInput>, latest: i32) -> BindingResult<Ts<VinFacts>> {
    let form: VehicleInput = read(&form)?;
    let vin = normalize_vin(&form.vin);
    to_js(&VinFacts {
        region: region(&vin).map(|region| region.name()),
        model_years: model_years(&vin, latest.into()),
        notes: notes_on_vin(&form),
    })
}

/// Returns a registration number with the blank that it has on plates, such as `ABC 123`; only normalized if it has no
/// format that is known for the country.
#[wasm_bindgen(js_name = plateShown)]
pub fn shown(country: &str, plate: &str) -> String {
    let plate = normalize_plate(plate);
    plate_shown(country, &plate).unwrap_or(plate)
}

/// Returns whether a text has a format of registration numbers that is known for the country.
#[wasm_bindgen(js_name = isPlate)]
pub fn is_plate(country: &str, text: &str) -> bool {
    plate_shown(country, &normalize_plate(text)).is_some()
}

/// Returns the statuses that a form offers for a vehicle with this status: the status itself, and then those that can
/// follow. Without a status, returns those of a new vehicle.
#[wasm_bindgen(js_name = vehicleStatuses)]
pub fn vehicle_statuses(status: Option<String>) -> BindingResult<Vec<Ts<VehicleStatus>>> {
    let status = status.as_deref().and_then(VehicleStatus::parse);
    vehicles::offered_statuses(status).iter().map(to_js).collect()
}

/// Returns the unit in which a corporation of this country reads mileages.
#[wasm_bindgen(js_name = usualMileageUnit)]
pub fn usual_mileage_unit(country: &str) -> String {
    MileageUnit::usual(country).as_str().to_owned()
}

/// Returns the margin of a sale at the form's asking price; `undefined` without a valid asking price, purchase
/// price and VAT scheme. `rate` is the VAT rate in percent.
#[wasm_bindgen(js_name = vehicleMargin)]
pub fn vehicle_margin(form: Ts<VehicleInput>, rate: f64) -> BindingResult<Option<Ts<Margin>>> {
    let form: VehicleInput = read(&form)?;
    Money::from_pounds(rate).and_then(|rate| form.margin(rate)).as_ref().map(to_js).transpose()
}

/// Returns two totals of the costs: the amounts without VAT, and the VAT.
#[wasm_bindgen(js_name = costTotals)]
pub fn cost_totals(costs: Vec<Ts<Cost>>) -> BindingResult<Vec<f64>> {
    let costs = costs.iter().map(read).collect::<BindingResult<Vec<Cost>>>()?;
    Ok([vehicles::costs_net(&costs), vehicles::costs_vat(&costs)]
        .map(|total| total.map_or(0.0, Money::pounds))
        .to_vec())
}

/// Returns the kinds of costs that a vehicle can have, such as tyres or transport.
#[wasm_bindgen(js_name = costKinds)]
pub fn cost_kinds() -> BindingResult<Vec<Ts<CostKind>>> {
    CostKind::ALL.iter().map(to_js).collect()
}

/// Returns for how many days a vehicle has been in stock on the day `today` (`yyyy-MM-dd`); `undefined` if it is neither
/// in stock nor reserved, or its first day in stock is unknown.
#[wasm_bindgen(js_name = daysInStock)]
pub fn days_in_stock(
    status: Ts<VehicleStatus>,
    in_stock_on: Option<String>,
    today: &str,
) -> BindingResult<Option<u32>> {
    let since = in_stock_on.as_deref().and_then(Date::parse);
    Ok(Date::parse(today).and_then(|today| vehicles::days_in_stock(read(&status).ok()?, since, today)))
}

/// Returns the figures of a column of the board with these vehicles, on this day, `yyyy-MM-dd`.
#[wasm_bindgen(js_name = columnFigures)]
pub fn column_figures(vehicles: Vec<Ts<ColumnVehicle>>, today: &str) -> BindingResult<Option<Ts<ColumnFigures>>> {
    let vehicles = vehicles.iter().map(read).collect::<BindingResult<Vec<ColumnVehicle>>>()?;
    Date::parse(today).map(|today| vehicles::column_figures(&vehicles, today)).as_ref().map(to_js).transpose()
}
