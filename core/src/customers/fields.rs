//! The fields of customers. The social security number is not a field, so that no list is sorted or filtered by it.

use super::{AgreementType, CustomerStatus, CustomerSummary, CustomerType, NUMBER_PREFIX};
use crate::lists::{Cell, Field, Kind, Personal, Record};

impl Record for CustomerSummary {
    const FIELDS: &'static [Field] = &[
        Field::new("customer_id", Kind::Id, Personal::No),
        Field::new("customerNumber", Kind::Serial(NUMBER_PREFIX), Personal::No),
        Field::text("name", Personal::Erased),
        Field::text("email", Personal::Erased),
        Field::text("telephone", Personal::Erased),
        Field::text("address", Personal::Erased).in_bulk(),
        Field::text("postalCode", Personal::Erased).in_bulk(),
        Field::text("location", Personal::Erased).in_bulk(),
        Field::new("type", Kind::Choice(CustomerType::NAMES), Personal::No).in_bulk().required(),
        Field::new("status", Kind::Choice(CustomerStatus::NAMES), Personal::No).in_bulk().required(),
        Field::text("organizationNumber", Personal::Erased),
        Field::new("latestPurchase", Kind::Date, Personal::No).in_bulk(),
        Field::new("agreementType", Kind::Choice(AgreementType::NAMES), Personal::No).in_bulk(),
        Field::text("role", Personal::Erased),
        Field::text("companyName", Personal::Erased).in_bulk(),
        Field::new("numberOfOrders", Kind::Number, Personal::No),
        Field::new("totalSpent", Kind::OwnMoney, Personal::No),
        Field::text("warranty", Personal::Erased).in_bulk(),
        Field::text("warrantyPeriod", Personal::Erased).in_bulk(),
        Field::new("createdAt", Kind::Time, Personal::No),
        Field::new("updatedAt", Kind::Time, Personal::No),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "customer_id" => Cell::Id(&self.customer_id),
            "customerNumber" => Cell::Serial(NUMBER_PREFIX, &self.customer_number),
            "name" => Cell::Text(&self.name),
            "email" => Cell::Text(&self.email),
            "telephone" => Cell::Text(&self.telephone),
            "address" => Cell::Text(&self.address),
            "postalCode" => Cell::Text(&self.postal_code),
            "location" => Cell::Text(&self.location),
            "type" => Cell::Choice(self.customer_type.as_str()),
            "status" => Cell::Choice(self.status.as_str()),
            "organizationNumber" => Cell::Text(&self.organization_number),
            "latestPurchase" => self.latest_purchase.map_or(Cell::Empty, Cell::Date),
            "agreementType" => self.agreement_type.map_or(Cell::Empty, |agreement| Cell::Choice(agreement.as_str())),
            "role" => Cell::Text(&self.role),
            "companyName" => Cell::Text(&self.company_name),
            "numberOfOrders" => Cell::Number(i64::from(self.number_of_orders)),
            "totalSpent" => Cell::Money(self.total_spent),
            "warranty" => Cell::Text(&self.warranty),
            "warrantyPeriod" => Cell::Text(&self.warranty_period),
            "createdAt" => Cell::Time(&self.created_at),
            "updatedAt" => Cell::Time(&self.updated_at),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
        }
    }

    fn typed(&self, field: &str) -> Option<Cell<'_>> {
        self.typed.as_ref()?.cell(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::Date;
    use crate::lists::tests::check_record;
    use crate::money::Money;

    #[test]
    fn every_member_of_a_customer_summary_is_a_field() {
        let time = "2026-01-01T00:00:00.000Z";
        let customer = CustomerSummary {
            customer_id: "01900000-0000-7000-8000-000000000000".into(),
            customer_number: "C-1042".into(),
            name: "Ada".into(),
            email: "ada@example.se".into(),
            telephone: "070".into(),
            address: "Storgatan 1".into(),
            postal_code: "222 22".into(),
            location: "Lund".into(),
            customer_type: CustomerType::Company,
            status: CustomerStatus::Active,
            organization_number: "556036-0793".into(),
            latest_purchase: Date::parse("2026-01-31"),
            agreement_type: Some(AgreementType::Sales),
            role: "buyer".into(),
            company_name: "Nordbil".into(),
            number_of_orders: 1,
            total_spent: Money::default(),
            warranty: "Yes".into(),
            warranty_period: "2 years".into(),
            created_at: time.into(),
            updated_at: time.into(),
            version: 1,
            typed: None,
        };
        check_record(&customer, &[]);
    }
}
