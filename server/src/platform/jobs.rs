//! Runs background jobs. The jobs for imports and mails claim each row that is due for a limited time (a lease). When
//! that has passed, any node can continue the work, so that it does not matter if the first one died.

use super::clock::{MINUTE, SECOND};
use super::error::ApiResult;
use super::http::wait_for_shutdown;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// How long a job waits before it looks again for work that another node queued, and after an error.
pub const POLL: Duration = Duration::from_secs(2);
/// How long a job waits after its step has panicked.
const RESTART_DELAY: Duration = Duration::from_secs(5);
/// How long the current step of a job may continue after a shutdown was requested. Then it is cancelled.
const GRACE: Duration = Duration::from_secs(1);

/// Calls `step` until a shutdown is requested. A step returns the longest wait before the next one; a notification of
/// `wake` ends the wait. A step that panics does not end the job; the panic hook has logged and counted the panic
/// ([`super::metrics::watch_panics`]).
pub async fn run<F: Future<Output = ApiResult<Duration>>>(
    name: &'static str,
    wake: &Notify,
    mut stop: watch::Receiver<bool>,
    mut step: impl FnMut() -> F,
) {
    let mut stopping = stop.clone();
    loop {
        let wait = tokio::select! {
            result = AssertUnwindSafe(step()).catch_unwind() => match result {
                Ok(Ok(wait)) => wait,
                Ok(Err(error)) => {
                    tracing::warn!(job = name, ?error, "a job has failed and will be tried again");
                    POLL
                }
                Err(_) => {
                    tracing::error!(job = name, "a job has panicked and is restarted");
                    RESTART_DELAY
                }
            },
            () = async { wait_for_shutdown(&mut stopping).await; sleep(GRACE).await } => return,
        };
        tokio::select! {
            biased;
            () = wait_for_shutdown(&mut stop) => return,
            () = wake.notified() => {}
            () = sleep(wait) => {}
        }
    }
}

/// Returns the delay before the next attempt after this many failed ones, in microseconds: 2, 4, 8 … seconds, at most a
/// minute.
pub fn retry_delay(attempts: i32) -> i64 {
    let doublings = u32::try_from(attempts).unwrap_or(0).min(6);
    (SECOND << doublings).min(MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::time::Instant;

    #[test]
    fn doubles_the_retry_delay_up_to_a_minute() {
        let seconds: Vec<i64> = (1..9).map(|n| retry_delay(n) / SECOND).collect();
        assert_eq!(seconds, [2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(retry_delay(i32::MAX), MINUTE);
    }

    #[tokio::test(start_paused = true)]
    async fn restarts_a_job_after_a_panic_until_it_is_stopped() {
        let (ask, stop) = watch::channel(false);
        let (begun, steps) = (Instant::now(), AtomicUsize::new(0));
        run("test", &Notify::const_new(), stop, || async {
            tokio::task::yield_now().await;
            assert!(steps.fetch_add(1, Ordering::Relaxed) == 2, "a simulated failure");
            ask.send(true).unwrap();
            Ok(Duration::ZERO)
        })
        .await;
        assert_eq!((steps.load(Ordering::Relaxed), begun.elapsed()), (3, 2 * RESTART_DELAY));
    }

    #[tokio::test(start_paused = true)]
    async fn restarts_a_job_that_always_panics_until_the_shutdown() {
        let (ask, stop) = watch::channel(false);
        let starts = Arc::new(AtomicUsize::new(0));
        let counted = starts.clone();
        let job = tokio::spawn(async move {
            run("test", &Notify::const_new(), stop, || async {
                counted.fetch_add(1, Ordering::Relaxed);
                panic!("always")
            })
            .await;
        });
        sleep(10 * RESTART_DELAY).await;
        assert!(starts.load(Ordering::Relaxed) >= 10 && !job.is_finished());
        ask.send(true).unwrap();
        assert!(job.await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_a_notification_or_the_poll_interval() {
        let (ask, stop) = watch::channel(false);
        let (begun, wake, mut calls) = (Instant::now(), Notify::new(), Vec::new());
        wake.notify_one();
        run("test", &wake, stop, || {
            calls.push(begun.elapsed().as_secs());
            if calls.len() == 4 {
                ask.send(true).unwrap();
            }
            std::future::ready(Ok(if calls.len() == 3 { Duration::ZERO } else { POLL }))
        })
        .await;
        assert_eq!(calls, [0, 0, 2, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn cancels_a_step_that_outlasts_the_grace_period() {
        let (ask, stop) = watch::channel(false);
        ask.send(true).unwrap();
        let begun = Instant::now();
        run("test", &Notify::const_new(), stop, std::future::pending).await;
        assert_eq!(begun.elapsed(), GRACE);
    }
}
