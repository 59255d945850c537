//! Customers as lists have them: without their social security numbers.

use super::row::SummaryRow;
use super::{CustomerQuery, figures};
use crate::access::scope::{Customers, Scope};
use crate::features::listing::{CUSTOMERS, Listing};
use crate::features::records::Entity;
use crate::features::records::columns::Stored;
use crate::features::records::table::Table;
use crate::features::records::trash::Link;
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{Agreement, AgreementState, party_deletion_error};
use forecourt_core::customers::{CustomerSummary, telephone_key, text};
use forecourt_core::invoices::Invoice;
use forecourt_core::message::Message;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::erased_value;
use uuid::Uuid;

impl Entity for CustomerSummary {
    type Resource = Customers;
    type Row = SummaryRow;
    type Query = CustomerQuery;
    const LISTING: &'static Listing = &CUSTOMERS;
    const TABLE: Table = Table::new(
        "customers",
        &[
            SummaryRow::NAMES,
            &["telephone_folded", "social_security", "social_security_key", "active_on", "erased_version"],
        ],
    );
    const LINKS: &'static [Link] = &[Link::of::<Invoice>("customer_id"), Link::of::<Agreement>("customer_id")];
    const MAY_REFUSE_DELETION: bool = true;
    const IN_AGREEMENTS: Option<(&'static str, &'static str)> = Some(("agreements", "customer_id"));

    fn deletion_error(&self, agreements: &[AgreementState]) -> Option<&'static Message> {
        party_deletion_error(agreements, text::HAS_AGREEMENTS)
    }

    async fn refresh(tx: &mut Tx, scope: &Scope, now: i64, batch: Option<Uuid>, ids: &[Uuid]) -> Result<()> {
        figures::refresh(tx, scope, now, batch, ids).await
    }

    /// The social security number, the id of its key, the telephone number in the form that searches compare, and the
    /// warranty that was typed.
    fn personal_others() -> Vec<(&'static str, Stored)> {
        let telephone_key = telephone_key(erased_value(ResourceId::Customers, "telephone"));
        vec![
            ("social_security", Stored::Bytes(None)),
            ("social_security_key", Stored::Text(None)),
            ("telephone_key", Stored::Text(Some(telephone_key))),
            ("typed_warranty", Stored::Text(None)),
            ("typed_warranty_period", Stored::Text(None)),
        ]
    }
}
