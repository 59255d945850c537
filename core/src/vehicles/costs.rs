//! Rules of a vehicle's purchase price, minimum price and costs, and of the day from which it is in stock.

use super::{Cost, CostInput, CostKind, VehicleInput, VehicleStatus, text};
use crate::date::Date;
use crate::form::{Rules, normalize_fields};
use crate::invoices::Price;
use crate::money::Money;
use crate::text::PRICE_INVALID;

/// Maximum number of costs of a vehicle.
const COSTS_MAX: usize = 100;
const NOTE_MAX: u64 = 200;

/// Returns the total of the costs without VAT; `None` if there are none.
pub fn costs_net(costs: &[Cost]) -> Option<Money> {
    total(costs, |cost| cost.net)
}

/// Returns the total of the VAT of the costs; `None` if there are none.
pub fn costs_vat(costs: &[Cost]) -> Option<Money> {
    total(costs, |cost| cost.vat)
}

fn total(costs: &[Cost], amount: impl Fn(&Cost) -> Money) -> Option<Money> {
    let total = costs.iter().map(|cost| amount(cost).pence()).fold(0, i64::saturating_add);
    (!costs.is_empty()).then_some(Money::saturating_from_pence(total))
}

/// The day from which a vehicle is in stock, after its form is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InStock {
    /// The vehicle was never in stock, or the first day is unknown.
    Unknown,
    Since(Date),
    /// The day on which the form is saved, if the form has no [`VehicleInput::today`].
    Today,
}

impl CostInput {
    fn date(&self) -> Option<Date> {
        Date::parse(&self.date)
    }

    fn net(&self) -> Option<Money> {
        self.net.positive()
    }

    fn vat(&self) -> Option<Money> {
        if self.vat.is_empty() { Money::from_pence(0) } else { self.vat.not_negative() }
    }

    /// Returns the cost of this line of the form; `None` if a value is invalid.
    fn cost(&self) -> Option<Cost> {
        let (date, kind, net, vat) = (self.date()?, CostKind::parse(&self.kind)?, self.net()?, self.vat()?);
        Some(Cost { date, kind, net, vat, note: self.note.clone() })
    }
}

impl VehicleInput {
    /// Returns the purchase price. `None`: the form leaves it unchanged. `Some(None)`: it has none, or an invalid one.
    pub fn purchase_price(&self) -> Option<Option<Money>> {
        self.purchase_price.as_ref().map(Price::not_negative)
    }

    /// Returns the minimum price. `None`: the form leaves it unchanged. `Some(None)`: it has none, or an invalid one.
    pub fn minimum_price(&self) -> Option<Option<Money>> {
        self.minimum_price.as_ref().map(Price::positive)
    }

    /// Returns the costs whose values are valid; `None` if the form leaves them unchanged.
    pub fn costs(&self) -> Option<Vec<Cost>> {
        self.costs.as_ref().map(|costs| costs.iter().filter_map(CostInput::cost).collect())
    }

    /// Returns the day from which the vehicle is in stock: that of the form, or the stored one if the form omits it.
    /// Without a day, it is today if the vehicle is In stock or Reserved now and was not before, and unknown otherwise.
    pub fn in_stock(&self) -> InStock {
        let stored = self.stored.as_ref();
        let day = match &self.in_stock_on {
            Some(text) => Date::parse(text),
            None => stored.and_then(|stored| stored.in_stock_on),
        };
        let was_in_stock = stored.is_some_and(|stored| stored.status.is_in_stock());
        match day {
            Some(day) => InStock::Since(day),
            None if !was_in_stock && self.status().is_some_and(VehicleStatus::is_in_stock) => {
                self.today.map_or(InStock::Today, InStock::Since)
            }
            None => InStock::Unknown,
        }
    }

    /// Returns whether the form gives the vehicle another day from which it is in stock, and one in the future.
    pub(super) fn gets_future_day(&self) -> bool {
        let day = self.in_stock_on.as_deref().and_then(Date::parse);
        let stored = self.stored.as_ref().and_then(|stored| stored.in_stock_on);
        day != stored && day.zip(self.today).is_some_and(|(day, today)| day.is_in_future(today))
    }

    pub(super) fn normalize_costs(&mut self) {
        for cost in self.costs.iter_mut().flatten() {
            normalize_fields(&mut [&mut cost.date, &mut cost.kind, &mut cost.note]);
        }
    }

    pub(super) fn declare_cost_rules(&self, rules: &mut Rules) {
        let is_none = |price: &Option<Price>| price.as_ref().is_none_or(Price::is_empty);
        let is_price = is_none(&self.purchase_price) || self.purchase_price().flatten().is_some();
        rules.require("purchase_price", is_price, text::PURCHASE_PRICE_INVALID);
        let is_price = is_none(&self.minimum_price) || self.minimum_price().flatten().is_some();
        rules.require("minimum_price", is_price, PRICE_INVALID);
        let costs = self.costs.as_deref().unwrap_or_default();
        rules.require("costs", costs.len() <= COSTS_MAX, text::too_many_costs(COSTS_MAX as u64));
        for (index, cost) in costs.iter().take(COSTS_MAX).enumerate() {
            let name = |field: &str| format!("costs.{index}.{field}");
            rules.require(&name("date"), cost.date().is_some(), text::COST_DATE_REQUIRED);
            rules.require_choice(&name("kind"), CostKind::parse(&cost.kind).is_some(), CostKind::NAMES);
            rules.require(&name("net"), cost.net().is_some(), text::COST_NET_INVALID);
            rules.require(&name("vat"), cost.vat().is_some(), text::COST_VAT_INVALID);
            rules.field(&name("note"), &cost.note).max(NOTE_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MileageUnit, StoredVehicle};
    use super::*;
    use crate::form::{check, errors_as_texts};
    use crate::text::DAY_IN_FUTURE;
    use serde_json::{Value, json};

    fn form(more: Value) -> VehicleInput {
        let mut json = json!({"registration_number": "AB12 CDE"});
        json.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(json).unwrap()
    }

    fn fields(more: Value) -> Vec<String> {
        let errors = errors_as_texts(form(more));
        errors.iter().map(|error| error.split(": ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn an_absent_price_stays_unchanged_and_an_empty_one_is_removed() {
        let absent = form(json!({}));
        assert_eq!((absent.purchase_price(), absent.minimum_price(), absent.costs()), (None, None, None));
        for none in [Value::Null, json!(""), json!(" ")] {
            let empty = form(json!({"purchase_price": none, "minimum_price": none, "costs": none}));
            let found = (empty.purchase_price(), empty.minimum_price(), empty.costs());
            assert_eq!(found, (Some(None), Some(None), Some(Vec::new())));
            assert!(errors_as_texts(empty).is_empty());
        }
        let read = |costs: Value| serde_json::from_value::<VehicleInput>(json!({ "costs": costs }));
        assert!(read(json!("x")).is_err() && read(json!({})).is_err());
    }

    #[test]
    fn each_invalid_value_of_a_cost_is_an_error_of_its_field() {
        let valid = json!({"date": "2026-11-20", "kind": "Tyres", "net": 4150, "vat": "", "note": " Four "});
        let invalid =
            json!({"date": "20 Nov", "kind": "Wheels", "net": 0, "vat": -1, "note": "N".repeat(NOTE_MAX as usize + 1)});
        let names = ["date", "kind", "net", "vat", "note"].map(|name| format!("costs.1.{name}"));
        assert_eq!(fields(json!({"costs": [valid, invalid]})), names);
        assert_eq!(fields(json!({"purchase_price": -1, "minimum_price": 0})), ["purchase_price", "minimum_price"]);
        assert_eq!(fields(json!({"costs": vec![valid.clone(); COSTS_MAX + 1]})), ["costs"]);
        let checked = check(form(json!({"purchase_price": 0, "costs": [valid]}))).unwrap();
        let costs = checked.costs().unwrap();
        let expected = json!([{"date": "2026-11-20", "kind": "Tyres", "net": 4150, "vat": 0, "note": "Four"}]);
        assert_eq!(serde_json::to_value(&costs).unwrap(), expected);
        assert_eq!(costs_net(&costs), Money::from_pence(415_000));
        assert_eq!(checked.purchase_price(), Some(Money::from_pence(0)));
    }

    fn stored_vehicle(status: VehicleStatus, in_stock_on: Option<Date>) -> StoredVehicle {
        StoredVehicle {
            status,
            registration_country: "GB".into(),
            mileage: None,
            mileage_unit: MileageUnit::Miles,
            mileage_remark: String::new(),
            in_stock_on,
            is_signed: false,
        }
    }

    /// Returns the day of a form with this status and, if it is given, this day, for a vehicle as it is stored.
    fn in_stock(status: &str, typed: Option<&str>, stored: Option<(VehicleStatus, Option<Date>)>) -> InStock {
        let stored = stored.map(|(status, in_stock_on)| stored_vehicle(status, in_stock_on));
        let typed = typed.map_or(json!({}), |day| json!({ "in_stock_on": day }));
        VehicleInput { stored, status: status.into(), ..form(typed) }.in_stock()
    }

    #[test]
    fn a_vehicle_is_in_stock_from_the_given_or_stored_day_or_from_today() {
        let day = Date::parse("2026-09-19").unwrap();
        for typed in [None, Some("")] {
            assert_eq!(in_stock("Expected", typed, Some((VehicleStatus::Expected, None))), InStock::Unknown);
            assert_eq!(in_stock("Withdrawn", typed, None), InStock::Unknown);
            for status in ["In stock", "Reserved", ""] {
                assert_eq!(in_stock(status, typed, None), InStock::Today, "{status}");
            }
            assert_eq!(in_stock("In stock", typed, Some((VehicleStatus::Expected, None))), InStock::Today);
        }
        let known = VehicleInput { today: Some(day), ..form(json!({"status": "In stock"})) };
        assert_eq!(known.in_stock(), InStock::Since(day));
        assert_eq!(in_stock("In stock", None, Some((VehicleStatus::Expected, Some(day)))), InStock::Since(day));
        assert_eq!(in_stock("Expected", Some("2026-09-19"), None), InStock::Since(day));
        assert_eq!(fields(json!({"in_stock_on": "yesterday"})), ["in_stock_on"]);
    }

    #[test]
    fn rejects_a_new_day_in_the_future() {
        let today = Date::parse("2026-11-26");
        let errors = |typed: &str, stored: Option<&str>| {
            let stored = stored.map(|day| stored_vehicle(VehicleStatus::InStock, Date::parse(day)));
            errors_as_texts(VehicleInput { stored, today, ..form(json!({ "in_stock_on": typed })) })
        };
        let refused = [format!("in_stock_on: {DAY_IN_FUTURE}")];
        for stored in [None, Some(""), Some("2026-12-01")] {
            assert_eq!(errors("2026-11-28", stored), refused, "{stored:?}");
            assert!(errors("2026-11-27", stored).is_empty(), "the user's day may be the one after the server's");
            assert!(errors("", stored).is_empty());
        }
        assert!(errors("2026-12-01", Some("2026-12-01")).is_empty(), "earlier versions accepted such days");
    }

    #[test]
    fn a_day_that_is_emptied_or_was_never_known_stays_unknown_while_the_vehicle_is_in_stock() {
        let day = Date::parse("2026-09-19").unwrap();
        let stored = |day| Some((VehicleStatus::InStock, day));
        assert_eq!(in_stock("Reserved", Some(""), stored(Some(day))), InStock::Unknown);
        assert_eq!(in_stock("Expected", Some(" "), stored(Some(day))), InStock::Unknown);
        assert_eq!(in_stock("Reserved", None, stored(None)), InStock::Unknown);
        assert_eq!(in_stock("Reserved", Some(""), stored(None)), InStock::Unknown);
        assert_eq!(in_stock("In stock", Some("2026-09-19"), stored(None)), InStock::Since(day));
    }
}
