//! Calendar dates, `yyyy-MM-dd` in JSON.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, civil};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::str::FromStr;
use validator::ValidateRange;

/// A valid calendar date from year 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

/// A calendar period that contains a date.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    Day,
    Month,
    Year,
}

impl Date {
    /// Returns the date in a time zone at a time, which is in microseconds since the Unix epoch.
    pub fn at(micros: i64, zone: &TimeZone) -> Self {
        let time = Timestamp::from_microsecond(micros).unwrap_or_default();
        Date(zone.to_datetime(time).date().max(civil::date(1, 1, 1)))
    }

    /// Returns the time at which the day begins in a time zone, in microseconds since the Unix epoch. If the clock
    /// skips midnight, this is when it does so.
    pub fn start(self, zone: &TimeZone) -> i64 {
        self.0.to_zoned(zone.clone()).map_or(i64::MAX, |start| start.timestamp().as_microsecond())
    }

    /// Returns the first and the last day of the period that is `later` periods after the one with this date. Days
    /// beyond the possible dates are replaced by the nearest possible one.
    pub fn period(self, period: Period, later: i16) -> (Self, Self) {
        let (first, last) = match period {
            Period::Day => {
                let day = self.0.saturating_add(Span::new().days(later));
                (day, day)
            }
            Period::Month => {
                let month = self.0.first_of_month().saturating_add(Span::new().months(later));
                (month.first_of_month(), month.last_of_month())
            }
            Period::Year => {
                let year = self.0.first_of_year().saturating_add(Span::new().years(later));
                (year.first_of_year(), year.last_of_year())
            }
        };
        let earliest = civil::date(1, 1, 1);
        (Date(first.max(earliest)), Date(last.max(earliest)))
    }

    /// Parses `yyyy-MM-dd`; no other format is accepted.
    pub fn parse(text: &str) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return None };
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0i16, |n, digit| digit.is_ascii_digit().then(|| n * 10 + i16::from(digit - b'0')))
        };
        let (year, month, day) = (number(&[y1, y2, y3, y4])?, number(&[m1, m2])?, number(&[d1, d2])?);
        if year == 0 {
            return None;
        }
        civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok().map(Date)
    }

    /// Returns whether this day is in the future wherever the user is. `today` can be the day before the user's, if it
    /// is the date in UTC.
    pub fn is_in_future(self, today: Self) -> bool {
        self > today.plus_days(1)
    }

    /// Returns the date's number in a spreadsheet: 1 is 1 January 1900. Earlier dates have no number. Spreadsheet
    /// programs treat 1900 as a leap year.
    pub fn spreadsheet_number(self) -> Option<i32> {
        let day_59 = civil::date(1900, 2, 28);
        let days = self.0.since((jiff::Unit::Day, day_59)).ok()?.get_days() + 59;
        match days {
            ..1 => None,
            1..=59 => Some(days),
            _ => Some(days + 1),
        }
    }

    /// Returns how many days this date is after `earlier`; 0 if it is before.
    pub fn days_since(self, earlier: Self) -> u32 {
        let days = self.0.since((jiff::Unit::Day, earlier.0)).map_or(0, |span| span.get_days());
        u32::try_from(days).unwrap_or(0)
    }

    /// Returns the day of the month, from 1 to 31.
    pub fn day_of_month(self) -> usize {
        usize::try_from(self.0.day()).unwrap_or(1)
    }

    /// Returns the date `days` later; the last possible date if there is none.
    pub fn plus_days(self, days: u16) -> Self {
        Date(self.0.saturating_add(Span::new().days(i64::from(days))))
    }

    /// Returns the first day of the month that is `months` before this date's month. `None` before year 1.
    pub fn month_start_before(self, months: usize) -> Option<Self> {
        Date::parse(&format!("{}-01", self.month_before(months)?))
    }

    /// Returns the month that is `months` before this date's month, as `yyyy-MM`. `None` before year 1.
    pub fn month_before(self, months: usize) -> Option<String> {
        let index = usize::try_from(self.0.year()).ok()? * 12 + usize::try_from(self.0.month()).ok()? - 1;
        let index = index.checked_sub(months).filter(|index| *index >= 12)?;
        Some(format!("{:04}-{:02}", index / 12, index % 12 + 1))
    }
}

/// For the validator, a missing date is in any range.
impl ValidateRange<Date> for Option<Date> {
    fn greater_than(&self, max: Date) -> Option<bool> {
        self.map(|date| date > max)
    }

    fn less_than(&self, min: Date) -> Option<bool> {
        self.map(|date| date < min)
    }
}

impl FromStr for Date {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Date::parse(text).ok_or(())
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Date::parse(&text).ok_or_else(|| D::Error::custom("a date is yyyy-MM-dd"))
    }
}

#[cfg(feature = "schema")]
json_schema!(Date, {"type": "string", "format": "date"});

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn day(text: &str) -> Date {
        Date::parse(text).unwrap_or_else(|| panic!("{text} is a day"))
    }

    #[test]
    fn spreadsheets_number_dates_from_1900() {
        let number = |text: &str| day(text).spreadsheet_number();
        assert_eq!(number("1900-01-01"), Some(1));
        assert_eq!(number("1900-02-28"), Some(59));
        assert_eq!(number("1900-03-01"), Some(61));
        assert_eq!(number("2026-01-31"), Some(46_053));
        assert_eq!(number("9999-12-31"), Some(2_958_465));
        assert_eq!(number("1899-12-31"), None);
    }

    #[test]
    fn parses_only_existing_dates() {
        for text in ["2026-02-28", "2024-02-29", "9999-12-31", "0001-01-01"] {
            assert_eq!(Date::parse(text).map(|d| d.to_string()).as_deref(), Some(text));
        }
        for text in ["2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "26-1-1", "2026-1-1", "2026/01/01", ""] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert_eq!(Date::parse("2026-01-01T00:00"), None);
        assert_eq!(Date::parse("+226-01-01"), None);
    }

    #[test]
    fn counts_months_back_across_a_year_boundary() {
        let before = |text, months| Date::parse(text).and_then(|day| day.month_before(months));
        for (day, months, month) in
            [("2027-01-31", 0, "2027-01"), ("2027-01-31", 1, "2026-12"), ("2024-02-29", 26, "2021-12")]
        {
            assert_eq!(before(day, months).as_deref(), Some(month), "{day} {months}");
        }
        assert_eq!((before("0001-02-01", 2), before("9999-12-31", usize::MAX)), (None, None));
    }

    #[test]
    fn months_start_on_their_first_day_and_days_are_added_across_months() {
        assert_eq!(day("2027-01-31").month_start_before(0), Date::parse("2027-01-01"));
        assert_eq!(day("2027-01-31").month_start_before(2), Date::parse("2026-11-01"));
        assert_eq!(day("0001-01-31").month_start_before(1), None);
        assert_eq!((day("2027-01-31").day_of_month(), day("2027-02-01").day_of_month()), (31, 1));
        assert_eq!(day("2026-12-30").plus_days(7), day("2027-01-06"));
        assert_eq!(day("9999-12-30").plus_days(7), day("9999-12-31"));
    }

    #[test]
    fn a_day_begins_at_midnight_of_its_time_zone() {
        let zone = |name| TimeZone::get(name).unwrap();
        let micros = |time: &str| time.parse::<Timestamp>().unwrap().as_microsecond();
        for (name, date, start) in [
            ("UTC", "2026-11-30", "2026-11-30T00:00:00Z"),
            ("Europe/Stockholm", "2026-11-30", "2026-11-29T23:00:00Z"),
            ("America/New_York", "2026-11-30", "2026-11-30T05:00:00Z"),
            // Summer time begins or ends on these days.
            ("Europe/Stockholm", "2026-03-29", "2026-03-28T23:00:00Z"),
            ("Europe/Stockholm", "2026-03-30", "2026-03-29T22:00:00Z"),
            ("Europe/Stockholm", "2026-10-26", "2026-10-25T23:00:00Z"),
            // The clock was set forward at midnight.
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
        ] {
            let (zone, date, start) = (zone(name), day(date), micros(start));
            assert_eq!(date.start(&zone), start, "{name} {date}");
            assert_eq!(Date::at(start, &zone), date, "{name} {date}");
            assert!(Date::at(start - 1, &zone) < date, "{name} {date}");
        }
        assert_eq!(Date::at(i64::MIN, &TimeZone::UTC), Date::at(0, &TimeZone::UTC));
        assert_eq!(day("9999-12-31").start(&zone("America/New_York")), i64::MAX);
    }

    #[test]
    fn a_period_has_its_first_and_its_last_day() {
        for (date, period, later, expected) in [
            ("2026-12-31", Period::Day, 1, ("2027-01-01", "2027-01-01")),
            ("2027-01-01", Period::Day, -1, ("2026-12-31", "2026-12-31")),
            ("2028-02-28", Period::Day, 1, ("2028-02-29", "2028-02-29")),
            ("2027-03-31", Period::Month, -1, ("2027-02-01", "2027-02-28")),
            ("2027-01-31", Period::Month, -11, ("2026-02-01", "2026-02-28")),
            ("2026-11-30", Period::Month, 2, ("2027-01-01", "2027-01-31")),
            ("2028-02-29", Period::Year, -1, ("2027-01-01", "2027-12-31")),
            ("0001-02-01", Period::Month, -2, ("0001-01-01", "0001-01-01")),
            ("9998-01-01", Period::Year, 9, ("9999-01-01", "9999-12-31")),
        ] {
            let (first, last) = day(date).period(period, later);
            assert_eq!((first.to_string().as_str(), last.to_string().as_str()), expected, "{date} {period:?} {later}");
        }
    }

    proptest! {
        #[test]
        fn dates_round_trip_and_sort_like_their_texts(a in "[0-9]{4}-[01][0-9]-[0-3][0-9]", b in "[0-9]{4}-[01][0-9]-[0-3][0-9]") {
            if let (Some(first), Some(second)) = (Date::parse(&a), Date::parse(&b)) {
                prop_assert_eq!(first.to_string(), a.clone());
                prop_assert_eq!(first.cmp(&second), a.cmp(&b));
            }
        }
        #[test]
        fn parsing_never_panics(text in "\\PC{0,12}") {
            let _ = Date::parse(&text);
        }
    }
}
