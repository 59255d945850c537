//! `forecourt`: parses the command line and runs one command.

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use forecourt::app::backup;
use forecourt::app::check;
use forecourt::app::demo;
use forecourt::app::health;
use forecourt::app::metrics;
use forecourt::app::start;
use forecourt::features::auth;
use forecourt::features::customers;
use forecourt::features::images;
use forecourt::features::import;
use forecourt::features::organizations;
use forecourt::platform::Failure;
use forecourt::platform::clock::Clock;
use forecourt::platform::config::{Config, LogFormat};
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
  forecourt demo                                    Look around; the terminal prints the accounts
  forecourt check                                   Is everything as a server needs it?
  forecourt serve                                   Work, with the data in ./data
  forecourt admin create --email you@example.com    Make the first Super Admin
  forecourt mail test --to you@example.com          Does mail arrive?
  forecourt backup backup-2027-01-15.sqlite3        Keep what there is

Every setting is a flag and a variable of the environment: forecourt serve --help lists them.";

#[derive(Subcommand)]
enum Command {
    /// Serve the API and the web app
    Serve(Box<Config>),
    /// Serve a demo to this machine only, filled with sample records
    Demo(Box<Config>),
    /// Add sample records to one corporation, in any number, to try how the program does with them
    DemoData {
        /// So many contacts, customers and invoices each
        #[arg(long, value_name = "N")]
        count: usize,
        /// The corporation's name or id
        #[arg(long, value_name = "NAME")]
        corporation: String,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Bring the database's schema up to date, and end
    Migrate(Box<Config>),
    /// Look at settings, folder, keys, database, mail and whatever else is set; changes no record, ends with 1 if a server
    /// would not do its work
    Check(Box<Config>),
    /// Ask the server that listens on this machine whether it is ready; ends with 1 if it isn't
    Health(Box<Config>),
    /// Write the database as it is now into a new file, and check it; a server may be at work
    Backup {
        /// Where to; there must be nothing of that name
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Put a backup where the database is, once it was checked; no server may be at work
    Restore {
        /// What `forecourt backup` has written
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Also when there is data; it stays beside, under another name
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Administrators of the platform
    #[command(subcommand)]
    Admin(Admin),
    /// The way of mail
    #[command(subcommand)]
    Mail(Mail),
    /// The companies that can be looked up
    #[command(subcommand)]
    Directory(Directory),
    /// The keys that social security numbers are sealed with
    #[command(subcommand)]
    Keys(Keys),
    /// Reads an uploaded file inside limits; the server starts this itself
    #[command(hide = true)]
    ReadFile(import::reader::ReadFile),
    /// Reads an uploaded picture inside limits; the server starts this itself
    #[command(hide = true)]
    ReadPicture(images::ReadPicture),
}

#[derive(Subcommand)]
enum Admin {
    /// Make a Super Admin; the password is asked for, or read from standard input
    Create {
        /// The e-mail that signs in
        #[arg(long)]
        email: String,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Mail {
    /// Send a mail at once, and say what became of it
    Test {
        /// Who gets it
        #[arg(long, value_name = "EMAIL")]
        to: String,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Directory {
    /// Load a list of companies, all of it or nothing; those that are listed already are put right, the others stay
    Import {
        /// A CSV file with the columns organization_number and corp_name, and if it has them street_address,
        /// registered_city, postal_code, city, company_email and company_phone
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum Keys {
    /// Seal every number with a new key, while the server runs: one made in the data folder, or the first of
    /// FORECOURT_DATA_KEYS
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
            return failed(&one_line(&error));
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
        Err(error) => return failed(&format!("the runtime can't be started: {error}")),
    };
    match runtime.block_on(run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failed(&failure),
    }
}

/// Returns a command line error as one line, without the values of secret settings.
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
    let mut secret = settings.get_arguments().filter(|a| a.is_hide_env_values_set()).filter_map(|a| a.get_long());
    match secret.any(|long| arg.starts_with(&format!("--{long} "))) {
        true => line.replace(&format!("'{value}'"), "'…'"),
        false => line.to_owned(),
    }
}

fn failed(failure: &str) -> ExitCode {
    eprintln!("forecourt: {failure}");
    ExitCode::FAILURE
}

async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Demo(config) => {
            log(&config)?;
            demo::run(*config).await
        }
        Command::DemoData { count, corporation, config } => {
            let app = start::open(*config, Clock::System).await?;
            demo::add_records(&app, &corporation, count).await
        }
        Command::Migrate(config) => {
            start::open(*config, Clock::System).await?.db.close().await;
            Ok(())
        }
        Command::Check(config) => {
            let found = check::check(&config).await;
            found.iter().for_each(|finding| println!("{finding}"));
            match found.iter().filter(|finding| finding.state == check::State::Failed).count() {
                0 => Ok(()),
                count => Err(format!("{count} of these have to be put right")),
            }
        }
        Command::Health(config) => health::ask(&config).await,
        Command::Backup { file, config } => {
            println!("{}", backup::backup(&config, &file).await?);
            Ok(())
        }
        Command::Restore { file, replace, config } => {
            println!("{}", backup::restore(&config, &file, replace).await?);
            Ok(())
        }
        Command::Admin(Admin::Create { email, config }) => {
            let app = start::open(*config, Clock::System).await?;
            auth::admin::create_from_terminal(&app, &email).await
        }
        Command::Mail(Mail::Test { to, config }) => {
            println!("{}", mail::test(&config, &to).await?);
            Ok(())
        }
        Command::Directory(Directory::Import { file, config }) => {
            let app = start::open(*config, Clock::System).await?;
            let count = organizations::import(&app, &file).await?;
            println!("{count} companies can be looked up now.");
            Ok(())
        }
        Command::Keys(Keys::Rotate(config)) => {
            log(&config)?;
            let app = start::open(*config, Clock::System).await?;
            println!("{}", customers::rotate(&app).await?);
            Ok(())
        }
        Command::ReadFile(_) | Command::ReadPicture(_) => Ok(()),
    }
}

async fn serve(config: Config) -> Result<(), Failure> {
    log(&config)?;
    let listen = config.listen;
    let app = start::open(config, Clock::System).await?;
    auth::admin::create_from_settings(&app).await?;
    let listener = http::listen(listen, "FORECOURT_LISTEN")?;
    let stop = start::stop_signal();
    if let Some(address) = app.config.metrics_listen {
        let listener = http::listen(address, "FORECOURT_METRICS_LISTEN")?;
        if !address.ip().is_loopback() {
            tracing::warn!(%address, "metrics are served to other machines, without a password");
        }
        tokio::spawn(metrics::serve(app.clone(), listener, stop.clone()));
    }
    tracing::info!("{} is ready on http://{listen}", app.config.brand);
    start::serve(app, listener, stop).await;
    Ok(())
}

fn log(config: &Config) -> Result<(), Failure> {
    let filter = tracing_subscriber::EnvFilter::try_new(&config.log)
        .map_err(|e| format!("invalid value '{}' for '--log <FILTER>': {e}", config.log))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // It would report on stderr that stderr can't be written, as on a full disk, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Pretty => builder.with_target(false).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    watch_panics();
    Ok(())
}
