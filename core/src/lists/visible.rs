//! Which fields of a list a user sees.

use super::{Field, Record, field_error, text};
use crate::form::FieldError;
use crate::permissions::{Access, Action, may};

/// The fields of a list that a user sees. For that user, a field that they don't see is unknown.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    all: &'static [Field],
    /// `None` for code that sees all fields.
    access: Option<&'a Access>,
}

impl Field {
    /// Returns whether a user with this access sees the field.
    pub fn is_visible_to(&self, access: &Access) -> bool {
        self.needs.is_none_or(|resource| may(access, resource, Action::Read))
    }
}

impl<'a> Fields<'a> {
    /// Returns all fields, for code that does not show their values to users.
    pub const fn all(all: &'static [Field]) -> Self {
        Fields { all, access: None }
    }

    /// Returns the fields that a user with this access sees.
    pub const fn visible(all: &'static [Field], access: &'a Access) -> Self {
        Fields { all, access: Some(access) }
    }

    pub fn iter(self) -> impl Iterator<Item = &'static Field> + use<'a> {
        self.all.iter().filter(move |field| self.access.is_none_or(|access| field.is_visible_to(access)))
    }

    /// Returns the field with this name, if the user sees it.
    ///
    /// # Errors
    /// A validation error of `parameter` that lists the names of the visible fields.
    pub fn find(self, name: &str, parameter: &str) -> Result<&'static Field, FieldError> {
        self.iter().find(|field| field.name == name).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|field| field.name).collect();
            field_error(parameter, name, text::unknown_field(&names.join(", ")))
        })
    }
}

/// Returns the names of the fields of `R` that a user with this access does not see.
pub fn hidden_fields<R: Record>(access: &Access) -> impl Iterator<Item = &'static str> {
    R::FIELDS.iter().filter(|field| !field.is_visible_to(access)).map(|field| field.name)
}
