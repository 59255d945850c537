//! Sample agreements for the demo, in every state, about its vehicles: each reserved vehicle has a signed agreement, and each sold one a
//! delivered one.

use super::records::utc_date;
use crate::access::scope::Scope;
use crate::features::agreements::{self, NewAgreement};
use crate::features::customers;
use crate::features::listing::{AGREEMENTS, writes};
use crate::platform::clock::DAY;
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{AgreementInput, AgreementState, AgreementType, Found, LegInput, LegVehicle};
use forecourt_core::form::check;
use forecourt_core::invoices::Price;
use forecourt_core::vehicles::{VehicleStatus, Whole};
use jiff::ToSpan;
use jiff::civil::Date;
use uuid::Uuid;

/// A vehicle of the demo: id, name, status, whether it is sold for its owner, and asking price.
type Car = (Uuid, String, String, bool, i64);
type Person = (Uuid, String);

/// Returns the type and state of the agreement about the vehicle at this place of the list, if there is one.
fn plan(i: usize, status: VehicleStatus, is_consigned: bool) -> Option<(AgreementType, AgreementState)> {
    use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
    use AgreementType::{Agency, Purchase, Sales};
    match (status, i % 10) {
        (VehicleStatus::Reserved, _) => Some((Sales, Signed)),
        (VehicleStatus::Expected, _) => Some((Purchase, if i < 30 { Offered } else { Draft })),
        (VehicleStatus::InStock, 8) => Some((Sales, if i < 30 { Closed } else { Delivered })),
        (VehicleStatus::InStock, _) if is_consigned => Some((Agency, Offered)),
        (VehicleStatus::InStock, 0) => Some((Sales, [Draft, Cancelled, Offered][i / 10 % 3])),
        _ => None,
    }
}

fn form(
    i: usize,
    today: Date,
    car: &Car,
    kind: AgreementType,
    state: AgreementState,
    person: Option<&Person>,
) -> AgreementInput {
    let (id, name, status, _, pence) = car;
    let days_ago = |days: usize| today.checked_sub((days as i64).days()).map(|day| day.to_string()).unwrap_or_default();
    let is_signed = !matches!(state, AgreementState::Draft | AgreementState::Offered | AgreementState::Cancelled);
    let is_delivered = matches!(state, AgreementState::Delivered | AgreementState::Closed);
    let price = |percent: i64| Price::Number((pence / 100 * percent / 100) as f64);
    let has_warranty = kind == AgreementType::Sales && i % 3 != 1;
    let vehicle = LegVehicle {
        vehicle_id: id.to_string(),
        name: name.clone(),
        status: VehicleStatus::parse(status).unwrap_or(VehicleStatus::InStock),
        signed_in: None,
    };
    AgreementInput {
        agreement_type: kind.as_str().into(),
        customer_id: person.map(|(id, _)| id.to_string()).unwrap_or_default(),
        legs: vec![LegInput {
            vehicle_id: id.to_string(),
            price: Some(price(if kind == AgreementType::Purchase { 82 } else { 100 - (i % 3) as i64 })),
            ..LegInput::default()
        }],
        deposit: if is_signed { price(10) } else { Price::default() },
        commission_percent: if kind == AgreementType::Agency { Price::Number(6.5) } else { Price::default() },
        exclusive_until: if kind == AgreementType::Agency {
            today.checked_add(60.days()).map(|day| day.to_string()).unwrap_or_default()
        } else {
            String::new()
        },
        warranty: if has_warranty { "Dealer" } else { "" }.into(),
        warranty_months: Whole(if has_warranty { "12".into() } else { String::new() }),
        agreed_on: if is_signed { days_ago(10 + i % 20) } else { String::new() },
        delivered_on: if is_delivered { days_ago(3 + i % 7) } else { String::new() },
        notes: if i % 4 == 2 { "Winter tyres are included." } else { "" }.into(),
        found: Some(Found {
            customer_name: person.map(|(_, name)| name.clone()),
            has_contact: false,
            vehicles: vec![vehicle],
        }),
        ..AgreementInput::default()
    }
}

/// Adds agreements about the vehicles of a corporation. One without customers has only drafts.
pub async fn insert(tx: &mut Tx, scope: &Scope, now: i64) -> Result<()> {
    let sql = "SELECT vehicle_id, name, status, ownership = 'Consigned', coalesce(asking_price, 0) FROM vehicles \
               WHERE corp_id = $1 ORDER BY doc";
    let cars: Vec<Car> = tx.sql(sql).bind(scope.corp()).all().await?;
    let sql = "SELECT customer_id, name FROM customers WHERE corp_id = $1 ORDER BY doc DESC LIMIT 30";
    let people: Vec<Person> = tx.sql(sql).bind(scope.corp()).all().await?;
    let today = utc_date(now);
    let (mut sold, mut buyers) = (Vec::new(), Vec::new());
    for kind in AgreementType::ALL {
        let mut rows = Vec::new();
        for (i, car) in cars.iter().enumerate() {
            let status = VehicleStatus::parse(&car.2).unwrap_or(VehicleStatus::Withdrawn);
            let Some((_, state)) = plan(i, status, car.3).filter(|(planned, _)| planned == kind) else { continue };
            let (person, state) = match people.is_empty() {
                true => (None, AgreementState::Draft),
                false => (people.get(i * 7 % people.len()), state),
            };
            // All sample agreements are valid, as a test shows.
            let Ok(form) = check(form(i, today, car, *kind, state, person)) else { continue };
            if matches!(state, AgreementState::Delivered | AgreementState::Closed) {
                sold.push(car.0);
                buyers.extend(person.map(|(id, _)| *id));
            }
            rows.push((now - DAY * (cars.len() - i) as i64 / 2, state, form));
        }
        let first = writes::reserve(tx, scope, &AGREEMENTS, rows.len()).await?;
        if rows.is_empty() {
            continue;
        }
        let rows = (first..).zip(rows).map(|(doc, (now, state, form))| {
            let id = Uuid::now_v7();
            NewAgreement { doc, id, now, state, form }
        });
        let added = agreements::insert(&mut *tx, scope, rows).exec().await?;
        writes::add_to_totals(tx, scope, &AGREEMENTS, first, added).await?;
    }
    for vehicle in sold {
        let sql = tx.sql("UPDATE vehicles SET status = 'Sold' WHERE corp_id = $1 AND vehicle_id = $2");
        sql.bind_all((scope.corp(), vehicle)).exec().await?;
    }
    customers::refresh_figures(tx, scope, now, None, &buyers).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_agreements_are_valid_and_every_state_occurs() {
        let (today, mut states) = (jiff::civil::date(2027, 1, 15), BTreeSet::new());
        let person = (Uuid::from_u128(1), "Ada".to_owned());
        for i in 0..60 {
            for status in VehicleStatus::ALL {
                let car =
                    (Uuid::from_u128(2), "Volvo V60".to_owned(), status.as_str().to_owned(), i % 13 == 5, 1_899_500);
                let Some((kind, state)) = plan(i, *status, car.3) else { continue };
                let form = check(form(i, today, &car, kind, state, Some(&person)));
                assert!(form.is_ok(), "{i} {status:?}: {:?}", form.err());
                states.insert(state);
            }
        }
        assert_eq!(states.len(), AgreementState::ALL.len());
    }
}
