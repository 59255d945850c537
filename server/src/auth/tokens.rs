//! Access tokens: signed, short-lived, and only a name for the session, whose row decides at every call. Refresh
//! tokens: opaque, kept as a keyed hash.

use crate::clock::SECOND;
use crate::keys::{self, Keys};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt_core::auth::ACCESS_TOKEN_SECONDS;
use jsonwebtoken::{Algorithm, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use std::io;
use uuid::Uuid;

const ISSUER: &str = "forecourt";
const AUDIENCE: &str = "forecourt api";
/// How far the clocks of two nodes may be apart, in seconds.
const LEEWAY: i64 = 5;
/// Ours are about 350 bytes.
const LONGEST: usize = 2048;

/// What a token says (specification section 3). `role` is the user type in words.
#[derive(Serialize, Deserialize)]
struct Claims {
    user_id: Uuid,
    sid: Uuid,
    role: String,
    iat: i64,
    exp: i64,
    iss: String,
    aud: String,
}

/// Whom an access token is for.
pub(super) struct Bearer<'a> {
    pub user: Uuid,
    pub session: Uuid,
    pub role: &'a str,
}

/// Signs an access token of 15 minutes.
pub(super) fn access(keys: &Keys, bearer: &Bearer<'_>, now: i64) -> jsonwebtoken::errors::Result<String> {
    let iat = now.div_euclid(SECOND);
    let claims = Claims {
        user_id: bearer.user,
        sid: bearer.session,
        role: bearer.role.to_owned(),
        iat,
        exp: iat + ACCESS_TOKEN_SECONDS,
        iss: ISSUER.into(),
        aud: AUDIENCE.into(),
    };
    encode(&Header::new(Algorithm::HS256), &claims, &keys.sign)
}

/// The session that an access token names; none if it isn't ours, or not of this time.
pub fn session_of(keys: &Keys, token: &str, now: i64) -> Option<Uuid> {
    if token.len() > LONGEST {
        return None;
    }
    let mut rules = Validation::new(Algorithm::HS256);
    rules.set_issuer(&[ISSUER]);
    rules.set_audience(&[AUDIENCE]);
    rules.set_required_spec_claims(&["exp", "iss", "aud"]);
    // The library would ask the system for the time; ours comes from the app's clock, so it is compared here.
    rules.validate_exp = false;
    let claims = decode::<Claims>(token, &keys.verify, &rules).ok()?.claims;
    let now = now.div_euclid(SECOND);
    let is_present = claims.exp.saturating_add(LEEWAY) > now && claims.iat.saturating_sub(LEEWAY) <= now;
    is_present.then_some(claims.sid)
}

/// A new refresh token of 256 random bits.
pub(super) fn refresh() -> io::Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(keys::random::<32>()?))
}

/// The one token that follows a refresh token. It is derived, so that it can be handed out again without being kept.
pub(super) fn successor(keys: &Keys, token: &str) -> String {
    URL_SAFE_NO_PAD.encode(keys.mac("refresh successor", &[token.as_bytes()]))
}

/// A refresh token as it is kept.
pub(super) fn refresh_hash(keys: &Keys, token: &str) -> Vec<u8> {
    keys.mac("refresh token", &[token.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SecretKey;
    use jsonwebtoken::EncodingKey;
    use serde_json::json;

    const NOW: i64 = 1_800_000_000 * SECOND;

    fn keys() -> Keys {
        Keys::new(&SecretKey([7; 32])).unwrap()
    }

    fn token(keys: &Keys, session: Uuid) -> String {
        access(keys, &Bearer { user: Uuid::now_v7(), session, role: "Super Admin" }, NOW).unwrap()
    }

    #[test]
    fn s1_a_token_names_its_session_for_15_minutes() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let token = token(&keys, session);
        let at = |seconds: i64| session_of(&keys, &token, NOW + seconds * SECOND);
        assert_eq!(at(0), Some(session));
        assert_eq!(at(ACCESS_TOKEN_SECONDS + 4), Some(session));
        assert_eq!(at(ACCESS_TOKEN_SECONDS + 5), None);
        assert_eq!(at(-5), Some(session));
        assert_eq!(at(-6), None);
    }

    #[test]
    fn s1_another_secret_or_a_changed_letter_makes_it_worthless() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let good = token(&keys, session);
        assert_eq!(session_of(&Keys::new(&SecretKey([8; 32])).unwrap(), &good, NOW), None);
        for i in 0..good.len() - 1 {
            let mut bytes = good.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            assert_eq!(session_of(&keys, &String::from_utf8(bytes).unwrap(), NOW), None, "letter {i}");
        }
    }

    #[test]
    fn s1_forged_headers_and_claims_are_refused() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let good = json!({
            "user_id": session, "sid": session, "role": "User", "iat": NOW / SECOND, "exp": NOW / SECOND + 60,
            "iss": ISSUER, "aud": AUDIENCE,
        });
        let signed = |alg, claims: &serde_json::Value| encode(&Header::new(alg), claims, &keys.sign).unwrap();
        assert_eq!(session_of(&keys, &signed(Algorithm::HS256, &good), NOW), Some(session));
        assert_eq!(session_of(&keys, &signed(Algorithm::HS512, &good), NOW), None);
        for claim in ["user_id", "sid", "role", "iat", "exp", "iss", "aud"] {
            let mut less = good.clone();
            less.as_object_mut().unwrap().remove(claim);
            assert_eq!(session_of(&keys, &signed(Algorithm::HS256, &less), NOW), None, "without {claim}");
        }
        for (claim, value) in [("iss", "somebody"), ("aud", "handoff"), ("exp", "never"), ("sid", "1")] {
            let mut other = good.clone();
            other[claim] = value.into();
            assert_eq!(session_of(&keys, &signed(Algorithm::HS256, &other), NOW), None, "{claim}: {value}");
        }
        // A header that names another way to sign, or where a key might be found, does not choose either.
        for key in [b"".as_slice(), b"public key", b"/dev/null"] {
            for alg in [Algorithm::HS256, Algorithm::HS384] {
                let header = Header { kid: Some("../../../../dev/null".into()), ..Header::new(alg) };
                let token = encode(&header, &good, &EncodingKey::from_secret(key)).unwrap();
                assert_eq!(session_of(&keys, &token, NOW), None);
            }
        }
        let payload = URL_SAFE_NO_PAD.encode(good.to_string());
        for header in
            [r#"{"alg":"none"}"#, r#"{"alg":"None","typ":"JWT"}"#, r#"{"alg":"RS256"}"#, r#"{"typ":"JWT"}"#, "{}", "x"]
        {
            let header = URL_SAFE_NO_PAD.encode(header);
            for signature in ["", "AAAA"] {
                assert_eq!(session_of(&keys, &format!("{header}.{payload}.{signature}"), NOW), None);
            }
        }
        let stranger = encode(&Header::default(), &good, &EncodingKey::from_secret(b"secret")).unwrap();
        for bad in ["", ".", "..", "a.b.c", &stranger, &"x".repeat(100_000)] {
            assert_eq!(session_of(&keys, bad, NOW), None);
        }
    }

    #[test]
    fn s2_a_refresh_token_has_one_successor_and_is_no_access_token() {
        let keys = keys();
        let first = refresh().unwrap();
        assert_eq!(first.len(), 43);
        assert_eq!(successor(&keys, &first), successor(&keys, &first));
        assert_ne!(successor(&keys, &first), successor(&keys, &refresh().unwrap()));
        assert_eq!(session_of(&keys, &first, NOW), None);
    }
}
