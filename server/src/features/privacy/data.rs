//! The export of everything that is stored about a person, as the files of an archive. At any time only a few records
//! are in memory.

use super::archive::Files;
use super::moved::MovedComment;
use super::person::PersonRecords;
use super::tables::{Records, View};
use super::vehicles::VehicleText;
use crate::access::scope::Scope;
use crate::features::records::columns::push_id_list;
use crate::features::records::trash::Content;
use crate::features::records::{self, Entity, csv};
use crate::features::state::App;
use crate::features::{contacts, customers, history};
use crate::platform::clock::rfc3339;
use crate::platform::db::from_json;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::agreements::Agreement;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::history::{Change, ChangedValue, HistoryEntry};
use forecourt_core::invoices::Invoice;
use forecourt_core::lists::{Cell, Field, Fields};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::is_email_in_history;
use forecourt_core::privacy::text::README;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Records per query.
const BATCH: usize = 100;

pub struct Source {
    pub scope: Scope,
    pub app: App,
    pub found: PersonRecords,
}

impl Source {
    /// Writes all files of the archive.
    pub async fn write(self, mut files: Files) -> ApiResult<()> {
        let files = &mut files;
        files.begin("README.txt").await?;
        files.add(README).await?;
        self.write_json(files).await?;
        self.write_table::<ContactSummary>(files, &self.found.contacts).await?;
        self.write_comments(files).await?;
        self.write_table::<CustomerSummary>(files, &self.found.customers).await?;
        self.write_table::<Invoice>(files, &self.found.invoices).await?;
        self.write_table::<Agreement>(files, &self.found.agreements).await?;
        self.write_history(files).await?;
        self.write_picture(files).await
    }

    async fn write_json(&self, files: &mut Files) -> ApiResult<()> {
        let (scope, found) = (&self.scope, &self.found);
        files.begin("data.json").await?;
        let head = json!({"email": found.email, "exported_at": rfc3339(self.app.clock.now())}).to_string();
        files.add(head.trim_end_matches('}')).await?;
        files.begin_list("contacts").await?;
        for id in &found.contacts.live {
            if let Some(contact) = unless_deleted(contacts::read_whole(scope, *id).await)? {
                files.add_item(&contact).await?;
            }
        }
        files.add("]").await?;
        files.begin_list("customers").await?;
        for id in &found.customers.live {
            let customer = customers::read_whole(scope, &self.app.data_keys, *id).await;
            if let Some(customer) = unless_deleted(customer.map_err(ApiError::from))? {
                files.add_item(&customer).await?;
            }
        }
        files.add("]").await?;
        files.begin_list("invoices").await?;
        for ids in found.invoices.live.chunks(BATCH) {
            for invoice in records::get_existing::<Invoice>(scope, ids.to_vec()).await? {
                files.add_item(&invoice).await?;
            }
        }
        files.add("]").await?;
        files.begin_list("agreements").await?;
        for ids in found.agreements.live.chunks(BATCH) {
            for agreement in records::get_existing::<Agreement>(scope, ids.to_vec()).await? {
                files.add_item(&agreement).await?;
            }
        }
        files.add("]").await?;
        files.begin_list("trash").await?;
        for (resource, _, records) in found.records() {
            for ids in records.trashed.chunks(BATCH) {
                for record in self.read_trashed(resource, ids).await? {
                    files.add_item(&record).await?;
                }
            }
        }
        files.add("]").await?;
        files.begin_list("history").await?;
        for (resource, _, records) in found.records() {
            for id in records.all() {
                let mut next = Some(1);
                while let Some(page) = next {
                    let entries = history_page(scope, resource, id, page).await?;
                    for entry in &entries {
                        files.add_item(entry).await?;
                    }
                    next = (entries.len() == BATCH).then_some(page + 1);
                }
            }
        }
        files.add("]").await?;
        files.begin_list("imports").await?;
        for import in self.imports().await? {
            files.add_item(&import).await?;
        }
        files.add("]").await?;
        files.begin_list("failed_rows").await?;
        for (.., cells) in &found.failed_rows {
            files.add_item(cells).await?;
        }
        files.add("]").await?;
        files.begin_list("moved_comments").await?;
        for MovedComment { contact, created_at, comment } in &found.moved.comments {
            let item = json!({"contact_id": contact, "createdAt": rfc3339(*created_at), "comment": comment});
            files.add_item(&item).await?;
        }
        files.add("]").await?;
        files.begin_list("vehicle_texts").await?;
        for VehicleText { vehicle, field, text } in &found.vehicles.texts {
            files.add_item(&json!({"vehicle_id": vehicle, "field": field, "text": text})).await?;
        }
        files.add("]").await?;
        files.begin_list("views").await?;
        for View { resource_id, name, search, conditions, created_at, .. } in &found.views {
            let filter: Value = from_json(conditions)?;
            let item = json!({"resource": resource_id, "name": name, "search": search, "filter": filter,
                "created_at": rfc3339(*created_at)});
            files.add_item(&item).await?;
        }
        files.add("]").await?;
        files.begin_list("mentions").await?;
        for (resource, _, records) in found.records() {
            for ids in records.mentions.chunks(BATCH) {
                for mention in self.mentions(resource, ids).await? {
                    files.add_item(&mention).await?;
                }
            }
        }
        files.add("]").await?;
        files.begin_list("account").await?;
        if let Some(user) = found.account {
            files.add_item(&self.account(user).await?).await?;
        }
        files.add("]\n}\n").await
    }

    /// Returns the changes in these entries from or to the person's e-mail address, without other values, which are
    /// someone else's.
    async fn mentions(&self, resource: ResourceId, entries: &[Uuid]) -> ApiResult<Vec<Value>> {
        let sql = self.scope.db().sql("SELECT at, action, changes FROM history WHERE corp_id = ");
        let sql = push_id_list(sql.arg(self.scope.corp()).push(" AND history_id IN ("), entries).push(")");
        let mut mentions = Vec::new();
        for (at, action, changes) in sql.all::<(i64, String, String)>().await? {
            let own = |value: Option<ChangedValue>| match value {
                Some(ChangedValue::Text(text)) if text.to_lowercase() == self.found.email => Some(text),
                _ => None,
            };
            let mut changes: Vec<Change> = from_json(&changes)?;
            changes.retain(|change| is_email_in_history(resource, &change.field));
            for Change { field, before, after } in changes {
                let (before, after) = (own(before), own(after));
                if before.is_some() || after.is_some() {
                    mentions.push(json!({"at": rfc3339(at), "resource": resource.as_str(), "action": action,
                        "field": field, "before": before, "after": after}));
                }
            }
        }
        Ok(mentions)
    }

    /// Returns the file names and times of the imports that created contacts of the person.
    async fn imports(&self) -> ApiResult<Vec<Value>> {
        let mut imports = Vec::new();
        for ids in self.found.imports.chunks(BATCH) {
            let sql = self.scope.db().sql("SELECT file_name, created_at FROM imports WHERE corp_id = ");
            let sql = push_id_list(sql.arg(self.scope.corp()).push(" AND import_id IN ("), ids).push(")");
            let rows: Vec<(String, i64)> = sql.all().await?;
            imports.extend(rows.into_iter().map(|(name, at)| json!({"file_name": name, "imported_at": rfc3339(at)})));
        }
        Ok(imports)
    }

    /// Returns records in the trash with what was deleted with them.
    async fn read_trashed(&self, resource: ResourceId, ids: &[Uuid]) -> ApiResult<Vec<Value>> {
        let sql = self
            .scope
            .db()
            .sql("SELECT record_id, label, deleted_at, content, social_security FROM trash WHERE corp_id = ");
        let sql = sql.arg(self.scope.corp()).push_arg(" AND resource_id = ", resource.as_str());
        let sql = push_id_list(sql.push(" AND record_id IN ("), ids).push(")");
        let mut records = Vec::new();
        for (id, label, at, content, number) in sql.all::<(Uuid, String, i64, String, Option<Vec<u8>>)>().await? {
            let content: Content = from_json(&content)?;
            let number = number.and_then(|number| self.app.data_keys.decrypt(self.scope.corp(), id, &number));
            let mut record = content.row.to_json();
            // The version of the last erasure is not personal data.
            record.remove("erased_version");
            if let Some(number) = number {
                record.insert("social_security_number".into(), number.expose_secret().as_str().into());
            }
            let children: Map<String, Value> = content
                .children
                .into_iter()
                .map(|(table, rows)| (table, rows.iter().map(|row| Value::Object(row.to_json())).collect()))
                .collect();
            records.push(json!({"resource": resource.as_str(), "id": id, "label": label, "deleted_at": rfc3339(at),
                "record": record, "belonging": children}));
        }
        Ok(records)
    }

    /// Returns a user's account without its secrets.
    async fn account(&self, user: Uuid) -> ApiResult<Value> {
        let sql = "SELECT email, first_name, last_name, mobile, user_type, created_at FROM users \
                   WHERE corp_id = $1 AND user_id = $2";
        let (email, first, last, mobile, kind, at): (String, String, String, String, String, i64) =
            self.scope.sql(sql).bind(user).one().await?;
        let sql = "SELECT device_name, created_at FROM sessions WHERE corp_id = $1 AND user_id = $2";
        let sessions: Vec<(String, i64)> = self.scope.sql(sql).bind(user).all().await?;
        let sessions = sessions.into_iter().map(|(device, at)| json!({"device": device, "signed_in_at": rfc3339(at)}));
        Ok(json!({"user_id": user, "email": email, "first_name": first, "last_name": last, "mobile": mobile,
            "user_type": kind, "created_at": rfc3339(at), "sessions": sessions.collect::<Vec<_>>()}))
    }

    async fn write_table<E: Entity>(&self, files: &mut Files, records: &Records) -> ApiResult<()> {
        if records.live.is_empty() {
            return Ok(());
        }
        let fields = Fields::visible(E::FIELDS, self.scope.access()).iter();
        let fields: Vec<&'static Field> = fields.filter(|field| field.is_exported).collect();
        files.begin(&format!("{}.csv", E::TABLE.name)).await?;
        files.add(csv::head(fields.iter().map(|field| field.name))?).await?;
        for ids in records.live.chunks(BATCH) {
            let records = records::get_existing::<E>(&self.scope, ids.to_vec()).await?;
            files.add(csv::lines(&fields, &records)?).await?;
        }
        Ok(())
    }

    async fn write_comments(&self, files: &mut Files) -> ApiResult<()> {
        if self.found.contacts.live.is_empty() {
            return Ok(());
        }
        files.begin("comments.csv").await?;
        files.add(csv::head(["contact_id", "createdAt", "userName", "comment"])?).await?;
        for id in &self.found.contacts.live {
            let Some(contact) = unless_deleted(contacts::read_whole(&self.scope, *id).await)? else { continue };
            let rows = contact.comments.iter().map(|comment| {
                [
                    Cell::Id(&contact.summary.id),
                    Cell::Time(&comment.created_at),
                    Cell::Text(&comment.user_name),
                    Cell::Text(&comment.comment),
                ]
            });
            files.add(csv::rows(rows)?).await?;
        }
        Ok(())
    }

    async fn write_history(&self, files: &mut Files) -> ApiResult<()> {
        files.begin("history.csv").await?;
        files
            .add(csv::head(["at", "user", "action", "resource", "record_id", "label", "field", "before", "after"])?)
            .await?;
        for (resource, _, records) in self.found.records() {
            for id in records.all() {
                let mut next = Some(1);
                while let Some(page) = next {
                    let entries = history_page(&self.scope, resource, id, page).await?;
                    for entry in &entries {
                        files.add(history_lines(entry)?).await?;
                    }
                    next = (entries.len() == BATCH).then_some(page + 1);
                }
            }
        }
        Ok(())
    }

    async fn write_picture(&self, files: &mut Files) -> ApiResult<()> {
        let Some(user) = self.found.account else { return Ok(()) };
        let sql = self.scope.sql("SELECT mime, bytes FROM images WHERE corp_id = $1 AND user_id = $2").bind(user);
        let Some((mime, bytes)) = sql.maybe::<(String, Vec<u8>)>().await? else { return Ok(()) };
        let extension = mime.rsplit('/').next().unwrap_or_default().trim_end_matches("+xml").to_owned();
        files.begin(&format!("files/picture.{extension}")).await?;
        files.add(bytes).await
    }
}

/// Returns a page of at most [`BATCH`] entries of a record's history.
async fn history_page(scope: &Scope, resource: ResourceId, id: Uuid, page: u32) -> ApiResult<Vec<HistoryEntry>> {
    let page = Page { page, limit: u32::try_from(BATCH).unwrap_or(u32::MAX) };
    Ok(history::list_of_record(scope, resource, id, page).await?.0)
}

/// Returns a CSV line for each change of an entry; for an entry without changes, one line with an empty field name.
fn history_lines(entry: &HistoryEntry) -> std::io::Result<Vec<u8>> {
    let text = |value: &Option<ChangedValue>| match value {
        None => String::new(),
        Some(ChangedValue::Text(text)) => text.clone(),
        Some(value) => serde_json::to_string(value).unwrap_or_default(),
    };
    let mut changes: Vec<_> =
        entry.changes.iter().map(|c| (c.field.clone(), text(&c.before), text(&c.after))).collect();
    if changes.is_empty() {
        changes.push((String::new(), String::new(), String::new()));
    }
    csv::rows(changes.iter().map(|(field, before, after)| {
        [
            Cell::Time(&entry.at),
            Cell::Text(&entry.actor.name),
            Cell::Text(&entry.action),
            Cell::Text(&entry.resource),
            Cell::Id(&entry.record_id),
            Cell::Text(&entry.label),
            Cell::Text(field),
            Cell::Text(before),
            Cell::Text(after),
        ]
    }))
}

/// Returns `None` instead of an error for a record that was deleted since it was found.
fn unless_deleted<T>(result: ApiResult<T>) -> ApiResult<Option<T>> {
    match result {
        Ok(record) => Ok(Some(record)),
        Err(ApiError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
