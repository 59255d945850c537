//! Totals of days, from the first day of a month on.

use crate::date::Date;
use crate::money::Money;

/// Number and total price of some records of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayTotal {
    pub day: Date,
    pub count: u64,
    /// Sum of the prices, in pence.
    pub pence: i64,
}

/// Returns the value from the first day of a month to each of its days: of this month up to today, and of last month.
pub(super) fn running_values(today: Date, days: &[DayTotal]) -> (Vec<Money>, Vec<Money>) {
    let running = |first: Date, length: usize| {
        let mut sums = vec![0_i64; length];
        let month = first.month_before(0);
        for total in days.iter().filter(|total| total.day.month_before(0) == month) {
            if let Some(sum) = sums.get_mut(total.day.day_of_month() - 1) {
                *sum = sum.saturating_add(total.pence);
            }
        }
        let mut total = 0_i64;
        let add = |pence: i64| {
            total = total.saturating_add(pence);
            Money::saturating_from_pence(total)
        };
        sums.into_iter().map(add).collect()
    };
    let first = today.month_start_before(0).unwrap_or(today);
    let last_month = today.month_start_before(1).map(|before| {
        let length = usize::try_from(first.days_since(before)).unwrap_or(0);
        running(before, length)
    });
    (running(first, today.day_of_month()), last_month.unwrap_or_default())
}

/// Returns the number of records of this month up to today, and of last month up to the same day.
pub(super) fn counts_to_same_day(today: Date, days: &[DayTotal]) -> (u64, u64) {
    let same_day = today.day_of_month();
    let count = |months_ago: usize| {
        let Some(first) = today.month_start_before(months_ago) else { return 0 };
        let month = first.month_before(0);
        let is_counted = |total: &&DayTotal| total.day.month_before(0) == month && total.day.day_of_month() <= same_day;
        days.iter().filter(is_counted).map(|total| total.count).sum()
    };
    (count(0), count(1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::date::tests::day;
    use proptest::prelude::*;

    pub fn total(text: &str, count: u64, pence: i64) -> DayTotal {
        DayTotal { day: day(text), count, pence }
    }

    #[test]
    fn this_month_runs_to_today_and_last_month_to_its_end() {
        let days = [
            total("2027-01-31", 1, 1),
            total("2027-02-01", 1, 20),
            total("2027-02-28", 1, 5),
            total("2027-03-02", 2, 300),
            total("2027-03-03", 1, 4),
            total("2027-03-04", 1, 7),
        ];
        let (this_month, last_month) = running_values(day("2027-03-03"), &days);
        let pence = |values: &[Money]| values.iter().map(|value| value.pence()).collect::<Vec<_>>();
        assert_eq!(pence(&this_month), [0, 300, 304]);
        assert_eq!((last_month.len(), pence(&last_month[26..])), (28, vec![20, 25]));
        // There is no month before year 1.
        assert_eq!(running_values(day("0001-01-02"), &[]).1, []);
    }

    #[test]
    fn last_month_is_counted_up_to_the_same_day() {
        let days = [
            total("2027-01-30", 8, 0),
            total("2027-02-03", 1, 0),
            total("2027-02-04", 16, 0),
            total("2027-03-01", 2, 0),
            total("2027-03-03", 4, 0),
            total("2027-03-04", 32, 0),
            total("2026-03-01", 64, 0),
        ];
        assert_eq!(counts_to_same_day(day("2027-03-03"), &days), (6, 1));
        // February has no 31st day: all of it counts.
        assert_eq!(counts_to_same_day(day("2027-03-31"), &days), (38, 17));
    }

    proptest! {
        #[test]
        fn running_values_end_with_the_sum_of_their_month(
            amounts in prop::collection::vec((1u8..=28, 0i64..1_000_000), 0..40),
            date in 1u8..=28,
        ) {
            let days: Vec<_> = amounts.iter().map(|(d, pence)| total(&format!("2026-10-{d:02}"), 1, *pence)).collect();
            let (this_month, _) = running_values(day(&format!("2026-10-{date:02}")), &days);
            let sum: i64 = amounts.iter().filter(|(d, _)| *d <= date).map(|(_, pence)| pence).sum();
            prop_assert_eq!(this_month.last().map(|value| value.pence()), Some(sum));
            let (_, last_month) = running_values(day("2026-11-15"), &days);
            prop_assert_eq!(last_month.len(), 31);
            prop_assert_eq!(last_month.last().map(|value| value.pence()), Some(amounts.iter().map(|(_, p)| p).sum::<i64>()));
        }
    }
}
