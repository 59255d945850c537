//! When the records of the demo were created: more often the nearer to today, in spring and autumn, and on weekdays.

use super::records::utc_date;
use crate::platform::clock::{DAY, HOUR};
use jiff::civil::Weekday;

/// The age of the oldest records, in days.
pub const DAYS: usize = 3 * 365;
/// A business doubles its records in this many days.
const DOUBLES_IN: f64 = 400.0;
/// How busy the months are, January first.
const MONTHS: [f64; 12] = [0.7, 0.8, 1.2, 1.5, 1.5, 1.1, 0.5, 0.8, 1.3, 1.4, 1.0, 0.7];
/// Records of today and of yesterday, which every list has.
const TODAY: usize = 1;
const YESTERDAY: usize = 2;

/// Spreads the creation times of the demo's records over a number of days.
pub struct Calendar {
    now: i64,
    /// For each day before yesterday, the oldest first: the share of all records that were created up to its end.
    shares: Vec<f64>,
}

impl Calendar {
    /// Spreads them over the last `days` days, up to `now`.
    pub fn new(now: i64, days: usize) -> Self {
        let mut total = 0.0;
        let mut shares: Vec<f64> = (2..days.max(3))
            .rev()
            .map(|age| {
                let day = utc_date(now - age as i64 * DAY);
                let of_weekday = match day.weekday() {
                    Weekday::Sunday => 0.1,
                    Weekday::Saturday => 0.5,
                    _ => 1.0,
                };
                let month = MONTHS[day.month().unsigned_abs() as usize - 1];
                total += month * of_weekday * (-(age as f64) / DOUBLES_IN).exp2();
                total
            })
            .collect();
        shares.iter_mut().for_each(|share| *share /= total);
        Calendar { now, shares }
    }

    /// Returns when record number `i` of `count` was created. A higher number is never older.
    pub fn time(&self, i: usize, count: usize) -> i64 {
        let midnight = self.now - self.now % DAY;
        let newest = count - i.min(count - 1);
        if count > 20 && newest <= TODAY {
            return midnight + (self.now - midnight) / (TODAY as i64 + 1) * (TODAY - newest + 1) as i64;
        }
        if count > 20 && newest <= TODAY + YESTERDAY {
            return midnight - DAY + (9 + 3 * (TODAY + YESTERDAY - newest) as i64) * HOUR;
        }
        let older = if count > 20 { count - TODAY - YESTERDAY } else { count };
        let share = (i as f64 + 0.5) / older as f64;
        let day = self.shares.partition_point(|end| *end < share).min(self.shares.len() - 1);
        let begin = if day == 0 { 0.0 } else { self.shares[day - 1] };
        let part = ((share - begin) / (self.shares[day] - begin)).clamp(0.0, 1.0);
        // Between 8 and 17 o'clock.
        midnight - DAY * (self.shares.len() + 1 - day) as i64 + 8 * HOUR + (part * (9 * HOUR) as f64) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_never_go_back_and_reach_today() {
        for now in [1_763_000_000_000_000, 1_763_000_000_000_000 / DAY * DAY + 1] {
            for count in [1, 15, 240, 5_000] {
                let calendar = Calendar::new(now, 3 * 365);
                let times: Vec<_> = (0..count).map(|i| calendar.time(i, count)).collect();
                assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{count}");
                assert!(times.iter().all(|time| (now - 3 * 365 * DAY..=now).contains(time)), "{count}");
                if count > 20 {
                    let days =
                        |age: i64| times.iter().filter(move |time| utc_date(**time) == utc_date(now - age * DAY));
                    assert_eq!((days(0).count(), days(1).count()), (TODAY, YESTERDAY), "{count}");
                }
            }
        }
    }

    #[test]
    fn the_last_year_and_the_spring_have_most_records() {
        let now = 1_763_000_000_000_000;
        let calendar = Calendar::new(now, 3 * 365);
        let times: Vec<_> = (0..3_000).map(|i| calendar.time(i, 3_000)).collect();
        let year = |age: i64| times.iter().filter(|time| (now - **time) / (365 * DAY) == age).count();
        assert!(year(0) > year(1) && year(1) > year(2));
        let month = |month: i8| times.iter().filter(|time| utc_date(**time).month() == month).count();
        assert!(month(4) > month(7) && month(5) > month(1));
    }
}
