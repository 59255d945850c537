//! Messages that several features share, and functions for texts.

mod controls;
mod digits;
mod letters;
mod phone;

use crate::message::{Message, messages};

pub use controls::{clean_line, clean_lines, is_allowed_in_file_name, is_blank, is_invisible, may_need_cleaning};
pub(crate) use digits::{parse_whole, without_separators};
pub(crate) use letters::{is_mark, lower_case, upper_case};
pub(crate) use phone::has_different_digits;
pub use phone::{is_same_phone, phone_key, searched_phone_key};

messages! {
    "";
    EMAIL_INVALID = "Please enter a valid email address";
    WEBSITE_INVALID = "Please enter a valid website, such as example.com";
    DATE_INVALID = "Please enter a valid date";
    DAY_IN_FUTURE = "The day can't be in the future.";
    PRICE_INVALID = "Enter a price above 0 with at most two decimals, or leave it empty.";
    NAME_LETTERS = "Only letters, spaces, hyphens, and apostrophes are allowed";
    STALE = "Someone else has changed this since you opened it. Your changes are not lost: review theirs, then save again.";
    FORM_INVALID = "Please fill in all required fields correctly";
    NOT_ALLOWED = "You don't have permission to do this. Ask an administrator of your corporation or of the platform.";
    NOT_FOUND = "Not found. It may have been deleted.";
    SESSION_ENDED = "Your session has ended. Please sign in again.";
    /// Not sent by the server: the browser sends no request with the tokens of another user.
    OTHER_USER = "Another user has signed in in another tab. Nothing was sent, and your input is kept. Sign out there, then sign in as yourself to save it.";
    TOO_BUSY = "The server is busy. Please try again in a moment.";
    TOO_MANY_PARALLEL_REQUESTS = "Too many of your requests are running at once. Please try again in a moment.";
    RESPONSE_TOO_LARGE = "The response would be larger than 2 MB. Request fewer rows at once.";
    SHUTTING_DOWN = "The server is shutting down. Please try again in a moment.";
    SCHEMA_MISMATCH = "The database belongs to another version of the server.";
    UNEXPECTED = "Something went wrong on the server. Please try again.";
    NO_CONNECTION = "No connection to the server. Check your network and try again.";
    NO_STORAGE = "This browser blocks the storage that keeps you signed in. Allow site data and try again.";
    ROUTE_NOT_FOUND = "Route not found.";
    METHOD_NOT_ALLOWED = "Method not allowed.";
    HOST_INVALID = "The request must have exactly one Host header.";
    DEMO_HOST_INVALID = "Open the demo at localhost or a loopback address, such as 127.0.0.1.";
    BODY_TOO_LARGE = "The request is too large.";
    NOT_JSON = "The body must be JSON (Content-Type: application/json).";
    BODY_INVALID = "The request body is not valid JSON or has the wrong structure.";
    BODY_NOT_AN_OBJECT = "The request body must be a JSON object.";
    NUL_CHARACTER = "A text contains the character U+0000, which can't be stored. Remove it and try again.";
    QUERY_INVALID = "The query string is invalid.";
    FIELD_MISSING = "This field is missing.";
    SENT_TWICE = "Send this only once.";
    VALUE_INVALID = "This value is invalid or has the wrong type.";
    IDEMPOTENCY_KEY_INVALID = "The header Idempotency-Key must be a UUID.";
    IDEMPOTENCY_KEY_USED = "Another request has had this Idempotency-Key. Send each request with a key of its own.";
    CREATED_AND_DELETED = "An earlier attempt created this, and it has been deleted since. You can create it again.";
    REQUEST_TIMEOUT = "The request took too long to arrive. Please try again.";
    READY = "ready";
    LIVE = "live";
    fn body_not_json(line: u64, column: u64) = "The request body is not valid JSON: line {line}, column {column}.";
    fn member_unknown(members: &str) = "This member is unknown. Use only: {members}.";
    fn choose_one_of(values: &str) = "Choose one of: {values}.";
    fn fields_not_allowed(fields: &[&Message]) = "You don't have permission to see or change {fields}, so nothing was saved. To save the rest, leave these fields empty: they stay as they are.";
    fn minimum_length(count: u64) = "Minimum length is {count} characters";
    fn maximum_length(count: u64) = "Maximum length is {count} characters";
    fn not_a_number(field: &str) = "'{field}' must be a whole number";
    fn try_again_in_seconds(seconds: u64) = "Too many attempts. Please try again in {seconds} seconds.";
    fn try_again_in_minutes(minutes: u64) = "Too many attempts. Please try again in {minutes} minutes.";
}

/// Returns the error of a value that is none of these.
pub fn choice_error(values: &[&str]) -> Message {
    choose_one_of(&values.join(", "))
}

/// Returns the message for too many attempts. `seconds` is the time to wait.
pub fn too_many_tries(seconds: u64) -> Message {
    match seconds {
        // A plural in all languages.
        0..=90 => try_again_in_seconds(seconds.max(2)),
        _ => try_again_in_minutes(seconds.div_ceil(60)),
    }
}

/// Escapes a text for HTML, between tags or in a quoted attribute.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns a text as one line: each run of whitespace and control characters becomes a single space, and those at the
/// start and the end are removed.
pub fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Folds a text for searching and comparing: lower case, without combining marks, and without private-use characters,
/// which mark tenants in the search index.
pub fn fold(text: &str) -> String {
    // Most texts are ASCII, and need no Unicode tables.
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    letters::lower_case_without_marks(text, |c| match c {
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' => folded.push('d'),
        '\u{E000}'..='\u{F8FF}' => {}
        c => folded.push(c),
    });
    folded
}

/// Returns the number in a message that contains only one. Its digits may be grouped (`10,000`).
#[cfg(test)]
pub(crate) fn read_number<T: std::str::FromStr>(message: &str) -> Result<T, T::Err> {
    message.replace(|c: char| !c.is_ascii_digit(), "").parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;

    #[test]
    fn folding_removes_case_and_accents() {
        assert_eq!(fold("ÅSA Öberg-Łuczak STRAẞE Ærø"), "asa oberg-luczak strasse aero");
        assert_eq!(fold("Ǣ ǿ"), "ae o");
        assert_eq!(fold("e\u{301}\u{E001}x"), "ex");
        assert_eq!(fold("HRB 310-45\n"), "hrb 310-45\n");
    }

    /// Reference implementation of `fold` with full Unicode normalization. `None` for letters that `fold` treats
    /// specially.
    fn fold_by_reference(text: &str) -> Option<String> {
        let special = |c: char| "ßæøłđ".contains(c) || ('\u{E000}'..='\u{F8FF}').contains(&c);
        let decomposed: String = text.to_lowercase().nfd().filter(|c| !is_combining_mark(*c)).collect();
        // `str::to_lowercase` writes a capital sigma at the end of a word as `ς`; `fold` maps it letter by letter to
        // `σ`.
        (!decomposed.contains(special)).then(|| decomposed.replace('ς', "σ"))
    }

    #[test]
    fn every_letter_folds_like_the_reference() {
        for letter in ('\0'..=char::MAX).map(String::from) {
            if let Some(expected) = fold_by_reference(&letter) {
                assert_eq!(fold(&letter).replace('ς', "σ"), expected, "{letter:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn texts_fold_like_the_reference(text in "(\\PC|[a-zß-ž]|[\u{300}-\u{30F}가-각]){0,12}") {
            let expected = fold_by_reference(&text);
            prop_assume!(expected.is_some());
            prop_assert_eq!(fold(&text).replace('ς', "σ"), expected.unwrap());
        }
    }

    #[test]
    fn the_wait_is_in_seconds_or_minutes() {
        assert_eq!(too_many_tries(1), "Too many attempts. Please try again in 2 seconds.");
        assert_eq!(too_many_tries(30), "Too many attempts. Please try again in 30 seconds.");
        assert_eq!(too_many_tries(121), "Too many attempts. Please try again in 3 minutes.");
    }
}
