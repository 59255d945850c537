//! Values that must not be shown or sent by accident.

use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroize;

/// A password, code, token, key or social security number. It implements neither `Debug` nor `Display` nor `Serialize`:
/// a type that contains one can't derive `Debug`, and can derive `Serialize` only if the field names [`exposed`]. On
/// the server, its memory is overwritten when it is dropped.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    pub fn new(value: T) -> Self {
        Secret(value)
    }

    /// Returns the value. The caller must not log it, and must not return it to anyone who may not see it.
    pub fn expose_secret(&self) -> &T {
        &self.0
    }

    pub fn expose_secret_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

// On wasm there is no `Drop`, because the page has the same value as a JavaScript string, which can't be overwritten.
#[cfg(not(target_arch = "wasm32"))]
impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Secret(value)
    }
}

impl From<&str> for Secret<String> {
    fn from(text: &str) -> Self {
        Secret(text.to_owned())
    }
}

/// Serializes the value of a secret. A secret field is only part of a request or response with `#[serde(serialize_with
/// = "exposed")]`.
pub fn exposed<T: Zeroize + Serialize, S: Serializer>(secret: &Secret<T>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.0.serialize(serializer)
}

/// Returns the text of an optional secret; empty if there is none.
pub fn expose_or_empty(secret: &Option<Secret<String>>) -> &str {
    secret.as_ref().map_or("", |secret| secret.expose_secret())
}

#[cfg(feature = "schema")]
impl<T: Zeroize + schemars::JsonSchema> schemars::JsonSchema for Secret<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{CodeInput, LoginInput, ResetInput, Tokens};
    use crate::customers::{Customer, CustomerInput};
    use static_assertions::assert_not_impl_any;
    use std::fmt::{Debug, Display};

    // These lines do not compile if a type implements one of the traits.
    assert_not_impl_any!(Secret<String>: Debug, Display, Serialize);
    assert_not_impl_any!(Secret<[u8; 32]>: Debug, Display, Serialize);
    assert_not_impl_any!(LoginInput: Debug, Serialize);
    assert_not_impl_any!(CodeInput: Debug, Serialize);
    assert_not_impl_any!(ResetInput: Debug, Serialize);
    assert_not_impl_any!(CustomerInput: Debug, Serialize);
    assert_not_impl_any!(Customer: Debug);
    assert_not_impl_any!(Tokens: Debug);

    #[test]
    fn a_secret_deserializes_as_its_value() {
        let secret: Secret<String> = serde_json::from_str(r#""open sesame""#).unwrap();
        assert_eq!(secret.expose_secret(), "open sesame");
    }

    #[test]
    fn a_field_is_serialized_only_if_it_says_so() {
        #[derive(Serialize)]
        struct Response {
            #[serde(serialize_with = "exposed")]
            token: Secret<String>,
        }
        assert_eq!(serde_json::to_string(&Response { token: "t".into() }).unwrap(), r#"{"token":"t"}"#);
    }
}
