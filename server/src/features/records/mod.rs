//! What records of all kinds have in common: their lists, single records, creation, update, deletion, bulk actions, and
//! export. A feature declares an [`Entity`] and an [`Editable`], and keeps its rules, its forms and the columns that
//! they write.

pub mod bulk;
pub mod change;
pub mod columns;
pub mod csv;
pub mod details;
pub mod duplicates;
pub mod erasure;
pub mod export;
mod hidden;
pub mod identity;
mod list;
pub mod merge;
pub mod moved;
pub mod plain;
pub mod restore;
pub mod revert;
#[cfg(test)]
mod roundtrip_tests;
pub mod routes;
pub mod row;
mod set_fields;
pub mod table;
pub mod trash;
pub mod unmerge;
mod xlsx;

use crate::access::scope::{Create, Delete, May, Read, ResourceType, Scope, Update};
use crate::features::history;
use crate::features::listing::{self, Listing};
use crate::features::state::App;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Row, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, LocalDay, Repeatable, Unchecked};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::agreements::AgreementState;
use forecourt_core::date::Date;
use forecourt_core::form::{Checked, FieldError, Form, FormSettings, UpdateForm, check_update, check_with};
use forecourt_core::history::HistoryAction;
use forecourt_core::lists::{HasList, Today};
use forecourt_core::message::Message;
use forecourt_core::privacy::erased_fields;
use forecourt_core::reply::{Done, Reply};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

pub use hidden::as_seen;
pub use list::{ListParameters, ListRequest, list, list_page, panel_filter};

use columns::{Base, Columns, Stored};
use hidden::without_hidden;
use row::ColumnsOf;
use table::Table;
use trash::{Child, Files, Link};

/// A kind of record that has a list. The type that implements this has the fields that the list shows.
pub trait Entity: HasList + Serialize + JsonSchema + Send + Sync + Sized + 'static {
    /// The resource whose permissions apply to these records.
    type Resource: ResourceType + 'static;
    type Row: Row + ColumnsOf + TryInto<Self, Error = sqlx::Error> + Send + Unpin + 'static;
    /// The query parameters of the list of these records.
    type Query: ListParameters;
    const LISTING: &'static Listing;
    const TABLE: Table;
    /// The tables with rows that belong to a record, and are deleted with it.
    const CHILDREN: &'static [Child] = &[];
    /// The tables with files of these records.
    const FILES: &'static [Files] = &[];
    /// The tables whose rows lose their link to a record when it is deleted.
    const LINKS: &'static [Link] = &[];
    /// The column with the other details (texts under names of the user's choice), if the table has one.
    const DETAILS: Option<&'static str> = None;
    /// The name of the column with the record's id.
    const ID: &'static str = Self::LISTING.id;
    /// The columns that [`Entity::Row`] reads, as SQL.
    const COLUMNS: &'static str = Self::Row::COLUMNS;
    /// The name of the field, and of its column, with the text by which users know the record, such as its name.
    const LABEL: &'static str = "name";
    /// Whether there is a [`Entity::deletion_error`].
    const MAY_REFUSE_DELETION: bool = false;
    /// The table with the states of these records' agreements, and its column with a record's id. `None` if no
    /// [`Entity::deletion_error`] depends on these states.
    const IN_AGREEMENTS: Option<(&'static str, &'static str)> = None;
    /// Whether an update can fail because another record has the same value. Then there is a
    /// [`Entity::named_write_error`].
    const HAS_UNIQUE_VALUES: bool = false;

    fn from_row(row: Self::Row) -> Result<Self> {
        row.try_into()
    }

    /// Returns the record as a page of the list has it, without what only its own page shows.
    fn in_list(self) -> Self {
        self
    }

    /// Returns why the record can't be deleted; `None` if it can be. `agreements` are the states of those that it is in
    /// ([`Entity::IN_AGREEMENTS`]).
    fn deletion_error(&self, _agreements: &[AgreementState]) -> Option<&'static Message> {
        None
    }

    /// Updates the values of these records that follow from rows linked to them, after such a row or its link was
    /// written. `batch` is the history entry of the batch that wrote it, if a batch did.
    fn refresh(
        _: &mut Tx,
        _: &Scope,
        _now: i64,
        _batch: Option<Uuid>,
        _ids: &[Uuid],
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Converts a database error of a write into the error of the request.
    fn write_error(error: sqlx::Error) -> ApiError {
        error.into()
    }

    /// As [`Entity::write_error`], with an error that names this record, because the request changes several.
    fn named_write_error(&self, error: sqlx::Error) -> ApiError {
        Self::write_error(error)
    }

    /// Returns the columns with personal data besides those of the fields, each with the value that an erasure sets.
    fn personal_others() -> Vec<(&'static str, Stored)> {
        Vec::new()
    }
}

/// The result of checking a form: the valid form, or its validation errors.
pub type CheckedForm<F> = std::result::Result<Checked<F>, Vec<FieldError>>;

/// A kind of record that forms create and change, singly or in bulk actions. [`Editable::Row`] may have more columns
/// than the row of the list.
pub trait Editable: Send + Sync + Sized + 'static {
    type Entity: Entity;
    type Row: Row + ColumnsOf + Send + Unpin;
    /// The form of a new record.
    type NewForm: Form + Send;
    /// The form of an update. Its fields have the same names as the record's.
    type Form: UpdateForm + Form + DeserializeOwned + Clone + Send;
    /// The record as responses show it.
    type Shown: Serialize + JsonSchema + Send;
    const COLUMNS: &'static str = Self::Row::COLUMNS;

    fn from_row(row: Self::Row) -> Result<Self>;

    fn record(&self) -> &Self::Entity;

    fn into_record(self) -> Self::Entity;

    /// Returns a record of this tenant as responses show it.
    fn show(scope: &Scope, id: Uuid) -> impl Future<Output = ApiResult<Self::Shown>> + Send;

    /// Creates a record and its entry in the history, with a function of [`change`].
    fn create(
        scope: &Scope,
        app: &App,
        form: Checked<Self::NewForm>,
    ) -> impl Future<Output = ApiResult<Self::Shown>> + Send;

    /// Adds to a new record's form what its rules need besides its fields, such as values from the database.
    fn complete_new(_: &Scope, _: &Today, form: Self::NewForm) -> impl Future<Output = Result<Self::NewForm>> + Send {
        async { Ok(form) }
    }

    /// Adds to an update's form what its rules need besides its fields and the record, such as the day.
    fn complete(_: &Scope, _: &Today, form: Self::Form) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// As [`Editable::complete`], for a change of this record. Reads in the transaction, if there is one.
    fn complete_change(
        &self,
        _: Option<&mut Tx>,
        _: &Scope,
        _today: Date,
        form: Self::Form,
    ) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// Adds to the form of an update of this record what its rules need of the record.
    fn add_stored(&self, form: Self::Form) -> Self::Form {
        form
    }

    /// Checks the form of an update of this record. `settings` are those of the installation. Returns the checked form,
    /// or its validation errors.
    fn check(&self, settings: FormSettings, form: Self::Form) -> CheckedForm<Self::Form> {
        check_update(settings, form, identity::website(self.record()))
    }

    /// Returns the columns that an update with this form sets.
    ///
    /// # Errors
    /// The values can't be stored.
    fn columns(&self, form: &Self::Form) -> ApiResult<Columns>;

    /// Returns the names of the secrets, such as the social security number, that an update with this form removes.
    fn removed_secrets(&self, _form: &Self::Form) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether an update with this form sets a secret, such as the social security number. It is not compared
    /// with the stored one, so the update always counts as a change.
    fn has_secret(_form: &Self::Form) -> bool {
        false
    }

    /// Updates the record, with [`change::update_columns`]. Returns `false`, and writes nothing, if the record has changed
    /// since it was read.
    fn save(self, scope: &Scope, app: &App, form: Checked<Self::Form>) -> impl Future<Output = ApiResult<bool>> + Send {
        async move {
            let columns = self.columns(&form)?;
            let update = change::update_columns(scope, self.into_record(), app.clock.now(), columns, &[]);
            update.await.map_err(Self::Entity::write_error)
        }
    }
}

/// The entity of a type of record that forms change.
pub type EntityOf<E> = <E as Editable>::Entity;

/// The resource whose permissions apply to these records.
pub type ResourceOf<E> = <EntityOf<E> as Entity>::Resource;

/// Returns a record of this tenant, as the list has it and the user sees it.
pub async fn get<E: Entity>(scope: &Scope, id: Uuid) -> Result<E> {
    shown(scope, listing::rows(scope, E::COLUMNS, E::LISTING, vec![id]).one().await?)
}

/// Returns the records with these ids as the user sees them, in the order of `ids`. Ids without a record are left out.
pub async fn get_existing<E: Entity>(scope: &Scope, ids: Vec<Uuid>) -> Result<Vec<E>> {
    let rows: Vec<E::Row> = listing::rows(scope, E::COLUMNS, E::LISTING, ids).all().await?;
    rows.into_iter().map(|row| shown(scope, row)).collect()
}

fn shown<E: Entity>(scope: &Scope, row: E::Row) -> Result<E> {
    Ok(as_seen(scope, E::from_row(row)?))
}

/// `DELETE /api/{resource}/{id}`: moves the record to the trash, with what belongs to it.
pub async fn remove<E: Entity>(
    may: May<Delete, E::Resource>,
    State(app): State<App>,
    Id(id): Id,
) -> ApiResult<Json<Done>> {
    if !change::delete::<E>(&may, app.clock.now(), id).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Json(Done::new(E::LIST.deleted)))
}

/// `GET /api/{resource}/{id}`
pub async fn show<E: Editable>(may: May<Read, ResourceOf<E>>, Id(id): Id) -> ApiResult<Json<Reply<E::Shown>>> {
    Ok(Json(Reply::new(E::show(&may, id).await?)))
}

/// `POST /api/{resource}`: creates a record. If the request is repeated with its `Idempotency-Key`, responds with the
/// record that it created before, or with 400 if the body is another.
pub async fn create<E: Editable>(
    may: May<Create, ResourceOf<E>>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    Repeatable(request, Unchecked(form)): Repeatable<Unchecked<E::NewForm>>,
) -> ApiResult<Created<Reply<E::Shown>>> {
    let scope = may.of_request(request);
    let shown = match create_checked::<E>(&scope, &app, &today, form).await {
        Ok(shown) => shown,
        // Of a vehicle, the error may be that its registration number exists already: in the first request's vehicle.
        Err(error) => {
            let resource = ResourceOf::<E>::RESOURCE;
            let created = history::record_of_request(&scope, &error, HistoryAction::Created, resource).await?;
            let (id, is_same) = created.ok_or(error)?;
            let shown = E::show(&scope, id).await.map_err(history::deleted_meanwhile)?;
            if is_same { shown } else { return Err(ApiError::key_used(&shown)) }
        }
    };
    Ok(Created(Reply::new(shown).with_message(EntityOf::<E>::LIST.created)))
}

async fn create_checked<E: Editable>(scope: &Scope, app: &App, today: &Today, form: E::NewForm) -> ApiResult<E::Shown> {
    let form = E::complete_new(scope, today, without_hidden::<E::Entity, _>(scope, form)?).await?;
    E::create(scope, app, check_with(app.form_settings, form)?).await
}

/// `PUT /api/{resource}/{id}`: updates a record, and responds with the current record. The status is 409, and nothing
/// is updated, if the form is based on an older version and the record does not have its values.
pub async fn update<E: Editable>(
    may: May<Update, ResourceOf<E>>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    Id(id): Id,
    Unchecked(form): Unchecked<E::Form>,
) -> ApiResult<Json<Reply<E::Shown>>> {
    let form = E::complete(&may, &today, form).await?;
    loop {
        let record = E::from_row(listing::rows(&may, E::COLUMNS, EntityOf::<E>::LISTING, vec![id]).one().await?)?;
        // With the stored record, from which it may follow whether a value of the form is hidden.
        let change = without_hidden::<E::Entity, _>(&may, record.add_stored(form.clone()))?;
        let (version, updated_at) = (identity::version(record.record()), identity::updated_at(record.record()));
        // Checked before the form, because its errors would be about a record that the user has not seen.
        let base = Base::of(&change);
        let is_outdated = base.is_outdated(version, updated_at);
        if is_outdated && !has_values(&may, &app, &record, change.clone()).await? {
            return Err(version_conflict::<E>(&may, id, &base).await?);
        }
        // The form may have been saved before, and only the response was lost.
        let is_saved = is_outdated || {
            let form = record.check(app.form_settings, change)?;
            record.save(&may, &app, form).await?
        };
        // Otherwise the record has just been changed, and is read again.
        if is_saved {
            return Ok(Json(Reply::new(E::show(&may, id).await?).with_message(EntityOf::<E>::LIST.updated)));
        }
    }
}

/// Returns whether a record has all values of the form of an update; `false` if the form has a secret.
async fn has_values<E: Editable>(scope: &Scope, app: &App, record: &E, form: E::Form) -> ApiResult<bool> {
    let form = record.check(app.form_settings, form).ok().filter(|form| !E::has_secret(form));
    let Some(form) = form else { return Ok(false) };
    let (columns, record) = (record.columns(&form)?, record.record());
    let of_version = (identity::id(record)?, identity::version(record));
    Ok(columns::has_values::<E::Entity>(scope, of_version, columns).await?)
}

/// A record as responses show it, and the names of its fields that have what an erasure has left in them.
#[derive(Serialize)]
struct WithErased<T> {
    #[serde(flatten)]
    record: T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    erased: Vec<&'static str>,
}

/// Returns the 409 for a request that is based on an old version of a record, with the present record, who changed it
/// last, and which of its fields were erased since `base`.
pub async fn version_conflict<E: Editable>(scope: &Scope, id: Uuid, base: &Base) -> ApiResult<ApiError> {
    let resource = ResourceOf::<E>::RESOURCE;
    let record = E::show(scope, id).await?;
    // Read after the record, so that an erasure in between is not missed.
    let sql = listing::rows(scope, "updated_at, erased_version", EntityOf::<E>::LISTING, vec![id]);
    let (updated_at, erased_version): (i64, Option<i64>) = sql.one().await?;
    // The entry of the last update has the time of that update. A change of what belongs to the record, such as a
    // comment, does not set that time. No entry has it after an erasure.
    let updated_at = rfc3339(updated_at);
    let last_change = history::last_change(scope, resource, id, |entry| entry.at == updated_at).await?;
    let mut erased = Vec::new();
    if erased_version.is_some_and(|version| base.may_precede(version)) {
        let values = set_fields::to_map(&record)?;
        erased = erased_fields(resource, |field| match values.get(field) {
            None | Some(Value::Null) => Some(""),
            Some(Value::String(text)) => Some(text.as_str()),
            Some(value) => value.as_object().is_some_and(Map::is_empty).then_some(""),
        });
    }
    Ok(history::version_conflict(&WithErased { record, erased }, last_change))
}
