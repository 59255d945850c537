//! The JSON types of vehicles.

use crate::date::Date;
use crate::form::optional_text;
use crate::invoices::Price;
use crate::lists::text::A_LIST;
use crate::money::Money;
use crate::text::parse_whole;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`.
pub const PATH: &str = "/api/vehicles";
/// Number of vehicles per page.
pub const PAGE_SIZE: u32 = 15;
/// What stock numbers begin with.
pub const NUMBER_PREFIX: &str = "S-";
/// The name of the multipart field with the file of an uploaded photo.
pub const PHOTO_FIELD: &str = "photo";
/// The name of the optional field with the UUID of an upload. A photo that is sent again with the same one is stored
/// once.
pub const UPLOAD_ID_FIELD: &str = "upload_id";
/// Maximum number of photos of a vehicle.
pub const PHOTOS_MAX: u32 = 30;
/// Maximum width and height of a photo, in pixels.
pub const PHOTO_SIDE: u32 = 1600;
/// Maximum width and height of a photo's thumbnail, which lists show, in pixels.
pub const THUMBNAIL_SIDE: u32 = 320;
/// The country of a registration number if neither the form nor the corporation's settings name another.
pub const DEFAULT_COUNTRY: &str = "GB";

string_enum! {
    VehicleStatus {
        /// Bought, but not arrived yet.
        Expected,
        InStock = "In stock",
        /// Held for a customer.
        Reserved,
        /// Delivered to a customer. A sold vehicle keeps this status.
        Sold,
        /// Not for sale.
        Withdrawn,
    }
}

string_enum! {
    /// Who owns a vehicle that is for sale.
    Ownership {
        Own,
        /// Owned by someone else, for whom the corporation sells it.
        Consigned,
    }
}

string_enum! {
    /// Which part of a vehicle's sale price VAT is due on.
    VatScheme {
        /// The margin: the sale price less the purchase price (directive 2006/112/EC, articles 311 to 325).
        Margin,
        /// The whole sale price.
        Standard,
    }
}

string_enum! {
    /// What a cost of a vehicle was paid for.
    CostKind { Transport, Inspection, Service, Repair, Tyres, Paint, Valeting, Parts, Fee, Other }
}

string_enum! {
    Fuel { Petrol, Diesel, Electric, Hybrid, PlugInHybrid = "Plug-in hybrid", Gas, Other }
}

string_enum! {
    Transmission { Manual, Automatic }
}

string_enum! {
    /// The unit of a mileage.
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
        /// The amount without VAT.
        pub net: Money,
        pub vat: Money,
        pub note: String,
    }

    /// A vehicle. Missing texts are empty. Users who may not read `vehicles.costs` get neither the purchase price, nor
    /// the minimum price, nor the costs.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Vehicle {
        pub vehicle_id: String,
        /// For example `S-1042`. Unique in its corporation, and never given to another vehicle.
        pub stock_number: String,
        /// Make and model, and the registration number or else the VIN. For example `Volvo V60, ABC 123`.
        pub name: String,
        /// In upper case, without blanks, hyphens and slashes. Only the frame number of a Japanese vehicle keeps its
        /// hyphen.
        pub vin: String,
        /// In upper case, without blanks and hyphens.
        pub registration_number: String,
        /// The ISO 3166 code of the country of registration, for example `GB`.
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
        /// Why the mileage is lower than the one that was stored before.
        pub mileage_remark: String,
        pub status: VehicleStatus,
        pub ownership: Ownership,
        pub vat_scheme: VatScheme,
        /// In the corporation's currency.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub asking_price: Option<Money>,
        /// What the vehicle cost, without its `costs` and without deductible VAT. In the corporation's currency.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub purchase_price: Option<Money>,
        /// The lowest price at which the vehicle may be sold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub minimum_price: Option<Money>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub costs: Vec<Cost>,
        /// The first day on which the vehicle was in stock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub in_stock_on: Option<Date>,
        pub location: String,
        pub notes: String,
        /// In the order of the screen; the first is the cover. In a list, vehicles have only the cover here.
        pub photos: Vec<Photo>,
        pub photo_count: u32,
        /// Whether it goes out in a signed agreement, which reserves it. Not sent.
        #[serde(skip)]
        pub is_signed: bool,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub updated_at: String,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }
);

forms!(
    /// A cost in the vehicle form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct CostInput {
        /// `yyyy-MM-dd`.
        pub date: String,
        pub kind: String,
        pub net: Price,
        /// Empty means 0.
        pub vat: Price,
        pub note: String,
    }
);

api_types!(
    /// A photo of a vehicle.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Photo {
        pub photo_id: String,
        /// The path of the photo, a JPEG. Its content never changes.
        pub url: String,
        /// The path of a small JPEG of the same photo.
        pub thumbnail: String,
        /// Of the photo at `url`, in pixels.
        pub width: u32,
        /// Of the photo at `url`, in pixels.
        pub height: u32,
    }

    /// A new order of a vehicle's photos.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PhotoOrderInput {
        /// The ids of all photos of the vehicle, in the new order.
        pub order: Vec<String>,
        /// The order on which the new one is based. If absent, the new order replaces any other.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub before: Option<Vec<String>>,
    }
);

forms!(
    /// The vehicle form. Choices, dates and numbers are texts, so that an invalid one is reported as an error of its
    /// field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct VehicleInput {
        pub vin: String,
        pub registration_number: String,
        /// Empty means the country of the corporation. Absent: the same for a new vehicle; in an update, unchanged.
        #[serde(deserialize_with = "optional_text")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        pub registration_country: Option<String>,
        pub make: String,
        pub model: String,
        pub variant: String,
        pub model_year: Whole,
        /// `yyyy-MM-dd`; empty means unknown.
        pub first_registered: String,
        pub body: String,
        /// Empty means unknown.
        pub fuel: String,
        /// Empty means unknown.
        pub transmission: String,
        pub colour: String,
        pub mileage: Whole,
        /// Empty means `mi` if the country of registration is `GB`, otherwise `km`. Absent: the same for a new vehicle;
        /// in an update, unchanged.
        #[serde(deserialize_with = "optional_text")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        pub mileage_unit: Option<String>,
        pub mileage_remark: String,
        /// Empty means `In stock` for a new vehicle. In an update, the stored status is kept.
        pub status: String,
        /// Empty means `Own` for a new vehicle. In an update, the stored ownership is kept.
        pub ownership: String,
        /// Empty means `Margin` for a new vehicle. In an update, the stored VAT scheme is kept.
        pub vat_scheme: String,
        pub asking_price: Price,
        /// If absent, the stored price stays unchanged. Only users who may read `vehicles.costs` may set it, like
        /// `minimum_price` and `costs`.
        #[serde(deserialize_with = "deserialize_present")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub purchase_price: Option<Price>,
        /// If absent, the stored price stays unchanged.
        #[serde(deserialize_with = "deserialize_present")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub minimum_price: Option<Price>,
        /// If absent, the stored costs stay unchanged.
        #[serde(deserialize_with = "deserialize_present_costs")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "CostInput[] | string | null"))]
        pub costs: Option<Vec<CostInput>>,
        /// `yyyy-MM-dd`. Absent: unchanged; empty: none. A change that brings a vehicle without a day into stock sets
        /// the day of that change.
        #[serde(deserialize_with = "optional_text")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        pub in_stock_on: Option<String>,
        pub location: String,
        pub notes: Lines,
        ..Base,
        /// The stored vehicle in an update. Never read from the request body.
        #[serde(skip)]
        pub stored: Option<StoredVehicle>,
        /// The date where the user is, or in UTC. Absent: unknown, and no day is in the future. Never read from the
        /// request body.
        #[serde(skip)]
        pub today: Option<Date>,
        /// The country of the corporation. Absent: [`DEFAULT_COUNTRY`]. Never read from the request body.
        #[serde(skip)]
        pub own_country: Option<String>,
    }
);

api_types!(
    /// The stored values with which the rules of an update compare the form.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct StoredVehicle {
        pub status: VehicleStatus,
        /// May be absent if the form has a country.
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub registration_country: String,
        #[serde(default)]
        pub mileage: Option<i64>,
        pub mileage_unit: MileageUnit,
        pub mileage_remark: String,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        pub in_stock_on: Option<Date>,
        /// Whether it goes out in a signed agreement, which reserves it.
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub is_signed: bool,
    }
);

/// Deserializes a field that is present as `Some`, even if it is `null`, which `T` must accept. An absent one is `None`
/// by default.
pub(crate) fn deserialize_present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

/// Deserializes costs that are present. `null` and a blank text are an empty list.
fn deserialize_present_costs<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<CostInput>>, D::Error> {
    deserialize_list(d).map(Some)
}

/// Deserializes a list. `null` and a blank text are an empty one.
pub(crate) fn deserialize_list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Vec<T>, D::Error> {
    struct Reader<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(A_LIST.as_str())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(items))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
            if text.trim().is_empty() { Ok(Vec::new()) } else { Err(E::invalid_type(Unexpected::Str(text), &self)) }
        }
        fn visit_unit<E>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }
    }
    d.deserialize_any(Reader(PhantomData))
}

/// A whole number in a form: a JSON number from an API client, or a text from an input field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole(pub String);

impl Whole {
    /// Returns the number, or `None` if the text is empty or invalid. Its groups of three digits may be separated.
    pub fn value(&self) -> Option<i64> {
        parse_whole(self.0.trim())
    }

    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }
}

#[cfg(feature = "wasm")]
typescript!("Whole = number | string | null");
#[cfg(feature = "schema")]
json_schema!(Whole, {"type": ["integer", "string", "null"]});

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Given {
            Number(i64),
            Decimal(f64),
            Text(String),
            Null(()),
        }
        Ok(match Given::deserialize(d)? {
            Given::Number(number) => Whole(number.to_string()),
            // 12000.0 becomes "12000". 12.5 stays a text, which the rule of the field rejects.
            Given::Decimal(number) => Whole(number.to_string()),
            Given::Text(text) => Whole(text),
            Given::Null(()) => Whole::default(),
        })
    }
}
