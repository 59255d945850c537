//! The job that notices when the session of an open stream ends.

use crate::access::scope::find_ended;
use crate::features::state::App;
use crate::platform::events::Event;
use crate::platform::jobs;
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// How often the sessions of open streams are checked.
const INTERVAL: Duration = Duration::from_millis(500);

/// Ends the streams of sessions that have ended, until a shutdown is requested.
pub async fn watch_sessions(app: App, stop: watch::Receiver<bool>) {
    jobs::run("sessions of streams", &Notify::const_new(), stop, || async {
        let sessions = app.streams.sessions();
        if !sessions.is_empty() {
            let ended = find_ended(&app.db, &sessions, app.clock.now()).await?;
            if !ended.is_empty() {
                app.db.events().publish(Event::SessionsEnded(ended));
            }
        }
        Ok(INTERVAL)
    })
    .await;
}
