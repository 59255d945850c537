//! What a customer's agreements say about the customer (docs/product.md 4.31). Only delivered and closed agreements
//! count.

use super::{Agreement, AgreementType, Direction, WarrantyKind};
use crate::customers::CustomerFigures;
use crate::money::Money;

/// Returns the figures that follow from all agreements of a customer; `None` if none of them is delivered. Of two that
/// were delivered on the same day, the newer agreement is the latest.
pub fn figures(agreements: &[Agreement]) -> Option<CustomerFigures> {
    let counted: Vec<_> = agreements.iter().filter(|agreement| agreement.state.is_delivered()).collect();
    let when = |agreement: &&&Agreement| (agreement.delivered_on, agreement.agreement_id.clone());
    let latest = counted.iter().max_by_key(when)?;
    let sales = || counted.iter().filter(|agreement| agreement.agreement_type == AgreementType::Sales);
    let out = sales().flat_map(|sale| &sale.legs).filter(|leg| leg.direction == Direction::Out);
    let spent = out.filter_map(|leg| leg.price).map(Money::pence).fold(0, i64::saturating_add);
    let warranty = sales().max_by_key(when).map(|sale| &sale.warranty).filter(|given| given.kind != WarrantyKind::None);
    Some(CustomerFigures {
        latest_purchase: latest.delivered_on,
        agreement_type: Some(latest.agreement_type),
        number_of_orders: u32::try_from(counted.len()).unwrap_or(u32::MAX),
        total_spent: Money::saturating_from_pence(spent),
        warranty: warranty.map_or("", |given| given.kind.as_str()).to_owned(),
        warranty_period: warranty.and_then(|given| given.months).map(period).unwrap_or_default(),
    })
}

fn period(months: i64) -> String {
    let unit = if months == 1 { "month" } else { "months" };
    format!("{months} {unit}")
}

#[cfg(test)]
mod tests {
    use super::super::fields::tests::{agreement, leg};
    use super::*;
    use crate::agreements::{AgreementState, Warranty};
    use crate::customers::CustomerSummary;
    use crate::date::Date;
    use crate::lists::Record;
    use proptest::prelude::*;

    fn delivered(id: &str, agreement_type: AgreementType, day: &str, pence: i64) -> Agreement {
        Agreement {
            agreement_id: id.into(),
            agreement_type,
            state: AgreementState::Delivered,
            delivered_on: Date::parse(day),
            legs: vec![leg("1", Direction::Out, pence), leg("2", Direction::In, 1)],
            ..agreement()
        }
    }

    fn warranty(kind: WarrantyKind, months: Option<i64>) -> Warranty {
        Warranty { kind, months, distance: None }
    }

    #[test]
    fn without_a_delivered_agreement_there_are_no_figures() {
        use AgreementState::{Cancelled, Draft, Offered, Signed};
        let open = [Draft, Offered, Signed, Cancelled].map(|state| Agreement { state, ..agreement() });
        assert_eq!(figures(&open), None);
        assert_eq!(figures(&[]), None);
    }

    #[test]
    fn the_latest_agreement_gives_the_type_and_the_latest_sale_the_warranty() {
        let sale = Agreement {
            warranty: warranty(WarrantyKind::Dealer, Some(12)),
            ..delivered("1", AgreementType::Sales, "2026-03-01", 1_000)
        };
        let older = Agreement {
            warranty: warranty(WarrantyKind::Insured, None),
            ..delivered("2", AgreementType::Sales, "2026-02-01", 500)
        };
        let purchase = delivered("3", AgreementType::Purchase, "2026-03-01", 9_999);
        let found = figures(&[sale.clone(), older, purchase]).unwrap();
        assert_eq!(found.latest_purchase, Date::parse("2026-03-01"));
        assert_eq!((found.agreement_type, found.number_of_orders), (Some(AgreementType::Purchase), 3));
        assert_eq!(found.total_spent.pence(), 1_500);
        assert_eq!((found.warranty.as_str(), found.warranty_period.as_str()), ("Dealer", "12 months"));
        let month =
            figures(&[Agreement { warranty: warranty(WarrantyKind::Dealer, Some(1)), ..sale.clone() }]).unwrap();
        assert_eq!(month.warranty_period, "1 month");
        let none = figures(&[Agreement { warranty: warranty(WarrantyKind::None, None), ..sale }]).unwrap();
        assert_eq!((none.warranty.as_str(), none.warranty_period.as_str()), ("", ""));
    }

    #[test]
    fn the_filter_of_customers_offers_warranties_as_sales_have_them() {
        let offered = |name: &str| CustomerSummary::FIELDS.iter().find(|field| field.name == name).unwrap().offered;
        for kind in WarrantyKind::ALL.iter().copied().filter(|kind| *kind != WarrantyKind::None) {
            for period in offered("warrantyPeriod") {
                let (months, _) = period.split_once(' ').unwrap();
                let sale = Agreement {
                    warranty: warranty(kind, months.parse().ok()),
                    ..delivered("1", AgreementType::Sales, "2026-03-01", 1_000)
                };
                let found = figures(&[sale]).unwrap();
                assert!(offered("warranty").contains(&found.warranty.as_str()), "{kind:?}");
                assert_eq!(found.warranty_period, *period);
            }
        }
    }

    proptest! {
        #[test]
        fn the_order_and_the_agreements_that_do_not_count_change_nothing(
            picks in proptest::collection::vec((0..6_usize, 0..3_usize, 1..=28_u32, 0..1_000_i64), 0..12), turn in any::<prop::sample::Index>(),
        ) {
            let all: Vec<_> = picks.iter().enumerate().map(|(id, (state, kind, day, pence))| Agreement {
                state: AgreementState::ALL[*state],
                ..delivered(&id.to_string(), AgreementType::ALL[*kind], &format!("2026-01-{day:02}"), *pence)
            }).collect();
            let mut turned = all.clone();
            if !turned.is_empty() {
                let by = turn.index(turned.len());
                turned.rotate_left(by);
            }
            turned.retain(|one| matches!(one.state, AgreementState::Delivered | AgreementState::Closed));
            prop_assert_eq!(figures(&all), figures(&turned));
            let spent: i64 = turned.iter().filter(|one| one.agreement_type == AgreementType::Sales)
                .map(|one| one.legs[0].price.unwrap().pence()).sum();
            prop_assert_eq!(figures(&all).map(|found| (found.number_of_orders as usize, found.total_spent.pence())),
                (!turned.is_empty()).then_some((turned.len(), spent)));
        }
    }
}
