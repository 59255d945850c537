//! `forecourt demo`: a server that can be reached only from this machine. The first start fills its database with a
//! platform, three corporations, their users and realistic records. Its mails can be read in the browser
//! (docs/product.md 3.2).

mod accounts;
mod bulk;
mod business;
mod calendar;
mod corporations;
mod dealer;
mod diary;
mod drawings;
mod host;
mod imports;
pub mod mailbox;
mod numbers;
mod people;
mod records;
mod sales;
mod saved_views;
mod stock;

pub use bulk::add_records;
pub use host::reject_other_hosts;

use crate::app::config::Config;
use crate::app::start;
use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::file_modes;
use crate::platform::http;
use accounts::{CORPORATIONS, ROLES};
use dealer::Dealer;
use drawings::Drawings;
use forecourt_core::settings::Settings;
use people::Country;

/// The password of all demo users. The demo listens on the loopback address only.
const PASSWORD: &str = "demo-password";

/// Serves the demo until SIGTERM or Ctrl-C.
pub async fn run(config: Config) -> Result<(), Failure> {
    let platform = &config.platform;
    let listen = platform.listen;
    if !listen.ip().is_loopback() {
        return Err(format!("the demo listens on a loopback address only, not on {listen} (FORECOURT_LISTEN)"));
    }
    if platform.smtp_url.is_some() {
        return Err("the demo sends no mail: unset FORECOURT_SMTP_URL".into());
    }
    if platform.database_url.is_some() {
        return Err("the demo has its own database: unset FORECOURT_DATABASE_URL".into());
    }
    // The mailbox needs no sign-in, so the demo must never serve real data.
    let (data, marker) = (platform.data_dir.join("forecourt.sqlite3"), platform.data_dir.join("demo"));
    if data.exists() && !marker.exists() {
        let folder = platform.data_dir.display();
        return Err(format!(
            "{folder} contains data that is not from the demo: choose another folder (FORECOURT_DATA_DIR)"
        ));
    }
    file_modes::create_folder(&platform.data_dir)
        .and_then(|()| std::fs::write(&marker, "This folder belongs to the demo.\n"))
        .map_err(|e| format!("can't create the data folder {}: {e}", platform.data_dir.display()))?;
    let mut app = start::open_server(config).await?;
    app.mailbox = Some(mailbox::PATH);
    insert_records(&app).await.map_err(|e| format!("can't write the demo's records: {e}"))?;
    let listener = http::listen(listen, "FORECOURT_LISTEN")?;
    let stop = start::listen_for_stop();
    println!("{}", welcome_text(&format!("http://{listen}")));
    start::serve(app, listener, stop).await;
    Ok(())
}

/// Returns the text that the terminal shows once the demo is ready.
fn welcome_text(address: &str) -> String {
    let mut lines = vec![format!("\nThe Forecourt demo is ready: {address}\n")];
    for corporation in CORPORATIONS {
        lines.push(format!("  {}", corporation.name));
        let country = Country::of(corporation.country);
        for p in corporation.users {
            let role = p.role.map_or(String::new(), |r| format!(", {}", country.text(ROLES[r].name)));
            lines.push(format!("    {:<26} {}{role}", p.email, p.user_type.as_str()));
        }
    }
    lines.push(format!("\n  Password of all users:  {PASSWORD}"));
    lines.push(format!("  Mails with the codes:   {address}{}\n", mailbox::PATH));
    lines.join("\n")
}

async fn insert_records(app: &App) -> Result<(), Box<dyn std::error::Error>> {
    if app.db.sql("SELECT 1 FROM corporations LIMIT 1").exists().await? {
        return Ok(());
    }
    let hash = app.hasher.hash(PASSWORD.into()).await.map_err(|_| "can't hash the password")?;
    let now = app.clock.now();
    app.data_keys.register_current_key(&app.db).await?;
    // In one transaction: a start that is interrupted leaves an empty database, which the next start fills.
    let mut tx = app.db.begin().await?;
    let mut drawings = Drawings::default();
    for corporation in CORPORATIONS {
        let (staff, others) = corporations::insert(app, &mut tx, corporation, &hash, now).await?;
        diary::insert_sign_ins(&mut tx, &[&staff[..], &others].concat(), now).await?;
        let Some(size) = &corporation.size else { continue };
        let (settings, is_broker) = (&Settings::of_country(corporation.country), corporation.is_broker);
        let dealer = Dealer { staff: &staff, settings, size, is_broker, now };
        dealer.insert(&mut tx, &app.data_keys, &mut drawings).await?;
    }
    corporations::insert_sign_up(&mut tx, &hash, now).await?;
    tx.commit().await?;
    Ok(())
}
