//! The wasm module that the web app starts with: bindings for the rules in `core`, and the API client.
//! This package has no rules of its own. It passes forms, permissions and page numbers to `core`, and returns the
//! results.

mod api;
mod auth;
mod contacts;
mod corporations;
mod customers;
mod dashboard;
mod house;
mod images;
mod import;
mod invoices;
mod organizations;
mod paging;
mod permissions;
mod profile;
mod request;
mod roles;
mod session;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod users;

use forecourt_call::{Failure, give, read};
use forecourt_core::form::{ChangesWebsite, FieldError, check_with};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Half the size of the allocator of the standard library.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The result of a binding: a typed value, or a JavaScript error if an argument had the wrong shape.
type Door<T> = Result<T, Failure>;

/// Deserializes a typed list.
fn all<T>(items: &[Ts<T>]) -> Door<Vec<T>>
where
    T: Tsify + serde::de::DeserializeOwned,
    T::JsType: Clone + JsCast,
{
    items.iter().map(read).collect()
}

/// Serializes a list.
fn list<T: Tsify + serde::Serialize>(items: &[T]) -> Door<Vec<Ts<T>>> {
    items.iter().map(give).collect()
}

/// Validates a form that changes a record with a website; the stored website is accepted unchanged.
fn check_change<F>(form: &Ts<F>, stored: Option<String>) -> Door<Vec<Ts<FieldError>>>
where
    F: ChangesWebsite + Tsify + serde::de::DeserializeOwned,
    F::JsType: Clone + JsCast,
{
    let mut form = read(form)?;
    form.set_stored_website(stored);
    list(&check_with(house::rules(), form).err().unwrap_or_default())
}

/// Generates the binding that validates each form. It returns the validation errors in screen order.
macro_rules! checks {
    ($($js_name:ident = $name:ident($form:ty), $doc:literal;)*) => { $(
        #[doc = $doc]
        #[wasm_bindgen(js_name = $js_name)]
        pub fn $name(form: tsify::Ts<$form>) -> $crate::Door<Vec<tsify::Ts<forecourt_core::form::FieldError>>> {
            $crate::list(&forecourt_core::form::check_with($crate::house::rules(), forecourt_call::read(&form)?).err().unwrap_or_default())
        }
    )* };
}
use checks;
