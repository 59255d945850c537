//! Access tokens.
use crate::keys::Keys;
use uuid::Uuid;
pub fn session_of(_keys: &Keys, _token: &str, _now: i64) -> Option<Uuid> {
    None
}
