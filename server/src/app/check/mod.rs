//! `forecourt check`: checks everything that the settings name, and prints a line for each. It changes no record and no
//! setting. It opens a SQLite database like a server, which may move the write-ahead log into the file.

mod disk;

use crate::app::start::without_password;
use crate::features::auth::oidc::Provider;
use crate::features::organizations::CompanyRegister;
use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::db::open::file;
use crate::platform::db::schema::{self, Schema};
use crate::platform::db::{Db, durability, tenancy};
use crate::platform::encryption::{self, DataKeys};
use crate::platform::keys;
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
/// The first second of 2026, in microseconds. An earlier time means that the clock is wrong.
const NOT_BEFORE: i64 = 1_767_225_600_000_000;
/// The largest clock difference without a warning, in microseconds. Beyond it, sessions and codes expire at unexpected
/// times.
const MAX_CLOCK_DIFFERENCE: i64 = 5_000_000;

/// The result of a check.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    Ok,
    /// It works, but the operator should know this.
    Warning,
    /// The server won't start, or a part of it won't work.
    Failed,
}

/// One line of the output.
#[derive(Debug)]
pub struct Finding {
    pub what: &'static str,
    pub state: State,
    pub says: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Failed => "failed",
        };
        write!(f, "{state:<8} {:<12} {}", self.what, self.says)
    }
}

fn ok(what: &'static str, says: impl Into<String>) -> Finding {
    Finding { what, state: State::Ok, says: says.into() }
}

fn warning(what: &'static str, says: impl Into<String>) -> Finding {
    Finding { what, state: State::Warning, says: says.into() }
}

fn failed(what: &'static str, says: impl Into<String>) -> Finding {
    Finding { what, state: State::Failed, says: says.into() }
}

/// Runs all checks, in the order in which a start needs the parts.
pub async fn check(config: &Config) -> Vec<Finding> {
    // The crypto provider of outgoing TLS. The result is an error if it is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut found = settings(config);
    found.extend(disk::folder(config));
    found.push(secret_key(config));
    found.extend(database(config).await);
    found.push(mail(config).await);
    found.extend(provider(config).await);
    found.extend(register(config).await);
    found
}

fn settings(config: &Config) -> Vec<Finding> {
    let public = config.public_url();
    let is_on_postgres = file(&config.database_url()).is_none();
    let is_loopback = config.listen.ip().is_loopback();
    let mut found = Vec::new();
    found.push(if config.public_url.is_none() && !is_loopback {
        warning("settings", "FORECOURT_PUBLIC_URL isn't set: links in mails lead to the listening address")
    } else if !public.starts_with("https://") {
        warning("settings", format!("people come by {public}, where passwords can be read on the way"))
    } else if is_loopback && config.trusted_proxies.is_empty() {
        let says = "FORECOURT_TRUSTED_PROXIES has to name the proxy, or all people share the limits of one address";
        warning("settings", says)
    } else {
        ok("settings", format!("people come by {public}"))
    });
    if is_on_postgres && config.secret_key.is_none() {
        found.push(warning("settings", "several nodes on one database all need the same FORECOURT_SECRET_KEY"));
    }
    if is_on_postgres && config.data_keys.is_empty() {
        found.push(warning("settings", "several nodes on one database all need the same FORECOURT_DATA_KEYS"));
    }
    found.extend(unencrypted_connections(config).map(|says| warning("settings", says)));
    if config.smtp_url.is_some() && is_sender_localhost(config) {
        let says = "FORECOURT_MAIL_FROM has to be an address of yours: mails from localhost are refused elsewhere";
        found.push(warning("settings", says));
    }
    if config.metrics_listen.is_some_and(|address| !address.ip().is_loopback()) {
        found.push(warning("settings", "metrics are served to other machines, without a password"));
    }
    if Clock::System.now() < NOT_BEFORE {
        found.push(failed("clock", "this machine's clock is wrong by years: set it, or no session will last"));
    }
    found
}

/// Returns warnings about connections to other machines that could be intercepted.
fn unencrypted_connections(config: &Config) -> impl Iterator<Item = &'static str> {
    let database = config.database_url().parse::<PgConnectOptions>().ok();
    let database = database.filter(|to| {
        let is_proved = matches!(to.get_ssl_mode(), PgSslMode::VerifyCa | PgSslMode::VerifyFull);
        !is_proved && to.get_socket().is_none() && !is_this_machine(to.get_host())
    });
    let mail = config.smtp_url.as_deref().and_then(|url| Url::parse(url).ok());
    let mail = mail.filter(|to| {
        let is_sure = to.scheme() == "smtps" || to.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
        !is_sure && to.host_str().is_none_or(|host| !is_this_machine(host))
    });
    let says = [
        database.map(|_| "the database's certificate isn't looked at: add ?sslmode=verify-full to its address"),
        mail.map(|_| "mail may go out uncovered: use smtps:// or ?tls=required"),
    ];
    says.into_iter().flatten()
}

/// Returns true if the sender of mails is at localhost.
fn is_sender_localhost(config: &Config) -> bool {
    config.mail_from.parse::<Mailbox>().is_ok_and(|from| from.email.domain().eq_ignore_ascii_case("localhost"))
}

fn is_this_machine(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.starts_with('/') || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn secret_key(config: &Config) -> Finding {
    if config.secret_key.is_some() {
        return ok("secret key", "FORECOURT_SECRET_KEY");
    }
    let path = config.data_dir.join("secret.key");
    match std::fs::read_to_string(&path) {
        Ok(text) => match crate::platform::config::secret_key(&text).map(|secret| can_decrypt(&secret)) {
            Ok(true) => disk::private("secret key", &path),
            Ok(false) => failed("secret key", "what it seals can't be opened again: this program is broken"),
            Err(wrong) => failed("secret key", format!("{}: {wrong}", path.display())),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => ok("secret key", "the first start makes one"),
        Err(e) => failed("secret key", format!("{} can't be read: {e}", path.display())),
    }
}

fn can_decrypt(secret: &crate::platform::config::SecretKey) -> bool {
    let Ok(keys) = keys::Keys::new(secret) else { return false };
    keys.seal(b"test").ok().and_then(|sealed| keys.open(&sealed)).is_some_and(|opened| opened == b"test")
}

async fn database(config: &Config) -> Vec<Finding> {
    let url = config.database_url();
    let place = without_password(&url);
    if let Some(path) = file(&url)
        && !path.exists()
    {
        return vec![ok("database", format!("{} is made at the first start", path.display()))];
    }
    let db = match tokio::time::timeout(CONNECT_TIMEOUT, Db::open(&url, 1)).await {
        Ok(Ok(db)) => db,
        Ok(Err(e)) => {
            return vec![failed("database", format!("{place} can't be opened: {}", one_line(&e.to_string())))];
        }
        Err(_) => return vec![failed("database", format!("{place} does not answer (FORECOURT_DATABASE_URL)"))],
    };
    let found = match check_database(config, &db, &place).await {
        Ok(found) => found,
        Err(e) => vec![failed("database", format!("{place} can't be used: {}", one_line(&e.to_string())))],
    };
    db.close().await;
    found
}

async fn check_database(config: &Config, db: &Db, place: &str) -> sqlx::Result<Vec<Finding>> {
    let mut found = Vec::new();
    if let Some(gap) = tenancy::unfit_user(db).await? {
        found.push(failed("database", gap));
    }
    for risk in durability::risks(db).await? {
        let says = format!("acknowledged writes are at risk: {}", risk.reason);
        let is_refused = risk.is_grave && !config.database_unsafe;
        found.push(if is_refused { failed("database", says) } else { warning("database", says) });
    }
    let schema = db.schema().await?;
    found.push(match &schema {
        Schema::Same => ok("schema", "it is this program's"),
        Schema::Missing => ok("schema", "it is made at the first start"),
        Schema::Older(missing) => {
            warning("schema", format!("the next start applies {missing} migrations: back up first"))
        }
        Schema::Newer(version) => failed("schema", schema::newer(*version)),
        Schema::Other(version) => failed("schema", schema::other(*version)),
    });
    if let Db::Sqlite { write, .. } = db {
        let (verdict,): (String,) = sqlx::query_as("PRAGMA quick_check(1)").fetch_one(write).await?;
        if verdict != "ok" {
            found.push(failed("database", format!("{place} is damaged ({}): restore a backup", one_line(&verdict))));
        }
    } else {
        let (theirs,): (i64,) =
            db.sql("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)").one().await?;
        let apart = (theirs - Clock::System.now()).abs();
        if apart > MAX_CLOCK_DIFFERENCE {
            let seconds = apart / 1_000_000;
            found.push(warning(
                "clock",
                format!("it is {seconds} s apart from the database's: set both by a time server"),
            ));
        }
    }
    if schema == Schema::Same {
        found.push(data_keys(config, db).await?);
        if let Some(gap) = tenancy::open_table(db).await? {
            found.push(failed("database", gap));
        }
    }
    if found.iter().all(|finding| finding.what != "database") {
        found.insert(0, ok("database", place));
    }
    Ok(found)
}

async fn data_keys(config: &Config, db: &Db) -> sqlx::Result<Finding> {
    let needs = encryption::ids(db).await?;
    let held = match DataKeys::held(config) {
        Ok(held) => held,
        Err(e) => return Ok(failed("data keys", format!("they can't be read: {e}"))),
    };
    let missing = needs.iter().find(|id| held.as_ref().is_none_or(|held| !held.contains(id)));
    Ok(match (missing, held) {
        (Some(id), _) => failed("data keys", format!("what is sealed needs the key {id}, which isn't here")),
        (None, None) => ok("data keys", "the next start makes one"),
        (None, Some(_)) if !config.data_keys.is_empty() => ok("data keys", "FORECOURT_DATA_KEYS"),
        (None, Some(_)) => disk::private("data keys", &config.data_dir.join("data.keys")),
    })
}

async fn mail(config: &Config) -> Finding {
    if config.smtp_url.is_none() {
        return warning("mail", "FORECOURT_SMTP_URL isn't set: mail is kept in the outbox, and nobody gets a code");
    }
    match mail::reach(config).await {
        Ok(()) => ok("mail", "the mail server takes us in (forecourt mail test sends one)"),
        Err(failure) => failed("mail", format!("the mail server can't be used: {failure}")),
    }
}

async fn provider(config: &Config) -> Option<Finding> {
    let known = match Provider::new(config) {
        Ok(None) => return None,
        Ok(Some(provider)) => provider.check(Clock::System.now()).await,
        Err(failure) => Err(failure),
    };
    Some(match known {
        Ok(()) => ok("provider", config.oidc_issuer.as_str()),
        Err(failure) => failed("provider", format!("{}: {failure}", config.oidc_issuer.as_str())),
    })
}

async fn register(config: &Config) -> Option<Finding> {
    let answers: Result<(), Failure> = match CompanyRegister::new(config) {
        Ok(None) => return None,
        Ok(Some(register)) => register.check().await,
        Err(failure) => Err(failure),
    };
    Some(match answers {
        Ok(()) => ok("register", "it answers"),
        Err(failure) => warning("register", format!("companies can't be looked up: {failure}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        config: Config,
    }

    #[test]
    fn what_goes_to_another_machine_uncovered_is_told() {
        let warned_about = |database: &str, smtp: &str| {
            let config = Only::parse_from(["x", "--database-url", database, "--smtp-url", smtp]).config;
            let says: String = unencrypted_connections(&config).collect();
            (says.contains("sslmode=verify-full"), says.contains("tls=required"))
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
