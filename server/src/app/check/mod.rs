//! `forecourt check`: checks the settings and what they name (data folder, keys, database, mail server, other
//! services), and prints a line for each result. It changes no record and no setting. It opens a SQLite database as a
//! server does, which may move the content of the write-ahead log into the database file.

mod disk;

use crate::app::backup::count_records;
use crate::app::config::Config;
use crate::app::start::without_password;
use crate::features::auth::config::AuthConfig;
use crate::features::auth::oidc::Provider;
use crate::features::history::chain::{self, Broken, Verified};
use crate::features::listing;
use crate::features::organizations::CompanyRegister;
use crate::features::organizations::directory_url::DirectoryUrl;
use crate::platform::clock::Clock;
use crate::platform::config::{PlatformConfig, SecretKey, secret_key as parse_secret_key};
use crate::platform::db::open::{read_only_error, sqlite_file};
use crate::platform::db::schema::{self, Schema};
use crate::platform::db::{Db, database_message, durability, tenancy};
use crate::platform::encryption::{self, DataKeys};
use crate::platform::keys::Keys;
use crate::platform::mail;
use forecourt_core::text::one_line;
use lettre::message::Mailbox;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use std::fmt::{self, Display};
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// Timeout for connecting to the database.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The first second of 2026, in microseconds since the Unix epoch. An earlier time means that the clock is wrong.
const NOT_BEFORE: i64 = 1_767_225_600_000_000;
/// The largest difference between the clocks of this machine and the database without a warning, in microseconds.
/// Beyond it, one of them is wrong: if it is this machine's, sessions and codes of other nodes expire at wrong times
/// here.
const MAX_CLOCK_DIFFERENCE: i64 = 5_000_000;

/// The result of a check.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    Ok,
    /// The server works, except for lookups of companies, but the operator should know about this.
    Warning,
    /// The server would not start, a part of it would not work, or entries of the history were manipulated.
    Failed,
}

/// The result of one check, which is one line of the output.
#[derive(Debug)]
pub struct Finding {
    pub subject: &'static str,
    pub state: State,
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Failed => "failed",
        };
        write!(f, "{state:<8} {:<12} {}", self.subject, self.message)
    }
}

fn ok(subject: &'static str, message: impl Into<String>) -> Finding {
    Finding { subject, state: State::Ok, message: message.into() }
}

fn warning(subject: &'static str, message: impl Into<String>) -> Finding {
    Finding { subject, state: State::Warning, message: message.into() }
}

fn failed(subject: &'static str, message: impl Into<String>) -> Finding {
    Finding { subject, state: State::Failed, message: message.into() }
}

/// Runs all checks, roughly in the order in which a server that starts uses what they check.
pub async fn check(config: &Config) -> Vec<Finding> {
    // Installs the cryptography library for outgoing TLS. An error only means that one is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let Config { platform, features } = config;
    let mut found = check_settings(platform);
    found.extend(disk::check_folder(platform));
    found.push(check_secret_key(platform));
    found.extend(open_and_check_database(platform).await);
    found.push(check_mail(platform).await);
    found.extend(check_provider(&features.auth, &platform.public_url()).await);
    found.extend(check_register(features.directory_url.as_ref()).await);
    found
}

fn check_settings(config: &PlatformConfig) -> Vec<Finding> {
    let public = config.public_url();
    let is_on_postgres = sqlite_file(config.database_url().expose_secret()).is_none();
    let is_loopback = config.listen.ip().is_loopback();
    let mut found = vec![if config.public_url.is_none() && !is_loopback {
        warning("settings", "FORECOURT_PUBLIC_URL is not set: links in mails contain the listen address")
    } else if !public.starts_with("https://") {
        warning("settings", format!("users connect to {public}, where passwords are sent unencrypted"))
    } else if is_loopback && config.trusted_proxies.is_empty() {
        let message = "set FORECOURT_TRUSTED_PROXIES to the proxy, or all clients share the limits of one address";
        warning("settings", message)
    } else {
        ok("settings", format!("users connect to {public}"))
    }];
    let mut warn = |message: &str| found.push(warning("settings", message));
    if is_on_postgres && config.secret_key.is_none() {
        warn("all nodes on one database need the same FORECOURT_SECRET_KEY");
    }
    if is_on_postgres && config.data_keys.is_empty() {
        warn("all nodes on one database need the same FORECOURT_DATA_KEYS");
    }
    unencrypted_connections(config).for_each(&mut warn);
    if config.smtp_url.is_some() && is_sender_localhost(config) {
        warn("set FORECOURT_MAIL_FROM to your own address: other mail servers reject mails from localhost");
    }
    if config.metrics_listen.is_some_and(|address| !address.ip().is_loopback()) {
        warn("metrics are served to other machines without a password");
    }
    if Clock::System.now() < NOT_BEFORE {
        found.push(failed("clock", "the clock of this machine is years behind: set it, or no session will last"));
    }
    found
}

/// Returns warnings about connections to a database or mail server on another machine that could be intercepted.
fn unencrypted_connections(config: &PlatformConfig) -> impl Iterator<Item = &'static str> {
    let database = config.database_url().expose_secret().parse::<PgConnectOptions>().ok();
    let database = database.filter(|to| {
        let is_verified = matches!(to.get_ssl_mode(), PgSslMode::VerifyCa | PgSslMode::VerifyFull);
        !is_verified && to.get_socket().is_none() && !is_this_machine(to.get_host())
    });
    let mail = config.smtp_url.as_ref().and_then(|url| Url::parse(url.expose_secret()).ok());
    let mail = mail.filter(|to| {
        let is_encrypted =
            to.scheme() == "smtps" || to.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
        !is_encrypted && to.host_str().is_none_or(|host| !is_this_machine(host))
    });
    let messages = [
        database.map(|_| "the database's certificate is not verified: add ?sslmode=verify-full to its URL"),
        mail.map(|_| "mail may be sent unencrypted: use smtps:// or ?tls=required"),
    ];
    messages.into_iter().flatten()
}

/// Returns true if the configured sender address of mails ends with `@localhost`.
fn is_sender_localhost(config: &PlatformConfig) -> bool {
    config.mail_from.parse::<Mailbox>().is_ok_and(|from| from.email.domain().eq_ignore_ascii_case("localhost"))
}

fn is_this_machine(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.starts_with('/') || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn check_secret_key(config: &PlatformConfig) -> Finding {
    if config.secret_key.is_some() {
        return ok("secret key", "FORECOURT_SECRET_KEY");
    }
    let path = config.data_dir.join("secret.key");
    match std::fs::read_to_string(&path) {
        Ok(text) => match parse_secret_key(&text).map(|secret| can_decrypt(&secret)) {
            Ok(true) => disk::check_private_file("secret key", &path),
            Ok(false) => failed("secret key", "it can't decrypt what it encrypts: this program is damaged"),
            Err(e) => failed("secret key", format!("{}: {e}", path.display())),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => ok("secret key", "will be created at the first start"),
        Err(e) => failed("secret key", format!("can't read {}: {e}", path.display())),
    }
}

/// Returns whether a test text can be encrypted and decrypted with this key. Reads nothing that is stored.
fn can_decrypt(secret: &SecretKey) -> bool {
    let Ok(keys) = Keys::new(secret) else { return false };
    keys.encrypt(b"test").ok().and_then(|ciphertext| keys.decrypt(&ciphertext)).is_some_and(|plain| plain == b"test")
}

async fn open_and_check_database(config: &PlatformConfig) -> Vec<Finding> {
    let url = config.database_url();
    let url = url.expose_secret();
    let name = without_password(url);
    let mut found = Vec::new();
    if let Some(path) = sqlite_file(url) {
        found.extend(disk::check_database_folder(config, &path));
        if !path.exists() {
            if found.is_empty() {
                found.push(ok("database", format!("{} will be created at the first start", path.display())));
            }
            return found;
        }
    }
    let opened = match tokio::time::timeout(CONNECT_TIMEOUT, Db::open(url, 1)).await {
        Ok(opened) => opened.map_err(|e| format!("can't open {name}: {}", database_message(&e))),
        Err(_) => Err(format!("{name} does not respond (FORECOURT_DATABASE_URL)")),
    };
    let db = match opened {
        Ok(db) => db,
        Err(message) => {
            found.push(failed("database", message));
            return found;
        }
    };
    match check_database(config, &db, &name).await {
        Ok(more) => found.extend(more),
        Err(e) => found.push(failed("database", format!("{name} can't be used: {}", database_message(&e)))),
    }
    db.close().await;
    if found.iter().all(|finding| finding.subject != "database") {
        found.insert(0, ok("database", name));
    }
    found
}

async fn check_database(config: &PlatformConfig, db: &Db, name: &str) -> sqlx::Result<Vec<Finding>> {
    let mut found = Vec::new();
    for reason in [tenancy::exempt_user_error(db).await?, read_only_error(db).await].into_iter().flatten() {
        found.push(failed("database", reason));
    }
    for risk in durability::risks(db).await? {
        let message = format!("acknowledged writes are at risk: {}", risk.reason);
        let is_failure = risk.is_severe && !config.database_unsafe;
        found.push(if is_failure { failed("database", message) } else { warning("database", message) });
    }
    let schema = db.schema().await?;
    found.push(match &schema {
        Schema::Same => ok("schema", "matches this program's"),
        Schema::Missing => ok("schema", "will be created at the first start"),
        Schema::Older(missing) => {
            warning("schema", format!("the next start applies {missing} migrations: make a backup first"))
        }
        Schema::Newer(version) => failed("schema", schema::newer_schema_error(*version)),
        Schema::Other(version) => failed("schema", schema::other_schema_error(*version)),
    });
    if let Db::Sqlite { write, .. } = db {
        let (verdict,): (String,) = sqlx::query_as("PRAGMA quick_check(1)").fetch_one(write).await?;
        if verdict != "ok" {
            found.push(failed("database", format!("{name} is damaged ({}): restore a backup", one_line(&verdict))));
        }
    } else {
        let time = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
        let database_time: i64 = db.catalog().sql(time).value().await?;
        let difference = (database_time - Clock::System.now()).abs();
        if difference > MAX_CLOCK_DIFFERENCE {
            let seconds = difference / 1_000_000;
            let message =
                format!("the clocks of this machine and the database differ by {seconds} s: synchronize both");
            found.push(warning("clock", message));
        }
    }
    if schema == Schema::Same {
        found.push(check_data_keys(config, db).await?);
        if let Some(reason) = tenancy::unprotected_table_error(db, listing::search_tables()).await? {
            found.push(failed("database", reason));
        }
        found.push(match count_records(db).await {
            Ok(counts) => ok("records", counts),
            Err(e) => warning("records", format!("they can't be counted: {}", database_message(&e))),
        });
        found.extend(check_history(db).await?);
    }
    Ok(found)
}

/// Checks, by the hash chain of each corporation's history, that no entry was changed or removed in the database.
async fn check_history(db: &Db) -> sqlx::Result<Vec<Finding>> {
    let Verified { chained, waiting, broken } = chain::verify(db).await?;
    if broken.is_empty() {
        let newer =
            if waiting == 0 { String::new() } else { format!("; {waiting} newer ones are not in the chain yet") };
        return Ok(vec![ok("history", format!("{chained} entries are as they were written{newer}"))]);
    }
    let message = |Broken { corp, position, id }: Broken| {
        let place = format!("entry {id}, number {position} of the corporation {corp}");
        failed("history", format!("{place} is not as it was written, or one before it was removed"))
    };
    Ok(broken.into_iter().map(message).collect())
}

async fn check_data_keys(config: &PlatformConfig, db: &Db) -> sqlx::Result<Finding> {
    let needed = encryption::registered_key_ids(db).await?;
    let configured = match DataKeys::configured_ids(config) {
        Ok(configured) => configured,
        Err(e) => return Ok(failed("data keys", format!("can't read them: {e}"))),
    };
    let missing = needed.iter().find(|id| configured.as_ref().is_none_or(|configured| !configured.contains(id)));
    Ok(match (missing, configured) {
        (Some(id), _) => failed("data keys", format!("the key {id} is missing, which encrypts text in the database")),
        (None, None) => ok("data keys", "will be created at the next start"),
        (None, Some(_)) if !config.data_keys.is_empty() => ok("data keys", "FORECOURT_DATA_KEYS"),
        (None, Some(_)) => disk::check_private_file("data keys", &config.data_dir.join("data.keys")),
    })
}

async fn check_mail(config: &PlatformConfig) -> Finding {
    if config.smtp_url.is_none() {
        let outbox = config.data_dir.join("outbox");
        let failure = outbox.exists().then(|| disk::check_writable("mail", &outbox)).flatten();
        let message = "FORECOURT_SMTP_URL is not set: mails are written to the outbox, and users receive no codes";
        return failure.unwrap_or_else(|| warning("mail", message));
    }
    match mail::check_connection(config).await {
        Ok(()) => ok("mail", "the mail server accepts the connection (`forecourt mail test` sends a mail)"),
        Err(failure) => failed("mail", format!("the mail server can't be used: {failure}")),
    }
}

async fn check_provider(config: &AuthConfig, public_url: &str) -> Option<Finding> {
    let result = match Provider::new(config, public_url) {
        Ok(None) => return None,
        Ok(Some(provider)) => provider.check(Clock::System.now()).await,
        Err(failure) => Err(failure),
    };
    let issuer = config.oidc_issuer.as_str();
    Some(match result {
        Ok(()) => ok("provider", issuer),
        Err(failure) => failed("provider", format!("{issuer}: {failure}")),
    })
}

async fn check_register(url: Option<&DirectoryUrl>) -> Option<Finding> {
    let register = match CompanyRegister::new(url) {
        Ok(register) => register?,
        Err(failure) => return Some(failed("register", failure)),
    };
    Some(match register.check().await {
        Ok(()) => ok("register", "responds"),
        Err(failure) => warning("register", format!("companies can't be looked up: {failure}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;

    #[test]
    fn warns_about_unencrypted_connections_to_other_machines() {
        let warned_about = |database: &str, smtp: &str| {
            let config = from_flags(&["--database-url", database, "--smtp-url", smtp]);
            let messages: String = unencrypted_connections(&config).collect();
            (messages.contains("sslmode=verify-full"), messages.contains("tls=required"))
        };
        let (far, mails) = ("postgres://ada:x@db.example/forecourt", "smtp://mail.example");
        assert_eq!(warned_about(far, mails), (true, true));
        assert_eq!(
            warned_about(&format!("{far}?sslmode=require"), mails),
            (true, true),
            "an attacker can impersonate the database"
        );
        assert_eq!(warned_about(&format!("{far}?sslmode=verify-full"), "smtps://mail.example"), (false, false));
        for here in ["127.0.0.1:1", "[::1]:1", "localhost"] {
            assert_eq!(
                warned_about(&format!("postgres://ada:x@{here}/forecourt"), &format!("smtp://{here}")),
                (false, false)
            );
        }
        assert_eq!(
            warned_about("postgres:///forecourt?host=/run/postgresql", "smtp://mail.example?tls=required"),
            (false, false)
        );
        assert_eq!(warned_about("sqlite:here", "smtp://10.0.0.2"), (false, true));
    }
}
