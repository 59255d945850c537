//! The fifteen kinds of users that send the requests of the matrix: each with an access token, with another value in
//! its place, or without one.

use super::fixtures::{READING, Tenant, grants, insert_user};
use crate::app::{PASSWORD, TestApp};
use forecourt::platform::clock::MINUTE;
use forecourt_core::permissions::{Grant, Permissions, UserType};
use serde_json::{Value, json};
use uuid::Uuid;

/// The kinds of users. `Other…` belong to another tenant than the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Anonymous,
    ExpiredToken,
    ForgedToken,
    RevokedSession,
    CodePending,
    Banned,
    InactiveUser,
    InactiveCorporation,
    WithoutRights,
    ReadOnly,
    FullUser,
    Admin,
    OtherFullUser,
    OtherAdmin,
    SuperAdmin,
}

/// A user of one kind, who sends requests.
#[derive(Clone)]
pub struct Actor {
    pub kind: Kind,
    pub tenant: Tenant,
    pub user: Uuid,
    pub email: String,
    pub user_type: UserType,
    /// The grants of the user's role.
    pub grants: Vec<Grant>,
    role: Option<Uuid>,
    pub token: Option<String>,
}

impl Actor {
    /// Creates a user of this kind, without a token.
    async fn new(app: &TestApp, kind: Kind, tenant: &Tenant, user_type: UserType, role: Option<Uuid>) -> Self {
        let granted = match role {
            Some(role) if role == tenant.full => Permissions::ALL,
            Some(_) => READING,
            None => Permissions::NONE,
        };
        let email = format!("{}@people.example", Uuid::now_v7().simple());
        let user = insert_user(app.db(), tenant.corp, &email, user_type, role).await;
        Actor { kind, tenant: *tenant, user, email, user_type, grants: grants(granted), role, token: None }
    }

    async fn sign_in(mut self, app: &TestApp) -> Self {
        self.token = Some(app.sign_in(&self.email).await);
        self
    }

    /// Returns whether the user has a session that the server must accept.
    pub fn is_signed_in(&self) -> bool {
        use Kind::{Admin, FullUser, OtherAdmin, OtherFullUser, ReadOnly, SuperAdmin, WithoutRights};
        matches!(self.kind, WithoutRights | ReadOnly | FullUser | Admin | OtherFullUser | OtherAdmin | SuperAdmin)
    }

    /// Creates another user of the same kind, and signs in. A request that ends its own session is sent as this user.
    pub async fn create_twin(&self, app: &TestApp) -> Self {
        let email = format!("{}@people.example", Uuid::now_v7().simple());
        let user = insert_user(app.db(), self.tenant.corp, &email, self.user_type, self.role).await;
        Actor { user, email, ..self.clone() }.sign_in(app).await
    }
}

/// Creates a user of each kind. Those whose session the server must not accept are administrators, so that a rejection
/// can only be due to the state of their token, account or corporation.
pub async fn create_actors(
    app: &TestApp,
    own: &Tenant,
    other: &Tenant,
    closed: &Tenant,
    platform: &Tenant,
) -> Vec<Actor> {
    use UserType::{Admin, User};
    let admin = async |kind, tenant| Actor::new(app, kind, tenant, Admin, None).await;
    let expired = admin(Kind::ExpiredToken, own).await.sign_in(app).await;
    app.advance(16 * MINUTE);

    let anonymous = Actor { token: None, ..admin(Kind::Anonymous, own).await };
    let mut forged = admin(Kind::ForgedToken, own).await.sign_in(app).await;
    let revoked = admin(Kind::RevokedSession, own).await.sign_in(app).await;
    let ended = app.post("/api/auth/logout", revoked.token.as_deref(), json!({})).await;
    assert_eq!(ended.status, 200, "{}", ended.body);
    let mut pending = admin(Kind::CodePending, own).await;
    pending.token = Some(sign_in_without_code(app, &pending.email).await);
    let banned = admin(Kind::Banned, own).await.sign_in(app).await;
    let inactive = admin(Kind::InactiveUser, own).await.sign_in(app).await;
    let shut = admin(Kind::InactiveCorporation, closed).await.sign_in(app).await;
    // Their sessions are not deleted, so the server must reject these users by the columns that are set here.
    for (text, id) in [
        ("UPDATE users SET banned_at = 1, ban_reason = 'Spam' WHERE user_id = $1", banned.user),
        ("UPDATE users SET is_active = FALSE WHERE user_id = $1", inactive.user),
        ("UPDATE corporations SET active = FALSE WHERE corp_id = $1", closed.corp),
    ] {
        assert_eq!(app.db().sql(text).bind(id).exec().await.unwrap(), 1);
    }
    let live = [
        (Kind::WithoutRights, own, User, None),
        (Kind::ReadOnly, own, User, Some(own.reading)),
        (Kind::FullUser, own, User, Some(own.full)),
        (Kind::Admin, own, Admin, None),
        (Kind::OtherFullUser, other, User, Some(other.full)),
        (Kind::OtherAdmin, other, Admin, None),
    ];
    let mut actors = Vec::new();
    for (kind, tenant, user_type, role) in live {
        actors.push(Actor::new(app, kind, tenant, user_type, role).await.sign_in(app).await);
    }
    let super_admin = Actor::new(app, Kind::SuperAdmin, platform, UserType::SuperAdmin, None).await;
    actors.push(super_admin.sign_in(app).await);
    // The forged token has the header and claims of a valid token, and the signature of another valid token.
    let signature = |actor: &Actor| actor.token.as_deref().unwrap().rsplit_once('.').unwrap().1.to_owned();
    let own_words = forged.token.as_deref().unwrap().rsplit_once('.').unwrap().0.to_owned();
    forged.token = Some(format!("{own_words}.{}", signature(&actors[3])));
    actors.extend([anonymous, expired, forged, revoked, pending, banned, inactive, shut]);
    actors
}

/// Sends the right password, but not the mailed code. Returns the device id, which is no token.
async fn sign_in_without_code(app: &TestApp, email: &str) -> String {
    let device = Uuid::now_v7().to_string();
    let form = json!({"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Tests"});
    let response = app.post("/api/auth/login", None, form).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["requiresVerification"]),
        (200, &json!(true)),
        "{}",
        response.body
    );
    assert_eq!(response.body["data"]["tokens"], Value::Null, "no token before the code");
    device
}
