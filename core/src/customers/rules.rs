//! What must hold of a customer (specification section 5, decisions 4.5).

use super::{
    AgreementType, CustomerFilter, CustomerInput, CustomerStatus, CustomerType, CustomerUpdateInput, PersonInput, text,
};
use crate::date::Date;
use crate::form::{FieldError, Form, Sheet, either, errors_of, trim};

const NUMBER: &str = "socialSecurityNumber";

/// The longest text of a customer's one-line fields, in characters.
pub const TEXT_MAX: u64 = 200;
const ADDRESS_MAX: u64 = 1_000;

impl CustomerType {
    /// Is it held to the rules of a company, which has an organization number and no social security number?
    pub fn is_company(self) -> bool {
        matches!(self, CustomerType::Business | CustomerType::Company)
    }
}

impl CustomerInput {
    /// The type that is meant; none if it is no type.
    pub fn customer_type(&self) -> Option<CustomerType> {
        CustomerType::parse(&self.customer_type)
    }

    pub fn status(&self) -> Option<CustomerStatus> {
        if self.status.is_empty() { Some(CustomerStatus::Active) } else { CustomerStatus::parse(&self.status) }
    }

    /// The agreement; none where there is none, and where it is no agreement.
    pub fn agreement_type(&self) -> Option<AgreementType> {
        self.agreement_type.as_deref().and_then(AgreementType::parse)
    }

    pub fn latest_purchase(&self) -> Option<Date> {
        self.latest_purchase.as_deref().and_then(Date::parse)
    }
}

impl Form for CustomerInput {
    fn tidy(&mut self) {
        for text in [
            &mut self.name,
            &mut self.email,
            &mut self.telephone,
            &mut self.address,
            &mut self.customer_type,
            &mut self.personal_number,
            &mut self.organization_number,
            &mut self.org_number,
            &mut self.postal_code,
            &mut self.location,
            &mut self.status,
            &mut self.role,
        ] {
            trim(text);
        }
        for text in [
            &mut self.social_security_number,
            &mut self.agreement_type,
            &mut self.latest_purchase,
            &mut self.company_name,
            &mut self.warranty,
            &mut self.warranty_period,
        ]
        .into_iter()
        .flatten()
        {
            trim(text);
        }
        let spelled = std::mem::take(&mut self.personal_number);
        if !spelled.is_empty() && self.social_security_number.as_deref().is_none_or(str::is_empty) {
            self.social_security_number = Some(spelled);
        }
        self.organization_number = either(&mut self.organization_number, &mut self.org_number);
        // One type has the one number, the other types the other; what was typed for another type is not kept.
        match self.customer_type() {
            Some(kind) if kind.is_company() => self.social_security_number = None,
            Some(_) => self.organization_number.clear(),
            None => {}
        }
    }

    fn rules(&self, sheet: &mut Sheet) {
        self.state_rules(sheet, true);
    }
}

impl Form for CustomerUpdateInput {
    fn tidy(&mut self) {
        self.0.tidy();
    }

    fn rules(&self, sheet: &mut Sheet) {
        self.0.state_rules(sheet, self.0.social_security_number.is_some());
    }
}

impl CustomerInput {
    fn state_rules(&self, sheet: &mut Sheet, needs_social_security_number: bool) {
        sheet.field("name", &self.name).required(text::NAME_REQUIRED).max(TEXT_MAX);
        sheet.field("email", &self.email).mandatory_email(text::EMAIL_REQUIRED, text::EMAIL_INVALID);
        sheet.field("telephone", &self.telephone).phone(text::TELEPHONE_REQUIRED);
        sheet.field("address", &self.address).required(text::ADDRESS_REQUIRED).max(ADDRESS_MAX);
        let kind = self.customer_type();
        sheet
            .field("type", &self.customer_type)
            .required(text::TYPE_REQUIRED)
            .matches(|_| kind.is_some(), text::TYPE_UNKNOWN);
        if kind.is_some_and(CustomerType::is_company) {
            sheet
                .field("organizationNumber", &self.organization_number)
                .required(text::ORGANIZATION_NUMBER_REQUIRED)
                .max(TEXT_MAX);
        } else {
            let number = sheet.field(NUMBER, self.social_security_number.as_deref().unwrap_or_default());
            let number = match needs_social_security_number {
                true => number.required(text::SOCIAL_SECURITY_NUMBER_REQUIRED),
                false => number,
            };
            number.max(TEXT_MAX);
        }
        sheet.field("postalCode", &self.postal_code).max(TEXT_MAX);
        sheet.field("location", &self.location).max(TEXT_MAX);
        sheet.rule("status", self.status().is_some(), text::STATUS_UNKNOWN);
        sheet.field("role", &self.role).max(TEXT_MAX);
        let is_none = |text: &Option<String>| text.as_deref().is_none_or(str::is_empty);
        let known = is_none(&self.agreement_type) || self.agreement_type().is_some();
        sheet.rule("agreementType", known, text::AGREEMENT_UNKNOWN);
        let there_is = is_none(&self.latest_purchase) || self.latest_purchase().is_some();
        sheet.rule("latestPurchase", there_is, text::DATE_INVALID);
        for (name, value) in [
            ("companyName", &self.company_name),
            ("warranty", &self.warranty),
            ("warrantyPeriod", &self.warranty_period),
        ] {
            sheet.field(name, value.as_deref().unwrap_or_default()).max(TEXT_MAX);
        }
    }
}

impl CustomerUpdateInput {
    /// Does the customer keep the stored social security number?
    pub fn keeps_number(&self) -> bool {
        self.0.social_security_number.is_none() && !self.0.customer_type().is_some_and(CustomerType::is_company)
    }
}

/// Returns what is wrong with a change that leaves the social security number out, given whether one is stored.
pub fn check_number_is_stored(change: &CustomerUpdateInput, is_stored: bool) -> Vec<FieldError> {
    errors_of(|sheet| sheet.rule(NUMBER, is_stored || !change.keeps_number(), text::SOCIAL_SECURITY_NUMBER_REQUIRED))
}

impl CustomerFilter {
    pub fn customer_type(&self) -> Option<CustomerType> {
        CustomerType::parse(&self.type_adv)
    }

    pub fn status(&self) -> Option<CustomerStatus> {
        CustomerStatus::parse(&self.status_adv)
    }

    /// The first day; none where there is no such bound.
    pub fn from(&self) -> Option<Date> {
        Date::parse(&self.from_date)
    }

    /// The last day, which is inside.
    pub fn to(&self) -> Option<Date> {
        Date::parse(&self.to_date)
    }
}

impl Form for CustomerFilter {
    fn tidy(&mut self) {
        for text in [&mut self.type_adv, &mut self.status_adv, &mut self.from_date, &mut self.to_date] {
            trim(text);
        }
    }

    fn rules(&self, sheet: &mut Sheet) {
        sheet.rule("typeAdv", self.type_adv.is_empty() || self.customer_type().is_some(), text::TYPE_UNKNOWN);
        sheet.rule("statusAdv", self.status_adv.is_empty() || self.status().is_some(), text::STATUS_UNKNOWN);
        sheet.rule("fromDate", self.from_date.is_empty() || self.from().is_some(), text::DATE_INVALID);
        sheet.rule("toDate", self.to_date.is_empty() || self.to().is_some(), text::DATE_INVALID);
        let reversed = matches!((self.from(), self.to()), (Some(from), Some(to)) if from > to);
        sheet.rule("toDate", !reversed, text::DATES_REVERSED);
    }
}

impl Form for PersonInput {
    fn tidy(&mut self) {
        trim(&mut self.phone_number);
    }

    fn rules(&self, sheet: &mut Sheet) {
        sheet
            .field("phoneNumber", &self.phone_number)
            .phone(text::TELEPHONE_REQUIRED)
            .matches(|number| !telephone_key(number).is_empty(), text::TELEPHONE_REQUIRED);
    }
}

/// A telephone number as it is compared: its digits, without the zeros that lead out of a country.
pub fn telephone_key(telephone: &str) -> String {
    let digits: String = telephone.chars().filter(char::is_ascii_digit).collect();
    digits.strip_prefix("00").map(str::to_owned).unwrap_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors};

    fn private() -> CustomerInput {
        CustomerInput {
            name: "Ada Lindqvist".into(),
            email: "ada@example.se".into(),
            telephone: "+46 70 123 45 67".into(),
            address: "Storgatan 1, Malmö".into(),
            customer_type: "Private".into(),
            social_security_number: Some("19121212-1212".into()),
            ..CustomerInput::default()
        }
    }

    fn company(customer_type: &str) -> CustomerInput {
        CustomerInput {
            customer_type: customer_type.into(),
            social_security_number: None,
            organization_number: "556036-0793".into(),
            ..private()
        }
    }

    fn messages(form: CustomerInput) -> Vec<(String, String)> {
        errors(form).into_iter().map(|e| (e.field, e.message)).collect()
    }

    #[test]
    fn a_customer_needs_name_email_telephone_address_type_and_a_number_in_the_order_of_the_screen() {
        let fields = |e: &(String, String)| e.0.clone();
        let empty = messages(CustomerInput::default());
        let names = ["name", "email", "telephone", "address", "type", "socialSecurityNumber"];
        assert_eq!(empty.iter().map(fields).collect::<Vec<_>>(), names);
        let sentences: Vec<_> = empty.iter().map(|e| e.1.as_str()).collect();
        assert_eq!(
            sentences,
            [
                "Name is required.",
                "Email is required.",
                "Telephone is required.",
                "Address is required.",
                "Type is required.",
                "Social security number is required.",
            ]
        );
        assert_eq!(messages(private()), []);
        let form = CustomerInput { email: "ada".into(), ..private() };
        assert_eq!(messages(form)[0].1, "Invalid email address.");
    }

    #[test]
    fn a_company_and_a_business_need_an_organization_number_instead() {
        for kind in ["Company", "Business"] {
            assert_eq!(messages(company(kind)), []);
            let form = CustomerInput { organization_number: String::new(), ..company(kind) };
            assert_eq!(messages(form)[0].1, "Organization number is required.");
        }
        for kind in ["Private", "Agency", "Client"] {
            assert_eq!(messages(company(kind))[0].1, "Social security number is required.", "{kind}");
        }
    }

    #[test]
    fn the_number_of_another_type_is_not_kept() {
        let both = CustomerInput { social_security_number: Some("19121212-1212".into()), ..company("Company") };
        let kept = check(both).unwrap();
        assert_eq!((kept.social_security_number.as_deref(), kept.organization_number.as_str()), (None, "556036-0793"));
        let both = CustomerInput { organization_number: "556036-0793".into(), ..private() };
        let kept = check(both).unwrap();
        assert_eq!(
            (kept.social_security_number.as_deref(), kept.organization_number.as_str()),
            (Some("19121212-1212"), "")
        );
    }

    #[test]
    fn each_number_has_a_second_spelling() {
        let spelled =
            CustomerInput { social_security_number: None, personal_number: "19121212-1212".into(), ..private() };
        assert_eq!(check(spelled).unwrap().social_security_number.as_deref(), Some("19121212-1212"));
        let spelled = CustomerInput {
            organization_number: String::new(),
            org_number: "556036-0793".into(),
            ..company("Company")
        };
        assert_eq!(check(spelled).unwrap().organization_number, "556036-0793");
    }

    #[test]
    fn a_change_may_leave_the_social_security_number_out_but_not_empty_it() {
        let change = |json: &str| {
            let mut form = serde_json::to_value(private()).unwrap();
            for (name, value) in serde_json::from_str::<serde_json::Map<_, _>>(json).unwrap() {
                form[name] = value;
            }
            serde_json::from_value::<CustomerUpdateInput>(form).unwrap()
        };
        for kept in [r#"{"socialSecurityNumber":null}"#, r#"{"socialSecurityNumber":null,"personalNumber":""}"#] {
            let form = check(change(kept)).unwrap().into_inner();
            assert!(form.keeps_number(), "{kept}");
            assert_eq!(check_number_is_stored(&form, true), []);
            assert_eq!(check_number_is_stored(&form, false)[0].message, text::SOCIAL_SECURITY_NUMBER_REQUIRED);
        }
        let emptied = errors(change(r#"{"socialSecurityNumber":" "}"#));
        assert_eq!(emptied[0].message, text::SOCIAL_SECURITY_NUMBER_REQUIRED);
        for changed in [r#"{"socialSecurityNumber":"1"}"#, r#"{"socialSecurityNumber":"","personalNumber":"1"}"#] {
            let form = check(change(changed)).unwrap();
            assert_eq!((form.keeps_number(), form.0.social_security_number.as_deref()), (false, Some("1")));
        }
        let company = check(change(r#"{"type":"Company","organizationNumber":"556036-0793"}"#)).unwrap();
        assert_eq!((company.keeps_number(), &company.0.social_security_number), (false, &None));
        assert_eq!(errors(CustomerInput { social_security_number: None, ..private() }).len(), 1, "but not a new one");
    }

    #[test]
    fn types_statuses_agreements_and_dates_are_told_beside_their_fields() {
        let form = CustomerInput {
            customer_type: "private".into(),
            status: "Gone".into(),
            agreement_type: Some("Rental".into()),
            latest_purchase: Some("2026-02-30".into()),
            ..private()
        };
        let fields: Vec<_> = messages(form).into_iter().map(|e| e.0).collect();
        assert_eq!(fields, ["type", "status", "agreementType", "latestPurchase"]);
        assert_eq!(private().status(), Some(CustomerStatus::Active));
    }

    #[test]
    fn a_filter_names_what_cannot_be_read_and_days_in_the_wrong_order() {
        let filter = CustomerFilter {
            type_adv: "Dog".into(),
            status_adv: "Gone".into(),
            from_date: "yesterday".into(),
            to_date: "2026-1-1".into(),
        };
        let fields: Vec<_> = errors(filter).into_iter().map(|e| e.field).collect();
        assert_eq!(fields, ["typeAdv", "statusAdv", "fromDate", "toDate"]);
        let days = |from: &str, to: &str| {
            errors(CustomerFilter { from_date: from.into(), to_date: to.into(), ..CustomerFilter::default() })
        };
        assert_eq!(days("2026-02-02", "2026-02-01")[0].message, text::DATES_REVERSED);
        assert!(days("2026-02-01", "2026-02-01").is_empty() && days("2026-02-01", "").is_empty());
    }

    #[test]
    fn a_telephone_number_is_compared_by_its_digits() {
        assert_eq!(telephone_key("+46 (0)70-123 45 67"), telephone_key("0046070 1234567"));
        assert_eq!(telephone_key("none"), "");
    }
}
