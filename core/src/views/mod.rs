//! Views: a list's sort order, filter, search text and columns, saved under a name.

mod rules;
pub mod text;
mod types;

pub use rules::{
    COLUMNS_MAX, CORPORATION_MAX, FILTER_MAX, NAME_MAX, OWN_MAX, WIDTH_MAX, fields, may_change, resource_error,
};
pub use types::{DENSITIES, PATH, SCOPES, SHARED, View, ViewColumn, ViewInput, ViewOwner, ViewQuery};
