//! The fields of customers. The social security number is not a field, so that no list is sorted or filtered by it.

use super::{
    AgreementType, CustomerStatus, CustomerSummary, CustomerType, NUMBER_PREFIX, ROLE, WARRANTY_PERIODS, text,
};
use crate::agreements::WarrantyKind;
use crate::lists::{Cell, Field, Kind, Personal, Record, fields};

impl Record for CustomerSummary {
    fields!(
        customer_id = Field::new(Kind::Id),
        customer_number["customerNumber"] = Field::new(Kind::Serial(NUMBER_PREFIX)),
        name = Field::text(Personal::Erased),
        email = Field::email(Personal::Erased),
        telephone = Field::text(Personal::Erased),
        address = Field::text(Personal::Erased).in_bulk().required(),
        postal_code["postalCode"] = Field::text(Personal::Erased).in_bulk(),
        location = Field::text(Personal::Erased).labeled(text::LOCATION).in_bulk(),
        customer_type["type"] = Field::new(Kind::Choice(CustomerType::NAMES)).in_bulk().required(),
        status = Field::new(Kind::Choice(CustomerStatus::NAMES)).in_bulk().required(),
        organization_number["organizationNumber"] = Field::text(Personal::Erased),
        latest_purchase["latestPurchase"] = Field::new(Kind::Date).in_bulk(),
        agreement_type["agreementType"] = Field::new(Kind::Choice(AgreementType::NAMES)).in_bulk(),
        role = Field::text(Personal::Erased).offering(&[ROLE]),
        company_name["companyName"] = Field::text(Personal::Erased).in_bulk(),
        number_of_orders["numberOfOrders"] = Field::new(Kind::Number),
        total_spent["totalSpent"] = Field::new(Kind::OwnMoney),
        warranty = Field::text(Personal::Erased).offering(WarrantyKind::GIVEN).in_bulk(),
        warranty_period["warrantyPeriod"] = Field::text(Personal::Erased).offering(WARRANTY_PERIODS).in_bulk(),
        created_at["createdAt"] = Field::new(Kind::Time),
        updated_at["updatedAt"] = Field::new(Kind::Time),
        version = Field::new(Kind::Number).not_exported(),
    );

    fn typed_value(&self, field: &str) -> Option<Cell<'_>> {
        self.typed.as_ref()?.cell(field)
    }
}
