//! The only source of the current time, so that tests can control it.

use forecourt_core::date::Date;
use jiff::Timestamp;
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
