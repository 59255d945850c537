//! Telephone numbers by which customers are found.

use super::{PersonInput, text};
use crate::form::{Form, Rules, normalize_line};
use crate::text::searched_phone_key;

impl Form for PersonInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.phone_number);
    }

    fn rules(&self, rules: &mut Rules) {
        rules
            .field("phoneNumber", &self.phone_number)
            .phone(text::TELEPHONE_REQUIRED)
            .matches(|number| !telephone_key(number).is_empty(), text::TELEPHONE_INVALID);
    }
}

/// Returns the digits in which telephone numbers are searched: all of a number without the international prefix `00`.
pub fn telephone_key(telephone: &str) -> String {
    let digits: String = telephone.chars().filter(char::is_ascii_digit).collect();
    digits.strip_prefix("00").map(str::to_owned).unwrap_or(digits)
}

/// Returns the digits by which a typed telephone number is found however it is stored ([`searched_phone_key`]). `None`
/// if the text is no telephone number, or has too few digits: it could be a postal code.
pub fn searched_digits(typed: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-/.()".contains(c);
    searched_phone_key(typed).filter(|_| typed.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors;

    #[test]
    fn a_search_by_telephone_needs_digits() {
        for (number, error) in [(" ", text::TELEPHONE_REQUIRED), ("none", text::TELEPHONE_INVALID)] {
            let found = errors(PersonInput { phone_number: number.into() });
            assert_eq!(found[0].message, error.as_str(), "{number}");
        }
    }

    #[test]
    fn phone_numbers_are_searched_in_their_digits_without_the_prefix_00() {
        assert_eq!(telephone_key("+46 (0)70-123 45 67"), telephone_key("0046070 1234567"));
        assert_eq!(telephone_key("none"), "");
    }

    #[test]
    fn a_telephone_number_is_found_however_it_is_typed_and_stored() {
        let ways = [
            "070-123 45 67",
            "0701234567",
            "(070) 123.45.67",
            "+46 70-123 45 67",
            "0046701234567",
            "46701234567",
            "+46 (0)70-123 45 67",
        ];
        for (typed, stored) in ways.iter().flat_map(|typed| ways.iter().map(move |stored| (typed, stored))) {
            let digits = searched_digits(typed).unwrap();
            assert!(telephone_key(stored).contains(&digits), "{typed} {stored}");
            assert!(!telephone_key("+46 70-123 45 68").contains(&digits), "{typed}");
        }
        for typed in ["114 35", "+4670123", "C-1001234", "Storgatan 1234567", "0000000", "+", ""] {
            assert_eq!(searched_digits(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_telephone_number_is_found_before_its_last_digits_are_typed() {
        for typed in ["0701234", "070-123 4", "+46 70 123 4", "0046701234", "+46 (0)70-123 4"] {
            for stored in ["+46 70 123 45 67", "070-123 45 67", "0046701234567"] {
                let digits = searched_digits(typed).unwrap();
                assert!(telephone_key(stored).contains(&digits), "{typed} {stored}");
            }
        }
    }
}
