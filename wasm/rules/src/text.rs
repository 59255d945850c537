//! The door to the sentences that a screen itself has to show.

use crate::Door;
use forecourt_core::text::Texts;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Every sentence that a screen shows of its own accord. What a call is refused with comes with the refusal.
#[wasm_bindgen]
pub fn texts() -> Door<Ts<Texts>> {
    Ok(Texts::default().into_ts()?)
}
