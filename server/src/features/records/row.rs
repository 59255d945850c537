//! Rows that know which columns they read.

/// A type of row that one query reads.
pub trait ColumnsOf {
    /// The columns, as SQL.
    const COLUMNS: &'static str;
}

/// Declares a type of row whose fields are named like the columns that it reads. `NAMES` are these names.
macro_rules! row {
    ($(#[$doc:meta])* $vis:vis struct $Row:ident { $first:ident: $First:ty, $($column:ident: $Column:ty,)* }) => {
        $(#[$doc])*
        #[derive(sqlx_macros::FromRow)]
        $vis struct $Row {
            $first: $First,
            $($column: $Column,)*
        }

        impl $Row {
            const NAMES: &'static [&'static str] = &[stringify!($first), $(stringify!($column)),*];
        }

        impl $crate::features::records::row::ColumnsOf for $Row {
            const COLUMNS: &'static str = concat!(stringify!($first), $(", ", stringify!($column)),*);
        }
    };
}
pub(crate) use row;
