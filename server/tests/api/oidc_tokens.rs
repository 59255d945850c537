//! F1, the provider's side: whatever is wrong with what it answers, nobody comes in, nothing is kept, and the browser
//! lands on the login page. Each case differs from a good one in one thing.

use crate::app::CLERK;
use crate::browser::{Browser, start, verified};
use crate::provider::{Answer, Case, Provider, Signer};
use crate::steps::count;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// Of the clerk, whom a good token lets in.
fn good() -> Case {
    Case { claims: json!({"email": CLERK, "email_verified": true}), ..Case::default() }
}

fn claiming(name: &str, value: Value) -> Case {
    let mut case = good();
    case.claims[name] = value;
    case
}

async fn lands(case: Case, place: &str) {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let browser = Browser::new(&app);
    provider.set(case);
    assert_eq!(browser.land(&provider).await, place);
    for text in [
        "SELECT count(*) FROM handoffs",
        "SELECT count(*) FROM identities",
        "SELECT count(*) FROM journeys",
        "SELECT count(*) FROM sessions",
    ] {
        assert_eq!(count(&app, text).await, 0, "{text}");
    }
    // It was for this one thing: the same without it opens the door.
    provider.set(good());
    browser.sign_in(&provider).await;
}

macro_rules! refused {
    ($($name:ident: $case:expr;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                lands($case, "/login?federated=failed").await;
            }
        )*
    };
}

refused! {
    f1_a_token_with_another_nonce_is_refused: claiming("nonce", json!("n".repeat(43)));
    f1_a_token_without_a_nonce_is_refused: claiming("nonce", Value::Null);
    f1_a_token_for_another_audience_is_refused: claiming("aud", json!("another-client"));
    f1_a_token_for_another_audience_too_is_refused:
        claiming("aud", json!([crate::provider::CLIENT, "another-client"]));
    f1_a_token_without_an_audience_is_refused: claiming("aud", Value::Null);
    f1_a_token_of_another_issuer_is_refused: claiming("iss", json!("https://accounts.google.com"));
    f1_a_token_for_another_party_is_refused: claiming("azp", json!("another-client"));
    f1_an_expired_token_is_refused: claiming("exp", json!(1_800_000_000));
    f1_a_token_without_an_end_is_refused: claiming("exp", Value::Null);
    f1_a_token_without_a_subject_is_refused: claiming("sub", Value::Null);
    f1_an_empty_subject_is_refused: claiming("sub", json!(""));
    f1_a_subject_that_is_too_long_is_refused: claiming("sub", json!("s".repeat(256)));
    f1_a_subject_with_other_than_plain_letters_is_refused: claiming("sub", json!("subject\0-1"));
    f1_a_token_beside_another_access_token_is_refused: claiming("at_hash", json!("AAAAAAAAAAAAAAAAAAAAAA"));
    f1_a_strangers_signature_is_refused: Case { signer: Signer::Stranger, ..good() };
    f1_a_token_without_a_signature_is_refused: Case { signer: Signer::Nobody, ..good() };
    f1_a_signature_with_the_clients_secret_is_refused: Case { signer: Signer::Secret, ..good() };
    f1_a_header_that_names_another_algorithm_is_refused: Case { header: json!({"alg": "ES256"}), ..good() };
    f1_a_token_of_another_type_is_refused: Case { header: json!({"typ": "at+jwt"}), ..good() };
    f1_a_key_that_the_provider_does_not_publish_is_refused: Case { header: json!({"kid": "key-9"}), ..good() };
    f1_a_provider_without_keys_is_refused: Case { keys: Vec::new(), ..good() };
    f1_an_answer_without_an_identity_token_is_refused: Case { answer: Answer::NoIdToken, ..good() };
    f1_an_identity_token_that_is_none_is_refused: Case { answer: Answer::IdToken("a.b.c".into()), ..good() };
    f1_a_token_endpoint_that_fails_is_refused: Case { answer: Answer::Fault, ..good() };
    f1_a_token_endpoint_that_talks_nonsense_is_refused: Case { answer: Answer::Garbage, ..good() };
    f1_a_token_endpoint_that_says_too_much_is_refused: Case { answer: Answer::TooMuch, ..good() };
    f1_a_token_endpoint_that_keeps_silent_is_given_up: Case { answer: Answer::Silence, ..good() };
}

#[tokio::test]
async fn f1_a_token_that_names_its_own_access_token_is_good() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    // OpenID Connect Core 3.1.3.6: the left half of its hash.
    let hash = digest(&SHA256, b"at");
    provider.set(claiming("at_hash", json!(URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]))));
    Browser::new(&app).sign_in(&provider).await;
}

#[tokio::test]
async fn f1_a_token_endpoint_that_sends_elsewhere_is_not_followed() {
    let other = Provider::start().await;
    let answer = Answer::Redirect(format!("{}/token", other.issuer()));
    lands(Case { answer, ..good() }, "/login?federated=failed").await;
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn f1_a_provider_that_gives_itself_out_for_another_is_not_left_for() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let browser = Browser::new(&app);
    for metadata in [json!({"issuer": "https://accounts.google.com"}), json!({"token_endpoint": null})] {
        provider.set(Case { metadata, ..good() });
        assert_eq!(browser.leave().await, "/login?federated=failed");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn f1_a_person_of_another_subject_has_no_say_about_the_email() {
    let mut case = Case { userinfo: json!({"sub": "subject-2", "email": CLERK, "email_verified": true}), ..good() };
    case.claims = json!({});
    lands(case, "/login?federated=failed").await;
}

#[tokio::test]
async fn f1_a_person_without_an_email_is_nobody_here() {
    lands(Case { claims: json!({}), ..good() }, "/login?federated=unknown").await;
}

#[tokio::test]
async fn f1_of_a_provider_that_cannot_be_asked_about_a_person_nothing_is_guessed() {
    let metadata = json!({"userinfo_endpoint": null});
    lands(Case { claims: json!({}), metadata, ..good() }, "/login?federated=unknown").await;
}
