//! Telephone numbers, however they are written.

/// Minimum number of digits of a phone number that is compared, without the country code and the 0 before the area
/// code.
const PHONE_MIN: usize = 7;
/// The same of a number that is searched, whose last digits may be missing. One more than a postal code has.
const SEARCHED_MIN: usize = 6;
/// Maximum number of digits of a phone number, with the country code (ITU-T E.164). A text with more has several
/// numbers.
const PHONE_MAX: usize = 15;
/// The country codes with two digits. `1` and `7` have one digit, all others three.
const TWO_DIGIT_CODES: &str = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 \
     81 82 84 86 90 91 92 93 94 95 98";

/// Returns the form in which phone numbers are compared: the digits without the country code (of any country, such as
/// `+46` or `0046`) and without the 0 before the area code. `None` if the text is not one phone number, for example if
/// it has two numbers, or one digit repeated.
pub fn phone_key(phone: &str) -> Option<String> {
    parts(phone, PHONE_MIN).map(|(_, key)| key)
}

/// Returns the [`phone_key`] of a number that a user searches for, also if its last digits are missing.
pub fn searched_phone_key(phone: &str) -> Option<String> {
    parts(phone, SEARCHED_MIN).map(|(_, key)| key)
}

/// Returns whether both texts are the same phone number ([`phone_key`]). The country codes must be the same if both
/// numbers have one.
pub fn is_same_phone(one: &str, other: &str) -> bool {
    let (Some((code, key)), Some((other_code, other_key))) = (parts(one, PHONE_MIN), parts(other, PHONE_MIN)) else {
        return false;
    };
    key == other_key && (code == other_code || code.is_empty() || other_code.is_empty())
}

/// Returns the country code, empty if there is none, and the key of a phone number. `None` if the key has fewer than
/// `min` digits.
fn parts(phone: &str, min: usize) -> Option<(String, String)> {
    let all: String = phone.chars().filter(char::is_ascii_digit).collect();
    let has_plus = phone.trim_start().starts_with('+');
    let is_international = has_plus || all.starts_with("00");
    let mut digits = if has_plus { &all[..] } else { all.strip_prefix("00").unwrap_or(&all) };
    if digits.len() > PHONE_MAX {
        return None;
    }
    // Numbers such as `46 70 123 45 67` have a country code, too.
    let is_long = !digits.starts_with('0') && digits.len() > 10;
    let mut country = "";
    if is_international || is_long {
        let code = match digits.get(..2) {
            Some(two) if two.starts_with(['1', '7']) => 1,
            Some(two) if TWO_DIGIT_CODES.split(' ').any(|code| code == two) => 2,
            _ => 3,
        };
        (country, digits) = digits.split_at_checked(code)?;
    }
    let digits = digits.trim_start_matches('0');
    (digits.len() >= min && has_different_digits(digits)).then(|| (country.to_owned(), digits.to_owned()))
}

/// Returns whether a text has at least two digits that are not the same.
pub(crate) fn has_different_digits(text: &str) -> bool {
    let mut digits = text.chars().filter(char::is_ascii_digit);
    let first = digits.next();
    digits.any(|digit| Some(digit) != first)
}

#[cfg(test)]
mod tests {
    use super::{is_same_phone, phone_key};

    #[test]
    fn phone_numbers_are_the_same_with_and_without_the_prefix_of_the_country() {
        let same =
            ["070-123 45 67", "+46 70 123 45 67", "0046701234567", "+46 (0)70-123 45 67", "46701234567", "701234567"];
        for number in same {
            assert_eq!(phone_key(number).as_deref(), Some("701234567"), "{number}");
        }
        assert_eq!(phone_key("+44 20 7946 0000"), phone_key("020 7946 0000"));
        assert_eq!(phone_key("+1 212 555 0100").as_deref(), Some("2125550100"));
        assert_eq!(phone_key("+358 40 123 4567"), phone_key("040 1234567"));
    }

    #[test]
    fn numbers_of_different_countries_are_not_the_same() {
        let swedish = "+46 70 123 45 67";
        for same in ["0046701234567", "46 70 123 45 67", "070-123 45 67"] {
            assert!(is_same_phone(swedish, same) && is_same_phone(same, swedish), "{same}");
        }
        for other in ["+47 70 123 45 67", "0047701234567", "+46 70 123 45 68", "none", ""] {
            assert!(!is_same_phone(swedish, other), "{other}");
        }
        assert!(!is_same_phone("none", "none"));
    }

    #[test]
    fn texts_that_are_no_single_phone_number_have_no_key() {
        for text in ["", "12 34 56", "000 000 00 00", "1111111", "070-123 45 67 / 08-12 34 56", "none", "+", "00", "+4"]
        {
            assert_eq!(phone_key(text), None, "{text}");
        }
    }
}
