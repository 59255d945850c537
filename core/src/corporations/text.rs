//! Messages about corporations.

use crate::message::messages;

messages! {
    "corporations.";
    NONE_SELECTED = "No corporation selected or invalid corporation ID";
    CREATED = "Corporation created successfully";
    UPDATED = "Corporation updated successfully";
    DELETED = "Corporation deleted successfully";
    DECLINED = "The sign-up was declined";
    NOT_WAITING = "This corporation is not waiting for approval.";

    FIRST_NAME_REQUIRED = "First Name is required";
    LAST_NAME_REQUIRED = "Last Name is required";
    EMAIL_REQUIRED = "Email is required";
    PHONE_REQUIRED = "Phone Number is required";
    TERMS = "You must agree to the terms of service and privacy policy";
    NUMBER_TAKEN = "A corporation with this organization number already exists";
    PLATFORM_CORPORATION = "The platform's own corporation can't be deleted or deactivated.";
    MENU_READ_ONLY = "The menu is derived from the resources and can't be changed.";
}
