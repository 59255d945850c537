//! Lower-cases names without Unicode's tables, which are large for a wasm module: a few ranges cover the scripts with
//! capital letters that occur in names.

/// Returns the lower-case form of a Latin, Greek, Cyrillic or Armenian letter, and any other character unchanged.
pub(super) fn lower_case(letter: char) -> char {
    let code = u32::from(letter);
    let changed = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => code + 32,
        // Turkish İ becomes i.
        0x130 => 0x69,
        0x178 => 0xFF,
        // A capital letter and its small letter follow each other. In the first ranges capital letters are odd, in the
        // others even.
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

    fn unicode_lower_case(letter: char) -> char {
        let mut small = letter.to_lowercase();
        small.next().filter(|_| small.next().is_none()).unwrap_or(letter)
    }

    #[test]
    fn every_changed_letter_agrees_with_unicode() {
        for letter in '\0'..=char::MAX {
            let folded = lower_case(letter);
            let is_expected = folded == letter || folded == unicode_lower_case(letter) || letter == 'İ';
            assert!(is_expected, "{letter} became {folded}");
        }
    }

    #[test]
    fn lower_cases_all_european_alphabets() {
        let latin = ('\0'..='\u{17F}')
            .chain('\u{218}'..='\u{21B}')
            .chain('\u{1E00}'..='\u{1E95}')
            .chain('\u{1EA0}'..='\u{1EF9}');
        for letter in latin.chain('\u{370}'..='\u{3CE}').chain('\u{400}'..='\u{52F}').chain('\u{531}'..='\u{586}') {
            // Excludes İ, which becomes i, and ẞ, Ӏ and archaic Greek letters, which stay unchanged.
            if !matches!(letter, 'İ' | 'ẞ' | '\u{370}'..='\u{37F}' | 'Ӏ') {
                assert_eq!(lower_case(letter), unicode_lower_case(letter), "{letter}");
            }
        }
        assert_eq!("ÅSA ŻÓŁĆ ΑΘΗΝΆ ЩУКА İ".chars().map(lower_case).collect::<String>(), "åsa żółć αθηνά щука i");
    }
}
