//! The JSON types of agreements.

pub use crate::customers::AgreementType;

use crate::date::Date;
use crate::invoices::Price;
use crate::money::Money;
use crate::vehicles::{VatScheme, VehicleStatus, Whole, deserialize_list, deserialize_present};
use serde::{Deserialize, Deserializer, Serialize};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`; POST on `{PATH}/{id}/state` takes a step.
pub const PATH: &str = "/api/agreements";
/// Number of agreements per page.
pub const PAGE_SIZE: u32 = 15;

string_enum! {
    AgreementState {
        Draft,
        /// Sent to the customer.
        Offered,
        /// Binding: the vehicles that it sells are reserved.
        Signed,
        /// Its vehicles have changed hands.
        Delivered,
        /// Nothing is left to do.
        Closed,
        Cancelled,
    }
}

string_enum! {
    /// Which way a vehicle goes.
    Direction {
        /// From the dealer to the customer.
        Out,
        /// From the customer to the dealer, as a part-exchange or a purchase.
        In,
        /// From its owner to a buyer, through the dealer.
        Brokered,
    }
}

string_enum! {
    /// Who gives the warranty.
    WarrantyKind { None, Dealer, Manufacturer, Insured }
}

impl WarrantyKind {
    /// The names of all kinds except `None`, which is the first.
    pub const GIVEN: &[&str] = Self::NAMES.split_at(1).1;
}

api_types!(
    /// A vehicle of an agreement.
    #[derive(Clone, Debug, Eq, Serialize, Deserialize)]
    pub struct Leg {
        pub vehicle_id: String,
        pub direction: Direction,
        /// In the corporation's currency. Absent for `In` unless the user may read `vehicles.costs`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub price: Option<Money>,
        pub vat_scheme: VatScheme,
        /// The name of the vehicle when the agreement was last saved. Absent in older entries of the history.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
    }

    /// The warranty of an agreement. Sort orders, filters, columns, files, the history and bulk actions have its values
    /// as the fields `warranty`, `warranty_months` and `warranty_distance`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Warranty {
        pub kind: WarrantyKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub months: Option<i64>,
        /// In miles if the corporation's country is `GB`, otherwise in kilometres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub distance: Option<i64>,
    }

    /// A vehicle to which an agreement refers.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LegVehicle {
        pub vehicle_id: String,
        pub name: String,
        pub status: VehicleStatus,
        pub vat_scheme: VatScheme,
        /// The number of another agreement that is signed and has it.
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub signed_in: Option<String>,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub has_purchase_price: bool,
    }

    /// An agreement. Missing texts are empty. The minimum price, the prices of `In` legs, and the totals that contain
    /// these are only for users who may read `vehicles.costs`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Agreement {
        pub agreement_id: String,
        /// For example `SA-1042`; `PA-` for a purchase, `AA-` for an agency. Unique in its corporation, and never given
        /// to another agreement.
        pub number: String,
        #[serde(rename = "type")]
        pub agreement_type: AgreementType,
        pub state: AgreementState,
        /// Absent if there is no customer, or if the customer was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub customer_id: Option<String>,
        /// The customer's name when the agreement was last saved.
        pub customer_name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contact_id: Option<String>,
        /// The names of its vehicles when it was last saved.
        pub vehicles: String,
        pub legs: Vec<Leg>,
        /// The total of the `Out` and `Brokered` legs.
        pub out_total: Money,
        /// The total of the `In` legs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub in_total: Option<Money>,
        /// What the customer pays: `out_total` less `in_total` and the deposit. Negative if the dealer pays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub to_pay: Option<Money>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub deposit: Option<Money>,
        /// The amount of an agency's commission: `commission`, or else `commission_percent` of `out_total`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub commission_amount: Option<Money>,
        /// Of an agency: the commission, if it was agreed as an amount.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub commission: Option<Money>,
        /// Of an agency: the commission, if it was agreed as a percentage: from 0 to 100, with at most two decimals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub commission_percent: Option<Money>,
        /// The lowest price at which its vehicles may be sold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub minimum_price: Option<Money>,
        /// The last day on which nobody else may sell its vehicles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub exclusive_until: Option<Date>,
        pub warranty: Warranty,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub agreed_on: Option<Date>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub delivered_on: Option<Date>,
        /// The corporation's rate of VAT in percent when it was delivered. It stays when the corporation's rate changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub vat_rate: Option<Money>,
        pub notes: String,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }
);

forms!(
    /// A vehicle in the agreement form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct LegInput {
        pub vehicle_id: String,
        /// Empty means unchanged, and for a new leg `Out`, in a purchase `In`, and in an agency `Brokered`.
        pub direction: String,
        /// Empty means 0. Absent: unchanged, or 0 for a new leg and another direction. Only users who may read
        /// `vehicles.costs` may set that of an `In` leg.
        #[serde(deserialize_with = "deserialize_present")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub price: Option<Price>,
        /// Empty means unchanged, and for a new leg the VAT scheme of the vehicle.
        pub vat_scheme: String,
    }

    /// The warranty in the agreement form. Errors have the names of its fields: `warranty`, `warranty_months` and
    /// `warranty_distance`.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct WarrantyInput {
        /// Empty means `None`. Then there are no months and no distance either.
        pub kind: String,
        pub months: Whole,
        pub distance: Whole,
    }

    /// The agreement form. Choices, dates and numbers are texts, so that an invalid one is reported as an error of its
    /// field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct AgreementInput {
        /// Of a new agreement; empty means `Sales`. Ignored in an update.
        #[serde(rename = "type")]
        pub agreement_type: String,
        /// Empty, or the present state. `POST /api/agreements/{id}/state` changes it.
        pub state: String,
        /// The id of a customer of the corporation; empty means none.
        pub customer_id: String,
        /// The id of a contact of the corporation; empty means none.
        pub contact_id: String,
        #[serde(deserialize_with = "deserialize_list")]
        #[cfg_attr(feature = "wasm", tsify(type = "LegInput[] | string | null"))]
        pub legs: Vec<LegInput>,
        pub deposit: Price,
        /// Of an agency: the commission as an amount, unless there is a `commission_percent`. Ignored in other types.
        pub commission: Price,
        /// Of an agency: the commission as a percentage, unless there is a `commission`. Ignored in other types.
        pub commission_percent: Price,
        /// Absent: unchanged. Only users who may read `vehicles.costs` may set it.
        #[serde(deserialize_with = "deserialize_present")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub minimum_price: Option<Price>,
        /// `yyyy-MM-dd`; empty means none.
        pub exclusive_until: String,
        #[serde(deserialize_with = "deserialize_warranty")]
        pub warranty: WarrantyInput,
        pub agreed_on: String,
        pub delivered_on: String,
        pub notes: Lines,
        ..Base,
        /// The stored agreement in an update. Never read from the request body.
        #[serde(skip)]
        pub stored: Option<Box<Agreement>>,
        /// Whether the prices of `In` legs in the form are ignored, and so unchanged. Never read from the request body.
        #[serde(skip)]
        pub keeps_in_prices: bool,
        /// What the form refers to, if it was looked up. Never read from the request body.
        #[serde(skip)]
        pub references: Option<References>,
    }
);

/// Another name of the vehicle is no change of the agreement.
impl PartialEq for Leg {
    fn eq(&self, other: &Self) -> bool {
        let Leg { vehicle_id, direction, price, vat_scheme, name: _ } = other;
        (&self.vehicle_id, &self.direction, &self.price, &self.vat_scheme) == (vehicle_id, direction, price, vat_scheme)
    }
}

/// The records to which a form refers, as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The name of its customer; `None` if there is no such customer.
    pub customer_name: Option<String>,
    pub has_contact: bool,
    /// Those of its vehicles that exist.
    pub vehicles: Vec<LegVehicle>,
}

/// Deserializes a warranty. `null` is an empty one.
fn deserialize_warranty<'de, D: Deserializer<'de>>(d: D) -> Result<WarrantyInput, D::Error> {
    Option::deserialize(d).map(Option::unwrap_or_default)
}
