//! Normalization of the texts in forms.

use crate::text;
use std::borrow::Cow;

/// A form with texts, as `forms!` defines it.
pub trait Texts {
    /// Applies [`normalize_line`] to each text, or [`normalize_lines`] if it is one of many lines. Optional texts and
    /// secrets stay as they are.
    fn normalize_texts(&mut self);
}

/// Trims a single-line text, replaces tabs and line breaks in it by spaces, and removes other control characters
/// ([`text::clean_line`]).
pub fn normalize_line(text: &mut String) {
    normalize(text, text::clean_line);
}

/// Applies [`normalize_line`] to each text.
pub fn normalize_fields(texts: &mut [&mut String]) {
    texts.iter_mut().for_each(|text| normalize_line(text));
}

/// Trims a multi-line text, replaces tabs in it by spaces, and removes other control characters except line breaks
/// ([`text::clean_lines`]).
pub fn normalize_lines(text: &mut String) {
    normalize(text, text::clean_lines);
}

fn normalize(text: &mut String, clean: impl Fn(&str) -> Cow<'_, str>) {
    // Trim first, so that a trailing line break does not become a space.
    if let Cow::Owned(cleaned) = clean(text.trim()) {
        *text = cleaned;
    }
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        *text = trimmed.to_owned();
    }
}

/// Empties two JSON fields that mean the same, and returns the value of the first unless it is empty, else of the
/// second.
pub fn take_first_non_empty(first: &mut String, second: &mut String) -> String {
    let (first, second) = (std::mem::take(first), std::mem::take(second));
    if first.is_empty() { second } else { first }
}
