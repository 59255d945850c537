//! What must hold of a company record (specification section 5, Corporation form).

use super::{Organization, OrganizationInput, OrganizationQuery, TEXT_MAX, text};
use crate::form::{Form, Sheet, either, trim};
use crate::text::upper_case;

impl OrganizationInput {
    pub(crate) fn tidy(&mut self) {
        for text in [
            &mut self.organization_number,
            &mut self.legal_id,
            &mut self.corp_name,
            &mut self.street_address,
            &mut self.registered_city,
            &mut self.postal_code,
            &mut self.city,
            &mut self.company_email,
            &mut self.company_phone,
        ] {
            trim(text);
        }
        self.organization_number = either(&mut self.organization_number, &mut self.legal_id);
    }

    pub(crate) fn rules(&self, sheet: &mut Sheet) {
        for (name, value, missing) in [
            ("organization_number", &self.organization_number, text::ORGANIZATION_NUMBER_REQUIRED),
            ("corp_name", &self.corp_name, text::CORP_NAME_REQUIRED),
            ("street_address", &self.street_address, text::STREET_ADDRESS_REQUIRED),
            ("registered_city", &self.registered_city, text::REGISTERED_CITY_REQUIRED),
            ("postal_code", &self.postal_code, text::POSTAL_CODE_REQUIRED),
            ("city", &self.city, text::CITY_REQUIRED),
        ] {
            sheet.field(name, value).required(missing).max(TEXT_MAX);
        }
        sheet
            .field("company_email", &self.company_email)
            .mandatory_email(text::COMPANY_EMAIL_REQUIRED, text::EMAIL_INVALID);
        sheet.field("company_phone", &self.company_phone).phone(text::COMPANY_PHONE_REQUIRED);
    }
}

impl Form for OrganizationQuery {
    fn tidy(&mut self) {
        trim(&mut self.organization_number);
        trim(&mut self.legal_id);
        self.organization_number = either(&mut self.organization_number, &mut self.legal_id);
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet
            .field("organization_number", &self.organization_number)
            .matches(|number| !normalized(number).is_empty(), text::NUMBER_MISSING)
            .max(TEXT_MAX);
    }
}

/// What a directory may say of a company: its number and its name at least. The rest may be filled in by hand.
impl Form for Organization {
    fn tidy(&mut self) {
        for text in [
            &mut self.organization_number,
            &mut self.corp_name,
            &mut self.street_address,
            &mut self.registered_city,
            &mut self.postal_code,
            &mut self.city,
            &mut self.company_email,
            &mut self.company_phone,
        ] {
            trim(text);
        }
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet
            .field("organization_number", &self.organization_number)
            .matches(|number| !normalized(number).is_empty(), text::ORGANIZATION_NUMBER_REQUIRED)
            .max(TEXT_MAX);
        sheet.field("corp_name", &self.corp_name).required(text::CORP_NAME_REQUIRED).max(TEXT_MAX);
        for (name, value) in [
            ("street_address", &self.street_address),
            ("registered_city", &self.registered_city),
            ("postal_code", &self.postal_code),
            ("city", &self.city),
            ("company_email", &self.company_email),
            ("company_phone", &self.company_phone),
        ] {
            sheet.field(name, value).max(TEXT_MAX);
        }
    }
}

/// What another directory tells, under either name of the number.
impl From<OrganizationInput> for Organization {
    fn from(mut told: OrganizationInput) -> Self {
        told.tidy();
        Organization {
            organization_number: told.organization_number,
            corp_name: told.corp_name,
            street_address: told.street_address,
            registered_city: told.registered_city,
            postal_code: told.postal_code,
            city: told.city,
            company_email: told.company_email,
            company_phone: told.company_phone,
        }
    }
}

/// What anybody may learn of a corporation's company record: where it sits, not how it is reached (decisions 4.7).
pub fn public(organization: Organization) -> Organization {
    Organization { company_email: String::new(), company_phone: String::new(), ..organization }
}

/// A number as it is compared: letters and digits alone, in upper case. `5593609844` and `559360-9844` are one company.
pub fn normalized(number: &str) -> String {
    upper_case(&number.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
}

/// What is odd about a number, if anything: a Swedish one (ten digits, the third at least 2) whose check digit is wrong by
/// the Luhn algorithm (ISO/IEC 7812-1, annex B). A hint, never a refusal (decisions 4.7).
pub fn hint(number: &str) -> Option<&'static str> {
    let digits: Vec<u32> = normalized(number).chars().map(|c| c.to_digit(10)).collect::<Option<_>>()?;
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
    fn a_wrong_check_digit_gets_a_hint_and_other_numbers_none() {
        assert_eq!(hint("559360-9844"), None);
        assert_eq!(hint("556100 0059"), None);
        assert_eq!(hint("559360-9845"), Some(text::CHECK_DIGIT));
        for other in ["", "HRB 31045", "09460213", "5593609", "011360-9845"] {
            assert_eq!(hint(other), None, "{other}");
        }
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        assert_eq!(normalized(" hrb 310-45 "), "HRB31045");
    }

    #[test]
    fn a_directory_names_a_company_and_its_number_and_nothing_too_long() {
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
    fn a_public_record_does_not_say_how_a_corporation_is_reached() {
        let whole = Organization {
            corp_name: "Nordbil".into(),
            company_email: "info@nordbil.example".into(),
            company_phone: "090 17".into(),
            ..Organization::default()
        };
        assert_eq!(public(whole), Organization { corp_name: "Nordbil".into(), ..Organization::default() });
    }

    #[test]
    fn a_look_up_needs_a_number_under_either_of_its_names() {
        let query = |number: &str, legal: &str| OrganizationQuery {
            organization_number: number.into(),
            legal_id: legal.into(),
        };
        assert_eq!(errors(query(" - ", ""))[0].message, "Please enter an organization number");
        let Ok(found) = check(query("", " 559360-9844 ")) else { panic!("the number stands under its other name") };
        assert_eq!(found.organization_number, "559360-9844");
    }
}
