//! The settings: flags first, then the environment, then defaults. The only reader of the environment.

mod values;

pub use values::{DirectoryUrl, LogFormat, SecretKey, Signup, secret_key};

use crate::platform::clock::DAY;
use clap::Args;
use forecourt_core::form::FormSettings;
use forecourt_core::import::Limits;
use openidconnect::IssuerUrl;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use url::Url;
use values::{database_url, issuer_url, mail_from, public_url, smtp_url};

/// The most that an import form's fields beside the file take, in bytes: the column mapping and the corrections.
pub const MAX_IMPORT_FIELDS_BYTES: usize = 41 << 20;

/// Headings of the settings in the help text.
const WEB: &str = "On the network";
const DATA: &str = "Data";
const KEYS: &str = "Keys";
const MAIL: &str = "Mail";
const PEOPLE: &str = "People and sign-in";
const RECORDS: &str = "Companies and imports";
const WATCH: &str = "Logs and metrics";

/// Everything that can be set. Each is a flag and an environment variable (docs/product.md 3.5).
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, help_heading = WEB, env = "FORECOURT_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,

    /// Folder for the database, the keys and the outbox; made when missing
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATA_DIR", default_value = "./data", value_name = "FOLDER")]
    pub data_dir: PathBuf,

    /// Where the data is: sqlite:PATH or postgres://user:password@host/database [default: SQLite in the data folder]
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_URL", value_name = "URL", value_parser = database_url, hide_env_values = true)]
    pub database_url: Option<String>,

    /// The address people open, for links in mails [default: http:// and the listening address]
    #[arg(long, help_heading = WEB, env = "FORECOURT_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,

    /// The name shown on the login screen and in the top bar
    #[arg(long, help_heading = WEB, env = "FORECOURT_BRAND", default_value = "Forecourt", value_name = "NAME")]
    pub brand: String,

    /// The mail server: smtp://, smtps:// or smtp://…?tls=required [default: mail is kept in the outbox]
    #[arg(long, help_heading = MAIL, env = "FORECOURT_SMTP_URL", value_name = "URL", value_parser = smtp_url, hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// The sender of every mail
    #[arg(long, help_heading = MAIL, env = "FORECOURT_MAIL_FROM", default_value = "Forecourt <noreply@localhost>", value_name = "ADDRESS",
          value_parser = mail_from)]
    pub mail_from: String,

    /// E-mail of the first Super Admin, made at the start while there is none
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_ADMIN_EMAIL", value_name = "EMAIL", requires = "admin_password")]
    pub admin_email: Option<String>,

    /// Password of the first Super Admin
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_ADMIN_PASSWORD", value_name = "PASSWORD", hide_env_values = true)]
    pub admin_password: Option<String>,

    /// The shortest password that can be chosen
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_PASSWORD_MIN", default_value_t = 6, value_name = "CHARACTERS",
          value_parser = clap::value_parser!(u16).range(6..=256))]
    pub password_min: u16,

    /// Whether corporations may register themselves
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_SIGNUP", default_value = "approval", value_name = "HOW")]
    pub signup: Signup,

    /// The OpenID Connect provider that one can sign in with; used once a client id is set
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_OIDC_ISSUER", default_value = "https://accounts.google.com", value_name = "URL",
          value_parser = issuer_url)]
    pub oidc_issuer: IssuerUrl,

    /// The name of that provider on the login screen [default: Google, or the provider's host name]
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,

    /// The client id that the provider gave; without one nobody signs in that way
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_OIDC_CLIENT_ID", value_name = "ID", requires = "oidc_client_secret")]
    pub oidc_client_id: Option<String>,

    /// The client secret that the provider gave
    #[arg(long, help_heading = PEOPLE, env = "FORECOURT_OIDC_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub oidc_client_secret: Option<String>,

    /// A company register to ask beside the own records: https://…{organization_number}…, answering JSON
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_DIRECTORY_URL", value_name = "URL", value_parser = DirectoryUrl::parse,
          hide_env_values = true)]
    pub directory_url: Option<DirectoryUrl>,

    /// Proxies whose X-Forwarded-For is believed, separated by commas
    #[arg(long, help_heading = WEB, env = "FORECOURT_TRUSTED_PROXIES", value_name = "ADDRESSES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpAddr>,

    /// The secret that signs sessions, 64 hexadecimal digits; the same on every node [default: a file in the data folder]
    #[arg(long, help_heading = KEYS, env = "FORECOURT_SECRET_KEY", value_name = "HEX", value_parser = secret_key, hide_env_values = true)]
    pub secret_key: Option<SecretKey>,

    /// The keys that social security numbers are sealed with, each 64 hexadecimal digits, separated by commas: the first
    /// seals, all open; the same on every node [default: a file in the data folder]
    #[arg(long, help_heading = KEYS, env = "FORECOURT_DATA_KEYS", value_name = "HEX,…", value_delimiter = ',', value_parser = secret_key,
          hide_env_values = true)]
    pub data_keys: Vec<SecretKey>,

    /// Connections to the database for reading
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_POOL", default_value_t = 8, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_pool: u32,

    /// Start although the database may lose what it acknowledged (PostgreSQL with fsync=off): for tests alone
    #[arg(long, help_heading = DATA, env = "FORECOURT_DATABASE_UNSAFE", default_value_t = false, value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", action = clap::ArgAction::Set)]
    pub database_unsafe: bool,

    /// Address and port for Prometheus, which needs no password: keep it to this machine or a network of your own
    /// [default: no metrics are served]
    #[arg(long, help_heading = WATCH, env = "FORECOURT_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<SocketAddr>,

    /// Connections that one address may have, an IPv6 address by its first 56 bits; behind a trusted proxy, requests of one
    /// client at once
    #[arg(long, help_heading = WEB, env = "FORECOURT_CONNECTIONS_PER_ADDRESS", default_value_t = 1000, value_name = "NUMBER",
          value_parser = clap::value_parser!(u16).range(1..=16_000))]
    pub connections_per_address: u16,

    /// How long a server that is being stopped still takes calls, for the proxy to see that it isn't ready any more
    #[arg(long, help_heading = WEB, env = "FORECOURT_DRAIN_SECONDS", default_value_t = 0, value_name = "SECONDS",
          value_parser = clap::value_parser!(u16).range(0..=300))]
    pub drain_seconds: u16,

    /// The largest CSV file that is imported
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_CSV_MB", default_value_t = 256, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=2048))]
    pub import_csv_mb: u32,

    /// The largest workbook that is imported
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_EXCEL_MB", default_value_t = 64, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=512))]
    pub import_excel_mb: u32,

    /// The most rows of a file that is imported
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_ROWS", default_value_t = 1_048_576, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    pub import_rows: u32,

    /// What one file may add to the database, however small it is
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_ADDED_MB", default_value_t = 64, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub import_added_mb: u32,

    /// How many times its own size a file may add to the database, where that is more
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_ADDED_FACTOR", default_value_t = 40, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub import_added_factor: u32,

    /// The largest report of the failed rows of one import; rows beyond it are only counted
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_REPORT_MB", default_value_t = 32, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub import_report_mb: u32,

    /// What the files and reports of one corporation's imports may take together
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_STORED_MB", default_value_t = 2048, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub import_stored_mb: u32,

    /// How many imports are worked on at once, each of another corporation; each takes up to 1 GB of memory
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_WORKERS", default_value_t = 3, value_name = "NUMBER",
          value_parser = clap::value_parser!(u8).range(2..=16))]
    pub import_workers: u8,

    /// How long an import that is over is kept, with the report of its failed rows; the contacts stay
    #[arg(long, help_heading = RECORDS, env = "FORECOURT_IMPORT_DAYS", default_value_t = 90, value_name = "DAYS",
          value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub import_days: u32,

    /// The program that reads uploaded files inside limits [default: this one]
    #[arg(long, hide = true)]
    pub reader: Option<PathBuf>,

    /// What to log, such as info or forecourt=debug
    #[arg(long, help_heading = WATCH, env = "FORECOURT_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// How to log
    #[arg(long, help_heading = WATCH, env = "FORECOURT_LOG_FORMAT", default_value = "pretty", value_name = "FORMAT")]
    pub log_format: LogFormat,
}

impl Config {
    /// Returns the database URL; by default a SQLite file in the data folder.
    pub fn database_url(&self) -> String {
        self.database_url
            .clone()
            .unwrap_or_else(|| format!("sqlite:{}", self.data_dir.join("forecourt.sqlite3").display()))
    }

    /// Returns the settings that form rules depend on.
    pub fn house_rules(&self) -> FormSettings {
        FormSettings { password_min: u32::from(self.password_min), import: self.import_limits() }
    }

    /// Returns the largest form with a file to import, in bytes.
    pub fn max_import_form_bytes(&self) -> usize {
        let Limits { csv_bytes, excel_bytes, .. } = self.import_limits();
        usize::try_from(csv_bytes.max(excel_bytes)).unwrap_or(usize::MAX).saturating_add(MAX_IMPORT_FIELDS_BYTES)
    }

    /// Returns the limits on imported files, in the browser and on the server.
    pub fn import_limits(&self) -> Limits {
        Limits {
            csv_bytes: u64::from(self.import_csv_mb) << 20,
            excel_bytes: u64::from(self.import_excel_mb) << 20,
            rows: u64::from(self.import_rows),
            added_bytes: u64::from(self.import_added_mb) << 20,
            added_factor: u64::from(self.import_added_factor),
            report_bytes: u64::from(self.import_report_mb) << 20,
            ..Limits::default()
        }
    }

    /// Returns how long a finished import is retained, in microseconds.
    pub fn import_kept(&self) -> i64 {
        i64::from(self.import_days) * DAY
    }

    /// Returns how many bytes the files and reports of one tenant's imports may take.
    pub fn import_stored(&self) -> u64 {
        u64::from(self.import_stored_mb) << 20
    }

    /// Returns the display name of the OIDC provider, if one is configured.
    pub fn provider(&self) -> Option<String> {
        self.oidc_client_id.as_ref()?;
        let host = self.oidc_issuer.url().host_str().unwrap_or_default();
        let name = if host == "accounts.google.com" { "Google" } else { host };
        Some(self.oidc_name.clone().unwrap_or_else(|| name.to_owned()))
    }

    /// Returns the base URL for links in mails, without a trailing slash.
    pub fn public_url(&self) -> String {
        self.public_url
            .as_ref()
            .map_or_else(|| format!("http://{}", self.listen), |url| url.as_str().trim_end_matches('/').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    #[test]
    fn the_settings_of_passwords_and_imports_are_the_rules_that_the_browser_goes_by_too() {
        let flags = [
            "forecourt",
            "--password-min",
            "12",
            "--import-csv-mb",
            "1",
            "--import-excel-mb",
            "2",
            "--import-rows",
            "5",
        ];
        let rules = Flags::parse_from(flags).config.house_rules();
        assert_eq!((rules.password_min, rules.import.rows), (12, 5));
        assert_eq!((rules.import.csv_bytes, rules.import.excel_bytes), (1 << 20, 2 << 20));
    }

    #[test]
    fn a_company_register_is_asked_by_https_unless_it_is_on_this_machine() {
        for right in [
            "https://register.example/{organization_number}.json?key=a",
            "https://register.example:8443/?number={organization_number}",
            "http://127.0.0.1:9/{organization_number}",
            "http://[::1]/{organization_number}",
            "http://localhost/{organization_number}",
        ] {
            assert!(DirectoryUrl::parse(right).is_ok(), "{right}");
        }
        for wrong in [
            "https://register.example/",
            "http://register.example/{organization_number}",
            "https://{organization_number}.register.example/",
            "https://register.example:{organization_number}/",
            "https://user:{organization_number}@register.example/",
            "ftp://register.example/{organization_number}",
            "{organization_number}",
        ] {
            assert!(DirectoryUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_stays_one_piece_of_the_registers_address() {
        let url = DirectoryUrl::parse("https://register.example/a/{organization_number}?full=1").unwrap();
        let of = |number: &str| url.of(number).unwrap().to_string();
        assert_eq!(of("HRB 31045"), "https://register.example/a/HRB%2031045?full=1");
        assert_eq!(of("../x?y=1#z/å"), "https://register.example/a/..%2Fx%3Fy%3D1%23z%2F%C3%A5?full=1");
    }
}
