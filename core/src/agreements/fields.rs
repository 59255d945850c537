//! The fields of agreements.

use super::{Agreement, AgreementState, AgreementType, Direction, WarrantyKind, text};
use crate::lists::{Cell, Field, Kind, Personal, Record};
use crate::permissions::ResourceId;

impl Record for Agreement {
    const FIELDS: &'static [Field] = &[
        Field::new("agreement_id", Kind::Id, Personal::No),
        Field::text("number", Personal::No).labeled(text::NUMBER).derived(),
        Field::new("type", Kind::Choice(AgreementType::NAMES), Personal::No),
        Field::new("state", Kind::Choice(AgreementState::NAMES), Personal::No).labeled(text::STATE),
        Field::new("customer_id", Kind::Id, Personal::No).linking(),
        Field::text("customer_name", Personal::Erased).labeled(text::CUSTOMER).derived(),
        Field::new("contact_id", Kind::Id, Personal::No).linking(),
        Field::text("vehicles", Personal::No).labeled(text::VEHICLES).derived(),
        // Of its prices, only those of `In` legs are hidden; its history is as a whole.
        Field::new("legs", Kind::Legs, Personal::No)
            .labeled(text::LEGS)
            .needing(ResourceId::VehiclesCosts)
            .not_exported(),
        Field::new("out_total", Kind::OwnMoney, Personal::No).labeled(text::OUT_TOTAL).derived(),
        Field::new("in_total", Kind::OwnMoney, Personal::No)
            .labeled(text::IN_TOTAL)
            .needing(ResourceId::VehiclesCosts)
            .derived(),
        Field::new("to_pay", Kind::OwnMoney, Personal::No)
            .labeled(text::TO_PAY)
            .needing(ResourceId::VehiclesCosts)
            .derived(),
        Field::new("deposit", Kind::OwnMoney, Personal::No).labeled(text::DEPOSIT),
        Field::new("commission", Kind::OwnMoney, Personal::No).labeled(text::COMMISSION),
        Field::new("commission_percent", Kind::Percent, Personal::No).labeled(text::COMMISSION_PERCENT),
        Field::new("minimum_price", Kind::OwnMoney, Personal::No)
            .labeled(text::MINIMUM_PRICE)
            .needing(ResourceId::VehiclesCosts),
        Field::new("exclusive_until", Kind::Date, Personal::No).labeled(text::EXCLUSIVE_UNTIL).in_bulk(),
        Field::new("warranty", Kind::Choice(WarrantyKind::NAMES), Personal::No).in_bulk().required(),
        Field::new("warranty_months", Kind::Number, Personal::No).labeled(text::WARRANTY_MONTHS).in_bulk(),
        Field::new("warranty_distance", Kind::Number, Personal::No).labeled(text::WARRANTY_DISTANCE).in_bulk(),
        Field::new("agreed_on", Kind::Date, Personal::No).labeled(text::AGREED_ON),
        Field::new("delivered_on", Kind::Date, Personal::No).labeled(text::DELIVERED_ON),
        Field::long_text("notes", Personal::Erased).labeled(text::NOTES).in_bulk(),
        Field::new("created_at", Kind::Time, Personal::No).labeled(text::CREATED_AT),
        Field::new("updated_at", Kind::Time, Personal::No).labeled(text::UPDATED_AT),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "agreement_id" => Cell::Id(&self.agreement_id),
            "number" => Cell::Text(&self.number),
            "type" => Cell::Choice(self.agreement_type.as_str()),
            "state" => Cell::Choice(self.state.as_str()),
            "customer_id" => self.customer_id.as_deref().map_or(Cell::Empty, Cell::Id),
            "customer_name" => Cell::Text(&self.customer_name),
            "contact_id" => self.contact_id.as_deref().map_or(Cell::Empty, Cell::Id),
            "vehicles" => Cell::Text(&self.vehicles),
            "legs" => Cell::Legs(&self.legs),
            "out_total" => Cell::Money(self.out_total),
            "in_total" => self.in_total.map_or(Cell::Empty, Cell::Money),
            "to_pay" => self.to_pay.map_or(Cell::Empty, Cell::Money),
            "deposit" => self.deposit.map_or(Cell::Empty, Cell::Money),
            "commission" => self.commission.map_or(Cell::Empty, Cell::Money),
            "commission_percent" => self.commission_percent.map_or(Cell::Empty, Cell::Money),
            "minimum_price" => self.minimum_price.map_or(Cell::Empty, Cell::Money),
            "exclusive_until" => self.exclusive_until.map_or(Cell::Empty, Cell::Date),
            "warranty" => Cell::Choice(self.warranty.as_str()),
            "warranty_months" => self.warranty_months.map_or(Cell::Empty, Cell::Number),
            "warranty_distance" => self.warranty_distance.map_or(Cell::Empty, Cell::Number),
            "agreed_on" => self.agreed_on.map_or(Cell::Empty, Cell::Date),
            "delivered_on" => self.delivered_on.map_or(Cell::Empty, Cell::Date),
            "notes" => Cell::Text(&self.notes),
            "created_at" => Cell::Time(&self.created_at),
            "updated_at" => Cell::Time(&self.updated_at),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
        }
    }

    fn hide(&mut self, field: &str) {
        let is_in = |direction| direction == Direction::In;
        match field {
            "legs" => {
                self.legs.iter_mut().filter(|leg| is_in(leg.direction)).for_each(|leg| leg.price = None);
            }
            "in_total" => self.in_total = None,
            // It contains the prices of the `In` legs.
            "to_pay" if self.legs.iter().any(|leg| is_in(leg.direction)) => self.to_pay = None,
            "minimum_price" => self.minimum_price = None,
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{AgreementInput, Leg};
    use super::*;
    use crate::date::Date;
    use crate::form::Form;
    use crate::lists::hidden_fields;
    use crate::lists::tests::check_record;
    use crate::money::Money;
    use crate::permissions::Access;
    use crate::vehicles::VatScheme;

    /// A draft in which every field has a value.
    pub fn agreement() -> Agreement {
        let money = Money::saturating_from_pence;
        let leg = |last: u32, direction, pence| Leg {
            vehicle_id: format!("01900000-0000-7000-8000-00000000000{last}"),
            direction,
            price: Some(money(pence)),
            vat_scheme: VatScheme::Margin,
        };
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
            legs: vec![leg(1, Direction::Out, 1_899_500), leg(2, Direction::In, 400_000)],
            out_total: money(1_899_500),
            in_total: Some(money(400_000)),
            to_pay: Some(money(1_399_500)),
            deposit: Some(money(100_000)),
            commission: None,
            commission_percent: None,
            minimum_price: Some(money(1_800_000)),
            exclusive_until: Date::parse("2026-12-31"),
            warranty: WarrantyKind::Dealer,
            warranty_months: Some(12),
            warranty_distance: Some(12_000),
            agreed_on: Date::parse("2026-11-20"),
            delivered_on: Date::parse("2026-11-26"),
            notes: "Two keys".into(),
            created_at: time.into(),
            updated_at: time.into(),
            version: 1,
        }
    }

    #[test]
    fn every_member_of_an_agreement_is_a_field() {
        let money = Some(Money::saturating_from_pence(750));
        check_record(&Agreement { commission: money, commission_percent: money, ..agreement() }, &[]);
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
    fn a_form_without_the_hidden_fields_leaves_them_unchanged() {
        let mut form: AgreementInput = serde_json::from_value(serde_json::to_value(agreement()).unwrap()).unwrap();
        hidden_fields::<Agreement>(&Access::default()).for_each(|field| form.omit(field));
        assert_eq!((form.minimum_price(), form.deposit()), (None, agreement().deposit));
        let mut stored = agreement();
        stored.legs[1].price = Some(Money::saturating_from_pence(7));
        form.stored = Some(Box::new(stored.clone()));
        assert_eq!(form.legs(), stored.legs);
    }
}
