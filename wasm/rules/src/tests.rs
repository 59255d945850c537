//! Tests of this package's bindings, in Node.js and in a browser. The rules have their own tests in `core`; `web/e2e`
//! tests the requests against a real server.

use crate::{
    auth, contacts, corporations, dashboard, images, import, paging, permissions, profile, records, session, settings,
    text, theme,
};
use forecourt_call::{BindingError, Problem, is_problem, read};
use forecourt_core::contacts::ContactInput;
use forecourt_core::corporations::CorporationUpdateInput;
use forecourt_core::form::FieldError;
use forecourt_core::lists::LISTS;
use forecourt_core::message::Message;
use forecourt_core::permissions::{PermissionResource, UserType, effective_permissions};
use forecourt_core::text::fold;
use js_sys::{Array, Function, JSON, Reflect};
use serde::Deserialize;
use tsify::{Ts, Tsify};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

fn js(source: &str) -> JsValue {
    Function::new_no_args(&format!("return {source}")).call0(&JsValue::NULL).unwrap()
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

fn list<T: Tsify>(items: &[Ts<T>]) -> String
where
    T::JsType: JsCast,
{
    json(&items.iter().map(Ts::js_value).collect::<Array>())
}

fn resources(user_type: UserType) -> Vec<Ts<PermissionResource>> {
    effective_permissions(user_type, &[], &[]).resources().iter().map(|r| r.into_ts().unwrap()).collect()
}

/// Returns JavaScript values of the wrong type for the bindings that the test below calls with them.
fn garbage() -> Vec<JsValue> {
    [
        "undefined",
        "null",
        "7",
        "'text'",
        "Symbol()",
        "10n",
        "() => {}",
        "{ email: 7 }",
        "{ name: {}, email: [], page: 'x', resource_id: 1 }",
    ]
    .map(|source| js(&format!("({source})")))
    .to_vec()
}

#[wasm_bindgen_test]
fn invalid_arguments_throw_and_leave_the_module_usable() {
    let garbage = garbage();
    for round in 0..2_000 {
        let value = || garbage[round % garbage.len()].clone();
        assert!(auth::check_login(Ts::new_unchecked(value())).is_err(), "{:?}", value());
        assert!(contacts::check_contact(Ts::new_unchecked(value())).is_err(), "{:?}", value());
        assert!(permissions::navigation(vec![Ts::new_unchecked(value())]).is_err());
        assert!(permissions::may(vec![], Ts::new_unchecked(value()), Ts::new_unchecked(value())).is_err());
        assert!(paging::page_window(1, 1, Ts::new_unchecked(value())).is_err());
        assert!(import::after_response(Ts::new_unchecked(value()), 0).is_err());
        assert!(images::check_image(Ts::new_unchecked(value()), 1.0, b"").is_err());
        assert!(corporations::check_ban(Ts::new_unchecked(js("Symbol()"))).is_err());
        assert!(import::check_mapping(vec!["a".into()], vec![Ts::new_unchecked(value())]).is_err());
    }
    assert_eq!(list(&contacts::check_contact(Ts::new_unchecked(js("({ name: 'Ada' })"))).ok().unwrap()), "[]");
}

#[wasm_bindgen_test]
fn password_rules_follow_the_settings_of_the_installation() {
    let found = || {
        let reset = Ts::new_unchecked(js("({ token: 't', password: 'sixsix', confirmPassword: 'sixsix' })"));
        list(&auth::check_reset(reset).ok().unwrap())
    };
    assert_eq!(found(), "[]");
    assert!(settings::set_form_settings(Ts::new_unchecked(js("({ passwordMin: 12 })"))).is_ok());
    assert!(found().contains("Minimum length is 12 characters"));
    let change = Ts::new_unchecked(js("({ currentPassword: 'a', newPassword: 'sixsix', confirmPassword: 'sixsix' })"));
    assert!(list(&profile::check_change_password(change).ok().unwrap()).contains("Minimum length is 12 characters"));
    assert!(settings::set_form_settings(Ts::new_unchecked(js("({})"))).is_ok());
    assert_eq!(found(), "[]");
}

#[wasm_bindgen_test]
fn check_image_validates_size_and_first_bytes() {
    let check = |size: f64, head: &[u8]| images::check_image(Ts::new_unchecked(js("'logo'")), size, head).ok().unwrap();
    assert!(check(2_097_152.0, b"\x89PNG\r\n\x1a\n").is_none());
    let message = check(2_097_153.0, b"\x89PNG\r\n\x1a\n").unwrap();
    let expected = r#"{"code":"images.logo_too_large","text":"Logo file size should not exceed 2MB"}"#;
    assert_eq!(json(&message.js_value()), expected);
    assert!(check(10.0, b"GIF89a").is_some());
}

#[wasm_bindgen_test]
fn validation_errors_use_the_field_names_of_the_api() {
    let form = Ts::new_unchecked(js("({ name: ' ', email: 'x', otherDetails: { a: 'b'.repeat(40000) } })"));
    let errors: Vec<FieldError> =
        contacts::check_contact(form).ok().unwrap().iter().map(|e| e.to_rust().unwrap()).collect();
    let fields: Vec<_> = errors.iter().map(|e| e.field.as_str()).collect();
    assert_eq!(fields, ["name", "email", "otherDetails"]);
    let errors = auth::check_code(Ts::new_unchecked(js("({ email: 'a@b.se', otp: '12', deviceId: 'd' })")));
    assert_eq!(
        list(&errors.ok().unwrap()),
        r#"[{"field":"otp","message":{"code":"auth.code_not_six","text":"Please enter a valid 6-digit OTP code"}}]"#
    );
}

#[wasm_bindgen_test]
fn maps_become_plain_objects() {
    let form = ContactInput {
        name: "Ada".into(),
        other_details: [("Town".into(), "Bath".into())].into(),
        ..Default::default()
    };
    let details = Reflect::get(&form.into_ts().unwrap().js_value(), &"otherDetails".into()).unwrap();
    assert_eq!(json(&details), r#"{"Town":"Bath"}"#);
}

#[wasm_bindgen_test]
fn an_api_error_becomes_an_error_named_problem_with_its_fields() {
    let errors = vec![FieldError { field: "email".into(), message: Message::without_code("Taken") }];
    let problem = Problem::from_field_errors(&errors).with_status(409);
    let error = JsValue::from(BindingError::from(problem));
    assert!(is_problem(&error));
    let get = |name: &str| Reflect::get(&error, &name.into()).unwrap();
    assert_eq!((get("name"), get("status")), ("Problem".into(), 409.into()));
    assert_eq!(get("message"), "Taken");
    assert_eq!(json(&get("messages")), r#"[{"code":"","text":"Taken","field":"email"}]"#);
    let unreached = JsValue::from(BindingError::from(Problem::new(&Message::without_code("No"))));
    assert_eq!(Reflect::get(&unreached, &"status".into()).unwrap(), 0);
    let body = js("({ success: false, messages: [{ code: 'stale', text: 'S' }], data: { version: 2 } })");
    let conflict = JsValue::from(Problem::from_response(409, &body));
    assert!(is_problem(&conflict));
    assert_eq!(json(&Reflect::get(&conflict, &"present".into()).unwrap()), r#"{"version":2}"#);
    let foreign = JsValue::from(Problem::from_response(502, &JsValue::NULL));
    assert_eq!(Reflect::get(&foreign, &"status".into()).unwrap(), 502);
    assert!(json(&Reflect::get(&foreign, &"messages".into()).unwrap()).contains("unexpected"));
    for other in garbage() {
        assert!(!is_problem(&other));
    }
    assert!(!is_problem(&js_sys::Error::new("x")));
}

#[wasm_bindgen_test]
fn page_functions_return_plain_numbers() {
    let window = |current, total, name: &str| {
        json(&paging::page_window(current, total, Ts::new_unchecked(name.into())).ok().unwrap())
    };
    assert_eq!(window(6, 20, "gapped"), "[1,-1,4,5,6,7,8,-1,20]");
    assert_eq!(window(9, 9, "three"), "[7,8,9]");
    assert_eq!(window(u32::MAX, u32::MAX, "three"), "[2147483645,2147483646,2147483647]");
    assert_eq!(paging::total_pages(25.0, 10), 3);
    assert_eq!(json(&paging::row_range(3, 10, 25.0)), "[21,25]");
    assert_eq!(json(&paging::row_range(1, 10, f64::NAN)), "[0,0]");
    assert!(!paging::is_valid_page(-1, 3));
}

#[wasm_bindgen_test]
fn permissions_and_navigation_use_the_field_names_of_the_api() {
    let may = |user_type, action: &str| {
        permissions::may(resources(user_type), Ts::new_unchecked("users".into()), Ts::new_unchecked(action.into()))
    };
    assert_eq!(may(UserType::Admin, "create").ok(), Some(true));
    assert_eq!(may(UserType::User, "read").ok(), Some(false));
    let on_route = permissions::permissions_for_route(resources(UserType::SuperAdmin), "/dashboard/contacts");
    assert_eq!(
        json(&on_route.ok().unwrap().js_value()),
        r#"{"can_read":true,"can_create":true,"can_update":true,"can_delete":true}"#
    );
    let navigation = permissions::navigation(resources(UserType::Admin)).ok().unwrap().js_value();
    let profile = Array::from(&Reflect::get(&navigation, &"profile".into()).unwrap());
    let first = r#"{"resource_id":"users","title":"Users Management","route":"/dashboard/users","icon":"user-cog","subresources":[]}"#;
    assert_eq!(json(&profile.get(0)), first);
    let in_trash = |user_type| list(&permissions::trash_resources(resources(user_type)).ok().unwrap());
    let with_trash: Vec<_> = forecourt_core::history::resources().map(|resource| resource.as_str()).collect();
    assert_eq!(in_trash(UserType::SuperAdmin), format!("{with_trash:?}").replace(", ", ","));
    assert_eq!(in_trash(UserType::User), "[]");
    let in_history = |user_type| permissions::history_resources(resources(user_type)).ok().unwrap();
    assert_eq!(in_history(UserType::User), ["corporations"]);
    assert!(in_history(UserType::SuperAdmin).contains(&"contacts.imports".to_owned()));
}

#[wasm_bindgen_test]
fn import_progress_returns_the_next_step() {
    assert_eq!(json(&import::after_failure(1, 0).ok().unwrap().js_value()), r#"{"kind":"again","afterMs":1000}"#);
    let session = "({ sessionId: 's', fileName: 'f.csv', status: 'completed', totalRecords: 1, processedRecords: 1,
        successRecords: 1, failedRecords: 0, hasContacts: true, hasUnboundContacts: true, fileSize: 9,
        leftOutRecords: 0, duplicateRecords: 0, differs: false, userId: '', userName: '', createdAt: '2026-11-22T08:00:00Z' })";
    assert_eq!(
        json(&import::after_response(Ts::new_unchecked(js(session)), 0).ok().unwrap().js_value()),
        r#"{"kind":"over","success":true,"message":{"code":"import.completed","text":"Import completed successfully!"}}"#
    );
}

#[wasm_bindgen_test]
fn check_mapping_accepts_the_offered_choices() {
    let choices = import::model_columns().ok().unwrap();
    assert!(
        list(&choices)
            .ends_with(r#"{"value":"doNotImport","label":{"code":"import.do_not_import","text":"Do not import"}}]"#)
    );
    let mapping = |second: &str| {
        let source =
            format!("[{{ fileColumn: 'A', modelColumn: 'name' }}, {{ fileColumn: 'B', modelColumn: '{second}' }}]");
        let mapping = Array::from(&js(&source)).iter().map(Ts::new_unchecked).collect();
        list(&import::check_mapping(vec!["A".into(), "B".into()], mapping).ok().unwrap())
    };
    assert_eq!(mapping("doNotImport"), "[]");
    assert!(mapping("").contains("Please map all columns before importing"));
}

#[wasm_bindgen_test]
fn every_list_has_texts_and_a_page_size() {
    for list in LISTS {
        let texts = records::record_texts(list).ok().unwrap();
        for name in ["created", "updated", "deleted"] {
            let text = json(&Reflect::get(&texts, &name.into()).unwrap());
            assert!(text.starts_with(&format!("{{\"code\":\"{list}.{name}\"")), "{text}");
        }
        assert!(records::record_page_size(list) > 0, "{list}");
    }
}

#[wasm_bindgen_test]
fn agreements_to_deliver_have_a_state_and_an_excluded_type() {
    let found = dashboard::to_deliver().ok().unwrap().js_value();
    assert_eq!(json(&found), r#"{"state":"Signed","excluded_type":"Agency"}"#);
}

#[wasm_bindgen_test]
fn exclusivity_that_is_due_has_states_and_days() {
    let found = dashboard::exclusivity_due().ok().unwrap().js_value();
    assert_eq!(json(&found), r#"{"states":["Offered","Signed"],"days":7}"#);
}

#[wasm_bindgen_test]
fn shades_and_texts_use_camel_case() {
    let shades = theme::shades("#eab308", false).ok().unwrap().js_value();
    assert_eq!(Reflect::get(&shades, &"onBrand".into()).unwrap(), "#000000");
    assert_eq!(theme::theme_colors().ok().unwrap().len(), 10);
    let texts = text::texts().ok().unwrap();
    let sentence = |feature: &str, name: &str| {
        let texts = Reflect::get(&texts, &feature.into()).unwrap();
        json(&Reflect::get(&texts, &name.into()).unwrap())
    };
    assert_eq!(sentence("auth", "codeWrong"), r#"{"code":"auth.code_wrong","text":"Invalid OTP"}"#);
    assert_eq!(sentence("theme", "logoRemoved"), r#"{"code":"theme.logo_removed","text":"Logo removed successfully"}"#);
}

#[wasm_bindgen_test]
fn stores_tokens_only_in_a_browser() {
    session::clear();
    assert!(!session::has_session());
    // The payload is {"user_id":"u","exp":9999999999,"iat":9999999000,"role":"Super Admin"} in base64.
    let payload = "eyJ1c2VyX2lkIjoidSIsImV4cCI6OTk5OTk5OTk5OSwiaWF0Ijo5OTk5OTk5MDAwLCJyb2xlIjoiU3VwZXIgQWRtaW4ifQ";
    let tokens = js(&format!("({{ accessToken: 'x.{payload}.y', refreshToken: 'r' }})"));
    let is_kept = session::store_tokens(Ts::new_unchecked(tokens)).is_ok();
    assert_eq!(is_kept, web_sys::window().is_some());
    assert_eq!(session::has_session(), is_kept);
    assert_eq!(session::token_role(), if is_kept { "Super Admin" } else { "" });
    session::clear();
    assert!(!session::has_session());
}

#[wasm_bindgen_test]
async fn a_tab_uses_no_tokens_of_another_user() {
    // The payloads have the user ids `u` and `v` and are as in the test above.
    let [own, other] = ["eyJ1c2VyX2lkIjoidSIs", "eyJ1c2VyX2lkIjoidiIs"].map(|head| {
        let payload = format!("{head}ImV4cCI6OTk5OTk5OTk5OSwiaWF0Ijo5OTk5OTk5MDAwLCJyb2xlIjoiU3VwZXIgQWRtaW4ifQ");
        move || {
            session::store_tokens(Ts::new_unchecked(js(&format!(
                "({{ accessToken: 'x.{payload}.y', refreshToken: 'r' }})"
            ))))
        }
    });
    session::clear();
    // Node.js has no storage.
    if own().is_err() {
        return;
    }
    session::adopt_session();
    assert_eq!(session::tab_user().as_deref(), Some("u"));
    assert!(session::access_token().await.is_ok());
    assert!(other().is_ok());
    assert!(session::has_other_session() && !session::has_session());
    assert!(session::access_token().await.is_err_and(|error| error.status() == Some(0)));
    // The end of this tab's session doesn't sign the other user out.
    session::clear();
    assert!(session::has_other_session());
    assert!(own().is_ok());
    assert!(session::has_session() && session::access_token().await.is_ok());
    session::clear();
    session::adopt_session();
    assert_eq!(session::tab_user(), None);
}

#[wasm_bindgen_test]
async fn a_request_without_a_session_gives_401() {
    session::clear();
    let response = JsFuture::from(profile::get_profile()).await;
    let Err(error) = response else { panic!("a request without a session succeeded") };
    assert!(is_problem(&error));
    assert_eq!(Reflect::get(&error, &"status".into()).unwrap(), 401);
}

#[wasm_bindgen_test]
fn missing_fields_get_defaults_and_errors_name_the_field() {
    #[derive(Debug, Default, PartialEq, Deserialize, Tsify)]
    #[serde(default)]
    struct Query {
        page: u32,
        limit: u32,
        search: String,
    }
    let page = |source: &str| read::<Query>(&Ts::new_unchecked(js(source)));
    let Ok(query) = page("({ search: 'Ada', unknown: 1, page: 2, limit: undefined })") else { panic!("it fits") };
    assert_eq!((query.page, query.limit, query.search.as_str()), (2, 0, "Ada"));
    for wrong in ["({ page: 'two' })", "({ page: -1 })", "({ page: 1.5 })", "({ page: 1e300 })", "({ page: null })"] {
        let Err(BindingError::InvalidArgument(reason)) = page(wrong) else { panic!("{wrong}") };
        assert!(reason.starts_with("page: ") && !reason.contains("two"), "{reason}");
    }
    let thrower = js("({ get page() { throw 1 } })");
    assert!(read::<Query>(&Ts::new_unchecked(thrower)).is_ok_and(|query| query == Query::default()));
}

#[wasm_bindgen_test]
fn reads_the_fields_of_a_flattened_struct() {
    let form = js("({ corp_name: 'A', corp_active: true, allowed_resources: ['x'], version: 3, admin_data: {} })");
    let Ok(form) = read::<CorporationUpdateInput>(&Ts::new_unchecked(form)) else { panic!("it fits") };
    assert_eq!((form.organization.corp_name.as_str(), form.corp_active, form.version), ("A", Some(true), Some(3)));
    assert_eq!(form.allowed_resources, Some(vec!["x".to_owned()]));
}

#[wasm_bindgen_test]
fn fold_gives_the_same_result_as_unicode_normalization() {
    let is_known = Function::new_with_args("letter", r"return !/\p{Cn}/u.test(letter)");
    let is_known = |letter: char| is_known.call1(&JsValue::NULL, &String::from(letter).into()) == Ok(JsValue::TRUE);
    let special = |letter: char| "ßæøłđ".contains(letter) || ('\u{E000}'..='\u{F8FF}').contains(&letter);
    let mut compared = 0;
    for letter in '\u{80}'..=char::MAX {
        let small: String = letter.to_lowercase().collect();
        let parts: String = small.nfd().filter(|part| !is_combining_mark(*part)).collect();
        // Only letters whose lower case has a decomposition, and combining marks, are compared.
        if (parts != small || is_combining_mark(letter)) && !parts.chars().any(special) && is_known(letter) {
            assert_eq!(fold(&letter.to_string()), parts, "{letter:?}");
            compared += 1;
        }
    }
    assert!(compared > 15_000, "{compared}");
    assert_eq!(
        fold("ÅSA Öberg-Łuczak STRAẞE Ærø 漢字 가"),
        format!("asa oberg-luczak strasse aero 漢字 {}", "가".nfd())
    );
}

#[wasm_bindgen_test]
fn a_name_may_contain_combining_accents() {
    let found = |name: &str| {
        let form = format!("({{ first_name: '{name}', last_name: 'Berg', email: 'a@b.se', mobile: '1' }})");
        list(&profile::check_profile(Ts::new_unchecked(js(&form))).ok().unwrap())
    };
    assert!(!found("Zoe\u{308}").contains("Only letters"));
    assert!(found("Zoe1").contains("Only letters"));
}
