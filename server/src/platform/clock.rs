//! The one source of the time, so that tests can set it.

use forecourt_core::date::Date;
use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub const SECOND: i64 = 1_000_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// Tells the time in microseconds of the Unix epoch, UTC.
#[derive(Clone, Debug)]
pub enum Clock {
    System,
    /// Stands still until a test moves it.
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

/// A time as it travels: RFC 3339 in UTC, to the millisecond.
pub fn rfc3339(micros: i64) -> String {
    Timestamp::from_microsecond(micros).map(|t| format!("{t:.3}")).unwrap_or_default()
}

/// The millisecond, since the Unix epoch, of the state that a change is based on, as its `updatedAt` travelled (decisions
/// 6.1). None where none is told; what is no time is the time of no state.
pub fn based_on(updated_at: Option<&str>) -> Option<i64> {
    let text = updated_at.filter(|text| !text.is_empty())?;
    Some(text.parse().map_or(i64::MIN, |time: Timestamp| time.as_millisecond()))
}

/// The day of a time, in UTC; none for a time that no calendar here has.
pub fn day(micros: i64) -> Option<Date> {
    Date::parse(rfc3339(micros).get(..10)?)
}
