//! Registration numbers of vehicles. A number in a known national format is shown with a blank; any other text is
//! accepted, too, and shown unchanged.

use crate::text::is_blank;

/// Maximum length of a registration number, in characters.
pub const PLATE_MAX: u64 = 15;

/// Returns a registration number as it is compared and stored: in upper case, without blanks and hyphens.
pub fn normalize_plate(text: &str) -> String {
    text.chars().filter(|char| !is_blank(*char) && !is_hyphen(*char)).flat_map(char::to_uppercase).collect()
}

/// Returns whether a character is a hyphen, among them the typographic ones and the en dash.
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}')
}

/// Returns a normalized registration number with the blank that it has on plates. `None` if it has no format that is
/// known for the country (ISO 3166): Sweden (Transportstyrelsen), or Great Britain and Northern Ireland (DVLA, INF104).
pub fn plate_shown(country: &str, plate: &str) -> Option<String> {
    let bytes = plate.as_bytes();
    if !bytes.is_ascii() {
        return None;
    }
    let at = match country {
        "SE" if is_swedish(bytes) => 3,
        "GB" => british_blank_position(bytes)?,
        _ => return None,
    };
    Some(format!("{} {}", &plate[..at], &plate[at..]))
}

/// Returns whether the plate has three letters, two digits, and a digit or a letter, such as ABC123 and ABC12D. The
/// letters I, Q and V are not used, nor O at the end.
fn is_swedish(plate: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_uppercase() && !b"IQV".contains(byte);
    matches!(plate, [a, b, c, d, e, last] if [a, b, c].into_iter().all(is_letter)
        && [d, e].into_iter().all(u8::is_ascii_digit)
        && (last.is_ascii_digit() || is_letter(last) && *last != b'O'))
}

/// Returns before which character a British registration number has a blank; `None` if its format is unknown.
fn british_blank_position(plate: &[u8]) -> Option<usize> {
    let letters = plate.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let digits = plate[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &plate[letters + digits..];
    let ends_in_letters = rest.iter().all(u8::is_ascii_uppercase);
    let has = |unused: &[u8], part: &[u8]| part.iter().any(|byte| unused.contains(byte));
    let (first, number) = (&plate[..letters], &plate[letters..letters + digits]);
    match (letters, digits, rest.len()) {
        // The format since 2001, in which the number is the year: AB12 CDE.
        (2, 2, 3) if ends_in_letters => {
            let is_valid = !has(b"IQZ", first) && !has(b"IQ", rest) && !matches!(number, b"00" | b"01" | b"50");
            is_valid.then_some(4)
        }
        // The format from 1983 to 2001: A123 BCD.
        (1, 1..=3, 3) if ends_in_letters && number[0] != b'0' => Some(1 + digits),
        // The format from 1963 to 1983: ABC 123D.
        (3, 1..=3, 1) if ends_in_letters && number[0] != b'0' => Some(3),
        // A format without a year, also of Northern Ireland: ABC 1234.
        (1..=3, 1..=4, 0) if number[0] != b'0' => Some(letters),
        // A format without a year, digits first: 1234 AB.
        (0, 1..=4, 1..=3) if ends_in_letters && number[0] != b'0' => Some(digits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plate_is_normalized_to_upper_case_without_blanks_and_hyphens() {
        assert_eq!(normalize_plate(" abc 12\u{a0}d"), "ABC12D");
        assert_eq!(normalize_plate("b-ma 1234"), "BMA1234");
        assert_eq!(normalize_plate("\u{feff}abc\u{200b}\u{2011}12\u{ad}\u{2013}d\u{200e}"), "ABC12D");
    }

    #[test]
    fn swedish_plates_have_three_letters_two_digits_and_a_digit_or_a_letter() {
        for (plate, shown) in [("ABC123", "ABC 123"), ("ABC12D", "ABC 12D"), ("OOO999", "OOO 999")] {
            assert_eq!(plate_shown("SE", plate).as_deref(), Some(shown));
        }
        for other in ["ABI123", "AQC123", "VBC123", "ABC12O", "ABC12I", "AB1234", "ABC1234", "ÅBC123", "abc123", ""] {
            assert_eq!(plate_shown("SE", other), None, "{other}");
        }
    }

    #[test]
    fn british_plates_of_all_times_are_recognised() {
        for (plate, shown) in [
            ("AB12CDE", "AB12 CDE"),
            ("LO68XYZ", "LO68 XYZ"),
            ("A1BCD", "A1 BCD"),
            ("A123BCD", "A123 BCD"),
            ("ABC123D", "ABC 123D"),
            ("ABZ1234", "ABZ 1234"),
            ("A1", "A 1"),
            ("1234AB", "1234 AB"),
        ] {
            assert_eq!(plate_shown("GB", plate).as_deref(), Some(shown));
        }
        for other in
            ["AB00CDE", "AB01CDE", "AB50CDE", "IB12CDE", "AZ12CDE", "AB12CIE", "A0BCD", "ABCD1", "A12345", "", "É1"]
        {
            assert_eq!(plate_shown("GB", other), None, "{other}");
        }
    }

    #[test]
    fn other_countries_have_no_known_format() {
        assert_eq!(plate_shown("DE", "BMA1234"), None);
    }

    proptest! {
        #[test]
        fn normalizing_a_shown_plate_returns_the_stored_one(country in "SE|GB|DE", text in "[A-Za-z0-9 -]{0,9}|\\PC{0,9}") {
            let plate = normalize_plate(&text);
            if let Some(shown) = plate_shown(&country, &plate) {
                prop_assert_eq!(normalize_plate(&shown), plate);
            }
        }

        #[test]
        fn normalizing_twice_changes_nothing(text in "\\PC{0,16}") {
            let plate = normalize_plate(&text);
            prop_assert_eq!(normalize_plate(&plate), plate);
        }
    }
}
