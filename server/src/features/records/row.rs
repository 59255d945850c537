//! Rows that know which columns they read, and which record each becomes.

use crate::platform::clock::rfc3339;
use forecourt_core::money::Money;
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Type};
use std::str::FromStr;
use uuid::Uuid;

/// A type of row that one query reads.
pub trait ColumnsOf {
    /// The columns, as SQL.
    const COLUMNS: &'static str;
}

/// Declares a type of row that becomes a record, whose members are the columns: first the `texts` that lists find, each
/// with a column for the folded text (`…_key`), then the others but `created_at`, `updated_at` and `version`, which all
/// records have. Members of the same type can be declared together (`a, b: Type`). A column that has another name than
/// its member is in brackets after it. A value after `=>`, which only a member declared alone can have, is made of the
/// column, and of the `parts`, which are no members themselves. Members that are no columns follow the row. `NAMES` are
/// the names of all these columns.
macro_rules! row {
    (@column $member:ident) => { stringify!($member) };
    (@column $member:ident $column:literal) => { $column };
    (@let [$($member:ident),+]) => { $(let $member = $crate::features::records::row::Value::value($member);)+ };
    (@let [$member:ident] $value:expr) => { let $member = $value; };
    (
        $(#[$doc:meta])*
        $vis:vis struct $Row:ident for $Record:ident {
            texts: $($text:ident $([$text_column:literal])?),+;
            $([parts: $($part:ident: $Part:ty),+])?
            $($($member:ident $([$column:literal])?),+: $Type:ty $(=> $value:expr)?,)*
        }
        $($other:ident: $other_value:expr,)*
    ) => {
        $(#[$doc])*
        #[derive(sqlx_macros::FromRow)]
        $vis struct $Row {
            $($(#[sqlx(rename = $text_column)])? $text: String,)+
            $($($part: $Part,)+)?
            $($($(#[sqlx(rename = $column)])? $member: $Type,)+)*
            created_at: $crate::features::records::row::Time,
            updated_at: $crate::features::records::row::Time,
            version: i64,
        }

        impl $Row {
            $vis const NAMES: &'static [&'static str] = &[
                $(row!(@column $text $($text_column)?), concat!(row!(@column $text $($text_column)?), "_key"),)+
                $($(stringify!($part),)+)?
                $($(row!(@column $member $($column)?),)+)*
                "created_at",
                "updated_at",
                "version",
            ];
        }

        impl $crate::features::records::row::ColumnsOf for $Row {
            const COLUMNS: &'static str = concat!(
                $(row!(@column $text $($text_column)?), ", ",)+
                $($(stringify!($part), ", ",)+)?
                $($(row!(@column $member $($column)?), ", ",)+)*
                "created_at, updated_at, version"
            );
        }

        impl TryFrom<$Row> for $Record {
            type Error = sqlx::Error;

            fn try_from(row: $Row) -> $crate::platform::db::Result<Self> {
                let $Row { $($text,)+ $($($part,)+)? $($($member,)+)* created_at, updated_at, version } = row;
                $(row!(@let [$($member),+] $($value)?);)*
                let [created_at, updated_at] = [created_at, updated_at].map(|time| time.0);
                Ok($Record {
                    $($other: $other_value,)*
                    $($text,)+
                    $($($member,)+)*
                    created_at,
                    updated_at,
                    version,
                })
            }
        }
    };
}
pub(crate) use row;

/// A type of column in a [`row!`].
pub trait Value {
    /// The type of the record's member.
    type Member;

    fn value(self) -> Self::Member;
}

impl Value for String {
    type Member = Self;

    fn value(self) -> Self {
        self
    }
}

impl Value for i64 {
    type Member = Self;

    fn value(self) -> Self {
        self
    }
}

impl<T: Value> Value for Option<T> {
    type Member = Option<T::Member>;

    fn value(self) -> Self::Member {
        self.map(T::value)
    }
}

/// Defines a type of column that is decoded from what the database has, and the type of its member.
macro_rules! decoded {
    ($(#[$doc:meta])* $Column:ident $(<$T:ident: $bound:ident>)? = $Member:ty: |$stored:ident: $Stored:ty| $value:expr) => {
        $(#[$doc])*
        pub struct $Column $(<$T>)? (pub $Member);

        impl $(<$T>)? Value for $Column $(<$T>)? {
            type Member = $Member;

            fn value(self) -> $Member {
                self.0
            }
        }

        impl<DB: Database, $($T)?> Type<DB> for $Column $(<$T>)?
        where
            $Stored: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$Stored>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                <$Stored>::compatible(info)
            }
        }

        impl<'r, DB: Database, $($T: $bound)?> Decode<'r, DB> for $Column $(<$T>)?
        where
            $Stored: Decode<'r, DB>,
        {
            fn decode(stored: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
                let $stored = <$Stored>::decode(stored)?;
                Ok(Self($value))
            }
        }
    };
}

decoded! {
    /// The id of a record.
    Id = String: |id: Uuid| id.to_string()
}
decoded! {
    /// A date, or one of the fixed texts of a choice.
    Parsed<T: FromStr> = T: |text: String| text.parse().map_err(|_| "not a text of this column")?
}
decoded! {
    /// An amount in pence.
    Pence = Money: |pence: i64| Money::from_pence(pence).ok_or("an amount out of range")?
}
decoded! {
    /// A number that is not negative.
    Count = u32: |count: i64| u32::try_from(count)?
}
decoded! {
    /// A time in microseconds, as RFC 3339.
    Time = String: |micros: i64| rfc3339(micros)
}
