//! Whether an account can be used.

/// An account is locked after this many wrong codes in a row, until its password is reset. By then, an attacker who
/// knows the password has guessed a code with a probability of 1 in 10,000.
pub const WRONG_CODES_MAX: i32 = 100;

/// Whether an account can be used, regardless of the sign-in method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatus {
    Active,
    Banned,
    /// The user or their corporation is deactivated.
    Disabled,
    /// Too many wrong sign-in codes were entered. The password must be reset before the next sign-in; existing sessions
    /// stay valid.
    Locked,
}

/// The stored values of a user and their corporation that determine an account's status.
#[derive(Clone, Copy, Debug)]
pub struct AccountFlags {
    pub is_banned: bool,
    pub is_active: bool,
    pub corp_active: bool,
    /// Number of wrong sign-in codes in a row.
    pub wrong_codes: i32,
}

/// Returns the account's status for an existing session. Checked on every request and every refresh.
pub fn session_status(flags: AccountFlags) -> AccountStatus {
    match flags {
        AccountFlags { is_banned: true, .. } => AccountStatus::Banned,
        AccountFlags { is_active: true, corp_active: true, .. } => AccountStatus::Active,
        _ => AccountStatus::Disabled,
    }
}

/// Returns the account's status for a new session. Checked by every sign-in method.
pub fn sign_in_status(flags: AccountFlags) -> AccountStatus {
    match session_status(flags) {
        AccountStatus::Active if flags.wrong_codes >= WRONG_CODES_MAX => AccountStatus::Locked,
        status => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_active_only_if_user_and_corporation_are_active() {
        let flags =
            |is_banned, is_active, corp_active| AccountFlags { is_banned, is_active, corp_active, wrong_codes: 0 };
        assert_eq!(session_status(flags(false, true, true)), AccountStatus::Active);
        assert_eq!(session_status(flags(false, false, true)), AccountStatus::Disabled);
        assert_eq!(session_status(flags(false, true, false)), AccountStatus::Disabled);
        assert_eq!(session_status(flags(true, false, true)), AccountStatus::Banned);
    }

    #[test]
    fn a_hundred_wrong_codes_block_new_sessions_but_end_none() {
        let flags = |wrong_codes| AccountFlags { is_banned: false, is_active: true, corp_active: true, wrong_codes };
        assert_eq!(sign_in_status(flags(WRONG_CODES_MAX - 1)), AccountStatus::Active);
        assert_eq!(sign_in_status(flags(WRONG_CODES_MAX)), AccountStatus::Locked);
        assert_eq!(session_status(flags(WRONG_CODES_MAX)), AccountStatus::Active);
        let banned = AccountFlags { is_banned: true, ..flags(WRONG_CODES_MAX) };
        assert_eq!(sign_in_status(banned), AccountStatus::Banned);
    }
}
