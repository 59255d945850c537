//! Vehicles in stock: their identification, facts and status.

mod fields;
mod photos;
mod plate;
mod rules;
pub mod text;
mod types;
mod vin;

pub use plate::{PLATE_MAX, normalize_plate, plate_shown};
pub use rules::{name, next_statuses, notes, stock_number, taken_error};
pub use types::*;
pub use vin::{Region, model_years, normalize_vin, region};
