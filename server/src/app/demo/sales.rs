//! Sample agreements for the demo, in every state: each reserved vehicle has a signed agreement, each sold one a
//! delivered one, and some in stock have that of their purchase.

use super::calendar::Calendar;
use super::dealer::{Car, Customer, Dealer, Sale, Sold};
use super::diary;
use super::people::{Country, Text};
use super::records::{self, utc_date};
use super::stock::{self, Lot};
use crate::features::agreements::{self, NewAgreement};
use crate::features::customers;
use crate::features::listing::{AGREEMENTS, writes};
use crate::platform::clock::{DAY, HOUR};
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{
    AgreementInput, AgreementState, AgreementType, LegInput, LegVehicle, References, WarrantyInput,
};
use forecourt_core::form::check;
use forecourt_core::invoices::{InvoiceInput, Price};
use forecourt_core::vehicles::{VatScheme, VehicleStatus, Whole};
use std::collections::HashMap;
use uuid::Uuid;

const TYRES: Text = ["Winter tyres are included.", "Vinterdäck ingår."];
const SERVICE: Text =
    ["Service before delivery. Second key by mail.", "Service före leverans. Reservnyckeln kommer med posten."];
const SALE: Text = ["sale, delivery and registration.", "försäljning, leverans och registrering."];
const COMMISSION: Text = ["commission on the sale.", "provision för försäljningen."];

/// Returns the vehicles that were sold in the last twelve months, the first one first.
pub fn sold(now: i64, count: usize) -> impl Iterator<Item = (Lot, Sale)> {
    let calendar = Calendar::new(now, 365);
    (0..count).map(move |k| {
        let delivered = calendar.time(k, count);
        let agreed = delivered - (3 + k as i64 % 9) * DAY;
        let days = (now - delivered) / DAY + 20 + (k as i64 * 17) % 70;
        (Lot { i: stock::VEHICLES + k, status: "In stock", days: days as usize }, Sale { agreed, delivered })
    })
}

/// An agreement about one vehicle.
#[derive(Clone, Copy, Debug)]
struct Deal {
    kind: AgreementType,
    state: AgreementState,
    created_at: i64,
    sale: Option<Sale>,
    /// The last day of an agency's exclusivity, in days from today.
    exclusive: i64,
}

/// Returns the agreement about a vehicle, if there is one. It is never older than the vehicle's record.
fn deal(car: &Car, is_broker: bool, now: i64) -> Option<Deal> {
    use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
    use AgreementType::{Agency, Purchase, Sales};
    let i = car.lot.i;
    let sells = if is_broker { Agency } else { Sales };
    let exclusive = [5, 12, 26, 40, 61][i / 13 % 5];
    let ago = |days: usize| (now - days as i64 * DAY - 2 * HOUR).max(car.created_at);
    let delivered = |kind, created_at, sale: Sale| {
        let state = if now - sale.delivered > 30 * DAY { Closed } else { Delivered };
        Some(Deal { kind, state, created_at, sale: Some(sale), exclusive })
    };
    if let Some(sale) = car.sale {
        return delivered(sells, sale.agreed - 2 * DAY, sale);
    }
    let days = 1 + i % 9;
    let signed = Sale { agreed: ago(days), delivered: ago(0) };
    let (kind, state, sale) = match (car.lot.status, i % 10) {
        ("Reserved", _) => (sells, Signed, Some(signed)),
        ("Expected", _) => (if car.is_own { Purchase } else { Agency }, if i < 40 { Offered } else { Draft }, None),
        ("In stock", _) if !car.is_own && (!is_broker || i.is_multiple_of(3)) => (Agency, Offered, None),
        ("In stock", 0) if !is_broker => (Sales, [Draft, Cancelled, Offered][i / 10 % 3], None),
        ("In stock", 3) if !is_broker && i > 30 => (Sales, Offered, None),
        // Bought from owners who leave the vehicle when they sign.
        ("In stock", 1 | 5 | 6 | 8) if car.is_own && stock::vat_scheme(i) == VatScheme::Margin => {
            let bought = Sale { agreed: car.created_at, delivered: (car.created_at + HOUR).min(now) };
            return delivered(Purchase, bought.agreed, bought);
        }
        _ => return None,
    };
    // Offers are from the last days; a signed agreement was offered two days before.
    let created_at = ago(if sale.is_some() { days + 2 } else { days });
    Some(Deal { kind, state, created_at, sale, exclusive })
}

fn form(deal: &Deal, car: &Car, customer: &Customer, country: Country, now: i64) -> AgreementInput {
    let Deal { kind, state, sale, exclusive, .. } = deal;
    let (i, day) = (car.lot.i, |at: i64| utc_date(at).to_string());
    let is_delivered = state.is_delivered();
    let (is_sale, is_agency) = (*kind == AgreementType::Sales, *kind == AgreementType::Agency);
    // What its buyer has bargained for is round like its price.
    let step = if car.price > 5_000_000 { 50_000 } else { 5_000 };
    let price = match kind {
        AgreementType::Purchase => car.purchase_price,
        AgreementType::Sales | AgreementType::Agency => car.price * (100 - i as i64 % 3) / 100 / step * step,
    };
    let has_warranty = is_sale && i % 3 != 1;
    let vehicle = LegVehicle {
        vehicle_id: car.id.to_string(),
        name: car.name.clone(),
        status: VehicleStatus::parse(car.lot.status).unwrap_or(VehicleStatus::InStock),
        vat_scheme: stock::vat_scheme(i),
        signed_in: None,
        has_purchase_price: true,
    };
    AgreementInput {
        agreement_type: kind.as_str().into(),
        customer_id: customer.id.to_string(),
        legs: vec![LegInput {
            vehicle_id: car.id.to_string(),
            price: Some(Price::Number((price / 100) as f64)),
            ..LegInput::default()
        }],
        deposit: match sale {
            Some(_) if is_sale => Price::Number((price / 10 / step * step / 100) as f64),
            _ => Price::default(),
        },
        commission_percent: if is_agency { Price::Number(6.5) } else { Price::default() },
        exclusive_until: match state {
            AgreementState::Offered | AgreementState::Signed if is_agency => day(now + exclusive * DAY),
            _ => String::new(),
        },
        warranty: match has_warranty {
            true => WarrantyInput { kind: "Dealer".into(), months: Whole("12".into()), ..WarrantyInput::default() },
            false => WarrantyInput::default(),
        },
        agreed_on: sale.map(|sale| day(sale.agreed)).unwrap_or_default(),
        delivered_on: sale.filter(|_| is_delivered).map(|sale| day(sale.delivered)).unwrap_or_default(),
        notes: match i % 5 {
            1 => country.text(TYRES),
            3 if has_warranty => country.text(SERVICE),
            _ => "",
        }
        .into(),
        references: Some(References {
            customer_name: Some(customer.name.clone()),
            has_contact: false,
            vehicles: vec![vehicle],
        }),
        ..AgreementInput::default()
    }
}

/// Adds agreements about the vehicles of a dealer, oldest first. Returns the sales that were delivered.
pub async fn insert<'a>(
    tx: &mut Tx,
    dealer: &Dealer<'_>,
    cars: &'a [Car],
    customers: &'a [Customer],
) -> Result<Vec<Sold<'a>>> {
    let now = dealer.now;
    let deals = cars.iter().filter_map(|car| Some((deal(car, dealer.is_broker, now)?, car)));
    let mut deals: Vec<_> = deals.collect();
    deals.sort_by_key(|(deal, _)| deal.created_at);
    let (mut sold, mut has_deal) = (Vec::new(), vec![false; customers.len()]);
    // When the figures of each customer were last changed.
    let mut changed = HashMap::new();
    for (n, (deal, car)) in deals.into_iter().enumerate() {
        let scope = dealer.member(n);
        // The newest customer who has no agreement yet; every fifth time, one who comes back after some weeks.
        let (comes_back, skipped) = if n % 5 == 4 { (true, 15) } else { (false, 0) };
        let known = customers.partition_point(|customer| customer.created_at <= deal.created_at).max(1);
        let place = (0..known).rev().filter(|place| has_deal[*place] == comes_back).nth(skipped);
        let place = place.unwrap_or(n % known);
        has_deal[place] = true;
        let customer = &customers[place];
        // All sample agreements are valid, as a test shows.
        let Ok(form) = check(form(&deal, car, customer, dealer.country(), now)) else { continue };
        let Deal { kind, state, created_at, sale, .. } = deal;
        let (id, commission) = (Uuid::now_v7(), form.commission_amount());
        let doc = writes::reserve(tx, scope, &AGREEMENTS, 1).await?;
        let vat_rate = state.is_delivered().then_some(dealer.settings.vat_rate);
        let agreement = NewAgreement { doc, id, now: created_at, state, vat_rate, form };
        let added = agreements::insert(&mut *tx, scope, [agreement]).exec().await?;
        writes::add_to_totals(tx, scope, &AGREEMENTS, doc, added).await?;
        let delivered = sale.filter(|_| state.is_delivered()).map(|sale| sale.delivered);
        if let Some(last_step) = delivered.or(sale.map(|sale| sale.agreed)) {
            let sql = tx.sql("UPDATE agreements SET updated_at = $1 WHERE corp_id = $2 AND agreement_id = $3");
            sql.bind_all((last_step, scope.corp(), id)).exec().await?;
        }
        diary::record_agreement(tx, dealer, scope, id, created_at, delivered).await?;
        let Some(delivered) = delivered else { continue };
        // Not before the delivery of an agreement with a lower number.
        let at = changed.entry(customer.id).or_insert(delivered);
        *at = delivered.max(*at);
        customers::refresh_figures(tx, scope, *at, None, &[customer.id]).await?;
        if kind == AgreementType::Purchase {
            continue;
        }
        let sql = tx.sql("UPDATE vehicles SET status = 'Sold', updated_at = $1 WHERE corp_id = $2 AND vehicle_id = $3");
        sql.bind_all((delivered, scope.corp(), car.id)).exec().await?;
        sold.push(Sold { car, customer, delivered, commission });
    }
    Ok(sold)
}

/// Returns the invoice of sale number `i`, without a customer: for the vehicle or, from a broker, for the commission.
/// Invoices are in pounds, and so are the broker's agreements.
pub fn invoice(sold: &Sold<'_>, country: Country, i: usize) -> InvoiceInput {
    let Sold { car, delivered, commission, .. } = sold;
    let (text, pounds) = match commission {
        Some(commission) => (COMMISSION, commission.pence() as f64 / 100.0),
        None => (SALE, stock::pounds(car.lot.i) as f64),
    };
    records::priced(format!("{}: {}", car.name, country.text(text)), pounds, i, utc_date(*delivered))
}

#[cfg(test)]
mod tests {
    use super::super::accounts::CORPORATIONS;
    use super::*;
    use forecourt_core::money::Money;
    use forecourt_core::settings::Settings;
    use std::collections::BTreeSet;

    const NOW: i64 = 1_763_000_000_000_000;

    fn cars(is_broker: bool) -> Vec<Car> {
        let size = CORPORATIONS.iter().find_map(|corporation| corporation.size.as_ref()).unwrap();
        let dealer = Dealer { staff: &[], settings: &Settings::default(), size, is_broker, now: NOW };
        let car = |(lot, sale): (Lot, Option<Sale>)| Car {
            id: Uuid::from_u128(2),
            name: "Volvo V60".into(),
            price: stock::pounds(lot.i) as i64 * 100,
            purchase_price: stock::pounds(lot.i) as i64 * 80,
            is_own: !is_broker && lot.i % 13 != 5,
            created_at: dealer.time(lot.days, lot.i),
            lot,
            sale,
        };
        let sold = sold(NOW, size.sold).map(|(lot, sale)| (lot, Some(sale)));
        stock::unsold().map(|lot| (lot, None)).chain(sold).map(car).collect()
    }

    fn customer() -> Customer {
        Customer { id: Uuid::from_u128(1), email: String::new(), name: "Ada".into(), created_at: 0 }
    }

    #[test]
    fn all_agreements_are_valid_and_every_state_occurs() {
        let mut states = BTreeSet::new();
        for is_broker in [false, true] {
            for car in cars(is_broker) {
                let Some(deal) = deal(&car, is_broker, NOW) else { continue };
                let form = check(form(&deal, &car, &customer(), Country::Sweden, NOW));
                assert!(form.is_ok(), "{deal:?}: {:?}", form.err());
                states.insert(deal.state);
            }
        }
        assert_eq!(states.len(), AgreementState::ALL.len());
    }

    #[test]
    fn no_agreement_is_older_than_its_vehicle_or_signed_before_it_was_created() {
        for is_broker in [false, true] {
            for car in cars(is_broker) {
                let Some(deal) = deal(&car, is_broker, NOW) else { continue };
                assert!((car.created_at..=NOW).contains(&deal.created_at), "{:?}: {deal:?}", car.lot);
                let Some(Sale { agreed, delivered }) = deal.sale else { continue };
                assert!(deal.created_at <= agreed && agreed <= delivered && delivered <= NOW, "{deal:?}");
            }
        }
    }

    #[test]
    fn a_dealer_has_delivered_purchases_and_sales_and_a_broker_agencies() {
        use AgreementType::{Agency, Purchase, Sales};
        for (is_broker, kinds) in [(false, &[Sales, Purchase][..]), (true, &[Agency][..])] {
            let mut found = BTreeSet::new();
            for car in cars(is_broker) {
                let deal = deal(&car, is_broker, NOW).filter(|deal| deal.state.is_delivered());
                let Some(deal) = deal else { continue };
                let price = check(form(&deal, &car, &customer(), Country::Sweden, NOW)).unwrap().legs()[0].price;
                assert!(deal.kind != Purchase || price == Money::from_pence(car.purchase_price), "{deal:?}: {price:?}");
                found.insert(deal.kind);
            }
            assert!(found.iter().eq(kinds), "{is_broker}: {found:?}");
        }
    }

    #[test]
    fn a_broker_invoices_the_commission_of_the_agreement() {
        for car in cars(true) {
            let Some(sale) = car.sale else { continue };
            let (customer, deal) = (customer(), deal(&car, true, NOW).unwrap());
            let commission = check(form(&deal, &car, &customer, Country::Britain, NOW)).unwrap().commission_amount();
            let sold = Sold { car: &car, customer: &customer, delivered: sale.delivered, commission };
            assert!(commission.is_some());
            assert_eq!(invoice(&sold, Country::Britain, car.lot.i).project_price.money(), commission, "{}", car.lot.i);
        }
    }

    #[test]
    fn an_exclusivity_ends_this_week() {
        for is_broker in [false, true] {
            let is_due = |deal: Deal| deal.kind == AgreementType::Agency && deal.exclusive == 5;
            assert!(cars(is_broker).iter().filter_map(|car| deal(car, is_broker, NOW)).any(is_due), "{is_broker}");
        }
    }
}
