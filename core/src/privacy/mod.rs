//! Personal data: which fields contain it, what replaces it in an erasure, and the reports about stored and erased data
//! (docs/product.md 4.25).

mod fields;
pub mod text;
mod types;

pub use fields::{
    COMMENT_FIELDS, CONTACT_FIELDS, CUSTOMER_FIELDS, ERASED, KEPT_IF_BINDING, erased_fields, erased_value,
    fields_from_agreements, fields_of, is_anonymous, is_email_in_history, is_erased, is_link_in_history,
    label_is_erased, mentions, personal_in_history,
};
pub use types::{Certificate, DataKind, ErasedPart, HeldPart, KeptPart, PersonalData, PersonalDataInput, WhyKept};
