//! Vehicles in the database.

use super::photo_store::{PHOTOS, stored_photos};
use crate::access::scope::{Scope, Vehicles};
use crate::features::history::{self, Entry};
use crate::features::listing::{self, Listing, VEHICLES};
use crate::features::records::columns::{self, Base, Columns, Counter, Stored};
use crate::features::records::plain::Plain;
use crate::features::records::row::row;
use crate::features::records::table::Table;
use crate::features::records::trash::Files;
use crate::features::records::{CheckedForm, Entity, PersonalColumn};
use crate::features::settings;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Tx, from_json, is_unique_violation, to_json};
use crate::platform::error::ApiError;
use crate::platform::extract::ArrangedListQuery;
use forecourt_core::date::Date;
use forecourt_core::form::{FormSettings, check_with};
use forecourt_core::history::{HistoryAction, changes};
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use forecourt_core::permissions::ResourceId;
use forecourt_core::vehicles::{
    Cost, CostKind, Fuel, InStock, MileageUnit, Ownership, PAGE_SIZE, StoredVehicle, Transmission, VatScheme, Vehicle,
    VehicleInput, VehicleStatus, costs_net, deletion_error, name, stock_number, taken_errors, text,
};
use uuid::Uuid;

row! {
    pub struct VehicleRow {
        vehicle_id: Uuid,
        stock_number: i64,
        name: String,
        vin: String,
        registration_number: String,
        registration_country: String,
        make: String,
        model: String,
        variant: String,
        model_year: Option<i64>,
        first_registered: Option<String>,
        body: String,
        fuel: Option<String>,
        transmission: Option<String>,
        colour: String,
        mileage: Option<i64>,
        mileage_unit: String,
        mileage_remark: String,
        status: String,
        ownership: String,
        vat_scheme: String,
        asking_price: Option<i64>,
        purchase_price: Option<i64>,
        minimum_price: Option<i64>,
        costs: String,
        in_stock_on: Option<String>,
        location: String,
        notes: String,
        photos: String,
        signed_count: i64,
        created_at: i64,
        updated_at: i64,
        version: i64,
    }
}

impl Entity for Vehicle {
    type Resource = Vehicles;
    type Row = VehicleRow;
    type Query = ArrangedListQuery<Vehicle>;
    const LISTING: &'static Listing = &VEHICLES;
    const PAGE_SIZE: u32 = PAGE_SIZE;
    const TABLE: Table = Table {
        name: "vehicles",
        columns: &[
            VehicleRow::NAMES,
            &[
                "costs_net",
                "name_key",
                "vin_key",
                "registration_number_key",
                "registration_country_key",
                "make_key",
                "model_key",
                "variant_key",
                "body_key",
                "colour_key",
                "mileage_remark_key",
                "location_key",
                "notes_key",
            ],
        ],
        references: &[],
    };
    const FILES: &'static [Files] = &[PHOTOS];
    const PERSONAL: &'static [PersonalColumn] = &[
        PersonalColumn::new("mileage_remark", "mileage_remark", "mileage_remark_key"),
        PersonalColumn::new("notes", "notes", "notes_key"),
    ];
    const ID: &'static str = "vehicle_id";
    const LABEL: &'static str = "name";
    const DELETED: &'static Message = text::DELETED;
    const MAY_REFUSE_DELETION: bool = true;

    fn from_row(row: VehicleRow) -> Result<Self> {
        let invalid = |column: &str| sqlx::Error::Decode(format!("vehicle {}: {column}", row.vehicle_id).into());
        let date = |text: String| Date::parse(&text).ok_or_else(|| invalid("a date"));
        let fuel = |text: String| Fuel::parse(&text).ok_or_else(|| invalid("fuel"));
        let transmission = |text: String| Transmission::parse(&text).ok_or_else(|| invalid("transmission"));
        let price = |pence| Money::from_pence(pence).ok_or_else(|| invalid("a price"));
        let photos = stored_photos(&row.photos)?;
        Ok(Vehicle {
            first_registered: row.first_registered.map(date).transpose()?,
            fuel: row.fuel.map(fuel).transpose()?,
            transmission: row.transmission.map(transmission).transpose()?,
            mileage_unit: MileageUnit::parse(&row.mileage_unit).ok_or_else(|| invalid("mileage_unit"))?,
            status: VehicleStatus::parse(&row.status).ok_or_else(|| invalid("status"))?,
            ownership: Ownership::parse(&row.ownership).ok_or_else(|| invalid("ownership"))?,
            vat_scheme: VatScheme::parse(&row.vat_scheme).ok_or_else(|| invalid("vat_scheme"))?,
            asking_price: row.asking_price.map(price).transpose()?,
            purchase_price: row.purchase_price.map(price).transpose()?,
            minimum_price: row.minimum_price.map(price).transpose()?,
            costs: read_costs(&row.costs)?,
            in_stock_on: row.in_stock_on.map(date).transpose()?,
            vehicle_id: row.vehicle_id.to_string(),
            stock_number: stock_number(row.stock_number),
            name: row.name,
            vin: row.vin,
            registration_number: row.registration_number,
            registration_country: row.registration_country,
            make: row.make,
            model: row.model,
            variant: row.variant,
            model_year: row.model_year,
            body: row.body,
            colour: row.colour,
            mileage: row.mileage,
            mileage_remark: row.mileage_remark,
            location: row.location,
            notes: row.notes,
            photo_count: photos.len() as u32,
            photos,
            is_signed: row.signed_count > 0,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
        })
    }

    fn in_list(mut self) -> Self {
        self.photos.truncate(1);
        self
    }

    fn deletion_error(&self) -> Option<&'static Message> {
        deletion_error(self)
    }

    fn write_error(error: sqlx::Error) -> ApiError {
        if is_unique_violation(&error, "vehicles.vin", "vehicles_vin") {
            taken_errors(true).into()
        } else if is_unique_violation(&error, "vehicles.registration_number", "vehicles_plate") {
            taken_errors(false).into()
        } else {
            error.into()
        }
    }
}

impl Plain for Vehicle {
    type Form = VehicleInput;
    const CREATED: &'static Message = text::CREATED;
    const UPDATED: &'static Message = text::UPDATED;

    fn label(form: &VehicleInput) -> Option<String> {
        Some(name(form))
    }

    async fn complete(scope: &Scope, form: VehicleInput) -> Result<VehicleInput> {
        match form.registration_country.trim() {
            "" => Ok(VehicleInput { registration_country: settings::read(scope).await?.country, ..form }),
            _ => Ok(form),
        }
    }

    fn columns(form: &VehicleInput) -> Columns {
        let pence = |price: Option<Money>| price.map(Money::pence);
        let in_stock_on = match form.in_stock() {
            InStock::Unknown => Stored::Text(None),
            InStock::Since(day) => Stored::Text(Some(day.to_string())),
            InStock::Today => Stored::Today,
        };
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
            .set("first_registered", form.first_registered().map(|date| date.to_string()))
            .set_text("body", &form.body)
            .set("fuel", form.fuel().map(Fuel::as_str))
            .set("transmission", form.transmission().map(Transmission::as_str))
            .set_text("colour", &form.colour)
            .set("mileage", form.mileage.value())
            .set("mileage_unit", form.mileage_unit().map(MileageUnit::as_str))
            .set_text("mileage_remark", &form.mileage_remark)
            .set("status", form.status().map(VehicleStatus::as_str))
            .set("ownership", form.ownership().map(Ownership::as_str))
            .set("vat_scheme", form.vat_scheme().map(VatScheme::as_str))
            .set("asking_price", form.asking_price().map(Money::pence))
            .set_or("purchase_price", form.purchase_price().map(pence), None)
            .set_or("minimum_price", form.minimum_price().map(pence), None)
            .set_or("costs", form.costs().map(|costs| write_costs(&costs)), write_costs(&[]))
            .set_or("costs_net", form.costs().map(|costs| pence(costs_net(&costs))), None)
            .set("in_stock_on", in_stock_on)
            .set_text("location", &form.location)
            .set_text("notes", &form.notes)
    }

    fn base(form: &VehicleInput) -> Base {
        Base { version: form.version, updated_at: form.updated_at.clone() }
    }

    fn check(&self, settings: FormSettings, mut form: VehicleInput) -> CheckedForm<VehicleInput> {
        let Vehicle { status, mileage, mileage_unit, ref mileage_remark, in_stock_on, is_signed, .. } = *self;
        let mileage_remark = mileage_remark.clone();
        form.stored = Some(StoredVehicle { status, mileage, mileage_unit, mileage_remark, in_stock_on, is_signed });
        check_with(settings, form)
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
