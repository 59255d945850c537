//! The fields of agreements.

use super::{Agreement, AgreementState, AgreementType, Direction, Leg, WarrantyKind, text};
use crate::lists::{Field, Kind, Personal, Record, fields};
use crate::permissions::ResourceId;

impl Record for Agreement {
    fields!(
        agreement_id = Field::new(Kind::Id),
        number = Field::text(Personal::Business).numbered().labeled(text::NUMBER).derived(),
        agreement_type["type"] = Field::new(Kind::Choice(AgreementType::NAMES)),
        state = Field::new(Kind::Choice(AgreementState::NAMES)).labeled(text::STATE),
        customer_id = Field::new(Kind::Id).linking(),
        customer_name = Field::text(Personal::Erased).labeled(text::CUSTOMER).derived(),
        contact_id = Field::new(Kind::Id).linking(),
        vehicles = Field::text(Personal::Business).labeled(text::VEHICLES).derived(),
        // Of its prices, only those of `In` legs are hidden; its history is as a whole.
        legs = Field::new(Kind::Legs).labeled(text::LEGS).needing(ResourceId::VehiclesCosts).not_exported(),
        out_total = Field::new(Kind::OwnMoney).labeled(text::OUT_TOTAL).derived(),
        in_total = Field::new(Kind::OwnMoney).labeled(text::IN_TOTAL).needing(ResourceId::VehiclesCosts).derived(),
        to_pay = Field::new(Kind::OwnMoney).labeled(text::TO_PAY).needing(ResourceId::VehiclesCosts).derived(),
        deposit = Field::new(Kind::OwnMoney).labeled(text::DEPOSIT),
        commission_amount = Field::new(Kind::OwnMoney).labeled(text::COMMISSION).derived(),
        commission = Field::new(Kind::OwnMoney).labeled(text::FIXED_COMMISSION),
        commission_percent = Field::new(Kind::Percent).labeled(text::COMMISSION_PERCENT),
        minimum_price = Field::new(Kind::OwnMoney).labeled(text::MINIMUM_PRICE).needing(ResourceId::VehiclesCosts),
        exclusive_until = Field::new(Kind::Date).labeled(text::EXCLUSIVE_UNTIL).in_bulk(),
        warranty.kind["warranty"] = Field::new(Kind::Choice(WarrantyKind::NAMES)).in_bulk().required(),
        warranty.months["warranty_months"] = Field::new(Kind::Number).labeled(text::WARRANTY_MONTHS).in_bulk(),
        warranty.distance["warranty_distance"] = Field::new(Kind::Number).labeled(text::WARRANTY_DISTANCE).in_bulk(),
        agreed_on = Field::new(Kind::Date).labeled(text::AGREED_ON),
        delivered_on = Field::new(Kind::Date).labeled(text::DELIVERED_ON),
        notes = Field::long_text(Personal::Erased).in_bulk(),
        created_at = Field::new(Kind::Time),
        updated_at = Field::new(Kind::Time),
        version = Field::new(Kind::Number).not_exported(),
    );

    fn hide(&mut self, field: &str) {
        match field {
            "legs" => self.legs.iter_mut().for_each(Leg::hide_price),
            "in_total" => self.in_total = None,
            // It contains the prices of the `In` legs.
            "to_pay" if self.legs.iter().any(|leg| leg.direction == Direction::In) => self.to_pay = None,
            "minimum_price" => self.minimum_price = None,
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{AgreementInput, LegVehicle, Warranty, number_prefix};
    use super::*;
    use crate::date::Date;
    use crate::form::Form;
    use crate::history::{changes, needed_resource};
    use crate::lists::{Arrangement, Fields, Sort, hidden_fields};
    use crate::money::Money;
    use crate::permissions::Access;
    use crate::vehicles::{VatScheme, VehicleStatus};
    use serde_json::json;

    pub fn leg(vehicle_id: &str, direction: Direction, pence: i64) -> Leg {
        let price = Money::from_pence(pence);
        Leg { vehicle_id: vehicle_id.into(), direction, price, vat_scheme: VatScheme::Margin, name: None }
    }

    pub fn vehicle(vehicle_id: &str, status: VehicleStatus) -> LegVehicle {
        LegVehicle {
            vehicle_id: vehicle_id.into(),
            name: format!("Car {vehicle_id}"),
            status,
            vat_scheme: VatScheme::Margin,
            signed_in: None,
            has_purchase_price: false,
        }
    }

    /// A draft in which every field has a value.
    pub fn agreement() -> Agreement {
        let money = Money::saturating_from_pence;
        let time = "2026-01-01T00:00:00.000Z";
        Agreement {
            agreement_id: "01900000-0000-7000-8000-000000000000".into(),
            number: "SA-1042".into(),
            agreement_type: AgreementType::Sales,
            state: AgreementState::Draft,
            customer_id: Some("01900000-0000-7000-8000-0000000000c1".into()),
            customer_name: "Ada Öberg".into(),
            contact_id: Some("01900000-0000-7000-8000-0000000000c2".into()),
            vehicles: "Volvo V60, AB12 CDE".into(),
            legs: vec![
                leg("01900000-0000-7000-8000-000000000001", Direction::Out, 1_899_500),
                leg("01900000-0000-7000-8000-000000000002", Direction::In, 400_000),
            ],
            out_total: money(1_899_500),
            in_total: Some(money(400_000)),
            to_pay: Some(money(1_399_500)),
            deposit: Some(money(100_000)),
            commission_amount: None,
            commission: None,
            commission_percent: None,
            minimum_price: Some(money(1_800_000)),
            exclusive_until: Date::parse("2026-12-31"),
            warranty: Warranty { kind: WarrantyKind::Dealer, months: Some(12), distance: Some(12_000) },
            agreed_on: Date::parse("2026-11-20"),
            delivered_on: Date::parse("2026-11-26"),
            vat_rate: None,
            notes: "Two keys".into(),
            created_at: time.into(),
            updated_at: time.into(),
            version: 1,
        }
    }

    #[test]
    fn agreements_are_sorted_by_the_prefix_of_their_number_and_then_by_the_number() {
        use AgreementType::{Agency, Purchase, Sales};
        let in_order = [Agency, Purchase, Sales].map(|agreement_type| {
            [999, 1_001, 9_999, 10_000, 1_000_000].map(|number| format!("{}{number}", number_prefix(agreement_type)))
        });
        let in_order = in_order.concat();
        let with_number = |number: &String| Agreement { number: number.clone(), ..agreement() };
        let mut agreements: Vec<_> = in_order.iter().rev().map(with_number).collect();
        let mut sorted = |sort| {
            let sort = Sort::read(Fields::all(Agreement::FIELDS), sort).unwrap();
            Arrangement { sort, ..Arrangement::default() }.apply(&mut agreements);
            agreements.iter().map(|one| one.number.clone()).collect::<Vec<_>>()
        };
        assert_eq!(sorted("number"), in_order);
        assert_eq!(sorted("-number"), in_order.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn the_history_names_the_vehicles_and_another_name_is_no_change() {
        let named = |name: &str, pence| {
            let mut one = agreement();
            one.legs[0].name = Some(name.into());
            one.legs[0].price = Money::from_pence(pence);
            one
        };
        let (before, renamed) = (named("Volvo V60", 100), named("Volvo V60, AB12 CDE", 100));
        assert!(changes(Some(&before), Some(&renamed), &[]).is_empty());
        let found = serde_json::to_value(changes(Some(&before), Some(&named("Volvo V60", 200)), &[])).unwrap();
        let shown = ["before", "after"].map(|which| {
            let leg = &found[0][which][0];
            (leg["name"].clone(), leg["price"].clone())
        });
        assert_eq!(shown, [(json!("Volvo V60"), json!(1)), (json!("Volvo V60"), json!(2))]);
    }

    #[test]
    fn what_comes_in_has_no_price_for_who_may_not_see_costs() {
        let mut hidden = agreement();
        let names: Vec<_> = hidden_fields::<Agreement>(&Access::default()).collect();
        assert_eq!(names, ["legs", "in_total", "to_pay", "minimum_price"]);
        names.iter().for_each(|name| hidden.hide(name));
        assert_eq!((hidden.legs[0].price, hidden.legs[1].price), (agreement().legs[0].price, None));
        assert_eq!((hidden.in_total, hidden.to_pay, hidden.minimum_price), (None, None, None));
        let json = serde_json::to_string(&hidden).unwrap();
        assert!(!["4000", "13995", "18000"].iter().any(|amount| json.contains(amount)), "{json}");
        let mut only_out = agreement();
        only_out.legs.pop();
        only_out.hide("to_pay");
        assert!(only_out.to_pay.is_some());
    }

    #[test]
    fn an_update_of_only_hidden_prices_needs_the_permission_to_read_costs() {
        let priced = |out, coming, minimum| {
            let mut one = Agreement { minimum_price: Money::from_pence(minimum), ..agreement() };
            one.legs[0].price = Money::from_pence(out);
            one.legs[1].price = Money::from_pence(coming);
            one
        };
        let needed = |before: &Agreement, after: &Agreement| {
            needed_resource(ResourceId::Agreements, &changes(Some(before), Some(after), &[]))
        };
        let before = priced(900, 400, 800);
        assert_eq!(needed(&before, &priced(900, 500, 700)), Some(ResourceId::VehiclesCosts));
        assert_eq!(needed(&before, &priced(950, 500, 700)), None);
        assert_eq!(needed(&Agreement { legs: Vec::new(), ..before.clone() }, &before), None);
    }

    #[test]
    fn a_form_without_the_hidden_fields_leaves_them_unchanged() {
        let mut form: AgreementInput = serde_json::from_value(serde_json::to_value(agreement()).unwrap()).unwrap();
        let given: Vec<_> =
            hidden_fields::<Agreement>(&Access::default()).filter_map(|field| form.omit(field)).collect();
        assert_eq!(given, [text::IN_PRICE, text::MINIMUM_PRICE]);
        assert_eq!((form.minimum_price(), form.deposit()), (None, agreement().deposit));
        let mut stored = agreement();
        stored.legs[1].price = Some(Money::saturating_from_pence(7));
        form.stored = Some(Box::new(stored.clone()));
        assert_eq!(form.legs(), stored.legs);
    }
}
