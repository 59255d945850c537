//! Builds a statement: its text, piece by piece, and its arguments.

use super::{Args, Sql, Value};
use crate::platform::clock;
use sqlx::{Arguments, Encode, Postgres, Type};
use std::fmt::Write;

impl Sql<'_> {
    /// Binds the next `$n` of the text.
    pub fn bind(mut self, value: impl Value) -> Self {
        self.bound += 1;
        // Encoding fails only for values beyond every column type, such as a text of over 2 GB. The statement then
        // lacks an argument and fails in the database.
        let encoded = match &mut self.args {
            Args::Sqlite(args) => args.add(value),
            Args::Postgres(args) => args.add(value),
        };
        if let Err(error) = encoded {
            tracing::error!(%error, "a value could not be bound");
        }
        self
    }

    /// Appends text.
    pub fn push(mut self, text: &'static str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Appends a placeholder and binds it. Not to be mixed with `$n` in the text: on SQLite it is a bare `?`, since
    /// numbered ones are looked up one by one, which is quadratic in a bulk insert.
    pub fn arg(mut self, value: impl Value) -> Self {
        let text = self.text.to_mut();
        match self.args {
            Args::Sqlite(_) => text.push('?'),
            Args::Postgres(_) => {
                let _ = write!(text, "${}", self.bound + 1);
            }
        }
        self.bind(value)
    }

    /// Appends `text` and a placeholder if there is a value, as for an optional filter.
    pub fn filter(self, text: &'static str, value: Option<impl Value>) -> Self {
        match value {
            Some(value) => self.push(text).arg(value),
            None => self,
        }
    }

    /// Appends the conditions that a row still has the version, or the `updatedAt`, that an update is based on, if
    /// given (docs/product.md 4.13).
    pub fn require_version(self, version: Option<i64>, updated_at: Option<&str>) -> Self {
        self.filter(" AND version = ", version)
            .filter(" AND updated_at / 1000 = ", clock::updated_at_millis(updated_at))
    }

    /// Appends `(…),(…)`, one tuple per item, each filled by `f`, for a multi-row insert.
    pub fn tuples<T>(mut self, items: impl IntoIterator<Item = T>, f: impl Fn(Self, T) -> Self) -> Self {
        for (i, item) in items.into_iter().enumerate() {
            self = f(self.push(if i > 0 { ",(" } else { "(" }), item).push(")");
        }
        self
    }

    /// Appends a placeholder for an array with a whole column of values. PostgreSQL only: SQLite has no arrays.
    pub fn column<T>(mut self, cast: &'static str, values: Vec<T>) -> Self
    where
        Vec<T>: Send + for<'q> Encode<'q, Postgres> + Type<Postgres>,
    {
        let text = self.text.to_mut();
        let _ = write!(text, "CAST(${} AS {cast})", self.bound + 1);
        self.bound += 1;
        if let Args::Postgres(args) = &mut self.args
            && let Err(error) = args.add(values)
        {
            tracing::error!(%error, "values could not be bound");
        }
        self
    }

    /// Appends `,` and a placeholder.
    pub fn next(self, value: impl Value) -> Self {
        self.push(",").arg(value)
    }
}
