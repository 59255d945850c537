//! The sentences of the dashboard (specification section 8).

pub const LOAD_FAILED: &str = "Failed to load total invoices";
