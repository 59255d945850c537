//! Rules of the vehicles of an agreement.

use super::{AgreementInput, AgreementState, AgreementType, Direction, Leg, LegInput, LegVehicle, References, text};
use crate::form::{Rules, normalize_fields};
use crate::lists::is_uuid;
use crate::money::Money;
use crate::vehicles::{VatScheme, VehicleStatus};
use std::collections::BTreeSet;

/// Maximum number of vehicles of an agreement.
pub const LEGS_MAX: usize = 20;
pub(super) const LEGS: &str = "legs";
/// What separates the names of the vehicles.
const SEPARATOR: &str = "; ";

/// Returns the names of an agreement's vehicles ([`Agreement::vehicles`]), in the order of its legs.
pub fn vehicle_names(vehicles: &str) -> impl Iterator<Item = &str> {
    vehicles.split(SEPARATOR)
}

impl Leg {
    /// Returns whether the agreement sells the vehicle: it goes out, or is brokered.
    pub(super) fn is_sale(&self) -> bool {
        Direction::SALES.contains(&self.direction)
    }

    /// Removes the price if it is visible only to users who may read costs.
    pub(crate) fn hide_price(&mut self) {
        if self.direction == Direction::In {
            self.price = None;
        }
    }

    pub(super) fn has_price(&self) -> bool {
        self.price.is_some_and(|price| price.pence() > 0)
    }
}

impl Direction {
    /// The directions of the vehicles that an agreement sells.
    pub const SALES: [Self; 2] = [Self::Out, Self::Brokered];

    /// Returns the direction of a vehicle of this type of agreement if its form has none.
    fn usual(agreement_type: AgreementType) -> Self {
        match agreement_type {
            AgreementType::Sales => Direction::Out,
            AgreementType::Purchase => Direction::In,
            AgreementType::Agency => Direction::Brokered,
        }
    }
}

impl References {
    fn vehicle(&self, id: &str) -> Option<&LegVehicle> {
        self.vehicles.iter().find(|vehicle| vehicle.vehicle_id == id)
    }
}

impl LegInput {
    /// Returns which way the vehicle of a new leg goes in an agreement of this type; `None` if the form's direction is
    /// invalid.
    pub fn direction(&self, agreement_type: AgreementType) -> Option<Direction> {
        match self.direction.as_str() {
            "" => Some(Direction::usual(agreement_type)),
            direction => Direction::parse(direction),
        }
    }

    /// Returns the direction of the form, else of the stored leg, else the usual one; `None` if it is invalid.
    fn direction_after(&self, form: &AgreementInput, before: Option<&Leg>) -> Option<Direction> {
        let kept = before.filter(|_| self.direction.is_empty()).map(|before| before.direction);
        kept.or_else(|| self.direction(form.kind()))
    }

    /// Returns the VAT scheme of the form, else of the stored leg, else of the vehicle; `None` if it is invalid.
    fn vat_scheme(&self, form: &AgreementInput, before: Option<&Leg>) -> Option<VatScheme> {
        if !self.vat_scheme.is_empty() {
            return VatScheme::parse(&self.vat_scheme);
        }
        let of_vehicle = || Some(form.references.as_ref()?.vehicle(&self.vehicle_id)?.vat_scheme);
        before.map(|leg| leg.vat_scheme).or_else(of_vehicle).or(Some(VatScheme::Margin))
    }

    /// Returns the price of the form: `Some(None)` if it has none, `None` if it is invalid.
    fn price(&self) -> Option<Option<Money>> {
        match &self.price {
            None => Some(None),
            Some(price) if price.is_empty() => Some(Some(Money::default())),
            Some(price) => price.not_negative().map(Some),
        }
    }

    /// Returns the leg that the form describes; `None` if its direction, price or VAT scheme is invalid. `before` is the
    /// vehicle's leg in the stored agreement: its direction stays if the form has none, and so does its price if the
    /// direction is the same.
    fn leg(&self, form: &AgreementInput, before: Option<&Leg>) -> Option<Leg> {
        let direction = self.direction_after(form, before)?;
        let typed = self.price()?.filter(|_| !form.keeps_in_prices || direction != Direction::In);
        let price = match (typed, before.filter(|before| before.direction == direction)) {
            (None, Some(before)) => before.price,
            (typed, _) => Some(typed.unwrap_or_default()),
        };
        let vat_scheme = self.vat_scheme(form, before)?;
        Some(Leg { vehicle_id: self.vehicle_id.clone(), direction, price, vat_scheme, name: None })
    }
}

impl AgreementInput {
    /// Returns the legs whose direction, price and VAT scheme are valid; their vehicle ids may be invalid.
    pub fn legs(&self) -> Vec<Leg> {
        self.legs.iter().filter_map(|leg| leg.leg(self, self.stored_leg(&leg.vehicle_id))).collect()
    }

    /// Returns the leg of a vehicle before the change.
    fn stored_leg(&self, vehicle_id: &str) -> Option<&Leg> {
        self.stored.as_ref()?.legs.iter().find(|leg| leg.vehicle_id == vehicle_id)
    }

    /// Returns whether the form has a price for a vehicle that comes in.
    pub(super) fn has_in_price(&self) -> bool {
        let is_in = |leg: &LegInput| leg.direction_after(self, self.stored_leg(&leg.vehicle_id)) == Some(Direction::In);
        let has_price = |leg: &LegInput| leg.price.as_ref().is_some_and(|price| !price.is_empty());
        self.legs.iter().any(|leg| is_in(leg) && has_price(leg))
    }

    pub(super) fn normalize_legs(&mut self) {
        for leg in &mut self.legs {
            normalize_fields(&mut [&mut leg.vehicle_id, &mut leg.direction, &mut leg.vat_scheme]);
            leg.vehicle_id.make_ascii_lowercase();
        }
    }

    pub(super) fn declare_leg_rules(&self, rules: &mut Rules) {
        rules.require(LEGS, self.legs.len() <= LEGS_MAX, text::too_many_legs(LEGS_MAX as u64));
        let different: BTreeSet<_> = self.legs.iter().map(|leg| &leg.vehicle_id).collect();
        rules.require(LEGS, different.len() == self.legs.len(), text::VEHICLE_TWICE);
        let is_offered = self.state_before() == AgreementState::Offered;
        rules.require(LEGS, !is_offered || !self.legs.is_empty(), text::LEGS_REQUIRED);
        let kind = self.kind();
        for (index, leg) in self.legs.iter().take(LEGS_MAX).enumerate() {
            let name = |field: &str| format!("{LEGS}.{index}.{field}");
            rules.require(&name("vehicle_id"), !leg.vehicle_id.is_empty(), text::VEHICLE_REQUIRED);
            rules.require(LEGS, leg.vehicle_id.is_empty() || is_uuid(&leg.vehicle_id), text::VEHICLE_UNKNOWN);
            rules.require_choice(&name("direction"), leg.direction(kind).is_some(), Direction::NAMES);
            rules.require(&name("price"), leg.price().is_some(), text::AMOUNT_INVALID);
            rules.require_choice(&name("vat_scheme"), leg.vat_scheme(self, None).is_some(), VatScheme::NAMES);
            let valid = leg.leg(self, self.stored_leg(&leg.vehicle_id));
            let lacks_price = valid.is_some_and(|leg| leg.is_sale() && !leg.has_price());
            rules.require(&name("price"), !is_offered || !lacks_price, text::PRICE_REQUIRED);
        }
        if let Some(references) = &self.references {
            self.declare_vehicle_rules(rules, references);
        }
    }

    /// Each vehicle must exist, and one that the agreement sells must not be sold yet. These rules do not apply to a
    /// leg that the stored agreement has with the same direction, so that, for example, the agreement's notes can still
    /// be saved. Signing and delivering check all vehicles ([`super::states::step`]).
    fn declare_vehicle_rules(&self, rules: &mut Rules, references: &References) {
        let is_new =
            |leg: &Leg| self.stored_leg(&leg.vehicle_id).is_none_or(|stored| stored.direction != leg.direction);
        for leg in self.legs().into_iter().filter(is_new) {
            match references.vehicle(&leg.vehicle_id) {
                None => rules.require(LEGS, false, text::VEHICLE_UNKNOWN),
                Some(vehicle) if leg.is_sale() && vehicle.status == VehicleStatus::Sold => {
                    rules.require(LEGS, false, text::is_sold(&vehicle.name));
                }
                Some(_) => {}
            }
        }
    }

    /// Returns the names of its vehicles; that of a deleted one as it was. `None` if they were not looked up.
    pub fn vehicle_names(&self) -> Option<String> {
        let references = self.references.as_ref()?;
        let stored = self.stored.as_ref().map(|stored| stored.legs.iter().zip(vehicle_names(&stored.vehicles)));
        let before: Vec<_> = stored.into_iter().flatten().collect();
        let names = self.legs.iter().filter_map(|leg| {
            let vehicle = references.vehicle(&leg.vehicle_id);
            let before =
                || before.iter().find(|(stored, _)| stored.vehicle_id == leg.vehicle_id).map(|(_, name)| *name);
            let name = vehicle.map(|vehicle| vehicle.name.as_str()).or_else(before)?;
            Some(name.replace(SEPARATOR, ", "))
        });
        Some(names.collect::<Vec<_>>().join(SEPARATOR))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Agreement;
    use super::super::fields::tests::{agreement, leg, vehicle};
    use super::*;
    use crate::form::{Form, check, errors_as_texts};
    use serde_json::{Value, json};

    const FIRST: &str = "01900000-0000-7000-8000-000000000001";
    const SECOND: &str = "01900000-0000-7000-8000-000000000002";

    fn form(legs: Value) -> AgreementInput {
        serde_json::from_value(json!({ "legs": legs })).unwrap()
    }

    fn errors(legs: Value, state: Option<AgreementState>) -> Vec<String> {
        let stored = state.map(|state| Box::new(Agreement { state, ..agreement() }));
        let customer_id = agreement().customer_id.unwrap();
        errors_as_texts(AgreementInput { stored, customer_id, ..form(legs) })
    }

    #[test]
    fn an_empty_direction_follows_from_the_type() {
        for (kind, direction) in
            [("Sales", Direction::Out), ("Purchase", Direction::In), ("Agency", Direction::Brokered)]
        {
            let input = AgreementInput { agreement_type: kind.into(), ..form(json!([{"vehicle_id": FIRST}])) };
            assert_eq!(check(input).unwrap().legs(), [leg(FIRST, direction, 0)], "{kind}");
        }
    }

    #[test]
    fn errors_of_a_leg_belong_to_its_field_or_to_all_legs() {
        let invalid = json!({"direction": "Up", "price": -1, "vat_scheme": "None"});
        let found = errors(json!([{"vehicle_id": FIRST, "price": "12.50"}, invalid]), None);
        let fields: Vec<_> = found.iter().map(|error| error.split(": ").next().unwrap()).collect();
        assert_eq!(fields, ["vehicle_id", "direction", "price", "vat_scheme"].map(|name| format!("legs.1.{name}")));
        let unknown = [format!("legs: {}", text::VEHICLE_UNKNOWN)];
        assert_eq!(errors(json!([{"vehicle_id": "S-1001"}]), None), unknown);
        let twice = [format!("legs: {}", text::VEHICLE_TWICE)];
        assert_eq!(errors(json!([{"vehicle_id": FIRST}, {"vehicle_id": FIRST.to_uppercase()}]), None), twice);
        let ids = |count: usize| (0..count).map(|n| json!({"vehicle_id": format!("{n:08}{}", &FIRST[8..])}));
        assert!(errors(ids(LEGS_MAX).collect(), None).is_empty());
        assert_eq!(errors(ids(LEGS_MAX + 1).collect(), None).len(), 1);
    }

    #[test]
    fn from_offered_on_only_what_comes_in_may_cost_nothing() {
        let leg = |direction: &str, price: i64| json!([{"vehicle_id": FIRST, "direction": direction, "price": price}]);
        for direction in ["Out", "Brokered"] {
            assert!(errors(leg(direction, 0), None).is_empty());
            assert!(errors(leg(direction, 1), Some(AgreementState::Offered)).is_empty());
            let missing = [format!("legs.0.price: {}", text::PRICE_REQUIRED)];
            assert_eq!(errors(leg(direction, 0), Some(AgreementState::Offered)), missing, "{direction}");
        }
        assert!(errors(leg("In", 0), Some(AgreementState::Offered)).is_empty());
        let none = [format!("legs: {}", text::LEGS_REQUIRED)];
        assert_eq!(errors(json!([]), Some(AgreementState::Offered)), none);
    }

    #[test]
    fn an_omitted_price_of_what_comes_in_is_unchanged() {
        let legs = vec![leg(FIRST, Direction::In, 700), leg(SECOND, Direction::Out, 900)];
        let stored = Some(Box::new(Agreement { legs, ..agreement() }));
        let typed = json!([{"vehicle_id": FIRST, "direction": "In", "price": 1}, {"vehicle_id": SECOND, "price": 950}]);
        let mut input = AgreementInput { stored, ..form(typed) };
        // As for a user who may not see the costs of what comes in.
        assert_eq!(input.omit(LEGS), Some(text::IN_PRICE));
        assert_eq!(input.legs(), [leg(FIRST, Direction::In, 700), leg(SECOND, Direction::Out, 95_000)]);
        input.stored = None;
        assert_eq!(input.legs()[0].price, Some(Money::default()));
    }

    #[test]
    fn an_omitted_direction_is_the_stored_one() {
        let leg = leg(FIRST, Direction::In, 0);
        let stored = Agreement { state: AgreementState::Offered, legs: vec![leg.clone()], ..agreement() };
        let typed = form(json!([{"vehicle_id": FIRST}, {"vehicle_id": SECOND, "price": 950}]));
        let customer_id = agreement().customer_id.unwrap();
        let input = AgreementInput { stored: Some(Box::new(stored)), customer_id, ..typed };
        let legs = check(input).unwrap().legs();
        assert_eq!((&legs[0], legs[1].direction), (&leg, Direction::Out));
    }

    #[test]
    fn an_omitted_vat_scheme_is_the_stored_one_or_that_of_the_vehicle() {
        let [margin, standard] = [VatScheme::Margin, VatScheme::Standard];
        let scheme = |typed: &str, stored: Option<VatScheme>, vehicle_scheme: Option<VatScheme>| {
            let legs =
                stored.into_iter().map(|vat_scheme| Leg { vat_scheme, ..leg(FIRST, Direction::In, 0) }).collect();
            let stored = Some(Box::new(Agreement { legs, ..agreement() }));
            let vehicle = |vat_scheme| LegVehicle { vat_scheme, ..vehicle(FIRST, VehicleStatus::Expected) };
            let vehicles = vehicle_scheme.into_iter().map(vehicle).collect();
            let references = Some(References { vehicles, ..References::default() });
            let legs = json!([{"vehicle_id": FIRST, "direction": "In", "vat_scheme": typed}]);
            AgreementInput { stored, references, ..form(legs) }.legs()[0].vat_scheme
        };
        assert_eq!(scheme("", Some(standard), Some(margin)), standard);
        assert_eq!(scheme("", None, Some(standard)), standard);
        assert_eq!(scheme("", None, None), margin);
        assert_eq!(scheme("Margin", Some(standard), Some(standard)), margin);
    }

    #[test]
    fn a_vehicle_exists_and_is_not_sold_yet() {
        let errors = |direction: &str, vehicles: Vec<LegVehicle>| {
            let references = Some(References { vehicles, ..References::default() });
            errors_as_texts(AgreementInput {
                references,
                ..form(json!([{"vehicle_id": FIRST, "direction": direction}]))
            })
        };
        assert_eq!(errors("In", vec![]), [format!("legs: {}", text::VEHICLE_UNKNOWN)]);
        for direction in ["Out", "Brokered"] {
            assert!(errors(direction, vec![vehicle(FIRST, VehicleStatus::Expected)]).is_empty());
            let sold = vehicle(FIRST, VehicleStatus::Sold);
            let error = format!("legs: {}", text::is_sold(&sold.name));
            assert_eq!(errors(direction, vec![sold]), [error]);
        }
        assert!(errors("In", vec![vehicle(FIRST, VehicleStatus::Sold)]).is_empty());
    }

    #[test]
    fn an_agreement_stays_valid_if_its_vehicles_were_sold_or_deleted() {
        let stored = Agreement {
            legs: vec![leg(FIRST, Direction::Out, 100), leg(SECOND, Direction::In, 100)],
            vehicles: "Volvo V60; Saab 900".into(),
            ..agreement()
        };
        let sold = LegVehicle { name: "Volvo V60, AB12 CDE".into(), ..vehicle(FIRST, VehicleStatus::Sold) };
        let with = |legs: Value| {
            let references =
                References { vehicles: vec![sold.clone()], customer_name: Some("Ada".into()), ..References::default() };
            let (stored, customer_id) = (Some(Box::new(stored.clone())), stored.customer_id.clone().unwrap());
            AgreementInput { references: Some(references), stored, customer_id, ..form(legs) }
        };
        let unchanged = with(json!([{"vehicle_id": FIRST}, {"vehicle_id": SECOND, "direction": "In"}]));
        assert_eq!(unchanged.vehicle_names().unwrap(), "Volvo V60, AB12 CDE; Saab 900");
        assert!(errors_as_texts(unchanged).is_empty());
        let brokered = with(json!([{"vehicle_id": FIRST, "direction": "Brokered"}]));
        assert_eq!(errors_as_texts(brokered), ["legs: Volvo V60, AB12 CDE is already sold."]);
    }
}
