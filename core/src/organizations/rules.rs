//! Rules of company records.

use super::{Organization, OrganizationInput, OrganizationQuery, TEXT_MAX, text};
use crate::form::{Form, Rules, Texts, normalize_fields, take_first_non_empty};
use crate::message::Message;
use crate::text::upper_case;

impl OrganizationInput {
    pub(crate) fn normalize(&mut self) {
        self.normalize_texts();
        self.organization_number = take_first_non_empty(&mut self.organization_number, &mut self.legal_id);
    }

    /// Declares the rules. An update (`is_new` is false) accepts any number that is not blank, because the stored one
    /// may be older than the rule for new ones.
    pub(crate) fn rules(&self, rules: &mut Rules, is_new: bool) {
        rules
            .field("organization_number", &self.organization_number)
            .required(text::ORGANIZATION_NUMBER_REQUIRED)
            // A text without letters and digits would be the same number as any other such text.
            .matches(|number| !is_new || !normalize_number(number).is_empty(), text::ORGANIZATION_NUMBER_REQUIRED)
            .max(TEXT_MAX);
        for (name, value, missing) in [
            ("corp_name", &self.corp_name, text::CORP_NAME_REQUIRED),
            ("street_address", &self.street_address, text::STREET_ADDRESS_REQUIRED),
            ("registered_city", &self.registered_city, text::REGISTERED_CITY_REQUIRED),
            ("postal_code", &self.postal_code, text::POSTAL_CODE_REQUIRED),
            ("city", &self.city, text::CITY_REQUIRED),
        ] {
            rules.field(name, value).required(missing).max(TEXT_MAX);
        }
        rules
            .field("company_email", &self.company_email)
            .required_email(text::COMPANY_EMAIL_REQUIRED, text::EMAIL_INVALID);
        rules.field("company_phone", &self.company_phone).phone(text::COMPANY_PHONE_REQUIRED);
    }
}

impl Form for OrganizationQuery {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.organization_number, &mut self.legal_id]);
        self.organization_number = take_first_non_empty(&mut self.organization_number, &mut self.legal_id);
    }
    fn rules(&self, rules: &mut Rules) {
        rules
            .field("organization_number", &self.organization_number)
            .matches(|number| !normalize_number(number).is_empty(), text::NUMBER_MISSING)
            .max(TEXT_MAX);
    }
}

/// A company from the loaded list or the company register. Only its number and name are required; the user can fill in
/// the rest.
impl Form for Organization {
    fn normalize(&mut self) {
        normalize_fields(&mut [
            &mut self.organization_number,
            &mut self.corp_name,
            &mut self.street_address,
            &mut self.registered_city,
            &mut self.postal_code,
            &mut self.city,
            &mut self.company_email,
            &mut self.company_phone,
        ]);
    }
    fn rules(&self, rules: &mut Rules) {
        rules
            .field("organization_number", &self.organization_number)
            .matches(|number| !normalize_number(number).is_empty(), text::ORGANIZATION_NUMBER_REQUIRED)
            .max(TEXT_MAX);
        rules.field("corp_name", &self.corp_name).required(text::CORP_NAME_REQUIRED).max(TEXT_MAX);
        for (name, value) in [
            ("street_address", &self.street_address),
            ("registered_city", &self.registered_city),
            ("postal_code", &self.postal_code),
            ("city", &self.city),
            ("company_email", &self.company_email),
            ("company_phone", &self.company_phone),
        ] {
            rules.field(name, value).max(TEXT_MAX);
        }
    }
}

/// Converts the response of the external company register, which may use either name of the organization number.
impl From<OrganizationInput> for Organization {
    fn from(mut input: OrganizationInput) -> Self {
        input.normalize();
        Organization {
            organization_number: input.organization_number,
            corp_name: input.corp_name,
            street_address: input.street_address,
            registered_city: input.registered_city,
            postal_code: input.postal_code,
            city: input.city,
            company_email: input.company_email,
            company_phone: input.company_phone,
        }
    }
}

/// Returns the record without e-mail and phone. The public search, which only Super Admins may use, does this with the
/// records of this installation's corporations, but not with those from the loaded list or the company register.
pub fn without_email_and_phone(organization: Organization) -> Organization {
    Organization { company_email: String::new(), company_phone: String::new(), ..organization }
}

/// Returns the form in which organization numbers are compared: letters and digits only, in upper case. `5593609844`
/// and `559360-9844` are the same company.
pub fn normalize_number(number: &str) -> String {
    upper_case(&number.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
}

/// Returns a hint if a Swedish organization number (ten digits, the third at least 2) has a wrong check digit according
/// to the Luhn algorithm (ISO/IEC 7812-1, annex B). It is only a hint: the number is accepted.
pub fn check_digit_hint(number: &str) -> Option<&'static Message> {
    let digits: Vec<u32> = normalize_number(number).chars().map(|c| c.to_digit(10)).collect::<Option<_>>()?;
    let is_swedish = digits.len() == 10 && digits[2] >= 2;
    let double = |d: u32| if d > 4 { d * 2 - 9 } else { d * 2 };
    let sum: u32 = digits.iter().enumerate().map(|(i, d)| if i % 2 == 0 { double(*d) } else { *d }).sum();
    (is_swedish && !sum.is_multiple_of(10)).then_some(text::CHECK_DIGIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors};

    #[test]
    fn hints_only_at_wrong_check_digits_of_swedish_numbers() {
        assert_eq!(check_digit_hint("559360-9844"), None);
        assert_eq!(check_digit_hint("556100 0059"), None);
        assert_eq!(check_digit_hint("559360-9845"), Some(text::CHECK_DIGIT));
        for other in ["", "HRB 31045", "09460213", "5593609", "011360-9845"] {
            assert_eq!(check_digit_hint(other), None, "{other}");
        }
    }

    #[test]
    fn normalizes_spaces_hyphens_and_case() {
        assert_eq!(normalize_number(" hrb 310-45 "), "HRB31045");
    }

    #[test]
    fn a_directory_record_needs_number_and_name_and_has_length_limits() {
        let record = |number: &str, name: &str, city: &str| Organization {
            organization_number: number.into(),
            corp_name: name.into(),
            city: city.into(),
            ..Organization::default()
        };
        let Ok(known) = check(record(" 559360-9844 ", "Nordbil", "")) else { panic!("the rest may be missing") };
        assert_eq!(known.organization_number, "559360-9844");
        let fields = |record| errors(record).into_iter().map(|e| e.field).collect::<Vec<_>>();
        assert_eq!(fields(record("-", " ", &"x".repeat(201))), ["organization_number", "corp_name", "city"]);
    }

    #[test]
    fn a_public_record_has_no_email_or_phone() {
        let whole = Organization {
            corp_name: "Nordbil".into(),
            company_email: "info@nordbil.example".into(),
            company_phone: "090 17".into(),
            ..Organization::default()
        };
        assert_eq!(
            without_email_and_phone(whole),
            Organization { corp_name: "Nordbil".into(), ..Organization::default() }
        );
    }

    #[test]
    fn a_search_needs_a_number_under_either_name() {
        let query = |number: &str, legal: &str| OrganizationQuery {
            organization_number: number.into(),
            legal_id: legal.into(),
        };
        assert_eq!(errors(query(" - ", ""))[0].message, "Please enter an organization number");
        let Ok(found) = check(query("", " 559360-9844 ")) else { panic!("legalId is the other name of the number") };
        assert_eq!(found.organization_number, "559360-9844");
    }
}
