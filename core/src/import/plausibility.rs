//! How plausible a text is in an encoding: which of its letters a language writes there, and which signs stand where none do.

/// The languages that an encoding was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Western,
    Central,
    /// Other Latin languages and other scripts, of whose letters none is rarer than another.
    Other,
}

/// Letters of names in nearly every file of the north and the centre of Europe.
const FREQUENT: &str = "åäöéüøæÅÄÖÉÜØÆ";
const WESTERN: &str = "ßçñèêëàâáíîïìóôòúùûãõœðþýÿšžÇÑÈÊËÀÂÁÍÎÏÌÓÔÒÚÙÛÃÕŒÐÞÝŠŽ";
const CENTRAL: &str = "ąćęłńśźżčďěňřšťůýžőűľĺŕăâşţđĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮÝŽŐŰĽĂÂŞŢĐ";
/// Letters that Central European languages share with others.
const CENTRAL_SHARED: &str = "áíóúôëçîÁÍÓÚÔËÇÎß";
/// Signs that people write beside words.
const SIGNS: &str = "©®™°§€£–—…•·½¼¾²³ªº´¨±×÷\u{a0}\u{ad}¶¿¡«»µ¤";

/// Returns the score of a decoded text: above 0 where its letters and signs stand as people write them, below 0 where they do not.
pub(super) fn score(text: &str, family: Family) -> i64 {
    let (mut score, mut opening, mut closing) = (0, 0_i64, 0_i64);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        if !c.is_ascii() {
            let (is_behind, is_ahead) = (is_letter(before), is_letter(after));
            match c {
                '“' | '”' | '‘' | '„' | '‚' | '‹' | '›' if is_behind && is_ahead => score -= 3,
                '“' | '‘' | '„' | '‚' | '‹' if !is_behind => opening += 1,
                '“' | '”' | '‘' | '’' | '›' if !is_ahead => closing += 1,
                '’' if is_behind && is_ahead => score += 2,
                _ if is_letter(c) => score += letter(before, c, after, family),
                _ if is_behind && is_ahead => score -= 3,
                _ if SIGNS.contains(c) => score += i64::from(!is_ahead),
                _ if is_behind || is_ahead => score -= 2,
                '\u{80}'..='\u{9f}' | '\u{fffd}' | '\u{2200}'..='\u{25ff}' => score -= 3,
                _ => {}
            }
        }
        before = c;
    }
    score + 6 * opening.min(closing) - (opening - closing).abs()
}

/// The score of one letter outside of ASCII.
fn letter(before: char, c: char, after: char, family: Family) -> i64 {
    let is_mixed = |other: char| is_letter(other) && is_latin(other) != is_latin(c);
    if is_mixed(before) || is_mixed(after) {
        return -3;
    }
    if !is_latin(c) {
        return if is_letter(before) || is_letter(after) { 2 } else { 0 };
    }
    // A capital inside of a word, or a small letter before one.
    let breaks_case = if c.is_uppercase() {
        is_letter(before) && (before.is_lowercase() || after.is_lowercase())
    } else {
        after.is_uppercase()
    };
    if breaks_case {
        return -2;
    }
    if !is_letter(before) && !is_letter(after) {
        return -1;
    }
    let is_among = |letters: &str| letters.contains(c);
    let worth = match family {
        Family::Western | Family::Other if is_among(FREQUENT) => 3,
        Family::Other => 2,
        Family::Western if is_among(WESTERN) => 2,
        Family::Central if is_among(CENTRAL) => 3,
        Family::Central if is_among("äöéüÄÖÉÜ") => 3,
        Family::Central if is_among(CENTRAL_SHARED) => 2,
        _ => -1,
    };
    // Between other letters outside of ASCII any byte may look like one.
    let is_plain = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
    if is_plain { worth } else { worth.min(1) }
}

/// A letter of a word; not the superscript ones that stand behind numbers.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'ª' | 'º' | 'µ')
}

fn is_latin(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_family_count_and_letters_that_break_a_word_count_against() {
        assert!(score("Malmö", Family::Western) > 0);
        assert!(score("Łódź", Family::Central) > 0);
        assert!(score("Москва", Family::Other) > 0);
        for broken in ["MalmÜ", "Mal⌐mo", "Malм", "Mal\u{94}o", "S¿ren"] {
            assert!(score(broken, Family::Western) < 0, "{broken}");
        }
    }

    #[test]
    fn quotes_count_in_pairs() {
        assert!(score("say “hello”", Family::Western) > score("say ôhelloö", Family::Western));
        assert!(score("Malm”", Family::Western) < 0);
    }

    #[test]
    fn a_sign_beside_a_word_is_plausible_and_a_lone_letter_is_not() {
        assert!(score("© 2024", Family::Western) > 0);
        assert!(score("Š 2024", Family::Central) < 0);
    }
}
