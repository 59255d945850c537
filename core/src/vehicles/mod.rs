//! Vehicles, from expected to sold: their identification, facts and status.

mod board;
mod costs;
mod fields;
mod identification;
mod margin;
mod mileage;
mod photos;
mod plate;
mod rules;
mod status;
pub mod text;
mod types;
mod vin;

pub use board::{ColumnFigures, ColumnVehicle, column_figures};
pub use costs::{InStock, costs_net, costs_vat};
pub use identification::{VehicleNumber, name, notes_on_vin, stock_number, taken_errors};
pub(crate) use margin::average_days;
pub use margin::{Margin, days_in_stock, margin};
pub use plate::{PLATE_MAX, normalize_plate, plate_shown};
pub use rules::deletion_error;
pub use status::{next_statuses, offered_statuses};
pub use types::*;
pub use vin::{Region, model_years, normalize_vin, region};
