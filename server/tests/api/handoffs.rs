//! O5: the one-time values in the callback page's address, and what verify-token says of a pair.

use crate::app::{Answer, CLERK, TestApp};
use crate::browser::{Browser, start, values, verified};
use crate::provider::{Answer as Grant, Case, Provider, Signer};
use crate::steps::*;
use crate::talkative::{Program, canary};
use forecourt::platform::clock::{Clock, MINUTE, SECOND};
use forecourt_core::auth::text;
use serde_json::{Value, json};

/// A provider that vouches for the clerk.
async fn ready() -> (Provider, TestApp) {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(json!({"email": CLERK, "email_verified": true}));
    (provider, app)
}

/// The answer to a pair that is good for nothing: no refusal, and no more than that.
fn assert_not_valid(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), &answer.body), (200, &json!({"success": true, "data": {"valid": false}})));
}

fn pair((access, refresh): &(String, String)) -> Value {
    json!({"accessToken": access, "refreshToken": refresh})
}

#[tokio::test]
async fn o5_the_values_are_good_once() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let values = browser.handoff(&provider).await;
    let cookies = browser.cookies();
    let answer = browser.verify(&values).await;
    assert_eq!(answer.body["tokens"], answer.body["data"]["tokens"]);
    let (access, _) = tokens(&answer);
    assert!(works(&app, &access).await && values["accessToken"] != access);
    cookies.iter().for_each(|(name, value)| browser.set_cookie(name, value));
    assert_not_valid(&browser.verify(&values).await);
    assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, 1);
}

#[tokio::test]
async fn o5_the_values_are_good_only_in_the_browser_that_they_were_given_to() {
    let (provider, app) = ready().await;
    let (browser, thief) = (Browser::new(&app), Browser::new(&app));
    let values = browser.handoff(&provider).await;
    assert_not_valid(&thief.verify(&values).await);
    // Nor with a cookie of the thief's own sign-in, or one made up.
    let own = thief.handoff(&provider).await;
    assert_not_valid(&thief.verify(&values).await);
    let (name, good) = thief.cookies().into_iter().next().unwrap();
    for bad in ["", "A", &format!("{good}A")] {
        thief.set_cookie(&name, bad);
        assert_not_valid(&thief.verify(&values).await);
        assert_not_valid(&thief.verify(&own).await);
    }
    // What the thief tried has spent nothing.
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_the_values_are_good_for_a_minute() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let values = browser.handoff(&provider).await;
    app.pass(MINUTE);
    assert_not_valid(&browser.verify(&values).await);
    let now = 1_800_000_000 + MINUTE / SECOND;
    provider.set(Case { claims: json!({"email": CLERK, "email_verified": true}), now, ..Case::default() });
    let values = browser.handoff(&provider).await;
    app.pass(MINUTE - 1);
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_the_values_are_good_only_together_and_open_nothing_by_themselves() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let values = browser.handoff(&provider).await;
    let (access, refresh_value) = (values["accessToken"].as_str().unwrap(), values["refreshToken"].as_str().unwrap());
    assert_eq!((access.len(), refresh_value.len()), (43, 43), "256 bits each");
    for (first, second) in [(refresh_value, access), (access, access), (access, "x"), ("x", refresh_value)] {
        let mixed = (first.to_owned(), second.to_owned());
        assert_not_valid(&browser.verify(&pair(&mixed)).await);
    }
    for value in [access, refresh_value] {
        assert!(!works(&app, value).await);
        assert_eq!(refresh(&app, value).await.status, 401);
    }
    let none = browser.verify(&json!({"accessToken": access})).await;
    assert_refused(&none, 400, text::TOKEN_REQUIRED);
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_a_new_password_ends_the_values_too() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let values = browser.handoff(&provider).await;
    let link = reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &link, "another-long-password").await.status, 200);
    assert_not_valid(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_nothing_of_a_journey_or_its_values_lies_in_the_database_in_clear() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let departure = browser.leave().await;
    let rows = async |text: &'static str| -> Vec<(Vec<u8>, Vec<u8>)> { app.db().sql(text).all().await.unwrap() };
    let journeys = rows("SELECT state_hash, sealed FROM journeys").await;
    let mut secrets: Vec<String> = browser.cookies().into_values().collect();
    let query = url::Url::parse(&departure).unwrap();
    secrets.extend(query.query_pairs().filter(|(name, _)| name == "state" || name == "nonce").map(|(_, v)| v.into()));
    let landed = values(&browser.open(&provider.agree(&departure)).await);
    secrets.extend(browser.cookies().into_values());
    secrets.extend(landed.as_object().unwrap().values().map(|v| v.as_str().unwrap().to_owned()));
    assert_eq!(secrets.len(), 6);
    let handoffs = rows("SELECT handoff_hash, handoff_hash FROM handoffs").await;
    assert_eq!((journeys.len(), handoffs.len()), (1, 1));
    for bytes in journeys.iter().chain(&handoffs).flat_map(|(one, other)| [one, other]) {
        for secret in &secrets {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn a_sessions_own_pair_is_valid_while_the_session_goes_on_and_asking_spends_nothing() {
    let app = TestApp::start().await;
    let own = app.tokens(CLERK).await;
    let browser = Browser::new(&app);
    for _ in 0..2 {
        let answer = browser.verify(&pair(&own)).await;
        let tokens = pair(&own);
        let all = json!({"success": true, "data": {"valid": true, "tokens": tokens}, "tokens": tokens});
        assert_eq!((answer.status.as_u16(), answer.body), (200, all));
    }
    let other = app.tokens(CLERK).await;
    assert_not_valid(&browser.verify(&pair(&(own.0.clone(), other.1.clone()))).await);
    // A spent refresh token is no part of a good pair, and asking about it ends nothing.
    let next = tokens(&refresh(&app, &own.1).await);
    assert_not_valid(&browser.verify(&pair(&own)).await);
    assert_eq!(browser.verify(&pair(&next)).await.body["data"]["valid"], true);
    app.post("/api/auth/logout", Some(&next.0), json!({})).await;
    assert_not_valid(&browser.verify(&pair(&next)).await);
    app.pass(16 * MINUTE);
    assert_not_valid(&browser.verify(&pair(&other)).await);
}

#[tokio::test]
async fn o5_the_log_says_why_a_sign_in_failed_and_tells_nothing_else_of_it() {
    let provider = Provider::start().await;
    let mut program = Program::start("pretty", &provider).await;
    let good = Case { now: Clock::System.now() / SECOND, ..Case::default() };
    let broken = canary("id-token");
    program.hide("a broken token", &broken);
    let cases = [
        ("nonce mismatch", Case { claims: json!({"nonce": "another"}), ..good.clone() }),
        ("signature", Case { signer: Signer::Stranger, ..good.clone() }),
        ("Failed to parse", Case { answer: Grant::IdToken(broken), ..good.clone() }),
        ("there is none", Case { answer: Grant::NoIdToken, ..good.clone() }),
        ("token: ", Case { answer: Grant::Fault, ..good.clone() }),
        ("timed out", Case { answer: Grant::Silence, ..good.clone() }),
    ];
    for (why, case) in cases {
        provider.set(case);
        let told = program.get("leave", "/api/auth/google", "").await;
        let back = provider.agree(&told.location);
        let departure = url::Url::parse(&told.location).unwrap();
        let arrival = url::Url::parse(&format!("{}{back}", program.at)).unwrap();
        for (name, value) in departure.query_pairs().chain(arrival.query_pairs()) {
            if ["state", "nonce", "code"].contains(&&*name) {
                program.hide("a secret of a journey", &value);
            }
        }
        program.hide("its cookie", told.cookies.split_once('=').unwrap().1);
        let before = program.log().len();
        let landed = program.get("callback", &back, &told.cookies).await;
        assert_eq!(landed.location, "/login?federated=failed");
        let log = program.log().split_off(before);
        let line = log.lines().find(|l| l.contains("a sign-in with the provider failed"));
        assert!(line.is_some_and(|l| l.contains(why)), "{why}: {line:?}");
    }
    let log = program.log();
    for secret in &program.secrets {
        let line = log.lines().find(|l| l.contains(&secret.text));
        assert!(line.is_none(), "{} is in the log: {line:?}", secret.what);
    }
}
