//! What travels about customers. Field names are the specification's (sections 3 and 7).

use crate::date::Date;
use crate::form::{given_text, text_or_null};
use crate::money::Money;
use serde::{Deserialize, Serialize};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/customers";
/// Customers on a page (specification section 9).
pub const PAGE_SIZE: u32 = 15;
/// Whose part a customer takes where nothing is said (decisions 4.5).
pub const ROLE: &str = "buyer";

/// Makes an enum whose variants travel, and are stored, under their own names.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }
        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => stringify!($variant),)*
                }
            }

            /// The word's meaning; none if it is none of these, to the letter.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    };
}

words! {
    /// What kind of customer somebody is.
    CustomerType {
        /// Shown as 'Private person'.
        Private,
        /// Held to the rules of a company (decisions 4.5).
        Business,
        Company,
        Agency,
        Client,
    }
}

words! {
    /// What was agreed with a customer. An agency is a brokerage.
    AgreementType { Sales, Purchase, Agency }
}

words! {
    CustomerStatus { Active, Inactive }
}

/// A customer without the social security number: in lists, and as POST and PUT answer. Absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerSummary {
    #[serde(rename = "customer_id")]
    pub customer_id: String,
    pub name: String,
    pub email: String,
    pub telephone: String,
    pub address: String,
    pub postal_code: String,
    pub location: String,
    #[serde(rename = "type")]
    pub customer_type: CustomerType,
    pub status: CustomerStatus,
    /// Empty for all but companies.
    pub organization_number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub latest_purchase: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_type: Option<AgreementType>,
    /// Whose part they take, such as `buyer`.
    pub role: String,
    pub company_name: String,
    pub number_of_orders: u32,
    /// Pounds.
    #[cfg_attr(feature = "wasm", tsify(type = "number"))]
    pub total_spent: Money,
    pub warranty: String,
    pub warranty_period: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub updated_at: String,
    /// Counts the changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// A customer with the social security number: only `GET {PATH}/{id}` answers it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    #[serde(flatten)]
    pub summary: CustomerSummary,
    /// Empty for companies.
    pub social_security_number: String,
}

/// A customer as they are filled in. What must be one of a few words, or a date, travels as a text, so that a wrong one is
/// told beside its field.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomerInput {
    #[serde(deserialize_with = "text_or_null")]
    pub name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub telephone: String,
    #[serde(deserialize_with = "text_or_null")]
    pub address: String,
    #[serde(rename = "type", deserialize_with = "text_or_null")]
    pub customer_type: String,
    /// A change keeps the stored number where this is absent or `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub social_security_number: Option<String>,
    /// Another spelling of the social security number (decisions 4.3).
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub personal_number: String,
    #[serde(deserialize_with = "text_or_null")]
    pub organization_number: String,
    /// Another spelling of the organization number.
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub org_number: String,
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub postal_code: String,
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// Active if empty.
    #[serde(deserialize_with = "text_or_null")]
    pub status: String,
    /// [`ROLE`] if empty.
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// None if empty. This and what follows a change leaves as it is where it is left out.
    #[serde(deserialize_with = "given_text", skip_serializing_if = "Option::is_none")]
    pub agreement_type: Option<String>,
    /// `yyyy-MM-dd`; none if empty.
    #[serde(deserialize_with = "given_text", skip_serializing_if = "Option::is_none")]
    pub latest_purchase: Option<String>,
    /// What no screen asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_orders: Option<u32>,
    /// Pounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(type = "number"))]
    pub total_spent: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warranty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warranty_period: Option<String>,
    /// The version that a change is based on (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// The `updatedAt` that the change is based on, for whoever keeps no version (decisions 6.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
}

/// A customer as they are changed: as [`CustomerInput`], but the social security number may be left out.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CustomerUpdateInput(pub CustomerInput);

/// Which customers are wanted; each part may be empty. The days are both inside (decisions 4.5).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomerFilter {
    pub type_adv: String,
    pub status_adv: String,
    pub from_date: String,
    pub to_date: String,
}

/// Which customers a list asks for; the numbers as [`crate::paging::PageQuery`] reads them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomerQuery {
    pub page: u32,
    pub limit: u32,
    pub search_term: String,
    pub filter: CustomerFilter,
}

/// A page of customers, and how many the whole corporation has of each kind.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// How many customers a corporation has, whatever the list shows (decisions 4.5).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomerStats {
    pub private_customers: u64,
    /// Companies and businesses.
    pub company_customers: u64,
    pub total_customers: u64,
    pub purchase_agreements: u64,
    pub sales_agreements: u64,
    /// Agencies.
    pub other_agreements: u64,
}

impl CustomerStats {
    /// Counts `count` more customers of a kind.
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

/// Whose telephone it is that somebody asks for.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PersonInput {
    #[serde(deserialize_with = "text_or_null")]
    pub phone_number: String,
}
