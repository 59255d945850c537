//! Start and shutdown: the data folder, the database, the background jobs, and the server.

use crate::access::uploads::UploadLimits;
use crate::app::config::Config;
use crate::app::{router, routes};
use crate::features::auth;
use crate::features::auth::hasher::Hasher;
use crate::features::auth::oidc::Provider;
use crate::features::events;
use crate::features::events::Streams;
use crate::features::history;
use crate::features::images::PictureEncoder;
use crate::features::import;
use crate::features::import::reader::Reader;
use crate::features::listing;
use crate::features::organizations::CompanyRegister;
use crate::features::revert;
use crate::features::state::App;
use crate::features::trash;
use crate::platform::Failure;
use crate::platform::child::Program;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Db, durability, schema, tenancy};
use crate::platform::encryption::DataKeys;
use crate::platform::events::Event;
use crate::platform::fairness::Fairness;
use crate::platform::file_modes;
use crate::platform::http;
use crate::platform::jobs;
use crate::platform::keys::Keys;
use crate::platform::limits;
use crate::platform::lock;
use crate::platform::mail;
use crate::platform::mail::Mail;
use crate::platform::metrics;
use crate::platform::state::Platform;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use url::Url;

/// How often expired rows are deleted.
const SWEEP_INTERVAL: Duration = Duration::from_secs(600);

/// Opens what the settings name (data folder, keys, database, mail), migrates the database, and returns the app's
/// state.
pub async fn open(config: Config, clock: Clock) -> Result<App, Failure> {
    create_data_folder(&config.platform.data_dir)?;
    open_in_folder(config, clock).await
}

/// As [`open`], for a server. Fails while another server uses the same SQLite database.
pub async fn open_server(config: Config) -> Result<App, Failure> {
    create_data_folder(&config.platform.data_dir)?;
    // Before the migrations: the other server may be of an older version.
    let lock = lock::lock_server(config.platform.database_url().expose_secret())?;
    let mut app = open_in_folder(config, Clock::System).await?;
    app.platform.server_lock = lock.map(Arc::new);
    Ok(app)
}

fn create_data_folder(folder: &Path) -> Result<(), Failure> {
    file_modes::create_folder(folder).map_err(|e| format!("can't create the data folder {}: {e}", folder.display()))?;
    lock::check_folder_owner(folder)
}

async fn open_in_folder(config: Config, clock: Clock) -> Result<App, Failure> {
    // Installs the cryptography library for outgoing TLS. An error only means that one is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let Config { platform: config, features } = config;
    let keys = Keys::load(&config).map_err(|e| format!("can't use the secret key {e}"))?;
    let url = config.database_url();
    let url = url.expose_secret();
    if let Some(file) = db::open::sqlite_file(url) {
        file_modes::restrict_database(&file);
    }
    let lock = lock::lock_shared(url)?;
    let name = without_password(url);
    let opened = tokio::time::timeout(Duration::from_secs(10), Db::open(url, config.database_pool)).await;
    let db = match opened {
        Ok(Ok(db)) => db,
        Ok(Err(e)) => return Err(format!("can't open the database {name}: {}", db::database_message(&e))),
        Err(_) => return Err(format!("the database {name} does not respond")),
    };
    let reject = |found: db::Result<Option<String>>| match found {
        Ok(None) => Ok(()),
        Ok(Some(reason)) => Err(format!("the database {name} can't be used: {reason}")),
        Err(e) => Err(format!("the database {name} can't be used: {}", db::database_message(&e))),
    };
    // Checked before the migrations, because the database user will own the tables that they create.
    reject(tenancy::exempt_user_error(&db).await)?;
    reject(durability::risks(&db).await.map(|risks| {
        let severe = risks.iter().find(|risk| risk.is_severe && !config.database_unsafe);
        severe.map(|risk| format!("{} (FORECOURT_DATABASE_UNSAFE=true starts anyway, for tests only)", risk.reason))
    }))?;
    reject(Ok(db::open::read_only_error(&db).await))?;
    let migrated = db.migrate(&listing::definitions::definitions(&db)).await;
    migrated.map_err(|e| format!("can't migrate the database {name}: {}", schema::migration_error(&e)))?;
    reject(tenancy::unprotected_table_error(&db, listing::search_tables()).await)?;
    reject(listing::keys::fill(&db).await.map(|()| None))?;
    let data_keys = DataKeys::load(&config, &db).await?;
    let program =
        Program::new(config.reader.as_deref()).map_err(|e| format!("can't find the path of this program: {e}"))?;
    let config = Arc::new(config);
    let paths = routes::routes().map(|route| route.path).collect();
    let metrics = Arc::new(metrics::Metrics::new(&db, clock.now(), paths));
    Ok(App {
        hasher: Hasher::default(),
        pictures: PictureEncoder::new(program.clone()),
        reader: Reader::new(program, features.import.limits()),
        upload_limits: UploadLimits::default(),
        streams: Streams::default(),
        imports: Arc::new(Notify::new()),
        reverts: Arc::new(Notify::new()),
        resets: Arc::new(Notify::new()),
        provider: Provider::new(&features.auth, &config.public_url())?,
        register: CompanyRegister::new(features.directory_url.as_ref())?,
        mailbox: None,
        platform: Platform {
            mail: Mail::new(&config)?,
            fairness: Fairness::new(&config, metrics.rejected_connections()),
            form_settings: features.form_settings(),
            max_file_form_bytes: features.import.max_form_bytes(),
            stopping: Arc::new(AtomicBool::new(false)),
            metrics,
            lock: lock.map(Arc::new),
            server_lock: None,
            keys: Arc::new(keys),
            data_keys: Arc::new(data_keys),
            config,
            db,
            clock,
        },
        feature_config: Arc::new(features),
    })
}

/// Starts the background jobs: mail, reset links, imports, undoing of history entries, list indexes, hash chains of the
/// history, events, and deletion of expired rows. They end when `stop` becomes true.
pub fn spawn_jobs(state: &App, stop: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut jobs = JoinSet::new();
    jobs.spawn(mail::worker(state.platform.clone(), stop.clone()));
    jobs.spawn(auth::resets::worker(state.clone(), stop.clone()));
    jobs.spawn(import::worker(state.clone(), stop.clone()));
    jobs.spawn(revert::steps::run(state.clone(), stop.clone()));
    jobs.spawn(listing::index_worker::run(state.clone(), stop.clone()));
    jobs.spawn(history::chain::run(state.clone(), stop.clone()));
    jobs.spawn(listen(state.clone(), stop.clone()));
    jobs.spawn(events::watch_sessions(state.clone(), stop.clone()));
    jobs.spawn(delete_expired_rows(state.clone(), stop.clone()));
    jobs
}

/// Runs the server and its background jobs until `stop` becomes true. Then finishes running requests, ends the jobs,
/// and closes the database.
pub async fn serve(state: App, listener: TcpListener, stop: watch::Receiver<bool>) {
    match durability::risks(&state.db).await {
        Ok(risks) => {
            for risk in risks {
                tracing::warn!(reason = risk.reason, "acknowledged writes are at risk");
            }
        }
        Err(error) => tracing::warn!(%error, "the database's settings can't be read"),
    }
    // Every connection needs a file descriptor, and so do the database's files.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit on open files could not be raised");
    }
    let (close, closing) = watch::channel(false);
    let mut jobs = spawn_jobs(&state, &closing);
    jobs.spawn(announce_shutdown(state.clone(), stop, close));
    let is_https = state.config.public_url().starts_with("https://");
    http::serve(listener, router(&state), is_https, state.fairness.connections.clone(), closing).await;
    while jobs.join_next().await.is_some() {}
    state.db.close().await;
}

/// Once `stop` becomes true, reports the server as not ready, waits the configured time, in which load balancers notice
/// that, and then sets `close` to true.
async fn announce_shutdown(state: App, mut stop: watch::Receiver<bool>, close: watch::Sender<bool>) {
    http::wait_for_shutdown(&mut stop).await;
    state.stopping.store(true, Ordering::SeqCst);
    state.db.events().publish(Event::Shutdown);
    tokio::time::sleep(Duration::from_secs(u64::from(state.config.drain_seconds))).await;
    let _ = close.send(true);
}

/// Background job: passes the events that the nodes send each other through PostgreSQL to this node's streams.
async fn listen(app: App, stop: watch::Receiver<bool>) {
    db::listen(&app.db, app.config.database_url().expose_secret(), stop).await;
}

/// Background job: deletes expired rows every [`SWEEP_INTERVAL`].
async fn delete_expired_rows(app: App, stop: watch::Receiver<bool>) {
    let wake = Notify::const_new();
    jobs::run("deletion of expired rows", &wake, stop, || async {
        for (rows, deleted) in [
            ("rate limit counters", limits::delete_expired(&app).await.map(drop)),
            ("sessions", auth::sweep(&app).await),
            ("mails", mail::sweep(&app).await),
            ("imports", import::sweep(&app).await),
            ("trash", trash::sweep(&app).await),
            ("values of the history", history::pruning::sweep(&app).await),
        ] {
            if let Err(error) = deleted {
                tracing::warn!(%error, rows, "expired rows could not be deleted");
            }
        }
        Ok(SWEEP_INTERVAL)
    })
    .await;
}

/// Returns a flag that becomes true at SIGTERM or Ctrl-C. Call it before the server reports that it is ready: before
/// this call, SIGTERM ends the program at once.
pub fn listen_for_stop() -> watch::Receiver<bool> {
    let (sender, stop) = watch::channel(false);
    let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    tokio::spawn(async move {
        let mut terminate = match terminate {
            Ok(signal) => signal,
            Err(error) => return tracing::error!(%error, "can't listen for SIGTERM"),
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        tracing::info!("stopping");
        let _ = sender.send(true);
    });
    stop
}

/// Returns a database URL without password and parameters; only its scheme if it can't be parsed.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, _)) = url.split_once("://") else { return url.to_owned() };
    let Ok(mut url) = Url::parse(url) else { return format!("{scheme}://…") };
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn removes_the_password_from_a_database_url() {
        for (url, shown) in [
            ("postgres://ada:hunter2@db/cars", "postgres://ada@db/cars"),
            ("postgres://ada:hunt@er2@db/cars?sslmode=require", "postgres://ada@db/cars"),
            ("postgres://db/cars?user=ada&password=hunt@er2", "postgres://db/cars"),
            ("postgres://db/cars?password=hunter2", "postgres://db/cars"),
            ("postgres://db/cars?password=hun#ter2", "postgres://db/cars"),
            ("postgres://ada:hunt?er2@db/cars", "postgres://…"),
            ("sqlite:data/cars.sqlite3", "sqlite:data/cars.sqlite3"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
