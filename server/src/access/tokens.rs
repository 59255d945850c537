//! Access tokens are signed and short-lived. They only name a session: whether it still exists, and what its user may
//! do, is read from the database at every request. Refresh tokens are opaque and stored as a keyed hash.

use crate::platform::clock::SECOND;
use crate::platform::keys::{self, Keys};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt_core::auth::ACCESS_TOKEN_SECONDS;
use forecourt_core::secret::Secret;
use jsonwebtoken::{Algorithm, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::LazyLock;
use uuid::Uuid;

const ISSUER: &str = "forecourt";
const AUDIENCE: &str = "forecourt api";
/// Tolerated clock difference between two nodes, in seconds.
const LEEWAY: i64 = 5;
/// Upper bound on an access token's length in bytes. Access tokens of this program have about 350 bytes.
const MAX_LENGTH: usize = 2048;

static VALIDATION: LazyLock<Validation> = LazyLock::new(|| {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["exp", "iss", "aud"]);
    // The library would compare the times with the system time. `verify_access_token` uses the app's clock instead.
    validation.validate_exp = false;
    validation
});

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

/// The user and the session that an access token is signed for, and the user's type in words.
pub(crate) struct TokenSubject<'a> {
    pub user: Uuid,
    pub session: Uuid,
    pub role: &'a str,
}

/// Signs an access token that is valid for 15 minutes.
pub(crate) fn sign_access_token(
    keys: &Keys,
    subject: &TokenSubject<'_>,
    now: i64,
) -> jsonwebtoken::errors::Result<Secret<String>> {
    let iat = now.div_euclid(SECOND);
    let claims = Claims {
        user_id: subject.user,
        sid: subject.session,
        role: subject.role.to_owned(),
        iat,
        exp: iat + ACCESS_TOKEN_SECONDS,
        iss: ISSUER.into(),
        aud: AUDIENCE.into(),
    };
    encode(&Header::new(Algorithm::HS256), &claims, &keys.sign).map(Secret::new)
}

/// Returns the session that an access token names; `None` if it is forged, expired or not yet valid.
pub fn verify_access_token(keys: &Keys, token: &str, now: i64) -> Option<Uuid> {
    if token.len() > MAX_LENGTH {
        return None;
    }
    let claims = decode::<Claims>(token, &keys.verify, &VALIDATION).ok()?.claims;
    let now = now.div_euclid(SECOND);
    let is_present = claims.exp.saturating_add(LEEWAY) > now && claims.iat.saturating_sub(LEEWAY) <= now;
    is_present.then_some(claims.sid)
}

/// Returns a new random text with 256 bits, for a value that works once, such as a reset link's.
pub(crate) fn create_one_time_value() -> io::Result<Secret<String>> {
    Ok(URL_SAFE_NO_PAD.encode(keys::random::<SECRET_BYTES>()?).into())
}

/// Lengths of a refresh token's secret and of its signature, in bytes.
const SECRET_BYTES: usize = 32;
const SIGNATURE_BYTES: usize = 16;

/// The ids of the tenant and the session that a refresh token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SessionKey {
    pub corp: Uuid,
    pub session: Uuid,
}

/// Returns a session's first refresh token: 256 random bits, the ids of tenant and session, and a signature of all. A
/// used token therefore still names its session after its row was deleted.
pub(crate) fn create_refresh_token(keys: &Keys, session_key: SessionKey) -> io::Result<Secret<String>> {
    Ok(encode_refresh_token(keys, &keys::random::<SECRET_BYTES>()?, session_key))
}

/// Returns the refresh token that replaces `token`. It is always the same one, derived from `token`, so that it can be
/// issued again without being stored.
pub(crate) fn derive_successor(keys: &Keys, token: &str, session_key: SessionKey) -> Secret<String> {
    encode_refresh_token(keys, &keys.mac("refresh successor", &[token.as_bytes()]), session_key)
}

fn encode_refresh_token(keys: &Keys, secret: &[u8], session_key: SessionKey) -> Secret<String> {
    let payload = [secret, session_key.corp.as_bytes(), session_key.session.as_bytes()].concat();
    let signature = keys.mac("refresh session", &[&payload]);
    URL_SAFE_NO_PAD.encode([payload.as_slice(), signature.split_at(SIGNATURE_BYTES).0].concat()).into()
}

/// Returns the session that a refresh token names; `None` if its signature is wrong, or if an older version issued it,
/// whose tokens did not name their session.
pub(crate) fn verify_refresh_token(keys: &Keys, token: &str) -> Option<SessionKey> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (secret, rest) = bytes.split_at_checked(SECRET_BYTES)?;
    let (corp, rest) = rest.split_at_checked(size_of::<Uuid>())?;
    let session = rest.get(..size_of::<Uuid>())?;
    let session_key = SessionKey { corp: Uuid::from_slice(corp).ok()?, session: Uuid::from_slice(session).ok()? };
    let expected = encode_refresh_token(keys, secret, session_key);
    verify_slices_are_equal(expected.expose_secret().as_bytes(), token.as_bytes()).is_ok().then_some(session_key)
}

/// Returns the hash under which a refresh token is stored.
pub(crate) fn hash_refresh_token(keys: &Keys, token: &str) -> Vec<u8> {
    keys.mac("refresh token", &[token.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::EncodingKey;
    use serde_json::json;

    const NOW: i64 = 1_800_000_000 * SECOND;

    fn keys() -> Keys {
        Keys::new(&Secret::new([7; 32])).unwrap()
    }

    fn token(keys: &Keys, session: Uuid) -> String {
        let subject = TokenSubject { user: Uuid::now_v7(), session, role: "Super Admin" };
        sign_access_token(keys, &subject, NOW).unwrap().expose_secret().clone()
    }

    #[test]
    fn s1_a_token_names_its_session_for_15_minutes() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let token = token(&keys, session);
        let at = |seconds: i64| verify_access_token(&keys, &token, NOW + seconds * SECOND);
        assert_eq!(at(0), Some(session));
        assert_eq!(at(ACCESS_TOKEN_SECONDS + 4), Some(session));
        assert_eq!(at(ACCESS_TOKEN_SECONDS + 5), None);
        assert_eq!(at(-5), Some(session));
        assert_eq!(at(-6), None);
    }

    #[test]
    fn s1_rejects_a_token_with_another_secret_or_a_changed_letter() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let good = token(&keys, session);
        assert_eq!(verify_access_token(&Keys::new(&Secret::new([8; 32])).unwrap(), &good, NOW), None);
        for i in 0..good.len() - 1 {
            let mut bytes = good.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            assert_eq!(verify_access_token(&keys, &String::from_utf8(bytes).unwrap(), NOW), None, "letter {i}");
        }
    }

    #[test]
    fn s1_rejects_forged_headers_and_claims() {
        let (keys, session) = (keys(), Uuid::now_v7());
        let good = json!({
            "user_id": session, "sid": session, "role": "User", "iat": NOW / SECOND, "exp": NOW / SECOND + 60,
            "iss": ISSUER, "aud": AUDIENCE,
        });
        let signed = |alg, claims: &serde_json::Value| encode(&Header::new(alg), claims, &keys.sign).unwrap();
        assert_eq!(verify_access_token(&keys, &signed(Algorithm::HS256, &good), NOW), Some(session));
        assert_eq!(verify_access_token(&keys, &signed(Algorithm::HS512, &good), NOW), None);
        for claim in ["user_id", "sid", "role", "iat", "exp", "iss", "aud"] {
            let mut less = good.clone();
            less.as_object_mut().unwrap().remove(claim);
            assert_eq!(verify_access_token(&keys, &signed(Algorithm::HS256, &less), NOW), None, "without {claim}");
        }
        for (claim, value) in [("iss", "other"), ("aud", "handoff"), ("exp", "never"), ("sid", "1")] {
            let mut other = good.clone();
            other[claim] = value.into();
            assert_eq!(verify_access_token(&keys, &signed(Algorithm::HS256, &other), NOW), None, "{claim}: {value}");
        }
        // A token whose header names another algorithm or the location of a key is rejected like any forged one.
        for key in [b"".as_slice(), b"public key", b"/dev/null"] {
            for alg in [Algorithm::HS256, Algorithm::HS384] {
                let header = Header { kid: Some("../../../../dev/null".into()), ..Header::new(alg) };
                let token = encode(&header, &good, &EncodingKey::from_secret(key)).unwrap();
                assert_eq!(verify_access_token(&keys, &token, NOW), None);
            }
        }
        let payload = URL_SAFE_NO_PAD.encode(good.to_string());
        for header in
            [r#"{"alg":"none"}"#, r#"{"alg":"None","typ":"JWT"}"#, r#"{"alg":"RS256"}"#, r#"{"typ":"JWT"}"#, "{}", "x"]
        {
            let header = URL_SAFE_NO_PAD.encode(header);
            for signature in ["", "AAAA"] {
                assert_eq!(verify_access_token(&keys, &format!("{header}.{payload}.{signature}"), NOW), None);
            }
        }
        let stranger = encode(&Header::default(), &good, &EncodingKey::from_secret(b"secret")).unwrap();
        for bad in ["", ".", "..", "a.b.c", &stranger, &"x".repeat(100_000)] {
            assert_eq!(verify_access_token(&keys, bad, NOW), None);
        }
    }

    #[test]
    fn s2_a_refresh_token_has_one_successor_and_is_no_access_token() {
        let keys = keys();
        let session_key = SessionKey { corp: Uuid::now_v7(), session: Uuid::now_v7() };
        let create = || create_refresh_token(&keys, session_key).unwrap();
        let successor = |token: &Secret<String>| {
            derive_successor(&keys, token.expose_secret(), session_key).expose_secret().clone()
        };
        let first = create();
        assert_eq!(successor(&first), successor(&first));
        assert_ne!(successor(&first), successor(&create()));
        assert_eq!(verify_access_token(&keys, first.expose_secret(), NOW), None);
    }

    #[test]
    fn s2_a_changed_refresh_token_names_no_session() {
        let keys = keys();
        let session_key = SessionKey { corp: Uuid::now_v7(), session: Uuid::now_v7() };
        let first = create_refresh_token(&keys, session_key).unwrap().expose_secret().clone();
        let second = derive_successor(&keys, &first, session_key).expose_secret().clone();
        assert_eq!(
            (verify_refresh_token(&keys, &first), verify_refresh_token(&keys, &second)),
            (Some(session_key), Some(session_key))
        );
        assert_eq!(verify_refresh_token(&Keys::new(&Secret::new([8; 32])).unwrap(), &first), None);
        for i in 0..first.len() {
            let mut bytes = first.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            assert_eq!(verify_refresh_token(&keys, &String::from_utf8(bytes).unwrap()), None, "letter {i}");
        }
        for other in [
            "",
            "x",
            create_one_time_value().unwrap().expose_secret(),
            &first[1..],
            &format!("{first}A"),
            &"A".repeat(107),
        ] {
            assert_eq!(verify_refresh_token(&keys, other), None, "{other}");
        }
    }
}
