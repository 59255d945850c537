//! What a test's own work takes, however busy the machine is with others.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long this thread has been at work, whoever else is; where the system doesn't tell, how long it has been there.
pub fn busy() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
