//! The messages that screens show without a server response, grouped by feature.

use super::{FORM_INVALID, NO_CONNECTION, NOT_ALLOWED, NOT_FOUND, SESSION_ENDED, STALE, UNEXPECTED, UPGRADE_REQUIRED};
use crate::{
    auth, contacts, corporations, customers, dashboard, images, import, invoices, organizations, profile, roles, theme,
    users,
};
use serde::Serialize;

/// Defines a struct of messages and its only value.
macro_rules! sentences {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $text:expr,)* }) => {
        $(#[$doc])*
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[derive(Clone, Copy, Debug, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(pub $field: &'static str,)*
        }
        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $text,)* }
            }
        }
    };
}

/// All messages of the screens, by feature.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Texts {
    pub general: GeneralTexts,
    pub auth: AuthTexts,
    pub contacts: ContactTexts,
    pub import: ImportTexts,
    pub profile: ProfileTexts,
    pub theme: ThemeTexts,
    pub corporations: CorporationTexts,
    pub customers: CustomerTexts,
    pub dashboard: DashboardTexts,
    pub invoices: InvoiceTexts,
    pub organizations: OrganizationTexts,
    pub roles: RoleTexts,
    pub users: UserTexts,
}

sentences! {
    GeneralTexts {
        form_invalid: FORM_INVALID,
        no_connection: NO_CONNECTION,
        not_allowed: NOT_ALLOWED,
        not_found: NOT_FOUND,
        session_over: SESSION_ENDED,
        stale: STALE,
        unexpected: UNEXPECTED,
        upgrade_required: UPGRADE_REQUIRED,
    }
}

sentences! {
    AuthTexts {
        invalid_inputs: auth::text::INVALID_INPUTS,
        code_not_six: auth::text::CODE_NOT_SIX,
        code_wrong: auth::text::CODE_WRONG,
        banned: auth::text::BANNED,
        signed_out: auth::text::SIGNED_OUT,
        login_failed: auth::text::LOGIN_FAILED,
        logout_failed: auth::text::LOGOUT_FAILED,
        resend_failed: auth::text::RESEND_FAILED,
        no_email: auth::text::NO_EMAIL,
        no_login_data: auth::text::NO_LOGIN_DATA,
        reset_link_invalid: auth::text::RESET_LINK_INVALID,
        forgot_failed: auth::text::FORGOT_FAILED,
        reset_failed: auth::text::RESET_FAILED,
        verify_link_invalid: auth::text::VERIFY_LINK_INVALID,
        verify_failed: auth::text::VERIFY_FAILED,
        passwords_match: auth::text::PASSWORDS_MATCH,
        federated_off: auth::text::FEDERATED_OFF,
        federated_failed: auth::text::FEDERATED_FAILED,
        federated_unknown: auth::text::FEDERATED_UNKNOWN,
        federated_taken: auth::text::FEDERATED_TAKEN,
        connected: auth::text::CONNECTED,
        connect_failed: auth::text::CONNECT_FAILED,
        switched_off: auth::text::ACCOUNT_DISABLED,
        locked: auth::text::LOCKED,
        ban_failed: auth::text::BAN_FAILED,
        ban_lift_failed: auth::text::BAN_LIFT_FAILED,
    }
}

sentences! {
    ContactTexts {
        created: contacts::text::CREATED,
        load_failed: contacts::text::LOAD_FAILED,
        create_failed: contacts::text::CREATE_FAILED,
        details_load_failed: contacts::text::DETAILS_LOAD_FAILED,
        updated: contacts::text::UPDATED,
        update_failed: contacts::text::UPDATE_FAILED,
        deleted: contacts::text::DELETED,
        delete_failed: contacts::text::DELETE_FAILED,
        delete_question: contacts::text::DELETE_QUESTION,
        comment_added: contacts::text::COMMENT_ADDED,
        comment_add_failed: contacts::text::COMMENT_ADD_FAILED,
        comment_edited: contacts::text::COMMENT_EDITED,
        comment_edit_failed: contacts::text::COMMENT_EDIT_FAILED,
        comment_deleted: contacts::text::COMMENT_DELETED,
        comment_delete_failed: contacts::text::COMMENT_DELETE_FAILED,
        comment_delete_question: contacts::text::COMMENT_DELETE_QUESTION,
        comments_load_failed: contacts::text::COMMENTS_LOAD_FAILED,
        no_comments: contacts::text::NO_COMMENTS,
    }
}

sentences! {
    CustomerTexts {
        load_failed: customers::text::LOAD_FAILED,
        load_failed_try_again: customers::text::LOAD_FAILED_TRY_AGAIN,
        details_load_failed: customers::text::DETAILS_LOAD_FAILED,
        created: customers::text::CREATED,
        create_failed: customers::text::CREATE_FAILED,
        updated: customers::text::UPDATED,
        update_failed: customers::text::UPDATE_FAILED,
        deleted: customers::text::DELETED,
        delete_failed: customers::text::DELETE_FAILED,
        none_to_delete: customers::text::NONE_TO_DELETE,
        none_to_edit: customers::text::NONE_TO_EDIT,
        none_found: customers::text::NONE_FOUND,
        delete_question: customers::text::DELETE_QUESTION,
    }
}

sentences! {
    InvoiceTexts {
        validation_error: invoices::text::VALIDATION_ERROR,
        load_failed: invoices::text::LOAD_FAILED,
        details_failed: invoices::text::DETAILS_FAILED,
        created: invoices::text::CREATED,
        create_failed: invoices::text::CREATE_FAILED,
        updated: invoices::text::UPDATED,
        update_failed: invoices::text::UPDATE_FAILED,
        deleted: invoices::text::DELETED,
        delete_failed: invoices::text::DELETE_FAILED,
        delete_question: invoices::text::DELETE_QUESTION,
        none_found: invoices::text::NONE_FOUND,
    }
}

sentences! {
    DashboardTexts {
        load_failed: dashboard::text::LOAD_FAILED,
    }
}

sentences! {
    ImportTexts {
        preview_failed: import::text::PREVIEW_FAILED,
        submit_failed: import::text::SUBMIT_FAILED,
        map_all: import::text::MAP_ALL,
        completed: import::text::COMPLETED,
        failed: import::text::FAILED,
        connection_lost: import::text::CONNECTION_LOST,
        list_failed: import::text::LIST_FAILED,
        cancel_failed: import::text::CANCEL_FAILED,
        delete_failed: import::text::DELETE_FAILED,
        not_over: import::text::NOT_OVER,
        failed_rows_failed: import::text::FAILED_ROWS_FAILED,
        differs: import::text::DIFFERS,
        file_changed: import::text::FILE_CHANGED,
        file_unreadable: import::text::FILE_UNREADABLE,
        damaged_characters: import::text::DAMAGED_CHARACTERS,
        accepted: import::text::ACCEPTED,
    }
}

sentences! {
    ProfileTexts {
        updated: profile::text::UPDATED,
        update_failed: profile::text::UPDATE_FAILED,
        password_changed: profile::text::PASSWORD_CHANGED,
        password_change_failed: profile::text::PASSWORD_CHANGE_FAILED,
        deleted: profile::text::DELETED,
        delete_failed: profile::text::DELETE_FAILED,
        language_update_failed: profile::text::LANGUAGE_UPDATE_FAILED,
        avatar_unreadable: images::text::UNREADABLE,
    }
}

sentences! {
    ThemeTexts {
        applied: theme::text::APPLIED,
        apply_failed: theme::text::APPLY_FAILED,
        update_failed: theme::text::UPDATE_FAILED,
        logo_missing: images::text::LOGO_MISSING,
        logo_uploaded: theme::text::LOGO_UPLOADED,
        logo_upload_failed: theme::text::LOGO_UPLOAD_FAILED,
        logo_removed: theme::text::LOGO_REMOVED,
        logo_remove_failed: theme::text::LOGO_REMOVE_FAILED,
    }
}

sentences! {
    CorporationTexts {
        load_failed: corporations::text::LOAD_FAILED,
        resources_load_failed: corporations::text::RESOURCES_LOAD_FAILED,
        users_load_failed: corporations::text::USERS_LOAD_FAILED,
        none_selected: corporations::text::NONE_SELECTED,
        details_error: corporations::text::DETAILS_ERROR,
        details_failed: corporations::text::DETAILS_FAILED,
        created: corporations::text::CREATED,
        create_failed: corporations::text::CREATE_FAILED,
        updated: corporations::text::UPDATED,
        update_failed: corporations::text::UPDATE_FAILED,
        process_failed: corporations::text::PROCESS_FAILED,
        deleted: corporations::text::DELETED,
        delete_failed: corporations::text::DELETE_FAILED,
        delete_warning: corporations::text::DELETE_WARNING,
        number_taken: corporations::text::NUMBER_TAKEN,
        platform_stays: corporations::text::PLATFORM_CORPORATION,
    }
}

sentences! {
    OrganizationTexts {
        number_missing: organizations::text::NUMBER_MISSING,
        found: organizations::text::FOUND,
        not_found: organizations::text::NOT_FOUND,
        search_failed: organizations::text::SEARCH_FAILED,
        current: organizations::text::CURRENT,
        details_not_found: organizations::text::DETAILS_NOT_FOUND,
    }
}

sentences! {
    RoleTexts {
        fields_required: roles::text::FIELDS_REQUIRED,
        load_failed: roles::text::LOAD_FAILED,
        permissions_updated: roles::text::PERMISSIONS_UPDATED,
        permissions_update_failed: roles::text::PERMISSIONS_UPDATE_FAILED,
        created: roles::text::CREATED,
        create_failed: roles::text::CREATE_FAILED,
        updated: roles::text::UPDATED,
        update_failed: roles::text::UPDATE_FAILED,
        deleted: roles::text::DELETED,
        delete_failed: roles::text::DELETE_FAILED,
        none_found: roles::text::NONE_FOUND,
    }
}

sentences! {
    UserTexts {
        fields_required: users::text::FIELDS_REQUIRED,
        load_failed: users::text::LOAD_FAILED,
        created: users::text::CREATED,
        create_failed: users::text::CREATE_FAILED,
        updated: users::text::UPDATED,
        update_failed: users::text::UPDATE_FAILED,
        save_failed: users::text::SAVE_FAILED,
        deleted: users::text::DELETED,
        delete_failed: users::text::DELETE_FAILED,
        deactivated: users::text::DEACTIVATED,
        deactivate_failed: users::text::DEACTIVATE_FAILED,
        delete_question: users::text::DELETE_QUESTION,
        deactivate_question: users::text::DEACTIVATE_QUESTION,
    }
}
