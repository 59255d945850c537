//! Bindings for the accent colour and the logo.

use crate::{BindingResult, api, checks, to_ts_list};
use forecourt_call::{ApiRequest, BindingError, to_js};
use forecourt_core::theme::{self, NamedColor, Shades, ThemeInput};
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkTheme = check_theme(ThemeInput);
}

/// Returns the readable shades of a colour on a light or dark background. An invalid colour gives the shades of the
/// default colour.
#[wasm_bindgen]
pub fn shades(color: &str, dark: bool) -> BindingResult<Ts<Shades>> {
    to_js(&theme::shades(color, dark))
}

/// Returns the colour to use when none is set.
#[wasm_bindgen(js_name = defaultColor)]
pub fn default_color() -> String {
    theme::DEFAULT_COLOR.to_owned()
}

/// Returns the API's word, in place of a colour, to remove the colour of the user or of the corporation.
#[wasm_bindgen(js_name = noColor)]
pub fn no_color() -> String {
    theme::NO_COLOR.to_owned()
}

#[wasm_bindgen(js_name = themeColors)]
pub fn theme_colors() -> BindingResult<Vec<Ts<NamedColor>>> {
    to_ts_list(&theme::COLORS)
}

/// Requests the accent colours that apply to the signed-in user.
#[wasm_bindgen(js_name = getTheme, unchecked_return_type = "Promise<Theme>")]
pub fn get_theme() -> Promise {
    api::fetch_data(ApiRequest::get(theme::PATH))
}

/// Saves an accent colour: the signed-in user's, or the corporation's, as the form's `scope` says.
#[wasm_bindgen(js_name = setTheme, unchecked_return_type = "Promise<ThemeReply>")]
pub fn set_theme(form: Ts<ThemeInput>) -> Promise {
    api::fetch_body(ApiRequest::put(theme::PATH, form))
}

#[wasm_bindgen(js_name = uploadLogo, unchecked_return_type = "Promise<LogoReply>")]
pub fn upload_logo(file: Blob) -> Promise {
    api::fetch_body(logo_form_data(&file).map(|form| ApiRequest::upload_with_put(theme::LOGO, form)))
}

fn logo_form_data(file: &Blob) -> Result<FormData, BindingError> {
    let form =
        FormData::new().map_err(|_| BindingError::InvalidArgument("The form data can't be created".to_owned()))?;
    form.append_with_blob(theme::LOGO_FIELD, file)
        .map_err(|_| BindingError::InvalidArgument("Not a file".to_owned()))?;
    Ok(form)
}

#[wasm_bindgen(js_name = removeLogo, unchecked_return_type = "Promise<LogoReply>")]
pub fn remove_logo() -> Promise {
    api::fetch_body(ApiRequest::delete(theme::LOGO))
}
