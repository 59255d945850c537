//! Messages about the dashboard.

pub const LOAD_FAILED: &str = "Failed to load total invoices";
