//! Vehicles, from expected to sold: their identification, facts and status.

mod fields;
mod plate;
mod rules;
pub mod text;
mod types;
mod vin;

pub use plate::{PLATE_MAX, normalize_plate, plate_shown};
pub use rules::{name, next_statuses, notes_on_vin, stock_number, taken_errors};
pub use types::*;
pub use vin::{Region, model_years, normalize_vin, region};
