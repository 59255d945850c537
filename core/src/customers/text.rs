//! Messages about customers.

use crate::message::messages;

messages! {
    "customers.";
    NAME_REQUIRED = "Name is required.";
    EMAIL_REQUIRED = "Email is required.";
    EMAIL_INVALID = "Invalid email address.";
    TELEPHONE_REQUIRED = "Telephone is required.";
    TELEPHONE_INVALID = "Enter a telephone number with digits.";
    ADDRESS_REQUIRED = "Address is required.";
    TYPE_REQUIRED = "Type is required.";
    TYPE_UNKNOWN = "Choose a customer type.";
    SOCIAL_SECURITY_NUMBER_REQUIRED = "Social security number is required.";
    ORGANIZATION_NUMBER_REQUIRED = "Organization number is required.";
    STATUS_UNKNOWN = "Choose Active or Inactive.";
    AGREEMENT_UNKNOWN = "Choose an agreement or leave it empty.";
    TOTAL_SPENT_NEGATIVE = "The total spent can't be below 0.";
    DATE_INVALID = "Enter a date, such as 2026-01-31.";
    DATES_REVERSED = "The From date must not be after the To date.";
    HAS_AGREEMENTS = "A customer with a signed or delivered agreement can't be deleted. Merge it with another customer, or set it to Inactive.";

    LOCATION = "Location";

    CREATED = "Customer created successfully";
    UPDATED = "Customer updated successfully";
    DELETED = "Customer deleted successfully";
    PERSON_NOT_FOUND = "No customer has this telephone number.";
}
