//! What travels about invoices. Field names are the specification's (sections 3 and 7).

use crate::date::Date;
use crate::form::{ChangesWebsite, given_text, text_or_null};
use crate::money::Money;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// GET lists, as a plain array; POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/invoices";
/// Says how many invoices there are on all pages, beside a list.
pub const TOTAL_HEADER: &str = "X-Total-Count";
/// Invoices on a page of the screen, and where only a page is asked for.
pub const PAGE_SIZE: u32 = 15;
/// The most invoices of one answer where no page is asked for: the newest.
pub const MOST: u32 = 10_000;
/// The most bytes of such an answer.
pub const MOST_BYTES: usize = 16_000_000;
/// What prices are in (specification section 9).
pub const CURRENCY: &str = "GBP";

/// An invoice as it is shown. Absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    #[serde(rename = "_id")]
    pub id: String,
    pub customer: String,
    pub website: String,
    pub email: String,
    /// Absent in the last invoices of a page that would be too long with it; GET of the invoice answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_requirements: Option<String>,
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub start_date: Date,
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub end_date: Date,
    /// Pounds.
    #[cfg_attr(feature = "wasm", tsify(type = "number"))]
    pub project_price: Money,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub updated_at: String,
    /// Counts the changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// An invoice as it is filled in. Dates travel as texts, so that a wrong one is told beside its field.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct InvoiceInput {
    #[serde(deserialize_with = "text_or_null")]
    pub customer: String,
    #[serde(deserialize_with = "text_or_null")]
    pub website: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    /// A change keeps what is stored where this is absent.
    #[serde(deserialize_with = "given_text", skip_serializing_if = "Option::is_none")]
    pub customer_requirements: Option<String>,
    /// `yyyy-MM-dd`.
    #[serde(deserialize_with = "text_or_null")]
    pub start_date: String,
    /// `yyyy-MM-dd`; may be the same day.
    #[serde(deserialize_with = "text_or_null")]
    pub end_date: String,
    /// Pounds.
    #[cfg_attr(feature = "wasm", tsify(type = "number | string"))]
    pub project_price: Price,
    /// The version that a change is based on (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// The `updatedAt` that the change is based on, for whoever keeps no version (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// The website that is stored: unchanged, it is accepted whatever it is. Never read from a body.
    #[serde(skip)]
    pub stored_website: Option<String>,
}

impl ChangesWebsite for InvoiceInput {
    fn set_stored_website(&mut self, stored: Option<String>) {
        self.stored_website = stored;
    }
}

/// A price as it comes: a number from a client, a text from whoever types. As a price it goes on as a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Price {
    Number(f64),
    Text(String),
}

// A number in JSON is never one that differs from itself.
impl Eq for Price {}

impl Default for Price {
    fn default() -> Self {
        Price::Text(String::new())
    }
}

impl Price {
    /// The exact amount; none if it is no amount.
    pub fn money(&self) -> Option<Money> {
        match self {
            Price::Number(pounds) => Money::from_pounds(*pounds),
            Price::Text(text) => Money::parse(text.trim()),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Price {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Price".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": ["number", "string", "null"]})
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match (self.money(), self) {
            (Some(money), _) => money.serialize(s),
            (None, Price::Number(pounds)) => s.serialize_f64(*pounds),
            (None, Price::Text(text)) => s.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Price;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount")
            }
            fn visit_f64<E>(self, pounds: f64) -> Result<Price, E> {
                Ok(Price::Number(pounds))
            }
            #[expect(clippy::cast_precision_loss, reason = "what is too large for a double is too large for a price")]
            fn visit_i64<E>(self, pounds: i64) -> Result<Price, E> {
                Ok(Price::Number(pounds as f64))
            }
            #[expect(clippy::cast_precision_loss, reason = "what is too large for a double is too large for a price")]
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

/// Which invoices a list asks for; the numbers as [`crate::paging::PageQuery`] reads them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InvoiceQuery {
    pub page: u32,
    pub limit: u32,
    pub search: String,
}

/// A page of invoices, as the browser puts it together from the array and [`TOTAL_HEADER`].
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceList {
    pub data: Vec<Invoice>,
    pub total_items: u64,
    pub total_pages: u32,
}

/// How many invoices there are.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceTotal {
    /// Always `true`.
    pub success: bool,
    pub total: u64,
}
