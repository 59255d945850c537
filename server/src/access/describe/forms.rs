//! The OpenAPI schemas of multipart forms.

use super::{Parts, sent};
use forecourt_core::images::{AVATAR_MAX, LOGO_MAX};
use forecourt_core::import::{ColumnMapping, Corrections, ReadOptions, Verdict};
use forecourt_core::profile::{AVATAR_FIELD, ProfileInput};
use forecourt_core::theme::LOGO_FIELD;
use schemars::JsonSchema;
use serde_json::{Value, json};

/// The user's own profile, with an optional picture.
pub enum ProfileForm {}
/// A logo.
pub enum LogoForm {}
/// A file to import, and its options.
pub enum ImportForm {}

fn file(most: Option<u64>) -> Value {
    let mut file = json!({"type": "string", "contentMediaType": "application/octet-stream"});
    if let Some(most) = most {
        file["maxLength"] = most.into();
    }
    file
}

/// Returns the schema of a field whose text is JSON.
fn words<T: JsonSchema>() -> Value {
    json!({"type": "string", "contentMediaType": "application/json", "contentSchema": sent::<T>()})
}

impl Parts for ProfileForm {
    fn schema() -> Value {
        let mut schema = sent::<ProfileInput>().to_value();
        if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            // The server fills this field in.
            fields.remove("knownEmail");
            fields.insert("_id".into(), json!({"type": "string", "description": "One's own id, or nothing."}));
            fields.insert(AVATAR_FIELD.into(), file(Some(AVATAR_MAX)));
        }
        schema
    }
}

impl Parts for LogoForm {
    fn schema() -> Value {
        json!({"type": "object", "properties": {LOGO_FIELD: file(Some(LOGO_MAX))}, "required": [LOGO_FIELD]})
    }
}

impl Parts for ImportForm {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "file": file(None),
                "columnMapping": words::<Vec<ColumnMapping>>(),
                "options": words::<ReadOptions>(),
                "corrections": words::<Corrections>(),
                "verdict": words::<Verdict>(),
            },
            "required": ["file"],
        })
    }
}
