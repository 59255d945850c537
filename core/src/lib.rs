//! The business rules of Forecourt, such as the validation of forms, permissions, lists and the import of contacts. The
//! server compiles this crate, and the browser runs the same code as wasm.
//!
//! **Invariant:** this crate is pure. It uses no clock, network, file system or SQL, and no result depends on
//! randomness.
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

/// As [`api_types!`], for forms: a text that is `null` is empty, and `normalize_texts` normalizes the texts. A text of
/// many lines has the type `Lines`, which stands for `String`. `..Base` declares what an update is based on.
///
/// The arms that begin with `@` move one member after the other from the end to `$done`, and add each text, with the
/// function that normalizes it, to `$texts`. When no member is left, the first of these arms declares the type.
macro_rules! forms {
    ($($(#[$attribute:meta])* pub struct $Form:ident { $($member:tt)* })*) => {
        $(forms!(@ [$(#[$attribute])*] $Form [] [] $($member)*);)*
    };
    (@ [$($attribute:tt)*] $Form:ident [$($done:tt)*] [$($normalize:ident $text:ident)*]) => {
        api_types!($($attribute)* pub struct $Form { $($done)* });

        impl crate::form::Texts for $Form {
            fn normalize_texts(&mut self) {
                $(crate::form::$normalize(&mut self.$text);)*
            }
        }
    };
    (@ $of:tt $Form:ident [$($done:tt)*] $texts:tt ..Base, $($rest:tt)*) => {
        impl crate::form::UpdateForm for $Form {
            fn base(&self) -> (Option<i64>, Option<&str>) {
                (self.version, self.updated_at.as_deref())
            }
        }

        forms!(@ $of $Form [
            $($done)*
            /// The version that an update is based on.
            pub version: Option<i64>,
            /// The time of the last change that an update is based on, for clients that do not send `version`.
            pub updated_at: Option<String>,
        ] $texts $($rest)*);
    };
    (@ $of:tt $Form:ident $done:tt [$($texts:tt)*] $(#[$meta:meta])* pub $member:ident: String, $($rest:tt)*) => {
        forms!(@text $of $Form $done [$($texts)* normalize_line $member] [$(#[$meta])*] $member [String] $($rest)*);
    };
    (@ $of:tt $Form:ident $done:tt [$($texts:tt)*] $(#[$meta:meta])* pub $member:ident: Lines, $($rest:tt)*) => {
        forms!(@text $of $Form $done [$($texts)* normalize_lines $member] [$(#[$meta])*] $member [String] $($rest)*);
    };
    (@ $of:tt $Form:ident $done:tt $texts:tt $(#[$meta:meta])* pub $member:ident: Secret<String>, $($rest:tt)*) => {
        forms!(@text $of $Form $done $texts [$(#[$meta])*] $member [Secret<String>] $($rest)*);
    };
    (@ $of:tt $Form:ident [$($done:tt)*] $texts:tt $(#[$meta:meta])* pub $member:ident: $Type:ty, $($rest:tt)*) => {
        forms!(@ $of $Form [$($done)* $(#[$meta])* pub $member: $Type,] $texts $($rest)*);
    };
    (
        @text $of:tt $Form:ident [$($done:tt)*] $texts:tt [$($attribute:tt)*] $member:ident [$($Type:tt)*] $($rest:tt)*
    ) => {
        forms!(@ $of $Form [
            $($done)* $($attribute)*
            #[serde(deserialize_with = "crate::form::text_or_null")]
            pub $member: $($Type)*,
        ] $texts $($rest)*);
    };
}

/// Declares the TypeScript type of a type that has its own serialization.
#[cfg(feature = "wasm")]
macro_rules! typescript {
    ($type:literal) => {
        const _: () = {
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
            const TYPE: &str = concat!("export type ", $type, ";\n");
        };
    };
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

/// Defines an enum whose values are texts in JSON and in the database. The text of a variant is its name, unless
/// another one is given after `=`.
macro_rules! string_enum {
    (@text $variant:ident) => { stringify!($variant) };
    (@text $variant:ident $text:literal) => { $text };
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $(= $text:literal)?),* $(,)? }) => {
        $(#[$doc])*
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* $(#[serde(rename = $text)])? $variant,)*
        }
        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];
            pub const NAMES: &[&str] = &[$(string_enum!(@text $variant $($text)?)),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => string_enum!(@text $variant $($text)?),)*
                }
            }

            /// Returns the variant with exactly this text, or `None`.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.as_str() == text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::parse(text).ok_or(())
            }
        }

        impl crate::lists::ToCell for $name {
            fn to_cell(&self, _: crate::lists::Kind) -> crate::lists::Cell<'_> {
                crate::lists::Cell::Choice(self.as_str())
            }
        }
    };
}

/// Returns an error from the calling function unless a condition is met.
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error);
        }
    };
}

pub mod agreements;
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
pub mod settings;
pub mod text;
pub mod theme;
#[cfg(test)]
mod translations;
pub mod trash;
pub mod users;
pub mod vehicles;
pub mod views;
