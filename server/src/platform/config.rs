//! The settings of the layer `platform`. A flag has precedence over the environment variable, and that over the
//! default. Only structs of settings such as [`PlatformConfig`] read the environment.

use clap::Args;
use forecourt_core::secret::Secret;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use url::Url;

/// Headings of the settings in the help text.
const NETWORK: &str = "Network";
const DATA: &str = "Data";
const KEYS: &str = "Keys";
const MAIL: &str = "Mail";
const MONITORING: &str = "Logs and metrics";

/// Part of the error messages about URLs with a password.
const PASSWORD_IN_URL: &str = "in a password, write % / ? # as %25 %2F %3F %23";

/// The settings of network, data, keys, mail and monitoring. Each is a flag and an environment variable
/// (docs/product.md 3.5).
#[derive(Args, Clone)]
pub struct PlatformConfig {
    /// Address and port to listen on
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT",
          value_parser = socket_address)]
    pub listen: SocketAddr,

    /// The address that users open, for links in mails [default: http:// and the listen address]
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,

    /// The name on the login screen and in the top bar
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_BRAND", default_value = "Forecourt", value_name = "NAME")]
    pub brand: String,

    /// Proxies whose X-Forwarded-For is trusted, separated by commas
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_TRUSTED_PROXIES", value_name = "ADDRESSES", value_delimiter = ',',
          value_parser = proxy_address)]
    pub trusted_proxies: Vec<IpAddr>,

    /// Maximum connections per address, an IPv6 address by its first 56 bits; behind a trusted proxy, maximum parallel
    /// requests per client
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_CONNECTIONS_PER_ADDRESS", default_value_t = 1000, value_name = "NUMBER",
          value_parser = clap::value_parser!(u16).range(1..=16_000))]
    pub connections_per_address: u16,

    /// How long a stopping server still accepts requests, until the load balancer has noticed
    #[arg(long, help_heading = NETWORK, env = "FORECOURT_DRAIN_SECONDS", default_value_t = 0, value_name = "SECONDS",
          value_parser = clap::value_parser!(u16).range(0..=300))]
    pub drain_seconds: u16,

    /// Folder for the database, the keys and the outbox; created if missing
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATA_DIR", default_value = "./data", value_name = "FOLDER")]
    pub data_dir: PathBuf,

    /// The database: sqlite:PATH or postgres://user:password@host/database [default: SQLite in the data folder]
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_URL", value_name = "URL", value_parser = database_url, hide_env_values = true)]
    pub database_url: Option<Secret<String>>,

    /// Maximum database connections (SQLite: for reading, with one more for writing)
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_POOL", default_value_t = 8, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_pool: u32,

    /// Start although the database may lose acknowledged writes (PostgreSQL with fsync=off); for tests only
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_UNSAFE", default_value_t = false, value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", action = clap::ArgAction::Set)]
    pub database_unsafe: bool,

    /// The secret that signs sessions, 64 hexadecimal digits; the same on every node [default: a file in the data
    /// folder]
    #[arg(long, help_heading = KEYS, env = "FORECOURT_SECRET_KEY", value_name = "HEX", value_parser = secret_key, hide_env_values = true)]
    pub secret_key: Option<SecretKey>,

    /// The keys that encrypt social security numbers, 64 hexadecimal digits each, separated by commas; the same on
    /// every node. The first one encrypts, all decrypt [default: a file in the data folder]
    #[arg(long, help_heading = KEYS, env = "FORECOURT_DATA_KEYS", value_name = "HEX,…", value_delimiter = ',', value_parser = secret_key,
          hide_env_values = true)]
    pub data_keys: Vec<SecretKey>,

    /// The mail server: smtp://, smtps:// or smtp://…?tls=required [default: mails are written to the outbox]
    #[arg(long, help_heading = MAIL, env = "FORECOURT_SMTP_URL", value_name = "URL", value_parser = smtp_url, hide_env_values = true)]
    pub smtp_url: Option<Secret<String>>,

    /// The sender of every mail
    #[arg(long, help_heading = MAIL, env = "FORECOURT_MAIL_FROM", default_value = "Forecourt <noreply@localhost>", value_name = "ADDRESS",
          value_parser = mail_from)]
    pub mail_from: String,

    /// Address and port for Prometheus, served without a password: use the loopback address or a private network
    /// [default: no metrics]
    #[arg(long, help_heading = MONITORING, env = "FORECOURT_METRICS_LISTEN", value_name = "ADDRESS:PORT", value_parser = socket_address)]
    pub metrics_listen: Option<SocketAddr>,

    /// Log filter, such as info or forecourt=debug
    #[arg(long, help_heading = MONITORING, env = "FORECOURT_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// Log format
    #[arg(long, help_heading = MONITORING, env = "FORECOURT_LOG_FORMAT", default_value = "pretty", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// The program that reads uploaded files in a child process [default: this one]
    #[arg(long, hide = true)]
    pub reader: Option<PathBuf>,
}

impl PlatformConfig {
    /// Returns the database URL; by default a SQLite file in the data folder.
    pub fn database_url(&self) -> Secret<String> {
        self.database_url
            .clone()
            .unwrap_or_else(|| format!("sqlite:{}", self.data_dir.join("forecourt.sqlite3").display()).into())
    }

    /// Returns the base URL for links in mails, without a trailing slash.
    pub fn public_url(&self) -> String {
        self.public_url
            .as_ref()
            .map_or_else(|| format!("http://{}", self.listen), |url| url.as_str().trim_end_matches('/').to_owned())
    }
}

/// Returns the settings that result from these command line flags, for a test.
#[cfg(test)]
pub(crate) fn from_flags<C: Args>(flags: &[&str]) -> C {
    let command = C::augment_args(clap::Command::new("test").no_binary_name(true));
    C::from_arg_matches(&command.get_matches_from(flags)).unwrap()
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Readable text
    Pretty,
    /// One JSON object per line
    Json,
}

pub type SecretKey = Secret<[u8; 32]>;

/// Parses a secret key of 64 hexadecimal digits.
pub fn secret_key(text: &str) -> Result<SecretKey, String> {
    let text = text.trim();
    let mut key = Secret::new([0; 32]);
    if text.len() != 64 || !text.is_ascii() {
        return Err("it must have 64 hexadecimal digits".into());
    }
    for (i, byte) in key.expose_secret_mut().iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16)
            .map_err(|_| "it must have 64 hexadecimal digits".to_owned())?;
    }
    Ok(key)
}

fn socket_address(text: &str) -> Result<SocketAddr, String> {
    let example = "127.0.0.1:8080, or 0.0.0.0:8080 for all addresses of this machine";
    text.parse().map_err(|_| format!("it must be an IP address and a port, such as {example}"))
}

fn proxy_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "it must be an IP address such as 10.0.0.2; ranges are not supported".into())
}

fn database_url(text: &str) -> Result<Secret<String>, String> {
    let is_postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
    match text.starts_with("sqlite:") || (is_postgres && Url::parse(text).is_ok()) {
        true => Ok(text.into()),
        false => Err(format!("it must be sqlite:PATH or postgres://user:password@host/database; {PASSWORD_IN_URL}")),
    }
}

/// Parses an `http` or `https` URL.
pub fn http_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| "it must be a URL such as https://login.example".into())
}

/// Parses the address that users open: an `http` or `https` URL without a path, because the web app requests `/api`.
fn public_url(text: &str) -> Result<Url, String> {
    let is_origin = |url: &Url| url.as_str() == format!("{}/", url.origin().ascii_serialization());
    let url = http_url(text).ok().filter(is_origin);
    url.ok_or_else(|| "it must be an address such as https://cars.example, without a path".into())
}

fn smtp_url(text: &str) -> Result<Secret<String>, String> {
    match Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host()) {
        true => Ok(text.into()),
        false => Err(format!("it must be a URL such as smtps://user:password@mail.example; {PASSWORD_IN_URL}")),
    }
}

fn mail_from(text: &str) -> Result<String, String> {
    let message = "it must be an address such as Forecourt <noreply@cars.example>";
    text.parse::<lettre::message::Mailbox>().map(|_| text.to_owned()).map_err(|_| message.into())
}
