use super::super::fields::tests::agreement;
use super::super::{References, WarrantyInput};
use super::*;
use crate::form::{check, errors_as_texts};
use crate::lists::Record;
use serde_json::{Value, json};

/// Returns the form of an unchanged agreement with other values of these fields.
fn form(stored: &Agreement, more: Value) -> AgreementInput {
    let mut json = serde_json::to_value(stored).unwrap();
    for (name, value) in more.as_object().unwrap() {
        let field = Agreement::FIELDS.iter().find(|field| field.name == name).unwrap();
        *field.path().into_iter().fold(&mut json, |json, name| &mut json[name]) = value.clone();
    }
    AgreementInput { stored: Some(Box::new(stored.clone())), ..serde_json::from_value(json).unwrap() }
}

fn new(more: Value) -> AgreementInput {
    serde_json::from_value(more).unwrap()
}

fn with_type(mut form: Value, kind: &str) -> Value {
    form["type"] = kind.into();
    form
}

fn fields(form: AgreementInput) -> Vec<String> {
    errors_as_texts(form).iter().map(|error| error.split(": ").next().unwrap_or_default().to_owned()).collect()
}

fn in_state(state: AgreementState) -> Agreement {
    Agreement { state, ..agreement() }
}

#[test]
fn a_new_agreement_needs_nothing() {
    let checked = check(AgreementInput::default()).unwrap();
    assert_eq!((checked.agreement_type(), checked.warranty()), (Some(AgreementType::Sales), Some(WarrantyKind::None)));
    assert_eq!((checked.customer_id(), checked.minimum_price(), checked.legs()), (None, None, Vec::new()));
}

#[test]
fn each_invalid_value_is_an_error_of_its_field_in_screen_order() {
    let invalid = json!({
        "type": "Lease", "state": "Signed", "customer_id": "C-1001", "contact_id": "7", "deposit": -1, "commission": 1.001,
        "commission_percent": "100.01", "minimum_price": 0, "exclusive_until": "soon",
        "warranty": {"kind": "Yes", "months": 0, "distance": "1.5"}, "agreed_on": "2026-02-30", "delivered_on": "x",
        "notes": "N".repeat(10_001),
    });
    let names = [
        "type",
        "state",
        "customer_id",
        "contact_id",
        "deposit",
        "commission",
        "commission_percent",
        "minimum_price",
        "exclusive_until",
        "warranty",
        "warranty_months",
        "warranty_distance",
        "agreed_on",
        "delivered_on",
        "notes",
    ];
    assert_eq!(fields(new(invalid)), names);
}

#[test]
fn an_agency_has_only_one_commission_and_other_types_ignore_it() {
    let errors = |kind: &str, more: Value| errors_as_texts(new(with_type(more, kind)));
    for more in
        [json!({"commission": 500}), json!({"commission_percent": "7.25 %"}), json!({"commission_percent": 100})]
    {
        assert!(errors("Agency", more.clone()).is_empty(), "{more}");
    }
    let both = [format!("commission_percent: {}", text::COMMISSION_TWICE)];
    assert_eq!(errors("Agency", json!({"commission": 500, "commission_percent": 5})), both);
    for percent in [json!(100.01), json!("101"), json!(-1), json!("7.255")] {
        assert_eq!(errors("Agency", json!({ "commission_percent": percent })).len(), 1, "{percent}");
    }
    assert_eq!(new(json!({"commission_percent": 7.25})).commission_percent(), Money::from_pence(725));
    let invalid = || json!({"commission": "five", "commission_percent": 101});
    assert_eq!(errors("Agency", invalid()).len(), 2);
    let commissions = |form: AgreementInput| {
        let checked = check(form).unwrap();
        (checked.commission(), checked.commission_percent())
    };
    for kind in ["", "Sales", "Purchase"] {
        let form = new(with_type(invalid(), kind));
        assert_eq!(commissions(form), (None, None), "{kind}");
    }
    let stored = Agreement { commission_percent: None, ..in_state(AgreementState::Draft) };
    assert_eq!(stored.agreement_type, AgreementType::Sales);
    let update = form(&stored, with_type(json!({"commission": 500}), "Agency"));
    assert_eq!(commissions(update), (None, None), "the stored type counts");
}

#[test]
fn a_delivery_is_not_before_the_agreement() {
    let errors = |delivered: &str| errors_as_texts(new(json!({"agreed_on": "2026-03-02", "delivered_on": delivered})));
    assert!(errors("2026-03-02").is_empty() && errors("").is_empty());
    assert_eq!(errors("2026-03-01"), [format!("delivered_on: {}", text::DELIVERED_TOO_EARLY)]);
}

#[test]
fn without_a_warranty_there_are_no_months_and_no_distance() {
    for warranty in [json!({"kind": "", "months": 12, "distance": "x"}), json!({"kind": null}), json!(null)] {
        let checked = check(new(json!({ "warranty": warranty }))).unwrap();
        assert_eq!(checked.warranty, WarrantyInput::default(), "{warranty}");
    }
    let dealer = check(new(json!({"warranty": {"kind": "Dealer", "months": "12"}}))).unwrap();
    assert_eq!(dealer.warranty_months(), Some(12));
}

#[test]
fn what_a_form_refers_to_must_exist() {
    let references = Some(References::default());
    let form = form(&in_state(AgreementState::Draft), json!({"legs": []}));
    let errors = errors_as_texts(AgreementInput { references, ..form });
    let unknown = [("customer_id", text::CUSTOMER_UNKNOWN), ("contact_id", text::CONTACT_UNKNOWN)];
    assert_eq!(errors, unknown.map(|(field, message)| format!("{field}: {message}")));
}

#[test]
fn an_offered_agreement_keeps_a_customer() {
    let stored = in_state(AgreementState::Offered);
    assert!(errors_as_texts(form(&stored, json!({"notes": "New"}))).is_empty());
    let missing = [format!("customer_id: {}", text::CUSTOMER_REQUIRED)];
    assert_eq!(errors_as_texts(form(&stored, json!({"customer_id": ""}))), missing);
}

#[test]
fn the_deposit_of_an_offer_is_at_most_its_price() {
    let errors = |state: AgreementState, change: Value| errors_as_texts(form(&in_state(state), change));
    let vehicle_id = in_state(AgreementState::Offered).legs[0].vehicle_id.clone();
    let legs = json!([{"vehicle_id": vehicle_id, "direction": "Out", "price": "100"}]);
    let too_high = [format!("deposit: {}", text::DEPOSIT_TOO_HIGH)];
    assert_eq!(errors(AgreementState::Offered, json!({"deposit": "101", "legs": legs})), too_high);
    assert_eq!(errors(AgreementState::Offered, json!({"deposit": "100", "legs": legs})), [""; 0]);
    assert_eq!(errors(AgreementState::Draft, json!({"deposit": "101", "legs": legs})), [""; 0]);
}

/// Each field with another value than that of the agreement.
fn changes() -> Vec<(&'static str, Value)> {
    vec![
        ("legs", json!([])),
        ("customer_id", json!("")),
        ("deposit", json!(1)),
        ("commission", json!(1)),
        ("commission_percent", json!(1)),
        ("minimum_price", json!(1)),
        ("exclusive_until", json!("")),
        ("agreed_on", json!("")),
        ("contact_id", json!(null)),
        ("warranty", json!("Insured")),
        ("warranty_months", json!(1)),
        ("warranty_distance", json!("")),
        ("delivered_on", json!("2026-12-31")),
    ]
}

#[test]
fn what_was_signed_stays_and_what_was_delivered_keeps_all_but_its_notes() {
    use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
    for state in [Signed, Delivered, Closed, Cancelled] {
        let stored = Agreement { agreement_type: AgreementType::Agency, commission_percent: None, ..in_state(state) };
        assert!(errors_as_texts(form(&stored, json!({"notes": "New", "type": "Sales"}))).is_empty(), "{state:?}");
        for (field, value) in changes() {
            let is_open = state == Signed
                && ["contact_id", "warranty", "warranty_months", "warranty_distance", "delivered_on"].contains(&field);
            let errors = fields(form(&stored, json!({ field: value })));
            assert_eq!(errors.contains(&field.to_owned()), !is_open, "{state:?} {field}: {errors:?}");
        }
    }
    let message = |state, more| errors_as_texts(form(&in_state(state), more)).remove(0);
    assert_eq!(message(Signed, json!({"legs": []})), format!("legs: {}", text::SIGNED_FIXED));
    assert_eq!(message(Closed, json!({"legs": []})), format!("legs: {}", text::ONLY_NOTES));
    for state in [Draft, Offered] {
        assert!(errors_as_texts(form(&in_state(state), json!({"deposit": 1, "agreed_on": ""}))).is_empty());
    }
}

#[test]
fn a_customer_or_contact_that_was_deleted_meanwhile_is_no_change_of_a_binding_agreement() {
    let gone = json!({"customer_id": agreement().customer_id, "contact_id": agreement().contact_id});
    let errors = |state, references: References| {
        let stored = Agreement { customer_id: None, contact_id: None, ..in_state(state) };
        errors_as_texts(AgreementInput { references: Some(references), ..form(&stored, gone.clone()) })
    };
    let unknown = format!("contact_id: {}", text::CONTACT_UNKNOWN);
    assert_eq!(errors(AgreementState::Signed, References::default()), [unknown]);
    assert!(errors(AgreementState::Delivered, References::default()).is_empty());
    let others = References { customer_name: Some("Bo".into()), has_contact: true, ..References::default() };
    let fixed = [("customer_id", text::ONLY_NOTES), ("contact_id", text::ONLY_NOTES)];
    assert_eq!(errors(AgreementState::Closed, others), fixed.map(|(field, message)| format!("{field}: {message}")));
}

#[test]
fn an_agreement_keeps_the_name_of_a_deleted_customer() {
    let references = Some(References { customer_name: Some("Ada Ek".into()), ..References::default() });
    let name = |stored: Agreement, id: &str| {
        let form = AgreementInput { references: references.clone(), ..form(&stored, json!({"customer_id": id})) };
        form.customer_name().map(str::to_owned)
    };
    let without = Agreement { customer_id: None, ..agreement() };
    assert_eq!(name(without.clone(), ""), None);
    assert_eq!(name(without, "1").as_deref(), Some("Ada Ek"));
    assert_eq!(name(in_state(AgreementState::Signed), "1"), None);
}

#[test]
fn a_form_shows_exactly_those_fields_as_fixed_whose_change_is_refused() {
    for state in AgreementState::ALL {
        let stored = Agreement { agreement_type: AgreementType::Agency, commission_percent: None, ..in_state(*state) };
        let fixed: Vec<_> = fixed_fields(*state).into_iter().map(|(field, _)| field).collect();
        for (field, value) in changes() {
            let error = errors_as_texts(form(&stored, json!({ field: value })));
            let is_refused = error.iter().any(|error| error.starts_with(&format!("{field}: ")));
            // An offer needs vehicles and a customer.
            let is_needed = *state == AgreementState::Offered && ["legs", "customer_id"].contains(&field);
            assert_eq!(fixed.contains(&field), is_refused && !is_needed, "{state:?} {field}");
        }
    }
}

#[test]
fn no_form_changes_the_state() {
    for before in AgreementState::ALL {
        for after in AgreementState::ALL {
            let errors = fields(form(&in_state(*before), json!({"state": after.as_str()})));
            assert_eq!(errors, if before == after { vec![] } else { vec!["state"] }, "{before:?} {after:?}");
        }
    }
}

#[test]
fn only_drafts_offers_and_cancelled_agreements_can_be_deleted() {
    use AgreementState::{Cancelled, Draft, Offered};
    for state in AgreementState::ALL {
        assert_eq!(deletion_error(*state).is_none(), matches!(state, Draft | Offered | Cancelled), "{state:?}");
    }
}

#[test]
fn the_customer_and_the_contact_of_a_binding_agreement_can_not_be_deleted() {
    use AgreementState::{Cancelled, Closed, Delivered, Draft, Offered, Signed};
    let error = text::CUSTOMER_REQUIRED;
    for free in [&[Draft, Offered, Cancelled][..], &[]] {
        assert_eq!(party_deletion_error(free, error), None, "{free:?}");
    }
    for state in [Signed, Delivered, Closed] {
        assert_eq!(party_deletion_error(&[Draft, state], error), Some(error), "{state:?}");
    }
}
