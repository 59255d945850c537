//! Messages about the history.

use crate::message::messages;

messages! {
    "history.";
    RESOURCE_INVALID = "This resource has no history. Use one of: contacts, customers, invoices.";
    ID_REQUIRED = "The id of a record is required";
}
