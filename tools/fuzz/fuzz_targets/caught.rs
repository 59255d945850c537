//! The fuzzer ends at any panic, even at one that is caught. The library's are, and are then a damaged file.

use std::panic::set_hook;
use std::sync::Once;

/// From now on only a panic that nobody catches ends the fuzzer.
pub fn let_be() {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| set_hook(Box::new(|info| eprintln!("{info}"))));
}
