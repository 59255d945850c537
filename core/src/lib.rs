//! The business rules of Forecourt: form validation, permissions, paging and the import of contacts. The server compiles
//! this crate, and the browser runs the same code as wasm.
//!
//! **Invariant:** this crate is pure. It uses no clock, randomness, network, file system or SQL.
#![forbid(unsafe_code)]

/// Defines types that the API sends or receives: with the feature `wasm` they have TypeScript types, with `schema` JSON
/// schemas.
macro_rules! api_types {
    ($($item:item)*) => {$(
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $item
    )*};
}

/// Implements the JSON schema of a type that has its own serialization.
#[cfg(feature = "schema")]
macro_rules! json_schema {
    ($type:ident, $schema:tt) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

/// Returns an error from the function unless a condition is met.
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error);
        }
    };
}

pub mod auth;
pub mod bulk;
pub mod contacts;
pub mod corporations;
pub mod customers;
pub mod dashboard;
pub mod date;
pub mod duplicates;
pub mod events;
pub mod form;
pub mod history;
pub mod images;
pub mod import;
pub mod invoices;
pub mod lists;
pub mod logs;
pub mod message;
pub mod money;
pub mod organizations;
pub mod paging;
pub mod permissions;
pub mod privacy;
pub mod problem;
pub mod profile;
pub mod reply;
pub mod roles;
pub mod secret;
pub mod text;
pub mod theme;
#[cfg(test)]
mod translations;
pub mod trash;
pub mod users;
pub mod views;
