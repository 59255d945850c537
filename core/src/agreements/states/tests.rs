use super::super::fields::tests::{agreement, leg, vehicle};
use super::*;
use crate::date::tests::day;
use crate::form::errors_as_texts;
use crate::money::Money;
use crate::text::choice_error;
use crate::vehicles::VatScheme;
use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
use VehicleStatus::{Expected, InStock, Reserved, Sold, Withdrawn};
use proptest::prelude::*;

fn to(state: AgreementState) -> Step {
    Step { to: state, agreed_on: None, delivered_on: None }
}

/// An agreement with a vehicle out, one in and one that is brokered.
fn in_state(state: AgreementState) -> Agreement {
    let legs = vec![leg("1", Direction::Out, 100), leg("2", Direction::In, 100), leg("3", Direction::Brokered, 100)];
    let (agreed_on, delivered_on) = (None, None);
    Agreement { state, legs, agreed_on, delivered_on, ..agreement() }
}

fn vehicles() -> [LegVehicle; 3] {
    [vehicle("1", InStock), vehicle("2", Expected), vehicle("3", Expected)]
}

const TODAY: &str = "2026-11-26";

fn take(agreement: &Agreement, vehicles: &[LegVehicle], next: Step) -> Result<Changes, String> {
    step(agreement, vehicles, next, day(TODAY)).map_err(|error| format!("{}: {}", error.field, error.message))
}

fn statuses(changes: &Changes) -> Vec<(&str, VehicleStatus, Option<Date>)> {
    changes.vehicles.iter().map(|vehicle| (vehicle.vehicle_id.as_str(), vehicle.status, vehicle.in_stock_on)).collect()
}

#[test]
fn an_offer_needs_a_customer_vehicles_and_prices() {
    let draft = in_state(Draft);
    assert_eq!(take(&draft, &[], to(Offered)).unwrap().vehicles, []);
    let nobody = Agreement { customer_id: None, ..draft.clone() };
    assert_eq!(take(&nobody, &[], to(Offered)), Err(format!("customer_id: {}", text::CUSTOMER_REQUIRED)));
    let empty = Agreement { legs: Vec::new(), ..draft.clone() };
    assert_eq!(take(&empty, &[], to(Offered)), Err(format!("legs: {}", text::LEGS_REQUIRED)));
    for (index, is_needed) in [(0, true), (1, false), (2, true)] {
        let mut free = draft.clone();
        free.legs[index].price = Some(Money::default());
        let expected = format!("legs: {}", text::PRICES_REQUIRED);
        assert_eq!(take(&free, &[], to(Offered)).err(), is_needed.then_some(expected), "leg {index}");
    }
}

#[test]
fn no_agreement_is_signed_or_delivered_without_its_customer() {
    for (state, message) in [(Offered, text::CUSTOMER_REQUIRED), (Signed, text::CUSTOMER_DELETED)] {
        let nobody = Agreement { customer_id: None, ..in_state(state) };
        let expected = Err(format!("customer_id: {message}"));
        assert_eq!(take(&nobody, &vehicles(), to(next_states(state)[0])), expected, "{state:?}");
        assert!(take(&nobody, &vehicles(), to(Cancelled)).is_ok(), "{state:?}");
    }
}

#[test]
fn a_deposit_is_not_above_the_price_of_what_is_sold() {
    let error = Some(format!("deposit: {}", text::DEPOSIT_TOO_HIGH));
    for state in [Draft, Offered] {
        let sale = in_state(state);
        for (more, expected) in [(0, None), (1, error.clone())] {
            let deposit = Money::from_pence(sale.out_total.pence() + more);
            let sale = Agreement { deposit, ..sale.clone() };
            assert_eq!(take(&sale, &vehicles(), to(next_states(state)[0])).err(), expected, "{state:?} {more}");
        }
    }
    let purchase = Agreement { legs: vec![leg("2", Direction::In, 100)], ..in_state(Draft) };
    let deposit = Money::from_pence(purchase.out_total.pence() + 1);
    assert!(take(&Agreement { deposit, ..purchase }, &[], to(Offered)).is_ok());
}

#[test]
fn signing_reserves_what_goes_out() {
    let changes = take(&in_state(Offered), &vehicles(), to(Signed)).unwrap();
    assert_eq!((changes.agreed_on, changes.delivered_on), (Some(day(TODAY)), None));
    assert_eq!(statuses(&changes), [("1", Reserved, None)]);
    let chosen = Step { agreed_on: Some(day("2026-11-20")), ..to(Signed) };
    let typed = Agreement { agreed_on: Some(day("2026-11-10")), ..in_state(Offered) };
    assert_eq!(take(&typed, &vehicles(), chosen).unwrap().agreed_on, Some(day("2026-11-20")));
    assert_eq!(take(&typed, &vehicles(), to(Signed)).unwrap().agreed_on, Some(day("2026-11-10")));
    let early = Agreement { delivered_on: Some(day("2026-11-01")), ..in_state(Offered) };
    let expected = format!("agreed_on: {}", text::DELIVERED_TOO_EARLY);
    assert_eq!(take(&early, &vehicles(), to(Signed)), Err(expected));
}

#[test]
fn nothing_is_signed_or_delivered_in_the_future() {
    let sign = |on: &str| take(&in_state(Offered), &vehicles(), Step { agreed_on: Some(day(on)), ..to(Signed) });
    assert_eq!(sign("2026-11-28"), Err(format!("agreed_on: {}", DAY_IN_FUTURE)));
    assert!(sign("2026-11-27").is_ok(), "the user's day may be the one after the server's");
    let deliver = |signed: &Agreement, on: Option<&str>| {
        let delivery = Step { delivered_on: on.map(day), ..to(Delivered) };
        take(signed, &vehicles(), delivery).map(|changes| changes.delivered_on.unwrap())
    };
    let refused = Err(format!("delivered_on: {}", DAY_IN_FUTURE));
    let signed = in_state(Signed);
    assert_eq!(deliver(&signed, Some("2062-11-29")), refused);
    assert_eq!(deliver(&signed, Some("2026-11-27")), Ok(day("2026-11-27")));
    let planned = Agreement { delivered_on: Some(day("2026-12-24")), ..in_state(Signed) };
    assert_eq!(deliver(&planned, None), refused, "the step gives another day than the planned one");
    let late = Agreement { agreed_on: Some(day("2026-12-24")), ..in_state(Signed) };
    for on in [None, Some("2026-12-24")] {
        assert_eq!(deliver(&late, on), Ok(day("2026-12-24")), "{on:?}");
    }
    let offered = |agreement: &Agreement| {
        let (_, changes) = next_steps(agreement, &vehicles(), day(TODAY)).into_iter().next().unwrap();
        changes.unwrap().delivered_on.unwrap().to_string()
    };
    assert_eq!((offered(&planned), offered(&late)), (TODAY.into(), "2026-12-24".into()));
    let past = Agreement { delivered_on: Some(day("2026-11-01")), ..in_state(Signed) };
    assert_eq!(offered(&past), "2026-11-01");
}

#[test]
fn a_vehicle_that_is_not_free_can_not_be_signed_for() {
    let signed = |vehicles: &[LegVehicle]| take(&in_state(Offered), vehicles, to(Signed)).map(|_| ());
    let [_, part, brokered] = vehicles();
    for (status, expected) in [
        (InStock, Ok(())),
        (Reserved, Ok(())),
        (Expected, Err("legs: Car 1 is not in stock.")),
        (Withdrawn, Err("legs: Car 1 is not in stock.")),
        (Sold, Err("legs: Car 1 is already sold.")),
    ] {
        let found = signed(&[vehicle("1", status), part.clone(), brokered.clone()]);
        assert_eq!(found, expected.map_err(str::to_owned), "{status:?}");
    }
    let promised = LegVehicle { signed_in: Some("SA-1001".into()), ..vehicle("1", Reserved) };
    let found = signed(&[promised, part.clone(), brokered.clone()]);
    assert_eq!(found, Err("legs: Car 1 is in the signed agreement SA-1001.".into()));
    let found = signed(&[vehicle("1", InStock), part, vehicle("3", Sold)]);
    assert_eq!(found, Err("legs: Car 3 is already sold.".into()));
    let found = signed(&[vehicle("1", InStock), vehicle("2", Sold), brokered]);
    assert_eq!(found, Err(format!("legs: {}", vehicle_text::SOLD_IS_FINAL)));
    assert_eq!(signed(&vehicles()[..2]), Err(format!("legs: {}", text::VEHICLE_DELETED)));
}

#[test]
fn a_vehicle_with_standard_vat_is_not_sold_under_the_margin_scheme() {
    let [margin, standard] = [VatScheme::Margin, VatScheme::Standard];
    let take = |from: AgreementState, next, of_leg, of_vehicle| {
        let mut agreement = in_state(from);
        agreement.legs.iter_mut().for_each(|leg| leg.vat_scheme = of_leg);
        let vehicles = vehicles().map(|vehicle| LegVehicle { vat_scheme: of_vehicle, ..vehicle });
        take(&agreement, &vehicles, to(next)).map(|_| ())
    };
    let expected = format!("legs: {}", text::not_under_margin("Car 1"));
    assert_eq!(take(Offered, Signed, margin, standard), Err(expected));
    for (of_leg, of_vehicle) in [(margin, margin), (standard, standard), (standard, margin)] {
        assert_eq!(take(Offered, Signed, of_leg, of_vehicle), Ok(()), "{of_leg:?} {of_vehicle:?}");
    }
    // Its legs can't be changed any more.
    assert_eq!(take(Signed, Delivered, margin, standard), Ok(()));
}

#[test]
fn delivering_sells_what_goes_out_and_takes_into_stock_what_comes_in() {
    let signed = Agreement { agreed_on: Some(day("2026-11-20")), ..in_state(Signed) };
    let [_, part, brokered] = vehicles();
    let held = [vehicle("1", Reserved), part, brokered.clone()];
    let changes = take(&signed, &held, to(Delivered)).unwrap();
    assert_eq!((changes.agreed_on, changes.delivered_on), (Some(day("2026-11-20")), Some(day(TODAY))));
    assert_eq!(statuses(&changes), [("1", Sold, None), ("2", InStock, Some(day(TODAY))), ("3", Sold, None)]);
    let on = |text: &str| take(&signed, &held, Step { delivered_on: Some(day(text)), ..to(Delivered) });
    assert_eq!(on("2026-11-20").unwrap().delivered_on, Some(day("2026-11-20")));
    assert_eq!(on("2026-11-19"), Err(format!("delivered_on: {}", text::DELIVERED_TOO_EARLY)));
    let promised = LegVehicle { signed_in: Some("SA-1002".into()), ..vehicle("2", Reserved) };
    let changes = take(&signed, &[vehicle("1", Reserved), promised, brokered], to(Delivered)).unwrap();
    assert_eq!(statuses(&changes)[1], ("2", Reserved, Some(day(TODAY))));
}

#[test]
fn a_delivery_gives_what_comes_in_its_purchase_price_unless_it_has_one() {
    let [out, part, brokered] = vehicles();
    let prices = |part: LegVehicle, change: fn(&mut Leg)| {
        let mut signed = in_state(Signed);
        signed.legs.iter_mut().for_each(change);
        let changes = take(&signed, &[out.clone(), part, brokered.clone()], to(Delivered)).unwrap();
        changes.vehicles.iter().map(|vehicle| vehicle.purchase_price).collect::<Vec<_>>()
    };
    let paid = Money::from_pence(100);
    assert_eq!(prices(part.clone(), |_| ()), [None, paid, None]);
    let promised = LegVehicle { signed_in: Some("SA-1002".into()), ..vehicle("2", Reserved) };
    assert_eq!(prices(promised, |_| ()), [None, paid, None]);
    let known = LegVehicle { has_purchase_price: true, ..part.clone() };
    assert_eq!(prices(known, |_| ()), [None; 3]);
    assert_eq!(prices(part.clone(), |leg| leg.price = Some(Money::default())), [None; 3]);
    assert_eq!(prices(part.clone(), |leg| leg.price = None), [None; 3]);
    assert_eq!(prices(part, |leg| leg.vat_scheme = VatScheme::Standard), [None; 3]);
}

#[test]
fn a_delivery_gives_what_comes_in_the_vat_scheme_of_its_purchase() {
    let [out, part, brokered] = vehicles();
    let schemes = |before, bought| {
        let mut signed = in_state(Signed);
        signed.legs.iter_mut().for_each(|leg| leg.vat_scheme = bought);
        let part = LegVehicle { vat_scheme: before, ..part.clone() };
        let changes = take(&signed, &[out.clone(), part, brokered.clone()], to(Delivered)).unwrap();
        changes.vehicles.iter().map(|vehicle| vehicle.vat_scheme).collect::<Vec<_>>()
    };
    let [margin, standard] = [VatScheme::Margin, VatScheme::Standard];
    assert_eq!(schemes(margin, standard), [None, Some(standard), None]);
    assert_eq!(schemes(standard, margin), [None, Some(margin), None]);
    assert_eq!(schemes(standard, standard), [None; 3]);
}

#[test]
fn cancelling_frees_what_was_reserved() {
    let [_, part, brokered] = vehicles();
    let held = [vehicle("1", Reserved), part, brokered];
    let free = |state| take(&in_state(state), &held, to(Cancelled)).unwrap();
    assert_eq!(statuses(&free(Signed)), [("1", InStock, None)]);
    for state in [Draft, Offered] {
        assert_eq!(free(state).vehicles, []);
    }
    assert_eq!(take(&in_state(Signed), &[], to(Cancelled)).unwrap().vehicles, []);
}

#[test]
fn the_state_bar_has_each_next_state_with_its_refusal() {
    let of = |agreement: &Agreement| -> Vec<_> {
        let steps = next_steps(agreement, &vehicles(), day(TODAY));
        steps.into_iter().map(|(state, step)| (state, step.is_ok())).collect()
    };
    assert_eq!(of(&in_state(Draft)), [(Offered, true), (Cancelled, true)]);
    assert_eq!(of(&Agreement { customer_id: None, ..in_state(Draft) }), [(Offered, false), (Cancelled, true)]);
    assert_eq!(of(&in_state(Closed)), []);
    // The dialog of a step can give another day.
    let early = Agreement { delivered_on: Some(day("2026-11-01")), ..in_state(Offered) };
    assert_eq!(of(&early), [(Signed, true), (Cancelled, true)]);
    let late = Agreement { agreed_on: Some(day("2026-12-24")), ..in_state(Signed) };
    assert_eq!(of(&late), [(Delivered, true), (Cancelled, true)]);
}

#[test]
fn a_step_names_a_state_and_valid_days() {
    let errors = |state: &str, agreed: &str| {
        let input = StepInput { state: state.into(), agreed_on: agreed.into(), ..StepInput::default() };
        errors_as_texts(input)
    };
    assert!(errors(" Signed ", "2026-11-26").is_empty());
    assert_eq!(errors("signed", ""), [format!("state: {}", choice_error(AgreementState::NAMES))]);
    assert_eq!(errors("Signed", "today"), [format!("agreed_on: {}", DATE_INVALID)]);
}

fn status() -> impl Strategy<Value = VehicleStatus> {
    proptest::sample::select(VehicleStatus::ALL.to_vec())
}

fn state() -> impl Strategy<Value = AgreementState> {
    proptest::sample::select(AgreementState::ALL.to_vec())
}

proptest! {
    /// The steps, guards and effects on vehicles of docs/product.md 4.30, written once more.
    #[test]
    fn exactly_the_steps_of_the_table_are_taken(
        from in state(), next in state(), has_customer: bool, picks in proptest::collection::vec((0..3_usize, status(), 0..2_i64, any::<bool>()), 0..5),
    ) {
        let directions = Direction::ALL;
        let legs: Vec<_> = picks.iter().enumerate().map(|(id, (direction, _, pence, _))| {
            leg(&id.to_string(), directions[*direction], *pence)
        }).collect();
        let vehicles: Vec<_> = picks.iter().enumerate().map(|(id, (_, status, _, is_signed))| {
            LegVehicle { signed_in: is_signed.then(|| "SA-1".into()), ..vehicle(&id.to_string(), *status) }
        }).collect();
        let agreement = Agreement { legs, customer_id: has_customer.then(|| "1".into()), ..in_state(from) };
        let may_offer = has_customer && !picks.is_empty()
            && picks.iter().all(|(direction, _, pence, _)| directions[*direction] == Direction::In || *pence > 0);
        let is_free = picks.iter().all(|(direction, status, _, is_signed)| match directions[*direction] {
            Direction::Out => matches!(status, InStock | Reserved) && !is_signed,
            Direction::Brokered => *status != Sold && !is_signed,
            Direction::In => *status != Sold,
        });
        let is_unsold = picks.iter().all(|(_, status, ..)| *status != Sold);
        let expected = match (from, next) {
            (Draft, Offered) => may_offer,
            (Offered, Signed) => may_offer && is_free,
            (Signed, Delivered) => has_customer && is_unsold,
            (Delivered, Closed) | (Draft | Offered | Signed, Cancelled) => true,
            _ => false,
        };
        let found = take(&agreement, &vehicles, to(next));
        prop_assert_eq!(found.is_ok(), expected, "{:?}", found);
        let Ok(changes) = found else { return Ok(()) };
        prop_assert_eq!(changes.state, next);
        for (picked, vehicle) in picks.iter().zip(&vehicles) {
            let after = changes.vehicles.iter().find(|change| change.vehicle_id == vehicle.vehicle_id);
            let after = after.map_or(vehicle.status, |change| change.status);
            let is_promised = vehicle.status == Reserved && vehicle.signed_in.is_some();
            let expected = match (next, directions[picked.0]) {
                (Signed, Direction::Out) => Reserved,
                (Delivered, Direction::Out | Direction::Brokered) => Sold,
                (Delivered, Direction::In) if !is_promised => InStock,
                (Cancelled, Direction::Out) if from == Signed && vehicle.status == Reserved => InStock,
                _ => vehicle.status,
            };
            prop_assert_eq!(after, expected);
        }
    }
}
