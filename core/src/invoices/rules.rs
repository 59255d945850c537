//! Rules of invoices.

use super::{InvoiceInput, text};
use crate::date::Date;
use crate::form::{FieldError, Form, Rules, Texts, errors_of, normalize_line, normalize_lines};
use crate::lists::is_uuid;
use crate::money::Money;
use crate::text::{DATE_INVALID, EMAIL_INVALID};
use validator::{ValidateRange, ValidateRequired};

const CUSTOMER_ID: &str = "customer_id";
const TEXT_MAX: u64 = 200;
const WEBSITE_MAX: u64 = 2_000;
const REQUIREMENTS_MAX: u64 = 10_000;

impl InvoiceInput {
    pub fn start_date(&self) -> Option<Date> {
        Date::parse(&self.start_date)
    }

    pub fn end_date(&self) -> Option<Date> {
        Date::parse(&self.end_date)
    }

    /// Returns the price, or `None` if it is invalid or not greater than 0.
    pub fn project_price(&self) -> Option<Money> {
        self.project_price.positive()
    }
}

impl Form for InvoiceInput {
    fn normalize(&mut self) {
        self.normalize_texts();
        if let Some(customer) = &mut self.customer_id {
            normalize_line(customer);
        }
        if let Some(requirements) = &mut self.customer_requirements {
            normalize_lines(requirements);
        }
    }

    fn rules(&self, rules: &mut Rules) {
        rules.field("customer", &self.customer).required(text::CUSTOMER_REQUIRED).max(TEXT_MAX);
        let customer_id = self.customer_id.as_deref().unwrap_or_default();
        rules.require(CUSTOMER_ID, customer_id.is_empty() || is_uuid(customer_id), text::CUSTOMER_UNKNOWN);
        rules.field("website", &self.website).required(text::WEBSITE_REQUIRED).max(WEBSITE_MAX).website();
        rules.field("email", &self.email).required_email(text::EMAIL_REQUIRED, EMAIL_INVALID);
        let requirements = self.customer_requirements.as_deref().unwrap_or_default();
        rules.field("customerRequirements", requirements).max(REQUIREMENTS_MAX);
        rules
            .field("startDate", &self.start_date)
            .required(text::START_DATE_REQUIRED)
            .parses(Date::parse, DATE_INVALID);
        let (start, end) = (self.start_date(), self.end_date());
        rules
            .field("endDate", &self.end_date)
            .required(text::END_DATE_REQUIRED)
            .parses(Date::parse, DATE_INVALID)
            .matches(|_| end.validate_range(start, None, None, None), text::DATES_REVERSED);
        rules.require("projectPrice", self.project_price().validate_required(), text::PRICE_INVALID);
    }
}

/// Returns the validation error of `customer_id`, for an invoice whose customer does not exist.
pub fn unknown_customer_errors() -> Vec<FieldError> {
    errors_of(|rules| rules.require(CUSTOMER_ID, false, text::CUSTOMER_UNKNOWN))
}

#[cfg(test)]
mod tests {
    use super::super::Price;
    use super::*;
    use crate::form::{FormSettings, check_update, errors, messages};

    fn valid() -> InvoiceInput {
        InvoiceInput {
            customer: "Nordbil".into(),
            website: "nordbil.example".into(),
            email: "ada@example.se".into(),
            start_date: "2026-01-31".into(),
            end_date: "2026-01-31".into(),
            project_price: Price::Text("0.01".into()),
            ..InvoiceInput::default()
        }
    }

    #[test]
    fn an_empty_form_reports_all_missing_fields_in_screen_order() {
        assert_eq!(
            messages(InvoiceInput::default()),
            [
                "Customer name is required",
                "Website is required",
                "Email is required",
                "Start date is required",
                "End date is required",
                "Please enter a valid project price",
            ]
        );
        assert!(messages(valid()).is_empty());
    }

    #[test]
    fn the_customers_id_is_optional_but_must_be_an_id() {
        let form = |id: Option<&str>| InvoiceInput { customer_id: id.map(str::to_owned), ..valid() };
        for id in [None, Some(" "), Some(" 01900000-0000-7000-8000-000000000000 ")] {
            assert!(messages(form(id)).is_empty(), "{id:?}");
        }
        assert_eq!(messages(form(Some("C-1042"))), [text::CUSTOMER_UNKNOWN.as_str()]);
        assert_eq!(unknown_customer_errors(), errors(form(Some("x"))));
    }

    #[test]
    fn rejects_an_invalid_website_unless_it_is_stored() {
        let check = |stored: Option<&str>| {
            let form = InvoiceInput { website: "javascript:alert(1)".into(), ..valid() };
            check_update(FormSettings::default(), form, stored.map(str::to_owned))
        };
        for stored in [None, Some("nordbil.se")] {
            assert_eq!(check(stored).unwrap_err()[0].message, crate::text::WEBSITE_INVALID.as_str());
        }
        assert!(check(Some("javascript:alert(1)")).is_ok());
    }

    #[test]
    fn the_end_date_may_equal_the_start_date_but_not_precede_it() {
        let form = InvoiceInput { end_date: "2026-01-30".into(), ..valid() };
        assert_eq!(messages(form), ["End date must be after start date"]);
        let form = InvoiceInput { start_date: "soon".into(), end_date: "2026-02-30".into(), ..valid() };
        assert_eq!(messages(form), ["Please enter a valid date", "Please enter a valid date"]);
    }

    #[test]
    fn a_price_is_positive_and_exact_as_a_number_or_a_text() {
        for bad in ["0", "0.00", "-1", "1.234", "a", ""] {
            let form = InvoiceInput { project_price: Price::Text(bad.into()), ..valid() };
            assert_eq!(messages(form), ["Please enter a valid project price"], "{bad}");
        }
        let read = |json: &str| serde_json::from_str::<InvoiceInput>(json).unwrap();
        assert_eq!(read(r#"{"projectPrice":19.99}"#).project_price().map(Money::pence), Some(1999));
        assert_eq!(read(r#"{"projectPrice":" 19.99 "}"#).project_price().map(Money::pence), Some(1999));
        for bad in [r#"{"projectPrice":19.999}"#, r#"{"projectPrice":null}"#, r#"{"projectPrice":"x"}"#, "{}"] {
            assert_eq!(read(bad).project_price(), None, "{bad}");
        }
    }

    #[test]
    fn zero_is_neither_negative_nor_positive() {
        for (pounds, not_negative, positive) in [(-0.01, None, None), (0.0, Some(0), None), (0.01, Some(1), Some(1))] {
            let price = Price::Number(pounds);
            let found = (price.not_negative().map(Money::pence), price.positive().map(Money::pence));
            assert_eq!(found, (not_negative, positive), "{pounds}");
        }
    }
}
