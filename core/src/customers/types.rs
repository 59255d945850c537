//! The JSON types of customers.

use crate::date::Date;
use crate::form::{optional_secret, optional_text, text_or_null};
use crate::money::Money;
use crate::secret::{Secret, exposed};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/customers";
/// Number of customers per page.
pub const PAGE_SIZE: u32 = 15;
pub const ROLE: &str = "buyer";
/// The warranty periods that the filter of customers offers, written as those of sales are.
pub const WARRANTY_PERIODS: &[&str] = &["3 months", "6 months", "12 months", "24 months", "36 months", "60 months"];
/// What customer numbers begin with.
pub const NUMBER_PREFIX: &str = "C-";

string_enum! {
    /// The type of a customer.
    CustomerType {
        /// Shown as 'Private person'.
        Private,
        /// A business, to which the rules of a company apply.
        Business,
        Company,
        Agency,
        Client,
    }
}

string_enum! {
    /// The type of the agreement with a customer. `Agency` means brokerage.
    AgreementType { Sales, Purchase, Agency }
}

string_enum! {
    CustomerStatus { Active, Inactive }
}

/// The values of a customer that can follow from agreements, as they are shown or as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerFigures {
    pub latest_purchase: Option<Date>,
    pub agreement_type: Option<AgreementType>,
    pub number_of_orders: u32,
    pub total_spent: Money,
    pub warranty: String,
    pub warranty_period: String,
}

fn is_some<T, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(value.is_some())
}

fn ignored<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| None)
}

api_types!(
    /// A customer without the social security number, as in lists and in responses of POST and PUT. Missing texts are
    /// empty.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CustomerSummary {
        #[serde(rename = "customer_id")]
        pub customer_id: String,
        /// For example `C-1042`. Unique in its corporation, and never given to another customer.
        pub customer_number: String,
        pub name: String,
        pub email: String,
        pub telephone: String,
        pub address: String,
        pub postal_code: String,
        pub location: String,
        #[serde(rename = "type")]
        pub customer_type: CustomerType,
        pub status: CustomerStatus,
        /// Empty unless the type is Company or Business.
        pub organization_number: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub latest_purchase: Option<Date>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agreement_type: Option<AgreementType>,
        /// What the customer is to the corporation, for example `buyer`.
        pub role: String,
        pub company_name: String,
        pub number_of_orders: u32,
        /// In the corporation's currency.
        pub total_spent: Money,
        pub warranty: String,
        pub warranty_period: String,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
        /// Whether `latestPurchase`, `agreementType`, `numberOfOrders`, `totalSpent`, `warranty` and `warrantyPeriod`
        /// follow from agreements, instead of being those that were typed.
        // What was typed, if other values are shown (`FIGURES`). JSON only has whether that is so.
        #[serde(rename = "hasFigures", serialize_with = "is_some", deserialize_with = "ignored", default)]
        #[cfg_attr(feature = "wasm", tsify(type = "boolean"))]
        #[cfg_attr(feature = "schema", schemars(with = "bool"))]
        pub typed: Option<Box<CustomerFigures>>,
    }

    /// A customer with the social security number. Only `GET /api/customers/{id}` returns it.
    #[derive(Clone, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    #[serde(rename_all = "camelCase")]
    pub struct Customer {
        #[serde(flatten)]
        pub summary: CustomerSummary,
        /// Empty for the types Company and Business, after an erasure, and if it can't be decrypted.
        #[serde(serialize_with = "exposed")]
        pub social_security_number: Secret<String>,
    }
);

forms!(
    /// A new customer. Types, agreements and dates are texts, so that an invalid one is reported as an error of its
    /// field.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct CustomerInput {
        pub name: String,
        pub email: String,
        pub telephone: String,
        pub address: String,
        #[serde(rename = "type")]
        pub customer_type: String,
        /// Absent or `null` in an update: the stored number is kept, unless the type is Company or Business.
        #[serde(deserialize_with = "optional_secret")]
        pub social_security_number: Option<Secret<String>>,
        /// Alternative name of `socialSecurityNumber`.
        pub personal_number: Secret<String>,
        pub organization_number: String,
        /// Alternative name of `organizationNumber`.
        pub org_number: String,
        pub postal_code: String,
        pub location: String,
        /// Empty means `Active` in a new customer. In an update, the stored status is kept.
        pub status: String,
        /// Empty means `buyer` in a new customer. In an update, the stored role is kept.
        pub role: String,
        /// Empty means none. Absent in an update: unchanged.
        #[serde(deserialize_with = "optional_text")]
        pub agreement_type: Option<String>,
        /// `yyyy-MM-dd`; empty means none. Absent in an update: unchanged.
        #[serde(deserialize_with = "optional_text")]
        pub latest_purchase: Option<String>,
        /// Absent in an update: unchanged.
        // The form on the screen has none of the fields from here to `warranty_period`.
        pub company_name: Option<String>,
        /// Absent in an update: unchanged.
        pub number_of_orders: Option<u32>,
        /// In the corporation's currency. Absent in an update: unchanged.
        pub total_spent: Option<Money>,
        /// Absent in an update: unchanged.
        pub warranty: Option<String>,
        /// Absent in an update: unchanged.
        pub warranty_period: Option<String>,
        ..Base,
    }
);

api_types!(
    /// An update of a customer: as a new customer, but the social security number may be absent.
    #[derive(Clone, Default, Deserialize)]
    #[serde(transparent)]
    pub struct CustomerUpdateInput(pub CustomerInput);

    /// Filters of the customer list. Empty texts do not filter; both dates are inclusive.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct CustomerFilter {
        /// Only customers of this type.
        pub type_adv: String,
        /// Only customers with this status.
        pub status_adv: String,
        /// Only customers whose latest purchase or, without one, creation was on this day (`yyyy-MM-dd`) or later.
        pub from_date: String,
        /// Only customers whose latest purchase or, without one, creation was on this day (`yyyy-MM-dd`) or earlier.
        pub to_date: String,
    }

    /// A page of customers, and the corporation's totals.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CustomerList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<CustomerSummary>,
        pub total_items: u64,
        pub total_pages: u32,
        pub stats: CustomerStats,
    }

    /// Totals of all customers of a corporation, regardless of search and filters.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct CustomerStats {
        pub private_customers: u64,
        /// Customers of type Company or Business.
        pub company_customers: u64,
        pub total_customers: u64,
        pub purchase_agreements: u64,
        pub sales_agreements: u64,
        /// Number of agreements of type Agency.
        pub other_agreements: u64,
    }
);

impl CustomerStats {
    /// Adds `count` customers of this type and agreement to the totals.
    pub fn add(&mut self, customer_type: CustomerType, agreement: Option<AgreementType>, count: u64) {
        self.total_customers += count;
        match customer_type {
            CustomerType::Private => self.private_customers += count,
            CustomerType::Business | CustomerType::Company => self.company_customers += count,
            CustomerType::Agency | CustomerType::Client => {}
        }
        match agreement {
            Some(AgreementType::Purchase) => self.purchase_agreements += count,
            Some(AgreementType::Sales) => self.sales_agreements += count,
            Some(AgreementType::Agency) => self.other_agreements += count,
            None => {}
        }
    }
}

/// The phone number by which a customer is looked up.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PersonInput {
    #[serde(deserialize_with = "text_or_null")]
    pub phone_number: String,
}
