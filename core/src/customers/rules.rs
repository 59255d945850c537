//! Rules of customers.

use super::{
    AgreementType, CustomerFilter, CustomerInput, CustomerStatus, CustomerType, CustomerUpdateInput, NUMBER_PREFIX,
    text,
};
use crate::date::Date;
use crate::form::{
    FieldError, Form, Rules, Texts, UpdateForm, errors_of, normalize_fields, normalize_line, take_first_non_empty,
};
use crate::money::Money;
use crate::permissions::ResourceId;
use crate::secret::expose_or_empty;
use validator::ValidateRange;

const NUMBER: &str = "socialSecurityNumber";

/// Maximum length of a customer's text fields without a limit of their own, in characters.
pub const TEXT_MAX: u64 = 200;
const ADDRESS_MAX: u64 = 1_000;

impl CustomerType {
    /// Returns whether customers of this type have an organization number instead of a social security number.
    pub fn is_company(self) -> bool {
        matches!(self, CustomerType::Business | CustomerType::Company)
    }
}

/// Formats a customer number as it is shown, such as `C-1042`.
pub fn customer_number(number: i64) -> String {
    format!("{NUMBER_PREFIX}{number}")
}

impl CustomerInput {
    /// Returns the customer type, or `None` if the text is not a type.
    pub fn customer_type(&self) -> Option<CustomerType> {
        CustomerType::parse(&self.customer_type)
    }

    /// Returns the status, or `None` if the text is not a status. An empty text counts as Active, but an update with
    /// one keeps the stored status.
    pub fn status(&self) -> Option<CustomerStatus> {
        if self.status.is_empty() { Some(CustomerStatus::Active) } else { CustomerStatus::parse(&self.status) }
    }

    /// Returns the type of agreement, or `None` if the text is empty or no type of agreement.
    pub fn agreement_type(&self) -> Option<AgreementType> {
        self.agreement_type.as_deref().and_then(AgreementType::parse)
    }

    pub fn latest_purchase(&self) -> Option<Date> {
        self.latest_purchase.as_deref().and_then(Date::parse)
    }
}

impl Form for CustomerInput {
    fn normalize(&mut self) {
        self.normalize_texts();
        normalize_line(self.personal_number.expose_secret_mut());
        for text in [
            &mut self.agreement_type,
            &mut self.latest_purchase,
            &mut self.company_name,
            &mut self.warranty,
            &mut self.warranty_period,
        ]
        .into_iter()
        .flatten()
        {
            normalize_line(text);
        }
        if let Some(number) = &mut self.social_security_number {
            normalize_line(number.expose_secret_mut());
        }
        let alternative = std::mem::take(&mut self.personal_number);
        if !alternative.expose_secret().is_empty() && expose_or_empty(&self.social_security_number).is_empty() {
            self.social_security_number = Some(alternative);
        }
        self.organization_number = take_first_non_empty(&mut self.organization_number, &mut self.org_number);
        // A company or business has no social security number, and no other customer an organization number. Remove it.
        match self.customer_type() {
            Some(kind) if kind.is_company() => self.social_security_number = None,
            Some(_) => self.organization_number.clear(),
            None => {}
        }
    }

    fn rules(&self, rules: &mut Rules) {
        self.declare_rules(rules, true);
        self.declare_total_rule(rules, &[]);
    }
}

impl Form for CustomerUpdateInput {
    fn normalize(&mut self) {
        self.0.normalize();
    }

    fn rules(&self, rules: &mut Rules) {
        self.0.declare_rules(rules, self.0.social_security_number.is_some());
    }
}

impl UpdateForm for CustomerUpdateInput {
    fn base(&self) -> (Option<i64>, Option<&str>) {
        self.0.base()
    }
}

impl CustomerInput {
    fn declare_rules(&self, rules: &mut Rules, needs_social_security_number: bool) {
        rules.field("name", &self.name).required(text::NAME_REQUIRED).max(TEXT_MAX);
        rules.field("email", &self.email).required_email(text::EMAIL_REQUIRED, text::EMAIL_INVALID);
        rules.field("telephone", &self.telephone).phone(text::TELEPHONE_REQUIRED);
        rules.field("address", &self.address).required(text::ADDRESS_REQUIRED).max(ADDRESS_MAX);
        rules
            .field("type", &self.customer_type)
            .required(text::TYPE_REQUIRED)
            .parses(CustomerType::parse, text::TYPE_UNKNOWN);
        if self.customer_type().is_some_and(CustomerType::is_company) {
            rules
                .field("organizationNumber", &self.organization_number)
                .required(text::ORGANIZATION_NUMBER_REQUIRED)
                .max(TEXT_MAX);
        } else {
            let number = rules.field(NUMBER, expose_or_empty(&self.social_security_number));
            let number = match needs_social_security_number {
                true => number.required(text::SOCIAL_SECURITY_NUMBER_REQUIRED),
                false => number,
            };
            number.max(TEXT_MAX);
        }
        rules.field("postalCode", &self.postal_code).max(TEXT_MAX);
        rules.field("location", &self.location).max(TEXT_MAX);
        rules.field("status", &self.status).parses(CustomerStatus::parse, text::STATUS_UNKNOWN);
        rules.field("role", &self.role).max(TEXT_MAX);
        let agreement_type = self.agreement_type.as_deref().unwrap_or_default();
        rules.field("agreementType", agreement_type).parses(AgreementType::parse, text::AGREEMENT_UNKNOWN);
        let latest_purchase = self.latest_purchase.as_deref().unwrap_or_default();
        rules.field("latestPurchase", latest_purchase).parses(Date::parse, text::DATE_INVALID);
        for (name, value) in [
            ("companyName", &self.company_name),
            ("warranty", &self.warranty),
            ("warrantyPeriod", &self.warranty_period),
        ] {
            rules.field(name, value.as_deref().unwrap_or_default()).max(TEXT_MAX);
        }
    }

    /// The total may be negative only if it is one of the `stored` ones.
    fn declare_total_rule(&self, rules: &mut Rules, stored: &[Money]) {
        let spent = self.total_spent.unwrap_or_default();
        let is_valid = spent >= Money::default() || stored.contains(&spent);
        rules.require("totalSpent", is_valid, text::TOTAL_SPENT_NEGATIVE);
    }
}

impl CustomerUpdateInput {
    pub fn keeps_stored_number(&self) -> bool {
        self.0.social_security_number.is_none() && !self.0.customer_type().is_some_and(CustomerType::is_company)
    }
}

/// Returns a validation error if the update keeps the stored social security number of a customer who needs one but has
/// none stored. `has_or_needs_none`: a number is stored, or none is needed, as after an erasure.
pub fn check_number_is_stored(change: &CustomerUpdateInput, has_or_needs_none: bool) -> Vec<FieldError> {
    errors_of(|rules| {
        rules.require(
            NUMBER,
            has_or_needs_none || !change.keeps_stored_number(),
            text::SOCIAL_SECURITY_NUMBER_REQUIRED,
        );
    })
}

/// Returns a validation error if the update sets a negative total. `stored` are the totals that the customer has: the
/// shown one and, if it follows from agreements, the typed one. A stored negative total from before this rule may stay.
pub fn check_total_spent(change: &CustomerUpdateInput, stored: &[Money]) -> Vec<FieldError> {
    errors_of(|rules| change.0.declare_total_rule(rules, stored))
}

impl CustomerFilter {
    pub fn customer_type(&self) -> Option<CustomerType> {
        CustomerType::parse(&self.type_adv)
    }

    pub fn status(&self) -> Option<CustomerStatus> {
        CustomerStatus::parse(&self.status_adv)
    }

    /// Returns whether lists of `resource` accept this filter. Only customers have one.
    pub fn is_allowed_for(&self, resource: ResourceId) -> bool {
        resource == ResourceId::Customers || *self == CustomerFilter::default()
    }

    /// Returns the first day of the filter (inclusive), or `None` without a lower bound.
    pub fn from(&self) -> Option<Date> {
        Date::parse(&self.from_date)
    }

    /// Returns the last day of the filter (inclusive), or `None` without an upper bound.
    pub fn to(&self) -> Option<Date> {
        Date::parse(&self.to_date)
    }
}

impl Form for CustomerFilter {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.type_adv, &mut self.status_adv, &mut self.from_date, &mut self.to_date]);
    }

    fn rules(&self, rules: &mut Rules) {
        rules.field("typeAdv", &self.type_adv).parses(CustomerType::parse, text::TYPE_UNKNOWN);
        rules.field("statusAdv", &self.status_adv).parses(CustomerStatus::parse, text::STATUS_UNKNOWN);
        rules.field("fromDate", &self.from_date).parses(Date::parse, text::DATE_INVALID);
        rules.field("toDate", &self.to_date).parses(Date::parse, text::DATE_INVALID);
        rules.require("toDate", self.to().validate_range(self.from(), None, None, None), text::DATES_REVERSED);
    }
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

    fn number(form: &CustomerInput) -> &str {
        expose_or_empty(&form.social_security_number)
    }

    fn messages(form: CustomerInput) -> Vec<(String, String)> {
        errors(form).into_iter().map(|e| (e.field, e.message.into())).collect()
    }

    #[test]
    fn an_empty_form_reports_all_missing_fields_in_screen_order() {
        let fields = |e: &(String, String)| e.0.clone();
        let empty = messages(CustomerInput::default());
        let names = ["name", "email", "telephone", "address", "type", "socialSecurityNumber"];
        assert_eq!(empty.iter().map(fields).collect::<Vec<_>>(), names);
        let texts: Vec<_> = empty.iter().map(|e| e.1.as_str()).collect();
        assert_eq!(
            texts,
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
    fn companies_and_businesses_need_an_organization_number_instead() {
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
    fn removes_the_number_that_the_type_does_not_have() {
        let both = CustomerInput { social_security_number: Some("19121212-1212".into()), ..company("Company") };
        let form = check(both).unwrap();
        assert!(form.social_security_number.is_none() && form.organization_number == "556036-0793");
        let both = CustomerInput { organization_number: "556036-0793".into(), ..private() };
        let form = check(both).unwrap();
        assert_eq!((number(&form), form.organization_number.as_str()), ("19121212-1212", ""));
    }

    #[test]
    fn accepts_the_alternative_names_of_both_numbers() {
        let form = CustomerInput { social_security_number: None, personal_number: "19121212-1212".into(), ..private() };
        assert_eq!(number(&check(form).unwrap()), "19121212-1212");
        let form = CustomerInput {
            organization_number: String::new(),
            org_number: "556036-0793".into(),
            ..company("Company")
        };
        assert_eq!(check(form).unwrap().organization_number, "556036-0793");
    }

    #[test]
    fn an_update_may_omit_the_social_security_number_but_not_empty_it() {
        let change = |json: &str| {
            let mut form = serde_json::json!({
                "name": "Ada Lindqvist", "email": "ada@example.se", "telephone": "+46 70 123 45 67",
                "address": "Storgatan 1, Malmö", "type": "Private", "socialSecurityNumber": "19121212-1212",
            });
            for (name, value) in serde_json::from_str::<serde_json::Map<_, _>>(json).unwrap() {
                form[name] = value;
            }
            serde_json::from_value::<CustomerUpdateInput>(form).unwrap()
        };
        for json in [r#"{"socialSecurityNumber":null}"#, r#"{"socialSecurityNumber":null,"personalNumber":""}"#] {
            let form = check(change(json)).unwrap().into_inner();
            assert!(form.keeps_stored_number(), "{json}");
            assert_eq!(check_number_is_stored(&form, true), []);
            assert_eq!(check_number_is_stored(&form, false)[0].message, text::SOCIAL_SECURITY_NUMBER_REQUIRED.as_str());
        }
        let emptied = errors(change(r#"{"socialSecurityNumber":" "}"#));
        assert_eq!(emptied[0].message, text::SOCIAL_SECURITY_NUMBER_REQUIRED.as_str());
        for changed in [r#"{"socialSecurityNumber":"1"}"#, r#"{"socialSecurityNumber":"","personalNumber":"1"}"#] {
            let form = check(change(changed)).unwrap();
            assert_eq!((form.keeps_stored_number(), number(&form.0)), (false, "1"));
        }
        let company = check(change(r#"{"type":"Company","organizationNumber":"556036-0793"}"#)).unwrap();
        assert!(!company.keeps_stored_number() && company.0.social_security_number.is_none());
        assert_eq!(errors(CustomerInput { social_security_number: None, ..private() }).len(), 1, "a new customer");
    }

    #[test]
    fn rejects_unknown_types_statuses_agreements_and_dates() {
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
    fn rejects_a_negative_total() {
        let form = |pence| CustomerInput { total_spent: Money::from_pence(pence), ..private() };
        assert_eq!(messages(form(-1)), [("totalSpent".to_owned(), text::TOTAL_SPENT_NEGATIVE.to_string())]);
        assert!(messages(form(0)).is_empty());
    }

    #[test]
    fn an_update_keeps_a_stored_negative_total_but_sets_no_other() {
        let change = |pence| CustomerUpdateInput(CustomerInput { total_spent: Money::from_pence(pence), ..private() });
        let stored = [-1, 5].map(Money::saturating_from_pence);
        for pence in [-1, 0, 5] {
            let change = check(change(pence)).unwrap();
            assert!(check_total_spent(&change, &stored).is_empty(), "{pence}");
        }
        assert_eq!(check_total_spent(&change(-2), &stored)[0].message, text::TOTAL_SPENT_NEGATIVE.as_str());
    }

    #[test]
    fn a_filter_rejects_unknown_values_and_reversed_dates() {
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
        assert_eq!(days("2026-02-02", "2026-02-01")[0].message, text::DATES_REVERSED.as_str());
        assert!(days("2026-02-01", "2026-02-01").is_empty() && days("2026-02-01", "").is_empty());
    }
}
