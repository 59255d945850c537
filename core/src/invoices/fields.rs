//! The fields of invoices.

use super::{Invoice, text};
use crate::lists::{Cell, Field, Kind, Personal, Record};

impl Record for Invoice {
    const FIELDS: &'static [Field] = &[
        Field::new("_id", Kind::Id, Personal::No),
        Field::text("customer", Personal::KeptForAccounting),
        Field::new("customer_id", Kind::Id, Personal::No).linking(),
        Field::text("website", Personal::Erased).in_bulk(),
        Field::text("email", Personal::Erased),
        Field::long_text("customerRequirements", Personal::KeptForAccounting)
            .labeled(text::CUSTOMER_REQUIREMENTS)
            .in_bulk(),
        Field::new("startDate", Kind::Date, Personal::No).labeled(text::START_DATE).in_bulk(),
        Field::new("endDate", Kind::Date, Personal::No).labeled(text::END_DATE).in_bulk(),
        Field::new("projectPrice", Kind::Money, Personal::No).labeled(text::PROJECT_PRICE),
        Field::new("createdAt", Kind::Time, Personal::No),
        Field::new("updatedAt", Kind::Time, Personal::No),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "_id" => Cell::Id(&self.id),
            "customer" => Cell::Text(&self.customer),
            "customer_id" => self.customer_id.as_deref().map_or(Cell::Empty, Cell::Id),
            "website" => Cell::Text(&self.website),
            "email" => Cell::Text(&self.email),
            "customerRequirements" => self.customer_requirements.as_deref().map_or(Cell::Empty, Cell::Text),
            "startDate" => Cell::Date(self.start_date),
            "endDate" => Cell::Date(self.end_date),
            "projectPrice" => Cell::Money(self.project_price),
            "createdAt" => Cell::Time(&self.created_at),
            "updatedAt" => Cell::Time(&self.updated_at),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
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
