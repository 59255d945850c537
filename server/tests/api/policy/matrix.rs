//! Makes the calls of the matrix and notes what isn't as it should be.

use super::actors::{Actor, Kind, everybody};
use super::expect::Verdict;
use super::rows::{Reader, Rows, difference, settle};
use super::samples::{Aim, Content, Sample, method, path};
use super::world::{Ids, Reach, Tenant, Thing, across, furnished, gone, make, make_as, mixed, tenant};
use crate::app::TestApp;
use crate::contract;
use forecourt::features::Route;
use forecourt_core::text::NOT_FOUND;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use uuid::Uuid;

/// What a server answered, as its bytes, without what is different in every answer.
#[derive(PartialEq, Eq)]
struct Seen {
    status: u16,
    headers: BTreeMap<String, String>,
    text: String,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.headers.iter().filter(|(name, _)| !name.ends_with("policy") && !name.starts_with("x-"));
        write!(f, "{} {:?} {}", self.status, own.collect::<Vec<_>>(), self.text)
    }
}

impl Seen {
    fn message(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["message"].as_str().unwrap_or_default().to_owned()
    }

    /// Is the call refused, the session going on?
    fn is_refusal(&self) -> bool {
        (400..500).contains(&self.status) && self.status != 401
    }
}

/// An id that nothing has.
fn missing() -> String {
    Uuid::now_v7().to_string()
}

/// Ids that somebody must not come by, and which they are.
type Strange = (String, Ids);

/// One line of the table as one kind of person.
#[derive(Clone, Copy)]
struct Cell<'a> {
    route: &'a Route,
    sample: &'a Sample,
    actor: &'a Actor,
    /// Where it is aimed.
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
    /// Every tenant that there is all the time.
    tenants: [Uuid; 4],
    everybody: Vec<Actor>,
    reader: Reader,
    /// Things that stay, by their kind and tenant, and ids of things that are gone.
    standing: HashMap<(Thing, Uuid), Ids>,
    gone: HashMap<Thing, Option<Ids>>,
    calls: u64,
    pub asserted: usize,
    pub faults: Vec<String>,
}

impl Matrix {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let db = app.db();
        let (own, closed) = (tenant(db, "Own").await, tenant(db, "Closed").await);
        let other = across(db, "Other", &own).await;
        let (platform,): (Uuid,) = db.sql("SELECT corp_id FROM corporations WHERE is_platform").one().await.unwrap();
        let platform = furnished(db, platform, [Uuid::now_v7(), Uuid::now_v7()]).await;
        let everybody = everybody(&app, &own, &other, &closed, &platform).await;
        let kinds: HashSet<_> = everybody.iter().map(|actor| actor.kind as u8).collect();
        assert_eq!(kinds.len(), 15);
        let tenants = [own, other, closed, platform].map(|tenant| tenant.corp);
        let reader = Reader::new(db, &tenants).await;
        let (standing, gone, faults) = (HashMap::new(), HashMap::new(), Vec::new());
        Matrix { app, own, other, tenants, everybody, reader, standing, gone, calls: 0, asserted: 0, faults }
    }

    pub fn check(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        self.asserted += 1;
        if !holds {
            self.faults.push(fault());
        }
    }

    /// Makes the sample's calls as everybody.
    pub async fn row(&mut self, route: &Route, sample: &Sample) {
        self.app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let everybody = self.everybody.clone();
        let mut shut_out = Vec::new();
        let mut let_in = Vec::new();
        for actor in &everybody {
            let cell = Cell { route, sample, actor, at: actor.tenant };
            match Verdict::of_all(route, sample, actor).refusal() {
                Some(refusal) => shut_out.push((cell, refusal)),
                None => let_in.push(cell),
            }
        }
        self.refused(shut_out).await;
        for cell in let_in {
            if route.limit.is_some() {
                // Each comes from an address of their own.
                self.app.db().sql("DELETE FROM throttles").exec().await.unwrap();
            }
            if sample.spends && cell.actor.is_in() {
                let twin = cell.actor.twin(&self.app).await;
                self.let_in(Cell { actor: &twin, ..cell }).await;
            } else {
                self.let_in(cell).await;
            }
        }
    }

    /// The calls are refused in these words whatever id they name, and nothing at all changes.
    async fn refused(&mut self, cells: Vec<(Cell<'_>, (u16, &str))>) {
        let mut ids: HashMap<Uuid, Vec<Strange>> = HashMap::new();
        for (cell, _) in &cells {
            let of_tenant = ids.entry(cell.at.corp).or_insert_with(|| vec![("no".into(), vec![missing()])]);
            if let (Some(thing), 1) = (cell.sample.id, of_tenant.len()) {
                let own = self.standing(thing, cell.at.corp).await;
                of_tenant.extend(self.strange_in(thing, &own, cell.actor).await);
                of_tenant.push(("an own".into(), own));
            }
        }
        let before = self.rows().await;
        for (cell, refusal) in cells {
            for (which, id) in &ids[&cell.at.corp] {
                let content = self.content(cell);
                let seen = self.call(cell, id, content).await;
                let is_so = (seen.status, seen.message().as_str()) == refusal;
                self.check(is_so, || format!("{cell} with {which} id: {seen:?}, not {refusal:?}"));
            }
            self.unchanged(&before, cell, &self.tenants.clone()).await;
        }
    }

    /// The call is answered. What isn't the person's is as good as what isn't there, and stays as it is.
    async fn let_in(&mut self, cell: Cell<'_>) {
        let Cell { sample, actor, .. } = cell;
        let at = self.aim(sample, actor).await;
        let cell = Cell { at, ..cell };
        let mut own = Ids::new();
        let mut in_path = Vec::new();
        if let Some(thing) = sample.id {
            own = match thing {
                Thing::Oneself if actor.kind != Kind::SuperAdmin => vec![actor.user.to_string()],
                thing => make(self.app.db(), thing, at.corp, Some(actor.user)).await,
            };
            if thing.has_namesakes() {
                // What is done to the one leaves the other as it is.
                let ids: Vec<_> = own.iter().map(|id| id.parse().unwrap()).collect();
                make_as(self.app.db(), thing, self.foreign(actor), None, &ids).await;
            }
            in_path = self.strange_in(thing, &own, actor).await;
        }
        let mut in_body = Vec::new();
        for (pointer, thing) in sample.ids {
            let mut strange = self.strange_ids(*thing, actor).await;
            strange.push(("a malformed".into(), vec!["1".into()]));
            in_body.push((*pointer, *thing, strange));
        }
        let before = self.rows().await;
        if sample.id.is_some() {
            self.strange_in_path(cell, &own, in_path).await;
        }
        for (pointer, thing, ids) in in_body {
            self.strange_in_body(cell, &own, (pointer, thing, ids)).await;
        }
        if !sample.spends {
            self.foreign_in_passing(cell, &own).await;
        }
        let content = self.content(cell);
        let seen = self.call(cell, &own, content).await;
        self.check(seen.status == sample.answers, || format!("{cell}: {seen:?}, not {}", sample.answers));
        let [.., platform] = self.tenants;
        let is_expected = |corp: Uuid| corp == actor.tenant.corp || (sample.mails_platform && corp == platform);
        let others: Vec<_> = self.tenants.into_iter().filter(|corp| !is_expected(*corp)).collect();
        self.unchanged(&before, cell, &others).await;
    }

    /// A foreign id that isn't asked for is passed over, or refused; where it leads nowhere is told by the rows.
    async fn foreign_in_passing(&mut self, cell: Cell<'_>, own: &Ids) {
        let mut content = self.content(cell);
        let foreign = self.foreign(cell.actor).to_string();
        if !content.has_names() {
            return;
        }
        for name in ["corp_id", "user_id", "_id"] {
            content.add(name, &foreign);
        }
        let seen = self.call(cell, own, content).await;
        self.check(seen.status < 500, || format!("{cell} with what it doesn't ask for: {seen:?}"));
    }

    async fn strange_in_path(&mut self, cell: Cell<'_>, own: &Ids, strange: Vec<Strange>) {
        let content = self.content(cell);
        let nothing = [&own[..own.len() - 1], &[missing()]].concat();
        let none = self.call(cell, &nothing, content).await;
        // A call that refuses even whom it lets in looks at no id.
        let is_so = match cell.sample.answers {
            ..400 => (none.status, none.message().as_str()) == (404, NOT_FOUND),
            answers => none.status == answers,
        };
        self.check(is_so, || format!("{cell} with an id that nothing has: {none:?}"));
        for (which, ids) in strange {
            let content = self.content(cell);
            let seen = self.call(cell, &ids, content).await;
            self.check(seen == none, || format!("{cell} with {which} id: {seen:?}, not {none:?}"));
        }
    }

    async fn strange_in_body(
        &mut self,
        cell: Cell<'_>,
        own: &Ids,
        (pointer, thing, strange): (&str, Thing, Vec<Strange>),
    ) {
        let mut content = self.content(cell);
        content.set(pointer, &missing());
        let none = self.call(cell, own, content).await;
        self.check(none.is_refusal(), || format!("{cell} with a missing {pointer}: {none:?}"));
        for (which, ids) in strange {
            let mut content = self.content(cell);
            content.set(pointer, &ids[ids.len() - 1]);
            let seen = self.call(cell, own, content).await;
            // Resources are no secret, and what can't be read may be told.
            let is_so = match which.as_str() {
                "a malformed" => seen.is_refusal(),
                _ if thing == Thing::Resource => seen.is_refusal(),
                _ => seen == none,
            };
            self.check(is_so, || format!("{cell} with {which} {pointer}: {seen:?}, not {none:?}"));
        }
    }

    async fn call(&self, cell: Cell<'_>, ids: &Ids, content: Content) -> Seen {
        let (method, path) = (method(cell.route.method), path(cell.route, ids));
        let request = self.app.request(method, &path, cell.actor.token.as_deref());
        let answer = contract::send(content.put_into(request)).await;
        let headers = answer.headers.iter().filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()));
        let headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
        Seen { status: answer.status.as_u16(), headers, text: answer.text() }
    }

    /// What this person sends to do it there.
    fn content(&mut self, cell: Cell<'_>) -> Content {
        self.calls += 1;
        let Tenant { corp, reading, .. } = cell.at;
        let Actor { user, email, .. } = cell.actor;
        (cell.sample.content)(&Aim { user: *user, email: email.clone(), corp, role: reading, n: self.calls })
    }

    /// Where this person's call is aimed: at their own tenant, but the platform's at one made for the call.
    async fn aim(&self, sample: &Sample, actor: &Actor) -> Tenant {
        let mut things = sample.id.into_iter().chain(sample.ids.iter().map(|(_, thing)| *thing));
        let is_far = actor.kind == Kind::SuperAdmin && things.any(|thing| thing.reach() == Reach::Platform);
        if is_far { tenant(self.app.db(), "Fresh").await } else { actor.tenant }
    }

    /// A tenant that is foreign to the person.
    fn foreign(&self, actor: &Actor) -> Uuid {
        if actor.tenant.corp == self.other.corp { self.own.corp } else { self.other.corp }
    }

    /// What this person must not come by: what is another's, and what is gone.
    async fn strange_ids(&mut self, thing: Thing, actor: &Actor) -> Vec<Strange> {
        let is_within_reach = match thing.reach() {
            Reach::Tenant => false,
            Reach::Platform => actor.kind == Kind::SuperAdmin,
            Reach::Anybody => true,
        };
        let mut ids = Vec::new();
        if !is_within_reach {
            ids.push(("a foreign".into(), self.standing(thing, self.foreign(actor)).await));
        }
        if thing == Thing::Oneself && !is_within_reach {
            ids.push(("a colleague's".into(), self.standing(thing, actor.tenant.corp).await));
        }
        if thing == Thing::Resource {
            ids.push(("the platform's".into(), vec!["corporations".to_owned()]));
        }
        if !self.gone.contains_key(&thing) {
            let gone = gone(self.app.db(), thing, self.own.corp).await;
            self.gone.insert(thing, gone);
        }
        ids.extend(self.gone[&thing].clone().map(|ids| ("a deleted".into(), ids)));
        ids
    }

    /// The paths that must lead this person nowhere: what is strange, and one's own together with what it isn't within.
    async fn strange_in(&mut self, thing: Thing, own: &Ids, actor: &Actor) -> Vec<Strange> {
        let mut strange = self.strange_ids(thing, actor).await;
        strange.push(("a malformed".into(), vec!["1".into(); thing.depth()]));
        strange.push(("a missing".into(), (0..thing.depth()).map(|_| missing()).collect()));
        let mut others = strange.clone();
        if let Some(outer) = thing.within() {
            others.push(("another own".into(), self.standing(thing, actor.tenant.corp).await));
            for (which, ids) in self.strange_ids(outer, actor).await {
                strange.push((format!("{which} {outer:?} and an own"), [&ids, &own[ids.len()..]].concat()));
            }
        }
        for (which, other) in others {
            strange.extend(mixed(own, &other).into_iter().map(|ids| (format!("an own and {which}"), ids)));
        }
        strange
    }

    /// A thing of the tenant that nobody changes or removes.
    async fn standing(&mut self, thing: Thing, corp: Uuid) -> Ids {
        if !self.standing.contains_key(&(thing, corp)) {
            let ids = make(self.app.db(), thing, corp, None).await;
            self.standing.insert((thing, corp), ids);
        }
        self.standing[&(thing, corp)].clone()
    }

    /// The rows of all tenants, once no job has anything to do.
    async fn rows(&self) -> Rows {
        let db = self.app.db();
        settle(db).await;
        self.reader.read(db).await
    }

    async fn unchanged(&mut self, before: &Rows, cell: Cell<'_>, tenants: &[Uuid]) {
        let after = self.rows().await;
        for corp in tenants {
            let difference = difference(before, &after, *corp);
            self.check(difference.is_none(), || format!("{cell} changed rows: {}", difference.unwrap_or_default()));
        }
    }
}
