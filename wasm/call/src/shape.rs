//! Converts core's types to JavaScript and back.
//!
//! The deserializer is our own, to keep the wasm modules small (docs/decisions/0014-small-modules.md): it passes a
//! struct's fields in their declared order. The modules then don't contain serde's derived code for fields in any
//! order, which is several times as large for each type.

use crate::BindingError;
use js_sys::{Array, Number, Object};
use serde::Serialize;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor,
};
use serde_wasm_bindgen::Serializer;
use std::{fmt, slice};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A JavaScript object whose properties are read by name.
    type Fields;
    #[wasm_bindgen(method, indexing_getter, catch)]
    fn field(this: &Fields, name: &str) -> Result<JsValue, JsValue>;
}

/// Deserializes an argument that the page passed to a binding.
///
/// # Errors
/// The argument has another shape than `T`.
pub fn read<T>(value: &Ts<T>) -> Result<T, BindingError>
where
    T: Tsify + DeserializeOwned,
    T::JsType: JsCast,
{
    read_value(value.js_value()).map_err(BindingError::from)
}

/// Deserializes any JavaScript value.
///
/// # Errors
/// The value has another shape than `T`.
pub fn read_value<T: DeserializeOwned>(value: JsValue) -> Result<T, ShapeError> {
    T::deserialize(Value(value))
}

/// Converts a value to JavaScript, for the page.
///
/// # Errors
/// JavaScript can't represent the value. This does not happen with core's types.
pub fn to_js<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, BindingError> {
    // The parameters of a message are a map, which would otherwise become a JavaScript `Map`.
    let serializer = Serializer::new().serialize_maps_as_objects(true);
    let value = value.serialize(&serializer).map_err(|_| shape_error("This value can't be passed to JavaScript"))?;
    Ok(Ts::new_unchecked(value.unchecked_into()))
}

/// Converts a value to a JavaScript value that can be sent as JSON.
pub fn to_json_value(value: &impl Serialize) -> Result<JsValue, BindingError> {
    value.serialize(&Serializer::json_compatible()).map_err(|_| shape_error("This value can't be sent as JSON").into())
}

/// The error for a value of the wrong shape. Never includes the value, which may be confidential.
#[derive(Debug)]
pub struct ShapeError(String);

fn shape_error(reason: &str) -> ShapeError {
    ShapeError(reason.to_owned())
}

impl From<ShapeError> for BindingError {
    fn from(ShapeError(reason): ShapeError) -> Self {
        BindingError::InvalidArgument(reason)
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShapeError {}

// These errors leave out the value and the expected type, because formatting them would take a tenth of the module's
// size.
impl de::Error for ShapeError {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        ShapeError(reason.to_string())
    }
    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        shape_error("Wrong type")
    }
    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        shape_error("Invalid value")
    }
    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        shape_error("Too few items")
    }
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        shape_error("Unknown variant")
    }
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        shape_error("Unknown field")
    }
    fn missing_field(name: &'static str) -> Self {
        shape_error("Missing field").at(name)
    }
    fn duplicate_field(name: &'static str) -> Self {
        shape_error("Duplicate field").at(name)
    }
}

impl ShapeError {
    /// Returns the error with the name of the field before its text.
    fn at(self, name: &str) -> Self {
        ShapeError([name, ": ", &self.0].concat())
    }
}

/// A JavaScript value, as a deserializer of serde.
struct Value(JsValue);

impl Value {
    fn is_nullish(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    /// Returns the value if it is an integer that a JavaScript number represents exactly (at most 2^53 - 1).
    fn integer(&self) -> Result<i64, ShapeError> {
        let number = self.0.as_f64().filter(|_| Number::is_safe_integer(&self.0));
        number.map(|number| number as i64).ok_or_else(|| shape_error("Not an integer"))
    }

    fn number(&self) -> Result<f64, ShapeError> {
        self.0.as_f64().ok_or_else(|| shape_error("Not a number"))
    }

    fn text(&self) -> Result<String, ShapeError> {
        self.0.as_string().ok_or_else(|| shape_error("Not a string"))
    }

    fn items(self) -> Result<Array, ShapeError> {
        self.0.dyn_into().map_err(|_| shape_error("Not an array"))
    }

    fn object(self) -> Result<Object, ShapeError> {
        if self.0.is_object() { Ok(self.0.unchecked_into()) } else { Err(shape_error("Not an object")) }
    }
}

impl IntoDeserializer<'_, ShapeError> for Value {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

/// Iterates over the fields of a struct in their declared order. For a missing field it returns `None`, as at the end
/// of a sequence: derived code then uses the field's `#[serde(default)]` and asks for the next field, or fails if there
/// is no default.
struct InOrder {
    object: Fields,
    names: slice::Iter<'static, &'static str>,
}

impl InOrder {
    fn next(&mut self) -> Option<(&'static str, Value)> {
        let name = self.names.next()?;
        let value = self.object.field(name).ok().filter(|value| !value.is_undefined())?;
        Some((name, Value(value)))
    }
}

impl<'de> de::SeqAccess<'de> for InOrder {
    type Error = ShapeError;
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ShapeError> {
        let Some((name, value)) = self.next() else { return Ok(None) };
        seed.deserialize(value).map(Some).map_err(|error| error.at(name))
    }
}

/// Defines the methods that deserialize numbers and strings. The visitor of each integer type checks its range.
macro_rules! scalars {
    ($($visit:ident($read:ident): $($method:ident)*;)*) => { $($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
            visitor.$visit(self.$read()?)
        }
    )*)* };
}

impl<'de> Deserializer<'de> for Value {
    type Error = ShapeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        if self.is_nullish() {
            visitor.visit_unit()
        } else if let Some(value) = self.0.as_bool() {
            visitor.visit_bool(value)
        } else if let Ok(value) = self.integer() {
            visitor.visit_i64(value)
        } else if let Ok(value) = self.number() {
            visitor.visit_f64(value)
        } else if let Ok(value) = self.text() {
            visitor.visit_string(value)
        } else if self.0.is_array() {
            self.deserialize_seq(visitor)
        } else {
            self.deserialize_map(visitor)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_bool(self.0.as_bool().ok_or_else(|| shape_error("Not a boolean"))?)
    }

    scalars! {
        visit_i64(integer): deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64;
        visit_f64(number): deserialize_f32 deserialize_f64;
        visit_string(text): deserialize_str deserialize_string deserialize_identifier;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        if self.is_nullish() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_seq(SeqDeserializer::new(self.items()?.into_iter().map(Value)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let entries = Object::entries(&self.object()?).into_iter().map(|entry| {
            let entry: Array = entry.unchecked_into();
            (entry.get(0).as_string().unwrap_or_default(), Value(entry.get(1)))
        });
        visitor.visit_map(MapDeserializer::new(entries))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        visitor.visit_seq(InOrder { object: self.object()?.unchecked_into(), names: names.iter() })
    }

    /// An enum of unit variants is a string. Untagged enums use `deserialize_any` instead.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct tuple tuple_struct }
}
