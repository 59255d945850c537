//! Sends a request to each writing route while its user loses the required permission.

use super::wait_for_write;
use crate::app::{CLERK, TestApp};
use crate::contract;
use crate::helpers::count;
use crate::policy::expect::is_allowed;
use crate::policy::fixtures::{
    ResourceKind, Tenant, create_tenant, insert_record_and_roles, insert_resource, insert_user,
};
use crate::policy::rows::{Reader, difference, wait_for_jobs};
use crate::policy::samples::{RequestValues, SAMPLES, Sample, method, path};
use forecourt::access::route::{Method as RouteMethod, Who};
use forecourt::app::routes::routes;
use forecourt::features::Route;
use forecourt::features::users::lock_corporation;
use forecourt::platform::db::Tx;
use forecourt_core::permissions::{Grant, Permissions, ResourceId, UserType};
use forecourt_core::text::{NOT_ALLOWED, SESSION_ENDED};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Routes with a body that write no row of a tenant, each with the reason.
const WRITES_NOTHING: &[(&str, &str)] = &[
    ("/api/logs", "a line of the log"),
    ("/api/contacts/import/preview", "reads the file that is sent"),
    ("/api/orgs/search", "a search"),
    ("/api/orgs/public-search", "a search"),
    ("/api/orgs/check-exists", "a search"),
    ("/api/privacy/person", "a search"),
];

/// The ways to lose a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    Ban,
    Deactivation,
    Deletion,
    DeactivatedCorporation,
    EndedSession,
    Demotion,
    WithdrawnGrants,
    WithdrawnModules,
}

/// The losses that leave the session active.
const KEEPS_SESSION: [Loss; 3] = [Loss::Demotion, Loss::WithdrawnGrants, Loss::WithdrawnModules];

/// The losses that end the session.
const ENDS_SESSION: [Loss; 5] =
    [Loss::Ban, Loss::Deactivation, Loss::Deletion, Loss::DeactivatedCorporation, Loss::EndedSession];

/// The user that sends the request.
struct User {
    id: Uuid,
    email: String,
    corp: Uuid,
    user_type: UserType,
    role: Option<Uuid>,
}

impl User {
    /// Returns the expected status and message after the loss; `None` if the user keeps the required permission.
    fn expected_error(&self, who: [Who; 2], loss: Loss) -> Option<(u16, &'static str)> {
        let (user_type, grants) = match loss {
            _ if ENDS_SESSION.contains(&loss) => return Some((401, SESSION_ENDED.as_str())),
            Loss::Demotion if self.user_type == UserType::SuperAdmin => (UserType::Admin, Vec::new()),
            Loss::Demotion => (UserType::User, Vec::new()),
            _ if self.role.is_none() => return None,
            // Users, roles and the history belong to every corporation.
            Loss::WithdrawnModules => (self.user_type, ["users", "roles", "history"].map(grant_all).to_vec()),
            _ => (self.user_type, Vec::new()),
        };
        let is_lost = who.iter().any(|who| !is_allowed(*who, user_type, &grants));
        is_lost.then_some((403, NOT_ALLOWED.as_str()))
    }

    /// Applies the loss in this transaction, with the corporation's lock, as the server does.
    async fn apply_loss(&self, tx: &mut Tx, loss: Loss) {
        // The server ends a session without the lock, and this must take effect too.
        if loss != Loss::EndedSession {
            lock_corporation(tx, self.corp).await.unwrap();
        }
        let lower = if self.user_type == UserType::SuperAdmin { "Admin" } else { "User" };
        let end = "DELETE FROM sessions WHERE user_id = $1";
        let statements: &[(&'static str, Uuid)] = &match loss {
            Loss::Ban => {
                [("UPDATE users SET banned_at = 1, ban_reason = 'Spam' WHERE user_id = $1", self.id), (end, self.id)]
            }
            Loss::Deactivation => [("UPDATE users SET is_active = FALSE WHERE user_id = $1", self.id), (end, self.id)],
            Loss::Deletion => [(end, self.id), ("DELETE FROM users WHERE user_id = $1", self.id)],
            Loss::DeactivatedCorporation => [
                ("UPDATE corporations SET active = FALSE WHERE corp_id = $1", self.corp),
                ("DELETE FROM sessions WHERE corp_id = $1", self.corp),
            ],
            Loss::EndedSession => [(end, self.id), (end, self.id)],
            Loss::Demotion => [
                ("UPDATE users SET role_id = NULL WHERE user_id = $1", self.id),
                (if lower == "Admin" { ADMIN } else { USER }, self.id),
            ],
            Loss::WithdrawnGrants => [
                ("UPDATE roles SET version = version + 1 WHERE role_id = $1", self.role.unwrap()),
                ("DELETE FROM role_permissions WHERE role_id = $1", self.role.unwrap()),
            ],
            Loss::WithdrawnModules => [
                ("UPDATE corporations SET version = version + 1 WHERE corp_id = $1", self.corp),
                ("DELETE FROM corporation_resources WHERE corp_id = $1", self.corp),
            ],
        };
        for (text, id) in statements {
            tx.sql(text).bind(*id).exec().await.unwrap();
        }
    }
}

fn grant_all(resource_id: &str) -> Grant {
    Grant { resource_id: resource_id.to_owned(), permissions: Permissions::ALL }
}

const ADMIN: &str = "UPDATE users SET user_type = 'Admin' WHERE user_id = $1";
const USER: &str = "UPDATE users SET user_type = 'User' WHERE user_id = $1";

/// A server, a node without jobs, and one session, which is assigned to one user after the other.
struct Fixture {
    app: TestApp,
    node: TestApp,
    platform: Tenant,
    token: String,
    session: Uuid,
    requests: u64,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let db = app.db();
        let platform: Uuid = db.sql("SELECT corp_id FROM corporations WHERE is_platform").value().await.unwrap();
        let platform = insert_record_and_roles(db, platform, [Uuid::now_v7(), Uuid::now_v7()]).await;
        let token = app.sign_in(CLERK).await;
        let session: Uuid = db.sql("SELECT session_id FROM sessions").value().await.unwrap();
        let node = app.start_another_node().await;
        Fixture { app, node, platform, token, session, requests: 0 }
    }

    /// Inserts a user who may send the sample's request, and assigns the session to this user.
    async fn sign_in(&self, route: &Route, sample: &Sample, tenant: &Tenant) -> User {
        let (corp, user_type, role) = match route.who {
            Who::May(_, ResourceId::Corporations) => (self.platform.corp, UserType::SuperAdmin, None),
            who if who == Who::Administrator || sample.also == Who::Administrator => {
                (tenant.corp, UserType::Admin, None)
            }
            _ => (tenant.corp, UserType::User, Some(tenant.full)),
        };
        let email = format!("{}@people.example", Uuid::now_v7().simple());
        let id = insert_user(self.app.db(), corp, &email, user_type, role).await;
        for text in ["DELETE FROM sessions", "UPDATE corporations SET active = TRUE"] {
            self.app.db().sql(text).exec().await.unwrap();
        }
        let session = "INSERT INTO sessions (corp_id, session_id, user_id, device_name, remember, created_at, expires_at) \
                       VALUES ($1, $2, $3, 'Tests', FALSE, 0, $4)";
        let session = self.app.db().sql(session).bind(corp).bind(self.session).bind(id).bind(i64::MAX);
        session.exec().await.unwrap();
        User { id, email, corp, user_type, role }
    }

    /// Sends the sample's request, and applies the loss while it waits to write. Returns a description of an unexpected
    /// response or change of rows; `None` if there is none, or if the user keeps the permission.
    async fn find_fault(&mut self, route: &Route, sample: &Sample, loss: Loss) -> Option<String> {
        let db = self.app.db();
        let tenant = create_tenant(db, "Fresh").await;
        let user = self.sign_in(route, sample, &tenant).await;
        let expected_error = user.expected_error([route.who, sample.also], loss)?;
        let ids = match sample.id {
            Some(ResourceKind::OwnUser) => vec![user.id.to_string()],
            Some(resource) => insert_resource(db, resource, tenant.corp, Some(user.id)).await,
            None => Vec::new(),
        };
        self.requests += 1;
        let aim = RequestValues {
            user: user.id,
            email: user.email.clone(),
            corp: tenant.corp,
            role: tenant.reading,
            n: self.requests,
        };
        let request = self.node.request(method(route.method), &path(route, &ids), Some(&self.token));
        let request = sample.content(&aim).put_into(request);
        let tenants = [tenant.corp, self.platform.corp];
        let reader = Reader::new(db, &tenants).await;
        let corporations = "SELECT count(*) FROM corporations";
        wait_for_jobs(db).await;
        let (before, before_count) = (reader.read(db).await, count(&self.app, corporations).await);

        let mut tx = db.begin().await.unwrap();
        user.apply_loss(&mut tx, loss).await;
        let lost = reader.read_in(&mut tx).await;
        let sent = tokio::spawn(contract::send(request));
        wait_for_write(&self.node, &sent).await;
        let has_waited = !sent.is_finished();
        if has_waited {
            tx.commit().await.unwrap();
        } else {
            drop(tx);
        }
        let reply = sent.await.unwrap();

        let what = format!("{:?} {} at {loss:?}", route.method, route.path);
        let expected = if has_waited { &lost } else { &before };
        let after = reader.read(db).await;
        let changed = tenants.into_iter().find_map(|corp| difference(expected, &after, corp));
        if let Some(changed) = changed {
            return Some(format!("{what} changed rows: {changed}"));
        }
        if count(&self.app, corporations).await != before_count {
            return Some(format!("{what} registered a corporation"));
        }
        if WRITES_NOTHING.iter().any(|(path, _)| *path == route.path) {
            return None;
        }
        let (status, body) = (reply.status.as_u16(), reply.value());
        let is_rejected = has_waited && (status, body["message"].as_str().unwrap_or_default()) == expected_error;
        (!is_rejected).then(|| format!("{what}: {status} {body}, waited: {has_waited}, not {expected_error:?}"))
    }
}

/// Returns the samples with which a signed-in user writes.
fn writing_samples() -> impl Iterator<Item = (&'static Route, &'static Sample)> {
    let routes = routes().filter(|route| route.who != Who::Public && route.method != RouteMethod::Get);
    let of = |route: &'static Route| {
        SAMPLES.iter().filter(move |sample| sample.is_for_route(route) && sample.expected_status < 400)
    };
    routes.flat_map(move |route| of(route).map(move |sample| (route, sample)))
}

#[tokio::test]
async fn v3_every_writing_route_rejects_permissions_lost_while_waiting() {
    let mut fixture = Fixture::new().await;
    let (mut faults, mut tried, mut routes) = (Vec::new(), 0, BTreeSet::new());
    for (n, (route, sample)) in writing_samples().enumerate() {
        fixture.app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        // All losses that end the session give the same response, so each sample tries only one of them, in turn.
        let ending = ENDS_SESSION[n % ENDS_SESSION.len()];
        for loss in KEEPS_SESSION.into_iter().chain([ending]) {
            let requests = fixture.requests;
            faults.extend(fixture.find_fault(route, sample, loss).await);
            tried += fixture.requests - requests;
        }
        routes.insert(route.path);
    }
    println!("{tried} requests lost their permission while they waited, on {} paths", routes.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let unused: Vec<_> = WRITES_NOTHING.iter().filter(|(path, _)| !routes.contains(path)).collect();
    assert!(unused.is_empty(), "needless exceptions: {unused:?}");
}
