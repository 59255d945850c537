//! Messages about customers.

pub const NAME_REQUIRED: &str = "Name is required.";
pub const EMAIL_REQUIRED: &str = "Email is required.";
pub const EMAIL_INVALID: &str = "Invalid email address.";
pub const TELEPHONE_REQUIRED: &str = "Telephone is required.";
pub const ADDRESS_REQUIRED: &str = "Address is required.";
pub const TYPE_REQUIRED: &str = "Type is required.";
pub const TYPE_UNKNOWN: &str = "Choose a customer type.";
pub const SOCIAL_SECURITY_NUMBER_REQUIRED: &str = "Social security number is required.";
pub const ORGANIZATION_NUMBER_REQUIRED: &str = "Organization number is required.";
pub const STATUS_UNKNOWN: &str = "Choose Active or Inactive.";
pub const AGREEMENT_UNKNOWN: &str = "Choose an agreement or leave it empty.";
pub const DATE_INVALID: &str = "Enter a date as yyyy-MM-dd.";
pub const DATES_REVERSED: &str = "The From date must not be after the To date.";

pub const LOAD_FAILED: &str = "Failed to load customers.";
pub const LOAD_FAILED_TRY_AGAIN: &str = "Failed to load customers. Please try again.";
pub const DETAILS_LOAD_FAILED: &str = "Failed to load customer details";
pub const CREATED: &str = "Customer created successfully";
pub const CREATE_FAILED: &str = "Failed to create customer";
pub const UPDATED: &str = "Customer updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update customer";
pub const DELETED: &str = "Customer deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete customer";
pub const NONE_TO_DELETE: &str = "No customer selected for deletion";
pub const NONE_TO_EDIT: &str = "No customer selected for editing";
pub const NONE_FOUND: &str = "No customers found.";
pub const PERSON_NOT_FOUND: &str = "No customer has this telephone number.";
pub const DELETE_QUESTION: &str = "Are you sure you want to delete this customer? This action cannot be undone.";
