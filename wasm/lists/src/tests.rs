//! Tests of the bindings, in Node.js and in a browser. The rules have their own tests in `core`.

use crate::{changes_trash, check_filter, list_fields, typed_condition};
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
    assert!(field("totalSpent").contains(r#""kind":"money""#));
    assert!(field("totalSpent").contains(r#"{"name":"between","operands":"two"}"#));
    assert!(field("totalSpent").contains("\"label\":{") && !field("version").contains("label"));
    assert!(
        field("totalSpent").contains(r#""isRecorded":true"#) && field("createdAt").contains(r#""isRecorded":false"#)
    );
    let is_mergeable = |name| field(name).contains(r#""isMergeable":true"#);
    assert!(is_mergeable("totalSpent") && !is_mergeable("customerNumber"));
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
fn an_unknown_action_may_change_the_trash() {
    assert!(changes_trash("restored") && changes_trash("archived") && !changes_trash("updated"));
}
