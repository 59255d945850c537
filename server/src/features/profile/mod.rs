//! The signed-in user's own account: reading, changing and deleting it.

mod account;
mod language;
mod routes;
mod update;

pub use account::{change_password, delete};
pub use language::put as put_language;
pub use update::update;

use crate::access::scope::{Actor, Signed};
use crate::features::auth::oidc::identities::is_connected;
use crate::features::images::store::link;
use crate::features::state::App;
use crate::features::users::{self, Account};
use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use axum::extract::State;
use forecourt_core::profile::{Language, Profile, ProfileCorporation, ProfileOrganization};
use forecourt_core::theme::effective_color;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The response of the profile: under `data`, and under `user` for existing clients.
#[derive(JsonSchema, Serialize)]
pub struct ProfileReply {
    success: bool,
    data: Profile,
    user: Profile,
}

#[derive(sqlx_macros::FromRow)]
struct ProfileRow {
    email: String,
    first_name: String,
    last_name: String,
    mobile: String,
    own_theme: Option<String>,
    language: Option<String>,
    role: Option<String>,
    corp_name: String,
    corp_theme: Option<String>,
    organization_number: Option<String>,
    company_email: Option<String>,
    company_phone: Option<String>,
    business_category: Option<String>,
    legal_form: Option<String>,
    avatar: Option<Uuid>,
    logo: Option<Uuid>,
}

/// `GET /api/auth/profile/detail`
pub async fn get(State(app): State<App>, actor: Signed) -> ApiResult<Json<ProfileReply>> {
    let user = detail(&app, &actor).await?;
    Ok(Json(ProfileReply { success: true, data: user.clone(), user }))
}

async fn detail(app: &App, actor: &Actor) -> ApiResult<Profile> {
    let scope = actor.scope();
    let row: ProfileRow = scope
        .db()
        .sql(
            "SELECT u.email, u.first_name, u.last_name, u.mobile, u.theme AS own_theme, u.language, \
             r.name AS role, c.name AS corp_name, c.theme AS corp_theme, o.organization_number, o.company_email, o.company_phone, \
             o.business_category, o.legal_form, a.image_id AS avatar, l.image_id AS logo FROM users u \
             JOIN corporations c ON c.corp_id = u.corp_id \
             LEFT JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id \
             LEFT JOIN organizations o ON o.corp_id = u.corp_id \
             LEFT JOIN images a ON a.corp_id = u.corp_id AND a.user_id = u.user_id \
             LEFT JOIN images l ON l.corp_id = u.corp_id AND l.user_id IS NULL \
             WHERE u.corp_id = $1 AND u.user_id = $2",
        )
        .bind(scope.corp())
        .bind(scope.user())
        .maybe()
        .await?
        // Deleted since the request was authenticated.
        .ok_or(ApiError::SessionExpired)?;
    let config = &app.feature_config.auth;
    let connected = config.provider_name().is_some() && is_connected(scope.db(), scope, &config.oidc_issuer).await?;
    let (company_email, company_phone) = (row.company_email.unwrap_or_default(), row.company_phone.unwrap_or_default());
    let theme =
        effective_color(row.own_theme.as_deref().unwrap_or_default(), row.corp_theme.as_deref().unwrap_or_default());
    Ok(Profile {
        id: scope.user().to_string(),
        email: row.email,
        first_name: row.first_name,
        last_name: row.last_name,
        mobile: row.mobile,
        user_type: actor.user_type(),
        profile_image: link(row.avatar),
        logo: link(row.logo),
        theme: theme.to_owned(),
        language: row.language.as_deref().and_then(Language::parse),
        role: row.role.unwrap_or_default(),
        organization: ProfileOrganization {
            organization_name: row.corp_name.clone(),
            organization_number: row.organization_number.unwrap_or_default(),
            organization_email: company_email.clone(),
            organization_phone: company_phone.clone(),
            business_category: row.business_category.unwrap_or_default(),
            legal_form: row.legal_form.unwrap_or_default(),
            company_email,
            company_phone,
        },
        corp: ProfileCorporation { corp_id: scope.corp().to_string(), corp_name: row.corp_name },
        connected,
    })
}

/// Returns the signed-in user's account.
async fn account(actor: &Actor) -> ApiResult<Account> {
    let scope = actor.scope();
    users::find(scope.db(), scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)
}
