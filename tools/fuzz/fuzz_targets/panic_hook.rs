//! libFuzzer aborts on every panic, even on a caught one. The import catches panics of calamine and reports a damaged file.

use std::panic::set_hook;
use std::sync::Once;

/// Makes the fuzzer continue after caught panics. One that is not caught still ends it: libfuzzer-sys catches it around the target,
/// and aborts.
pub fn allow_caught_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| set_hook(Box::new(|info| eprintln!("{info}"))));
}
