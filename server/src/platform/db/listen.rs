//! Sends events between the nodes of an installation by PostgreSQL's NOTIFY. The notification of a change is part of
//! the transaction that makes the change, so PostgreSQL delivers it only if the transaction commits.

use super::open::PING_TIMEOUT;
use super::{Db, Result, to_json};
use crate::platform::events::{Event, Events};
use crate::platform::http::wait_for_shutdown;
use sqlx::Executor;
use sqlx::postgres::PgListener;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

const CHANNEL: &str = "forecourt_events";
/// If no notification arrives for this long, the connection is checked.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// Delay before the connection for events is opened again: this one first, then doubled up to [`LAST_DELAY`].
const FIRST_DELAY: Duration = Duration::from_millis(250);
const LAST_DELAY: Duration = Duration::from_secs(15);

/// Returns the statement that notifies every node of these events; `None` without events. The text of each event is
/// shorter than the 8000 bytes that PostgreSQL allows.
pub(super) fn notify_text(events: impl Iterator<Item = Event>) -> Result<Option<String>> {
    let calls = events.map(|event| {
        let payload = to_json(&event)?.replace('\'', "''");
        Ok(format!("pg_notify('{CHANNEL}', '{payload}')"))
    });
    let calls = calls.collect::<Result<Vec<_>>>()?;
    Ok((!calls.is_empty()).then(|| format!("SELECT {}", calls.join(", "))))
}

impl Db {
    /// Passes an event that is not caused by a change in the database to the streams of every node.
    pub async fn announce(&self, event: Event) -> Result<()> {
        match self {
            Db::Sqlite { .. } => {
                self.events().publish(event);
                Ok(())
            }
            Db::Postgres(..) => {
                let db = self.catalog();
                let sql = db.sql("SELECT CAST(pg_notify($1, $2) AS TEXT)").bind(CHANNEL).bind(to_json(&event)?);
                sql.exec().await.map(|_| ())
            }
        }
    }
}

/// Publishes the events of all nodes to this node's streams, until a shutdown is requested. Returns at once on SQLite,
/// where [`Tx::commit`](super::Tx::commit) publishes events itself.
pub async fn listen(db: &Db, url: &str, mut stop: watch::Receiver<bool>) {
    if let Db::Sqlite { .. } = db {
        return;
    }
    tokio::select! {
        () = wait_for_shutdown(&mut stop) => {}
        () = listen_forever(db.events(), url) => {}
    }
}

async fn listen_forever(events: &Events, url: &str) {
    let mut delay = FIRST_DELAY;
    loop {
        match connect(url).await {
            Ok(listener) => {
                delay = FIRST_DELAY;
                // The events between the last connection and this one are lost.
                events.publish(Event::Lost);
                let error = receive(events, listener).await;
                tracing::warn!(?error, "the connection for events has ended and is opened again");
            }
            Err(error) => tracing::warn!(%error, "the connection for events can't be opened"),
        }
        sleep(delay).await;
        delay = (delay * 2).min(LAST_DELAY);
    }
}

async fn connect(url: &str) -> Result<PgListener> {
    let connecting = async {
        let mut listener = PgListener::connect(url).await?;
        listener.listen(CHANNEL).await?;
        Ok(listener)
    };
    timeout(PING_TIMEOUT * 2, connecting).await.map_err(|_| sqlx::Error::PoolTimedOut)?
}

/// Publishes events until the connection ends. Returns the error; `None` if the server has closed the connection.
async fn receive(events: &Events, mut listener: PgListener) -> Option<sqlx::Error> {
    loop {
        match timeout(PING_INTERVAL, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => match serde_json::from_str(notification.payload()) {
                Ok(event) => events.publish(event),
                // The event has a type that only a newer version of the program knows.
                Err(_) => events.publish(Event::Lost),
            },
            Ok(Ok(None)) => return None,
            Ok(Err(error)) => return Some(error),
            // A connection can stay open although the server can't be reached any more, so a statement checks it.
            Err(_) => match timeout(PING_TIMEOUT, listener.execute("SELECT 1")).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Some(error),
                Err(_) => return Some(sqlx::Error::PoolTimedOut),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::test_databases::create_migrated;
    use crate::platform::events::{Change, MAX_IDS};
    use forecourt_core::history::HistoryAction;
    use forecourt_core::permissions::ResourceId;
    use uuid::Uuid;

    #[test]
    fn the_largest_change_fits_in_a_notification() {
        let change = Change {
            corp: Uuid::max(),
            resource: ResourceId::ContactsImports,
            action: HistoryAction::SignedOut,
            by: Some(Uuid::max()),
            ids: Some(vec![Uuid::max(); MAX_IDS]),
        };
        let text = notify_text([Event::Changed(change)].into_iter()).unwrap().unwrap();
        assert!(text.len() < 8000, "{}", text.len());
    }
    #[tokio::test]
    async fn only_committed_changes_are_announced_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let url = create_migrated(folder.path(), |_| Vec::new()).await;
        let db = Db::open(&url, 2).await.unwrap();
        let (ask, stop) = watch::channel(false);
        let mut events = db.events().subscribe();
        let job = {
            let db = db.clone();
            tokio::spawn(async move { listen(&db, &url, stop).await })
        };
        if let Db::Postgres(..) = db {
            assert_eq!(*events.recv().await.unwrap(), Event::Lost);
        }
        let change = |n| Change {
            corp: Uuid::from_u128(n),
            resource: ResourceId::Contacts,
            action: HistoryAction::Updated,
            by: None,
            ids: None,
        };
        let mut tx = db.begin().await.unwrap();
        assert!(tx.sql("SELECT 1").announce(change(1)).exists().await.unwrap());
        drop(tx);
        let write = |n, text: &'static str| {
            let announced = change(n);
            db.write(move |tx| Box::pin(async move { tx.sql(text).announce(announced).exists().await }))
        };
        // On SQLite the three writes share one group commit.
        let (first, failed, second) =
            tokio::join!(write(2, "SELECT 2"), write(3, "SELECT nothing"), write(4, "SELECT 4"));
        assert!(first.is_ok() && failed.is_err() && second.is_ok());
        let mut seen = Vec::new();
        for _ in 0..2 {
            let Event::Changed(change) = (*events.recv().await.unwrap()).clone() else { panic!() };
            seen.push(change.corp.as_u128());
        }
        seen.sort_unstable();
        assert_eq!(seen, [2, 4]);
        assert!(db.sql("SELECT 1").announce(change(5)).exists().await.is_err(), "outside of a transaction");
        // Fails on SQLite, where the job has ended at once.
        let _ = ask.send(true);
        job.await.unwrap();
        assert!(events.is_empty());
        db.close().await;
    }
}
