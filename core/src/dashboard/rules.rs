//! The visible parts of the dashboard, and the figures of its charts.

use super::days::{DayTotal, running_values};
use super::{AgreementCount, ContactFigures, CustomerFigures, InvoiceFigures, InvoiceMonth, MONTHS, MonthCount};
use crate::customers::AgreementType;
use crate::date::Date;
use crate::money::Money;
use crate::permissions::{Access, Action, ResourceId, may};
use std::collections::HashMap;

/// Which parts of the dashboard a user sees; each is `true` if the user may read its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleParts {
    pub invoices: bool,
    pub customers: bool,
    pub contacts: bool,
    pub imports: bool,
    pub vehicles: bool,
    pub agreements: bool,
}

/// Returns the parts whose resource the user can read.
pub fn visible_parts(access: &Access) -> VisibleParts {
    let can_read = |resource| may(access, resource, Action::Read);
    VisibleParts {
        invoices: can_read(ResourceId::Invoices),
        customers: can_read(ResourceId::Customers),
        contacts: can_read(ResourceId::Contacts),
        imports: can_read(ResourceId::ContactsImports),
        vehicles: can_read(ResourceId::Vehicles),
        agreements: can_read(ResourceId::Agreements),
    }
}

/// Number and total price of some records of a month. Several totals may be of the same month, as when they are made
/// from totals of days; they are added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonthlyTotal {
    /// `yyyy-MM`.
    pub month: String,
    pub count: u64,
    /// Sum of the prices, in pence.
    pub pence: i64,
}

/// Returns the months of the charts as `yyyy-MM`, oldest first. The last one is the current month.
pub fn months(today: Date) -> Vec<String> {
    (0..MONTHS).rev().filter_map(|ago| today.month_before(ago)).collect()
}

/// Returns the total of every month of the charts, also of months without records.
fn chart_totals(today: Date, totals: &[MonthlyTotal]) -> Vec<MonthlyTotal> {
    let mut sums: HashMap<&str, (u64, i64)> = HashMap::new();
    for MonthlyTotal { month, count, pence } in totals {
        let sum = sums.entry(month).or_default();
        *sum = (sum.0.saturating_add(*count), sum.1.saturating_add(*pence));
    }
    let total_of = |month: String| {
        let (count, pence) = sums.get(month.as_str()).copied().unwrap_or_default();
        MonthlyTotal { month, count, pence }
    };
    months(today).into_iter().map(total_of).collect()
}

pub(super) fn counts(today: Date, totals: &[MonthlyTotal]) -> Vec<MonthCount> {
    let count = |MonthlyTotal { month, count, .. }| MonthCount { month, count };
    chart_totals(today, totals).into_iter().map(count).collect()
}

/// Returns the total of a day as a part of its month's.
pub(super) fn part_of_month(total: &DayTotal) -> Option<MonthlyTotal> {
    Some(MonthlyTotal { month: total.day.month_before(0)?, count: total.count, pence: total.pence })
}

/// Returns the number of all records, including those of months that the charts don't show.
fn total(totals: &[MonthlyTotal]) -> u64 {
    totals.iter().map(|total| total.count).sum()
}

impl InvoiceFigures {
    /// `days` are the totals of the days of this month and of last month. Invoices after today count only in the number
    /// of all invoices.
    pub fn of(today: Date, totals: &[MonthlyTotal], days: &[DayTotal]) -> Self {
        let month = |MonthlyTotal { month, count, pence }| InvoiceMonth {
            month,
            count,
            value: Money::saturating_from_pence(pence),
        };
        let (this_month, last_month) = running_values(today, days);
        let current = today.month_before(0);
        let is_current = |total: &MonthlyTotal| Some(&total.month) == current.as_ref();
        let to_today = days.iter().filter(|total| total.day <= today).filter_map(part_of_month).filter(is_current);
        let shown: Vec<_> = totals.iter().filter(|total| !is_current(total)).cloned().chain(to_today).collect();
        let months = chart_totals(today, &shown).into_iter().map(month).collect();
        InvoiceFigures { total: total(totals), months, this_month, last_month }
    }
}

impl CustomerFigures {
    pub fn of(today: Date, totals: &[MonthlyTotal], agreements: &[(Option<AgreementType>, u64)]) -> Self {
        let agreement_count = |agreement| AgreementCount {
            agreement,
            count: agreements.iter().filter(|(other, _)| *other == agreement).map(|(_, count)| count).sum(),
        };
        let order = AgreementType::ALL.iter().copied().map(Some).chain([None]);
        CustomerFigures {
            total: total(totals),
            months: counts(today, totals),
            agreements: order.map(agreement_count).collect(),
        }
    }
}

impl ContactFigures {
    pub fn of(today: Date, totals: &[MonthlyTotal]) -> Self {
        ContactFigures { total: total(totals), months: counts(today, totals) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::tests::day;
    use crate::permissions::{Grant, Permissions, UserType, effective_permissions};
    use proptest::prelude::*;

    fn month_total(month: &str, count: u64, pence: i64) -> MonthlyTotal {
        MonthlyTotal { month: month.into(), count, pence }
    }

    #[test]
    fn a_part_is_visible_only_with_read_permission_on_its_resource() {
        let allowed = ["invoices", "customers", "contacts", "vehicles", "agreements"].map(str::to_owned);
        let shown = |resource_id: &str, permissions| {
            let grants = [Grant { resource_id: resource_id.into(), permissions }];
            let VisibleParts { invoices, customers, contacts, imports, vehicles, agreements } =
                visible_parts(&effective_permissions(UserType::User, &grants, &allowed));
            [invoices, customers, contacts, imports, vehicles, agreements]
        };
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let parts = ["invoices", "customers", "contacts", "contacts.imports", "vehicles", "agreements"];
        for (i, id) in parts.into_iter().enumerate() {
            let mut only = [false; 6];
            only[i] = true;
            assert_eq!(shown(id, read), only, "{id}");
            assert_eq!(shown(id, Permissions { can_read: false, ..Permissions::ALL }), [false; 6], "{id}");
        }
        assert_eq!(shown("contacts.list", Permissions::ALL), [false; 6]);
    }

    #[test]
    fn the_charts_show_twelve_months_across_a_year_boundary() {
        assert_eq!(
            months(day("2027-01-31")),
            [
                "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10",
                "2026-11", "2026-12", "2027-01",
            ]
        );
        assert_eq!(months(day("2026-12-01")).first().map(String::as_str), Some("2026-01"));
        // There is no month before year 1.
        assert_eq!(months(day("0001-02-28")), ["0001-01", "0001-02"]);
    }

    #[test]
    fn charts_contain_every_month_and_totals_also_count_other_months() {
        let totals = [("2027-02", 1, 1), ("2026-12", 2, 250), ("2026-01", 4, 1), ("2026-12", 8, 5)]
            .map(|(month, count, pence)| month_total(month, count, pence));
        let figures = InvoiceFigures::of(day("2027-01-15"), &totals, &[]);
        assert_eq!((figures.total, figures.months.len()), (15, MONTHS));
        let shown: Vec<_> = figures
            .months
            .iter()
            .filter(|m| m.count > 0)
            .map(|m| (m.month.as_str(), m.count, m.value.pence()))
            .collect();
        assert_eq!(shown, [("2026-12", 10, 255)]);
        let months = |months: &[MonthCount]| months.iter().map(|m| m.count).collect::<Vec<_>>();
        let contacts = ContactFigures::of(day("2027-01-15"), &totals);
        assert_eq!((contacts.total, months(&contacts.months)), (15, vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0]));
        let nothing = ContactFigures::of(day("2027-01-15"), &[]);
        assert_eq!((nothing.total, months(&nothing.months)), (0, vec![0; MONTHS]));
    }

    #[test]
    fn all_agreement_types_are_counted_in_a_fixed_order() {
        use AgreementType::{Agency, Purchase, Sales};
        let agreements = [(None, 3), (Some(Agency), 1), (None, 2)];
        let figures = CustomerFigures::of(day("2027-01-15"), &[month_total("2027-01", 6, 0)], &agreements);
        let shown: Vec<_> = figures.agreements.iter().map(|a| (a.agreement, a.count)).collect();
        assert_eq!(shown, [(Some(Sales), 0), (Some(Purchase), 0), (Some(Agency), 1), (None, 5)]);
    }

    #[test]
    fn a_sum_saturates_at_the_largest_amount() {
        let totals = [month_total("2026-12", 1, i64::MAX), month_total("2026-12", 1, 1)];
        let figures = InvoiceFigures::of(day("2027-01-15"), &totals, &[]);
        assert_eq!(figures.months.iter().rev().nth(1).map(|m| m.value.pence()), Some(Money::MAX));
    }

    #[test]
    fn the_current_month_counts_up_to_today_in_the_chart_too() {
        let days = [("2026-11-30", 5), ("2026-12-01", 123_456), ("2026-12-10", 99_999)];
        let days = days.map(|(text, pence)| DayTotal { day: day(text), count: 1, pence });
        let totals = [month_total("2026-11", 1, 5), month_total("2026-12", 2, 223_455)];
        for (today, count, pence) in [("2026-12-01", 1, 123_456), ("2026-12-10", 2, 223_455)] {
            let figures = InvoiceFigures::of(day(today), &totals, &days);
            let shown: Vec<_> = figures.months.iter().skip(10).map(|m| (m.count, m.value.pence())).collect();
            assert_eq!((figures.total, shown), (3, vec![(1, 5), (count, pence)]), "{today}");
            assert_eq!(figures.this_month.last().map(|value| value.pence()), Some(pence), "{today}");
        }
    }

    proptest! {
        #[test]
        fn months_are_consecutive_and_end_with_the_current_one(year in 2i16..=9999, month in 1u8..=12, date in 1u8..=28) {
            let today = format!("{year:04}-{month:02}-{date:02}");
            let months = months(day(&today));
            prop_assert_eq!(months.len(), MONTHS);
            prop_assert_eq!(months.last().map(String::as_str), today.get(..7));
            let index = |month: &String| {
                let (year, month) = month.split_once('-').unwrap();
                year.parse::<i32>().unwrap() * 12 + month.parse::<i32>().unwrap()
            };
            prop_assert!(months.windows(2).all(|w| index(&w[1]) == index(&w[0]) + 1));
            let is_month = |month: &String| Date::parse(&format!("{month}-01")).is_some();
            prop_assert!(months.iter().all(is_month));
        }
    }
}
