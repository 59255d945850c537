//! Bindings for the rules of forms.

use crate::BindingResult;
use forecourt_call::{read, to_js};
use forecourt_core::auth::SignupInput;
use forecourt_core::corporations::{
    CorporationInput, CorporationUpdateInput, CorporationUserInput, CorporationUserUpdateInput,
};
use forecourt_core::form::{FieldError, FormSettings, check_update};
use forecourt_core::privacy::PersonalDataInput;
use forecourt_core::settings::SettingsInput;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Generates a binding for each of these forms, which returns its validation errors in the order of the screen's
/// fields. `settings` are those of the installation; by default the program's. The website of the stored record is
/// accepted even if it is invalid, as long as it is not changed.
macro_rules! checks {
    ($($js_name:ident = $name:ident($form:ty);)*) => { $(
        #[wasm_bindgen(js_name = $js_name)]
        pub fn $name(
            form: Ts<$form>,
            settings: Option<Ts<FormSettings>>,
            #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
        ) -> BindingResult<Vec<Ts<FieldError>>> {
            let settings = settings.as_ref().map(read).transpose()?.unwrap_or_default();
            let errors = check_update(settings, read::<$form>(&form)?, stored_website).err();
            errors.unwrap_or_default().iter().map(to_js).collect()
        }
    )* };
}

checks! {
    checkCorporation = check_corporation(CorporationInput);
    checkCorporationUpdate = check_corporation_update(CorporationUpdateInput);
    checkCorporationUser = check_corporation_user(CorporationUserInput);
    checkCorporationUserUpdate = check_corporation_user_update(CorporationUserUpdateInput);
    checkPersonalData = check_personal_data(PersonalDataInput);
    checkSettings = check_settings(SettingsInput);
    checkSignup = check_signup(SignupInput);
}
