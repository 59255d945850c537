//! Messages about the history.

use crate::message::messages;

/// Shown as the author of changes that an administrator of the platform made in another corporation.
pub const PLATFORM_ADMINISTRATOR: &str = "Platform administrator";

messages! {
    "history.";
    RESOURCE_INVALID = "This resource has no history. Use one of: contacts, customers, invoices.";
    VALUE_UNKNOWN = "No entry has this value";
    TIME_INVALID = "Send a time like 2026-01-31T08:00:00Z";
    ID_REQUIRED = "The id of a record is required";
}
