//! Vehicle identification numbers (ISO 3779 and 3780; in the United States 49 CFR part 565).

use super::plate::is_hyphen;
use super::text;
use crate::message::Message;
use crate::text::is_blank;

/// The length of a VIN. Vehicles from before [`STANDARD_SINCE`] have shorter chassis numbers instead.
pub const VIN_LENGTH: usize = 17;
/// The first model year whose vehicles have VINs of 17 characters.
pub const STANDARD_SINCE: i64 = 1981;

/// The values of the letters A to Z in the sum for the check digit. I, O and Q are not used.
const LETTER_VALUES: [u32; 26] = [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 7, 0, 9, 2, 3, 4, 5, 6, 7, 8, 9];
/// The weights of the 17 places in the sum for the check digit. The ninth place, that of the check digit, counts 0.
const WEIGHTS: [u32; VIN_LENGTH] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/// The codes in the tenth place for the model years from 1980 to 2009. They repeat every 30 years.
const YEAR_CODES: &[u8] = b"ABCDEFGHJKLMNPRSTVWXY123456789";
const FIRST_CODED_YEAR: i64 = 1980;
const CYCLE: i64 = 30;

/// The part of the world in which the manufacturer is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    Africa,
    Asia,
    China,
    Europe,
    NorthAmerica,
    Oceania,
    SouthAmerica,
}

impl Region {
    /// Returns the region's name on screens.
    pub fn name(self) -> &'static Message {
        match self {
            Region::Africa => text::AFRICA,
            Region::Asia => text::ASIA,
            Region::China => text::CHINA,
            Region::Europe => text::EUROPE,
            Region::NorthAmerica => text::NORTH_AMERICA,
            Region::Oceania => text::OCEANIA,
            Region::SouthAmerica => text::SOUTH_AMERICA,
        }
    }

    /// Returns whether the law of the region requires a check digit in the ninth place. Manufacturers elsewhere may put
    /// any character there.
    fn requires_check_digit(self) -> bool {
        matches!(self, Region::NorthAmerica | Region::China)
    }
}

/// Returns a VIN as it is compared and stored: in upper case, without blanks, hyphens and slashes. Only the frame
/// number of a Japanese vehicle keeps its hyphen.
pub fn normalize_vin(text: &str) -> String {
    let kept = text.chars().filter(|char| !is_blank(*char) && *char != '/');
    let number: String =
        kept.map(|char| if is_hyphen(char) { '-' } else { char }).flat_map(char::to_uppercase).collect();
    if is_japanese_frame_number(&number) { number } else { number.replace('-', "") }
}

/// Returns whether this is the frame number of a vehicle that was made for Japan and has no VIN: the model's code, a
/// hyphen and a number of 5 to 7 digits, such as `JZX100-0012345` (Japan's vehicle inspection certificate, "chassis
/// number").
fn is_japanese_frame_number(number: &str) -> bool {
    let Some((model, serial)) = number.split_once('-') else { return false };
    let is_model = model.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_serial = serial.bytes().all(|byte| byte.is_ascii_digit());
    model.starts_with(|c: char| c.is_ascii_uppercase())
        && is_model
        && is_serial
        && (2..=8).contains(&model.len())
        && (5..=7).contains(&serial.len())
}

/// Returns the region of a normalized VIN by its first two characters (ISO 3780), or `None` if no region has them.
pub fn region(vin: &str) -> Option<Region> {
    match vin.as_bytes() {
        [b'A'..=b'C', ..] => Some(Region::Africa),
        [b'H' | b'L', ..] => Some(Region::China),
        [b'J'..=b'R', ..] => Some(Region::Asia),
        [b'S'..=b'Z', ..] => Some(Region::Europe),
        // 7A to 7E belong to New Zealand, all others with 7 to the United States.
        [b'6', ..] | [b'7', b'A'..=b'E', ..] => Some(Region::Oceania),
        [b'1'..=b'5' | b'7', ..] => Some(Region::NorthAmerica),
        [b'8' | b'9' | b'0', ..] => Some(Region::SouthAmerica),
        _ => None,
    }
}

/// Returns the correct check digit, for the ninth place of a VIN of 17 characters: 0 to 9, or X for 10. `None` if a
/// character can't be in a VIN.
fn check_digit(vin: &str) -> Option<char> {
    let value = |byte: u8| match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'I' | b'O' | b'Q' => None,
        b'A'..=b'Z' => Some(LETTER_VALUES[usize::from(byte - b'A')]),
        _ => None,
    };
    let sum = vin.bytes().zip(WEIGHTS).try_fold(0, |sum, (byte, weight)| Some(sum + value(byte)? * weight))?;
    match sum % 11 {
        10 => Some('X'),
        digit => char::from_digit(digit, 10),
    }
}

/// Returns the model years up to `latest` that the code in the tenth place of a VIN can mean, newest first. Empty if
/// the VIN has not 17 characters or the tenth is not a code: outside of North America and China, manufacturers may put
/// any character there.
pub fn model_years(vin: &str, latest: i64) -> Vec<i64> {
    let code = vin.as_bytes().get(9).filter(|_| vin.len() == VIN_LENGTH);
    let Some(offset) = code.and_then(|code| YEAR_CODES.iter().position(|other| other == code)) else {
        return Vec::new();
    };
    let first = FIRST_CODED_YEAR + i64::try_from(offset).unwrap_or_default();
    let mut years: Vec<i64> = (0..).map(|cycle| first + cycle * CYCLE).take_while(|year| *year <= latest).collect();
    years.reverse();
    years
}

/// Returns why a normalized VIN is invalid; `None` if it is valid. `model_year` is the vehicle's, if known: before
/// [`STANDARD_SINCE`] a shorter number is valid.
pub fn vin_error(vin: &str, model_year: Option<i64>) -> Option<Message> {
    if is_japanese_frame_number(vin) {
        return None;
    }
    if vin.chars().any(|char| !char.is_ascii_alphanumeric()) {
        return Some(text::VIN_CHARACTERS.clone());
    }
    if is_old_chassis_number(vin, model_year) {
        return None;
    }
    if vin.len() > VIN_LENGTH {
        return Some(text::vin_too_long(vin.len() as u64));
    }
    // Before the letters: without its model year, an old chassis number may have any.
    if vin.len() < VIN_LENGTH {
        return Some(text::vin_length(vin.len() as u64));
    }
    if vin.contains(['I', 'O', 'Q']) {
        return Some(text::VIN_LETTERS.clone());
    }
    (requires_check_digit(vin) && !has_correct_check_digit(vin)).then(|| text::VIN_CHECK_DIGIT.clone())
}

/// Returns whether a VIN of 17 characters must have a correct check digit: if it is from North America or China, unless
/// the vehicle was made for another market. Then the fourth to sixth places may be ZZZ, or the ninth a letter other
/// than X.
fn requires_check_digit(vin: &str) -> bool {
    let is_digit = vin.as_bytes().get(8).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'X');
    region(vin).is_some_and(Region::requires_check_digit) && is_digit && vin.get(3..6) != Some("ZZZ")
}

/// Returns whether a number is the chassis number of a vehicle from before [`STANDARD_SINCE`]: it is shorter than a
/// VIN.
fn is_old_chassis_number(vin: &str, model_year: Option<i64>) -> bool {
    vin.len() < VIN_LENGTH && model_year.is_some_and(|year| year < STANDARD_SINCE)
}

fn has_correct_check_digit(vin: &str) -> bool {
    vin.chars().nth(8) == check_digit(vin)
}

/// Returns notes for users on a valid, normalized VIN: that it has a wrong check digit where none is required, that it
/// does not match the model year, or that it is a chassis or frame number.
pub fn vin_notes(vin: &str, model_year: Option<i64>) -> Vec<Message> {
    let mut notes = Vec::new();
    if is_japanese_frame_number(vin) {
        notes.push(text::VIN_FRAME.clone());
    } else if is_old_chassis_number(vin, model_year) {
        notes.push(text::VIN_OLD.clone());
    } else if vin.len() == VIN_LENGTH {
        if !has_correct_check_digit(vin) {
            notes.push(text::VIN_NO_CHECK_DIGIT.clone());
        }
        // Only in VINs that require a check digit is the tenth character certainly a code of the model year.
        let contradicts = |year: i64| !model_years(vin, year).contains(&year);
        if requires_check_digit(vin) && model_year.is_some_and(contradicts) {
            notes.push(text::VIN_OTHER_YEAR.clone());
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// VINs with a correct check digit: that of a Honda made in the United States, and 17 equal digits.
    const WITH_CHECK_DIGIT: [&str; 2] = ["1HGCM82633A004352", "11111111111111111"];
    /// A Porsche, with Z instead of a check digit in the ninth place.
    const EUROPEAN: &str = "WP0ZZZ99ZTS392124";

    fn error(vin: &str) -> Option<String> {
        vin_error(vin, None).map(|message| message.text.into_owned())
    }

    #[test]
    fn a_vin_is_normalized_to_upper_case_without_blanks_and_separators() {
        assert_eq!(normalize_vin(" wp0 zzz99\u{a0}zts-392/124 "), EUROPEAN);
        assert_eq!(normalize_vin("\u{200e}wp0zzz99\u{200b}zts\u{2013}392124\u{feff}"), EUROPEAN);
    }

    #[test]
    fn the_check_digit_is_required_in_north_america_and_china_only() {
        for vin in WITH_CHECK_DIGIT {
            assert_eq!((error(vin), vin_notes(vin, None)), (None, vec![]));
        }
        let wrong = "1HGCM82643A004352";
        assert_eq!(error(wrong).as_deref(), Some(text::VIN_CHECK_DIGIT.as_str()));
        assert_eq!(error(&wrong.replacen('1', "L", 1)).as_deref(), Some(text::VIN_CHECK_DIGIT.as_str()));
        // Vehicles made in Mexico for Europe.
        assert_eq!(error("3VWZZZ1KZAM012345"), None);
        assert_eq!(error("3VWZZZ1K1AM012345"), None);
        assert_eq!(error(EUROPEAN), None);
        assert_eq!(vin_notes(EUROPEAN, None), [text::VIN_NO_CHECK_DIGIT.as_str()]);
    }

    #[test]
    fn rejects_the_letters_i_o_and_q_other_characters_and_other_lengths() {
        for letter in ["I", "O", "Q"] {
            assert_eq!(error(&EUROPEAN.replacen('P', letter, 1)).as_deref(), Some(text::VIN_LETTERS.as_str()));
        }
        assert_eq!(error("WP0ZZZ99ZTS39212Ö").as_deref(), Some(text::VIN_CHARACTERS.as_str()));
        assert_eq!(error("WP0+ZZ99ZTS392124").as_deref(), Some(text::VIN_CHARACTERS.as_str()));
        assert_eq!(vin_error("WP0ZZZ99ZTS39212", None), Some(text::vin_length(16)));
        assert_eq!(vin_error("WP0ZZZ99ZTS3921245", None), Some(text::vin_too_long(18)));
    }

    #[test]
    fn vehicles_from_before_1981_have_shorter_numbers_of_any_letters() {
        assert_eq!(vin_error("115O1020", Some(1967)), None);
        assert_eq!(vin_notes("115O1020", Some(1967)), [text::VIN_OLD.as_str()]);
        assert!(vin_error("11511020", Some(1981)).is_some());
        assert_eq!(vin_error("115O1020", None), Some(text::vin_length(8)), "which asks for the model year");
    }

    #[test]
    fn a_japanese_frame_number_keeps_its_hyphen_and_has_a_note() {
        for typed in ["JZX100-0012345", " jzx100\u{2010}0012345", "BNR32-000001", "NA1-1000001"] {
            let frame = normalize_vin(typed);
            assert!(frame.contains('-'), "{frame}");
            assert_eq!((vin_error(&frame, None), vin_notes(&frame, None)), (None, vec![text::VIN_FRAME.clone()]));
        }
        for typed in ["JZX100-0012345-1", "100-0012345", "JZX100-1234", "WP0ZZZ99Z-0012345", "JZX1000012345"] {
            let other = normalize_vin(typed);
            assert!(!other.contains('-') && vin_error(&other, None).is_some(), "{typed}");
        }
    }

    #[test]
    fn the_first_characters_give_the_region() {
        use Region::{Africa, Asia, China, Europe, NorthAmerica, Oceania, SouthAmerica};
        for (start, expected) in [
            ("AAV", Some(Africa)),
            ("JTD", Some(Asia)),
            ("LSJ", Some(China)),
            ("HES", Some(China)),
            ("YV1", Some(Europe)),
            ("5YJ", Some(NorthAmerica)),
            ("7SA", Some(NorthAmerica)),
            ("7A8", Some(Oceania)),
            ("6G1", Some(Oceania)),
            ("9BW", Some(SouthAmerica)),
            ("", None),
        ] {
            assert_eq!(region(start), expected, "{start}");
        }
    }

    #[test]
    fn a_model_year_code_means_every_thirtieth_year_until_the_latest() {
        let years = |code: &str, latest| model_years(&format!("1HGCM8263{code}A004352"), latest);
        assert_eq!(years("3", 2026), [2003]);
        assert_eq!(years("A", 2026), [2010, 1980]);
        assert_eq!(years("V", 2026), [1997]);
        assert_eq!(years("V", 2027), [2027, 1997]);
        assert_eq!(years("0", 2026), [0i64; 0]);
        assert_eq!(years("Z", 2026), [0i64; 0]);
        assert_eq!(model_years("A", 2026), [0i64; 0]);
    }

    #[test]
    fn a_model_year_that_the_vin_contradicts_is_a_note() {
        assert!(vin_notes("1HGCM82633A004352", Some(2003)).is_empty());
        assert!(vin_notes("1HGCM82633A004352", Some(2033)).is_empty());
        assert_eq!(vin_notes("1HGCM82633A004352", Some(2004)), [text::VIN_OTHER_YEAR.as_str()]);
        // In a European VIN, the tenth character may mean something else.
        assert_eq!(vin_notes(EUROPEAN, Some(2004)), [text::VIN_NO_CHECK_DIGIT.as_str()]);
    }

    proptest! {
        /// Exactly one check digit is right, and if a digit in another place changes, it is wrong.
        #[test]
        fn one_check_digit_is_right_and_another_changed_digit_makes_it_wrong(
            start in "[1-5][A-HJ-NPR-Z0-9]{3}[0-9]{4}", end in "[A-HJ-NPR-Z0-9]{8}", place in 0usize..16, digit in 1u32..10,
        ) {
            let vin = |check: char| format!("{start}{check}{end}");
            let right: Vec<String> = "0123456789X".chars().map(vin).filter(|vin| vin_error(vin, None).is_none()).collect();
            prop_assert_eq!(right.len(), 1);
            let place = if place < 8 { place } else { place + 1 };
            let mut changed: Vec<char> = right[0].chars().collect();
            // The value of a digit is the digit itself. Another digit changes the sum by less than 10 times a weight
            // below 11, which 11 does not divide.
            if let Some(old) = changed[place].to_digit(10).filter(|_| place > 0) {
                changed[place] = char::from_digit((old + digit) % 10, 10).unwrap();
                let changed: String = changed.into_iter().collect();
                prop_assert_eq!(vin_error(&changed, None), Some(text::VIN_CHECK_DIGIT.clone()));
            }
        }

        #[test]
        fn no_text_makes_the_rules_panic(text in "\\PC{0,24}", year in proptest::option::of(-3000i64..9000)) {
            let vin = normalize_vin(&text);
            let _ = (region(&vin), model_years(&vin, 2026), vin_error(&vin, year), vin_notes(&vin, year));
        }
    }
}
