//! The fields of corporations.

use super::Corporation;
use crate::lists::{Field, Kind, Personal, Record, fields};

impl Record for Corporation {
    fields!(
        corp_id = Field::new(Kind::Id),
        corp_name = Field::text(Personal::Business),
        corp_active = Field::new(Kind::Flag),
        // Derived, because the history records approvals by themselves.
        awaits_approval = Field::new(Kind::Flag).derived(),
        // A sole trader's is their personal number.
        organization_number = Field::text(Personal::KeptWithAccount),
        street_address = Field::text(Personal::Business),
        registered_city = Field::text(Personal::Business),
        postal_code = Field::text(Personal::Business),
        city = Field::text(Personal::Business),
        company_email = Field::email(Personal::Business),
        company_phone = Field::text(Personal::Business),
        corp_contact_name = Field::text(Personal::KeptWithAccount),
        corp_contact_email = Field::email(Personal::KeptWithAccount),
        is_platform = Field::new(Kind::Flag),
        version = Field::new(Kind::Number).not_exported(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::tests::check_record;

    #[test]
    fn a_corporations_members_are_fields_except_resources_and_country() {
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
            country: "SE".into(),
            company_email: "info@example.se".into(),
            company_phone: "046".into(),
            corp_contact_name: "Ada Lindqvist".into(),
            corp_contact_email: "ada@example.se".into(),
            awaits_approval: false,
            is_platform: false,
            version: 1,
        };
        check_record(&corporation, &["allowed_resources", "allowed_resources_names", "country"]);
    }
}
