//! The JSON types of the settings of a corporation.

use crate::invoices::Price;
use crate::money::Money;
use serde::{Deserialize, Serialize};

/// GET returns the settings of the signed-in user's corporation, PUT sets them.
pub const PATH: &str = "/api/settings";

api_types!(
    /// The settings of a corporation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Settings {
        /// The ISO 3166 code of the corporation's country, for example `GB`.
        pub country: String,
        /// The ISO 4217 code of the currency of its vehicles' prices, for example `GBP`.
        pub currency: String,
        /// The standard rate of VAT in percent, with at most two decimals: 20 or 25.5.
        pub vat_rate: Money,
    }
);

forms!(
    /// The form of the settings.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct SettingsInput {
        pub country: String,
        pub currency: String,
        /// The standard rate of VAT in percent, from 0 to 100, with at most two decimals.
        pub vat_rate: Price,
        /// The settings as they were when the form was opened. If others than the form's have been saved meanwhile, the
        /// form is not saved. Absent: not compared.
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub before: Option<Settings>,
    }
);

api_types!(
    /// A country that a corporation can be in, with its currency and its standard rate of VAT.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct Country {
        pub code: &'static str,
        pub currency: &'static str,
        /// In percent.
        pub vat_rate: Money,
    }
);
