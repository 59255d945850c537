//! Compares the texts of records to find those that may be the same.

use super::DuplicateReason;
use crate::contacts::ContactSummary;
use crate::customers::CustomerSummary;
use crate::privacy::is_anonymous;
use crate::text::{fold, has_different_digits, phone_key};
use std::collections::BTreeSet;

/// Minimum number of letters and digits of an organization number that is compared. A shorter text is the beginning of
/// one, which would be found in many others.
const ORGANIZATION_NUMBER_MIN: usize = 6;
/// Minimum length of a word that may differ by a letter in similar names. Shorter ones are different names: Jan and
/// Jon, Eva and Ewa.
const SIMILAR_MIN: usize = 4;
/// Maximum length of a word that may differ by a letter in similar names. Longer words are not names, and would need
/// too many keys.
const SIMILAR_MAX: usize = 40;
/// Maximum number of words of a name that is compared with similar ones. A text with more is not the name of a person
/// or a company. The list of duplicates finds longer names only if all words and the postal code are equal; for a
/// form's values, longer names are not searched.
pub const WORDS_MAX: usize = 8;
/// The texts by which a record or a form's values are compared with other records, normalized for the comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The letters and digits of a company's organization number.
    pub organization_number: Option<String>,
    pub email: Option<String>,
    /// The digits without the country code and the 0 before the area code.
    pub phone: Option<String>,
    /// The words of the name in lower case without accents, in alphabetical order.
    pub words: Vec<String>,
    pub postal_code: Option<String>,
    /// The postal code or, without one, the address.
    pub place: Option<String>,
}

/// A record that can be compared with others to find duplicates.
pub trait Identified {
    fn identity(&self) -> Identity;
}

impl Identified for ContactSummary {
    fn identity(&self) -> Identity {
        Identity::new(&self.name, &self.email, &self.phone, &self.address, "")
    }
}

impl Identified for CustomerSummary {
    fn identity(&self) -> Identity {
        let identity = Identity::new(&self.name, &self.email, &self.telephone, &self.address, &self.postal_code);
        identity.with_organization_number(&self.organization_number)
    }
}

impl Identity {
    /// Normalizes the texts of a record. If `postal_code` is empty, the postal code in the address counts. `SE-211 20` is
    /// the same postal code as `211 20`.
    pub fn new(name: &str, email: &str, phone: &str, address: &str, postal_code: &str) -> Self {
        let filled = |text: String| (!text.is_empty()).then_some(text);
        // The placeholder of erased addresses identifies nobody.
        let email = if is_anonymous(email) { "" } else { email };
        let email = fold(email).chars().filter(|c| !c.is_whitespace()).collect();
        let typed = letters_and_digits(postal_code);
        // Without the letters of a country, but not without the last ones, which Dutch postal codes have.
        let found =
            find_postal_code(postal_code).filter(|found| typed.trim_start_matches(char::is_alphabetic) == found);
        let postal_code = found.or_else(|| filled(typed)).or_else(|| find_postal_code(address));
        let place = postal_code.clone().or_else(|| filled(letters_and_digits(address)));
        let (email, phone, words) = (filled(email), phone_key(phone), words(name));
        Identity { organization_number: None, email, phone, words, postal_code, place }
    }

    /// Adds a company's organization number. A short text, one without digits, such as that of an erased customer, and
    /// one with a single digit repeated are none.
    pub fn with_organization_number(self, number: &str) -> Self {
        let number = Some(letters_and_digits(number))
            .filter(|number| number.chars().count() >= ORGANIZATION_NUMBER_MIN && has_different_digits(number));
        Identity { organization_number: number, ..self }
    }

    /// Calls `add` with each key of the record and the key's reason. Records that have the same key for the same reason
    /// may be the same. `add` may get a key twice.
    pub fn for_each_key(&self, mut add: impl FnMut(DuplicateReason, &str)) {
        if let Some(number) = &self.organization_number {
            add(DuplicateReason::OrganizationNumber, number);
        }
        if let Some(email) = &self.email {
            add(DuplicateReason::Email, email);
        }
        if let Some(phone) = &self.phone {
            add(DuplicateReason::Phone, phone);
        }
        if let (Some(code), false) = (&self.postal_code, self.words.is_empty()) {
            add(DuplicateReason::NameAndPostalCode, &format!("{code}|{}", self.words.join(" ")));
        }
        let Some(place) = self.place.as_ref().filter(|_| (2..=WORDS_MAX).contains(&self.words.len())) else { return };
        let mut key = String::new();
        for (index, word) in self.words.iter().enumerate() {
            let length = word.chars().count();
            if !(SIMILAR_MIN..=SIMILAR_MAX).contains(&length) || word.contains(|c: char| c.is_numeric()) {
                continue;
            }
            key.clear();
            key.push_str(place);
            for (_, rest) in self.words.iter().enumerate().filter(|(other, _)| *other != index) {
                key.push('|');
                key.push_str(rest);
            }
            key.push('|');
            let start = key.len();
            // The word without one letter (never the first one: Berg and Öberg are different names), and at last the
            // whole word.
            for removed in 1..=length {
                key.truncate(start);
                key.extend(word.chars().enumerate().filter(|(place, _)| *place != removed).map(|(_, c)| c));
                add(DuplicateReason::SimilarName, &key);
            }
        }
    }

    fn keys(&self) -> BTreeSet<(DuplicateReason, String)> {
        let mut keys = BTreeSet::new();
        self.for_each_key(|reason, key| {
            keys.insert((reason, key.to_owned()));
        });
        keys
    }
}

/// Returns the reasons why two records may be the same, the strongest first. If their names and postal codes are equal,
/// `SimilarName` is left out.
pub fn reasons(a: &Identity, b: &Identity) -> Vec<DuplicateReason> {
    let (a, b) = (a.keys(), b.keys());
    let mut reasons: Vec<_> = a.intersection(&b).map(|(reason, _)| *reason).collect();
    reasons.dedup();
    if reasons.contains(&DuplicateReason::NameAndPostalCode) {
        reasons.retain(|reason| *reason != DuplicateReason::SimilarName);
    }
    reasons
}

/// Returns the words of a name, folded, in alphabetical order.
fn words(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<_> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

fn letters_and_digits(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the last postal code in an address, in lower case without blanks: Swedish and German ones with five digits
/// (`211 20`, `SE-21120`), British ones (`SW1A 1AA`), and Danish and Norwegian ones with four digits before a town.
fn find_postal_code(address: &str) -> Option<String> {
    let folded = fold(address);
    let mut found = None;
    for line in folded.split(['\n', ',', ';']) {
        let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c == '-').filter(|w| !w.is_empty()).collect();
        let is_digits = |word: &str, count| word.len() == count && word.bytes().all(|b| b.is_ascii_digit());
        for (index, word) in words.iter().enumerate() {
            let next = words.get(index + 1).copied().unwrap_or_default();
            let is_town = next.chars().next().is_some_and(char::is_alphabetic);
            if is_digits(word, 5) || is_digits(word, 4) && is_town {
                found = Some((*word).to_owned());
            } else if is_digits(word, 3) && is_digits(next, 2)
                || is_british_outward_code(word) && is_british_inward_code(next)
            {
                found = Some(format!("{word}{next}"));
            } else if let Some((outward, inward)) = word.split_at_checked(word.len().saturating_sub(3))
                && is_british_outward_code(outward)
                && is_british_inward_code(inward)
            {
                found = Some((*word).to_owned());
            }
        }
    }
    found
}

/// Returns whether a lower-case word is the first half of a British postal code: one or two letters, a digit, and
/// optionally one more digit or letter.
fn is_british_outward_code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    let rest = &word.as_bytes()[letters..];
    (1..=2).contains(&letters)
        && (1..=2).contains(&rest.len())
        && rest[0].is_ascii_digit()
        && rest.iter().all(u8::is_ascii_alphanumeric)
}

/// Returns whether a lower-case word is the second half of a British postal code: a digit and two letters.
fn is_british_inward_code(word: &str) -> bool {
    matches!(word.as_bytes(), [digit, rest @ ..]
        if digit.is_ascii_digit() && rest.len() == 2 && rest.iter().all(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::DuplicateReason::{Email, NameAndPostalCode, OrganizationNumber, Phone, SimilarName};
    use super::*;
    use proptest::prelude::*;

    fn named(name: &str, address: &str) -> Identity {
        Identity::new(name, "", "", address, "")
    }

    fn compare(a: (&str, &str), b: (&str, &str)) -> Vec<DuplicateReason> {
        reasons(&named(a.0, a.1), &named(b.0, b.1))
    }

    #[test]
    fn emails_are_the_same_regardless_of_case_and_blanks() {
        let of = |email| Identity::new("", email, "", "", "");
        assert_eq!(reasons(&of("Maja@Example.se"), &of(" maja@example.se ")), [Email]);
        assert_eq!(reasons(&of("maja@example.se"), &of("maja@example.com")), []);
        assert_eq!(reasons(&of(""), &of(" ")), [], "no e-mail");
        assert_eq!(reasons(&of("Erased@erased.invalid"), &of("erased@erased.invalid")), [], "erased e-mails");
    }

    #[test]
    fn organization_numbers_are_the_same_however_they_are_written() {
        let of = |number| Identity::default().with_organization_number(number);
        assert_eq!(reasons(&of("556036-0793"), &of("5560360793")), [OrganizationNumber]);
        assert_eq!(reasons(&of("SC 123456"), &of("sc123456")), [OrganizationNumber]);
        assert_eq!(reasons(&of("556036-0793"), &of("556036-0794")), []);
        for none in ["", "-", "Erased", "5", "55603", "000000-0000"] {
            assert_eq!(reasons(&of(none), &of(none)), [], "{none}");
        }
    }

    #[test]
    fn finds_the_postal_code_in_an_address() {
        for (address, code) in [
            ("Storgatan 1, 211 20 Malmö", Some("21120")),
            ("Storgatan 1\nSE-21120 Malmö", Some("21120")),
            ("12 High Street, London SW1A 1AA", Some("sw1a1aa")),
            ("12 High Street\nLeeds\nLS13AB", Some("ls13ab")),
            ("Nygade 7, 1164 København", Some("1164")),
            ("Kungsgatan 1203, Lund", None),
            ("Storgatan 1, Malmö", None),
            ("", None),
        ] {
            assert_eq!(find_postal_code(address).as_deref(), code, "{address}");
        }
    }

    #[test]
    fn records_with_the_same_name_and_postal_code_may_be_the_same() {
        let (malmo, other) = ("Storgatan 1, 211 20 Malmö", "Lilla torg 3, 21120 Malmö");
        assert_eq!(compare(("Maja Holm", malmo), ("HOLM, Måja", other)), [NameAndPostalCode]);
        assert_eq!(compare(("Maja Holm", malmo), ("Maja Holm", "Storgatan 1, 222 22 Lund")), []);
        assert_eq!(compare(("Maja Holm", ""), ("Maja Holm", "")), [], "no place");
        let customer = Identity::new("Maja Holm", "", "", "Storgatan 1", "211 20");
        assert_eq!(reasons(&customer, &named("Maja Holm", malmo)), [NameAndPostalCode]);
        let with_country = Identity::new("Maja Holm", "", "", "Lilla torg 3", "SE-211 20");
        assert_eq!(reasons(&customer, &with_country), [NameAndPostalCode]);
        let dutch = |code| Identity::new("Maja Holm", "", "", "Dam 1", code).postal_code.unwrap();
        assert_eq!([dutch("1234 AB"), dutch("1234AB"), dutch("SW1A 1AA")], ["1234ab", "1234ab", "sw1a1aa"]);
    }

    #[test]
    fn names_that_differ_by_a_letter_in_one_word_are_similar_at_the_same_place() {
        let place = "Storgatan 1, 211 20 Malmö";
        for (a, b) in [
            ("Maja Holm", "Maja Holmm"),
            ("Maja Holm", "Holm Maya"),
            ("Maja Holm", "Maja Hlom"),
            ("Maria Marta", "Marua Marta"),
        ] {
            assert_eq!(compare((a, place), (b, place)), [SimilarName], "{a} {b}");
        }
        assert_eq!(compare(("Maja Holm", "Storgatan 1"), ("Maja Holmm", "storgatan 1")), [SimilarName], "an address");
        for (a, b) in [
            ("Maja Holm", "Maya Holmm"),
            ("Maja Holm", "Lisa Holm"),
            ("Jan Holm", "Jon Holm"),
            ("Maja Berg", "Maja Öberg"),
            ("Nordbil", "Nordbill"),
            ("Bil 1001", "Bil 1002"),
        ] {
            assert_eq!(compare((a, place), (b, place)), [], "{a} {b}");
        }
        assert_eq!(compare(("Maja Holm", place), ("Maja Holmm", "222 22 Lund")), [], "another place");
    }

    fn identity() -> impl Strategy<Value = Identity> {
        let name = "(maja|Maya|måja|HOLM|holmm|bo)( (holm|Hólm|berg|ab))?";
        let (email, phone) = ("(a@b\\.se| A@B\\.SE|)", "(\\+46 |0046|0|)70[0-1]{6}|");
        (name, email, phone, "(Storgatan [1-2], )?(211 20 Malm|222 22 L)?", "(211 ?20)?")
            .prop_map(|(name, email, phone, address, code)| Identity::new(&name, &email, &phone, &address, &code))
    }

    proptest! {
        #[test]
        fn reasons_are_symmetric(a in identity(), b in identity()) {
            prop_assert_eq!(reasons(&a, &b), reasons(&b, &a));
        }

        #[test]
        fn records_with_the_same_normalized_texts_may_be_the_same(a in identity(), b in identity()) {
            let found = reasons(&a, &b);
            prop_assert_eq!(found.contains(&Email), a.email.is_some() && a.email == b.email);
            prop_assert_eq!(found.contains(&Phone), a.phone.is_some() && a.phone == b.phone);
            let same_name = !a.words.is_empty() && a.words == b.words;
            let same_code = a.postal_code.is_some() && a.postal_code == b.postal_code;
            prop_assert_eq!(found.contains(&NameAndPostalCode), same_name && same_code);
        }

        #[test]
        fn a_record_without_texts_has_no_keys(blank in "[ ,.\\-]{0,5}") {
            prop_assert!(Identity::new(&blank, &blank.replace([',', '.', '-'], ""), &blank, &blank, &blank).keys().is_empty());
        }

        #[test]
        fn a_record_with_keys_may_be_the_same_as_itself(name in "\\PC{0,20}", email in "\\PC{0,20}", phone in "\\PC{0,20}", address in "\\PC{0,40}") {
            let one = Identity::new(&name, &email, &phone, &address, "");
            let found = reasons(&one, &one);
            prop_assert_eq!(found.is_empty(), one.keys().is_empty());
        }
    }
}
