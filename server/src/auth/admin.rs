//! The first Super Admin.
use crate::start::Failure;
use crate::state::App;
pub async fn create_from_terminal(_app: &App, _email: &str) -> Result<(), Failure> {
    Ok(())
}
pub async fn first_start(_app: &App) -> Result<(), Failure> {
    Ok(())
}
