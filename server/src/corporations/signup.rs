//! Sign-up: a corporation registers itself, and waits until a Super Admin switches it on (decisions 2.9).

use super::register::{Admin, Organization, Registration, register};
use crate::answers::Created;
use crate::clock::DAY;
use crate::config::Signup;
use crate::limits;
use crate::mail::{self, MailMessage};
use crate::problem::{Answer, Refusal, Valid};
use crate::state::App;
use crate::users;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use forecourt_core::auth::mail::{signup_mail, signup_notice_mail, signup_taken_mail};
use forecourt_core::auth::{SignupInput, text};
use forecourt_core::paging::SEARCH_MAX;
use forecourt_core::permissions::{CATALOGUE, Place};
use forecourt_core::reply::Done;
use url::form_urlencoded::byte_serialize;

/// How long the mails are worth delivering.
const MAIL: i64 = 3 * DAY;

/// Witness: corporations may register themselves here. Asked before the form is read.
pub struct Open(());

impl FromRequestParts<App> for Open {
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Answer<Self> {
        match app.config.signup {
            Signup::Approval => Ok(Open(())),
            Signup::Off => Err(Refusal::Closed(text::SIGNUP_OFF)),
        }
    }
}

/// `POST /api/auth/signup`: makes a corporation that is switched off, and its Admin. An e-mail that is taken gets the
/// same answer after the same work: only the mail to its owner tells.
pub async fn signup(_: Open, State(app): State<App>, Valid(form): Valid<SignupInput>) -> Answer<Created<Done>> {
    let form = form.into_inner();
    let email = form.email.to_lowercase();
    limits::take(&app, limits::SIGNUP_EMAIL, email.as_bytes()).await?;
    let hash = app.hasher.hash(form.password).await?;
    let super_admins = users::super_admins(&app.db).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let new = Registration {
        name: &form.organization.corp_name,
        is_active: false,
        resources: CATALOGUE.iter().filter(|entry| entry.place == Place::Main).map(|e| e.resource_id).collect(),
        organization: Organization {
            number: &form.organization.organization_number,
            street_address: &form.organization.street_address,
            registered_city: &form.organization.registered_city,
            postal_code: &form.organization.postal_code,
            city: &form.organization.city,
            email: &form.organization.company_email,
            phone: &form.organization.company_phone,
        },
        admin: Admin {
            first_name: &form.first_name,
            last_name: &form.last_name,
            email: &email,
            mobile: &form.mobile,
            password_hash: &hash,
        },
    };
    let made = register(&mut tx, &new, now).await?;
    let (brand, public_url) = (&app.config.brand, app.config.public_url());
    // Whose it is: the new Admin's, or who had it before. Whoever had it may have just been deleted: then it is free.
    let owner = users::by_email_in(&mut tx, &email).await?.ok_or(Refusal::Busy)?;
    let words = match made.admin {
        Some(_) => signup_mail(brand),
        None => signup_taken_mail(brand, &owner.first_name, &format!("{public_url}/forgot-password")),
    };
    let message = MailMessage::new(&owner.email, &owner.full_name(), words);
    let topic = mail::topic(&app, "signup", &[owner.user_id.as_bytes()]);
    app.mail.queue(&app, &mut tx, owner.corp_id, &message, Some(topic), now + MAIL).await?;
    let searched: String = form.organization.corp_name.chars().take(SEARCH_MAX as usize).collect();
    let search: String = byte_serialize(searched.as_bytes()).collect();
    let link = format!("{public_url}/dashboard/corporations?search={search}");
    for admin in super_admins {
        let words = signup_notice_mail(brand, &admin.first_name, &form.organization.corp_name, &link);
        let message = MailMessage::new(&admin.email, &admin.full_name(), words);
        app.mail.queue(&app, &mut tx, made.corp, &message, None, now + MAIL).await?;
    }
    // A corporation whose Admin could not be made goes again, and the mails about it with it. Asked for in either case.
    tx.sql("DELETE FROM corporations WHERE corp_id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE corp_id = $1)")
        .bind(made.corp)
        .exec()
        .await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Created(Done::new(text::SIGNUP_RECEIVED)))
}
