//! Sign-up: a corporation registers itself. It is created when the mailed link is opened, and stays inactive until a
//! Super Admin activates it.

use super::pending::{self, Pending};
use super::register::{Admin, Organization, Registration, register};
use crate::access::describe::Extractor;
use crate::features::auth::admin;
use crate::features::config::Signup;
use crate::features::organizations::is_taken;
use crate::features::state::App;
use crate::features::users;
use crate::platform::clock::DAY;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits;
use crate::platform::mail::MailMessage;
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use forecourt_core::auth::mail::{signup_email_taken_mail, signup_mail, signup_notice_mail};
use forecourt_core::auth::{SignupInput, VerifyEmailInput, text};
use forecourt_core::paging::SEARCH_MAX;
use forecourt_core::permissions::{CATALOGUE, Placement};
use forecourt_core::reply::Done;
use url::form_urlencoded::byte_serialize;

/// How long delivery of a notice to an administrator is attempted.
const NOTICE: i64 = 3 * DAY;

/// Proof that sign-up is enabled on this installation. Checked before the form is read.
pub struct Open(());

impl Extractor for Open {}

impl FromRequestParts<App> for Open {
    type Rejection = ApiError;

    async fn from_request_parts(_: &mut Parts, app: &App) -> ApiResult<Self> {
        match app.feature_config.signup {
            Signup::Approval => Ok(Open(())),
            Signup::Off => Err(ApiError::FeatureDisabled(text::SIGNUP_OFF)),
        }
    }
}

/// `POST /api/auth/signup`: stores a sign-up until it is confirmed. An e-mail that already has an account causes the
/// same work and the same response, but its sign-up is never confirmable: the mail to the owner contains no link for
/// it.
pub async fn signup(_: Open, State(app): State<App>, Valid(form): Valid<SignupInput>) -> ApiResult<Created<Done>> {
    let mut form = form.into_inner();
    let email = form.email.to_lowercase();
    limits::count_use(&app, limits::SIGNUP_EMAIL, email.as_bytes()).await?;
    let password_hash = app.hasher.hash(std::mem::take(&mut form.password)).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let platform = admin::platform_of(&app, &mut tx).await?;
    let owner = users::by_email_in(&mut tx, &email).await?;
    let token = pending::insert(&mut tx, &app.keys, &Pending { form, password_hash }, now).await?;
    let (brand, public_url) = (&app.config.brand, app.config.public_url());
    let (corp, message) = match owner {
        Some(owner) => {
            let words = signup_email_taken_mail(brand, &owner.first_name, &format!("{public_url}/forgot-password"));
            (owner.corp_id, MailMessage::new(&owner.email, &owner.full_name(), words))
        }
        None => {
            let words = signup_mail(brand, &format!("{public_url}/verify-email?token={token}"));
            (platform, MailMessage::new(&email, "", words))
        }
    };
    // Without a topic, so that one of two sign-ups with the same e-mail does not cancel the other's mail.
    app.mail.queue(&app, &mut tx, corp, &message, None, now + pending::LINK).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Created(Done::new(text::SIGNUP_RECEIVED)))
}

/// `POST /api/auth/verify-email`: creates an inactive corporation from the link's sign-up, and its Admin with a
/// verified e-mail. Of several sign-ups with one e-mail or number, the first to be confirmed succeeds.
pub async fn verify_email(
    _: Open,
    State(app): State<App>,
    Valid(form): Valid<VerifyEmailInput>,
) -> ApiResult<Json<Done>> {
    let super_admins = users::super_admins(&app.db).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let pending = pending::take(&mut tx, &app.keys, &form.token, now).await?;
    let Pending { form, password_hash } = pending.ok_or_else(|| ApiError::invalid(text::VERIFY_LINK_INVALID))?;
    // The platform's corporation is locked first, as everywhere that assigns a number, so that numbers stay unique.
    let platform = admin::platform_of(&app, &mut tx).await?;
    users::lock_corporation(&mut tx, platform).await?;
    let organization = &form.organization;
    if is_taken(&mut tx, &organization.organization_number, None).await? {
        return Err(ApiError::Conflict(text::VERIFY_NUMBER_TAKEN.into()));
    }
    let new = Registration {
        name: &organization.corp_name,
        is_active: false,
        resources: CATALOGUE.iter().filter(|entry| entry.placement == Placement::Main).map(|e| e.resource_id).collect(),
        organization: Organization {
            number: &organization.organization_number,
            street_address: &organization.street_address,
            registered_city: &organization.registered_city,
            postal_code: &organization.postal_code,
            city: &organization.city,
            email: &organization.company_email,
            phone: &organization.company_phone,
        },
        admin: Admin {
            first_name: &form.first_name,
            last_name: &form.last_name,
            email: &form.email,
            mobile: &form.mobile,
            password_hash: &password_hash,
        },
    };
    let made = register(&mut tx, &new, now).await?;
    let admin = made.admin.ok_or_else(|| ApiError::Conflict(text::VERIFY_EMAIL_TAKEN.into()))?;
    if let Some(account) = users::get(&mut tx, made.corp, admin).await? {
        users::mailbox_proven(&mut tx, &account, now).await?;
    }
    let (brand, public_url) = (&app.config.brand, app.config.public_url());
    let searched: String = organization.corp_name.chars().take(SEARCH_MAX as usize).collect();
    let search: String = byte_serialize(searched.as_bytes()).collect();
    let link = format!("{public_url}/dashboard/corporations?search={search}");
    for admin in super_admins {
        let words = signup_notice_mail(brand, &admin.first_name, &organization.corp_name, &link);
        let message = MailMessage::new(&admin.email, &admin.full_name(), words);
        app.mail.queue(&app, &mut tx, made.corp, &message, None, now + NOTICE).await?;
    }
    tx.commit().await?;
    app.mail.wake();
    tracing::info!(corporation = %made.corp, "a sign-up was confirmed");
    Ok(Json(Done::new(text::EMAIL_CONFIRMED)))
}
