//! Contacts in the database.

use super::insertion::{NewContact, push_rows};
use super::{ContactQuery, comment_store};
use crate::access::scope::{Contacts, Scope};
use crate::features::listing::{self, CONTACTS, Listing, writes};
use crate::features::records::columns::{Columns, Stored};
use crate::features::records::row::{Id, Time, row};
use crate::features::records::table::Table;
use crate::features::records::trash::{Child, Link};
use crate::features::records::{Editable, Entity, change};
use crate::features::state::App;
use crate::platform::db::Result;
use crate::platform::error::ApiResult;
use forecourt_core::agreements::{Agreement, AgreementState, party_deletion_error};
use forecourt_core::contacts::{Contact, ContactInput, ContactSummary, ContactUpdateInput, text};
use forecourt_core::form::Checked;
use forecourt_core::message::Message;
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The columns of a [`ContactRow`].
const ALL_COLUMNS: &str = "contact_id, name, email, phone, website, address, import_id, import_source, imported_at, \
     created_at, updated_at, version, other_details";

row! {
    /// A contact's row without its other details.
    pub struct SummaryRow for ContactSummary {
        texts: name, email, phone, website, address;
        id["contact_id"]: Id,
        import_batch_id["import_id"]: Option<Id>,
        import_source: Option<String>,
        imported_at: Option<Time>,
    }
}

#[derive(sqlx_macros::FromRow)]
struct ContactRow {
    #[sqlx(flatten)]
    summary: SummaryRow,
    other_details: Json<BTreeMap<String, String>>,
}

impl Entity for ContactSummary {
    type Resource = Contacts;
    type Row = SummaryRow;
    type Query = ContactQuery;
    const LISTING: &'static Listing = &CONTACTS;
    const TABLE: Table = Table::new(
        "contacts",
        &[SummaryRow::NAMES, &["other_details", "import_row", "import_source_key", "erased_version"]],
    )
    .referring(&[("import_id", "imports")]);
    const CHILDREN: &'static [Child] = &[comment_store::CHILD];
    const LINKS: &'static [Link] = &[Link::of::<Agreement>("contact_id")];
    const DETAILS: Option<&'static str> = Some("other_details");
    const MAY_REFUSE_DELETION: bool = true;
    const IN_AGREEMENTS: Option<(&'static str, &'static str)> = Some(("agreements", "contact_id"));

    fn deletion_error(&self, agreements: &[AgreementState]) -> Option<&'static Message> {
        party_deletion_error(agreements, text::HAS_AGREEMENTS)
    }

    fn personal_others() -> Vec<(&'static str, Stored)> {
        vec![("other_details", Stored::Details(BTreeMap::new()))]
    }
}

impl Editable for ContactSummary {
    type Entity = Self;
    type Row = SummaryRow;
    type NewForm = ContactInput;
    type Form = ContactUpdateInput;
    type Shown = Contact;

    fn from_row(row: SummaryRow) -> Result<Self> {
        row.try_into()
    }

    fn record(&self) -> &Self {
        self
    }

    fn into_record(self) -> Self {
        self
    }

    /// Returns the contact with its newest comments.
    async fn show(scope: &Scope, id: Uuid) -> ApiResult<Contact> {
        let contact = async { Ok(get(scope, id).await?) };
        let (contact, comments, comments_total) =
            tokio::try_join!(contact, comment_store::newest(scope, id), comment_store::count(scope, id))?;
        Ok(Contact { comments, comments_total, ..contact })
    }

    async fn create(scope: &Scope, app: &App, form: Checked<ContactInput>) -> ApiResult<Contact> {
        let (name, contact) = (form.name.clone(), NewContact::new(form, None));
        let (id, now, owned) = (contact.id, app.clock.now(), scope.clone());
        let row = change::create::<Self, ContactRow>(scope, now, id, &name, move |sql| {
            let rows = vec![(writes::UNNUMBERED, contact)];
            push_rows(sql, &owned, rows, None, now).push(" RETURNING ").push(ALL_COLUMNS)
        });
        Ok(row.await?.try_into()?)
    }

    fn columns(&self, form: &ContactUpdateInput) -> ApiResult<Columns> {
        let ContactUpdateInput { name, email, phone, website, address, other_details, .. } = form;
        let texts = [("name", name), ("email", email), ("phone", phone), ("website", website), ("address", address)];
        let columns = texts.into_iter().fold(Columns::default(), |columns, (name, text)| columns.set_text(name, text));
        // A form without other details leaves them unchanged; one with them replaces them all.
        Ok(columns.set_if("other_details", other_details.clone()))
    }
}

impl TryFrom<ContactRow> for Contact {
    type Error = sqlx::Error;

    fn try_from(ContactRow { summary, other_details }: ContactRow) -> Result<Self> {
        let (summary, other_details) = (summary.try_into()?, other_details.0);
        Ok(Contact { summary, other_details, comments: Vec::new(), comments_total: 0 })
    }
}

/// Returns a contact of this tenant with all its comments.
pub async fn read_whole(scope: &Scope, id: Uuid) -> ApiResult<Contact> {
    let contact = get(scope, id).await?;
    let comments = comment_store::all(scope, id).await?;
    Ok(Contact { comments_total: comments.len() as u64, comments, ..contact })
}

/// Returns a contact of this tenant, without its comments.
async fn get(scope: &Scope, id: Uuid) -> Result<Contact> {
    listing::rows(scope, ALL_COLUMNS, &CONTACTS, vec![id]).one::<ContactRow>().await?.try_into()
}

#[cfg(test)]
mod tests {
    use super::super::insert_batch;
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::features::listing::definitions::test_database;
    use crate::features::listing::{ListFilter, Listed};
    use crate::features::records::{self, ListRequest};
    use crate::platform::db::{Db, update_statistics};
    use forecourt_core::form::check;
    use forecourt_core::lists::Arrangement;
    use forecourt_core::paging::Page;

    /// Returns a database with 8,000 contacts of one tenant, and three times as many of others.
    async fn filled(folder: &std::path::Path) -> (Db, Scope) {
        let db = test_database(folder).await;
        let mut tx = db.begin().await.unwrap();
        let mut scopes = Vec::new();
        for count in [8_000].into_iter().chain([400; 60]) {
            let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
            tx.sql("INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, 'Nordbil', 0, 0)")
                .bind(scope.corp())
                .exec()
                .await
                .unwrap();
            let contact = |i: u32| {
                let name = format!("{} {i}", ["Ada", "Björn", "Cecilia", "Dagmar"][i as usize % 4]);
                let email = format!("{:x}@example.se", i.wrapping_mul(2_654_435_761));
                let input = ContactInput { name, email, ..ContactInput::default() };
                NewContact::new(check(input).unwrap(), None)
            };
            insert_batch(&mut tx, &scope, (0..count).map(contact).collect(), None, 0).await.unwrap();
            scopes.push(scope);
        }
        tx.commit().await.unwrap();
        update_statistics(&db).await;
        (db, scopes.swap_remove(0))
    }

    #[tokio::test]
    async fn search_ignores_case_and_accents_at_any_length() {
        let folder = tempfile::tempdir().unwrap();
        let (db, scope) = filled(folder.path()).await;
        let list = async |search: &str, page| {
            let (search, filter, arrangement) =
                (Some(search.to_owned()), ListFilter::default(), Arrangement::default());
            let request = ListRequest { page, search, filter, arrangement };
            let Listed { rows, total, .. } = records::list::<ContactSummary>(&scope, &request).await.unwrap();
            (rows, total)
        };
        let page = Page { page: 1, limit: 100 };
        for (search, total) in [
            ("BJORN", 2_000),
            ("bj", 2_000),
            ("Dagmar Björn", 0),
            ("ada 7984", 1),
            ("7984  ada", 1),
            ("%", 0),
            ("_", 0),
        ] {
            let (rows, found) = list(search, page).await;
            assert_eq!((rows.len() as u64, found), (total.min(100), total), "{search}");
        }
        let (rows, _) = list("dagmar", Page { page: 2, limit: 2 }).await;
        assert_eq!(rows.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["Dagmar 7991", "Dagmar 7987"]);
        db.close().await;
    }
}
