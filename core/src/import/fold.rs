//! Names whatever their case. The tables of all of Unicode weigh more than the rest of a check, in a module that somebody
//! waits for; the scripts that people write names in with capitals are told by a few ranges.

/// A letter in lower case, where it is Latin, Greek, Cyrillic or Armenian; any other character as it is.
pub(super) fn lower_case(letter: char) -> char {
    let code = u32::from(letter);
    let changed = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => code + 32,
        // The Turkish one; its dot is that of every other i.
        0x130 => 0x69,
        0x178 => 0xFF,
        // Capitals that stand on odd places, each before its small letter, and those on even ones.
        0x139..=0x148 | 0x179..=0x17E | 0x1CD..=0x1DC | 0x4C1..=0x4CE => code + (code & 1),
        0x100..=0x137 | 0x14A..=0x177 | 0x1DE..=0x1EF | 0x1F8..=0x21F | 0x222..=0x233 => code | 1,
        0x460..=0x481 | 0x48A..=0x4BF | 0x4D0..=0x52F | 0x1E00..=0x1E95 | 0x1EA0..=0x1EFF => code | 1,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 37,
        0x38C => 0x3CC,
        0x38E | 0x38F => code + 63,
        0x391..=0x3A1 | 0x3A3..=0x3AB => code + 32,
        0x400..=0x40F => code + 80,
        0x410..=0x42F => code + 32,
        0x531..=0x556 => code + 48,
        _ => code,
    };
    char::from_u32(changed).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_unicode(letter: char) -> char {
        let mut small = letter.to_lowercase();
        small.next().filter(|_| small.next().is_none()).unwrap_or(letter)
    }

    #[test]
    fn no_letter_becomes_another_than_in_unicode() {
        for letter in '\0'..=char::MAX {
            let folded = lower_case(letter);
            let holds = folded == letter || folded == of_unicode(letter) || letter == 'İ';
            assert!(holds, "{letter} became {folded}");
        }
    }

    #[test]
    fn the_alphabets_of_europe_are_known_in_both_cases() {
        let latin = ('\0'..='\u{17F}')
            .chain('\u{218}'..='\u{21B}')
            .chain('\u{1E00}'..='\u{1E95}')
            .chain('\u{1EA0}'..='\u{1EF9}');
        for letter in latin.chain('\u{370}'..='\u{3CE}').chain('\u{400}'..='\u{52F}').chain('\u{531}'..='\u{586}') {
            // Signs of old Greek and numerals apart, and the German capital that nobody writes in a name.
            if !matches!(letter, 'İ' | 'ẞ' | '\u{370}'..='\u{37F}' | 'Ӏ') {
                assert_eq!(lower_case(letter), of_unicode(letter), "{letter}");
            }
        }
        assert_eq!("ÅSA ŻÓŁĆ ΑΘΗΝΆ ЩУКА İ".chars().map(lower_case).collect::<String>(), "åsa żółć αθηνά щука i");
    }
}
