//! What the web app starts with: doors to the rules in `core`, and the client of the server's API.
//! Nothing is decided here. A form, a permission or a page number is handed to `core`; what it says is handed back.

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

/// Half the weight of the one that comes with the standard library.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// What a door hands back: a typed value, or a JavaScript error when it was handed something of another shape.
type Door<T> = Result<T, Failure>;

/// Reads a typed list.
fn all<T>(items: &[Ts<T>]) -> Door<Vec<T>>
where
    T: Tsify + serde::de::DeserializeOwned,
    T::JsType: Clone + JsCast,
{
    items.iter().map(read).collect()
}

/// Hands a list over.
fn list<T: Tsify + serde::Serialize>(items: &[T]) -> Door<Vec<Ts<T>>> {
    items.iter().map(give).collect()
}

/// Checks a form that changes a record with a website; the stored one is accepted unchanged.
fn check_change<F>(form: &Ts<F>, stored: Option<String>) -> Door<Vec<Ts<FieldError>>>
where
    F: ChangesWebsite + Tsify + serde::de::DeserializeOwned,
    F::JsType: Clone + JsCast,
{
    let mut form = read(form)?;
    form.set_stored_website(stored);
    list(&check_with(house::rules(), form).err().unwrap_or_default())
}

/// Makes the door of each form's check: the form in, its broken rules out, in screen order.
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
