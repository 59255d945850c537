//! Agreements: what is sold, bought and brokered, to whom, and their state.

mod balance;
mod fields;
mod figures;
mod legs;
mod rules;
mod states;
pub mod text;
mod types;

pub use balance::{LegCosts, LegsMargin, Totals, totals};
pub use figures::figures;
pub use legs::{LEGS_MAX, vehicle_names};
pub use rules::{deletion_error, fixed_fields, number_prefix, party_deletion_error};
pub use states::{Changes, Step, StepInput, VehicleChange, next_states, next_steps, step, step_message};
pub use types::*;
