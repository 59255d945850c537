//! The OpenAPI schemas of multipart forms.

use super::{MultipartSchema, request_schema};
use forecourt_core::images::{AVATAR_MAX, LOGO_MAX, PHOTO_MAX};
use forecourt_core::import::{ColumnMapping, Corrections, ReadOptions, Verdict};
use forecourt_core::profile::{AVATAR_FIELD, ProfileInput};
use forecourt_core::theme::LOGO_FIELD;
use forecourt_core::vehicles::{PHOTO_FIELD, UPLOAD_ID_FIELD};
use schemars::JsonSchema;
use serde_json::{Value, json};

/// The user's own profile, with an optional picture.
pub enum ProfileForm {}
/// The form that uploads a logo.
pub enum LogoForm {}
/// The form that uploads a photo of a vehicle.
pub enum PhotoForm {}
/// A file to import, and its options.
pub enum ImportForm {}

fn file_schema(max: Option<u64>) -> Value {
    let mut file = json!({"type": "string", "contentMediaType": "application/octet-stream"});
    if let Some(max) = max {
        file["maxLength"] = max.into();
    }
    file
}

/// Returns the schema of a field whose text is JSON.
fn json_text_schema<T: JsonSchema>() -> Value {
    json!({"type": "string", "contentMediaType": "application/json", "contentSchema": request_schema::<T>()})
}

impl MultipartSchema for ProfileForm {
    fn schema() -> Value {
        let mut schema = request_schema::<ProfileInput>().to_value();
        if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            // Clients do not send this field: the server fills it in.
            fields.remove("knownEmail");
            fields.insert("_id".into(), json!({"type": "string", "description": "The user's own id, or empty."}));
            fields.insert(AVATAR_FIELD.into(), file_schema(Some(AVATAR_MAX)));
        }
        schema
    }
}

impl MultipartSchema for LogoForm {
    fn schema() -> Value {
        json!({"type": "object", "properties": {LOGO_FIELD: file_schema(Some(LOGO_MAX))}, "required": [LOGO_FIELD]})
    }
}

impl MultipartSchema for PhotoForm {
    fn schema() -> Value {
        let upload_id = json!({
            "type": "string",
            "format": "uuid",
            "description": "A photo that is sent again with the same id is stored only once.",
        });
        json!({
            "type": "object",
            "properties": {PHOTO_FIELD: file_schema(Some(PHOTO_MAX)), UPLOAD_ID_FIELD: upload_id},
            "required": [PHOTO_FIELD],
        })
    }
}

impl MultipartSchema for ImportForm {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "file": file_schema(None),
                "columnMapping": json_text_schema::<Vec<ColumnMapping>>(),
                "options": json_text_schema::<ReadOptions>(),
                "corrections": json_text_schema::<Corrections>(),
                "verdict": json_text_schema::<Verdict>(),
            },
            "required": ["file"],
        })
    }
}
