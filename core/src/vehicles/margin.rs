//! The profit on the sale of a vehicle, and the VAT on it.
//!
//! Under the margin scheme (directive 2006/112/EC, articles 312 to 315; VAT Notice 718) VAT is due on the sale price
//! less the purchase price; this margin includes the VAT. Under the standard scheme the whole sale price includes VAT.
//! Costs reduce the profit, but not the VAT. VAT is rounded to the penny, half a penny up.

use super::{VatScheme, VehicleInput, VehicleStatus, costs_net};
use crate::date::Date;
use crate::money::Money;
use serde::Serialize;

/// A rate of 100 %, in hundredths of a percent.
const WHOLE: i128 = 10_000;
/// The discount whose effect on the profit is shown: 1,000 of the currency, in hundredths of it.
const DISCOUNT: i128 = 100_000;

api_types!(
    /// The profit on the sale of a vehicle at its asking price, and what it follows from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct Margin {
        /// The price of the sale.
        pub price: Money,
        /// The amount that VAT is due on, including the VAT: the price less the purchase price (at least 0) under the
        /// margin scheme, otherwise the whole price.
        pub taxable: Money,
        pub vat: Money,
        /// The total of the costs without VAT.
        pub costs: Money,
        /// The price less the purchase price, VAT and costs. Negative for a loss.
        pub profit: Money,
        /// The lowest price at which the sale makes no loss.
        pub break_even: Money,
        /// A discount, and by how much it lowers the profit.
        pub discount: Money,
        pub discount_cost: Money,
    }
);

/// Returns the VAT that is included in an amount (not negative), at a rate in hundredths of a percent.
fn vat_included_in(amount: i128, rate: i128) -> i128 {
    let (dividend, divisor) = (amount * rate, WHOLE + rate);
    (2 * dividend + divisor) / (2 * divisor)
}

/// The prices and costs of a vehicle in pence, and its rate of VAT in hundredths of a percent.
#[derive(Clone, Copy)]
struct Figures {
    scheme: VatScheme,
    purchase: i128,
    costs: i128,
    rate: i128,
}

impl Figures {
    fn taxable(self, price: i128) -> i128 {
        match self.scheme {
            VatScheme::Margin => (price - self.purchase).max(0),
            VatScheme::Standard => price,
        }
    }

    fn vat(self, price: i128) -> i128 {
        vat_included_in(self.taxable(price), self.rate)
    }

    fn profit(self, price: i128) -> i128 {
        price - self.vat(price) - self.purchase - self.costs
    }

    /// Returns the lowest price at which the sale makes no loss. A price that is a penny higher never has a lower
    /// profit.
    fn break_even(self) -> i128 {
        let taxed = match self.scheme {
            VatScheme::Margin => self.costs,
            VatScheme::Standard => self.purchase + self.costs,
        };
        let untaxed = self.purchase + self.costs - taxed;
        // Starts two pence below the exact result, because the VAT is rounded.
        let first = (untaxed + taxed * (WHOLE + self.rate) / WHOLE - 2).max(0);
        (first..).find(|price| self.profit(*price) >= 0).unwrap_or(first)
    }
}

/// Returns the margin of a sale at this price. The purchase price and the costs must be without deductible VAT. `rate`
/// is the rate of VAT in percent.
pub fn margin(scheme: VatScheme, purchase: Money, costs: Money, price: Money, rate: Money) -> Margin {
    let pence = |money: Money| i128::from(money.pence().max(0));
    let figures = Figures { scheme, purchase: pence(purchase), costs: pence(costs), rate: pence(rate) };
    let money = |pence: i128| {
        let limit = i128::from(Money::MAX);
        Money::saturating_from_pence(i64::try_from(pence.clamp(-limit, limit)).unwrap_or_default())
    };
    let price = pence(price);
    Margin {
        price: money(price),
        taxable: money(figures.taxable(price)),
        vat: money(figures.vat(price)),
        costs,
        profit: money(figures.profit(price)),
        break_even: money(figures.break_even()),
        discount: money(DISCOUNT),
        discount_cost: money(figures.profit(price) - figures.profit((price - DISCOUNT).max(0))),
    }
}

impl VehicleInput {
    /// Returns the margin of a sale at the form's asking price; `None` unless the asking price, the purchase price and
    /// the VAT scheme are valid. `rate` is the rate of VAT in percent.
    pub fn margin(&self, rate: Money) -> Option<Margin> {
        let (purchase, price) = (self.purchase_price().flatten()?, self.asking_price()?);
        let costs = costs_net(&self.costs().unwrap_or_default()).unwrap_or_default();
        Some(margin(self.vat_scheme()?, purchase, costs, price, rate))
    }
}

/// Returns for how many days a vehicle has been in stock or reserved; `None` if it is neither, or the first day is
/// unknown.
pub fn days_in_stock(status: VehicleStatus, in_stock_on: Option<Date>, today: Date) -> Option<u32> {
    in_stock_on.filter(|_| status.is_in_stock()).map(|since| today.days_since(since))
}

/// Returns the average number of days in stock of so many vehicles, whose days add up to `total`. It is rounded, half a
/// day up. `None` without vehicles.
pub(crate) fn average_days(total: u64, vehicles: u64) -> Option<u32> {
    (2 * total + vehicles).checked_div(2 * vehicles).and_then(|days| u32::try_from(days).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::tests::day;
    use proptest::prelude::*;

    fn money(pence: i64) -> Money {
        Money::from_pence(pence).unwrap()
    }

    fn amounts(scheme: VatScheme, [purchase, costs, price]: [i64; 3], rate: i64) -> [i64; 6] {
        let Margin { taxable, vat, costs, profit, break_even, discount_cost, .. } =
            margin(scheme, money(purchase), money(costs), money(price), money(rate));
        [taxable, vat, costs, profit, break_even, discount_cost].map(Money::pence)
    }

    #[test]
    fn costs_reduce_the_profit_and_not_the_vat_on_the_margin() {
        let amounts = amounts(VatScheme::Margin, [23_800_000, 1_115_000, 28_990_000], 2_500);
        assert_eq!(amounts, [5_190_000, 1_038_000, 1_115_000, 3_037_000, 25_193_750, 80_000]);
    }

    #[test]
    fn a_loss_has_no_vat_under_the_margin_scheme() {
        let amounts = amounts(VatScheme::Margin, [1_000_000, 0, 900_000], 2_000);
        assert_eq!(amounts, [0, 0, 0, -100_000, 1_000_000, 100_000]);
    }

    #[test]
    fn the_standard_scheme_has_vat_in_the_whole_price() {
        let amounts = amounts(VatScheme::Standard, [800_000, 100_000, 1_200_000], 2_000);
        assert_eq!(amounts, [1_200_000, 200_000, 100_000, 100_000, 1_080_000, 83_333]);
    }

    #[test]
    fn the_discount_lowers_the_profit_by_its_cost() {
        let at = |pence| margin(VatScheme::Standard, money(800_000), money(0), money(pence), money(2_000));
        let Margin { profit, discount, discount_cost, .. } = at(1_200_000);
        assert_eq!(profit.pence() - at(1_200_000 - discount.pence()).profit.pence(), discount_cost.pence());
    }

    #[test]
    fn half_a_penny_is_rounded_up() {
        // At a rate of 20 %, 3 pence include 0.5 pence of VAT.
        assert_eq!((vat_included_in(3, 2_000), vat_included_in(2, 2_000), vat_included_in(9, 2_000)), (1, 0, 2));
    }

    #[test]
    fn a_form_without_one_of_the_prices_has_no_margin() {
        let margin = |json: &str| serde_json::from_str::<VehicleInput>(json).unwrap().margin(money(2_000));
        assert_eq!(margin(r#"{"asking_price":12000}"#), None);
        assert_eq!(margin(r#"{"asking_price":"x","purchase_price":1}"#), None);
        let costs = r#"[{"date":"2026-11-20","kind":"Tyres","net":"500"},{"kind":"Paint"}]"#;
        let found = margin(&format!(r#"{{"asking_price":"12000","purchase_price":9000,"costs":{costs}}}"#)).unwrap();
        assert_eq!((found.vat, found.costs, found.profit), (money(50_000), money(50_000), money(200_000)));
    }

    #[test]
    fn only_vehicles_in_stock_or_reserved_have_days_in_stock() {
        let days = |status, since: &str| days_in_stock(status, Some(day(since)), day("2026-11-26"));
        assert_eq!(days(VehicleStatus::InStock, "2026-09-19"), Some(68));
        assert_eq!(days(VehicleStatus::Reserved, "2026-11-26"), Some(0));
        assert_eq!(days(VehicleStatus::InStock, "2026-12-01"), Some(0));
        assert_eq!(days(VehicleStatus::Sold, "2026-09-19"), None);
        assert_eq!(days_in_stock(VehicleStatus::InStock, None, day("2026-11-26")), None);
    }

    #[test]
    fn half_a_day_is_rounded_up_in_the_average() {
        let averages = [(0, 0), (0, 2), (1, 2), (4, 3), (5, 3)].map(|(total, vehicles)| average_days(total, vehicles));
        assert_eq!(averages, [None, Some(0), Some(1), Some(1), Some(2)]);
    }

    fn scheme() -> impl Strategy<Value = VatScheme> {
        proptest::sample::select(VatScheme::ALL.to_vec())
    }

    proptest! {
        /// Twice the distance of the VAT from the exact one, `taxable × rate / (100 % + rate)`, is compared with a
        /// penny, because this needs only whole numbers.
        #[test]
        fn vat_is_never_negative_and_at_most_half_a_penny_off(
            scheme in scheme(), purchase in 0..=Money::MAX, costs in 0..=Money::MAX, price in 0..=Money::MAX, rate in 0..=10_000i64,
        ) {
            let [taxable, vat, costs, profit, ..] = amounts(scheme, [purchase, costs, price], rate);
            let expected = if scheme == VatScheme::Margin { (price - purchase).max(0) } else { price };
            prop_assert_eq!(taxable, expected);
            let (exact, divisor) = (i128::from(taxable) * i128::from(rate), i128::from(10_000 + rate));
            let twice = 2 * (i128::from(vat) * divisor - exact);
            prop_assert!(vat >= 0 && -divisor < twice && twice <= divisor, "{} of {}", vat, taxable);
            prop_assert_eq!(profit, (price - vat - purchase - costs).clamp(-Money::MAX, Money::MAX));
        }

        #[test]
        fn a_penny_below_break_even_is_a_loss(
            scheme in scheme(), purchase in 0..1_000_000_000i64, costs in 0..100_000_000i64, rate in 0..=10_000i64,
        ) {
            let at = |price: i64| amounts(scheme, [purchase, costs, price], rate);
            let break_even = at(0)[4];
            prop_assert!(at(break_even)[3] >= 0);
            prop_assert!(break_even == 0 || at(break_even - 1)[3] < 0);
        }
    }
}
