//! The wasm module that the web app starts with: bindings for the rules in `core`, and the API client.
//! This package has no rules of its own. It passes forms, permissions and page numbers to `core`, and returns the
//! results.

mod api;
mod auth;
mod contacts;
mod corporations;
mod customers;
mod dashboard;
mod images;
mod import;
mod invoices;
mod organizations;
mod paging;
mod permissions;
mod profile;
mod records;
mod request;
mod roles;
mod session;
mod settings;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod users;

use forecourt_call::{BindingError, read, to_js};
use forecourt_core::form::{self, FieldError, Form};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The memory allocator. Its code is half the size of the standard library's.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The result of a binding: a typed value, or a JavaScript error if an argument had the wrong shape.
type BindingResult<T> = Result<T, BindingError>;

/// Deserializes the items of a list that the page passed.
fn read_list<T>(items: &[Ts<T>]) -> BindingResult<Vec<T>>
where
    T: Tsify + serde::de::DeserializeOwned,
    T::JsType: Clone + JsCast,
{
    items.iter().map(read).collect()
}

/// Converts the items of a list to JavaScript, for the page.
fn to_ts_list<T: Tsify + serde::Serialize>(items: &[T]) -> BindingResult<Vec<Ts<T>>> {
    items.iter().map(to_js).collect()
}

/// Returns the validation errors of a form that changes a record with a website. The stored website is accepted
/// unchanged, even if it is invalid.
fn check_update<F>(form: &Ts<F>, stored: Option<String>) -> BindingResult<Vec<Ts<FieldError>>>
where
    F: Form + Tsify + serde::de::DeserializeOwned,
    F::JsType: Clone + JsCast,
{
    let checked = form::check_update(settings::form_settings(), read(form)?, stored);
    to_ts_list(&checked.err().unwrap_or_default())
}

/// Generates a binding for each of these forms, which returns its validation errors in the order of the screen's
/// fields.
macro_rules! checks {
    ($($js_name:ident = $name:ident($form:ty);)*) => { $(
        #[wasm_bindgen(js_name = $js_name)]
        pub fn $name(form: tsify::Ts<$form>) -> $crate::BindingResult<Vec<tsify::Ts<forecourt_core::form::FieldError>>> {
            $crate::to_ts_list(&forecourt_core::form::check_with($crate::settings::form_settings(), forecourt_call::read(&form)?).err().unwrap_or_default())
        }
    )* };
}
use checks;
