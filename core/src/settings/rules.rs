//! Rules of the settings of a corporation.

use super::{Country, SettingsInput, text};
use crate::form::{Form, Rules, normalize_fields};
use crate::money::Money;

const fn country(code: &'static str, currency: &'static str, vat_rate: i64) -> Country {
    Country { code, currency, vat_rate }
}

/// The countries, by their codes, with the standard rates of VAT of 2026 (European Commission, "VAT rates applied in
/// the Member States"; HMRC; Skatteetaten). Each currency has two decimals.
pub const COUNTRIES: [Country; 8] = [
    country("DE", "EUR", 1_900),
    country("DK", "DKK", 2_500),
    country("FI", "EUR", 2_550),
    country("FR", "EUR", 2_000),
    country("GB", "GBP", 2_000),
    country("NL", "EUR", 2_100),
    country("NO", "NOK", 2_500),
    country("SE", "SEK", 2_500),
];

/// The maximum rate of VAT in hundredths of a percent: 100 %.
const RATE_MAX: i64 = 10_000;

/// Parses a rate that was typed in percent, with at most two decimals, and returns it in hundredths of a percent.
/// `None` if it is invalid or above 100 %.
pub fn parse_rate(percent: &str) -> Option<i64> {
    let percent = percent.trim().trim_end_matches('%').trim_end();
    Money::parse(percent).map(Money::pence).filter(|rate| (0..=RATE_MAX).contains(rate))
}

/// Formats a rate, given in hundredths of a percent, as users type it in percent: `20`, `25.5`.
pub fn rate_text(rate: i64) -> String {
    let text = format!("{}.{:02}", rate / 100, rate % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Form for SettingsInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.country, &mut self.currency]);
        self.country.make_ascii_uppercase();
        self.currency.make_ascii_uppercase();
    }

    fn rules(&self, rules: &mut Rules) {
        let has = |is_it: &dyn Fn(&Country) -> bool| COUNTRIES.iter().any(is_it);
        rules.require("country", has(&|country| country.code == self.country), text::COUNTRY_INVALID);
        rules.require("currency", has(&|country| country.currency == self.currency), text::CURRENCY_INVALID);
        let is_rate = self.vat_rate.value().is_some_and(|rate| (0..=RATE_MAX).contains(&rate));
        rules.require("vat_rate", is_rate, text::VAT_RATE_INVALID);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::form::{check, errors_as_texts};
    use crate::vehicles::Whole;
    use proptest::prelude::*;

    fn form(country: &str, currency: &str, rate: &str) -> SettingsInput {
        SettingsInput { country: country.into(), currency: currency.into(), vat_rate: Whole(rate.into()), before: None }
    }

    #[test]
    fn every_country_and_the_default_are_valid_settings() {
        let default = Settings::default();
        assert!(COUNTRIES.contains(&country("GB", "GBP", 2_000)));
        assert!(errors_as_texts(form(&default.country, &default.currency, &default.vat_rate.to_string())).is_empty());
        for Country { code, currency, vat_rate } in COUNTRIES {
            assert!(errors_as_texts(form(code, currency, &vat_rate.to_string())).is_empty(), "{code}");
        }
        assert_eq!(check(form(" se ", "sek", "2500")).unwrap().country, "SE");
    }

    #[test]
    fn each_invalid_value_is_an_error_of_its_field() {
        let found = errors_as_texts(form("XX", "JPY", "10001"));
        let fields: Vec<_> = found.iter().map(|error| error.split(':').next().unwrap()).collect();
        assert_eq!(fields, ["country", "currency", "vat_rate"]);
        for rate in ["", "-1", "20.5", "x"] {
            assert_eq!(errors_as_texts(form("SE", "SEK", rate)).len(), 1, "{rate}");
        }
    }

    #[test]
    fn a_rate_is_typed_in_percent() {
        for (typed, rate) in
            [("20", 2_000), (" 25.5 % ", 2_550), ("25,5", 2_550), ("0", 0), ("100", 10_000), ("0.01", 1)]
        {
            assert_eq!(parse_rate(typed), Some(rate), "{typed}");
        }
        for typed in ["", "100.01", "-1", "20.001", "twenty", "%"] {
            assert_eq!(parse_rate(typed), None, "{typed}");
        }
    }

    proptest! {
        #[test]
        fn a_vat_rate_is_parsed_from_its_own_text(rate in 0..=RATE_MAX) {
            prop_assert_eq!(parse_rate(&rate_text(rate)), Some(rate));
        }
    }
}
