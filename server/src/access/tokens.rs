//! Access tokens are signed and short-lived, and only name a session, whose row decides at every request. Refresh
//! tokens are opaque and stored as a keyed hash.

use crate::platform::clock::SECOND;
use crate::platform::keys::{self, Keys};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt_core::auth::ACCESS_TOKEN_SECONDS;
use jsonwebtoken::{Algorithm, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use std::io;
use uuid::Uuid;

const ISSUER: &str = "forecourt";
const AUDIENCE: &str = "forecourt api";
/// Tolerated clock difference between two nodes, in seconds.
const LEEWAY: i64 = 5;
/// Upper bound on a token's length. Tokens of this program have about 350 bytes.
const LONGEST: usize = 2048;

/// The claims of an access token. `role` is the user type in words.
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

/// The subject of an access token.
pub(crate) struct Bearer<'a> {
    pub user: Uuid,
    pub session: Uuid,
    pub role: &'a str,
}

/// Signs an access token that is valid for 15 minutes.
pub(crate) fn access(keys: &Keys, bearer: &Bearer<'_>, now: i64) -> jsonwebtoken::errors::Result<String> {
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

/// Returns the session that an access token names; `None` if it is forged, expired or not yet valid.
pub fn session_of(keys: &Keys, token: &str, now: i64) -> Option<Uuid> {
    if token.len() > LONGEST {
        return None;
    }
    let mut rules = Validation::new(Algorithm::HS256);
    rules.set_issuer(&[ISSUER]);
    rules.set_audience(&[AUDIENCE]);
    rules.set_required_spec_claims(&["exp", "iss", "aud"]);
    // The library would use the system time; the times are compared to the app's clock below.
    rules.validate_exp = false;
    let claims = decode::<Claims>(token, &keys.verify, &rules).ok()?.claims;
    let now = now.div_euclid(SECOND);
    let is_present = claims.exp.saturating_add(LEEWAY) > now && claims.iat.saturating_sub(LEEWAY) <= now;
    is_present.then_some(claims.sid)
}

/// Returns a new random value of 256 bits, for single use.
pub(crate) fn one_time() -> io::Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(keys::random::<SECRET>()?))
}

/// Lengths of a refresh token's secret and of its signature, in bytes.
const SECRET: usize = 32;
const SIGNATURE: usize = 16;

/// The session that a refresh token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub corp: Uuid,
    pub session: Uuid,
}

/// Returns a session's first refresh token: 256 random bits, the session, and a signature of both. A spent token whose
/// row was deleted therefore still names its session.
pub(crate) fn refresh(keys: &Keys, chain: Chain) -> io::Result<String> {
    Ok(with_session(keys, &keys::random::<SECRET>()?, chain))
}

/// Returns the only successor of a refresh token. It is derived, so that it can be issued again without being stored.
pub(crate) fn successor(keys: &Keys, token: &str, chain: Chain) -> String {
    with_session(keys, &keys.mac("refresh successor", &[token.as_bytes()]), chain)
}

fn with_session(keys: &Keys, secret: &[u8], chain: Chain) -> String {
    let named = [secret, chain.corp.as_bytes(), chain.session.as_bytes()].concat();
    let signature = keys.mac("refresh session", &[&named]);
    URL_SAFE_NO_PAD.encode([named.as_slice(), signature.split_at(SIGNATURE).0].concat())
}

/// Returns the session that a refresh token names; `None` if its signature is wrong, or if it is from before tokens
/// named their session.
pub(crate) fn chain_of(keys: &Keys, token: &str) -> Option<Chain> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (secret, rest) = bytes.split_at_checked(SECRET)?;
    let (corp, rest) = rest.split_at_checked(size_of::<Uuid>())?;
    let session = rest.get(..size_of::<Uuid>())?;
    let chain = Chain { corp: Uuid::from_slice(corp).ok()?, session: Uuid::from_slice(session).ok()? };
    let ours = with_session(keys, secret, chain);
    verify_slices_are_equal(ours.as_bytes(), token.as_bytes()).is_ok().then_some(chain)
}

/// Returns the hash under which a refresh token is stored.
pub(crate) fn refresh_hash(keys: &Keys, token: &str) -> Vec<u8> {
    keys.mac("refresh token", &[token.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::SecretKey;
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
        // A header that names another algorithm, or a location for a key, has no effect.
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
        let chain = Chain { corp: Uuid::now_v7(), session: Uuid::now_v7() };
        let first = refresh(&keys, chain).unwrap();
        assert_eq!(successor(&keys, &first, chain), successor(&keys, &first, chain));
        assert_ne!(successor(&keys, &first, chain), successor(&keys, &refresh(&keys, chain).unwrap(), chain));
        assert_eq!(session_of(&keys, &first, NOW), None);
    }

    #[test]
    fn s2_a_refresh_token_names_its_session_only_as_it_was_issued() {
        let keys = keys();
        let chain = Chain { corp: Uuid::now_v7(), session: Uuid::now_v7() };
        let first = refresh(&keys, chain).unwrap();
        let second = successor(&keys, &first, chain);
        assert_eq!((chain_of(&keys, &first), chain_of(&keys, &second)), (Some(chain), Some(chain)));
        assert_eq!(chain_of(&Keys::new(&SecretKey([8; 32])).unwrap(), &first), None);
        for i in 0..first.len() {
            let mut bytes = first.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            assert_eq!(chain_of(&keys, &String::from_utf8(bytes).unwrap()), None, "letter {i}");
        }
        for other in ["", "x", &one_time().unwrap(), &first[1..], &format!("{first}A"), &"A".repeat(107)] {
            assert_eq!(chain_of(&keys, other), None, "{other}");
        }
    }
}
