//! The fields of vehicles.

use super::{
    Fuel, MileageUnit, NUMBER_PREFIX, Ownership, Transmission, VatScheme, Vehicle, VehicleStatus, normalize_plate,
    normalize_vin, text,
};
use crate::history::PHOTO_COUNT;
use crate::lists::{Cell, Field, Kind, Personal, Record, fields};
use crate::permissions::ResourceId;

impl Record for Vehicle {
    fields!(
        vehicle_id = Field::new(Kind::Id),
        stock_number = Field::new(Kind::Serial(NUMBER_PREFIX)).labeled(text::STOCK_NUMBER),
        name = Field::text(Personal::Business).labeled(text::VEHICLE).derived(),
        vin = Field::text(Personal::Business).labeled(text::VIN).normalized(normalize_vin),
        registration_number =
            Field::text(Personal::Business).labeled(text::REGISTRATION_NUMBER).normalized(normalize_plate),
        registration_country = Field::text(Personal::Business).labeled(text::REGISTRATION_COUNTRY),
        make = Field::text(Personal::Business).labeled(text::MAKE),
        model = Field::text(Personal::Business).labeled(text::MODEL),
        variant = Field::text(Personal::Business).labeled(text::VARIANT).in_bulk(),
        model_year = Field::new(Kind::Number).labeled(text::MODEL_YEAR).in_bulk(),
        first_registered = Field::new(Kind::Date).labeled(text::FIRST_REGISTERED),
        body = Field::text(Personal::Business).labeled(text::BODY).in_bulk(),
        fuel = Field::new(Kind::Choice(Fuel::NAMES)).labeled(text::FUEL).in_bulk(),
        transmission = Field::new(Kind::Choice(Transmission::NAMES)).labeled(text::TRANSMISSION).in_bulk(),
        colour = Field::text(Personal::Business).labeled(text::COLOUR).in_bulk(),
        mileage = Field::new(Kind::Number).labeled(text::MILEAGE),
        mileage_unit = Field::new(Kind::Choice(MileageUnit::NAMES)).labeled(text::MILEAGE_UNIT),
        mileage_remark = Field::long_text(Personal::Erased).labeled(text::MILEAGE_REMARK),
        status = Field::new(Kind::Choice(VehicleStatus::NAMES)).in_bulk().required(),
        ownership = Field::new(Kind::Choice(Ownership::NAMES)).labeled(text::OWNERSHIP).in_bulk().required(),
        vat_scheme = Field::new(Kind::Choice(VatScheme::NAMES)).labeled(text::VAT_SCHEME).in_bulk().required(),
        asking_price = Field::new(Kind::OwnMoney).labeled(text::ASKING_PRICE),
        purchase_price = Field::new(Kind::OwnMoney).labeled(text::PURCHASE_PRICE).needing(ResourceId::VehiclesCosts),
        minimum_price = Field::new(Kind::OwnMoney).labeled(text::MINIMUM_PRICE).needing(ResourceId::VehiclesCosts),
        // The notes of costs may contain personal data, but accounts must be kept.
        costs = Field::new(Kind::Costs)
            .personal(Personal::KeptForAccounting)
            .labeled(text::COSTS)
            .needing(ResourceId::VehiclesCosts),
        in_stock_on = Field::new(Kind::Date).labeled(text::IN_STOCK_ON),
        location = Field::text(Personal::Business).in_bulk(),
        notes = Field::long_text(Personal::Erased),
        created_at = Field::new(Kind::Time),
        updated_at = Field::new(Kind::Time),
        version = Field::new(Kind::Number).not_exported(),
    );

    /// The number of photos.
    fn other_cell(&self, field: &str) -> Cell<'_> {
        match field {
            PHOTO_COUNT if self.photo_count > 0 => Cell::Number(self.photo_count.into()),
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
    use crate::lists::{Fields, Filter, Today, hidden_fields};
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
    fn a_filter_finds_a_vin_and_a_registration_number_however_they_are_typed() {
        let finds = |field: &str, op: &str, value: serde_json::Value| {
            let condition = serde_json::json!({"field": field, "op": op, "value": value});
            let conditions = [serde_json::from_value(condition).unwrap()];
            Filter::read(Fields::all(Vehicle::FIELDS), &conditions, &Today::default()).unwrap().matches(&vehicle())
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
        let hidden: Vec<_> = hidden_fields::<Vehicle>(&Access::default()).collect();
        assert_eq!(hidden, ["purchase_price", "minimum_price", "costs"]);
        let names = [Some(text::PURCHASE_PRICE), Some(text::MINIMUM_PRICE), Some(text::COSTS)];
        for (price, costs, names) in [("1", serde_json::json!([{}]), names), (" ", serde_json::json!([]), [None; 3])] {
            let json = serde_json::json!({"purchase_price": price, "minimum_price": price, "costs": costs,
                "asking_price": 1});
            let mut form: VehicleInput = serde_json::from_value(json).unwrap();
            assert_eq!(hidden.iter().map(|field| form.omit(field)).collect::<Vec<_>>(), names);
            assert_eq!((form.purchase_price(), form.minimum_price(), form.costs()), (None, None, None));
            assert!(form.asking_price().is_some());
        }
    }
}
