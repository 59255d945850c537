//! What the tests of all routes, tables and tenants need to know about each list of records.

pub use crate::RECORDS;
use crate::app::TestApp;
use crate::helpers::create_record;
use crate::policy::content::Content;
use crate::policy::samples::RequestValues;
use forecourt::platform::db::Db;
use forecourt_core::lists::fields_of;
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::fold;
use serde_json::{Value, json};
use uuid::Uuid;

/// A list of a tenant's records that has the common routes of records (`features/records`).
#[derive(Debug)]
pub struct TestRecord {
    /// The name of the list in the API's paths, which is also that of the table and the resource.
    pub list: &'static str,
    /// The table's column for the record's id.
    pub id: &'static str,
    /// A text column that a search covers.
    pub text: &'static str,
    /// The other columns without a default, each with an SQL value.
    pub others: &'static [(&'static str, &'static str)],
    /// Returns a form that is valid for a new record and for an update.
    pub form: fn() -> Value,
    /// The label, as in the history and the trash, of a record with this form.
    pub label: &'static str,
    /// A text field that bulk actions can change to `lund.example`.
    pub bulk_field: &'static str,
}

pub const CONTACTS: TestRecord = TestRecord {
    list: "contacts",
    id: "contact_id",
    text: "name",
    others: &[("email", "''"), ("phone", "''"), ("website", "''"), ("address", "''"), ("other_details", "'{}'")],
    form: || json!({"name": "Ada Öberg"}),
    label: "Ada Öberg",
    bulk_field: "website",
};

impl TestRecord {
    pub fn find(list: &str) -> &'static TestRecord {
        RECORDS.iter().find(|record| record.list == list).unwrap_or_else(|| panic!("{list} has no TestRecord"))
    }

    /// Returns the name of the field that has the record's id in responses.
    pub fn id_field(&self) -> &'static str {
        fields_of(self.list).unwrap()[0].name
    }

    /// Returns the name of the field that has the time of a record's last change.
    pub fn time_field(&self) -> &'static str {
        let is_field = |name: &&str| fields_of(self.list).unwrap().iter().any(|field| field.name == *name);
        ["updatedAt", "updated_at"].into_iter().find(is_field).unwrap()
    }

    pub fn resource(&self) -> ResourceId {
        ResourceId::parse(self.list).unwrap()
    }

    /// Inserts a record with this id and text into a tenant.
    pub async fn insert(&self, db: &Db, corp: Uuid, id: Uuid, text: &str) -> forecourt::platform::db::Result<u64> {
        self.insert_all(db, corp, &[id], text).await
    }

    /// Inserts records with these ids and the same text into a tenant.
    pub async fn insert_all(
        &self,
        db: &Db,
        corp: Uuid,
        ids: &[Uuid],
        text: &str,
    ) -> forecourt::platform::db::Result<u64> {
        let mut tx = db.begin_job().await?;
        let sql = tx.sql("INSERT INTO ").push(self.list).push(" (corp_id, doc, created_at, updated_at, ").push(self.id);
        let sql = sql.push(", ").push(self.text).push(", ").push(self.text).push("_key");
        let sql = self.others.iter().fold(sql, |sql, (column, _)| sql.push(", ").push(column));
        let sql = sql.push(") VALUES ").tuples(ids, |sql, id| {
            let sql = sql.arg(corp).push(", 0, 0, 0").comma(*id).comma(text.to_owned()).comma(fold(text));
            self.others.iter().fold(sql, |sql, (_, value)| sql.push(", ").push(value))
        });
        let count = sql.exec().await?;
        tx.commit().await?;
        Ok(count)
    }

    pub async fn delete(&self, db: &Db, id: Uuid) -> u64 {
        let sql = db.sql("DELETE FROM ").push(self.list).push(" WHERE ").push(self.id).push_arg(" = ", id);
        sql.exec().await.unwrap()
    }

    /// Returns the body of a request that creates or updates a record.
    pub fn form(&self, _: &RequestValues) -> Content {
        Content::Json((self.form)())
    }

    /// Returns the body of a bulk update of all records, to a value that none of them has.
    pub fn bulk_update(&self, values: &RequestValues) -> Content {
        let fields = json!({self.bulk_field: format!("lund{}.example", values.n)});
        Content::Json(json!({"query": {}, "action": "update", "fields": fields}))
    }

    /// Returns the body of a bulk deletion whose record does not exist.
    pub fn bulk_delete(&self, values: &RequestValues) -> Content {
        Content::Json(json!({"ids": [values.user.to_string()], "action": "delete"}))
    }
}

/// Creates a record with its test form, and returns its path and its id.
pub async fn create(app: &TestApp, token: &str, record: &TestRecord) -> (String, String) {
    let path = format!("/api/{}", record.list);
    let path = create_record(app, token, &path, (record.form)(), record.id_field()).await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    (path, id)
}

/// Returns the body of a merge whose records do not exist.
pub fn merge_of_missing(values: &RequestValues) -> Content {
    Content::Json(json!({"keep": values.user.to_string(), "ids": [values.corp.to_string()]}))
}
