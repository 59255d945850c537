//! Lets fuzz targets continue after a panic that is caught, as the import does with panics of calamine, which it
//! reports as a damaged file. By default, libfuzzer-sys aborts on every panic.

use std::panic::set_hook;
use std::sync::Once;

/// Makes the fuzzer continue after caught panics. A panic that the target does not catch still ends it: libfuzzer-sys
/// catches the panic around the target, and aborts.
pub fn allow_caught_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| set_hook(Box::new(|info| eprintln!("{info}"))));
}
