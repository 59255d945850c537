//! The fields of corporations.

use super::Corporation;
use crate::lists::{Field, Kind, Record, Value};

impl Record for Corporation {
    const FIELDS: &'static [Field] = &[
        Field::new("corp_id", Kind::Id),
        Field::text("corp_name"),
        Field::new("corp_active", Kind::Flag),
        Field::text("organization_number"),
        Field::text("street_address"),
        Field::text("registered_city"),
        Field::text("postal_code"),
        Field::text("city"),
        Field::text("company_email"),
        Field::text("company_phone"),
        Field::text("corp_contact_name"),
        Field::text("corp_contact_email"),
        Field::new("is_platform", Kind::Flag),
        Field::new("version", Kind::Number),
    ];

    fn value(&self, field: &str) -> Value {
        match field {
            "corp_id" => Value::id(&self.corp_id),
            "corp_name" => Value::text(&self.corp_name),
            "corp_active" => Value::Flag(self.corp_active),
            "organization_number" => Value::text(&self.organization_number),
            "street_address" => Value::text(&self.street_address),
            "registered_city" => Value::text(&self.registered_city),
            "postal_code" => Value::text(&self.postal_code),
            "city" => Value::text(&self.city),
            "company_email" => Value::text(&self.company_email),
            "company_phone" => Value::text(&self.company_phone),
            "corp_contact_name" => Value::text(&self.corp_contact_name),
            "corp_contact_email" => Value::text(&self.corp_contact_email),
            "is_platform" => Value::Flag(self.is_platform),
            "version" => Value::Number(self.version),
            _ => Value::Empty,
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
