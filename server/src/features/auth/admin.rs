//! Creation of Super Admins by a command, and of the first one also from the settings at startup (docs/product.md 3.1).
//! There is no default password.

use crate::features::history::{self, Entry};
use crate::features::state::App;
use crate::features::users::{self, NewUser};
use crate::platform::Failure;
use crate::platform::db::{self, Tx};
use forecourt_core::auth::SuperAdminInput;
use forecourt_core::form::{check_with, is_email};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::{ResourceId, UserType};
use forecourt_core::secret::Secret;
use forecourt_core::text::EMAIL_INVALID;
use std::io::{IsTerminal, stdin};
use uuid::Uuid;

/// Creates a Super Admin. Reads the password from the terminal without echo, or from the first line of standard input.
///
/// # Errors
/// A one-line message: the e-mail or the password is not acceptable, or the database is not available.
pub async fn create_from_terminal(app: &App, email: &str) -> Result<(), Failure> {
    let email = parse_email(email)?;
    if users::by_email(&app.db, &email).await.map_err(database_error)?.is_some() {
        return Err(email_taken_error(&email));
    }
    let password = tokio::task::spawn_blocking(read_password).await.map_err(|e| e.to_string())??;
    create(app, &email, password).await?;
    println!("{email} is a Super Admin now and can sign in.");
    Ok(())
}

/// Creates the Super Admin that the settings name if none exists. Without these settings, logs how to create one.
///
/// # Errors
/// A one-line message: the settings are not usable, or the database is not available.
pub async fn create_from_settings(app: &App) -> Result<(), Failure> {
    if users::has_super_admin(&app.db).await.map_err(database_error)? {
        return Ok(());
    }
    let config = &app.feature_config.auth;
    let (Some(email), Some(password)) = (&config.admin_email, &config.admin_password) else {
        tracing::warn!(
            "there is no Super Admin yet: make one with `forecourt admin create --email you@example.com`, \
             or start with FORECOURT_ADMIN_EMAIL and FORECOURT_ADMIN_PASSWORD"
        );
        return Ok(());
    };
    let failed_settings = |failure| {
        format!("the first Super Admin can't be made: {failure} (FORECOURT_ADMIN_EMAIL and FORECOURT_ADMIN_PASSWORD)")
    };
    let email = parse_email(email).map_err(failed_settings)?;
    match create(app, &email, password.clone()).await {
        Ok(()) => tracing::info!(email, "made the first Super Admin"),
        // Another node that started at the same time may have created it first.
        Err(_) if users::has_super_admin(&app.db).await.map_err(database_error)? => {}
        Err(failure) => return Err(failed_settings(failure)),
    }
    Ok(())
}

fn parse_email(text: &str) -> Result<String, Failure> {
    let email = text.trim().to_lowercase();
    if is_email(&email) { Ok(email) } else { Err(format!("{EMAIL_INVALID}: {email:?} is none")) }
}

/// Reads a password: from the terminal, where it must be typed twice, or from standard input.
fn read_password() -> Result<Secret<String>, Failure> {
    let unreadable = |e: std::io::Error| format!("the password can't be read: {e}");
    if !stdin().is_terminal() {
        let mut line = Secret::new(String::new());
        stdin().read_line(line.expose_secret_mut()).map_err(unreadable)?;
        return Ok(line.expose_secret().trim_end_matches(['\r', '\n']).into());
    }
    let prompt = |text| rpassword::prompt_password(text).map(Secret::new).map_err(unreadable);
    let (password, again) = (prompt("Password: ")?, prompt("Once more: ")?);
    if password.expose_secret() == again.expose_secret() {
        Ok(password)
    } else {
        Err("the two passwords differ".into())
    }
}

async fn create(app: &App, email: &str, password: Secret<String>) -> Result<(), Failure> {
    let form = SuperAdminInput { email: email.to_owned(), password };
    let form = check_with(app.form_settings, form)
        .map_err(|broken| {
            let messages: Vec<String> = broken.iter().map(|e| format!("{}: {}", e.field, e.message)).collect();
            messages.join(", ")
        })?
        .into_inner();
    let (email, password) = (form.email.as_str(), form.password);
    let hash = app.hasher.hash(password).await.map_err(|_| "the password can't be hashed at the moment")?;
    if insert(app, email, &hash).await.map_err(database_error)? { Ok(()) } else { Err(email_taken_error(email)) }
}

/// Inserts the user, and the platform's corporation if missing. Returns `false` if the e-mail is already in use.
async fn insert(app: &App, email: &str, password_hash: &str) -> db::Result<bool> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let corp = create_platform(&mut tx, &app.config.brand, now).await?;
    let user = NewUser {
        corp,
        email,
        first_name: "Platform",
        last_name: "Administrator",
        mobile: "",
        user_type: UserType::SuperAdmin,
        role: None,
        password_hash,
    };
    let Some(id) = users::create_account(&mut tx, &user, now).await? else { return Ok(false) };
    let entry = Entry::new(HistoryAction::Created, ResourceId::Users, id, email, &[])?;
    history::insert_by_system(&mut tx, corp, now, vec![entry]).await?;
    tx.commit().await?;
    Ok(true)
}

/// Returns the id of the platform's corporation, and creates it if missing.
pub(crate) async fn find_or_create_platform(app: &App, tx: &mut Tx) -> db::Result<Uuid> {
    match tx.sql("SELECT corp_id FROM corporations WHERE is_platform").maybe_value().await? {
        Some(corp) => Ok(corp),
        None => create_platform(tx, &app.config.brand, app.clock.now()).await,
    }
}

/// Creates the platform's corporation if missing, and returns its id.
async fn create_platform(tx: &mut Tx, name: &str, now: i64) -> db::Result<Uuid> {
    tx.sql(
        "INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at) VALUES ($1, $2, TRUE, $3, $3) \
         ON CONFLICT DO NOTHING",
    )
    .bind_all((Uuid::now_v7(), name.to_owned(), now))
    .exec()
    .await?;
    let corp: Uuid = tx.sql("SELECT corp_id FROM corporations WHERE is_platform").value().await?;
    // An empty company record, to be filled in on the corporations screen.
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, created_at, updated_at) VALUES ($1, '', $2, $2) \
         ON CONFLICT DO NOTHING",
    )
    .bind_all((corp, now))
    .exec()
    .await?;
    Ok(corp)
}

fn email_taken_error(email: &str) -> Failure {
    format!("{email} is taken: another user signs in with it")
}

fn database_error(error: sqlx::Error) -> Failure {
    format!("the database is not available: {error}")
}
