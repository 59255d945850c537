//! The fields of invoices.

use super::{Invoice, text};
use crate::lists::{Field, Kind, Personal, Record, fields};

impl Record for Invoice {
    fields!(
        id["_id"] = Field::new(Kind::Id),
        customer = Field::text(Personal::KeptForAccounting),
        customer_id = Field::new(Kind::Id).linking(),
        website = Field::text(Personal::Erased).in_bulk().required(),
        email = Field::email(Personal::Erased),
        customer_requirements["customerRequirements"] =
            Field::long_text(Personal::KeptForAccounting).labeled(text::CUSTOMER_REQUIREMENTS).in_bulk(),
        start_date["startDate"] = Field::new(Kind::Date).labeled(text::START_DATE).in_bulk().required(),
        end_date["endDate"] = Field::new(Kind::Date).labeled(text::END_DATE).in_bulk().required(),
        project_price["projectPrice"] = Field::new(Kind::Money).labeled(text::PROJECT_PRICE),
        created_at["createdAt"] = Field::new(Kind::Time),
        updated_at["updatedAt"] = Field::new(Kind::Time),
        version = Field::new(Kind::Number).not_exported(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::Date;
    use crate::lists::tests::check_record;
    use crate::money::Money;

    #[test]
    fn every_member_of_an_invoice_is_a_field() {
        let (day, time) = (Date::parse("2026-01-31").unwrap(), "2026-01-01T00:00:00.000Z");
        let invoice = Invoice {
            id: "01900000-0000-7000-8000-000000000000".into(),
            customer: "Nordbil".into(),
            customer_id: Some("01900000-0000-7000-8000-000000000001".into()),
            website: "nordbil.example".into(),
            email: "ada@example.se".into(),
            customer_requirements: Some("Red".into()),
            start_date: day,
            end_date: day,
            project_price: Money::default(),
            created_at: time.into(),
            updated_at: time.into(),
            version: 1,
        };
        check_record(&invoice, &[]);
    }
}
