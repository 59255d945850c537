//! The import engine in the browser's worker, with the readers of text in UTF-8, .xlsx and .xls. Files that
//! these can't read need `wasm/fallback`.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_engine::Engine;
use wasm_bindgen::prelude::*;

/// The memory allocator. Its code is half the size of the standard library's.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

#[wasm_bindgen(js_name = createEngine)]
pub fn create_engine() -> Engine {
    Engine::new(None)
}
