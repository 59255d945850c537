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
