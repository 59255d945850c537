//! Social security and organization numbers of the demo. None belongs to a real person or company: each has a wrong
//! check digit or, where there is none, a form that is not issued.

use super::people::Country;

pub fn social_security_number(country: Country, i: usize) -> String {
    let (year, month, day) = (40 + i % 60, 1 + i % 12, 1 + i % 28);
    match country {
        Country::Sweden => {
            let digits = format!("{year:02}{month:02}{day:02}{:03}", (i * 3) % 1_000);
            format!("{}-{}{}", &digits[..6], &digits[6..], wrong_check_digit(&digits))
        }
        // Numbers with the letters QQ are only used as examples.
        Country::Britain => {
            let number = (i * 7_919) % 1_000_000;
            format!("QQ {:02} {:02} {:02} C", number / 10_000, number / 100 % 100, number % 100)
        }
        Country::Germany => {
            let letter = i % 26;
            let (area, serial) = (10 + i % 9, (i * 3) % 100);
            let digits = format!("{area}{day:02}{month:02}{year:02}{:02}{serial:02}", letter + 1);
            let letter = char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter]);
            format!("{area} {day:02}{month:02}{year:02} {letter} {serial:02}{}", wrong_pension_digit(&digits))
        }
    }
}

pub fn organization_number(country: Country, i: usize) -> String {
    match country {
        Country::Sweden => {
            let digits = format!("5560{:05}", (i * 7) % 100_000);
            format!("{}-{}{}", &digits[..6], &digits[6..], wrong_check_digit(&digits))
        }
        // Higher than any number that was issued so far.
        Country::Britain => format!("99{:06}", (i * 7_919) % 1_000_000),
        Country::Germany => format!("HRB 9{:05}", (i * 7_919) % 100_000),
    }
}

/// Returns a digit that is not the Luhn check digit of these nine digits: the right one plus one, modulo ten.
fn wrong_check_digit(digits: &str) -> u32 {
    let doubled = |(i, digit): (usize, char)| match digit.to_digit(10).unwrap_or_default() * (2 - i as u32 % 2) {
        two @ 10.. => two - 9,
        one => one,
    };
    let sum: u32 = digits.chars().enumerate().map(doubled).sum();
    (10 - sum % 10 + 1) % 10
}

/// Returns a digit that is not the check digit of a German pension number: the right one plus one, modulo ten. The
/// twelve digits are those of the number, with its letter as two digits.
fn wrong_pension_digit(digits: &str) -> u32 {
    let products = digits.chars().zip([2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]);
    let products = products.map(|(digit, weight)| digit.to_digit(10).unwrap_or_default() * weight);
    let sum: u32 = products.map(|product| product / 10 + product % 10).sum();
    (sum + 1) % 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::organizations::check_digit_hint;
    use forecourt_core::organizations::text::CHECK_DIGIT;
    use std::collections::HashSet;

    #[test]
    fn numbers_have_a_wrong_check_digit() {
        // The right check digits are 4 and 0: of the tax agency's example, 811228-9874, and of a company, 556016-0680.
        assert_eq!((wrong_check_digit("811228987"), wrong_check_digit("556016068")), (5, 1));
        // The right one is 3: of the pension insurance's example, 15 070649 C 103.
        assert_eq!(wrong_pension_digit("150706490310"), 4);
        for i in 0..100 {
            let numbers = [social_security_number(Country::Sweden, i), organization_number(Country::Sweden, i)];
            assert!(numbers.iter().all(|number| number.len() == 11), "{numbers:?}");
            assert_eq!(check_digit_hint(&numbers[1]), Some(CHECK_DIGIT), "{numbers:?}");
        }
    }

    #[test]
    fn numbers_do_not_repeat() {
        for country in [Country::Sweden, Country::Britain, Country::Germany] {
            let numbers =
                (0..1_000).flat_map(|i| [social_security_number(country, i), organization_number(country, i)]);
            assert_eq!(numbers.collect::<HashSet<_>>().len(), 2_000, "{country:?}");
        }
    }
}
