//! The signed-in user's own account: reading, changing and deleting it.

mod routes;

use crate::access::describe::forms::ProfileForm;
use crate::access::scope::{Actor, Signed};
use crate::features::auth::oidc::identities::is_connected;
use crate::features::auth::passwords::{self, ChangedBy};
use crate::features::images;
use crate::features::images::store::{link, replace_avatar};
use crate::features::state::App;
use crate::features::users::{self, Account, AccountChange, PASSWORD, PICTURE};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Valid, optional};
use crate::platform::limits::{self, PICTURES};
use crate::platform::multipart::MultipartBody;
use axum::Json;
use axum::extract::State;
use forecourt_core::auth::mail::email_changed_mail;
use forecourt_core::form::{Form, check};
use forecourt_core::images::ImageUse;
use forecourt_core::lists::text::{A_NUMBER, wrong_value};
use forecourt_core::money::Money;
use forecourt_core::profile::{
    AVATAR_FIELD, ChangePasswordInput, DeleteAccountInput, Language, LanguageInput, Profile, ProfileCorporation,
    ProfileInput, ProfileOrganization, text,
};
use forecourt_core::reply::{Done, Reply};
use forecourt_core::settings::Settings;
use forecourt_core::theme::effective_color;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The response of the profile: under `data`, and under `user` for existing clients.
#[derive(JsonSchema, Serialize)]
pub struct ProfileDetail {
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
    country: String,
    currency: String,
    vat_rate: i64,
    version: i64,
}

pub async fn get(State(app): State<App>, actor: Signed) -> ApiResult<Json<ProfileDetail>> {
    let user = detail(&app, &actor).await?;
    Ok(Json(ProfileDetail { success: true, data: user.clone(), user }))
}

async fn detail(app: &App, actor: &Actor) -> ApiResult<Profile> {
    let scope = actor.scope();
    let row: ProfileRow = scope
        .db()
        .sql(
            "SELECT u.email, u.first_name, u.last_name, u.mobile, u.theme AS own_theme, u.language, \
             r.name AS role, c.name AS corp_name, c.theme AS corp_theme, o.organization_number, o.company_email, o.company_phone, \
             o.business_category, o.legal_form, a.image_id AS avatar, l.image_id AS logo, \
             c.country, c.currency, c.vat_rate, u.version FROM users u \
             JOIN corporations c ON c.corp_id = u.corp_id \
             LEFT JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id \
             LEFT JOIN organizations o ON o.corp_id = u.corp_id \
             LEFT JOIN images a ON a.corp_id = u.corp_id AND a.user_id = u.user_id \
             LEFT JOIN images l ON l.corp_id = u.corp_id AND l.user_id IS NULL \
             WHERE u.corp_id = $1 AND u.user_id = $2",
        )
        .bind_all((scope.corp(), scope.user()))
        .maybe()
        .await?
        // The user was deleted after the request was authenticated.
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
        corp: ProfileCorporation {
            corp_id: scope.corp().to_string(),
            corp_name: row.corp_name,
            settings: Settings {
                country: row.country,
                currency: row.currency,
                vat_rate: Money::saturating_from_pence(row.vat_rate),
            },
        },
        connected,
        version: row.version,
    })
}

async fn own_account(actor: &Actor) -> ApiResult<Account> {
    let scope = actor.scope();
    users::find(scope.db(), scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)
}

/// Responds to a form that is based on an old version of the user's own account: with 409, unless the form has no new
/// picture and its values are stored. It may have been sent before, and only the response was lost.
async fn respond_to_outdated(
    app: &App,
    actor: &Actor,
    input: &ProfileInput,
    has_picture: bool,
) -> ApiResult<Json<Reply<Profile>>> {
    let (scope, present) = (actor.scope(), detail(app, actor).await?);
    match !has_picture && input.is_stored_in(&present) {
        true => Ok(Json(Reply::new(present).with_message(text::UPDATED))),
        false => Err(users::version_conflict(scope, scope.user(), &present).await?),
    }
}

/// `POST /api/auth/profile/update-profile`. With a stolen session, an attacker would change the e-mail first. The
/// change therefore requires the password, ends all other sessions, and is notified to the old address (F5 in
/// docs/security.md). 409 if the form is based on an old version of the account, which has other values.
pub async fn update(
    State(app): State<App>,
    actor: Signed,
    body: MultipartBody<ProfileForm>,
) -> ApiResult<Json<Reply<Profile>>> {
    let scope = actor.scope();
    limits::count_use(&app, PICTURES, scope.user().as_bytes()).await?;
    let mut form = images::receive_form(&app, scope, body, ImageUse::Avatar, AVATAR_FIELD).await?;
    let actor = actor.recheck(&app).await?;
    let scope = actor.scope();
    // The token identifies the account; a request for another one is rejected (docs/product.md 4.3).
    let id = form.take("_id");
    if !id.is_empty() && Uuid::parse_str(&id).ok() != Some(scope.user()) {
        return Err(ApiError::PermissionDenied);
    }
    let version = optional("version", &form.take("version"), &wrong_value(A_NUMBER), |text| text.parse::<i64>().ok())?;
    let is_outdated = |account: &Account| version.is_some_and(|based_on| based_on != account.version);
    let account = own_account(&actor).await?;
    let mut input = ProfileInput {
        first_name: form.take("first_name"),
        last_name: form.take("last_name"),
        email: form.take("email"),
        mobile: form.take("mobile"),
        current_password: form.take("currentPassword").into(),
        known_email: account.email.clone(),
        version,
    };
    // Checked before the form, because its errors would be about an e-mail that the user has not seen.
    if is_outdated(&account) {
        input.normalize();
        return respond_to_outdated(&app, &actor, &input, form.picture.is_some()).await;
    }
    let input = check(input)?;
    if input.changes_email() {
        passwords::verify_current(&app, &account, "currentPassword", input.current_password.clone()).await?;
    }
    let avatar = match form.picture {
        Some(bytes) => Some(app.pictures.reencode(ImageUse::Avatar, &bytes).await?),
        None => None,
    };
    let now = app.clock.now();
    let mut tx = scope.db().begin().await?;
    let current = users::lock(&mut tx, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    if is_outdated(&current) {
        drop(tx);
        return respond_to_outdated(&app, &actor, &input, avatar.is_some()).await;
    }
    let change = AccountChange::begin(&mut tx, scope, scope.user()).await?;
    let secrets: &[&str] = if avatar.is_some() { &[PICTURE] } else { &[] };
    tx.sql(
        "UPDATE users SET first_name = $1, last_name = $2, mobile = $3, version = version + 1, updated_at = $4 \
         WHERE corp_id = $5 AND user_id = $6",
    )
    .bind_all((
        input.first_name.clone(),
        input.last_name.clone(),
        input.mobile.clone(),
        now,
        scope.corp(),
        scope.user(),
    ))
    .exec()
    .await?;
    if input.changes_email() {
        // The password may have been changed since it was verified.
        if current.password_hash != account.password_hash {
            return Err(passwords::wrong_password_error("currentPassword"));
        }
        let email = input.email.to_lowercase();
        let mail_text = email_changed_mail(&app.config.brand, &current.first_name, &email);
        if !users::change_email(&app, &mut tx, &current, &email, mail_text, Some(actor.session())).await? {
            return Err(ApiError::for_field("email", text::EMAIL_TAKEN));
        }
    }
    if let Some(avatar) = avatar {
        replace_avatar(&mut tx, scope, avatar, now).await?;
    }
    // Without a change, the transaction is dropped, so that the user keeps its version.
    if change.record(&mut tx, scope, now, secrets).await? {
        tx.commit().await?;
        app.mail.wake();
    }
    Ok(Json(Reply::new(detail(&app, &actor).await?).with_message(text::UPDATED)))
}

pub async fn update_language(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<LanguageInput>,
) -> ApiResult<Json<Done>> {
    let scope = actor.scope();
    scope
        .db()
        .sql("UPDATE users SET language = $1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4")
        .bind_all((form.language.clone(), app.clock.now(), scope.corp(), scope.user()))
        .exec()
        .await?;
    Ok(Json(Done::new(text::LANGUAGE_UPDATED)))
}

/// `POST /api/auth/change-password`: ends all sessions except the current one.
pub async fn change_password(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<ChangePasswordInput>,
) -> ApiResult<Json<Done>> {
    let form = form.into_inner();
    let account = own_account(&actor).await?;
    passwords::verify_current(&app, &account, "currentPassword", form.current_password).await?;
    let password_hash = app.hasher.hash(form.new_password).await?;
    let mut tx = actor.scope().db().begin().await?;
    let current = users::lock(&mut tx, account.corp_id, account.user_id).await?.ok_or(ApiError::SessionExpired)?;
    // A simultaneous change may have replaced the password that was verified.
    if current.password_hash != account.password_hash {
        return Err(passwords::wrong_password_error("currentPassword"));
    }
    let change = AccountChange::begin(&mut tx, actor.scope(), account.user_id).await?;
    let by = ChangedBy::Owner { session: Some(actor.session()) };
    passwords::replace(&app, &mut tx, &current, password_hash, by).await?;
    change.record(&mut tx, actor.scope(), app.clock.now(), &[PASSWORD]).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(Done::new(text::PASSWORD_CHANGED)))
}

/// `DELETE /api/profile/delete-account`: deletes the user and everything that belongs to them; records they wrote stay
/// (docs/product.md 4.9). Requires the password, because a session alone may have been left open or stolen.
pub async fn delete(
    State(app): State<App>,
    actor: Signed,
    body: ApiResult<Valid<DeleteAccountInput>>,
) -> ApiResult<Json<Done>> {
    let form = match body {
        // Older clients send no body; they get the validation error for the missing password.
        Err(ApiError::UnsupportedMediaType) => check(DeleteAccountInput::default())?,
        body => body?.0,
    };
    let (corp, user) = (actor.scope().corp(), actor.scope().user());
    let account = own_account(&actor).await?;
    passwords::verify_current(&app, &account, "password", form.into_inner().password).await?;
    let mut tx = actor.scope().db().begin().await?;
    // Locked, so that if the last two administrators delete themselves at once, the second is rejected.
    users::lock_corporation(&mut tx, corp).await?;
    let current = users::lock(&mut tx, corp, user).await?.ok_or(ApiError::SessionExpired)?;
    // The password may have been changed since it was verified.
    if current.password_hash != account.password_hash {
        return Err(passwords::wrong_password_error("password"));
    }
    users::delete_account(&mut tx, actor.scope(), &current, app.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::DELETED)))
}
