//! Random sequences of changes by two users end in the state that follows from the history's entries, with exact
//! totals. `FORECOURT_TEST_ROUNDS` sets the number of sequences.

use crate::app::{ADMIN, ApiResponse, CLERK, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{delete, put, user_id};
use crate::imports::{csv, csv_mapping, import};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tokio::runtime::Runtime;
use uuid::Uuid;

const CONTACTS: &str = "/api/contacts";
const FIELDS: [&str; 5] = ["name", "email", "phone", "website", "address"];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Create,
    Update,
    Comment,
    Delete,
    DeleteMany,
    UpdateMany,
    Merge,
    Restore,
    Purge,
    Import,
    /// Undoes a random entry: an update, bulk action, merge, import, deletion or undoing. The value is `on_conflict`.
    Undo(&'static str),
}

#[derive(Clone, Debug)]
struct Step {
    kind: Kind,
    by_admin: bool,
    /// Chooses the record or the entry; for two records, `other` chooses the second.
    one: Index,
    other: Index,
    text: String,
}

/// Generates sequences of 1 to 29 steps.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![
        5 => Just(Kind::Create),
        4 => Just(Kind::Update),
        2 => Just(Kind::Comment),
        3 => Just(Kind::Delete),
        1 => Just(Kind::DeleteMany),
        2 => Just(Kind::UpdateMany),
        4 => Just(Kind::Merge),
        3 => Just(Kind::Restore),
        1 => Just(Kind::Purge),
        1 => Just(Kind::Import),
        6 => prop_oneof![Just("keep"), Just("overwrite"), Just("refuse")].prop_map(Kind::Undo),
    ];
    let step = (kind, any::<bool>(), any::<Index>(), any::<Index>(), "[a-c]{1,2}");
    vec(step.prop_map(|(kind, by_admin, one, other, text)| Step { kind, by_admin, one, other, text }), 1..30)
}

/// A history entry about a contact: the ids of the entry, the contact and the user, the action, and the changes.
type Entry = (Uuid, Uuid, Uuid, String, String);

struct Run {
    app: TestApp,
    /// Access token and id of the clerk, and of the Admin.
    users: [(String, Uuid); 2],
    /// The id of the newest entry that [`Run::check_step`] has checked.
    checked: Uuid,
}

impl Run {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let mut users = Vec::new();
        for email in [CLERK, ADMIN] {
            users.push((app.sign_in(email).await, user_id(&app, email).await));
        }
        Run { app, users: users.try_into().unwrap(), checked: Uuid::nil() }
    }

    /// Returns the response body of a list, as the Admin sees it.
    async fn list(&self, path: &str) -> Value {
        let response = self.app.get(path, Some(&self.users[1].0)).await;
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        response.body
    }

    /// Returns the ids of the contacts in the list at `path` (contacts or trash), which are in this field.
    async fn ids(&self, path: &str, field: &str) -> Vec<String> {
        let list = self.list(path).await;
        list["data"].as_array().unwrap().iter().map(|record| record[field].as_str().unwrap().to_owned()).collect()
    }

    async fn post(&self, step: &Step, path: &str, body: Value) -> ApiResponse {
        self.app.post(path, Some(&self.users[usize::from(step.by_admin)].0), body).await
    }

    /// Sends the request of a step. Returns `None` if there is no record or entry for it, and after an import.
    async fn send(&self, step: &Step) -> Option<ApiResponse> {
        let token = &self.users[usize::from(step.by_admin)].0;
        let (live, gone) =
            (self.ids("/api/contacts?limit=100", "_id").await, self.ids("/api/trash?limit=100", "id").await);
        let two = || {
            let one = step.one.index(live.len());
            [&live[one], &live[(one + 1 + step.other.index(live.len() - 1)) % live.len()]]
        };
        let text = &step.text;
        Some(match step.kind {
            Kind::Create => self.post(step, CONTACTS, json!({"name": text, "email": "ada@example.se"})).await,
            Kind::Import => {
                import(&self.app, token, "people.csv", &csv(3), &csv_mapping()).await;
                return None;
            }
            Kind::Restore | Kind::Purge if !gone.is_empty() => {
                let body = json!({"resource": "contacts", "ids": [step.one.get(&gone)]});
                match step.kind {
                    Kind::Restore => self.post(step, "/api/trash/restore", body).await,
                    _ => self.app.send(self.app.request(Method::DELETE, "/api/trash", Some(token)).json(&body)).await,
                }
            }
            Kind::Undo(on_conflict) => {
                let entries = "SELECT history_id FROM history WHERE action IN \
                     ('updated', 'reverted', 'deleted', 'imported', 'merged') AND resource_id = 'contacts' ORDER BY history_id";
                let entries: Vec<(Uuid,)> = self.app.db().all_tenants().sql(entries).all().await.unwrap();
                if entries.is_empty() {
                    return None;
                }
                let path = format!("/api/history/{}/revert", step.one.get(&entries).0);
                self.post(step, &path, json!({"on_conflict": on_conflict})).await
            }
            _ if live.is_empty() => return None,
            Kind::Update => {
                let form = json!({"name": text, "phone": text, "website": format!("{text}.example")});
                put(&self.app, &format!("{CONTACTS}/{}", step.one.get(&live)), token, form).await
            }
            Kind::Comment => {
                let path = format!("{CONTACTS}/{}/comments", step.one.get(&live));
                self.post(step, &path, json!({"comment": text})).await
            }
            Kind::Delete => delete(&self.app, &format!("{CONTACTS}/{}", step.one.get(&live)), token).await,
            _ if live.len() < 2 => return None,
            Kind::DeleteMany => self.post(step, "/api/contacts/bulk", json!({"action": "delete", "ids": two()})).await,
            Kind::UpdateMany => {
                let body = json!({"action": "update", "ids": two(), "fields": {"address": text}});
                self.post(step, "/api/contacts/bulk", body).await
            }
            Kind::Merge => {
                let [keep, other] = two();
                let body = json!({"keep": keep, "ids": [other], "fields": {"address": text}});
                self.post(step, "/api/contacts/merge", body).await
            }
            Kind::Restore | Kind::Purge => return None,
        })
    }

    /// Sends a step. Asserts that new entries are by the step's user, and that a rejected step adds none.
    async fn check_step(&mut self, step: &Step) {
        let response = self.send(step).await;
        let is_refused = response.as_ref().is_some_and(|response| response.status.as_u16() >= 400);
        if let Some(response) = response {
            assert!(response.status.as_u16() < 500, "{step:?}: {}", response.body);
        }
        let entries = self.entries().await;
        let new: Vec<_> = entries.iter().filter(|entry| entry.0 > self.checked).collect();
        assert!(!is_refused || new.is_empty(), "{step:?} was refused: {new:?}");
        let user = self.users[usize::from(step.by_admin)].1;
        assert!(new.iter().all(|entry| entry.2 == user), "{step:?}: {new:?}");
        self.checked = entries.last().map_or(self.checked, |entry| entry.0);
        self.check_state(&entries).await;
    }

    async fn entries(&self) -> Vec<Entry> {
        let sql = "SELECT history_id, record_id, actor_id, action, changes FROM history \
                   WHERE resource_id = 'contacts' AND record_id IS NOT NULL ORDER BY history_id";
        self.app.db().all_tenants().sql(sql).all().await.unwrap()
    }

    /// Asserts that the list, the trash and the totals are those that follow from all entries.
    async fn check_state(&self, entries: &[Entry]) {
        let (list, trash) = (self.list("/api/contacts?limit=100").await, self.list("/api/trash?limit=100").await);
        let contacts = list["data"].as_array().unwrap();
        let live: BTreeMap<&str, &Value> = contacts.iter().map(|row| (row["_id"].as_str().unwrap(), row)).collect();
        let gone = trash["data"].as_array().unwrap();
        let gone: BTreeMap<&str, &Value> = gone.iter().map(|row| (row["id"].as_str().unwrap(), row)).collect();
        assert!(live.keys().all(|id| !gone.contains_key(id)), "in the list and in the trash: {live:?}, {gone:?}");
        let dashboard = self.list("/api/dashboard").await;
        let totals =
            [&list["pagination"]["totalContacts"], &dashboard["data"]["contacts"]["total"], &trash["totalItems"]];
        assert_eq!(totals, [&json!(live.len()), &json!(live.len()), &json!(gone.len())]);
        let mut histories: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
        for entry in entries {
            histories.entry(entry.1.to_string()).or_default().push(entry);
        }
        let shown = live.keys().chain(gone.keys()).map(|id| (*id).to_owned());
        for id in histories.keys().cloned().chain(shown).collect::<BTreeSet<_>>() {
            let said = Said::by(histories.get(&id).map_or(&[], Vec::as_slice));
            let found = (live.get(&*id), gone.get(&*id));
            let what = format!("{id}: {said:?}, but {found:?}; {:?}", histories.get(&id));
            assert_eq!((found.0.is_some(), found.1.is_some()), (said.is_live, said.is_gone), "{what}");
            let Some(contact) = found.0 else { continue };
            assert_eq!(contact["version"], said.version, "{what}");
            for (field, value) in said.values {
                let shown = if contact[&field] == "" { Value::Null } else { contact[&field].clone() };
                assert_eq!(shown, value, "{field} of {what}");
            }
        }
    }
}

/// The state of a contact that follows from its entries.
#[derive(Debug)]
struct Said {
    is_live: bool,
    is_gone: bool,
    version: i64,
    values: BTreeMap<String, Value>,
}

impl Said {
    /// Returns the state of a contact after all these entries, oldest first.
    fn by(entries: &[&Entry]) -> Self {
        let mut said = Said { is_live: true, is_gone: false, version: 1, values: BTreeMap::new() };
        for entry in entries {
            said.follow(entry);
        }
        said
    }

    /// Updates the state by the next entry. Asserts that the entry can follow this state.
    fn follow(&mut self, entry: &Entry) {
        let action = entry.3.as_str();
        let changes: Vec<Value> = serde_json::from_str(&entry.4).unwrap();
        assert_eq!(self.is_live, !matches!(action, "restored" | "purged"), "{action} of {self:?}");
        (self.is_live, self.is_gone) = match action {
            "deleted" => (false, true),
            "purged" => (false, false),
            _ => (true, false),
        };
        let is_comment = !changes.is_empty() && changes.iter().all(|change| change["field"] == "comments");
        let is_change = match action {
            "updated" => !is_comment,
            "reverted" | "merged" => true,
            _ => action == "unmerged" && !changes.is_empty(),
        };
        self.version += i64::from(is_change);
        for change in &changes {
            let field = change["field"].as_str().unwrap().to_owned();
            if !FIELDS.contains(&field.as_str()) {
                continue;
            }
            let known = self.values.get(&field).unwrap_or(&change["before"]);
            assert_eq!(*known, change["before"], "{field} before {entry:?}");
            let kept = if action == "deleted" { "before" } else { "after" };
            self.values.insert(field, change[kept].clone());
        }
    }
}

#[test]
fn any_sequence_of_changes_ends_in_the_state_that_the_history_says() {
    let config = Config {
        cases: u32::try_from(rounds()).unwrap(),
        max_shrink_iters: 100,
        failure_persistence: None,
        ..Config::default()
    };
    let runtime = Runtime::new().unwrap();
    let found = TestRunner::new(config).run(&steps(), |steps| {
        runtime.block_on(async {
            let mut run = Run::start().await;
            for step in &steps {
                run.check_step(step).await;
            }
        });
        Ok(())
    });
    // The message has the shortest failing sequence that proptest has found.
    found.unwrap_or_else(|failure| panic!("{failure}"));
}
