//! Removes control characters and explicit bidirectional control characters from texts.

use std::borrow::Cow;

/// Cleans a single-line text: removes control and explicit bidi control characters, and replaces each line break and tab
/// by a space.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    clean(text, |c| (c == '\t' || is_line_break(c)).then_some(' '))
}

/// Cleans a multi-line text: as [`clean_line`], but keeps line breaks. The rare ones become line feeds.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    if !may_need_cleaning(text) {
        return Cow::Borrowed(text);
    }
    clean(text, |c| match c {
        '\t' => Some(' '),
        '\n' | '\r' => None,
        _ => is_line_break(c).then_some('\n'),
    })
}

/// Replaces the characters for which `replacement` has another one, and removes control characters.
fn clean(text: &str, replacement: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if !text.chars().any(|c| is_removed(c) || replacement(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut after_return = false;
    for c in text.chars() {
        match replacement(c) {
            // CR LF is one line break.
            Some(_) if c == '\n' && after_return => {}
            Some(other) => cleaned.push(other),
            None if is_removed(c) => {}
            None => cleaned.push(c),
        }
        after_return = c == '\r';
    }
    Cow::Owned(cleaned)
}

/// Returns whether a character is a line break, among them the vertical tab, with which FileMaker breaks the lines in a
/// cell, the form feed and the next line character.
fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0B' | '\x0C' | '\u{85}')
}

/// Returns whether a character has no width and no ink, although it is no white space: the soft hyphen, zero-width
/// characters and marks of direction.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns whether a character is white space or invisible.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_invisible(c)
}

/// Returns whether a file name may contain this character.
pub fn is_allowed_in_file_name(c: char) -> bool {
    !c.is_control() && !is_explicit_bidi_control(c)
}

fn is_removed(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r')) || is_explicit_bidi_control(c)
}

/// Returns whether a character begins or ends an override, an embedding or an isolate (Unicode Standard Annex 9). The
/// marks U+061C, U+200E and U+200F are allowed, because right-to-left texts need them.
fn is_explicit_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns `false` if [`clean_lines`] certainly leaves a text as it is. `true` may be wrong: this looks only at bytes, so
/// that the compiler can vectorize it.
pub fn may_need_cleaning(text: &str) -> bool {
    // 0xC2 starts the control characters from U+0080, 0xE2 the bidi control characters.
    let may_be_changed = |b| ((b < 0x20) & (b != b'\n') & (b != b'\r')) | (b == 0x7F) | (b == 0xC2) | (b == 0xE2);
    text.bytes().fold(false, |found, b| found | may_be_changed(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_control_and_bidi_control_characters() {
        for (text, line, lines) in [
            ("Åsa Öberg – 5 € · ok", "Åsa Öberg – 5 € · ok", "Åsa Öberg – 5 € · ok"),
            ("gpj.\u{202E}exe\u{2066}\u{2069}\u{202A}", "gpj.exe", "gpj.exe"),
            ("\u{1b}[1mA\u{7}\0\u{7f}\u{9b}b", "[1mAb", "[1mAb"),
            ("a\tb\r\nc\nd\re", "a b c d e", "a b\r\nc\nd\re"),
            ("a\u{b}b\u{c}c\u{85}d", "a b c d", "a\nb\nc\nd"),
            ("\u{200F}א\u{200E}", "\u{200F}א\u{200E}", "\u{200F}א\u{200E}"),
        ] {
            assert_eq!((&*clean_line(text), &*clean_lines(text)), (line, lines), "{text:?}");
        }
    }

    #[test]
    fn a_clean_text_is_not_copied() {
        assert!(matches!(clean_line("“Åsa” 5 £"), Cow::Borrowed(_)));
        assert!(matches!(clean_lines("a\nb"), Cow::Borrowed(_)));
    }
}
