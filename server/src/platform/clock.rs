//! The only source of the current time, so that tests can control it.

use forecourt_core::date::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub const SECOND: i64 = 1_000_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// A clock that returns the time in microseconds since the Unix epoch, UTC.
#[derive(Clone, Debug)]
pub enum Clock {
    System,
    /// A clock that shows the same time until a test changes it.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    pub fn now(&self) -> i64 {
        match self {
            Clock::System => Timestamp::now().as_microsecond(),
            Clock::Fixed(now) => now.load(Ordering::SeqCst),
        }
    }
}

/// Returns the time a number of calendar months, in UTC, before another. Both are in microseconds since the Unix epoch.
pub fn months_before(micros: i64, months: u32) -> i64 {
    let time = Timestamp::from_microsecond(micros).map(|time| time.to_zoned(TimeZone::UTC));
    let before = time.and_then(|time| time.checked_sub(Span::new().try_months(months)?));
    before.map_or(i64::MIN, |time| time.timestamp().as_microsecond())
}

/// Formats a time as RFC 3339 in UTC with milliseconds, as the API returns it.
pub fn rfc3339(micros: i64) -> String {
    Timestamp::from_microsecond(micros).map(|t| format!("{t:.3}")).unwrap_or_default()
}

/// Parses an RFC 3339 time into microseconds since the Unix epoch; `None` if the text isn't such a time.
pub fn parse_rfc3339(text: &str) -> Option<i64> {
    text.parse().ok().map(|time: Timestamp| time.as_microsecond())
}

/// Parses the `updatedAt` that an update is based on, in milliseconds since the Unix epoch (docs/product.md 4.13).
/// `None` if absent; an unparsable timestamp matches no version.
pub fn updated_at_millis(updated_at: Option<&str>) -> Option<i64> {
    let text = updated_at.filter(|text| !text.is_empty())?;
    Some(text.parse().map_or(i64::MIN, |time: Timestamp| time.as_millisecond()))
}

/// Returns the date in UTC of a time in microseconds since the Unix epoch; `None` if the time is out of range.
pub fn utc_date(micros: i64) -> Option<Date> {
    Date::parse(rfc3339(micros).get(..10)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_back_calendar_months_to_the_last_day_of_a_shorter_month() {
        for (time, months, before) in [
            ("2026-11-29T08:00:00Z", 1, "2026-10-29T08:00:00.000Z"),
            ("2027-03-31T23:59:59Z", 1, "2027-02-28T23:59:59.000Z"),
            ("2028-02-29T00:00:00Z", 12, "2027-02-28T00:00:00.000Z"),
        ] {
            assert_eq!(parse_rfc3339(time).map(|time| rfc3339(months_before(time, months))).as_deref(), Some(before));
        }
    }
}
