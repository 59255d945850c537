//! The totals of an agreement.

use super::{AgreementInput, AgreementType, Direction, Leg};
use crate::money::Money;
use crate::vehicles::{Cost, Margin, costs_net, margin};
use serde::{Deserialize, Serialize};

api_types!(
    /// The totals of an agreement.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct Totals {
        /// Of the `Out` and `Brokered` legs.
        pub out_total: Money,
        /// Of the `In` legs.
        pub in_total: Money,
        /// The deposit as it counts in `to_pay`: negative if the customer has paid it, positive if the dealer has.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub deposit: Option<Money>,
        /// `out_total` less `in_total`, plus `deposit`. Negative if the dealer pays.
        pub to_pay: Money,
    }

    /// What a vehicle of an agreement has cost: members of a vehicle.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct LegCosts {
        pub vehicle_id: String,
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub purchase_price: Option<Money>,
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub costs: Vec<Cost>,
    }

    /// The profit on the `Out` legs of an agreement, and what it follows from: totals of the amounts of [`Margin`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct LegsMargin {
        pub price: Money,
        /// The total of the purchase prices.
        pub purchase: Money,
        /// The total of the amounts that VAT is due on.
        pub taxable: Money,
        /// The rate of VAT in percent.
        pub rate: Money,
        pub vat: Money,
        /// The total of the costs without VAT.
        pub costs: Money,
        /// The prices less the purchase prices, VAT and costs. Negative for a loss.
        pub profit: Money,
    }
);

fn pence(money: Option<Money>) -> i64 {
    money.map_or(0, Money::pence)
}

/// Returns whether an agreement has vehicles and sells none. Then its deposit is what the dealer has paid.
fn only_buys(legs: &[Leg]) -> bool {
    !legs.is_empty() && !legs.iter().any(Leg::is_sale)
}

/// Returns whether the deposit is at most the total of what goes out and is brokered. That of an agreement that sells
/// nothing has no limit.
pub fn is_deposit_covered(legs: &[Leg], out_total: Money, deposit: Option<Money>) -> bool {
    deposit.is_none_or(|deposit| !legs.iter().any(Leg::is_sale) || deposit <= out_total)
}

/// Returns the totals. An amount beyond the largest is the largest.
pub fn totals(legs: &[Leg], deposit: Option<Money>) -> Totals {
    let total =
        |is_sale: bool| -> i64 { legs.iter().filter(|leg| leg.is_sale() == is_sale).map(|leg| pence(leg.price)).sum() };
    let (out, part) = (total(true), total(false));
    let deposit = deposit.map(|paid| if only_buys(legs) { paid.pence() } else { -paid.pence() });
    Totals {
        out_total: Money::saturating_from_pence(out),
        in_total: Money::saturating_from_pence(part),
        deposit: deposit.map(Money::saturating_from_pence),
        to_pay: Money::saturating_from_pence(out - part + deposit.unwrap_or(0)),
    }
}

/// Returns the `Out` legs, each with its vehicle's purchase price and costs; without these if the purchase price is not
/// known.
fn out_legs<'a>(
    legs: &'a [Leg],
    vehicles: &'a [LegCosts],
) -> impl Iterator<Item = (&'a Leg, Option<(Money, &'a [Cost])>)> {
    legs.iter().filter(|leg| leg.direction == Direction::Out).map(move |leg| {
        let vehicle = vehicles.iter().find(|vehicle| vehicle.vehicle_id == leg.vehicle_id);
        (leg, vehicle.and_then(|vehicle| Some((vehicle.purchase_price?, vehicle.costs.as_slice()))))
    })
}

/// Returns the margin of the `Out` legs; `None` if there are none, or one has no known purchase price. `rate` is that
/// of VAT, in percent.
fn legs_margin(legs: &[Leg], vehicles: &[LegCosts], rate: Money) -> Option<LegsMargin> {
    let sold = out_legs(legs, vehicles).map(|(leg, known)| {
        let (purchase, costs) = known?;
        let costs = costs_net(costs).unwrap_or_default();
        Some((purchase, margin(leg.vat_scheme, purchase, costs, leg.price.unwrap_or_default(), rate)))
    });
    let sold = sold.collect::<Option<Vec<_>>>().filter(|sold| !sold.is_empty())?;
    let total = |amount: fn(&(Money, Margin)) -> Money| {
        Money::saturating_from_pence(sold.iter().map(|leg| amount(leg).pence()).sum())
    };
    Some(LegsMargin {
        price: total(|(_, leg)| leg.price),
        purchase: total(|(purchase, _)| *purchase),
        taxable: total(|(_, leg)| leg.taxable),
        rate,
        vat: total(|(_, leg)| leg.vat),
        costs: total(|(_, leg)| leg.costs),
        profit: total(|(_, leg)| leg.profit),
    })
}

impl AgreementInput {
    /// Returns the totals of what is typed so far.
    pub fn totals(&self) -> Totals {
        totals(&self.legs(), self.deposit())
    }

    /// Returns the margin of what is typed so far. `rate` is the corporation's rate of VAT in percent. A delivered
    /// agreement keeps that of its delivery.
    pub fn margin(&self, vehicles: &[LegCosts], rate: Money) -> Option<LegsMargin> {
        let kept = self.stored.as_ref().and_then(|stored| stored.vat_rate);
        legs_margin(&self.legs(), vehicles, kept.unwrap_or(rate))
    }

    /// Returns the ids of the sold vehicles without a known purchase price. With one of them, there is no margin.
    pub fn without_purchase_price(&self, vehicles: &[LegCosts]) -> Vec<String> {
        let legs = self.legs();
        let unknown = out_legs(&legs, vehicles).filter(|(_, known)| known.is_none());
        unknown.map(|(leg, _)| leg.vehicle_id.clone()).collect()
    }

    /// Returns the commission as an amount: the one that is typed, or else the percentage of the total of the `Out` and
    /// `Brokered` legs, rounded to whole pence. `None` without a commission, which only an agency has.
    pub fn commission_amount(&self) -> Option<Money> {
        if self.kind() != AgreementType::Agency {
            return None;
        }
        self.commission().or_else(|| {
            // Hundredths of a percent, and half a penny so that the division rounds.
            let product = self.totals().out_total.pence() * self.commission_percent()?.pence();
            Some(Money::saturating_from_pence((product + 5_000) / 10_000))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::tests::{agreement, leg};
    use super::super::{Agreement, LEGS_MAX, LegInput};
    use super::*;
    use crate::invoices::Price;
    use proptest::prelude::*;

    fn legs() -> impl Strategy<Value = Vec<Leg>> {
        let direction = proptest::sample::select(Direction::ALL.to_vec());
        let leg = (direction, 0..=Money::MAX).prop_map(|(direction, pence)| leg("1", direction, pence));
        proptest::collection::vec(leg, 0..=LEGS_MAX)
    }

    #[test]
    fn the_customer_pays_what_goes_out_less_what_comes_in_and_the_deposit() {
        let legs =
            [leg("1", Direction::Out, 1_899_500), leg("1", Direction::In, 400_000), leg("1", Direction::Brokered, 50)];
        let Totals { out_total, in_total, deposit, to_pay } = totals(&legs, Money::from_pence(100_000));
        assert_eq!([out_total, in_total, to_pay].map(Money::pence), [1_899_550, 400_000, 1_399_550]);
        assert_eq!(deposit.map(Money::pence), Some(-100_000));
        assert_eq!(totals(&legs, None).deposit, None);
        assert_eq!(totals(&[leg("1", Direction::In, 7)], None).to_pay.pence(), -7);
    }

    #[test]
    fn the_dealer_pays_the_deposit_of_a_purchase() {
        let purchase = [leg("1", Direction::In, 1_000_000)];
        let deposit = Money::from_pence(100_000);
        assert_eq!(totals(&purchase, deposit).to_pay.pence(), -900_000);
        assert_eq!(totals(&purchase, deposit).deposit, deposit);
        assert!(is_deposit_covered(&purchase, Money::default(), deposit));
        assert_eq!(totals(&[], deposit).to_pay.pence(), -100_000);
        let sale = [leg("1", Direction::Out, 100_000), leg("1", Direction::In, 5)];
        let total = totals(&sale, None).out_total;
        assert!(is_deposit_covered(&sale, total, deposit));
        assert!(!is_deposit_covered(&sale, total, Money::from_pence(100_001)));
    }

    #[test]
    fn a_commission_in_percent_is_a_share_of_the_price_in_whole_pence() {
        let text = |amount: &str| Price::Text(amount.into());
        let agency = |price: &str, commission: &str, percent: &str| AgreementInput {
            agreement_type: "Agency".into(),
            legs: vec![LegInput { vehicle_id: "1".into(), price: Some(text(price)), ..LegInput::default() }],
            commission: text(commission),
            commission_percent: text(percent),
            ..AgreementInput::default()
        };
        let pence = |form: AgreementInput| form.commission_amount().map(Money::pence);
        assert_eq!(pence(agency("18995", "", "6.5")), Some(123_468));
        assert_eq!(pence(agency("18995", "500", "")), Some(50_000));
        assert_eq!(pence(agency("18995", "", "0")), Some(0));
        assert_eq!(pence(agency("", "", "6.5")), Some(0));
        assert_eq!(pence(agency("18995", "", "")), None);
        let sale = AgreementInput { agreement_type: "Sales".into(), ..agency("18995", "500", "") };
        assert_eq!(pence(sale), None, "only an agency has one");
        assert_eq!(pence(agency("99999999999.99", "", "100")), Some(Money::MAX));
    }

    #[test]
    fn a_margin_needs_the_purchase_price_of_each_sold_vehicle() {
        let sold = [leg("1", Direction::Out, 1_200_000), leg("2", Direction::Out, 900_000), leg("3", Direction::In, 5)];
        let costs = |id: &str, pence: Option<i64>| LegCosts {
            vehicle_id: id.into(),
            purchase_price: pence.and_then(Money::from_pence),
            ..LegCosts::default()
        };
        let known = [costs("1", Some(900_000)), costs("2", Some(1_000_000))];
        // 50,000 of VAT on the first margin; the second is a loss without VAT.
        let rate = Money::saturating_from_pence(2_000);
        let found = legs_margin(&sold, &known, rate).unwrap();
        assert_eq!([found.price, found.purchase, found.taxable].map(Money::pence), [2_100_000, 1_900_000, 300_000]);
        assert_eq!([found.vat, found.costs, found.profit].map(Money::pence), [50_000, 0, 150_000]);
        assert_eq!(legs_margin(&sold, &[known[0].clone(), costs("2", None)], rate), None);
        assert_eq!(legs_margin(&sold, &known[..1], rate), None);
        assert_eq!(legs_margin(&sold[2..], &known, rate), None);
    }

    #[test]
    fn the_sold_vehicles_without_a_purchase_price_are_named() {
        let leg = |id: &str, direction: &str| LegInput {
            vehicle_id: id.into(),
            direction: direction.into(),
            ..LegInput::default()
        };
        let form = AgreementInput {
            legs: vec![leg("priced", "Out"), leg("unpriced", "Out"), leg("deleted", "Out"), leg("taken", "In")],
            ..AgreementInput::default()
        };
        let costs =
            |id: &str, purchase_price| LegCosts { vehicle_id: id.into(), purchase_price, ..LegCosts::default() };
        let vehicles = [costs("priced", Money::from_pence(0)), costs("unpriced", None), costs("taken", None)];
        assert_eq!(form.without_purchase_price(&vehicles), ["unpriced", "deleted"]);
    }

    #[test]
    fn a_delivered_agreement_keeps_the_vat_rate_of_its_delivery() {
        let legs = vec![leg("1", Direction::Out, 1_200_000)];
        let present = Money::saturating_from_pence(2_500);
        let costs =
            LegCosts { vehicle_id: "1".into(), purchase_price: Money::from_pence(900_000), ..LegCosts::default() };
        let form = |vat_rate| AgreementInput {
            legs: vec![LegInput {
                vehicle_id: "1".into(),
                price: Some(Price::Number(12_000.0)),
                ..LegInput::default()
            }],
            stored: Some(Box::new(Agreement { legs: legs.clone(), vat_rate, ..agreement() })),
            ..AgreementInput::default()
        };
        let found = |kept: Option<i64>| {
            let margin = form(kept.and_then(Money::from_pence)).margin(std::slice::from_ref(&costs), present).unwrap();
            (margin.rate.pence(), margin.vat.pence())
        };
        assert_eq!(found(None), (2_500, 60_000));
        assert_eq!(found(Some(2_000)), (2_000, 50_000));
    }

    proptest! {
        #[test]
        fn totals_are_exact_up_to_the_largest_amount(legs in legs(), deposit in proptest::option::of(0..=Money::MAX)) {
            let found = totals(&legs, deposit.and_then(Money::from_pence));
            let mut exact = [0_i128; 2];
            for leg in &legs {
                exact[usize::from(leg.direction == Direction::In)] += i128::from(leg.price.unwrap().pence());
            }
            let limit = i128::from(Money::MAX);
            let is = |money: Money, exact: i128| i128::from(money.pence()) == exact.clamp(-limit, limit);
            prop_assert!(is(found.out_total, exact[0]) && is(found.in_total, exact[1]));
            let is_purchase = !legs.is_empty() && legs.iter().all(|leg| leg.direction == Direction::In);
            let sign = if is_purchase { -1 } else { 1 };
            prop_assert!(is(found.to_pay, exact[0] - exact[1] - sign * i128::from(deposit.unwrap_or(0))));
        }
    }
}
