//! Rules of the settings of a corporation.

use super::{Country, Settings, SettingsInput, text};
use crate::form::{Form, Rules, normalize_line};
use crate::money::Money;

/// `vat_rate` is in hundredths of a percent.
const fn country(code: &'static str, currency: &'static str, vat_rate: i64) -> Country {
    Country { code, currency, vat_rate: Money::saturating_from_pence(vat_rate) }
}

/// The country of a corporation that has named none.
const DEFAULT_COUNTRY: Country = country(crate::vehicles::DEFAULT_COUNTRY, "GBP", 2_000);

/// The countries, by their codes, with the standard rates of VAT of 2026 (European Commission, "VAT rates applied in
/// the Member States"; HMRC; Skatteetaten). Each currency has two decimals.
pub const COUNTRIES: [Country; 8] = [
    country("DE", "EUR", 1_900),
    country("DK", "DKK", 2_500),
    country("FI", "EUR", 2_550),
    country("FR", "EUR", 2_000),
    DEFAULT_COUNTRY,
    country("NL", "EUR", 2_100),
    country("NO", "NOK", 2_500),
    country("SE", "SEK", 2_500),
];

/// Formats a rate as the history shows it: `20 %`, `25.5 %`.
pub fn rate_text(rate: Money) -> String {
    format!("{} %", rate.to_string().trim_end_matches('0').trim_end_matches('.'))
}

fn find_country(code: &str) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.code == code)
}

impl Settings {
    /// Returns the settings with which a corporation in this country starts; the default ones without a known country.
    pub fn of_country(code: &str) -> Settings {
        let Country { code, currency, vat_rate } = *find_country(code).unwrap_or(&DEFAULT_COUNTRY);
        Settings { country: code.to_owned(), currency: currency.to_owned(), vat_rate }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::of_country(DEFAULT_COUNTRY.code)
    }
}

/// Returns the country that the form of a new corporation suggests: the first of these that a corporation can be in,
/// else the default.
pub fn suggested_country(codes: &[String]) -> String {
    let known = codes.iter().find(|code| find_country(code).is_some());
    known.map_or(DEFAULT_COUNTRY.code, String::as_str).to_owned()
}

/// Normalizes the code of a country or a currency.
pub(crate) fn normalize_code(code: &mut String) {
    normalize_line(code);
    code.make_ascii_uppercase();
}

/// Declares the rule of a new corporation's country, which API clients may omit.
pub(crate) fn declare_country(rules: &mut Rules, code: &str) {
    rules.require("country", code.is_empty() || find_country(code).is_some(), text::COUNTRY_INVALID);
}

impl Form for SettingsInput {
    fn normalize(&mut self) {
        normalize_code(&mut self.country);
        normalize_code(&mut self.currency);
    }

    fn rules(&self, rules: &mut Rules) {
        rules.require("country", find_country(&self.country).is_some(), text::COUNTRY_INVALID);
        let is_currency = COUNTRIES.iter().any(|country| country.currency == self.currency);
        rules.require("currency", is_currency, text::CURRENCY_INVALID);
        rules.require("vat_rate", self.vat_rate.percent().is_some(), text::VAT_RATE_INVALID);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors_as_texts};
    use crate::invoices::Price;
    use proptest::prelude::*;

    fn form(country: &str, currency: &str, vat_rate: Price) -> SettingsInput {
        SettingsInput { country: country.into(), currency: currency.into(), vat_rate, before: None }
    }

    fn typed(rate: &str) -> Price {
        Price::Text(rate.into())
    }

    fn rate(hundredths: i64) -> Money {
        Money::from_pence(hundredths).unwrap()
    }

    #[test]
    fn every_country_and_the_default_are_valid_settings() {
        let default = Settings::default();
        assert_eq!(default, Settings { country: "GB".into(), currency: "GBP".into(), vat_rate: rate(2_000) });
        let is_valid = |country: &str, currency: &str, rate: Money| {
            errors_as_texts(form(country, currency, Price::Number(rate.pounds()))).is_empty()
        };
        assert!(is_valid(&default.country, &default.currency, default.vat_rate));
        for Country { code, currency, vat_rate } in COUNTRIES {
            assert!(is_valid(code, currency, vat_rate), "{code}");
        }
        assert_eq!(check(form(" se ", "sek", typed("25"))).unwrap().country, "SE");
    }

    #[test]
    fn a_corporation_starts_with_the_currency_and_the_vat_rate_of_its_country() {
        let sweden = Settings { country: "SE".into(), currency: "SEK".into(), vat_rate: rate(2_500) };
        assert_eq!(Settings::of_country("SE"), sweden);
        for unknown in ["", "XX"] {
            assert_eq!(Settings::of_country(unknown), Settings::default(), "{unknown}");
        }
    }

    #[test]
    fn suggests_the_first_country_that_a_corporation_can_be_in() {
        for (codes, suggested) in [("US SE DE", "SE"), ("US", "GB"), ("", "GB")] {
            let codes: Vec<_> = codes.split(' ').map(str::to_owned).collect();
            assert_eq!(suggested_country(&codes), suggested, "{codes:?}");
        }
    }

    #[test]
    fn each_invalid_value_is_an_error_of_its_field() {
        let found = errors_as_texts(form("XX", "JPY", typed("100.01")));
        let fields: Vec<_> = found.iter().map(|error| error.split(':').next().unwrap()).collect();
        assert_eq!(fields, ["country", "currency", "vat_rate"]);
    }

    #[test]
    fn a_rate_is_a_number_or_a_text_in_percent() {
        let text = |text: &str, hundredths| (typed(text), hundredths);
        let number = |percent, hundredths| (Price::Number(percent), hundredths);
        for (input, hundredths) in [
            text("20", 2_000),
            text(" 25.5 % ", 2_550),
            text("25,5", 2_550),
            text("0", 0),
            text("100", 10_000),
            text("0.01", 1),
            number(19.5, 1_950),
            number(0.0, 0),
            number(100.0, 10_000),
        ] {
            assert_eq!(input.percent(), Some(rate(hundredths)), "{input:?}");
            assert!(errors_as_texts(form("SE", "SEK", input)).is_empty());
        }
        let texts = ["", "100.01", "-1", "20.001", "twenty", "%"].map(typed);
        for input in texts.into_iter().chain([-1.0, 19.555, 100.01].map(Price::Number)) {
            assert_eq!(input.percent(), None, "{input:?}");
            assert_eq!(errors_as_texts(form("SE", "SEK", input)).len(), 1);
        }
    }

    proptest! {
        #[test]
        fn a_vat_rate_is_parsed_from_its_own_text(hundredths in 0..=10_000i64) {
            prop_assert_eq!(typed(&rate_text(rate(hundredths))).percent(), Some(rate(hundredths)));
        }
    }
}
