//! The fields of vehicles.

use super::{
    Fuel, MileageUnit, NUMBER_PREFIX, Ownership, Transmission, VatScheme, Vehicle, VehicleStatus, normalize_plate,
    normalize_vin, text,
};
use crate::lists::{Cell, Field, Kind, Personal, Record};
use crate::permissions::ResourceId;

impl Record for Vehicle {
    const FIELDS: &'static [Field] = &[
        Field::new("vehicle_id", Kind::Id, Personal::No),
        Field::new("stock_number", Kind::Serial(NUMBER_PREFIX), Personal::No).labeled(text::STOCK_NUMBER),
        Field::text("name", Personal::No).labeled(text::VEHICLE).derived(),
        Field::text("vin", Personal::No).labeled(text::VIN).normalized(normalize_vin),
        Field::text("registration_number", Personal::No).labeled(text::REGISTRATION_NUMBER).normalized(normalize_plate),
        Field::text("registration_country", Personal::No).labeled(text::REGISTRATION_COUNTRY),
        Field::text("make", Personal::No).labeled(text::MAKE),
        Field::text("model", Personal::No).labeled(text::MODEL),
        Field::text("variant", Personal::No).labeled(text::VARIANT).in_bulk(),
        Field::new("model_year", Kind::Number, Personal::No).labeled(text::MODEL_YEAR).in_bulk(),
        Field::new("first_registered", Kind::Date, Personal::No).labeled(text::FIRST_REGISTERED),
        Field::text("body", Personal::No).labeled(text::BODY).in_bulk(),
        Field::new("fuel", Kind::Choice(Fuel::NAMES), Personal::No).labeled(text::FUEL).in_bulk(),
        Field::new("transmission", Kind::Choice(Transmission::NAMES), Personal::No)
            .labeled(text::TRANSMISSION)
            .in_bulk(),
        Field::text("colour", Personal::No).labeled(text::COLOUR).in_bulk(),
        Field::new("mileage", Kind::Number, Personal::No).labeled(text::MILEAGE),
        Field::new("mileage_unit", Kind::Choice(MileageUnit::NAMES), Personal::No).labeled(text::MILEAGE_UNIT),
        Field::text("mileage_remark", Personal::Erased).labeled(text::MILEAGE_REMARK),
        Field::new("status", Kind::Choice(VehicleStatus::NAMES), Personal::No).in_bulk().required(),
        Field::new("ownership", Kind::Choice(Ownership::NAMES), Personal::No)
            .labeled(text::OWNERSHIP)
            .in_bulk()
            .required(),
        Field::new("vat_scheme", Kind::Choice(VatScheme::NAMES), Personal::No)
            .labeled(text::VAT_SCHEME)
            .in_bulk()
            .required(),
        Field::new("asking_price", Kind::OwnMoney, Personal::No).labeled(text::ASKING_PRICE),
        Field::new("purchase_price", Kind::OwnMoney, Personal::No)
            .labeled(text::PURCHASE_PRICE)
            .needing(ResourceId::VehiclesCosts),
        Field::new("minimum_price", Kind::OwnMoney, Personal::No)
            .labeled(text::MINIMUM_PRICE)
            .needing(ResourceId::VehiclesCosts),
        // Their notes are part of the accounts.
        Field::new("costs", Kind::Costs, Personal::KeptForAccounting)
            .labeled(text::COSTS)
            .needing(ResourceId::VehiclesCosts),
        Field::new("in_stock_on", Kind::Date, Personal::No).labeled(text::IN_STOCK_ON),
        Field::text("location", Personal::No).labeled(text::LOCATION).in_bulk(),
        Field::text("notes", Personal::Erased).labeled(text::NOTES),
        Field::new("created_at", Kind::Time, Personal::No).labeled(text::CREATED_AT),
        Field::new("updated_at", Kind::Time, Personal::No).labeled(text::UPDATED_AT),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "vehicle_id" => Cell::Id(&self.vehicle_id),
            "stock_number" => Cell::Serial(NUMBER_PREFIX, &self.stock_number),
            "name" => Cell::Text(&self.name),
            "vin" => Cell::Text(&self.vin),
            "registration_number" => Cell::Text(&self.registration_number),
            "registration_country" => Cell::Text(&self.registration_country),
            "make" => Cell::Text(&self.make),
            "model" => Cell::Text(&self.model),
            "variant" => Cell::Text(&self.variant),
            "model_year" => self.model_year.map_or(Cell::Empty, Cell::Number),
            "first_registered" => self.first_registered.map_or(Cell::Empty, Cell::Date),
            "body" => Cell::Text(&self.body),
            "fuel" => self.fuel.map_or(Cell::Empty, |fuel| Cell::Choice(fuel.as_str())),
            "transmission" => self.transmission.map_or(Cell::Empty, |kind| Cell::Choice(kind.as_str())),
            "colour" => Cell::Text(&self.colour),
            "mileage" => self.mileage.map_or(Cell::Empty, Cell::Number),
            "mileage_unit" => Cell::Choice(self.mileage_unit.as_str()),
            "mileage_remark" => Cell::Text(&self.mileage_remark),
            "status" => Cell::Choice(self.status.as_str()),
            "ownership" => Cell::Choice(self.ownership.as_str()),
            "vat_scheme" => Cell::Choice(self.vat_scheme.as_str()),
            "asking_price" => self.asking_price.map_or(Cell::Empty, Cell::Money),
            "purchase_price" => self.purchase_price.map_or(Cell::Empty, Cell::Money),
            "minimum_price" => self.minimum_price.map_or(Cell::Empty, Cell::Money),
            "costs" => Cell::Costs(&self.costs),
            "in_stock_on" => self.in_stock_on.map_or(Cell::Empty, Cell::Date),
            "location" => Cell::Text(&self.location),
            "notes" => Cell::Text(&self.notes),
            "created_at" => Cell::Time(&self.created_at),
            "updated_at" => Cell::Time(&self.updated_at),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
        }
    }

    fn hide(&mut self, field: &str) {
        match field {
            "purchase_price" => self.purchase_price = None,
            "minimum_price" => self.minimum_price = None,
            "costs" => self.costs.clear(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cost, CostKind, VehicleInput};
    use super::*;
    use crate::date::Date;
    use crate::form::Form;
    use crate::lists::hidden_fields;
    use crate::lists::tests::check_record;
    use crate::money::Money;
    use crate::permissions::Access;

    #[test]
    fn every_member_of_a_vehicle_but_its_photos_is_a_field() {
        let time = "2026-01-01T00:00:00.000Z";
        let vehicle = Vehicle {
            vehicle_id: "01900000-0000-7000-8000-000000000000".into(),
            stock_number: "S-1042".into(),
            name: "Volvo V60, AB12 CDE".into(),
            vin: "YV1ZW2550N2345678".into(),
            registration_number: "AB12CDE".into(),
            registration_country: "GB".into(),
            make: "Volvo".into(),
            model: "V60".into(),
            variant: "D4".into(),
            model_year: Some(2022),
            first_registered: Date::parse("2022-03-01"),
            body: "Estate".into(),
            fuel: Some(Fuel::PlugInHybrid),
            transmission: Some(Transmission::Automatic),
            colour: "Blue".into(),
            mileage: Some(23_400),
            mileage_unit: MileageUnit::Miles,
            mileage_remark: "New instrument".into(),
            status: VehicleStatus::InStock,
            ownership: Ownership::Own,
            vat_scheme: VatScheme::Margin,
            asking_price: Some(Money::saturating_from_pence(1_899_500)),
            purchase_price: Some(Money::saturating_from_pence(1_500_000)),
            minimum_price: Some(Money::saturating_from_pence(1_800_000)),
            costs: vec![Cost {
                date: Date::parse("2026-11-20").unwrap(),
                kind: CostKind::Tyres,
                net: Money::saturating_from_pence(41_500),
                vat: Money::saturating_from_pence(8_300),
                note: "Four summer tyres".into(),
            }],
            in_stock_on: Date::parse("2026-09-19"),
            location: "Forecourt 2".into(),
            notes: "Two keys".into(),
            photos: Vec::new(),
            photo_count: 0,
            is_signed: false,
            created_at: time.into(),
            updated_at: time.into(),
            version: 1,
        };
        check_record(&vehicle, &["photos", "photo_count"]);
    }

    #[test]
    fn a_form_without_the_hidden_fields_leaves_them_unchanged() {
        let json = serde_json::json!({"purchase_price": 1, "minimum_price": 1, "costs": [], "asking_price": 1});
        let mut form: VehicleInput = serde_json::from_value(json).unwrap();
        let hidden: Vec<_> = hidden_fields::<Vehicle>(&Access::default()).collect();
        assert_eq!(hidden, ["purchase_price", "minimum_price", "costs"]);
        hidden.iter().for_each(|field| form.omit(field));
        assert_eq!((form.purchase_price(), form.minimum_price(), form.costs()), (None, None, None));
        assert!(form.asking_price().is_some());
    }
}
