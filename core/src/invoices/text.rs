//! Messages about invoices.

use crate::message::messages;

messages! {
    "invoices.";
    CUSTOMER_REQUIRED = "Customer name is required";
    CUSTOMER_UNKNOWN = "This customer no longer exists. Choose another customer or type a name.";
    WEBSITE_REQUIRED = "Website is required";
    EMAIL_REQUIRED = "Email is required";
    START_DATE_REQUIRED = "Start date is required";
    END_DATE_REQUIRED = "End date is required";
    // The same day is accepted too; the text is fixed.
    DATES_REVERSED = "End date must be after start date";
    PRICE_INVALID = "Please enter a valid project price";

    CUSTOMER_REQUIREMENTS = "Requirements";
    START_DATE = "Start date";
    END_DATE = "End date";
    PROJECT_PRICE = "Project price";

    CREATED = "Invoice created successfully";
    UPDATED = "Invoice updated successfully";
    DELETED = "Invoice deleted successfully";
}
