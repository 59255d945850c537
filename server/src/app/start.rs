//! Start and shutdown: the data folder, the database, the background jobs, and the server.

use crate::access::uploads::Receiving;
use crate::app::{router, routes};
use crate::features::auth;
use crate::features::auth::hasher::Hasher;
use crate::features::auth::oidc::Provider;
use crate::features::images::Pictures;
use crate::features::import;
use crate::features::import::reader::Reader;
use crate::features::listing;
use crate::features::organizations::Register;
use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::child::Program;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::db::{self, Db, durability, schema, tenancy};
use crate::platform::encryption::DataKeys;
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
use forecourt_core::text::one_line;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// How often expired rows are deleted.
const SWEEP: Duration = Duration::from_secs(600);

/// Opens everything that the settings name, and migrates the database.
///
/// # Errors
/// One line that names the setting to check.
pub async fn open(config: Config, clock: Clock) -> Result<App, Failure> {
    // The crypto provider of outgoing TLS. The result is an error if it is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let folder = &config.data_dir;
    file_modes::make_folder(folder).map_err(|e| format!("the data folder {} can't be made: {e}", folder.display()))?;
    lock::as_owner(folder)?;
    let keys = Keys::load(&config).map_err(|e| format!("the secret key can't be read: {e}"))?;
    let url = config.database_url();
    if let Some(file) = db::open::file(&url) {
        file_modes::tighten_database(&file);
    }
    let lock = lock::share(&url)?;
    let place = without_password(&url);
    let opened = tokio::time::timeout(Duration::from_secs(10), Db::open(&url, config.database_pool)).await;
    let db = match opened {
        Ok(Ok(db)) => db,
        Ok(Err(e)) => return Err(format!("the database {place} can't be opened: {}", one_line(&e.to_string()))),
        Err(_) => return Err(format!("the database {place} does not answer")),
    };
    let unfit = |found: db::Result<Option<String>>| match found {
        Ok(None) => Ok(()),
        Ok(Some(gap)) => Err(format!("the database {place} can't be used: {gap}")),
        Err(e) => Err(format!("the database {place} can't be used: {}", one_line(&e.to_string()))),
    };
    // Checked before the migrations create tables, which this user would own.
    unfit(tenancy::unfit_user(&db).await)?;
    unfit(durability::risks(&db).await.map(|risks| {
        let grave = risks.iter().find(|risk| risk.is_grave && !config.database_unsafe);
        grave.map(|risk| format!("{} (FORECOURT_DATABASE_UNSAFE, for tests alone)", risk.reason))
    }))?;
    db.migrate().await.map_err(|e| format!("the database {place} can't be migrated: {}", schema::told(&e)))?;
    unfit(tenancy::open_table(&db).await)?;
    let data_keys = DataKeys::open(&config, &db).await?;
    let program = Program::new(config.reader.as_deref()).map_err(|e| format!("this program can't find itself: {e}"))?;
    let config = Arc::new(config);
    let paths = routes::routes().map(|route| route.path).collect();
    let metrics = Arc::new(metrics::Metrics::new(&db, clock.now(), paths));
    Ok(App {
        hasher: Hasher::default(),
        pictures: Pictures::new(program.clone()),
        reader: Reader::new(program, config.import_limits()),
        receiving: Receiving::default(),
        imports: Arc::new(Notify::new()),
        resets: Arc::new(Notify::new()),
        provider: Provider::new(&config)?,
        register: Register::new(&config)?,
        mailbox: None,
        platform: Platform {
            mail: Mail::new(&config)?,
            fairness: Fairness::new(&config, metrics.refused_connections()),
            stopping: Arc::new(AtomicBool::new(false)),
            metrics,
            lock: lock.map(Arc::new),
            keys: Arc::new(keys),
            data_keys: Arc::new(data_keys),
            config,
            db,
            clock,
        },
    })
}

/// Starts the background jobs: mail, reset links, imports, list aggregates, and deletion of expired rows. They end when
/// `stop` becomes true.
pub fn jobs(state: &App, stop: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut jobs = JoinSet::new();
    jobs.spawn(mail::worker(state.platform.clone(), stop.clone()));
    jobs.spawn(auth::resets::worker(state.clone(), stop.clone()));
    jobs.spawn(import::worker(state.clone(), stop.clone()));
    jobs.spawn(listing::fold::worker(state.clone(), stop.clone()));
    jobs.spawn(sweep(state.clone(), stop.clone()));
    jobs
}

/// Serves until `stop` becomes true, then shuts everything down in order.
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
    let mut jobs = jobs(&state, &closing);
    jobs.spawn(drain(state.clone(), stop, close));
    let secure = state.config.public_url().starts_with("https://");
    http::serve(listener, router(&state), secure, state.fairness.connections.clone(), closing).await;
    while jobs.join_next().await.is_some() {}
    state.db.close().await;
}

/// Reports the server as not ready, and closes it after the configured delay, in which a load balancer can notice.
async fn drain(state: App, mut stop: watch::Receiver<bool>, close: watch::Sender<bool>) {
    http::asked(&mut stop).await;
    state.stopping.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(u64::from(state.config.drain_seconds))).await;
    let _ = close.send(true);
}

/// Periodically deletes expired rows.
async fn sweep(app: App, stop: watch::Receiver<bool>) {
    let wake = Notify::const_new();
    jobs::run("sweeping", &wake, stop, || async {
        for (rows, deleted) in [
            ("rate limit counters", limits::sweep(&app).await.map(drop)),
            ("sessions", auth::sweep(&app).await),
            ("mails", mail::sweep(&app).await),
            ("imports", import::sweep(&app).await),
        ] {
            if let Err(error) = deleted {
                tracing::warn!(%error, rows, "expired rows could not be deleted");
            }
        }
        Ok(SWEEP)
    })
    .await;
}

/// Returns a flag that becomes true at SIGTERM or Ctrl-C. Call it before the server reports that it is ready: until
/// then SIGTERM ends the program at once.
pub fn stop_signal() -> watch::Receiver<bool> {
    let (ask, stop) = watch::channel(false);
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
        let _ = ask.send(true);
    });
    stop
}

/// Returns a database URL without password and parameters, even if it can't be parsed.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let (user, host) = (user.split(':').next().unwrap_or_default(), host.split('?').next().unwrap_or_default());
            format!("{scheme}://{user}@{host}")
        }
        None => format!("{scheme}://{}", rest.split('?').next().unwrap_or_default()),
    }
}
