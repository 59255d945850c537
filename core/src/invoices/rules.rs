//! What must hold of an invoice (specification section 5, decisions 4.6).

use super::{InvoiceInput, text};
use crate::date::Date;
use crate::form::{Form, Sheet, trim, trim_lines};
use crate::money::Money;
use crate::text::EMAIL_INVALID;

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

    /// The price; none if it isn't one, or isn't above nothing.
    pub fn project_price(&self) -> Option<Money> {
        self.project_price.money().filter(|price| price.pence() > 0)
    }
}

impl Form for InvoiceInput {
    fn tidy(&mut self) {
        for text in [&mut self.customer, &mut self.website, &mut self.email, &mut self.start_date, &mut self.end_date] {
            trim(text);
        }
        if let Some(requirements) = &mut self.customer_requirements {
            trim_lines(requirements);
        }
    }

    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("customer", &self.customer).required(text::CUSTOMER_REQUIRED).max(TEXT_MAX);
        let stored = self.stored_website.as_deref();
        sheet.field("website", &self.website).required(text::WEBSITE_REQUIRED).max(WEBSITE_MAX).website(stored);
        sheet.field("email", &self.email).mandatory_email(text::EMAIL_REQUIRED, EMAIL_INVALID);
        let requirements = self.customer_requirements.as_deref().unwrap_or_default();
        sheet.field("customerRequirements", requirements).max(REQUIREMENTS_MAX);
        let (start, end) = (self.start_date(), self.end_date());
        sheet
            .field("startDate", &self.start_date)
            .required(text::START_DATE_REQUIRED)
            .matches(|_| start.is_some(), text::DATE_INVALID);
        sheet
            .field("endDate", &self.end_date)
            .required(text::END_DATE_REQUIRED)
            .matches(|_| end.is_some(), text::DATE_INVALID)
            .matches(|_| start.is_none() || start <= end, text::DATES_REVERSED);
        sheet.rule("projectPrice", self.project_price().is_some(), text::PRICE_INVALID);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Price;
    use super::*;
    use crate::form::errors;

    fn whole() -> InvoiceInput {
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

    fn sentences(form: InvoiceInput) -> Vec<String> {
        errors(form).into_iter().map(|e| e.message).collect()
    }

    #[test]
    fn an_invoice_says_all_that_it_lacks_in_the_order_of_the_screen() {
        assert_eq!(
            sentences(InvoiceInput::default()),
            [
                "Customer name is required",
                "Website is required",
                "Email is required",
                "Start date is required",
                "End date is required",
                "Please enter a valid project price",
            ]
        );
        assert!(sentences(whole()).is_empty());
    }

    #[test]
    fn rejects_a_website_that_is_none_unless_it_is_stored() {
        let form = |stored: Option<&str>| {
            let stored_website = stored.map(str::to_owned);
            InvoiceInput { website: "javascript:alert(1)".into(), stored_website, ..whole() }
        };
        assert_eq!(sentences(form(None)), [crate::text::WEBSITE_INVALID]);
        assert_eq!(sentences(form(Some("nordbil.se"))), [crate::text::WEBSITE_INVALID]);
        assert!(sentences(form(Some("javascript:alert(1)"))).is_empty());
    }

    #[test]
    fn it_may_end_on_the_day_it_starts_but_not_before() {
        let form = InvoiceInput { end_date: "2026-01-30".into(), ..whole() };
        assert_eq!(sentences(form), ["End date must be after start date"]);
        let form = InvoiceInput { start_date: "soon".into(), end_date: "2026-02-30".into(), ..whole() };
        assert_eq!(sentences(form), ["Please enter a valid date", "Please enter a valid date"]);
    }

    #[test]
    fn a_price_is_above_nothing_and_exact_to_the_penny_however_it_comes() {
        for bad in ["0", "0.00", "-1", "1.234", "a", ""] {
            let form = InvoiceInput { project_price: Price::Text(bad.into()), ..whole() };
            assert_eq!(sentences(form), ["Please enter a valid project price"], "{bad}");
        }
        let read = |json: &str| serde_json::from_str::<InvoiceInput>(json).unwrap();
        assert_eq!(read(r#"{"projectPrice":19.99}"#).project_price().map(Money::pence), Some(1999));
        assert_eq!(read(r#"{"projectPrice":" 19.99 "}"#).project_price().map(Money::pence), Some(1999));
        for bad in [r#"{"projectPrice":19.999}"#, r#"{"projectPrice":null}"#, r#"{"projectPrice":"x"}"#, "{}"] {
            assert_eq!(read(bad).project_price(), None, "{bad}");
        }
        let form = InvoiceInput { project_price: Price::Text("19.90".into()), ..whole() };
        assert!(serde_json::to_string(&form).unwrap().contains(r#""projectPrice":19.9"#));
    }
}
