//! Messages about invoices.

pub const VALIDATION_ERROR: &str = "Validation Error";
pub const CUSTOMER_REQUIRED: &str = "Customer name is required";
pub const WEBSITE_REQUIRED: &str = "Website is required";
pub const EMAIL_REQUIRED: &str = "Email is required";
pub const START_DATE_REQUIRED: &str = "Start date is required";
pub const END_DATE_REQUIRED: &str = "End date is required";
pub const DATES_REVERSED: &str = "End date must be after start date";
pub const DATE_INVALID: &str = "Please enter a valid date";
pub const PRICE_INVALID: &str = "Please enter a valid project price";

pub const LOAD_FAILED: &str = "Failed to load invoices.";
pub const DETAILS_FAILED: &str = "Failed to load this invoice.";
pub const CREATED: &str = "Invoice created successfully";
pub const CREATE_FAILED: &str = "Failed to create invoice.";
pub const UPDATED: &str = "Invoice updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update invoice.";
pub const DELETED: &str = "Invoice deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete invoice.";
pub const DELETE_QUESTION: &str = "Are you sure you want to delete this invoice?";
pub const NONE_FOUND: &str = "No invoices found.";
