//! The fields of customers. The social security number is none, so that no list is sorted or filtered by it.

use super::{AgreementType, CustomerStatus, CustomerSummary, CustomerType, NUMBER_PREFIX};
use crate::lists::{Field, Kind, Record, Value};

impl Record for CustomerSummary {
    const FIELDS: &'static [Field] = &[
        Field::new("customer_id", Kind::Id),
        Field::new("customerNumber", Kind::Serial(NUMBER_PREFIX)),
        Field::text("name"),
        Field::text("email"),
        Field::text("telephone"),
        Field::text("address"),
        Field::text("postalCode"),
        Field::text("location"),
        Field::new("type", Kind::Choice(CustomerType::NAMES)),
        Field::new("status", Kind::Choice(CustomerStatus::NAMES)),
        Field::text("organizationNumber"),
        Field::new("latestPurchase", Kind::Date),
        Field::new("agreementType", Kind::Choice(AgreementType::NAMES)),
        Field::text("role"),
        Field::text("companyName"),
        Field::new("numberOfOrders", Kind::Number),
        Field::new("totalSpent", Kind::Money),
        Field::text("warranty"),
        Field::text("warrantyPeriod"),
        Field::new("createdAt", Kind::Time),
        Field::new("updatedAt", Kind::Time),
        Field::new("version", Kind::Number),
    ];

    fn value(&self, field: &str) -> Value {
        match field {
            "customer_id" => Value::id(&self.customer_id),
            "customerNumber" => Value::serial(NUMBER_PREFIX, &self.customer_number),
            "name" => Value::text(&self.name),
            "email" => Value::text(&self.email),
            "telephone" => Value::text(&self.telephone),
            "address" => Value::text(&self.address),
            "postalCode" => Value::text(&self.postal_code),
            "location" => Value::text(&self.location),
            "type" => Value::choice(self.customer_type.as_str()),
            "status" => Value::choice(self.status.as_str()),
            "organizationNumber" => Value::text(&self.organization_number),
            "latestPurchase" => self.latest_purchase.map_or(Value::Empty, Value::Date),
            "agreementType" => self.agreement_type.map_or(Value::Empty, |agreement| Value::choice(agreement.as_str())),
            "role" => Value::text(&self.role),
            "companyName" => Value::text(&self.company_name),
            "numberOfOrders" => Value::Number(i64::from(self.number_of_orders)),
            "totalSpent" => Value::Money(self.total_spent),
            "warranty" => Value::text(&self.warranty),
            "warrantyPeriod" => Value::text(&self.warranty_period),
            "createdAt" => Value::time(&self.created_at),
            "updatedAt" => Value::time(&self.updated_at),
            "version" => Value::Number(self.version),
            _ => Value::Empty,
        }
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
        };
        check_record(&customer, &[]);
    }
}
