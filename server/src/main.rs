//! `forecourt`: parses the command line and runs one command.

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use forecourt::app::backup;
use forecourt::app::check;
use forecourt::app::config::Config;
use forecourt::app::demo;
use forecourt::app::health;
use forecourt::app::metrics_server;
use forecourt::app::start;
use forecourt::features::auth;
use forecourt::features::customers;
use forecourt::features::images;
use forecourt::features::import;
use forecourt::features::organizations;
use forecourt::platform::Failure;
use forecourt::platform::clock::Clock;
use forecourt::platform::config::{LogFormat, PlatformConfig};
use forecourt::platform::file_modes;
use forecourt::platform::http;
use forecourt::platform::mail;
use forecourt::platform::metrics::watch_panics;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

/// A back office and CRM for vehicle dealers and brokers: API, jobs and web app in one program.
#[derive(Parser)]
#[command(name = "forecourt", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  forecourt demo                                    Try it; the terminal lists the accounts
  forecourt check                                   Check the settings and what they name
  forecourt serve                                   Start the server, with its data in ./data
  forecourt admin create --email you@example.com    Create the first Super Admin
  forecourt mail test --to you@example.com          Test the delivery of mail
  forecourt backup backup-2027-01-15.sqlite3        Back up the database

Every setting is a flag and an environment variable: see forecourt serve --help.";

#[derive(Subcommand)]
enum Command {
    /// Serve the API and the web app
    Serve(Box<Config>),
    /// Serve a demo with sample records, on this machine only
    Demo(Box<Config>),
    /// Add sample records to a corporation, to test performance
    DemoData {
        /// Number of contacts, customers and invoices each
        #[arg(long, value_name = "N")]
        count: usize,
        /// The corporation's name or id
        #[arg(long, value_name = "NAME")]
        corporation: String,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Migrate the database schema, and exit
    Migrate(Box<Config>),
    /// Check the settings, the data folder, keys, database, mail and other services; changes no record, exits with 1
    /// if the server or a part of it would not work, or if a history was changed
    Check(Box<Config>),
    /// Check whether the server on this machine is ready; exits with 1 if not
    Health(Box<Config>),
    /// Back up the database to a new file, and verify it; the server may be running
    Backup {
        /// The file to create
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Verify a backup and restore it; the server must be stopped
    Restore {
        /// A file that `forecourt backup` has created
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Replace existing data, which is kept under another name
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Manage the administrators of the platform
    #[command(subcommand)]
    Admin(Admin),
    /// Test the mail settings
    #[command(subcommand)]
    Mail(Mail),
    /// Manage the companies that users can look up
    #[command(subcommand)]
    Directory(Directory),
    /// Manage the keys that encrypt social security numbers
    #[command(subcommand)]
    Keys(Keys),
    /// Read an uploaded file within limits; started by the server
    #[command(hide = true)]
    ReadFile(import::reader::ReadFile),
    /// Read an uploaded picture within limits; started by the server
    #[command(hide = true)]
    ReadPicture(images::ReadPicture),
}

#[derive(Subcommand)]
enum Admin {
    /// Create a Super Admin; prompts for the password, or reads it from standard input
    Create {
        /// E-mail for signing in
        #[arg(long)]
        email: String,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Mail {
    /// Send a test mail, and print the result
    Test {
        /// The recipient
        #[arg(long, value_name = "EMAIL")]
        to: String,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Directory {
    /// Import a list of companies, completely or not at all; updates existing ones and deletes none
    Import {
        /// A CSV file with the columns organization_number and corp_name, and optionally street_address,
        /// registered_city, postal_code, city, company_email and company_phone
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Keys {
    /// Re-encrypt all numbers with a new key, while the server runs: a generated one in the data folder, or the
    /// first of FORECOURT_DATA_KEYS
    Rotate(Box<Config>),
}

fn main() -> ExitCode {
    file_modes::restrict_new_files();
    // The demo uses a data folder of its own.
    let in_demo = |command: clap::Command| command.mut_arg("data_dir", |a| a.default_value("./data/demo"));
    let command = Cli::command().mut_subcommand("demo", in_demo).mut_subcommand("demo-data", in_demo);
    let cli = match command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error)
            if error.use_stderr()
                && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            return exit_with(&one_line(&error));
        }
        Err(help) => help.exit(),
    };
    match &cli.command {
        Command::ReadFile(read) => return import::reader::run(read),
        Command::ReadPicture(read) => return images::run(read),
        _ => {}
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit_with(&format!("can't start the runtime: {error}")),
    };
    match runtime.block_on(run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => exit_with(&failure),
    }
}

/// Returns a command line error as one line, with the environment variable of an invalid setting, and without its value
/// if it is secret.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    let line = line.trim_start_matches("error: ");
    let (Some(ContextValue::String(arg)), Some(ContextValue::String(value))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue))
    else {
        return line.to_owned();
    };
    let settings = Config::augment_args(clap::Command::new("settings"));
    let is_invalid = |a: &&clap::Arg| a.get_long().is_some_and(|long| arg.starts_with(&format!("--{long} ")));
    let setting = settings.get_arguments().find(is_invalid);
    let Some((setting, variable)) = setting.and_then(|a| Some((a, a.get_env()?))) else { return line.to_owned() };
    let line = match setting.is_hide_env_values_set() {
        true => line.replace(&format!("'{value}'"), "'…'"),
        false => line.to_owned(),
    };
    line.replacen(&format!("'{arg}'"), &format!("'{arg}' ({})", variable.display()), 1)
}

fn exit_with(failure: &str) -> ExitCode {
    eprintln!("forecourt: {failure}");
    ExitCode::FAILURE
}

async fn run(command: Command) -> Result<(), Failure> {
    let report = match command {
        Command::Serve(config) => return serve(*config).await,
        Command::Demo(config) => {
            init_log(&config.platform)?;
            return demo::run(*config).await;
        }
        Command::DemoData { count, corporation, config } => {
            demo::add_records(&start::open(*config, Clock::System).await?, &corporation, count).await?
        }
        Command::Migrate(config) => {
            start::open(*config, Clock::System).await?.db.close().await;
            return Ok(());
        }
        Command::Check(config) => {
            let findings = check::check(&config).await;
            findings.iter().for_each(|finding| println!("{finding}"));
            return match findings.iter().filter(|finding| finding.state == check::State::Failed).count() {
                0 => Ok(()),
                count => Err(format!("{count} checks failed")),
            };
        }
        Command::Health(config) => return health::check_readiness(&config.platform).await,
        Command::Backup { file, config } => backup::backup(&config.platform, &file).await?,
        Command::Restore { file, replace, config } => backup::restore(&config.platform, &file, replace).await?,
        Command::Admin(Admin::Create { email, config }) => {
            let app = start::open(*config, Clock::System).await?;
            return auth::admin::create_from_terminal(&app, &email).await;
        }
        Command::Mail(Mail::Test { to, config }) => mail::send_test(&config.platform, &to).await?,
        Command::Directory(Directory::Import { file, config }) => {
            let app = start::open(*config, Clock::System).await?;
            format!("{} companies can be looked up now.", organizations::import(&app, &file).await?)
        }
        Command::Keys(Keys::Rotate(config)) => {
            init_log(&config.platform)?;
            customers::rotate(&start::open(*config, Clock::System).await?).await?
        }
        Command::ReadFile(_) | Command::ReadPicture(_) => return Ok(()),
    };
    println!("{report}");
    Ok(())
}

async fn serve(config: Config) -> Result<(), Failure> {
    init_log(&config.platform)?;
    let listen = config.platform.listen;
    let app = start::open_server(config).await?;
    auth::admin::create_from_settings(&app).await?;
    let listener = http::listen(listen, "FORECOURT_LISTEN")?;
    let stop = start::listen_for_stop();
    if let Some(address) = app.config.metrics_listen {
        let listener = http::listen(address, "FORECOURT_METRICS_LISTEN")?;
        if !address.ip().is_loopback() {
            tracing::warn!(%address, "metrics are served to other machines without a password");
        }
        tokio::spawn(metrics_server::serve(app.clone(), listener, stop.clone()));
    }
    tracing::info!("{} is ready on http://{listen}", app.config.brand);
    start::serve(app, listener, stop).await;
    Ok(())
}

fn init_log(config: &PlatformConfig) -> Result<(), Failure> {
    let filter = tracing_subscriber::EnvFilter::try_new(&config.log)
        .map_err(|e| format!("invalid value '{}' for '--log <FILTER>' (FORECOURT_LOG): {e}", config.log))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // The library would report on stderr that stderr can't be written, as on a full disk, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Pretty => builder.with_target(false).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    watch_panics();
    Ok(())
}
