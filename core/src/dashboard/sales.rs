//! The figures of sold and brokered vehicles, and of open agreements.

use super::days::counts_to_same_day;
use super::rules::{counts, part_of_month};
use super::{DUE, DUE_DAYS, DayTotal, Due, DueAgreement, SalesFigures};
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

    /// Which agreements' exclusivity is due: those in one of the states whose exclusivity ends within a number of days.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct ExclusivityDue {
        pub states: [AgreementState; 2],
        pub days: u16,
    }
);

/// An open agreement whose exclusivity has a few days left needs a buyer or a new term.
pub const EXCLUSIVITY_DUE: ExclusivityDue =
    ExclusivityDue { states: [AgreementState::Offered, AgreementState::Signed], days: DUE_DAYS };

/// Number of places among the agreements that are due which are only for deliveries, if there are that many.
const DELIVERIES: usize = 2;

/// The counts of open agreements, and those that are due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenAgreements {
    /// Number of agreements that wait for delivery ([`TO_DELIVER`]).
    pub to_deliver: u64,
    /// Number of offers that wait for an answer.
    pub offered: u64,
    /// Number of agreements whose exclusivity ends soon ([`EXCLUSIVITY_DUE`]).
    pub exclusivity_due: u64,
    /// Those whose exclusivity ends soon, then those that wait for delivery. May be more than the dashboard shows.
    pub due: Vec<DueAgreement>,
}

impl SalesFigures {
    /// `days` says how many vehicles were sold or brokered on each day of the charts' months.
    pub fn of(today: Date, days: &[DayTotal], open: OpenAgreements) -> Self {
        let months: Vec<_> = days.iter().filter_map(part_of_month).collect();
        let (this_month, last_month) = counts_to_same_day(today, days);
        let OpenAgreements { to_deliver, offered, exclusivity_due, due } = open;
        let (months, due) = (counts(today, &months), shown_due(due));
        SalesFigures { months, this_month, last_month, to_deliver, offered, exclusivity_due, due }
    }
}

/// Returns the first [`DUE`] agreements, in the same order. Exclusivities leave room for deliveries.
fn shown_due(due: Vec<DueAgreement>) -> Vec<DueAgreement> {
    let (mut shown, deliveries): (Vec<_>, Vec<_>) = due.into_iter().partition(|a| a.due == Due::Exclusivity);
    shown.truncate(DUE - deliveries.len().min(DELIVERIES));
    shown.extend(deliveries);
    shown.truncate(DUE);
    shown
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

    #[test]
    fn exclusivities_leave_room_for_two_deliveries() {
        let shown = |exclusivities: usize, deliveries: usize| {
            let agreement = |due| DueAgreement {
                agreement_id: String::new(),
                number: String::new(),
                agreement_type: AgreementType::Agency,
                customer_name: String::new(),
                vehicle_names: String::new(),
                due,
                day: day("2026-11-27"),
            };
            let due = [vec![agreement(Due::Exclusivity); exclusivities], vec![agreement(Due::Delivery); deliveries]];
            let shown = shown_due(due.concat());
            assert!(shown.is_sorted_by_key(|a| a.due == Due::Delivery));
            let delivered = shown.iter().filter(|a| a.due == Due::Delivery).count();
            (shown.len() - delivered, delivered)
        };
        assert_eq!([shown(5, 0), shown(5, 1), shown(5, 5), shown(1, 5)], [(5, 0), (4, 1), (3, 2), (1, 4)]);
        assert_eq!([shown(0, 0), shown(2, 1)], [(0, 0), (2, 1)]);
    }
}
