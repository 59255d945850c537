//! Bindings for the accent colour.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Coming, Failure, give, read};
use forecourt_core::permissions::UserType;
use forecourt_core::theme::{self, LogoReply, NamedColor, Shades, Theme, ThemeInput, ThemeReply};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkTheme = check_theme(ThemeInput), "Validates a colour.";
}

/// Returns the readable shades of a colour on a light or dark background. An invalid colour gives the shades of the
/// default colour.
#[wasm_bindgen]
pub fn shades(color: &str, dark: bool) -> Door<Ts<Shades>> {
    give(&theme::shades(color, dark))
}

/// Returns the colour to use when none is set.
#[wasm_bindgen(js_name = defaultColor)]
pub fn default_color() -> String {
    theme::DEFAULT_COLOR.to_owned()
}

/// Returns the named colours that are offered.
#[wasm_bindgen(js_name = themeColors)]
pub fn theme_colors() -> Door<Vec<Ts<NamedColor>>> {
    list(&theme::COLORS)
}

/// Returns whether this user type may set the colour and the logo for the whole corporation.
#[wasm_bindgen(js_name = maySetForAll)]
pub fn may_set_for_all(user_type: Ts<UserType>) -> Door<bool> {
    Ok(theme::may_set_for_corporation(read(&user_type)?))
}

/// Returns the colours that apply to the signed-in user.
#[wasm_bindgen(js_name = getTheme)]
pub fn get_theme() -> Coming<Theme> {
    api::data(Call::get(theme::PATH))
}

/// Sets a colour.
#[wasm_bindgen(js_name = setTheme)]
pub fn set_theme(form: Ts<ThemeInput>) -> Coming<ThemeReply> {
    api::whole(Call::put(theme::PATH, form))
}

/// Uploads the corporation's logo.
#[wasm_bindgen(js_name = uploadLogo)]
pub fn upload_logo(file: Blob) -> Coming<LogoReply> {
    api::whole(logo(&file).map(|form| Call::upload_over(theme::LOGO, form)))
}

fn logo(file: &Blob) -> Result<FormData, Failure> {
    let form = FormData::new().map_err(|_| Failure::Misused("A form can't be made".to_owned()))?;
    form.append_with_blob(theme::LOGO_FIELD, file).map_err(|_| Failure::Misused("This is no file".to_owned()))?;
    Ok(form)
}

/// Removes the corporation's logo.
#[wasm_bindgen(js_name = removeLogo)]
pub fn remove_logo() -> Coming<LogoReply> {
    api::whole(Call::delete(theme::LOGO))
}
