//! Customers as lists have them: without their social security numbers.

use super::row::SummaryRow;
use super::{CustomerQuery, figures};
use crate::access::scope::{Customers, Scope};
use crate::features::listing::{CUSTOMERS, Listing};
use crate::features::records::columns::Stored;
use crate::features::records::table::Table;
use crate::features::records::trash::Link;
use crate::features::records::{Entity, PersonalColumn};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{AgreementState, party_deletion_error};
use forecourt_core::customers::{
    AgreementType, CustomerStatus, CustomerSummary, CustomerType, customer_number, telephone_key, text,
};
use forecourt_core::date::Date;
use forecourt_core::message::Message;
use forecourt_core::money::Money;
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
        &[&[
            "customer_id",
            "customer_number",
            "name",
            "email",
            "telephone",
            "telephone_key",
            "address",
            "postal_code",
            "location",
            "customer_type",
            "status",
            "role",
            "organization_number",
            "social_security",
            "social_security_key",
            "agreement_type",
            "latest_purchase",
            "active_on",
            "company_name",
            "number_of_orders",
            "total_spent",
            "warranty",
            "warranty_period",
            "typed_latest_purchase",
            "typed_agreement_type",
            "typed_number_of_orders",
            "typed_total_spent",
            "typed_warranty",
            "typed_warranty_period",
            "name_key",
            "email_key",
            "telephone_folded",
            "address_key",
            "postal_code_key",
            "location_key",
            "role_key",
            "organization_number_key",
            "company_name_key",
            "warranty_key",
            "warranty_period_key",
            "created_at",
            "updated_at",
            "version",
            "erased_version",
        ]],
    );
    const LINKS: &'static [Link] = &[
        Link {
            resource: ResourceId::Invoices,
            table: "invoices",
            id: "invoice_id",
            label: "customer",
            record: "customer_id",
        },
        Link {
            resource: ResourceId::Agreements,
            table: "agreements",
            id: "agreement_id",
            label: "number",
            record: "customer_id",
        },
    ];
    const PERSONAL: &'static [PersonalColumn] = &[
        PersonalColumn::new("name", "name", "name_key"),
        PersonalColumn::new("email", "email", "email_key"),
        PersonalColumn::new("telephone", "telephone", "telephone_folded"),
        PersonalColumn::new("address", "address", "address_key"),
        PersonalColumn::new("postalCode", "postal_code", "postal_code_key"),
        PersonalColumn::new("location", "location", "location_key"),
        PersonalColumn::new("organizationNumber", "organization_number", "organization_number_key"),
        PersonalColumn::new("role", "role", "role_key"),
        PersonalColumn::new("companyName", "company_name", "company_name_key"),
        PersonalColumn::new("warranty", "warranty", "warranty_key").unless("typed_number_of_orders"),
        PersonalColumn::new("warrantyPeriod", "warranty_period", "warranty_period_key")
            .unless("typed_number_of_orders"),
    ];

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

impl TryFrom<SummaryRow> for CustomerSummary {
    type Error = sqlx::Error;

    fn try_from(row: SummaryRow) -> Result<Self> {
        let unknown = |column: &str| sqlx::Error::Decode(format!("{column} has another meaning here").into());
        Ok(CustomerSummary {
            customer_id: row.customer_id.to_string(),
            customer_number: customer_number(row.customer_number),
            name: row.name,
            email: row.email,
            telephone: row.telephone,
            address: row.address,
            postal_code: row.postal_code,
            location: row.location,
            customer_type: CustomerType::parse(&row.customer_type).ok_or_else(|| unknown("customer_type"))?,
            status: CustomerStatus::parse(&row.status).ok_or_else(|| unknown("status"))?,
            organization_number: row.organization_number,
            latest_purchase: row.latest_purchase.as_deref().and_then(Date::parse),
            agreement_type: row.agreement_type.as_deref().and_then(AgreementType::parse),
            role: row.role,
            company_name: row.company_name,
            number_of_orders: u32::try_from(row.number_of_orders).map_err(|_| unknown("number_of_orders"))?,
            total_spent: Money::from_pence(row.total_spent).ok_or_else(|| unknown("total_spent"))?,
            warranty: row.warranty,
            warranty_period: row.warranty_period,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
            typed: row.typed.values()?.map(Box::new),
        })
    }
}
