//! Mail.
use crate::config::Config;
use crate::start::Failure;
use crate::state::App;
#[derive(Clone)]
pub struct Mail;
impl Mail {
    pub fn new(_: &Config) -> Result<Self, Failure> {
        Ok(Mail)
    }
}
pub async fn worker(_: App) {}
