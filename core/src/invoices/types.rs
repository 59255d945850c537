//! The JSON types of invoices.

use crate::date::Date;
use crate::form::optional_text;
use crate::lists::text::AN_AMOUNT;
use crate::money::Money;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// GET lists (a plain array), POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/invoices";
/// Name of the response header with the number of invoices on all pages.
pub const TOTAL_HEADER: &str = "X-Total-Count";
/// Number of invoices per page on the screen, and the default for requests with `page` but without `limit`.
pub const PAGE_SIZE: u32 = 15;
/// Maximum number of invoices in a response to a request without `page` and `limit`: the first ones of the list.
pub const UNPAGED_MAX: u32 = 10_000;
/// Maximum size of the response to a request without `page` and `limit`, in bytes. The list ends before the first
/// invoice that does not fit; [`TOTAL_HEADER`] has the number of all invoices.
pub const UNPAGED_MAX_BYTES: usize = 16_000_000;
pub const CURRENCY: &str = "GBP";
/// 100 %, in hundredths of a percent.
const PERCENT_MAX: i64 = 10_000;

api_types!(
    /// An invoice. Missing texts are empty.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Invoice {
        #[serde(rename = "_id")]
        pub id: String,
        pub customer: String,
        /// The id of the customer that the invoice belongs to. Absent if the invoice has only the text in `customer`.
        #[serde(rename = "customer_id", default, skip_serializing_if = "Option::is_none")]
        pub customer_id: Option<String>,
        pub website: String,
        pub email: String,
        /// Absent in the last invoices of a page that would be too large with this text. `GET /api/invoices/{id}`
        /// always returns it. A list without paging is instead cut off before such an invoice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub customer_requirements: Option<String>,
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub start_date: Date,
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub end_date: Date,
        /// Pounds.
        pub project_price: Money,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }
);

forms!(
    /// The invoice form. Dates are texts, so that an invalid one is reported as an error of its field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct InvoiceInput {
        pub customer: String,
        /// The id of the corporation's customer to whom the invoice belongs. Empty means none. Absent in an update:
        /// unchanged.
        #[serde(rename = "customer_id", deserialize_with = "optional_text")]
        pub customer_id: Option<String>,
        pub website: String,
        pub email: String,
        /// Absent in an update: unchanged.
        #[serde(deserialize_with = "optional_text")]
        pub customer_requirements: Option<String>,
        /// `yyyy-MM-dd`.
        pub start_date: String,
        /// `yyyy-MM-dd`; may equal the start date.
        pub end_date: String,
        /// Pounds.
        pub project_price: Price,
        ..Base,
    }
);

api_types!(
    /// A page of invoices. The browser builds it from the array and [`TOTAL_HEADER`].
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct InvoiceList {
        pub data: Vec<Invoice>,
        pub total_items: u64,
        pub total_pages: u32,
    }
);

/// A price or a percentage in a form: a JSON number from an API client, or a text from an input field.
#[derive(Clone, Debug, PartialEq)]
pub enum Price {
    Number(f64),
    Text(String),
}

// A JSON number is never NaN.
impl Eq for Price {}

impl Default for Price {
    fn default() -> Self {
        Price::Text(String::new())
    }
}

impl Price {
    pub fn is_empty(&self) -> bool {
        matches!(self, Price::Text(text) if text.trim().is_empty())
    }

    /// Returns the exact amount, or `None` if it is invalid.
    pub fn money(&self) -> Option<Money> {
        match self {
            Price::Number(pounds) => Money::from_pounds(*pounds),
            Price::Text(text) => Money::parse(text.trim()),
        }
    }

    /// Returns the amount, or `None` if it is invalid or negative.
    pub fn not_negative(&self) -> Option<Money> {
        self.money().filter(|money| money.pence() >= 0)
    }

    /// Returns the amount, or `None` if it is invalid or not above 0.
    pub fn positive(&self) -> Option<Money> {
        self.money().filter(|money| money.pence() > 0)
    }

    /// Returns the percentage, or `None` if it is invalid, negative or above 100. A text may end with a percent sign.
    pub fn percent(&self) -> Option<Money> {
        let percent = match self {
            Price::Number(_) => self.not_negative(),
            Price::Text(text) => Money::parse(text.trim().trim_end_matches('%').trim_end()),
        };
        percent.filter(|percent| percent.pence() <= PERCENT_MAX)
    }
}

#[cfg(feature = "wasm")]
typescript!("Price = number | string | null");
#[cfg(feature = "schema")]
json_schema!(Price, {"type": ["number", "string", "null"]});

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Price;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(AN_AMOUNT.as_str())
            }
            fn visit_f64<E>(self, pounds: f64) -> Result<Price, E> {
                Ok(Price::Number(pounds))
            }
            #[expect(clippy::cast_precision_loss, reason = "numbers that lose precision are too large for a price")]
            fn visit_i64<E>(self, pounds: i64) -> Result<Price, E> {
                Ok(Price::Number(pounds as f64))
            }
            #[expect(clippy::cast_precision_loss, reason = "numbers that lose precision are too large for a price")]
            fn visit_u64<E>(self, pounds: u64) -> Result<Price, E> {
                Ok(Price::Number(pounds as f64))
            }
            fn visit_str<E>(self, text: &str) -> Result<Price, E> {
                Ok(Price::Text(text.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Price, E> {
                Ok(Price::default())
            }
        }
        d.deserialize_any(Reader)
    }
}

/// The number of invoices.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceTotal {
    /// Always `true`.
    pub success: bool,
    pub total: u64,
}
