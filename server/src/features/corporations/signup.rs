//! Sign-up: a corporation registers itself. It is created when the mailed link is opened, and stays inactive until a
//! Super Admin activates it.

use super::corporation_history;
use super::pending_signups::{self, PendingForm, PendingSignup};
use super::registration::{Registration, register};
use crate::access::describe::Extractor;
use crate::access::scope::scope_of_job;
use crate::features::auth::admin;
use crate::features::config::Signup;
use crate::features::organizations::is_number_taken;
use crate::features::state::App;
use crate::features::users;
use crate::platform::clock::DAY;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits;
use crate::platform::mail::MailMessage;
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use forecourt_core::auth::mail::{
    corporation_activated_mail, corporation_declined_mail, corporation_waiting_mail, signup_email_taken_mail,
    signup_mail,
};
use forecourt_core::auth::{SignupInput, VerifyEmailInput, text};
use forecourt_core::corporations::AdminInput;
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::{CatalogueEntry, modules};
use forecourt_core::reply::Done;
use forecourt_core::secret::Secret;
use uuid::Uuid;

/// How long delivery of a notice to an administrator or an applicant is attempted.
const NOTICE_LIFETIME: i64 = 3 * DAY;

/// Mails the Admins of a corporation that a Super Admin has activated it.
pub(super) async fn mail_activation(app: &App, tx: &mut Tx, corp: Uuid, corp_name: &str, now: i64) -> ApiResult<()> {
    let link = format!("{}/login", app.config.public_url());
    for admin in users::admins(tx, corp).await? {
        let mail_text = corporation_activated_mail(&app.config.brand, &admin.first_name, corp_name, &link);
        app.mail.queue(app, tx, corp, &admin.mail(mail_text), None, now + NOTICE_LIFETIME).await?;
    }
    Ok(())
}

/// Mails the Admins of a corporation that a Super Admin has declined its sign-up. `reason` may be empty. The mails
/// belong to the platform's corporation, because those of the declined one are deleted with it.
pub(super) async fn mail_decline(
    app: &App,
    tx: &mut Tx,
    platform: Uuid,
    (corp, corp_name): (Uuid, &str),
    reason: &str,
    now: i64,
) -> ApiResult<()> {
    for admin in users::admins(tx, corp).await? {
        let mail_text = corporation_declined_mail(&app.config.brand, &admin.first_name, corp_name, reason);
        app.mail.queue(app, tx, platform, &admin.mail(mail_text), None, now + NOTICE_LIFETIME).await?;
    }
    Ok(())
}

/// Proof that sign-up is enabled on this installation. Checked before the form is read.
pub struct SignupEnabled(());

impl Extractor for SignupEnabled {}

impl FromRequestParts<App> for SignupEnabled {
    type Rejection = ApiError;

    async fn from_request_parts(_: &mut Parts, app: &App) -> ApiResult<Self> {
        match app.feature_config.signup {
            Signup::Approval => Ok(SignupEnabled(())),
            Signup::Off => Err(ApiError::FeatureDisabled(text::SIGNUP_OFF)),
        }
    }
}

/// `POST /api/auth/signup`: stores a sign-up until it is confirmed. An e-mail that already has an account causes the
/// same work and the same response, but its sign-up is never confirmable: the mail to the owner contains no link for
/// it.
pub async fn signup(
    _: SignupEnabled,
    State(app): State<App>,
    Valid(form): Valid<SignupInput>,
) -> ApiResult<Created<Done>> {
    let SignupInput { first_name, last_name, email: entered_email, mobile, password, organization, country, .. } =
        form.into_inner();
    let email = entered_email.to_lowercase();
    limits::count_use(&app, limits::SIGNUP_EMAIL, email.as_bytes()).await?;
    let password_hash = app.hasher.hash(password).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let platform = admin::find_or_create_platform(&app, &mut tx).await?;
    let owner = users::by_email(&mut tx, &email).await?;
    let form = PendingForm { first_name, last_name, email: entered_email, mobile, organization, country };
    let pending = PendingSignup { form, password_hash };
    let token = pending_signups::create(&mut tx, &app.keys, &pending, now).await?;
    let (brand, public_url) = (&app.config.brand, app.config.public_url());
    let (corp, message) = match owner {
        Some(owner) => {
            let mail_text = signup_email_taken_mail(brand, &owner.first_name, &format!("{public_url}/forgot-password"));
            (owner.corp_id, owner.mail(mail_text))
        }
        None => {
            let mail_text = signup_mail(brand, &format!("{public_url}/verify-email?token={}", token.expose_secret()));
            (platform, MailMessage::new(&email, "", mail_text))
        }
    };
    // The mail has no topic, because a mail replaces queued mails with its topic: one of two sign-ups with the same
    // e-mail would cancel the other's mail.
    app.mail.queue(&app, &mut tx, corp, &message, None, now + pending_signups::LINK_LIFETIME).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Created(Done::new(text::SIGNUP_RECEIVED)))
}

/// `POST /api/auth/verify-email`: creates an inactive corporation from the link's sign-up, and its Admin with a
/// verified e-mail. Of several sign-ups with one e-mail or number, the first to be confirmed succeeds.
pub async fn verify_email(
    _: SignupEnabled,
    State(app): State<App>,
    Valid(form): Valid<VerifyEmailInput>,
) -> ApiResult<Json<Done>> {
    let super_admins = users::super_admins(&app.db).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let pending = pending_signups::take(&mut tx, &app.keys, form.token.expose_secret(), now).await?;
    let PendingSignup { form, password_hash } = pending.ok_or_else(|| ApiError::invalid(text::VERIFY_LINK_INVALID))?;
    // The platform's corporation is locked first, as everywhere that assigns a number, so that numbers stay unique.
    let platform = admin::find_or_create_platform(&app, &mut tx).await?;
    users::lock_corporation(&mut tx, platform).await?;
    let organization = &form.organization;
    // Checked before the number: after a second sign-up, an owner's own corporation has both.
    if users::by_email(&mut tx, &form.email.to_lowercase()).await?.is_some() {
        return Err(ApiError::Conflict(text::VERIFY_EMAIL_TAKEN.into()));
    }
    if is_number_taken(&mut tx, &organization.organization_number, None).await? {
        return Err(ApiError::Conflict(text::VERIFY_NUMBER_TAKEN.into()));
    }
    let new = Registration {
        is_active: false,
        resources: modules().map(CatalogueEntry::resource_id).collect(),
        organization,
        country: &form.country,
        admin: &AdminInput {
            first_name: form.first_name,
            last_name: form.last_name,
            email: form.email,
            phone: form.mobile,
            password: Secret::default(),
        },
        password_hash: &password_hash,
    };
    let registered = register(&mut tx, &new, now).await?;
    let admin = registered.admin.ok_or_else(|| ApiError::Conflict(text::VERIFY_EMAIL_TAKEN.into()))?;
    if let Some(account) = users::find(&mut tx, registered.corp, admin).await? {
        users::mark_email_verified(&mut tx, &account, now).await?;
    }
    let scope = scope_of_job(&app.db, registered.corp, admin);
    corporation_history::record(&mut tx, &scope, now, HistoryAction::Created, &[]).await?;
    let (brand, public_url) = (&app.config.brand, app.config.public_url());
    let link = format!("{public_url}/dashboard/corporations/{}/users", registered.corp);
    for admin in super_admins {
        let mail_text = corporation_waiting_mail(brand, &admin.first_name, &organization.corp_name, &link);
        app.mail.queue(&app, &mut tx, registered.corp, &admin.mail(mail_text), None, now + NOTICE_LIFETIME).await?;
    }
    tx.commit().await?;
    app.mail.wake();
    tracing::info!(corporation = %registered.corp, "a sign-up was confirmed");
    Ok(Json(Done::new(text::EMAIL_CONFIRMED)))
}
