//! The fields of records that not every user sees.

use super::Entity;
use crate::access::scope::Scope;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::form::Form;
use forecourt_core::lists::hidden_fields;
use forecourt_core::text::fields_not_allowed;

/// Returns a record without the fields that the scope's user does not see. For comparisons with what is written, use
/// the whole record ([`Entity::from_row`]).
pub fn as_seen<E: Entity>(scope: &Scope, mut record: E) -> E {
    for field in hidden_fields::<E>(scope.access()) {
        record.hide(field);
    }
    record
}

/// Returns a form without the fields that the scope's user does not see.
///
/// # Errors
/// 403 if such a field has a value, because the user expects that it is stored.
pub fn without_hidden<E: Entity, F: Form>(scope: &Scope, mut form: F) -> ApiResult<F> {
    let given: Vec<_> = hidden_fields::<E>(scope.access()).filter_map(|field| form.omit(field)).collect();
    if given.is_empty() { Ok(form) } else { Err(ApiError::FieldsNotAllowed(fields_not_allowed(&given))) }
}
