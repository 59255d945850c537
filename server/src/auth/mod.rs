//! Signing in and out.
pub mod admin;
pub mod passwords;
pub mod tokens;
use crate::problem::{Answer, Refusal};
pub async fn login() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn verify_otp() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn resend_otp() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn refresh_token() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn logout() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn profile() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn user_permissions() -> Answer<()> {
    Err(Refusal::Busy)
}
