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
