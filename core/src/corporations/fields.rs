//! The fields of corporations.

use super::Corporation;
use crate::lists::{Cell, Field, Kind, Personal, Record};

impl Record for Corporation {
    const FIELDS: &'static [Field] = &[
        Field::new("corp_id", Kind::Id, Personal::No),
        Field::text("corp_name", Personal::No),
        Field::new("corp_active", Kind::Flag, Personal::No),
        Field::text("organization_number", Personal::No),
        Field::text("street_address", Personal::No),
        Field::text("registered_city", Personal::No),
        Field::text("postal_code", Personal::No),
        Field::text("city", Personal::No),
        Field::text("company_email", Personal::No),
        Field::text("company_phone", Personal::No),
        Field::text("corp_contact_name", Personal::KeptWithAccount),
        Field::text("corp_contact_email", Personal::KeptWithAccount),
        Field::new("is_platform", Kind::Flag, Personal::No),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "corp_id" => Cell::Id(&self.corp_id),
            "corp_name" => Cell::Text(&self.corp_name),
            "corp_active" => Cell::Flag(self.corp_active),
            "organization_number" => Cell::Text(&self.organization_number),
            "street_address" => Cell::Text(&self.street_address),
            "registered_city" => Cell::Text(&self.registered_city),
            "postal_code" => Cell::Text(&self.postal_code),
            "city" => Cell::Text(&self.city),
            "company_email" => Cell::Text(&self.company_email),
            "company_phone" => Cell::Text(&self.company_phone),
            "corp_contact_name" => Cell::Text(&self.corp_contact_name),
            "corp_contact_email" => Cell::Text(&self.corp_contact_email),
            "is_platform" => Cell::Flag(self.is_platform),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::tests::check_record;

    #[test]
    fn every_member_of_a_corporation_is_a_field_except_its_resources() {
        let corporation = Corporation {
            corp_id: "01900000-0000-7000-8000-000000000000".into(),
            corp_name: "Nordbil".into(),
            corp_active: true,
            allowed_resources: Vec::new(),
            allowed_resources_names: Vec::new(),
            organization_number: "556036-0793".into(),
            street_address: "Storgatan 1".into(),
            registered_city: "Lund".into(),
            postal_code: "222 22".into(),
            city: "Lund".into(),
            company_email: "info@example.se".into(),
            company_phone: "046".into(),
            corp_contact_name: "Ada Lindqvist".into(),
            corp_contact_email: "ada@example.se".into(),
            is_platform: false,
            version: 1,
        };
        check_record(&corporation, &["allowed_resources", "allowed_resources_names"]);
    }
}
