//! The fields of vehicles.

use super::{
    Fuel, MileageUnit, NUMBER_PREFIX, Ownership, Transmission, VatScheme, Vehicle, VehicleStatus, normalize_plate,
    normalize_vin, text,
};
use crate::history::PHOTO_COUNT;
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
        Field::long_text("mileage_remark", Personal::Erased).labeled(text::MILEAGE_REMARK),
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
        // The notes of costs may contain personal data, but accounts must be kept.
        Field::new("costs", Kind::Costs, Personal::KeptForAccounting)
            .labeled(text::COSTS)
            .needing(ResourceId::VehiclesCosts),
        Field::new("in_stock_on", Kind::Date, Personal::No).labeled(text::IN_STOCK_ON),
        Field::text("location", Personal::No).labeled(text::LOCATION).in_bulk(),
        Field::long_text("notes", Personal::Erased).labeled(text::NOTES),
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
            // No field of the list. The history has the number.
            PHOTO_COUNT if self.photo_count > 0 => Cell::Number(self.photo_count.into()),
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
    use crate::history::{Change, ChangedValue, Past};
    use crate::lists::tests::check_record;
    use crate::lists::{Fields, Filter, hidden_fields};
    use crate::money::Money;
    use crate::permissions::Access;

    fn vehicle() -> Vehicle {
        let time = "2026-01-01T00:00:00.000Z";
        Vehicle {
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
        }
    }

    #[test]
    fn every_member_of_a_vehicle_in_json_but_its_photos_is_a_field() {
        check_record(&vehicle(), &["photos", "photo_count"]);
    }

    #[test]
    fn a_filter_finds_a_vin_and_a_registration_number_however_they_are_typed() {
        let finds = |field: &str, op: &str, value: serde_json::Value| {
            let condition = serde_json::json!({"field": field, "op": op, "value": value});
            let conditions = [serde_json::from_value(condition).unwrap()];
            Filter::read(Fields::all(Vehicle::FIELDS), &conditions).unwrap().matches(&vehicle())
        };
        for (op, value) in [("is", "ab12 cde"), ("starts_with", "AB-12"), ("contains", "2-CD")] {
            assert!(finds("registration_number", op, value.into()), "{op} {value}");
        }
        assert!(finds("registration_number", "in", serde_json::json!(["X1", "ab12-cde"])));
        assert!(!finds("registration_number", "is_not", "AB12 CDE".into()));
        for (op, value) in [("is", "yv1-zw25-50n234/5678"), ("starts_with", "YV1 ZW"), ("contains", "25-50")] {
            assert!(finds("vin", op, value.into()), "{op} {value}");
        }
    }

    #[test]
    fn the_past_of_a_vehicle_has_the_number_of_its_photos() {
        let change = |before: Option<i64>, after: i64| Change {
            field: PHOTO_COUNT.to_owned(),
            before: before.map(ChangedValue::Number),
            after: Some(ChangedValue::Number(after)),
        };
        let number = |later: Vec<Change>| {
            let mut past = Past::default();
            later.into_iter().for_each(|change| past.add(vec![change]));
            let values = past.values(Some(&Vehicle { photo_count: 2, ..vehicle() }));
            let photos = values.into_iter().find(|value| value.field == PHOTO_COUNT).unwrap();
            (photos.value, photos.present, photos.is_changed)
        };
        let two = Some(ChangedValue::Number(2));
        assert_eq!(number(vec![change(None, 1), change(Some(1), 2)]), (None, two.clone(), true));
        assert_eq!(number(vec![]), (two.clone(), two, false));
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
