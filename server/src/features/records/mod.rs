//! What records of all kinds have in common: their lists, single records, creation, update, deletion, bulk actions, and export.
//! A feature declares an [`Entity`] and an [`Editable`], and keeps its rules, its forms and the columns that they write.

pub mod bulk;
pub mod change;
pub mod columns;
pub mod csv;
pub mod duplicates;
pub mod erasure;
pub mod export;
pub mod merge;
pub mod moved;
pub mod plain;
pub mod restore;
pub mod revert;
#[cfg(test)]
mod roundtrip_tests;
pub mod table;
pub mod trash;
pub mod unmerge;
mod xlsx;

use crate::access::scope::{Create, Delete, May, Read, ResourceType, Scope, Update};
use crate::features::history;
use crate::features::listing::{self, ListFilter, Listed, Listing, Selection};
use crate::features::state::App;
use crate::platform::db::{Result, Row, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, Unchecked};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::{CustomerFilter, CustomerStatus, CustomerType};
use forecourt_core::form::{Checked, FieldError, Form, FormSettings, check_with};
use forecourt_core::history::{HistoryEntry, LastChange};
use forecourt_core::lists::{Arrangement, Record, hidden_fields};
use forecourt_core::message::Message;
use forecourt_core::paging::Page;
use forecourt_core::permissions::Access;
use forecourt_core::reply::{Done, Reply};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use columns::{Base, Columns, Stored};
use table::Table;
use trash::{Child, Files, Link};

/// A kind of record with a list, as the list has it.
pub trait Entity: Record + Serialize + JsonSchema + Send + Sync + Sized + 'static {
    /// Names its permissions.
    type Resource: ResourceType + 'static;
    type Row: Row + Send + Unpin + 'static;
    /// The query parameters of its list.
    type Query: ListParameters;
    const LISTING: &'static Listing;
    const TABLE: Table;
    /// What is deleted with a record.
    const CHILDREN: &'static [Child] = &[];
    /// The tables with its files.
    const FILES: &'static [Files] = &[];
    /// What loses its link to a record that is deleted.
    const LINKS: &'static [Link] = &[];
    /// The columns of its personal fields, in the order of the fields.
    const PERSONAL: &'static [PersonalColumn];
    /// The column with the other details, if there is one.
    const DETAILS: Option<&'static str> = None;
    /// The column of the id.
    const ID: &'static str;
    /// The columns of a row.
    const COLUMNS: &'static str;
    /// The field with the text by which users know the record.
    const LABEL: &'static str;
    /// The message after a deletion.
    const DELETED: &'static Message;
    /// Whether there is a [`Entity::deletion_error`].
    const MAY_REFUSE_DELETION: bool = false;

    fn from_row(row: Self::Row) -> Result<Self>;

    /// Returns why the record can't be deleted.
    fn deletion_error(&self) -> Option<&'static Message> {
        None
    }

    /// Brings what follows from linked rows up to date, after links to these records or the linked rows were written. `batch` is the
    /// entry of the batch that does, if there is one.
    fn refresh(
        _: &mut Tx,
        _: &Scope,
        _now: i64,
        _batch: Option<Uuid>,
        _ids: &[Uuid],
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Converts the error of a write.
    fn write_error(error: sqlx::Error) -> ApiError {
        error.into()
    }

    /// Returns the other columns with personal data, and what an erasure sets them to.
    fn personal_others() -> Vec<(&'static str, Stored)> {
        Vec::new()
    }
}

/// The columns of a text that is erased with the personal data of a record.
pub struct PersonalColumn {
    pub field: &'static str,
    pub column: &'static str,
    /// That of the folded text.
    pub key: &'static str,
}

impl PersonalColumn {
    pub const fn new(field: &'static str, column: &'static str, key: &'static str) -> Self {
        PersonalColumn { field, column, key }
    }
}

/// A form that passed its rules, or its validation errors.
pub type CheckedForm<F> = std::result::Result<Checked<F>, Vec<FieldError>>;

/// A record that forms create and change, one at a time or in bulk actions. Its row may have more columns than that of the list.
pub trait Editable: Send + Sync + Sized + 'static {
    type Entity: Entity;
    type Row: Row + Send + Unpin;
    /// The form of a new record.
    type NewForm: Form + Send;
    /// The form of an update. Its fields have the same names as the record's.
    type Form: Form + DeserializeOwned + Clone + Send;
    /// The record as responses show it.
    type Shown: Serialize + JsonSchema + Send;
    const COLUMNS: &'static str;
    /// The messages after a creation and after an update.
    const CREATED: &'static Message;
    const UPDATED: &'static Message;

    fn from_row(row: Self::Row) -> Result<Self>;

    fn record(&self) -> &Self::Entity;

    fn into_record(self) -> Self::Entity;

    /// Returns a record of this tenant as responses show it.
    fn show(scope: &Scope, id: Uuid) -> impl Future<Output = ApiResult<Self::Shown>> + Send;

    /// Creates a record, with [`change::create`].
    fn create(
        scope: &Scope,
        app: &App,
        form: Checked<Self::NewForm>,
    ) -> impl Future<Output = ApiResult<Self::Shown>> + Send;

    /// Adds what the rules of a new record need besides the request.
    fn complete_new(_: &Scope, form: Self::NewForm) -> impl Future<Output = Result<Self::NewForm>> + Send {
        async { Ok(form) }
    }

    /// Adds what the rules of an update need besides the request and the record.
    fn complete(_: &Scope, form: Self::Form) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// As [`Editable::complete`], for a change of this record inside the transaction, if there is one.
    fn complete_change(
        &self,
        _: Option<&mut Tx>,
        _: &Scope,
        form: Self::Form,
    ) -> impl Future<Output = Result<Self::Form>> + Send {
        async { Ok(form) }
    }

    /// Applies the rules of an update of this record.
    fn check(&self, settings: FormSettings, form: Self::Form) -> CheckedForm<Self::Form> {
        check_with(settings, form)
    }

    /// Returns the columns that an update with this form sets.
    ///
    /// # Errors
    /// The values can't be stored.
    fn columns(&self, form: &Self::Form) -> ApiResult<Columns>;

    /// Returns what an update with this form is based on.
    fn base(form: &Self::Form) -> Base;

    /// Returns the names of the secrets that an update with this form removes. Bulk actions never set one.
    fn removed_secrets(&self, _form: &Self::Form) -> &'static [&'static str] {
        &[]
    }

    /// Updates the record, with [`columns::update`].
    fn save(
        self,
        scope: &Scope,
        app: &App,
        form: Checked<Self::Form>,
    ) -> impl Future<Output = ApiResult<Saved>> + Send {
        async move {
            let (columns, base) = (self.columns(&form)?, Self::base(&form));
            let update = columns::update(scope, self.into_record(), &base, app.clock.now(), columns, &[]);
            update.await.map_err(Self::Entity::write_error)
        }
    }
}

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    Updated,
    /// Nothing: the record is not in the form's version.
    Outdated,
    /// Nothing: the record has changed since it was read. It is read again.
    Changed,
}

type ResourceOf<E> = <<E as Editable>::Entity as Entity>::Resource;

/// The query parameters of a list, not yet parsed.
pub trait ListParameters: DeserializeOwned + JsonSchema + Send {
    /// Reads the parameters of a user with this access.
    ///
    /// # Errors
    /// 400 for invalid parameters.
    fn read(&self, access: &Access) -> ApiResult<ListRequest>;
}

/// The records that a request lists.
pub struct ListRequest {
    pub page: Page,
    pub search: Option<String>,
    pub filter: ListFilter,
    pub arrangement: Arrangement,
}

impl ListRequest {
    pub fn selection(&self) -> Selection<'_> {
        let ListRequest { page, search, filter, arrangement } = self;
        Selection { page: *page, search: search.as_deref(), filter: filter.clone(), arrangement: arrangement.clone() }
    }
}

impl<R: Record> ArrangedListQuery<R> {
    /// Returns the request for a list that has no filter of its own.
    ///
    /// # Errors
    /// As [`ArrangedListQuery::read`].
    pub fn request(&self, default_limit: u32, access: &Access) -> ApiResult<ListRequest> {
        let (page, search, arrangement) = self.read(default_limit, access)?;
        Ok(ListRequest { page, search, filter: ListFilter::default(), arrangement })
    }
}

/// Returns a page of records as the user sees them, newest first unless the request has a sort order.
pub async fn list<E: Entity>(scope: &Scope, request: &ListRequest) -> Result<Listed<E>> {
    let Listed { rows, total, changes } =
        listing::page::<E::Row>(scope, E::COLUMNS, E::LISTING, &request.selection()).await?;
    Ok(Listed { rows: rows.into_iter().map(|row| shown(scope, row)).collect::<Result<_>>()?, total, changes })
}

/// Returns a record of this tenant, as the list has it and the user sees it.
pub async fn get<E: Entity>(scope: &Scope, id: Uuid) -> Result<E> {
    shown(scope, listing::rows(scope, E::COLUMNS, E::LISTING, vec![id]).one().await?)
}

/// Returns the records with these ids as the user sees them, in this order. Ids without a record are left out.
pub async fn get_all<E: Entity>(scope: &Scope, ids: Vec<Uuid>) -> Result<Vec<E>> {
    let rows: Vec<E::Row> = listing::rows(scope, E::COLUMNS, E::LISTING, ids).all().await?;
    rows.into_iter().map(|row| shown(scope, row)).collect()
}

fn shown<E: Entity>(scope: &Scope, row: E::Row) -> Result<E> {
    Ok(as_seen(scope, E::from_row(row)?))
}

/// Returns a record without the fields that the scope's user does not see. What is written is compared with the whole record
/// ([`Entity::from_row`]).
pub fn as_seen<E: Entity>(scope: &Scope, mut record: E) -> E {
    for field in hidden_fields::<E>(scope.access()) {
        record.hide(field);
    }
    record
}

/// Returns a form without the fields that the scope's user does not see.
fn without_hidden<E: Entity, F: Form>(scope: &Scope, mut form: F) -> F {
    for field in hidden_fields::<E>(scope.access()) {
        form.omit(field);
    }
    form
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
    Ok(Json(Done::new(E::DELETED)))
}

/// `GET /api/{resource}/{id}`
pub async fn show<E: Editable>(may: May<Read, ResourceOf<E>>, Id(id): Id) -> ApiResult<Json<Reply<E::Shown>>> {
    Ok(Json(Reply::new(E::show(&may, id).await?)))
}

/// `POST /api/{resource}`
pub async fn create<E: Editable>(
    may: May<Create, ResourceOf<E>>,
    State(app): State<App>,
    Unchecked(form): Unchecked<E::NewForm>,
) -> ApiResult<Created<Reply<E::Shown>>> {
    let form = E::complete_new(&may, without_hidden::<E::Entity, _>(&may, form)).await?;
    let form = check_with(app.form_settings, form)?;
    Ok(Created(Reply::new(E::create(&may, &app, form).await?).with_message(E::CREATED)))
}

/// `PUT /api/{resource}/{id}`: responds with the current record, with 409 if the update was based on an older version.
pub async fn update<E: Editable>(
    may: May<Update, ResourceOf<E>>,
    State(app): State<App>,
    Id(id): Id,
    Unchecked(form): Unchecked<E::Form>,
) -> ApiResult<Json<Reply<E::Shown>>> {
    let listing = <E::Entity as Entity>::LISTING;
    let change = E::complete(&may, without_hidden::<E::Entity, _>(&may, form)).await?;
    loop {
        let record = E::from_row(listing::rows(&may, E::COLUMNS, listing, vec![id]).one().await?)?;
        let form = record.check(app.form_settings, change.clone())?;
        match record.save(&may, &app, form).await? {
            Saved::Updated => return update_reply(true, E::show(&may, id).await?, E::UPDATED),
            Saved::Outdated => return Err(outdated::<E>(&may, id).await?),
            Saved::Changed => {}
        }
    }
}

/// Returns the 409 for a request that is based on another version of a record, with the present one and who changed it last.
pub async fn outdated<E: Editable>(scope: &Scope, id: Uuid) -> ApiResult<ApiError> {
    Ok(ApiError::version_conflict(&present::<E>(scope, id).await?))
}

/// A record with who changed it last.
#[derive(Serialize)]
struct Present<T> {
    #[serde(flatten)]
    record: T,
    /// `None` if its newest entries don't say, as after an erasure.
    last_change: Option<LastChange>,
}

async fn present<E: Editable>(scope: &Scope, id: Uuid) -> ApiResult<Present<E::Shown>> {
    let record: E::Entity = get(scope, id).await?;
    // What only belongs to the record, such as a comment, leaves its time.
    let is_update = |entry: &HistoryEntry| entry.at == change::updated_at(&record);
    let last_change = history::last_change(scope, ResourceOf::<E>::RESOURCE, id, is_update).await?;
    Ok(Present { record: E::show(scope, id).await?, last_change })
}

/// Responds to an update with the current record: 200, or 409 if the update was based on an older version.
pub fn update_reply<T: Serialize>(is_updated: bool, current: T, message: &Message) -> ApiResult<Json<Reply<T>>> {
    match is_updated {
        true => Ok(Json(Reply::new(current).with_message(message))),
        false => Err(ApiError::version_conflict(&current)),
    }
}

/// Returns the filter panel of customers as the filter of a list.
pub fn panel_filter(panel: &Checked<CustomerFilter>) -> ListFilter {
    ListFilter {
        customer_type: panel.customer_type().map(CustomerType::as_str),
        status: panel.status().map(CustomerStatus::as_str),
        from: panel.from().map(|day| day.to_string()),
        to: panel.to().map(|day| day.to_string()),
        ..ListFilter::default()
    }
}
