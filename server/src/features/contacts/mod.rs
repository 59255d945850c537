//! The list of contacts, and their comments. What contacts share with other kinds of records is in `records`.

mod comment_store;
pub mod comments;
mod insertion;
mod routes;
mod store;

use crate::access::scope::{Contacts, May, Read};
use crate::features::listing::duplicates::IdentityColumns;
use crate::features::listing::{ListFilter, Listed};
use crate::features::records::duplicates::Mergeable;
use crate::features::records::{self, ListParameters, ListRequest};
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, LocalDay, Params, optional_id};
use axum::Json;
use forecourt_core::contacts::{ContactList, ContactPagination, ContactSummary, PAGE_SIZE};
use forecourt_core::lists::Today;
use forecourt_core::paging::total_pages;
use forecourt_core::permissions::Access;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use insertion::{NewContact, Origin, insert_batch};
pub(crate) use store::read_whole;

/// The query parameters of the list of contacts.
#[derive(Deserialize, JsonSchema)]
pub struct ContactQuery {
    #[serde(flatten)]
    list: ArrangedListQuery<ContactSummary, PAGE_SIZE>,
    /// Only contacts that the import with this id has created.
    #[serde(default, rename = "importBatchId")]
    import: String,
}

impl Mergeable for ContactSummary {
    const IDENTITY: IdentityColumns = IdentityColumns {
        texts: "'' AS organization_number, name, email, phone, address, '' AS postal_code",
        organization_number_key: None,
        name_key: "name_key",
        email_key: "email_key",
        phone_key: "phone_key",
        place_keys: &["address_key"],
    };
}

impl ListParameters for ContactQuery {
    fn read(&self, access: &Access, today: &Today) -> ApiResult<ListRequest> {
        let request = ListParameters::read(&self.list, access, today)?;
        let import = optional_id("importBatchId", &self.import)?;
        Ok(ListRequest { filter: ListFilter { import, ..request.filter }, ..request })
    }
}

pub async fn list(
    may: May<Read, Contacts>,
    LocalDay(today): LocalDay,
    Params(query): Params<ContactQuery>,
) -> ApiResult<Json<ContactList>> {
    let request = query.read(may.access(), &today)?;
    let Listed { rows, total, .. } = records::list::<ContactSummary>(&may, &request).await?;
    let pagination = ContactPagination {
        current_page: request.page.page,
        total_pages: total_pages(total, request.page.limit),
        total_contacts: total,
    };
    Ok(Json(ContactList { success: true, data: rows, pagination }))
}
