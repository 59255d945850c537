//! Builds a statement: its text, piece by piece, and its arguments.

use super::{Args, Db, Result, Row, Sql, Target, Tx, Value};
use crate::platform::events::Change;
use sqlx::{Arguments, Encode, Postgres, Type};
use std::fmt::Write;

impl Sql<'_> {
    /// Binds a value to the next placeholder of the text (`$1`, `$2`, …).
    pub fn bind(mut self, value: impl Value) -> Self {
        self.bound += 1;
        let encoded = match &mut self.args {
            Args::Sqlite(args) => args.add(value),
            Args::Postgres(args) => args.add(value),
        };
        // Fails only for values that no column can store, such as a text of over 2 GB. Running the statement returns
        // the error.
        self.failed = self.failed.or(encoded.map_err(sqlx::Error::Encode).err());
        self
    }

    /// Binds the values of a tuple to the next placeholders of the text, in their order.
    pub fn bind_all(self, values: impl Values) -> Self {
        values.bind_to(self)
    }

    /// Announces a change that this statement makes, once its transaction has committed.
    pub fn announce(mut self, change: Change) -> Self {
        match &mut self.target {
            Target::Tx(tx) => tx.announce(change),
            Target::Db(_) => {
                self.failed = Some(sqlx::Error::Protocol("a change is announced only in a transaction".into()));
            }
        }
        self
    }

    /// Lets PostgreSQL plan the statement for its own values whenever it runs outside a transaction, at the cost of a
    /// round trip. A plan for all values ignores how large the tenant is, and how many rows match.
    pub fn planned_each_time(self) -> Self {
        Sql { is_prepared: false, ..self }
    }

    /// Appends SQL text.
    pub fn push(mut self, text: &'static str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Appends a placeholder and binds the value to it. Not to be mixed with `$1`, `$2`, … in the text: on SQLite it is
    /// a bare `?`, because SQLite looks up numbered ones one by one, which is quadratic in a bulk insert.
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

    /// Appends `text` and a placeholder for `value`.
    pub fn push_arg(self, text: &'static str, value: impl Value) -> Self {
        self.push(text).arg(value)
    }

    /// Appends `text` and a placeholder for `value`, as for an optional filter; nothing if it is `None`.
    pub fn filter(self, text: &'static str, value: Option<impl Value>) -> Self {
        match value {
            Some(value) => self.push_arg(text, value),
            None => self,
        }
    }

    /// Appends what `f` appends for each item, with the separator between them.
    pub fn joined<T>(
        mut self,
        separator: &'static str,
        items: impl IntoIterator<Item = T>,
        f: impl Fn(Self, T) -> Self,
    ) -> Self {
        for (i, item) in items.into_iter().enumerate() {
            self = f(self.push(if i > 0 { separator } else { "" }), item);
        }
        self
    }

    /// Appends, after a table's name, the index to use on SQLite. Its statistics ignore how rows are distributed over
    /// tenants, and before the program's first regular shutdown there are none: it would read too many rows.
    pub fn indexed_by(self, index: &'static str) -> Self {
        if self.is_for_postgres() { self } else { self.push(" INDEXED BY ").push(index) }
    }

    /// Appends the position of `part` in `text`, an SQL expression: 0 if the text does not contain it, 1 if it begins
    /// with it.
    pub fn position(self, text: &'static str, part: impl Into<String>) -> Self {
        let function = if self.is_for_postgres() { "strpos(" } else { "instr(" };
        self.push(function).push(text).push_arg(", ", part.into()).push(")")
    }

    /// Appends texts as the content of the parentheses of `IN (…)`. Without texts, no row fulfils that condition.
    pub fn texts(self, texts: impl IntoIterator<Item = impl Value>) -> Self {
        texts.into_iter().fold(self.push("''"), Sql::comma)
    }

    /// Appends `(…),(…)`, one tuple per item, each filled by `f`, for a multi-row insert.
    pub fn tuples<T>(self, items: impl IntoIterator<Item = T>, f: impl Fn(Self, T) -> Self) -> Self {
        self.joined(",", items, |sql, item| f(sql.push("("), item).push(")"))
    }

    /// Appends `before` and a placeholder for an array of the SQL type `cast`, with a whole column of values.
    /// PostgreSQL only: SQLite has no arrays.
    pub fn column<T>(mut self, before: &'static str, cast: &'static str, values: Vec<T>) -> Self
    where
        Vec<T>: Send + for<'q> Encode<'q, Postgres> + Type<Postgres>,
    {
        let text = self.text.to_mut();
        let _ = write!(text, "{before}CAST(${} AS {cast})", self.bound + 1);
        self.bound += 1;
        if let Args::Postgres(args) = &mut self.args {
            self.failed = self.failed.or(args.add(values).map_err(sqlx::Error::Encode).err());
        }
        self
    }

    /// Returns whether the statement is for PostgreSQL, and not for SQLite.
    pub fn is_for_postgres(&self) -> bool {
        matches!(self.args, Args::Postgres(_))
    }

    /// Appends a comma and a placeholder for `value`.
    pub fn comma(self, value: impl Value) -> Self {
        self.push(",").arg(value)
    }
}

impl Sql<'_> {
    /// Returns whether the query finds a row.
    pub async fn exists(self) -> Result<bool> {
        Ok(self.maybe::<()>().await?.is_some())
    }

    /// Returns the value of each row of a query for one column.
    pub async fn values<T>(self) -> Result<Vec<T>>
    where
        (T,): Row,
    {
        Ok(self.all::<(T,)>().await?.into_iter().map(|(value,)| value).collect())
    }

    /// Returns the value of a query for one column and at most one row; `None` if it finds no row.
    pub async fn maybe_value<T>(self) -> Result<Option<T>>
    where
        (T,): Row,
    {
        Ok(self.maybe::<(T,)>().await?.map(|(value,)| value))
    }

    /// Returns the value of a query for one column and one row; [`sqlx::Error::RowNotFound`] if it finds no row.
    pub async fn value<T>(self) -> Result<T>
    where
        (T,): Row,
    {
        Ok(self.one::<(T,)>().await?.0)
    }
}

/// The database or a transaction, for functions that run a statement in either.
pub trait Connection<'e> {
    fn sql(self, text: &'static str) -> Sql<'e>;
}

impl<'e> Connection<'e> for &'e Db {
    fn sql(self, text: &'static str) -> Sql<'e> {
        Db::sql(self, text)
    }
}

impl<'e> Connection<'e> for &'e mut Tx {
    fn sql(self, text: &'static str) -> Sql<'e> {
        Tx::sql(self, text)
    }
}

/// A tuple of values, for [`Sql::bind_all`].
pub trait Values {
    fn bind_to(self, sql: Sql<'_>) -> Sql<'_>;
}

macro_rules! values {
    ($($value:ident)*) => {
        impl<$($value: Value),*> Values for ($($value,)*) {
            #[expect(non_snake_case)]
            fn bind_to(self, sql: Sql<'_>) -> Sql<'_> {
                let ($($value,)*) = self;
                sql$(.bind($value))*
            }
        }
    };
}

values!(A B);
values!(A B C);
values!(A B C D);
values!(A B C D E);
values!(A B C D E F);
values!(A B C D E F G);
values!(A B C D E F G H);
values!(A B C D E F G H I);
values!(A B C D E F G H I J);

#[cfg(test)]
impl Sql<'_> {
    /// Returns the lines of the query plan of this statement.
    pub(crate) async fn explain(mut self) -> Result<String> {
        let word = match self.args {
            Args::Sqlite(_) => "EXPLAIN QUERY PLAN ",
            Args::Postgres(_) => "EXPLAIN ",
        };
        self.text.to_mut().insert_str(0, word);
        let lines: Vec<String> = match word {
            "EXPLAIN " => self.values().await?,
            _ => self.run::<(i64, i64, i64, String)>().await?.0.into_iter().map(|(.., detail)| detail).collect(),
        };
        Ok(lines.join("\n"))
    }
}
