//! The signed-in person's own account.

use crate::auth::oidc::identities::is_connected;
use crate::problem::Answer;
use crate::scope::Signed;
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::profile::{Profile, ProfileCorporation, ProfileOrganization};
use serde::Serialize;

/// The answer of the profile: under `data`, and under `user`, where the specification reads it.
#[derive(Serialize)]
pub struct ProfileReply {
    success: bool,
    data: Profile,
    user: Profile,
}

#[derive(sqlx::FromRow)]
struct ProfileRow {
    email: String,
    first_name: String,
    last_name: String,
    mobile: String,
    role: Option<String>,
    corp_name: String,
}

/// `GET /api/auth/profile/detail`
pub async fn get(State(app): State<App>, actor: Signed) -> Answer<Json<ProfileReply>> {
    let scope = actor.scope();
    let row: ProfileRow = app
        .db
        .sql(
            "SELECT u.email, u.first_name, u.last_name, u.mobile, r.name AS role, c.name AS corp_name FROM users u \
             JOIN corporations c ON c.corp_id = u.corp_id \
             LEFT JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id \
             WHERE u.corp_id = $1 AND u.user_id = $2",
        )
        .bind(scope.corp())
        .bind(scope.user())
        .one()
        .await?;
    let user = Profile {
        id: scope.user().to_string(),
        email: row.email,
        first_name: row.first_name,
        last_name: row.last_name,
        mobile: row.mobile,
        user_type: actor.user_type(),
        role: row.role.unwrap_or_default(),
        corp: ProfileCorporation { corp_id: scope.corp().to_string(), corp_name: row.corp_name },
        profile_image: String::new(),
        logo: String::new(),
        theme: String::new(),
        organization: ProfileOrganization::default(),
        connected: is_connected(&app.db, scope, &app.config.oidc_issuer).await?,
    };
    Ok(Json(ProfileReply { success: true, data: user.clone(), user }))
}
