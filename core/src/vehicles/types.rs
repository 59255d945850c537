//! The JSON types of vehicles.

use crate::date::Date;
use crate::form::text_or_null;
use crate::invoices::Price;
use crate::money::Money;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/vehicles";
/// Number of vehicles per page.
pub const PAGE_SIZE: u32 = 15;
/// What stock numbers begin with.
pub const NUMBER_PREFIX: &str = "S-";
/// The field of the form that uploads a photo.
pub const PHOTO_FIELD: &str = "photo";
/// Maximum number of photos of a vehicle.
pub const PHOTOS_MAX: u32 = 30;
/// Maximum width and height of a photo, in pixels.
pub const PHOTO_SIDE: u32 = 1600;
/// Maximum width and height of the photo in lists, in pixels.
pub const THUMBNAIL_SIDE: u32 = 320;
/// The country of a registration number without one.
pub const DEFAULT_COUNTRY: &str = "GB";

string_enum! {
    VehicleStatus {
        /// Bought, but not here yet.
        Expected,
        InStock = "In stock",
        /// Held for a customer.
        Reserved,
        /// Delivered to a customer. Final.
        Sold,
        /// Not for sale.
        Withdrawn,
    }
}

string_enum! {
    /// Who owns a vehicle that is for sale.
    Ownership {
        Own,
        /// Sold for its owner.
        Consigned,
    }
}

string_enum! {
    /// What VAT is due on.
    VatScheme {
        /// The margin alone (directive 2006/112/EC, articles 311 to 325).
        Margin,
        /// The whole price.
        Standard,
    }
}

string_enum! {
    /// What was paid for.
    CostKind { Transport, Inspection, Service, Repair, Tyres, Paint, Valeting, Parts, Fee, Other }
}

string_enum! {
    Fuel { Petrol, Diesel, Electric, Hybrid, PlugInHybrid = "Plug-in hybrid", Gas, Other }
}

string_enum! {
    Transmission { Manual, Automatic }
}

string_enum! {
    /// The unit in which a mileage was read.
    MileageUnit {
        Kilometres = "km",
        Miles = "mi",
    }
}

api_types!(
    /// A cost of a vehicle, such as a repair, in the corporation's currency.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Cost {
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub date: Date,
        pub kind: CostKind,
        /// Without VAT.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub net: Money,
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub vat: Money,
        pub note: String,
    }

    /// A vehicle. Missing texts are empty. The purchase price, the minimum price and the costs are only for users who may read
    /// `vehicles.costs`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Vehicle {
        pub vehicle_id: String,
        /// For example `S-1042`. Unique in its corporation, and never given to another vehicle.
        pub stock_number: String,
        /// Make and model, and the registration number or else the VIN. For example `Volvo V60, ABC 123`.
        pub name: String,
        /// Normalized: in upper case, without blanks, hyphens and slashes.
        pub vin: String,
        /// Normalized: in upper case, without blanks and hyphens.
        pub registration_number: String,
        /// The ISO 3166 code of a country, for example `GB`.
        pub registration_country: String,
        pub make: String,
        pub model: String,
        pub variant: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub model_year: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub first_registered: Option<Date>,
        pub body: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fuel: Option<Fuel>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub transmission: Option<Transmission>,
        pub colour: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mileage: Option<i64>,
        pub mileage_unit: MileageUnit,
        /// Why the mileage is lower than one that was read before.
        pub mileage_remark: String,
        pub status: VehicleStatus,
        pub ownership: Ownership,
        pub vat_scheme: VatScheme,
        /// In the corporation's currency.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub asking_price: Option<Money>,
        /// What the vehicle cost without these costs, and without VAT that is deducted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub purchase_price: Option<Money>,
        /// The lowest price at which it may be sold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub minimum_price: Option<Money>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub costs: Vec<Cost>,
        /// When it first came into stock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub in_stock_on: Option<Date>,
        pub location: String,
        pub notes: String,
        /// In their order; the first is the cover. A list has only the cover.
        pub photos: Vec<Photo>,
        pub photo_count: u32,
        /// Whether a signed agreement has it. Not sent.
        #[serde(skip)]
        pub is_signed: bool,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }

    /// A cost in the vehicle form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct CostInput {
        /// `yyyy-MM-dd`.
        #[serde(deserialize_with = "text_or_null")]
        pub date: String,
        #[serde(deserialize_with = "text_or_null")]
        pub kind: String,
        #[cfg_attr(feature = "wasm", tsify(type = "number | string | null"))]
        pub net: Price,
        /// Empty means 0.
        #[cfg_attr(feature = "wasm", tsify(type = "number | string | null"))]
        pub vat: Price,
        #[serde(deserialize_with = "text_or_null")]
        pub note: String,
    }

    /// A photo of a vehicle.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Photo {
        pub photo_id: String,
        /// The path of the photo, a JPEG of at most [`PHOTO_SIDE`] pixels per side. Its content never changes.
        pub url: String,
        /// The path of the same in at most [`THUMBNAIL_SIDE`] pixels per side.
        pub thumbnail: String,
        /// In pixels.
        pub width: u32,
        pub height: u32,
    }

    /// A new order of a vehicle's photos.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PhotoOrderInput {
        /// The ids of all photos.
        pub order: Vec<String>,
    }

    /// The vehicle form. Choices, dates and numbers are texts, so that an invalid one is reported as an error of its field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct VehicleInput {
        #[serde(deserialize_with = "text_or_null")]
        pub vin: String,
        #[serde(deserialize_with = "text_or_null")]
        pub registration_number: String,
        /// Empty means that of the corporation.
        #[serde(deserialize_with = "text_or_null")]
        pub registration_country: String,
        #[serde(deserialize_with = "text_or_null")]
        pub make: String,
        #[serde(deserialize_with = "text_or_null")]
        pub model: String,
        #[serde(deserialize_with = "text_or_null")]
        pub variant: String,
        #[cfg_attr(feature = "wasm", tsify(type = "number | string | null"))]
        pub model_year: Whole,
        /// `yyyy-MM-dd`; empty means unknown.
        #[serde(deserialize_with = "text_or_null")]
        pub first_registered: String,
        #[serde(deserialize_with = "text_or_null")]
        pub body: String,
        /// Empty means unknown.
        #[serde(deserialize_with = "text_or_null")]
        pub fuel: String,
        /// Empty means unknown.
        #[serde(deserialize_with = "text_or_null")]
        pub transmission: String,
        #[serde(deserialize_with = "text_or_null")]
        pub colour: String,
        #[cfg_attr(feature = "wasm", tsify(type = "number | string | null"))]
        pub mileage: Whole,
        /// Empty means `mi` in Great Britain, else `km`.
        #[serde(deserialize_with = "text_or_null")]
        pub mileage_unit: String,
        #[serde(deserialize_with = "text_or_null")]
        pub mileage_remark: String,
        /// Empty means `In stock` for a new vehicle, and unchanged in an update.
        #[serde(deserialize_with = "text_or_null")]
        pub status: String,
        /// Empty means `Own`.
        #[serde(deserialize_with = "text_or_null")]
        pub ownership: String,
        /// Empty means `Margin`.
        #[serde(deserialize_with = "text_or_null")]
        pub vat_scheme: String,
        #[cfg_attr(feature = "wasm", tsify(type = "number | string | null"))]
        pub asking_price: Price,
        /// Absent: unchanged. As the next two, it is ignored unless the user may read `vehicles.costs`.
        #[serde(deserialize_with = "given")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number | string | null"))]
        pub purchase_price: Option<Price>,
        /// Absent: unchanged.
        #[serde(deserialize_with = "given")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number | string | null"))]
        pub minimum_price: Option<Price>,
        /// Absent: unchanged.
        #[serde(deserialize_with = "given_costs")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "CostInput[] | string | null"))]
        pub costs: Option<Vec<CostInput>>,
        /// `yyyy-MM-dd`. Empty means unchanged, or the day of the change that brings the vehicle into stock.
        #[serde(deserialize_with = "text_or_null")]
        pub in_stock_on: String,
        #[serde(deserialize_with = "text_or_null")]
        pub location: String,
        #[serde(deserialize_with = "text_or_null")]
        pub notes: String,
        /// The version that an update is based on.
        pub version: Option<i64>,
        /// The `updated_at` that an update is based on, for clients that do not send `version`.
        pub updated_at: Option<String>,
        /// The stored vehicle in an update. Never read from the request body.
        #[serde(skip)]
        pub stored: Option<StoredVehicle>,
    }

    /// A page of vehicles.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct VehicleList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<Vehicle>,
        pub total_items: u64,
        pub total_pages: u32,
    }

    /// What the rules of an update compare with.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct StoredVehicle {
        pub status: VehicleStatus,
        #[serde(default)]
        pub mileage: Option<i64>,
        pub mileage_unit: MileageUnit,
        pub mileage_remark: String,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        pub in_stock_on: Option<Date>,
        /// Whether a signed agreement has it.
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub is_signed: bool,
    }
);

/// Reads a value that is not absent.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

/// Reads costs that are not absent. `null` and an empty text are none.
fn given_costs<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<CostInput>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Costs(Vec<CostInput>),
        Text(String),
        Null(()),
    }
    match Given::deserialize(d)? {
        Given::Costs(costs) => Ok(Some(costs)),
        Given::Text(text) if !text.trim().is_empty() => Err(D::Error::custom("costs are a list")),
        Given::Text(_) | Given::Null(()) => Ok(Some(Vec::new())),
    }
}

/// A whole number in a form: a JSON number from an API client, or a text from an input field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole(pub String);

impl Whole {
    /// Returns the number, or `None` if the text is empty or invalid.
    pub fn value(&self) -> Option<i64> {
        self.0.trim().parse().ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }
}

#[cfg(feature = "schema")]
json_schema!(Whole, {"type": ["integer", "string", "null"]});

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Given {
            Number(i64),
            Text(String),
            Null(()),
        }
        Ok(match Given::deserialize(d)? {
            Given::Number(number) => Whole(number.to_string()),
            Given::Text(text) => Whole(text),
            Given::Null(()) => Whole::default(),
        })
    }
}
