//! Determines the address of the client that makes a request, also if trusted proxies forward it.

use super::config::PlatformConfig;
use axum::http::HeaderMap;
use std::net::{IpAddr, SocketAddr};

/// The socket address of the connection's other end, as the accept loop saw it.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

pub(crate) fn client_address(peer: IpAddr, headers: &HeaderMap, config: &PlatformConfig) -> IpAddr {
    let trusted = |ip: &IpAddr| config.trusted_proxies.contains(&ip.to_canonical());
    let mut address = peer.to_canonical();
    if !trusted(&address) {
        return address;
    }
    let chain: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).collect();
    for hop in chain.iter().rev() {
        // An entry that can't be parsed ends the search, because entries to its left can't be trusted.
        let hop = hop.trim();
        // Some gateways append the port.
        let Ok(ip) = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|a| a.ip())) else { break };
        address = ip.to_canonical();
        if !trusted(&address) {
            break;
        }
    }
    address
}

/// Returns the client's address if a trusted proxy forwards the request; `None` if the client is connected directly.
pub(crate) fn client_behind_proxy(peer: IpAddr, headers: &HeaderMap, config: &PlatformConfig) -> Option<IpAddr> {
    config.trusted_proxies.contains(&peer.to_canonical()).then(|| client_address(peer, headers, config))
}

/// Returns the key under which rate and connection limits count an address: an IPv4 address as a whole, of an IPv6
/// address the first 56 bits, which are the prefix of one household or office.
pub(crate) fn address_key(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets()[..7].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;

    fn client_of(peer: &str, forwarded: &[&str], trusted: &str) -> String {
        let flags = if trusted.is_empty() { vec![] } else { vec!["--trusted-proxies", trusted] };
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        client_address(peer.parse().unwrap(), &headers, &from_flags(&flags)).to_string()
    }

    #[test]
    fn reads_forwarded_addresses_of_trusted_proxies_from_the_right() {
        assert_eq!(client_of("9.9.9.9", &["1.1.1.1"], ""), "9.9.9.9");
        assert_eq!(client_of("10.0.0.1", &["6.6.6.6, 1.1.1.1"], "10.0.0.1"), "1.1.1.1");
        assert_eq!(client_of("10.0.0.1", &["6.6.6.6", "1.1.1.1, 10.0.0.2"], "10.0.0.1,10.0.0.2"), "1.1.1.1");
        assert_eq!(client_of("10.0.0.1", &["6.6.6.6, nonsense"], "10.0.0.1"), "10.0.0.1");
        assert_eq!(client_of("10.0.0.1", &["1.1.1.1:5678"], "10.0.0.1"), "1.1.1.1");
        assert_eq!(client_of("::ffff:10.0.0.1", &["1.1.1.1"], "10.0.0.1"), "1.1.1.1");
    }

    #[test]
    fn counts_an_ipv6_address_by_its_first_56_bits() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("2001:db8:0:1::1"), key("2001:db8:0:ff::2"));
        assert_ne!(key("2001:db8:0:100::1"), key("2001:db8:0:1::1"));
    }
}
