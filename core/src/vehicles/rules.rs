//! Rules of vehicles.

use super::plate::{PLATE_MAX, normalize_plate};
use super::status::status_error;
use super::vin::{normalize_vin, vin_error};
use super::{DEFAULT_COUNTRY, Fuel, Ownership, Transmission, VatScheme, VehicleInput, VehicleStatus, text};
use crate::agreements::AgreementState;
use crate::date::Date;
use crate::form::{Form, Rules, Texts, normalize_line};
use crate::invoices::Price;
use crate::message::Message;
use crate::money::Money;
use crate::text::{DATE_INVALID, DAY_IN_FUTURE, PRICE_INVALID};

const TEXT_MAX: u64 = 100;
const NOTES_MAX: u64 = 10_000;
/// The year of the first car.
const FIRST_YEAR: i64 = 1886;
const LAST_YEAR: i64 = 9999;

/// Returns why a vehicle can't be deleted; `None` if it can be. `agreements` are the states of those that it is in.
pub fn deletion_error(status: VehicleStatus, agreements: &[AgreementState]) -> Option<&'static Message> {
    if status == VehicleStatus::Sold {
        Some(text::SOLD_STAYS)
    } else if agreements.iter().any(|state| state.is_delivered()) {
        Some(text::IN_DELIVERED_AGREEMENT)
    } else {
        agreements.iter().any(|state| state.is_binding()).then_some(text::IN_SIGNED_AGREEMENT)
    }
}

impl VehicleInput {
    /// Returns the country of registration: that of the form, or the stored one if the form omits it. If it is empty,
    /// the vehicle has that of the corporation.
    pub fn country(&self) -> &str {
        let stored = || self.stored.as_ref().map(|stored| &stored.registration_country);
        let country = self.registration_country.as_ref().or_else(stored).filter(|country| !country.is_empty());
        country.or(self.own_country.as_ref()).map_or(DEFAULT_COUNTRY, String::as_str)
    }

    /// Returns the model year, or `None` if it is empty or invalid.
    pub fn model_year(&self) -> Option<i64> {
        self.model_year.value().filter(|year| (FIRST_YEAR..=LAST_YEAR).contains(year))
    }

    /// Returns the form's status or, if that is empty, the stored one, and In stock for a new vehicle. `None` if the
    /// text is not a status.
    pub fn status(&self) -> Option<VehicleStatus> {
        match self.status.as_str() {
            "" => Some(self.stored.as_ref().map_or(VehicleStatus::InStock, |stored| stored.status)),
            status => VehicleStatus::parse(status),
        }
    }

    /// Returns the ownership, or `None` if the text is not one. An empty text counts as Own, but an update with one
    /// keeps the stored ownership.
    pub fn ownership(&self) -> Option<Ownership> {
        if self.ownership.is_empty() { Some(Ownership::Own) } else { Ownership::parse(&self.ownership) }
    }

    /// Returns the VAT scheme, or `None` if the text is not one. An empty text counts as Margin, but an update with one
    /// keeps the stored scheme.
    pub fn vat_scheme(&self) -> Option<VatScheme> {
        if self.vat_scheme.is_empty() { Some(VatScheme::Margin) } else { VatScheme::parse(&self.vat_scheme) }
    }

    /// Returns the asking price, or `None` if it is empty, invalid or not greater than 0.
    pub fn asking_price(&self) -> Option<Money> {
        self.asking_price.positive()
    }
}

impl Form for VehicleInput {
    fn omit(&mut self, field: &str) -> Option<&'static Message> {
        let is_price = |price: Option<Price>| price.is_some_and(|price| !price.is_empty());
        let (is_given, name) = match field {
            "purchase_price" => (is_price(self.purchase_price.take()), text::PURCHASE_PRICE),
            "minimum_price" => (is_price(self.minimum_price.take()), text::MINIMUM_PRICE),
            "costs" => (self.costs.take().is_some_and(|costs| !costs.is_empty()), text::COSTS),
            _ => return None,
        };
        is_given.then_some(name)
    }

    fn normalize(&mut self) {
        self.normalize_texts();
        for text in [&mut self.registration_country, &mut self.mileage_unit, &mut self.in_stock_on] {
            text.iter_mut().for_each(normalize_line);
        }
        self.normalize_costs();
        self.vin = normalize_vin(&self.vin);
        self.registration_number = normalize_plate(&self.registration_number);
        if let Some(country) = &mut self.registration_country {
            country.make_ascii_uppercase();
        }
    }

    fn rules(&self, rules: &mut Rules) {
        let is_identified = !self.registration_number.is_empty() || !self.vin.is_empty();
        rules
            .field("registration_number", &self.registration_number)
            .matches(|_| is_identified, text::NUMBER_REQUIRED)
            .max(PLATE_MAX);
        let country = self.country().as_bytes();
        let is_country = country.len() == 2 && country.iter().all(u8::is_ascii_uppercase);
        rules.require("registration_country", is_country, text::COUNTRY_INVALID);
        if let Some(error) =
            Some(&self.vin).filter(|vin| !vin.is_empty()).and_then(|vin| vin_error(vin, self.model_year()))
        {
            rules.require("vin", false, error);
        }
        for (field, value) in [("make", &self.make), ("model", &self.model), ("variant", &self.variant)] {
            rules.field(field, value).max(TEXT_MAX);
        }
        rules.require(
            "model_year",
            self.model_year.is_empty() || self.model_year().is_some(),
            text::MODEL_YEAR_INVALID,
        );
        rules.field("first_registered", &self.first_registered).parses(Date::parse, DATE_INVALID);
        rules.field("body", &self.body).max(TEXT_MAX);
        rules.field("fuel", &self.fuel).one_of(Fuel::NAMES);
        rules.field("transmission", &self.transmission).one_of(Transmission::NAMES);
        rules.field("colour", &self.colour).max(TEXT_MAX);
        self.declare_mileage_rules(rules);
        match self.status() {
            None => rules.require_choice("status", false, VehicleStatus::NAMES),
            Some(status) => {
                if let Some(error) = status_error(self.stored.as_ref().map(|stored| stored.status), status) {
                    rules.require("status", false, error);
                }
                let stored = self.stored.as_ref();
                let is_freed = stored.is_some_and(|stored| {
                    stored.is_signed && stored.status == VehicleStatus::Reserved && status != VehicleStatus::Reserved
                });
                rules.require("status", !is_freed, text::HELD_BY_AGREEMENT);
            }
        }
        rules.field("ownership", &self.ownership).one_of(Ownership::NAMES);
        rules.field("vat_scheme", &self.vat_scheme).one_of(VatScheme::NAMES);
        let is_price = self.asking_price.is_empty() || self.asking_price().is_some();
        rules.require("asking_price", is_price, PRICE_INVALID);
        self.declare_cost_rules(rules);
        let in_stock_on = self.in_stock_on.as_deref().unwrap_or_default();
        rules.field("in_stock_on", in_stock_on).parses(Date::parse, DATE_INVALID);
        rules.require("in_stock_on", !self.gets_future_day(), DAY_IN_FUTURE);
        rules.field("location", &self.location).max(TEXT_MAX);
        rules.field("notes", &self.notes).max(NOTES_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MileageUnit, StoredVehicle, Whole, types};
    use super::*;
    use crate::form::{check, errors_as_texts};
    use proptest::prelude::*;
    use types::VehicleStatus::{Expected, InStock, Reserved, Sold};

    fn valid() -> VehicleInput {
        VehicleInput { registration_number: "AB12 CDE".into(), ..VehicleInput::default() }
    }

    fn stored(status: VehicleStatus) -> Option<StoredVehicle> {
        Some(StoredVehicle {
            status,
            registration_country: "SE".into(),
            mileage: None,
            mileage_unit: MileageUnit::Miles,
            mileage_remark: String::new(),
            in_stock_on: None,
            is_signed: false,
        })
    }

    fn fields(form: VehicleInput) -> Vec<String> {
        errors_as_texts(form).iter().map(|error| error.split(": ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_vehicle_needs_a_registration_number_or_a_vin_and_nothing_else() {
        assert_eq!(
            errors_as_texts(VehicleInput::default()),
            [format!("registration_number: {}", text::NUMBER_REQUIRED)]
        );
        let invisible = VehicleInput { registration_number: "\u{200b}".into(), ..VehicleInput::default() };
        assert_eq!(fields(invisible), ["registration_number"]);
        assert!(errors_as_texts(valid()).is_empty());
        let form = VehicleInput { vin: "wp0zzz99zts392124".into(), ..VehicleInput::default() };
        let checked = check(form).unwrap();
        assert_eq!((checked.vin.as_str(), checked.status()), ("WP0ZZZ99ZTS392124", Some(InStock)));
    }

    #[test]
    fn each_invalid_value_is_an_error_of_its_field_in_screen_order() {
        let form = VehicleInput {
            registration_number: "A".repeat(16),
            registration_country: Some("GBR".into()),
            vin: "X".into(),
            make: "M".repeat(101),
            model_year: Whole("18850".into()),
            first_registered: "2026-02-30".into(),
            fuel: "Coal".into(),
            transmission: "None".into(),
            mileage: Whole("-1".into()),
            mileage_unit: Some("mil".into()),
            status: "In Stock".into(),
            ownership: "Rented".into(),
            vat_scheme: "None".into(),
            asking_price: Price::Text("0".into()),
            notes: "N".repeat(10_001),
            ..VehicleInput::default()
        };
        let names = [
            "registration_number",
            "registration_country",
            "vin",
            "make",
            "model_year",
            "first_registered",
            "fuel",
            "transmission",
            "mileage",
            "mileage_unit",
            "status",
            "ownership",
            "vat_scheme",
            "asking_price",
            "notes",
        ];
        assert_eq!(fields(form), names);
    }

    #[test]
    fn the_error_of_an_unknown_choice_names_the_choices() {
        let form = VehicleInput { vat_scheme: "None".into(), ..valid() };
        assert_eq!(errors_as_texts(form), ["vat_scheme: Choose one of: Margin, Standard."]);
    }

    #[test]
    fn a_status_that_can_not_follow_is_an_error_of_its_field() {
        let form = |status: VehicleStatus, stored| VehicleInput { status: status.as_str().into(), stored, ..valid() };
        assert!(errors_as_texts(form(Reserved, stored(InStock))).is_empty());
        assert_eq!(errors_as_texts(form(Sold, None)), [format!("status: {}", text::SOLD_BY_AGREEMENT)]);
        assert_eq!(errors_as_texts(form(InStock, stored(Sold))), [format!("status: {}", text::SOLD_IS_FINAL)]);
        assert_eq!(VehicleInput { stored: stored(Reserved), ..valid() }.status(), Some(Reserved));
    }

    #[test]
    fn an_update_keeps_the_country_and_the_mileage_unit_that_it_omits() {
        let form = |country: Option<&str>, unit: Option<&str>, stored| VehicleInput {
            registration_country: country.map(Into::into),
            mileage_unit: unit.map(Into::into),
            own_country: Some("DE".into()),
            stored,
            ..valid()
        };
        let values = |form: VehicleInput| {
            let checked = check(form).unwrap();
            (checked.country().to_owned(), checked.mileage_unit())
        };
        let (miles, kilometres) = (Some(MileageUnit::Miles), Some(MileageUnit::Kilometres));
        assert_eq!(values(form(None, None, stored(InStock))), ("SE".into(), miles));
        assert_eq!(values(form(Some(" "), Some(""), stored(InStock))), ("DE".into(), kilometres));
        assert_eq!(values(form(Some("gb"), Some("km"), stored(InStock))), ("GB".into(), kilometres));
        assert_eq!(values(form(None, None, None)), ("DE".into(), kilometres));
    }

    #[test]
    fn a_signed_agreement_holds_its_vehicles() {
        let signed = |status| stored(status).map(|stored| StoredVehicle { is_signed: true, ..stored });
        let errors = |before, after: VehicleStatus| {
            errors_as_texts(VehicleInput { status: after.as_str().into(), stored: signed(before), ..valid() })
        };
        assert_eq!(errors(Reserved, InStock), [format!("status: {}", text::HELD_BY_AGREEMENT)]);
        assert!(errors(Reserved, Reserved).is_empty());
        // One that comes in is not held.
        assert!(errors(Expected, InStock).is_empty());
    }

    #[test]
    fn a_vehicle_that_is_sold_or_in_a_binding_agreement_can_not_be_deleted() {
        use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
        for (status, agreements, error) in [
            (Reserved, &[Draft, Offered, Cancelled][..], None),
            (Reserved, &[Draft, Signed], Some(text::IN_SIGNED_AGREEMENT)),
            (InStock, &[Closed, Draft], Some(text::IN_DELIVERED_AGREEMENT)),
            // It was taken in part exchange, and is promised to the next customer.
            (Reserved, &[Signed, Delivered], Some(text::IN_DELIVERED_AGREEMENT)),
            (Sold, &[], Some(text::SOLD_STAYS)),
            (Sold, &[Delivered], Some(text::SOLD_STAYS)),
        ] {
            assert_eq!(deletion_error(status, agreements), error, "{status:?} {agreements:?}");
        }
    }

    #[test]
    fn numbers_are_numbers_or_texts() {
        let read = |json: &str| serde_json::from_str::<VehicleInput>(json);
        assert_eq!(
            read(r#"{"model_year":2020,"mileage":" 5 ","asking_price":19.99}"#).unwrap().model_year.value(),
            Some(2020)
        );
        assert_eq!(read(r#"{"mileage":null}"#).unwrap().mileage, Whole::default());
        assert_eq!(read(r#"{"mileage":12000.0}"#).unwrap().mileage, Whole("12000".into()));
        let fraction = read(r#"{"mileage":1.5}"#).unwrap().mileage;
        assert_eq!(fields(VehicleInput { mileage: fraction, ..valid() }), ["mileage"]);
    }

    proptest! {
        #[test]
        fn checking_a_checked_form_changes_nothing(vin in "\\PC{0,20}", plate in "\\PC{1,12}", country in "[A-Za-z]{0,2}", year in "[0-9]{0,4}") {
            let form = VehicleInput { vin, registration_number: plate, registration_country: Some(country), model_year: Whole(year), ..VehicleInput::default() };
            if let Ok(checked) = check(form) {
                let once = checked.into_inner();
                prop_assert_eq!(check(once.clone()).map(crate::form::Checked::into_inner), Ok(once));
            }
        }
    }
}
