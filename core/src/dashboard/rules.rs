//! Who sees which part of the dashboard, which months its charts show, and what stands in each.

use super::{AgreementCount, ContactFigures, CustomerFigures, InvoiceFigures, InvoiceMonth, MONTHS, MonthCount};
use crate::customers::AgreementType;
use crate::date::Date;
use crate::money::Money;
use crate::permissions::{Action, PermissionResource, ResourceId, may};
use std::collections::HashMap;

/// The parts of the dashboard that somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub invoices: bool,
    pub customers: bool,
    pub contacts: bool,
    pub imports: bool,
}

/// Each part shows with read permission on what it is about (decisions 5.1).
pub fn parts(resources: &[PermissionResource]) -> Parts {
    let reads = |resource| may(resources, resource, Action::Read);
    Parts {
        invoices: reads(ResourceId::Invoices),
        customers: reads(ResourceId::Customers),
        contacts: reads(ResourceId::Contacts),
        imports: reads(ResourceId::ContactsImports),
    }
}

/// What was counted of one month, or of a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// `yyyy-MM`.
    pub month: String,
    pub count: u64,
    /// The sum, in pence, of what has a price.
    pub pence: i64,
}

/// The months of the charts, `yyyy-MM`, the oldest first; the last one is today's.
pub fn months(today: Date) -> Vec<String> {
    (0..MONTHS).rev().filter_map(|ago| today.month_before(ago)).collect()
}

/// Every month of the charts with what was counted of it, also where that is nothing.
fn charted(today: Date, tallies: &[Tally]) -> Vec<Tally> {
    let mut counted: HashMap<&str, (u64, i64)> = HashMap::new();
    for Tally { month, count, pence } in tallies {
        let sum = counted.entry(month).or_default();
        *sum = (sum.0.saturating_add(*count), sum.1.saturating_add(*pence));
    }
    let filled = |month: String| {
        let (count, pence) = counted.get(month.as_str()).copied().unwrap_or_default();
        Tally { month, count, pence }
    };
    months(today).into_iter().map(filled).collect()
}

fn counts(today: Date, tallies: &[Tally]) -> Vec<MonthCount> {
    charted(today, tallies).into_iter().map(|Tally { month, count, .. }| MonthCount { month, count }).collect()
}

/// All that was counted, also of months that no chart shows.
fn total(tallies: &[Tally]) -> u64 {
    tallies.iter().map(|tally| tally.count).sum()
}

impl InvoiceFigures {
    pub fn of(today: Date, tallies: &[Tally]) -> Self {
        let month = |Tally { month, count, pence }| InvoiceMonth { month, count, value: Money::nearest(pence) };
        InvoiceFigures { total: total(tallies), months: charted(today, tallies).into_iter().map(month).collect() }
    }
}

impl CustomerFigures {
    pub fn of(today: Date, tallies: &[Tally], agreements: &[(Option<AgreementType>, u64)]) -> Self {
        let agreed = |agreement| AgreementCount {
            agreement,
            count: agreements.iter().filter(|(of, _)| *of == agreement).map(|(_, count)| count).sum(),
        };
        let order = AgreementType::ALL.iter().copied().map(Some).chain([None]);
        CustomerFigures {
            total: total(tallies),
            months: counts(today, tallies),
            agreements: order.map(agreed).collect(),
        }
    }
}

impl ContactFigures {
    pub fn of(today: Date, tallies: &[Tally]) -> Self {
        ContactFigures { total: total(tallies), months: counts(today, tallies) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::{Grant, Permissions, UserType, effective};
    use proptest::prelude::*;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap_or_else(|| panic!("{text} is a day"))
    }

    fn tally(month: &str, count: u64, pence: i64) -> Tally {
        Tally { month: month.into(), count, pence }
    }

    #[test]
    fn each_part_shows_with_read_permission_on_its_own_resource_and_no_other() {
        let allowed = ["invoices", "customers", "contacts"].map(str::to_owned);
        let shown = |resource_id: &str, permissions| {
            let grants = [Grant { resource_id: resource_id.into(), permissions }];
            let Parts { invoices, customers, contacts, imports } = parts(&effective(UserType::User, &grants, &allowed));
            [invoices, customers, contacts, imports]
        };
        let read = Permissions { can_read: true, ..Permissions::NONE };
        for (i, id) in ["invoices", "customers", "contacts", "contacts.imports"].into_iter().enumerate() {
            let mut only = [false; 4];
            only[i] = true;
            assert_eq!(shown(id, read), only, "{id}");
            assert_eq!(shown(id, Permissions { can_read: false, ..Permissions::ALL }), [false; 4], "{id}");
        }
        assert_eq!(shown("contacts.list", Permissions::ALL), [false; 4]);
    }

    #[test]
    fn the_charts_show_the_last_twelve_months_over_the_end_of_a_year() {
        assert_eq!(
            months(day("2027-01-31")),
            [
                "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10",
                "2026-11", "2026-12", "2027-01",
            ]
        );
        assert_eq!(months(day("2026-12-01")).first().map(String::as_str), Some("2026-01"));
        // There is no month before the first one.
        assert_eq!(months(day("0001-02-28")), ["0001-01", "0001-02"]);
    }

    #[test]
    fn every_month_is_there_in_order_and_what_lies_outside_counts_in_the_total_alone() {
        let tallies =
            [tally("2027-02", 1, 1), tally("2026-12", 2, 250), tally("2026-01", 4, 1), tally("2026-12", 8, 5)];
        let figures = InvoiceFigures::of(day("2027-01-15"), &tallies);
        assert_eq!((figures.total, figures.months.len()), (15, MONTHS));
        let shown: Vec<_> = figures
            .months
            .iter()
            .filter(|m| m.count > 0)
            .map(|m| (m.month.as_str(), m.count, m.value.pence()))
            .collect();
        assert_eq!(shown, [("2026-12", 10, 255)]);
        let months = |months: &[MonthCount]| months.iter().map(|m| m.count).collect::<Vec<_>>();
        let contacts = ContactFigures::of(day("2027-01-15"), &tallies);
        assert_eq!((contacts.total, months(&contacts.months)), (15, vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0]));
        let nothing = ContactFigures::of(day("2027-01-15"), &[]);
        assert_eq!((nothing.total, months(&nothing.months)), (0, vec![0; MONTHS]));
    }

    #[test]
    fn agreements_stand_in_one_order_and_the_missing_ones_too() {
        use AgreementType::{Agency, Purchase, Sales};
        let agreements = [(None, 3), (Some(Agency), 1), (None, 2)];
        let figures = CustomerFigures::of(day("2027-01-15"), &[tally("2027-01", 6, 0)], &agreements);
        let shown: Vec<_> = figures.agreements.iter().map(|a| (a.agreement, a.count)).collect();
        assert_eq!(shown, [(Some(Sales), 0), (Some(Purchase), 0), (Some(Agency), 1), (None, 5)]);
    }

    #[test]
    fn a_sum_beyond_every_amount_is_shown_as_the_largest() {
        let tallies = [tally("2027-01", 1, i64::MAX), tally("2027-01", 1, 1)];
        let figures = InvoiceFigures::of(day("2027-01-15"), &tallies);
        assert_eq!(figures.months.last().map(|m| m.value.pence()), Some(Money::MOST));
    }

    proptest! {
        #[test]
        fn the_months_follow_one_another_and_end_with_todays(year in 2i16..=9999, month in 1u8..=12, date in 1u8..=28) {
            let today = format!("{year:04}-{month:02}-{date:02}");
            let months = months(day(&today));
            prop_assert_eq!(months.len(), MONTHS);
            prop_assert_eq!(months.last().map(String::as_str), today.get(..7));
            prop_assert!(months.windows(2).all(|w| w[0] < w[1]));
            let is_one = |month: &String| Date::parse(&format!("{month}-01")).is_some();
            prop_assert!(months.iter().all(is_one));
        }
    }
}
