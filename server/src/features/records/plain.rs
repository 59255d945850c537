//! Records that are stored as their form has them. A type that implements [`Plain`] is also [`Editable`]: it gets
//! creation, update and bulk actions.

use super::change;
use super::columns::{self, Columns};
use super::{CheckedForm, Editable, Entity, get, identity};
use crate::access::scope::Scope;
use crate::features::state::App;
use crate::platform::db::{Connection, Result, Sql, Tx};
use crate::platform::error::ApiResult;
use forecourt_core::date::Date;
use forecourt_core::form::{Checked, Form, FormSettings, UpdateForm, check_update};
use forecourt_core::lists::Today;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// A record that has one form, for creation and update, and that responses show as the list has it.
pub trait Plain: Entity {
    type Form: UpdateForm + Form + DeserializeOwned + Clone + Send;

    /// Returns the columns that a form writes.
    fn columns(form: &Self::Form) -> Columns;

    /// Adds to the form what its rules need besides its fields and the record, such as values from the database.
    fn complete(_: &Scope, _: &Today, form: Self::Form) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// As [`Editable::complete_change`].
    fn complete_change(
        &self,
        _: Option<&mut Tx>,
        _: &Scope,
        _today: Date,
        form: Self::Form,
    ) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// As [`Editable::add_stored`].
    fn add_stored(&self, form: Self::Form) -> Self::Form {
        form
    }
}

/// Builds the INSERT of records, each with its number in the list, the time of its creation, and its form.
pub(crate) fn insert<'e, E: Plain>(
    db: impl Connection<'e>,
    scope: &Scope,
    records: impl IntoIterator<Item = (i64, i64, Checked<<E as Plain>::Form>)>,
) -> Sql<'e> {
    let row = |(doc, now, form): (_, _, Checked<_>)| (doc, Uuid::now_v7(), now, <E as Plain>::columns(&form));
    columns::push_insert::<E>(db.sql(""), scope, records.into_iter().map(row))
}

impl<E: Plain> Editable for E {
    type Entity = E;
    type Row = <E as Entity>::Row;
    type NewForm = <E as Plain>::Form;
    type Form = <E as Plain>::Form;
    type Shown = E;

    fn from_row(row: <E as Entity>::Row) -> Result<E> {
        <E as Entity>::from_row(row)
    }

    fn record(&self) -> &E {
        self
    }

    fn into_record(self) -> E {
        self
    }

    async fn show(scope: &Scope, id: Uuid) -> ApiResult<E> {
        Ok(get(scope, id).await?)
    }

    async fn create(scope: &Scope, app: &App, form: Checked<<E as Plain>::Form>) -> ApiResult<E> {
        let created = change::create_from_columns(scope, <E as Plain>::columns(&form), app.clock.now());
        created.await.map_err(E::write_error)
    }

    async fn complete_new(scope: &Scope, today: &Today, form: <E as Plain>::Form) -> Result<<E as Plain>::Form> {
        <E as Plain>::complete(scope, today, form).await
    }

    async fn complete(scope: &Scope, today: &Today, form: <E as Plain>::Form) -> Result<<E as Plain>::Form> {
        <E as Plain>::complete(scope, today, form).await
    }

    async fn complete_change(
        &self,
        tx: Option<&mut Tx>,
        scope: &Scope,
        today: Date,
        form: <E as Plain>::Form,
    ) -> Result<<E as Plain>::Form> {
        Plain::complete_change(self, tx, scope, today, form).await
    }

    fn add_stored(&self, form: <E as Plain>::Form) -> <E as Plain>::Form {
        <E as Plain>::add_stored(self, form)
    }

    fn check(&self, settings: FormSettings, form: <E as Plain>::Form) -> CheckedForm<<E as Plain>::Form> {
        check_update(settings, <E as Plain>::add_stored(self, form), identity::website(self))
    }

    fn columns(&self, form: &<E as Plain>::Form) -> ApiResult<Columns> {
        Ok(<E as Plain>::columns(form))
    }
}
