//! Limits the number of connections of each client address.

use super::semaphore::{FairSemaphore, Limits, Permit};
use crate::platform::client_address::address_key;
use crate::platform::config::PlatformConfig;
use prometheus_client::metrics::counter::Counter;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum interval between log lines about rejected connections.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The limit on the connections of each address to one listener; cloning it is cheap, and clones count together.
#[derive(Clone)]
pub struct ConnectionLimit(Option<Arc<Inner>>);

struct Inner {
    addresses: FairSemaphore<Vec<u8>>,
    config: Arc<PlatformConfig>,
    rejected: Counter,
    /// Time of the last log line, and the number of connections rejected since.
    logged: Mutex<(Option<Instant>, u64)>,
}

/// Counts as a connection of its address until it is dropped; `None` if the address has no limit.
pub type ConnectionPermit = Option<Permit<Vec<u8>>>;

impl ConnectionLimit {
    /// Limits each address as configured, and counts rejected connections.
    pub fn new(config: Arc<PlatformConfig>, rejected: Counter) -> Self {
        let share = usize::from(config.connections_per_address);
        let addresses = FairSemaphore::new(Limits { total: usize::MAX, share, queue: 0 });
        ConnectionLimit(Some(Arc::new(Inner { addresses, config, rejected, logged: Mutex::default() })))
    }

    /// Returns a limit that admits every connection, for a listener that only the operator can reach.
    pub fn unlimited() -> Self {
        ConnectionLimit(None)
    }

    /// Admits a connection; returns `None` if its address has reached the limit. Trusted proxies have no limit here;
    /// the requests of each client behind them are limited instead ([`super::limit_parallel_requests`]).
    pub fn admit(&self, peer: SocketAddr) -> Option<ConnectionPermit> {
        let Some(inner) = &self.0 else { return Some(None) };
        let address: IpAddr = peer.ip().to_canonical();
        if inner.config.trusted_proxies.contains(&address) {
            return Some(None);
        }
        let permit = inner.addresses.try_acquire(address_key(address), 1);
        if permit.is_none() {
            inner.count_rejection();
        }
        permit.map(Some)
    }
}

impl Inner {
    fn count_rejection(&self) {
        self.rejected.inc();
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        logged.1 += 1;
        if logged.0.is_none_or(|last| last.elapsed() >= LOG_INTERVAL) {
            tracing::warn!(rejected = logged.1, "closed connections beyond the limit of their address");
            *logged = (Some(Instant::now()), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;

    fn limit() -> ConnectionLimit {
        let flags = ["--connections-per-address", "2", "--trusted-proxies", "10.0.0.1"];
        ConnectionLimit::new(Arc::new(from_flags(&flags)), Counter::default())
    }

    #[test]
    fn v7_limits_connections_per_address_or_ipv6_prefix() {
        for [own, same, other] in [
            ["9.9.9.9:1", "9.9.9.9:2", "9.9.9.8:1"],
            ["[::ffff:9.9.9.9]:1", "9.9.9.9:2", "9.9.9.8:1"],
            ["[2001:db8:0:1::1]:1", "[2001:db8:0:ff::2]:1", "[2001:db8:0:100::1]:1"],
        ] {
            let limit = limit();
            let admit = |address: &str| limit.admit(address.parse().unwrap());
            let open = [admit(own), admit(same)];
            assert!(open.iter().all(Option::is_some));
            assert!(admit(own).is_none() && admit(other).is_some(), "{own}");
            drop(open);
            assert!(admit(own).is_some(), "{own}");
        }
    }

    #[test]
    fn v7_does_not_limit_connections_of_a_trusted_proxy() {
        let limit = limit();
        let open: Vec<_> = (1..100).map(|port| limit.admit(SocketAddr::from(([10, 0, 0, 1], port)))).collect();
        assert!(open.iter().all(Option::is_some));
    }
}
