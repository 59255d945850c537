//! Bindings for messages of core that a screen shows without a response, for links to websites, and for what an erasure
//! has left.

use crate::BindingResult;
use forecourt_call::{set, to_js};
use forecourt_core::message::Message;
use forecourt_core::{
    auth, contacts, corporations, form, images, import, organizations, privacy, profile, roles, text, theme, users,
};
use js_sys::Object;
use std::cell::OnceCell;
use wasm_bindgen::prelude::*;

/// Lists the messages by feature, and declares their TypeScript type.
macro_rules! texts {
    ($($feature:ident { $($name:ident: $message:expr,)* })*) => {
        const TEXTS: &[(&str, &[(&str, &Message)])] =
            &[$((stringify!($feature), &[$((stringify!($name), $message)),*])),*];
        #[wasm_bindgen(typescript_custom_section)]
        const TYPES: &str = concat!(
            "/** The messages of core that screens use themselves, instead of taking them from a response, by feature. */\nexport interface Texts {\n",
            $("  ", stringify!($feature), ": {\n", $("    ", stringify!($name), ": Message;\n",)* "  };\n",)*
            "}\n"
        );
    };
}

texts! {
    general {
        dateInvalid: text::DATE_INVALID,
        formInvalid: text::FORM_INVALID,
        noConnection: text::NO_CONNECTION,
        notAllowed: text::NOT_ALLOWED,
        otherUser: text::OTHER_USER,
        sessionOver: text::SESSION_ENDED,
        stale: text::STALE,
        unexpected: text::UNEXPECTED,
    }
    auth {
        codeWrong: auth::text::CODE_WRONG,
        signedOut: auth::text::SIGNED_OUT,
        resetLinkInvalid: auth::text::RESET_LINK_INVALID,
        verifyLinkInvalid: auth::text::VERIFY_LINK_INVALID,
        federatedOff: auth::text::FEDERATED_OFF,
        connectFailed: auth::text::CONNECT_FAILED,
        lastAdmin: auth::text::LAST_ADMIN,
        lastSuperAdmin: auth::text::LAST_SUPER_ADMIN,
    }
    contacts {
        commentAdded: contacts::text::COMMENT_ADDED,
        commentEdited: contacts::text::COMMENT_EDITED,
        commentDeleted: contacts::text::COMMENT_DELETED,
    }
    import {
        failed: import::text::FAILED,
        deleted: import::text::DELETED,
        fileChanged: import::text::FILE_CHANGED,
        fileUnreadable: import::text::FILE_UNREADABLE,
        damagedCharacters: import::text::DAMAGED_CHARACTERS,
    }
    profile {
        updated: profile::text::UPDATED,
        passwordChanged: profile::text::PASSWORD_CHANGED,
        deleted: profile::text::DELETED,
        avatarUnreadable: images::text::UNREADABLE,
    }
    theme {
        applied: theme::text::APPLIED,
        logoMissing: images::text::LOGO_MISSING,
        logoUploaded: theme::text::LOGO_UPLOADED,
        logoRemoved: theme::text::LOGO_REMOVED,
    }
    corporations {
        declined: corporations::text::DECLINED,
        noneSelected: corporations::text::NONE_SELECTED,
        numberTaken: corporations::text::NUMBER_TAKEN,
        platformStays: corporations::text::PLATFORM_CORPORATION,
    }
    organizations {
        found: organizations::text::FOUND,
        notFound: organizations::text::NOT_FOUND,
    }
    roles {
        fieldsRequired: roles::text::FIELDS_REQUIRED,
        permissionsUpdated: roles::text::PERMISSIONS_UPDATED,
        created: roles::text::CREATED,
        updated: roles::text::UPDATED,
        deleted: roles::text::DELETED,
        firstRole: roles::text::FIRST_ROLE,
        firstRoleDescription: roles::text::FIRST_ROLE_DESCRIPTION,
    }
    users {
        fieldsRequired: users::text::FIELDS_REQUIRED,
        deactivated: users::text::DEACTIVATED,
    }
}

thread_local! {
    /// The result of [`texts`], built once, because screens call the function whenever they render.
    static BUILT: OnceCell<Object> = const { OnceCell::new() };
}

/// Returns the messages of core that screens use themselves, instead of taking them from a response.
#[wasm_bindgen(unchecked_return_type = "Texts")]
pub fn texts() -> BindingResult<Object> {
    BUILT.with(|built| match built.get() {
        Some(texts) => Ok(texts.clone()),
        None => build().map(|texts| built.get_or_init(|| texts).clone()),
    })
}

fn build() -> BindingResult<Object> {
    let all = Object::new();
    for (feature, messages) in TEXTS {
        let texts = Object::new();
        for (name, message) in *messages {
            set(&texts, name, &to_js(*message)?.js_value());
        }
        set(&all, feature, &texts);
    }
    Ok(all)
}

/// Returns whether a text is what an erasure leaves in a field that must have a value.
#[wasm_bindgen(js_name = isErased)]
pub fn is_erased(text: &str) -> bool {
    privacy::is_erased(text)
}

/// Returns the address that a website's link leads to; `undefined` if the text is no website.
#[wasm_bindgen(js_name = websiteLink)]
pub fn website_link(website: &str) -> Option<String> {
    form::website_link(website)
}
