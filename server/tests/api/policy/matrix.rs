//! Sends every sample request as every kind of user, and collects the differences from the expected results.

use super::actors::{Actor, Kind, create_actors};
use super::content::Content;
use super::entries;
use super::expect::Verdict;
use super::fixtures::{
    Ids, Reach, ResourceKind, Tenant, create_tenant, insert_deleted, insert_record_and_roles, insert_resource,
    insert_resource_with_ids, insert_tenant_with_swapped_roles, mix_ids,
};
use super::rows::{Reader, Rows, difference, wait_for_jobs};
use super::samples::{RequestValues, Sample, method, path};
use crate::app::{PASSWORD, TestApp};
use crate::contract;
use forecourt::features::Route;
use forecourt_core::history::HistoryAction;
use forecourt_core::text::NOT_FOUND;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use uuid::Uuid;

/// A response, without the headers that differ in every response (`date` and `x-request-id`).
#[derive(PartialEq, Eq)]
struct ReceivedResponse {
    status: u16,
    headers: BTreeMap<String, String>,
    text: String,
}

impl fmt::Debug for ReceivedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.headers.iter().filter(|(name, _)| !name.ends_with("policy") && !name.starts_with("x-"));
        write!(f, "{} {:?} {}", self.status, own.collect::<Vec<_>>(), self.text)
    }
}

impl ReceivedResponse {
    fn message(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["message"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns whether the status is 4xx, except 401.
    fn is_refusal(&self) -> bool {
        (400..500).contains(&self.status) && self.status != 401
    }
}

/// Returns an id that does not exist.
fn missing_id() -> String {
    Uuid::now_v7().to_string()
}

/// A description such as "a foreign", which faults show, and the ids that it describes.
type DescribedIds = (String, Ids);

/// A cell of the matrix: a sample request to a route, sent by one user.
#[derive(Clone, Copy)]
struct Cell<'a> {
    route: &'a Route,
    sample: &'a Sample,
    actor: &'a Actor,
    /// The tenant whose resources the request names.
    at: Tenant,
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} for {:?}", self.route.method, self.route.path, self.actor.kind)
    }
}

pub struct Matrix {
    app: TestApp,
    own: Tenant,
    other: Tenant,
    /// The tenants that exist during the whole test. Others are created for single requests.
    tenants: [Uuid; 4],
    actors: Vec<Actor>,
    reader: Reader,
    /// For each kind and tenant, the ids of a resource that no request must change.
    untouched_resources: HashMap<(ResourceKind, Uuid), Ids>,
    deleted: HashMap<ResourceKind, Option<Ids>>,
    requests: u64,
    pub asserted: usize,
    pub faults: Vec<String>,
}

impl Matrix {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let db = app.db();
        let (own, closed) = (create_tenant(db, "Own").await, create_tenant(db, "Closed").await);
        let other = insert_tenant_with_swapped_roles(db, "Other", &own).await;
        let platform: Uuid = db.sql("SELECT corp_id FROM corporations WHERE is_platform").value().await.unwrap();
        let platform = insert_record_and_roles(db, platform, [Uuid::now_v7(), Uuid::now_v7()]).await;
        let actors = create_actors(&app, &own, &other, &closed, &platform).await;
        let kinds: HashSet<_> = actors.iter().map(|actor| actor.kind as u8).collect();
        assert_eq!(kinds.len(), 15);
        let tenants = [own, other, closed, platform].map(|tenant| tenant.corp);
        let reader = Reader::new(db, &tenants).await;
        let (untouched_resources, deleted, faults) = (HashMap::new(), HashMap::new(), Vec::new());
        Matrix {
            app,
            own,
            other,
            tenants,
            actors,
            reader,
            untouched_resources,
            deleted,
            requests: 0,
            asserted: 0,
            faults,
        }
    }

    /// Counts an assertion, and adds the fault if it does not hold.
    pub fn check(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        self.asserted += 1;
        if !holds {
            self.faults.push(fault());
        }
    }

    /// Sends the sample's request as every user, and checks the responses and the rows.
    pub async fn check_row(&mut self, route: &Route, sample: &Sample) {
        self.app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let actors = self.actors.clone();
        let mut rejected = Vec::new();
        let mut accepted = Vec::new();
        for actor in &actors {
            let cell = Cell { route, sample, actor, at: actor.tenant };
            match Verdict::for_sample(route, sample, actor).expected_error() {
                Some(expected_error) => rejected.push((cell, expected_error)),
                None => accepted.push(cell),
            }
        }
        self.check_rejected(rejected).await;
        for cell in accepted {
            if route.limit.is_some() {
                // Reset the rate limits, as if each user had another client address.
                self.app.db().sql("DELETE FROM throttles").exec().await.unwrap();
            }
            if sample.uses_up_user && cell.actor.is_signed_in() {
                let twin = cell.actor.create_twin(&self.app).await;
                self.check_accepted(Cell { actor: &twin, ..cell }).await;
            } else {
                self.check_accepted(cell).await;
            }
        }
    }

    /// Checks that each of these requests gets the given status and message with every kind of id (missing, malformed,
    /// unreachable, own), and changes no row.
    async fn check_rejected(&mut self, cells: Vec<(Cell<'_>, (u16, &str))>) {
        let mut ids: HashMap<Uuid, Vec<DescribedIds>> = HashMap::new();
        for (cell, _) in &cells {
            let of_tenant = ids.entry(cell.at.corp).or_insert_with(|| vec![("no".into(), vec![missing_id()])]);
            if let (Some(resource), 1) = (cell.sample.id, of_tenant.len()) {
                let own = self.untouched_resource(resource, cell.at.corp).await;
                of_tenant.extend(self.unreachable_paths(resource, &own, cell.actor).await);
                of_tenant.push(("an own".into(), own));
            }
        }
        let Some(last) = cells.last().map(|(cell, _)| *cell) else { return };
        let before = self.rows().await;
        for (cell, expected_error) in cells {
            for (which, id) in &ids[&cell.at.corp] {
                let content = self.next_request_body(cell);
                let seen = self.send(cell, id, content).await;
                let is_so = (seen.status, seen.message().as_str()) == expected_error;
                self.check(is_so, || format!("{cell} with {which} id: {seen:?}, not {expected_error:?}"));
            }
        }
        // Once for all users, because reading all rows takes longer than the requests.
        self.check_unchanged(&before, format!("{last} or an earlier user"), &self.tenants.clone()).await;
    }

    /// Checks that the request succeeds with the user's own ids, and that ids which the user must not reach give the
    /// same response as ids that do not exist.
    async fn check_accepted(&mut self, cell: Cell<'_>) {
        let Cell { sample, actor, .. } = cell;
        let at = self.target_tenant(sample, actor).await;
        let cell = Cell { at, ..cell };
        let mut own = Ids::new();
        let mut in_path = Vec::new();
        if let Some(resource) = sample.id {
            own = match resource {
                ResourceKind::OwnUser if actor.kind != Kind::SuperAdmin => vec![actor.user.to_string()],
                resource => insert_resource(self.app.db(), resource, at.corp, Some(actor.user)).await,
            };
            if resource.can_share_ids() {
                // Insert a resource with the same id into another tenant. The request must not change it.
                let ids: Vec<_> = own.iter().map(|id| id.parse().unwrap()).collect();
                insert_resource_with_ids(self.app.db(), resource, self.foreign_tenant(actor), None, &ids).await;
            }
            in_path = self.unreachable_paths(resource, &own, actor).await;
        }
        let mut in_body = Vec::new();
        for (pointer, resource) in sample.ids {
            let mut unreachable = self.unreachable_ids(*resource, actor).await;
            unreachable.push(("a malformed".into(), vec!["1".into()]));
            in_body.push((*pointer, *resource, unreachable));
        }
        let before = self.rows().await;
        if sample.id.is_some() {
            self.check_unreachable_path_ids(cell, &own, in_path).await;
        }
        for (pointer, resource, ids) in in_body {
            self.check_unreachable_body_ids(cell, &own, (pointer, resource, ids)).await;
        }
        let mut content = self.next_request_body(cell);
        for (pointer, resource) in sample.ids {
            if matches!(resource, ResourceKind::Record(_)) {
                content.set(pointer, &self.untouched_resource(*resource, at.corp).await[0]);
            }
        }
        let newest = entries::newest(self.app.db()).await;
        let seen = self.send(cell, &own, content.clone()).await;
        self.check(seen.status == sample.expected_status, || {
            format!("{cell}: {seen:?}, not {}", sample.expected_status)
        });
        self.check_entries(cell, &content, newest).await;
        if !sample.uses_up_user && !sample.succeeds_once {
            self.check_undocumented_fields(cell, &own).await;
        }
        let [.., platform] = self.tenants;
        let is_expected = |corp: Uuid| corp == actor.tenant.corp || (sample.mails_platform && corp == platform);
        let others: Vec<_> = self.tenants.into_iter().filter(|corp| !is_expected(*corp)).collect();
        self.check_unchanged(&before, cell.to_string(), &others).await;
    }

    /// Checks that the request added the sample's history entry, in the name of this user and without secrets; for
    /// another corporation, also one entry to the history of the user's own. Other tenants' rows are compared elsewhere.
    async fn check_entries(&mut self, cell: Cell<'_>, sent: &Content, newest: Uuid) {
        let Cell { sample, actor, .. } = cell;
        let entries = entries::after(self.app.db(), newest).await;
        let is_own = |entry: &&entries::Entry| entry.corp_id == actor.tenant.corp;
        let (own, elsewhere): (Vec<_>, Vec<_>) = entries.iter().partition(is_own);
        self.check(elsewhere.is_empty() || own.len() == 1, || format!("{cell}: not once for the platform: {own:?}"));
        let of_target = if elsewhere.is_empty() { own } else { elsewhere };
        // Entries about roles are not counted, because roles also change when their corporation loses a resource.
        let is_counted = |entry: &&&entries::Entry| entry.resource_id != "roles" || cell.route.path.contains("/rbac/");
        let actions: Vec<&str> = of_target.iter().filter(is_counted).map(|entry| entry.action.as_str()).collect();
        let expected: Vec<&str> = sample.entry.into_iter().map(HistoryAction::as_str).collect();
        self.check(actions == expected, || format!("{cell}: not {expected:?}: {entries:?}"));
        let mut secrets = sent.secrets();
        secrets.push(PASSWORD.to_owned());
        for entry in entries {
            let is_own = entry.corp_id == actor.tenant.corp;
            let is_right = entry.actor_id == actor.user && is_own == (entry.actor_kind == "user");
            let has_secret = secrets.iter().any(|secret| entry.text.contains(secret));
            self.check(is_right && !has_secret && entry.may_be_added_by(cell.route), || format!("{cell}: {entry:?}"));
        }
    }

    /// Sends the id of another tenant as the undocumented fields `corp_id`, `user_id` and `_id`. The server may ignore or
    /// reject them, and they are in no history entry; the caller checks that no other tenant's rows have changed.
    async fn check_undocumented_fields(&mut self, cell: Cell<'_>, own: &Ids) {
        let mut content = self.next_request_body(cell);
        let foreign = self.foreign_tenant(cell.actor).to_string();
        if !content.has_named_fields() {
            return;
        }
        for name in ["corp_id", "user_id", "_id"] {
            content.add(name, &foreign);
        }
        let newest = entries::newest(self.app.db()).await;
        let seen = self.send(cell, own, content).await;
        self.check(seen.status < 500, || format!("{cell} with undocumented fields: {seen:?}"));
        for entry in entries::after(self.app.db(), newest).await {
            self.check(!entry.text.contains(&foreign), || format!("{cell} with undocumented fields: {entry:?}"));
        }
    }

    /// Checks that an unreachable id in the path gets the same response as one that does not exist.
    async fn check_unreachable_path_ids(&mut self, cell: Cell<'_>, own: &Ids, unreachable: Vec<DescribedIds>) {
        let content = self.next_request_body(cell);
        let nothing = [&own[..own.len() - 1], &[missing_id()]].concat();
        let none = self.send(cell, &nothing, content).await;
        // If the route's expected status is an error, the server does not look at the id.
        let is_so = match cell.sample.expected_status {
            ..400 => (none.status, none.message().as_str()) == (404, NOT_FOUND.as_str()),
            expected_status => none.status == expected_status,
        };
        self.check(is_so, || format!("{cell} with an id that does not exist: {none:?}"));
        for (which, ids) in unreachable {
            let content = self.next_request_body(cell);
            let seen = self.send(cell, &ids, content).await;
            self.check(seen == none, || format!("{cell} with {which} id: {seen:?}, not {none:?}"));
        }
    }

    async fn check_unreachable_body_ids(
        &mut self,
        cell: Cell<'_>,
        own: &Ids,
        (pointer, resource, unreachable): (&str, ResourceKind, Vec<DescribedIds>),
    ) {
        let mut content = self.next_request_body(cell);
        content.set(pointer, &missing_id());
        let none = self.send(cell, own, content).await;
        self.check(none.is_refusal(), || format!("{cell} with a missing {pointer}: {none:?}"));
        for (which, ids) in unreachable {
            let mut content = self.next_request_body(cell);
            content.set(pointer, &ids[ids.len() - 1]);
            let seen = self.send(cell, own, content).await;
            // A malformed id may have another message. So may a resource of the catalogue, because that is not secret.
            let is_so = match which.as_str() {
                "a malformed" => seen.is_refusal(),
                _ if resource == ResourceKind::Resource => seen.is_refusal(),
                _ => seen == none,
            };
            self.check(is_so, || format!("{cell} with {which} {pointer}: {seen:?}, not {none:?}"));
        }
    }

    async fn send(&self, cell: Cell<'_>, ids: &Ids, content: Content) -> ReceivedResponse {
        let (method, path) = (method(cell.route.method), path(cell.route, ids));
        let request = self.app.request(method, &path, cell.actor.token.as_deref());
        let response = contract::send(content.put_into(request)).await;
        // `connection` depends on whether the body was read.
        let differs = ["x-request-id", "date", "connection"];
        let headers = response.headers.iter().filter(|(name, _)| !differs.contains(&name.as_str()));
        let headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
        ReceivedResponse { status: response.status.as_u16(), headers, text: response.text() }
    }

    /// Builds the body of this user's next request. Each body gets another number `n`, for values that must be unique.
    fn next_request_body(&mut self, cell: Cell<'_>) -> Content {
        self.requests += 1;
        let Tenant { corp, reading, .. } = cell.at;
        let Actor { user, email, .. } = cell.actor;
        cell.sample.content(&RequestValues { user: *user, email: email.clone(), corp, role: reading, n: self.requests })
    }

    /// Returns the tenant that this user's request refers to: a new one if a platform administrator can reach the kind
    /// of resource in every tenant, otherwise the user's own.
    async fn target_tenant(&self, sample: &Sample, actor: &Actor) -> Tenant {
        let mut resources = sample.id.into_iter().chain(sample.ids.iter().map(|(_, resource)| *resource));
        let is_far = actor.kind == Kind::SuperAdmin && resources.any(|resource| resource.reach() == Reach::Platform);
        if is_far { create_tenant(self.app.db(), "Fresh").await } else { actor.tenant }
    }

    /// Returns a tenant that the user doesn't belong to.
    fn foreign_tenant(&self, actor: &Actor) -> Uuid {
        if actor.tenant.corp == self.other.corp { self.own.corp } else { self.other.corp }
    }

    /// Returns ids of this kind that the user must not reach: of other tenants or users, and of a deleted resource.
    async fn unreachable_ids(&mut self, resource: ResourceKind, actor: &Actor) -> Vec<DescribedIds> {
        let is_within_reach = match resource.reach() {
            Reach::Tenant => false,
            Reach::Platform => actor.kind == Kind::SuperAdmin,
            Reach::Everyone => true,
        };
        let mut ids = Vec::new();
        if !is_within_reach {
            ids.push(("a foreign".into(), self.untouched_resource(resource, self.foreign_tenant(actor)).await));
        }
        if resource == ResourceKind::OwnUser && !is_within_reach {
            ids.push(("a colleague's".into(), self.untouched_resource(resource, actor.tenant.corp).await));
        }
        if resource == ResourceKind::Resource {
            ids.push(("the platform's".into(), vec!["corporations".to_owned()]));
        }
        if !self.deleted.contains_key(&resource) {
            let deleted = insert_deleted(self.app.db(), resource, self.own.corp).await;
            self.deleted.insert(resource, deleted);
        }
        ids.extend(self.deleted[&resource].clone().map(|ids| ("a deleted".into(), ids)));
        ids
    }

    /// Returns the ids for paths that must give this user the same response as a missing id: unreachable ids, and
    /// combinations of an own id with a parent that it does not belong to.
    async fn unreachable_paths(&mut self, resource: ResourceKind, own: &Ids, actor: &Actor) -> Vec<DescribedIds> {
        let mut unreachable = self.unreachable_ids(resource, actor).await;
        unreachable.push(("a malformed".into(), vec!["1".into(); resource.depth()]));
        unreachable.push(("a missing".into(), (0..resource.depth()).map(|_| missing_id()).collect()));
        let mut others = unreachable.clone();
        if let Some(outer) = resource.parent() {
            others.push(("another own".into(), self.untouched_resource(resource, actor.tenant.corp).await));
            for (which, ids) in self.unreachable_ids(outer, actor).await {
                unreachable.push((format!("{which} {outer:?} and an own"), [&ids, &own[ids.len()..]].concat()));
            }
        }
        for (which, other) in others {
            unreachable.extend(mix_ids(own, &other).into_iter().map(|ids| (format!("an own and {which}"), ids)));
        }
        unreachable
    }

    /// Returns the ids of this kind and tenant in `untouched_resources`. Inserts the resource at the first call.
    async fn untouched_resource(&mut self, resource: ResourceKind, corp: Uuid) -> Ids {
        if !self.untouched_resources.contains_key(&(resource, corp)) {
            let ids = insert_resource(self.app.db(), resource, corp, None).await;
            self.untouched_resources.insert((resource, corp), ids);
        }
        self.untouched_resources[&(resource, corp)].clone()
    }

    /// Returns the rows of the four permanent tenants, once no job has work left.
    async fn rows(&self) -> Rows {
        let db = self.app.db();
        wait_for_jobs(db).await;
        self.reader.read(db).await
    }

    /// Checks that the rows of these tenants are the same as `before`. `sender` is the request, for the fault.
    async fn check_unchanged(&mut self, before: &Rows, sender: String, tenants: &[Uuid]) {
        let after = self.rows().await;
        for corp in tenants {
            let difference = difference(before, &after, *corp);
            self.check(difference.is_none(), || format!("{sender} changed rows: {}", difference.unwrap_or_default()));
        }
    }
}
