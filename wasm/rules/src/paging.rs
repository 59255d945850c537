//! Bindings for paging.

use crate::BindingResult;
use forecourt_core::paging::{self, Numbering};
use js_sys::Array;
use tsify::Ts;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const LIST_PARAMETERS: &str =
    "/** The parameters of each list that can be sorted and filtered, as in the API. Empty texts are not sent. */
export interface ListParameters {
    page: number;
    limit: number;
    sort?: string;
    filter?: string;
}
";

/// Returns the page numbers that a list's page buttons show, in order; -1 stands for a gap ("…").
#[wasm_bindgen(js_name = pageWindow, unchecked_return_type = "number[]")]
pub fn page_window(
    current: u32,
    #[wasm_bindgen(js_name = totalPages)] total_pages: u32,
    numbering: Ts<Numbering>,
) -> BindingResult<Array> {
    Ok(paging::page_numbers(current, total_pages, forecourt_call::read(&numbering)?)
        .into_iter()
        .map(JsValue::from)
        .collect())
}

/// Returns true if a page number is one of the list's pages, and neither a gap (-1) nor beyond the last page.
#[wasm_bindgen(js_name = isValidPage)]
pub fn is_valid_page(page: i32, #[wasm_bindgen(js_name = totalPages)] total_pages: u32) -> bool {
    paging::is_valid_page(page, total_pages)
}

/// Returns the number of pages of a list with this number of rows.
#[wasm_bindgen(js_name = totalPages)]
pub fn total_pages(total: f64, limit: u32) -> u32 {
    paging::total_pages(total as u64, limit)
}

/// Returns the numbers of the first and the last row of a page, for "Showing X to Y of N"; both 0 if the page is empty.
#[wasm_bindgen(js_name = rowRange, unchecked_return_type = "[number, number]")]
pub fn row_range(page: u32, limit: u32, total: f64) -> Array {
    // The cast saturates; NaN and negative numbers become 0.
    let (from, to) = paging::row_range(page, limit, total as u64);
    Array::of2(&(from as f64).into(), &(to as f64).into())
}
