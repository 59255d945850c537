//! Messages about organizations.

pub const ORGANIZATION_NUMBER_REQUIRED: &str = "Organization Number is required";
pub const CORP_NAME_REQUIRED: &str = "Company Name is required";
pub const STREET_ADDRESS_REQUIRED: &str = "Street Address is required";
pub const REGISTERED_CITY_REQUIRED: &str = "Registered City is required";
pub const POSTAL_CODE_REQUIRED: &str = "Postal Code is required";
pub const CITY_REQUIRED: &str = "City is required";
pub const COMPANY_EMAIL_REQUIRED: &str = "Company Email is required";
pub const EMAIL_INVALID: &str = "Invalid email address";
pub const COMPANY_PHONE_REQUIRED: &str = "Company Phone Number is required";

pub const NUMBER_MISSING: &str = "Please enter an organization number";
pub const FOUND: &str = "Organization found";
pub const NOT_FOUND: &str = "Organization not found";
pub const SEARCH_FAILED: &str = "Failed to search organization";
pub const CURRENT: &str = "This is the current organization number";
pub const DETAILS_NOT_FOUND: &str = "Organization details not found. Please search again.";
pub const CHECK_DIGIT: &str = "The check digit of this number looks wrong. Please check the number.";
pub const DIRECTORY_UNAVAILABLE: &str =
    "The company directory is not available. Enter the details yourself, or try again later.";
