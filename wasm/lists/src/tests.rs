//! Tests of the bindings, in Node.js and in a browser. The rules have their own tests in `core`.

use crate::agreements::{agreement_deletion_error, check_step, fixed_fields, leg_direction, next_steps};
use crate::vehicles::usual_mileage_unit;
use crate::{changes_trash, check_filter, list_fields, relative_date, typed_condition};
use forecourt_core::lists::LISTS;
use js_sys::{JSON, Object};
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

fn json<T: Tsify>(value: &Ts<T>) -> String
where
    T::JsType: Clone + Into<JsValue>,
{
    JSON::stringify(&value.js_value()).unwrap().into()
}

#[wasm_bindgen_test]
fn fields_have_labels_operators_and_choices() {
    for list in LISTS {
        assert!(list_fields(list).is_ok_and(|fields| fields.len() > 5), "{list}");
    }
    assert!(list_fields("roles").is_ok_and(|fields| fields.is_empty()));
    let Ok(fields) = list_fields("customers") else { panic!("customers have fields") };
    let field =
        |name: &str| fields.iter().map(json).find(|field| field.contains(&format!("\"name\":\"{name}\""))).unwrap();
    assert!(field("agreementType").contains(r#""choices":["Sales","Purchase","Agency"]"#));
    let role = field("role");
    assert!(role.contains(r#""kind":"text""#) && role.contains(r#""choices":["buyer"]"#), "{role}");
    assert!(field("totalSpent").contains(r#""kind":"ownMoney""#));
    assert!(field("totalSpent").contains(r#"{"name":"between","operands":"two"}"#));
    assert!(field("totalSpent").contains("\"label\":{") && !field("version").contains("label"));
    // The history contains what users set, not the times that the program sets.
    assert!(
        field("totalSpent").contains(r#""isRecorded":true"#) && field("createdAt").contains(r#""isRecorded":false"#)
    );
    let Ok(user_fields) = list_fields("users") else { panic!("users have fields") };
    assert!(user_fields.iter().map(json).any(|field| field.contains(r#""choices":["Administrator"]"#)));
    let Ok(vehicle_fields) = list_fields("vehicles") else { panic!("vehicles have fields") };
    let status = vehicle_fields.iter().map(json).find(|field| field.contains(r#""name":"status""#)).unwrap();
    let [all, settable] = [r#""choices":["#, r#""bulkChoices":["#].map(|key| {
        let start = status.find(key).unwrap() + key.len();
        &status[start..start + status[start..].find(']').unwrap()]
    });
    assert!(all.contains("Sold") && settable.contains("In stock") && !settable.contains("Sold"));
    let is_figure = |name| field(name).contains(r#""isFigure":true"#);
    assert!(is_figure("totalSpent") && !is_figure("location"));
}

#[wasm_bindgen_test]
fn typed_values_become_conditions_that_are_checked() {
    let typed = |field: &str, op: &str, texts: &[&str]| {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let Ok(condition) = typed_condition("invoices", field, op, texts) else { panic!("{field} {op}") };
        condition
    };
    let condition = typed("projectPrice", "between", &["10", "20.5"]);
    assert_eq!(json(&condition), r#"{"field":"projectPrice","op":"between","value":[10,20.5]}"#);
    let errors = |condition| check_filter("invoices", vec![condition]).ok().unwrap();
    assert!(errors(condition).is_empty());
    assert!(errors(typed("customer", "is_empty", &["x"])).is_empty());
    let found = errors(typed("projectPrice", "lt", &["ten"]));
    assert!(json(&found[0]).contains("an amount with at most two decimals"));
    let foreign: JsValue = JSON::parse(r#"{"field":"age","op":"is","value":null}"#).unwrap();
    let found = check_filter("invoices", vec![Ts::new_unchecked(foreign.unchecked_into::<Object>().unchecked_into())]);
    assert!(json(&found.ok().unwrap()[0]).contains(r#""field":"filter.age""#));
}

#[wasm_bindgen_test]
fn a_relative_date_has_its_period_and_its_distance() {
    let found = |text| relative_date(text).ok().unwrap().as_ref().map(json);
    assert_eq!(found("month-00001").as_deref(), Some(r#"{"period":"month","later":-1}"#));
    assert_eq!(found("today").as_deref(), Some(r#"{"period":"day","later":0}"#));
    assert_eq!(found("today+10000"), None);
}

#[wasm_bindgen_test]
fn an_unknown_action_may_change_the_trash() {
    assert!(changes_trash("restored") && changes_trash("archived") && !changes_trash("updated"));
}

/// Returns a value that JavaScript passes to a binding.
fn value<T: Tsify>(json: &str) -> Ts<T>
where
    T::JsType: JsCast,
{
    Ts::new_unchecked(JSON::parse(json).unwrap().unchecked_into())
}

const OFFER: &str = r#"{
    "agreement_id": "01900000-0000-7000-8000-000000000000", "number": "SA-1001", "type": "Sales", "state": "Offered",
    "customer_id": "01900000-0000-7000-8000-0000000000c1", "customer_name": "Ada", "vehicles": "Volvo V60",
    "legs": [{"vehicle_id": "01900000-0000-7000-8000-000000000001", "direction": "Out", "price": 5, "vat_scheme": "Margin"}],
    "out_total": 5, "warranty": {"kind": "None"}, "delivered_on": "2026-11-20", "notes": "", "created_at": "", "updated_at": "", "version": 1
}"#;
const VEHICLE: &str = r#"{
    "vehicle_id": "01900000-0000-7000-8000-000000000001", "name": "Volvo V60", "status": "In stock", "vat_scheme": "Margin"
}"#;

#[wasm_bindgen_test]
fn a_step_is_offered_with_its_changes_and_checked_with_the_day_that_is_typed() {
    let steps = next_steps(value(OFFER), vec![value(VEHICLE)], "2026-11-26").ok().unwrap();
    let first = json(&steps[0]);
    assert!(first.contains(r#""state":"Signed""#) && first.contains(r#""status":"Reserved""#), "{first}");
    assert!(!first.contains("problem"), "{first}");
    let errors = |step: &str| -> Vec<String> {
        let found = check_step(value(step), value(OFFER), vec![value(VEHICLE)], "2026-11-26");
        found.ok().unwrap().iter().map(json).collect()
    };
    assert!(errors(r#"{"state": "Signed", "agreed_on": "2026-11-19"}"#).is_empty());
    let late = errors(r#"{"state": "Signed", "agreed_on": "2026-11-21"}"#);
    assert!(late.len() == 1 && late[0].contains(r#""field":"agreed_on""#), "{late:?}");
    assert!(errors(r#"{"state": "Signed", "agreed_on": "soon"}"#)[0].contains(r#""field":"agreed_on""#));
    assert!(errors(r#"{"state": "Closed"}"#)[0].contains(r#""field":"state""#));
}

#[wasm_bindgen_test]
fn a_state_says_what_is_fixed_and_whether_the_agreement_can_be_deleted() {
    let fixed = |state: &str| fixed_fields(value(state)).ok().unwrap();
    assert!(fixed(r#""Draft""#).is_empty());
    assert!(json(&fixed(r#""Signed""#)[0]).contains(r#""field":"legs""#));
    assert!(fixed(r#""Closed""#).len() > fixed(r#""Signed""#).len());
    let is_deletable = |state: &str| agreement_deletion_error(value(state)).ok().unwrap().is_none();
    assert!(is_deletable(r#""Cancelled""#) && !is_deletable(r#""Signed""#));
}

#[wasm_bindgen_test]
fn an_agreement_type_has_a_usual_direction_and_a_country_a_usual_mileage_unit() {
    let found = |kind: &str, typed: &str| {
        leg_direction(value(&format!("\"{kind}\"")), typed.to_owned()).ok().unwrap().as_ref().map(json)
    };
    for (kind, direction) in [("Sales", "Out"), ("Purchase", "In"), ("Agency", "Brokered")] {
        assert_eq!(found(kind, ""), Some(format!("\"{direction}\"")));
    }
    assert_eq!((found("Sales", "In").as_deref(), found("Sales", "Up")), (Some("\"In\""), None));
    assert_eq!([usual_mileage_unit("GB"), usual_mileage_unit("SE")], ["mi", "km"]);
}
