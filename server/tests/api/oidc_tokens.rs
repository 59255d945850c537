//! F1 of docs/security.md, at the provider: if any part of its response is wrong, the login fails, nothing is stored,
//! and the browser is redirected to the login page. Each case differs from a valid one in one detail.

use crate::app::CLERK;
use crate::browser::{Browser, start_with_clerk, start_with_provider};
use crate::helpers::count;
use crate::provider::{Case, Provider, Signer, TokenResponse};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// Returns a provider behaviour without faults that signs the clerk in.
fn valid() -> Case {
    Case { claims: json!({"email": CLERK, "email_verified": true}), ..Case::default() }
}

fn with_claim(name: &str, value: Value) -> Case {
    let mut case = valid();
    case.claims[name] = value;
    case
}

/// Asserts that a provider login, with this behaviour of the provider, redirects to `location`.
async fn assert_login_ends_at(case: Case, location: &str) {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    provider.set(case);
    assert_eq!(browser.complete_login(&provider).await, location);
    for text in [
        "SELECT count(*) FROM handoffs",
        "SELECT count(*) FROM identities",
        "SELECT count(*) FROM journeys",
        "SELECT count(*) FROM sessions",
    ] {
        assert_eq!(count(&app, text).await, 0, "{text}");
    }
    // With a valid response the login succeeds, so the wrong detail caused the failure.
    provider.set(valid());
    browser.sign_in(&provider).await;
}

macro_rules! rejects {
    ($($name:ident: $case:expr;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                assert_login_ends_at($case, "/login?federated=failed").await;
            }
        )*
    };
}

rejects! {
    f1_rejects_a_token_with_another_nonce: with_claim("nonce", json!("n".repeat(43)));
    f1_rejects_a_token_without_a_nonce: with_claim("nonce", Value::Null);
    f1_rejects_a_token_for_another_audience: with_claim("aud", json!("another-client"));
    f1_rejects_a_token_with_an_additional_audience:
        with_claim("aud", json!([crate::provider::CLIENT, "another-client"]));
    f1_rejects_a_token_without_an_audience: with_claim("aud", Value::Null);
    f1_rejects_a_token_of_another_issuer: with_claim("iss", json!("https://accounts.google.com"));
    f1_rejects_a_token_with_another_authorized_party: with_claim("azp", json!("another-client"));
    f1_rejects_an_expired_id_token: with_claim("exp", json!(1_800_000_000));
    f1_rejects_a_token_without_an_expiry: with_claim("exp", Value::Null);
    f1_rejects_a_token_without_a_subject: with_claim("sub", Value::Null);
    f1_rejects_a_token_with_an_empty_subject: with_claim("sub", json!(""));
    f1_rejects_a_subject_that_is_too_long: with_claim("sub", json!("s".repeat(256)));
    f1_rejects_a_subject_with_a_control_character: with_claim("sub", json!("subject\0-1"));
    f1_rejects_a_token_with_another_access_token_hash: with_claim("at_hash", json!("AAAAAAAAAAAAAAAAAAAAAA"));
    f1_rejects_a_signature_of_another_key: Case { signer: Signer::OtherKey, ..valid() };
    f1_rejects_a_token_without_a_signature: Case { signer: Signer::Unsigned, ..valid() };
    f1_rejects_a_signature_with_the_client_secret: Case { signer: Signer::ClientSecret, ..valid() };
    f1_rejects_a_header_with_another_algorithm: Case { header: json!({"alg": "ES256"}), ..valid() };
    f1_rejects_a_token_of_another_type: Case { header: json!({"typ": "at+jwt"}), ..valid() };
    f1_rejects_a_key_that_the_provider_does_not_publish: Case { header: json!({"kid": "key-9"}), ..valid() };
    f1_rejects_a_provider_without_keys: Case { keys: Vec::new(), ..valid() };
    f1_rejects_a_response_without_an_id_token: Case { response: TokenResponse::NoIdToken, ..valid() };
    f1_rejects_a_malformed_id_token: Case { response: TokenResponse::IdToken("a.b.c".into()), ..valid() };
    f1_rejects_a_failing_token_endpoint: Case { response: TokenResponse::Fault, ..valid() };
    f1_rejects_garbage_from_the_token_endpoint: Case { response: TokenResponse::Garbage, ..valid() };
    f1_rejects_a_too_large_response_of_the_token_endpoint: Case { response: TokenResponse::TooMuch, ..valid() };
    f1_times_out_on_a_silent_token_endpoint: Case { response: TokenResponse::Silence, ..valid() };
}

#[tokio::test]
async fn f1_accepts_a_token_with_the_right_access_token_hash() {
    let (provider, app) = start_with_clerk().await;
    // OpenID Connect Core 3.1.3.6: the left half of the access token's hash.
    let hash = digest(&SHA256, b"at");
    provider.set(with_claim("at_hash", json!(URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]))));
    Browser::new(&app).sign_in(&provider).await;
}

#[tokio::test]
async fn f1_does_not_follow_a_redirect_of_the_token_endpoint() {
    let other = Provider::start().await;
    let response = TokenResponse::Redirect(format!("{}/token", other.issuer()));
    assert_login_ends_at(Case { response, ..valid() }, "/login?federated=failed").await;
    assert!(other.take_requests().is_empty());
}

#[tokio::test]
async fn f1_does_not_redirect_to_a_provider_with_wrong_metadata() {
    let (provider, app) = start_with_provider().await;
    let browser = Browser::new(&app);
    for metadata in [json!({"issuer": "https://accounts.google.com"}), json!({"token_endpoint": null})] {
        provider.set(Case { metadata, ..valid() });
        assert_eq!(browser.start_login().await, "/login?federated=failed");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn f1_rejects_userinfo_of_another_subject() {
    let mut case = Case { userinfo: json!({"sub": "subject-2", "email": CLERK, "email_verified": true}), ..valid() };
    case.claims = json!({});
    assert_login_ends_at(case, "/login?federated=failed").await;
}

#[tokio::test]
async fn f1_rejects_a_user_without_an_email() {
    assert_login_ends_at(Case { claims: json!({}), ..valid() }, "/login?federated=unknown").await;
}

#[tokio::test]
async fn f1_rejects_a_missing_email_without_a_userinfo_endpoint() {
    let metadata = json!({"userinfo_endpoint": null});
    assert_login_ends_at(Case { claims: json!({}), metadata, ..valid() }, "/login?federated=unknown").await;
}
