//! Doors to the accent colour.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Failure};
use forecourt_core::permissions::UserType;
use forecourt_core::theme::{self, LogoReply, NamedColor, Shades, Theme, ThemeInput, ThemeReply};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkTheme = check_theme(ThemeInput), "Checks a colour.";
}

/// The shades that a colour gives on light or dark ground, each readable; a text that is no colour gives the default's.
#[wasm_bindgen]
pub fn shades(color: &str, dark: bool) -> Door<Ts<Shades>> {
    Ok(theme::shades(color, dark).into_ts()?)
}

/// The colour when nobody has chosen one.
#[wasm_bindgen(js_name = defaultColor)]
pub fn default_color() -> String {
    theme::DEFAULT_COLOR.to_owned()
}

/// The colours that are offered by name.
#[wasm_bindgen(js_name = themeColors)]
pub fn theme_colors() -> Door<Vec<Ts<NamedColor>>> {
    list(&theme::COLORS)
}

/// May this kind of person set the colour and the logo for everybody in the corporation?
#[wasm_bindgen(js_name = maySetForAll)]
pub fn may_set_for_all(user_type: Ts<UserType>) -> Door<bool> {
    Ok(theme::may_set_for_all(user_type.to_rust()?))
}

/// The colours that concern the signed-in person.
#[wasm_bindgen(js_name = getTheme)]
pub async fn get_theme() -> Result<Ts<Theme>, Failure> {
    Ok(api::call(&Call::get(theme::PATH)).await?.data()?)
}

/// Sets a colour.
#[wasm_bindgen(js_name = setTheme)]
pub async fn set_theme(form: Ts<ThemeInput>) -> Result<Ts<ThemeReply>, Failure> {
    Ok(api::call(&Call::put_as_is(theme::PATH, &form)?).await?.whole()?)
}

/// Makes a file the corporation's logo.
#[wasm_bindgen(js_name = uploadLogo)]
pub async fn upload_logo(file: Blob) -> Result<Ts<LogoReply>, Failure> {
    let form = FormData::new().map_err(|_| Failure::Misused("A form can't be made".to_owned()))?;
    form.append_with_blob(theme::LOGO_FIELD, &file).map_err(|_| Failure::Misused("This is no file".to_owned()))?;
    Ok(api::call(&Call::upload_over(theme::LOGO, form)).await?.whole()?)
}

/// Removes the corporation's logo.
#[wasm_bindgen(js_name = removeLogo)]
pub async fn remove_logo() -> Result<Ts<LogoReply>, Failure> {
    Ok(api::call(&Call::delete(theme::LOGO)).await?.whole()?)
}
