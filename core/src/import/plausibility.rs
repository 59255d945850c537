//! Scores how plausible a decoded text is, to guess its encoding.

/// The group of languages that an encoding was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Western,
    Central,
    /// Other languages and scripts. In these encodings no letter counts as foreign.
    Other,
}

/// Letters that occur in the names of nearly every file from Northern and Central Europe.
const FREQUENT: &str = "åäöéüøæÅÄÖÉÜØÆ";
const WESTERN: &str = "ßçñèêëàâáíîïìóôòúùûãõœðþýÿšžÇÑÈÊËÀÂÁÍÎÏÌÓÔÒÚÙÛÃÕŒÐÞÝŠŽ";
const CENTRAL: &str = "ąćęłńśźżčďěňřšťůýžőűľĺŕăâşţđĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮÝŽŐŰĽĂÂŞŢĐ";
/// Letters that Central European languages share with others.
const CENTRAL_SHARED: &str = "áíóúôëçîÁÍÓÚÔËÇÎß";
/// Signs that occur next to words.
const SIGNS: &str = "©®™°§€£–—…•·½¼¾²³ªº´¨±×÷\u{a0}\u{ad}¶¿¡«»µ¤";

/// Returns the score of a decoded text: positive if its letters and signs occur where people write them, negative
/// otherwise.
pub(super) fn score(text: &str, family: Family) -> i64 {
    let (mut score, mut opening, mut closing) = (0, 0_i64, 0_i64);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        if !c.is_ascii() {
            let (has_letter_before, has_letter_after) = (is_letter(before), is_letter(after));
            match c {
                '“' | '”' | '‘' | '„' | '‚' | '‹' | '›' if has_letter_before && has_letter_after => {
                    score -= 3;
                }
                '“' | '‘' | '„' | '‚' | '‹' if !has_letter_before => opening += 1,
                '“' | '”' | '‘' | '’' | '›' if !has_letter_after => closing += 1,
                '’' if has_letter_before && has_letter_after => score += 2,
                _ if is_letter(c) => score += score_letter(before, c, after, family),
                _ if has_letter_before && has_letter_after => score -= 3,
                _ if SIGNS.contains(c) => score += i64::from(!has_letter_after),
                _ if has_letter_before || has_letter_after => score -= 2,
                '\u{80}'..='\u{9f}' | '\u{fffd}' | '\u{2200}'..='\u{25ff}' => score -= 3,
                _ => {}
            }
        }
        before = c;
    }
    score + 6 * opening.min(closing) - (opening - closing).abs()
}

/// Scores one non-ASCII letter.
fn score_letter(before: char, c: char, after: char, family: Family) -> i64 {
    let is_mixed = |other: char| is_letter(other) && is_latin(other) != is_latin(c);
    if is_mixed(before) || is_mixed(after) {
        return -3;
    }
    if !is_latin(c) {
        return if is_letter(before) || is_letter(after) { 2 } else { 0 };
    }
    // An upper-case letter inside of a word, or a lower-case one before an upper-case one.
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
    // Next to other non-ASCII letters, wrongly decoded bytes look like letters too.
    let is_plain = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
    if is_plain { worth } else { worth.min(1) }
}

/// Returns whether this is a letter of a word: not an ordinal sign (ª, º) or the micro sign (µ), which stand beside
/// numbers.
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
    fn scores_letters_of_the_family_up_and_misplaced_ones_down() {
        assert!(score("Malmö", Family::Western) > 0);
        assert!(score("Łódź", Family::Central) > 0);
        assert!(score("Москва", Family::Other) > 0);
        for broken in ["MalmÜ", "Mal⌐mo", "Malм", "Mal\u{94}o", "S¿ren"] {
            assert!(score(broken, Family::Western) < 0, "{broken}");
        }
    }

    #[test]
    fn scores_paired_quotes_up_and_lone_ones_down() {
        assert!(score("say “hello”", Family::Western) > score("say ôhelloö", Family::Western));
        assert!(score("Malm”", Family::Western) < 0);
    }

    #[test]
    fn scores_lone_signs_up_and_lone_letters_down() {
        assert!(score("© 2024", Family::Western) > 0);
        assert!(score("Š 2024", Family::Central) < 0);
    }
}
