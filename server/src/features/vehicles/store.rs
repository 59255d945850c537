//! Vehicles in the database.

use super::photo_store::{PHOTOS, stored_photos};
use crate::access::scope::{Scope, Vehicles};
use crate::features::history::{self, Entry};
use crate::features::listing::{self, Listing, VEHICLES};
use crate::features::records::Entity;
use crate::features::records::columns::{self, Columns, Counter, Stored};
use crate::features::records::plain::Plain;
use crate::features::records::row::{Id, Parsed, Pence, row};
use crate::features::records::table::Table;
use crate::features::records::trash::Files;
use crate::features::settings;
use crate::platform::db::{Result, Tx, from_json, is_unique_violation, to_json};
use crate::platform::error::ApiError;
use crate::platform::extract::ArrangedListQuery;
use forecourt_core::agreements::AgreementState;
use forecourt_core::date::Date;
use forecourt_core::history::{HistoryAction, changes};
use forecourt_core::lists::Today;
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use forecourt_core::permissions::ResourceId;
use forecourt_core::vehicles::{
    Cost, CostKind, Fuel, InStock, MileageUnit, Ownership, PAGE_SIZE, StoredVehicle, Transmission, VatScheme, Vehicle,
    VehicleInput, VehicleNumber, VehicleStatus, costs_net, deletion_error, name, taken_errors,
};
use uuid::Uuid;

row! {
    pub struct VehicleRow for Vehicle {
        texts: name, vin, registration_number, registration_country, make, model, variant, body, colour, mileage_remark,
            location, notes;
        vehicle_id: Id,
        stock_number: i64 => forecourt_core::vehicles::stock_number(stock_number),
        model_year, mileage: Option<i64>,
        first_registered, in_stock_on: Option<Parsed<Date>>,
        fuel: Option<Parsed<Fuel>>,
        transmission: Option<Parsed<Transmission>>,
        mileage_unit: Parsed<MileageUnit>,
        status: Parsed<VehicleStatus>,
        ownership: Parsed<Ownership>,
        vat_scheme: Parsed<VatScheme>,
        asking_price, purchase_price, minimum_price: Option<Pence>,
        costs: String => read_costs(&costs)?,
        photos: String => stored_photos(&photos)?,
        is_signed["signed_count"]: i64 => is_signed > 0,
    }
    photo_count: photos.len() as u32,
}

impl Entity for Vehicle {
    type Resource = Vehicles;
    type Row = VehicleRow;
    type Query = ArrangedListQuery<Vehicle, PAGE_SIZE>;
    const LISTING: &'static Listing = &VEHICLES;
    const TABLE: Table = Table::new("vehicles", &[VehicleRow::NAMES, &["costs_net", "erased_version"]]);
    const FILES: &'static [Files] = &[PHOTOS];
    const MAY_REFUSE_DELETION: bool = true;
    const IN_AGREEMENTS: Option<(&'static str, &'static str)> = Some(("agreement_vehicles", "vehicle"));
    const HAS_UNIQUE_VALUES: bool = true;

    fn in_list(mut self) -> Self {
        self.photos.truncate(1);
        self
    }

    fn deletion_error(&self, agreements: &[AgreementState]) -> Option<&'static Message> {
        deletion_error(self.status, agreements)
    }

    fn write_error(error: sqlx::Error) -> ApiError {
        match taken_number(&error) {
            Some(number) => taken_errors(number, None).into(),
            None => error.into(),
        }
    }

    fn named_write_error(&self, error: sqlx::Error) -> ApiError {
        match taken_number(&error) {
            Some(number) => taken_errors(number, Some(&self.name)).into(),
            None => error.into(),
        }
    }
}

/// Returns which number another vehicle in stock has already; `None` for any other error.
fn taken_number(error: &sqlx::Error) -> Option<VehicleNumber> {
    if is_unique_violation(error, "vehicles.vin", "vehicles_vin") {
        Some(VehicleNumber::Vin)
    } else if is_unique_violation(error, "vehicles.registration_number", "vehicles_plate") {
        Some(VehicleNumber::Registration)
    } else {
        None
    }
}

impl Plain for Vehicle {
    type Form = VehicleInput;

    async fn complete(scope: &Scope, today: &Today, form: VehicleInput) -> Result<VehicleInput> {
        let form = VehicleInput { today: Some(today.date()), ..form };
        match form.registration_country.as_deref().unwrap_or_default().trim() {
            "" => Ok(VehicleInput { own_country: Some(settings::read(scope).await?.country), ..form }),
            _ => Ok(form),
        }
    }

    async fn complete_change(
        &self,
        _: Option<&mut Tx>,
        _: &Scope,
        today: Date,
        form: VehicleInput,
    ) -> Result<VehicleInput> {
        Ok(VehicleInput { today: Some(today), ..form })
    }

    fn columns(form: &VehicleInput) -> Columns {
        let pence = |price: Option<Money>| price.map(Money::pence);
        let in_stock_on = match form.in_stock() {
            InStock::Since(day) => Some(day.to_string()),
            InStock::Unknown => None,
            // Each form that is saved has the current day, so that this never happens.
            InStock::Today => {
                tracing::error!("a vehicle that is in stock since today is saved without the day");
                None
            }
        };
        let ownership = form.ownership().map(Ownership::as_str);
        let vat_scheme = form.vat_scheme().map(VatScheme::as_str);
        Columns::default()
            .set_new("stock_number", Stored::Next(Counter::Stock))
            .set_text("name", &name(form))
            .set_text("vin", &form.vin)
            .set_text("registration_number", &form.registration_number)
            .set_text("registration_country", form.country())
            .set_text("make", &form.make)
            .set_text("model", &form.model)
            .set_text("variant", &form.variant)
            .set("model_year", form.model_year.value())
            .set_or_null("first_registered", &form.first_registered)
            .set_text("body", &form.body)
            .set_or_null("fuel", &form.fuel)
            .set_or_null("transmission", &form.transmission)
            .set_text("colour", &form.colour)
            .set("mileage", form.mileage.value())
            .set("mileage_unit", form.mileage_unit().map(MileageUnit::as_str))
            .set_text("mileage_remark", &form.mileage_remark)
            .set("status", form.status().map(VehicleStatus::as_str))
            .set_or("ownership", (!form.ownership.is_empty()).then_some(ownership), ownership)
            .set_or("vat_scheme", (!form.vat_scheme.is_empty()).then_some(vat_scheme), vat_scheme)
            .set("asking_price", form.asking_price().map(Money::pence))
            .set_or("purchase_price", form.purchase_price().map(pence), None)
            .set_or("minimum_price", form.minimum_price().map(pence), None)
            .set_or("costs", form.costs().map(|costs| write_costs(&costs)), write_costs(&[]))
            .set_or("costs_net", form.costs().map(|costs| pence(costs_net(&costs))), None)
            .set("in_stock_on", in_stock_on)
            .set_text("location", &form.location)
            .set_text("notes", &form.notes)
    }

    fn add_stored(&self, form: VehicleInput) -> VehicleInput {
        let stored = StoredVehicle {
            status: self.status,
            registration_country: self.registration_country.clone(),
            mileage: self.mileage,
            mileage_unit: self.mileage_unit,
            mileage_remark: self.mileage_remark.clone(),
            in_stock_on: self.in_stock_on,
            is_signed: self.is_signed,
        };
        VehicleInput { stored: Some(stored), ..form }
    }
}

/// A cost as it is stored: date, kind, net and VAT in pence, and note.
type StoredCost = (Date, CostKind, i64, i64, String);

fn write_costs(costs: &[Cost]) -> String {
    let stored = costs.iter().map(|cost| (cost.date, cost.kind, cost.net.pence(), cost.vat.pence(), &cost.note));
    // Serializing texts and numbers can't fail.
    to_json(&stored.collect::<Vec<_>>()).unwrap_or_default()
}

fn read_costs(json: &str) -> Result<Vec<Cost>> {
    let amount = Money::saturating_from_pence;
    let cost = |(date, kind, net, vat, note): StoredCost| Cost { date, kind, net: amount(net), vat: amount(vat), note };
    Ok(from_json::<Vec<StoredCost>>(json)?.into_iter().map(cost).collect())
}

/// Changes the asking price of a vehicle to this number of pence, and adds that to the history.
pub(crate) async fn set_asking_price(tx: &mut Tx, scope: &Scope, id: Uuid, pence: i64, now: i64) -> Result<()> {
    let row = listing::rows_in(Some(&mut *tx), scope, Vehicle::COLUMNS, &VEHICLES, vec![id]).one().await?;
    let before = Vehicle::from_row(row)?;
    let price = Columns::default().set("asking_price", pence);
    for after in columns::update_all::<Vehicle>(tx, scope, &[id], now, price).await? {
        let changes = changes(Some(&before), Some(&after), &[]);
        let entry = Entry::new(HistoryAction::Updated, ResourceId::Vehicles, id, &after.name, &changes)?;
        history::insert(tx, scope, now, vec![entry]).await?;
    }
    Ok(())
}
