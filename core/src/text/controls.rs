//! Characters that no text keeps: control characters, and those that turn the direction in which a text is shown.

use std::borrow::Cow;

/// Returns a text for a single line: without control and bidi control characters, each line break and tab as one blank.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    clean(text, |c| matches!(c, '\t' | '\n' | '\r'))
}

/// Returns a text of one or more lines: as [`clean_line`], but with its line breaks.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    clean(text, |c| c == '\t')
}

fn clean(text: &str, is_blank: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !may_need_cleaning(text) || !text.chars().any(|c| is_blank(c) || is_dropped(c)) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut after_return = false;
    for c in text.chars() {
        if is_blank(c) {
            // A carriage return and its line feed are one line break.
            if !(c == '\n' && after_return) {
                cleaned.push(' ');
            }
        } else if !is_dropped(c) {
            cleaned.push(c);
        }
        after_return = c == '\r';
    }
    Cow::Owned(cleaned)
}

/// Returns whether a file's name keeps this character: a name has one line.
pub fn is_kept_in_name(c: char) -> bool {
    !c.is_control() && !is_bidi_control(c)
}

fn is_dropped(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r')) || is_bidi_control(c)
}

/// Overrides, embeddings and isolates (Unicode Standard Annex 9). The marks U+200E and U+200F only order what stands beside
/// them, and right-to-left texts need them.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns false for most texts that hold no such character, by their bytes alone: a check that the compiler vectorizes.
fn may_need_cleaning(text: &str) -> bool {
    // 0xC2 begins the controls from U+0080 on, 0xE2 the bidi controls.
    text.bytes().fold(false, |found, b| found | (b < 0x20) | (b == 0x7F) | (b == 0xC2) | (b == 0xE2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_bidi_control_characters_are_removed() {
        for (text, line, lines) in [
            ("Åsa Öberg – 5 € · ok", "Åsa Öberg – 5 € · ok", "Åsa Öberg – 5 € · ok"),
            ("gpj.\u{202E}exe\u{2066}\u{2069}\u{202A}", "gpj.exe", "gpj.exe"),
            ("\u{1b}[1mA\u{7}\0\u{7f}\u{85}\u{9b}b", "[1mAb", "[1mAb"),
            ("a\tb\r\nc\nd\re", "a b c d e", "a b\r\nc\nd\re"),
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
