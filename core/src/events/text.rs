//! Messages about events.

use crate::message::messages;

messages! {
    "events.";
    RESOURCE_INVALID = "Use one of these resources: contacts, customers, invoices, vehicles, agreements.";
}
