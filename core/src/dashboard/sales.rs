//! The figures of sold and brokered vehicles, and of open agreements.

use super::days::counts_to_same_day;
use super::rules::{counts, part_of_month};
use super::{DUE, DayTotal, DueAgreement, SalesFigures};
use crate::agreements::AgreementState;
use crate::customers::AgreementType;
use crate::date::Date;
use serde::Serialize;

/// A signed agency waits for a buyer.
pub const TO_DELIVER: ToDeliver = ToDeliver { state: AgreementState::Signed, excluded_type: AgreementType::Agency };

api_types!(
    /// Which agreements wait for delivery: those in a state, except those of a type.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct ToDeliver {
        pub state: AgreementState,
        pub excluded_type: AgreementType,
    }
);

/// The counts of open agreements, and those that are due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenAgreements {
    /// Number of agreements that wait for delivery ([`TO_DELIVER`]).
    pub to_deliver: u64,
    /// Number of offers that wait for an answer.
    pub offered: u64,
    /// Those whose exclusivity ends soon, then those that wait for delivery. May be more than the dashboard shows.
    pub due: Vec<DueAgreement>,
}

impl SalesFigures {
    /// `days` says how many vehicles were sold or brokered on each day of the charts' months.
    pub fn of(today: Date, days: &[DayTotal], open: OpenAgreements) -> Self {
        let months: Vec<_> = days.iter().filter_map(part_of_month).collect();
        let (this_month, last_month) = counts_to_same_day(today, days);
        let OpenAgreements { to_deliver, offered, mut due } = open;
        due.truncate(DUE);
        SalesFigures { months: counts(today, &months), this_month, last_month, to_deliver, offered, due }
    }
}

#[cfg(test)]
mod tests {
    use super::super::days::tests::total;
    use super::*;
    use crate::date::tests::day;

    #[test]
    fn sold_vehicles_are_counted_by_month_and_compared_with_the_same_day_of_last_month() {
        let days = [("2026-10-27", 1), ("2026-10-28", 2), ("2026-11-27", 4), ("2026-11-01", 8)];
        let days = days.map(|(day, count)| total(day, count, 0));
        let figures = SalesFigures::of(day("2026-11-27"), &days, OpenAgreements::default());
        let last: Vec<_> = figures.months.iter().skip(10).map(|m| (m.month.as_str(), m.count)).collect();
        assert_eq!(last, [("2026-10", 3), ("2026-11", 12)]);
        assert_eq!((figures.this_month, figures.last_month), (12, 1));
    }
}
