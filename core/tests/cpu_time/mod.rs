//! The CPU time of a test, independent of other processes.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Returns the CPU time of this thread, or the wall-clock time where the system doesn't provide it.
pub fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedstat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedstat.and_then(|schedstat| schedstat.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
