//! What a search for a person finds is erased or kept, and the report and the certificate say which.

use crate::agreements::{create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, CLERK, TestApp};
use crate::helpers::{create_record, put, with_field};
use crate::imports::{csv_mapping, import};
use crate::privacy::{EMAIL, counts, erase, person, store_person};
use forecourt_core::privacy::text;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Asserts that each kind of data that was found is erased or kept, and so is each entry of the history.
fn assert_covers(held: &Value, parts: &Value) {
    let (held, erased, kept) = (counts(held), counts(&parts["erased"]), counts(&parts["kept"]));
    let covered: BTreeSet<_> = erased.keys().chain(kept.keys()).collect();
    assert_eq!(held.keys().collect::<BTreeSet<_>>(), covered, "{parts}");
    assert_eq!(held["history"], erased["history"] + kept["history"], "{parts}");
}

#[tokio::test]
async fn all_that_is_found_about_a_person_is_erased_or_kept() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let stored = store_person(&app, &token).await;
    let sold = create_vehicle(&app, &token, "A1").await;
    let sale = json!({"customer_id": id(&stored.customer), "legs": [leg(&sold, "Out", 900)]});
    create_agreement(&app, &token, sale).await;
    let note = json!({"registration_number": "A2", "notes": format!("Bought from {EMAIL}")});
    let vehicle = create_record(&app, &token, "/api/vehicles", note.clone(), "vehicle_id").await;
    // An entry of the history without personal data.
    assert_eq!(put(&app, &vehicle, &token, with_field(note, "location", "Lund")).await.status, 200);
    let file = format!("Namn,E-post,Adress\nAda Ek,{EMAIL},Gatan 1\n");
    import(&app, &token, "ada.csv", file.as_bytes(), &csv_mapping()).await;
    let account = app.db().sql("UPDATE users SET email = $1 WHERE email = $2");
    assert_eq!(account.bind(EMAIL.to_lowercase()).bind(CLERK.to_owned()).exec().await.unwrap(), 1);

    let report = person(&app, &token, EMAIL).await.body["data"].clone();
    assert_eq!(counts(&report["held"]).len(), 11, "one of each kind: {report}");
    assert_covers(&report["held"], &report);
    for reason in [text::ENDED_IMPORT, text::NOT_PERSONAL] {
        let kept = report["kept"].as_array().unwrap();
        assert!(kept.iter().any(|part| part["reason"] == reason.as_str()), "{report}");
    }
    assert_covers(&report["held"], &erase(&app, &token).await.body["data"]);
}
