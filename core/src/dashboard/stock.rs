//! The figures of the vehicles in stock.

use super::{DayTotal, OldVehicle, StockAge, StockFigures, UnknownAge};
use crate::date::Date;
use crate::money::Money;
use crate::vehicles::average_days;

/// The first day in stock of each age.
const AGES: [u32; 4] = [0, 31, 61, 91];

impl StockFigures {
    /// `days` are the numbers and asking prices of the vehicles in stock since each day, `unknown` those that are in
    /// stock since an unknown day: number and prices in pence. `priced` is the number of all that have an asking price.
    pub fn of(today: Date, days: &[DayTotal], unknown: (u64, i64), priced: u64, oldest: Vec<OldVehicle>) -> Self {
        let age = |total: &DayTotal| today.days_since(total.day);
        let ends = AGES.iter().skip(1).map(|from| Some(from - 1)).chain([None]);
        let ages = AGES.iter().zip(ends).map(|(from, to)| {
            let is_in = |total: &&DayTotal| age(total) >= *from && to.is_none_or(|to| age(total) <= to);
            let (count, value) = sum(days.iter().filter(is_in));
            StockAge { from: *from, to, count, value: Money::saturating_from_pence(value) }
        });
        let (known, value) = sum(days);
        let day_count: u64 = days.iter().map(|total| u64::from(age(total)) * total.count).sum();
        let (count, pence) = unknown;
        StockFigures {
            count: known + count,
            priced,
            value: Money::saturating_from_pence(value.saturating_add(pence)),
            average_days: average_days(day_count, known),
            ages: ages.collect(),
            unknown: (count > 0).then(|| UnknownAge { count, value: Money::saturating_from_pence(pence) }),
            oldest,
        }
    }
}

/// Returns the number and the price in pence of all these totals.
fn sum<'a>(totals: impl IntoIterator<Item = &'a DayTotal>) -> (u64, i64) {
    let add = |(count, pence): (u64, i64), total: &DayTotal| (count + total.count, pence.saturating_add(total.pence));
    totals.into_iter().fold((0, 0), add)
}

#[cfg(test)]
mod tests {
    use super::super::days::tests::total;
    use super::*;
    use crate::date::tests::day;
    use crate::vehicles::{ColumnVehicle, VehicleStatus, column_figures};
    use proptest::prelude::*;

    #[test]
    fn stock_is_counted_by_age_and_the_ages_with_the_unknown_one_add_up() {
        let days = [
            total("2026-11-27", 1, 10),
            total("2026-12-01", 1, 10),
            total("2026-10-28", 1, 100),
            total("2026-10-27", 2, 1_000),
            total("2026-08-29", 3, 10_000),
            total("2026-08-28", 4, 100_000),
        ];
        let figures = StockFigures::of(day("2026-11-27"), &days, (5, 1_000_000), 16, Vec::new());
        let ages: Vec<_> = figures.ages.iter().map(|age| (age.from, age.to, age.count, age.value.pence())).collect();
        assert_eq!(
            ages,
            [(0, Some(30), 3, 120), (31, Some(60), 2, 1_000), (61, Some(90), 3, 10_000), (91, None, 4, 100_000)]
        );
        let unknown = figures.unknown.map(|unknown| (unknown.count, unknown.value.pence()));
        assert_eq!((figures.count, figures.value.pence(), unknown), (17, 1_111_120, Some((5, 1_000_000))));
        assert_eq!(figures.priced, 16);
        assert_eq!(figures.ages.iter().map(|age| age.count).sum::<u64>() + 5, figures.count);
        assert_eq!(StockFigures::of(day("2026-11-27"), &days, (0, 0), 12, Vec::new()).unknown, None);
    }

    #[test]
    fn without_a_known_day_there_is_no_average() {
        let figures = StockFigures::of(day("2026-11-27"), &[], (2, 100), 2, Vec::new());
        assert_eq!((figures.count, figures.average_days), (2, None));
    }

    proptest! {
        #[test]
        fn value_and_average_are_those_of_a_column_of_the_board(
            vehicles in prop::collection::vec((1u8..=28, 0i64..1_000_000, 1u64..4), 0..20),
        ) {
            let days: Vec<_> = vehicles
                .iter()
                .map(|(date, pence, count)| {
                    total(&format!("2026-10-{date:02}"), *count, pence * i64::try_from(*count).unwrap())
                })
                .collect();
            let column: Vec<_> = vehicles
                .iter()
                .flat_map(|(date, pence, count)| {
                    (0..*count).map(move |_| ColumnVehicle {
                        status: VehicleStatus::InStock,
                        in_stock_on: Date::parse(&format!("2026-10-{date:02}")),
                        asking_price: Money::from_pence(*pence),
                    })
                })
                .collect();
            let today = day("2026-11-27");
            let figures = StockFigures::of(today, &days, (0, 0), 0, Vec::new());
            let expected = column_figures(&column, today);
            prop_assert_eq!((figures.value, figures.average_days), (expected.value, expected.average_days));
            prop_assert_eq!(figures.ages.iter().map(|age| age.count).sum::<u64>(), figures.count);
        }
    }
}
