//! Relative dates in filters, such as `today-30` and `month`: tomorrow they may be other days.

use super::{Kind, Value};
use crate::date::{Date, Period};
use jiff::tz::TimeZone;
use serde::Serialize;
use std::ops::RangeInclusive;

/// How many days, months or years a relative date can be from the current one.
pub(super) const DISTANCE_MAX: u16 = 9_999;

/// The current day where a user is, from which relative dates are counted.
#[derive(Clone, Debug)]
pub struct Today {
    date: Date,
    zone: TimeZone,
}

/// 1 January 1970 in UTC: for filters without relative dates, and to validate others, because which ones are valid does
/// not depend on the day.
impl Default for Today {
    fn default() -> Self {
        Today::new(0, TimeZone::UTC)
    }
}

impl Today {
    /// Returns the day in a time zone at the time `now`, which is in microseconds since the Unix epoch.
    pub fn new(now: i64, zone: TimeZone) -> Self {
        Today { date: Date::at(now, &zone), zone }
    }

    pub fn date(&self) -> Date {
        self.date
    }

    /// Returns the values of a field of this kind that are within a relative date. A day begins and ends at midnight of
    /// the user's time zone.
    pub(super) fn values(&self, RelativeDate { period, later }: RelativeDate, kind: Kind) -> RangeInclusive<Value> {
        let (first, last) = self.date.period(period, later);
        match kind {
            Kind::Time => {
                let end = last.plus_days(1).start(&self.zone);
                Value::Time(first.start(&self.zone))..=Value::Time(end - 1)
            }
            _ => Value::Date(first)..=Value::Date(last),
        }
    }
}

/// A day, a month or a year: the current one, or one before or after it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RelativeDate {
    pub period: Period,
    /// How many periods after the current one it is. Negative if it is before.
    pub later: i16,
}

impl RelativeDate {
    /// Parses `today`, `month` or `year`. A number of days, months or years may follow, such as `today+14` and
    /// `month-1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (period, distance) = split(text)?;
        let later: i16 = match distance {
            "" => 0,
            _ if distance.starts_with(['+', '-']) => distance.parse().ok()?,
            _ => return None,
        };
        (later.unsigned_abs() <= DISTANCE_MAX).then_some(RelativeDate { period, later })
    }

    /// Returns whether this date is after the other one on every day.
    pub fn is_always_after(self, other: Self) -> bool {
        self.period == other.period && self.later > other.later
    }
}

/// Returns the period that a relative date begins with, and what follows.
fn split(text: &str) -> Option<(Period, &str)> {
    let words = [("today", Period::Day), ("month", Period::Month), ("year", Period::Year)];
    words.into_iter().find_map(|(word, period)| Some((period, text.strip_prefix(word)?)))
}

/// Returns whether a text is a relative date, except that its number may be invalid.
pub(super) fn has_distance(text: &str) -> bool {
    split(text).is_some_and(|(_, distance)| distance.starts_with(['+', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> i64 {
        text.parse::<jiff::Timestamp>().unwrap().as_microsecond()
    }

    fn today(now: &str, zone: &str) -> Today {
        Today::new(time(now), TimeZone::get(zone).unwrap())
    }

    fn dates(today: &Today, text: &str) -> (String, String) {
        match today.values(RelativeDate::parse(text).unwrap(), Kind::Date).into_inner() {
            (Value::Date(first), Value::Date(last)) => (first.to_string(), last.to_string()),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn parses_only_the_words_with_a_limited_distance() {
        for text in ["today", "today-30", "today+14", "today+0", "month", "month-1", "year", "year+9999", "year-9999"] {
            assert!(RelativeDate::parse(text).is_some(), "{text}");
        }
        let words = "Today today30 today- today--1 today+-1 today-1d today+10000 today-99999 months month/1 week -30";
        for text in words.split(' ').chain(["", " today", "today ", "today- 1", "2026-01-31"]) {
            assert_eq!(RelativeDate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_counted_from_the_day_in_the_users_time_zone() {
        for (now, zone, text, first, last) in [
            ("2026-11-30T22:59:59Z", "Europe/Stockholm", "today", "2026-11-30", "2026-11-30"),
            ("2026-11-30T23:00:00Z", "Europe/Stockholm", "today", "2026-12-01", "2026-12-01"),
            ("2026-11-30T23:00:00Z", "Europe/Stockholm", "month", "2026-12-01", "2026-12-31"),
            ("2026-12-01T04:59:59Z", "America/New_York", "month", "2026-11-01", "2026-11-30"),
            ("2026-12-31T23:00:00Z", "Europe/Stockholm", "year", "2027-01-01", "2027-12-31"),
            ("2026-12-31T23:00:00Z", "UTC", "year-1", "2025-01-01", "2025-12-31"),
            ("2027-03-31T12:00:00Z", "UTC", "month-1", "2027-02-01", "2027-02-28"),
            ("2028-03-01T12:00:00Z", "UTC", "today-1", "2028-02-29", "2028-02-29"),
            ("2026-12-25T12:00:00Z", "UTC", "today+14", "2027-01-08", "2027-01-08"),
            ("2026-12-25T12:00:00Z", "UTC", "year-9999", "0001-01-01", "0001-01-01"),
        ] {
            assert_eq!(dates(&today(now, zone), text), (first.to_owned(), last.to_owned()), "{now} {zone} {text}");
        }
    }

    #[test]
    fn times_are_those_of_whole_days_in_the_users_time_zone() {
        for (text, zone, first, end) in [
            ("today", "Europe/Stockholm", "2026-11-29T23:00:00Z", "2026-11-30T23:00:00Z"),
            ("today", "America/New_York", "2026-11-30T05:00:00Z", "2026-12-01T05:00:00Z"),
            // Summer time ended on 25 October, and begins on 28 March.
            ("today-36", "Europe/Stockholm", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
            ("month-1", "Europe/Stockholm", "2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"),
            ("month+4", "Europe/Stockholm", "2027-02-28T23:00:00Z", "2027-03-31T22:00:00Z"),
            ("year", "Europe/Stockholm", "2025-12-31T23:00:00Z", "2026-12-31T23:00:00Z"),
            ("year", "Asia/Kolkata", "2025-12-31T18:30:00Z", "2026-12-31T18:30:00Z"),
        ] {
            let values = today("2026-11-30T12:00:00Z", zone).values(RelativeDate::parse(text).unwrap(), Kind::Time);
            assert_eq!(values, Value::Time(time(first))..=Value::Time(time(end) - 1), "{zone} {text}");
        }
    }

    #[test]
    fn only_relative_dates_with_the_same_period_have_an_order() {
        let is_after = |a, b| RelativeDate::parse(a).unwrap().is_always_after(RelativeDate::parse(b).unwrap());
        assert!(is_after("today", "today-1") && is_after("month+1", "month"));
        assert!(!is_after("today", "today+0") && !is_after("today-1", "today") && !is_after("today", "month-1"));
    }
}
