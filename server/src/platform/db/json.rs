//! Values that are stored as JSON in a text column.

use super::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub fn from_json<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| sqlx::Error::Decode(error.into()))
}

pub fn to_json(value: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))
}
