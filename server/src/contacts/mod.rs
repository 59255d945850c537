//! Contacts.
use crate::problem::{Answer, Refusal};
use crate::scope::{Contacts, Create, May, Read};
pub async fn list(_: May<Read, Contacts>) -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn create(_: May<Create, Contacts>) -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn get(_: May<Read, Contacts>) -> Answer<()> {
    Err(Refusal::Busy)
}
