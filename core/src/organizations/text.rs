//! Messages about organizations.

use crate::message::messages;

messages! {
    "organizations.";
    ORGANIZATION_NUMBER_REQUIRED = "Organization Number is required";
    CORP_NAME_REQUIRED = "Company Name is required";
    STREET_ADDRESS_REQUIRED = "Street Address is required";
    REGISTERED_CITY_REQUIRED = "Registered City is required";
    POSTAL_CODE_REQUIRED = "Postal Code is required";
    CITY_REQUIRED = "City is required";
    COMPANY_EMAIL_REQUIRED = "Company Email is required";
    EMAIL_INVALID = "Invalid email address";
    COMPANY_PHONE_REQUIRED = "Company Phone Number is required";

    NUMBER_MISSING = "Please enter an organization number";
    FOUND = "Organization found";
    NOT_FOUND = "Organization not found";
    CURRENT = "This is the current organization number";
    CHECK_DIGIT = "The check digit of this number looks wrong. Please check the number.";
    DIRECTORY_UNAVAILABLE = "The company directory is not available. Enter the details yourself, or try again later.";
}
