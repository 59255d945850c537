//! Imports.
pub mod reader;
use crate::problem::{Answer, Refusal};
use crate::state::App;
use tokio::sync::watch;
pub async fn preview() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn submit() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn status() -> Answer<()> {
    Err(Refusal::Busy)
}
pub async fn worker(_: App, _: watch::Receiver<bool>) {}
