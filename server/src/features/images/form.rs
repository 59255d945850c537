//! Receives a form that may contain a picture.

use crate::access::scope::Scope;
use crate::access::uploads::UploadPermit;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::multipart::{FormField, FormMessages, MultipartBody};
use forecourt_core::images::{ImageUse, text};
use std::collections::BTreeMap;

/// The fields of a received form.
pub(crate) struct PictureForm {
    /// The text fields by name; of two fields with one name, the last.
    pub texts: BTreeMap<String, String>,
    pub picture: Option<Vec<u8>>,
    /// The upload slot, which is released when the form is dropped.
    _permit: UploadPermit,
}

impl PictureForm {
    /// Removes and returns a text field; empty if missing.
    pub fn take(&mut self, name: &str) -> String {
        self.texts.remove(name).unwrap_or_default()
    }
}

/// Receives the fields of a form in any order, once an upload slot is free. The picture is the file in the field
/// `name`. An empty file means that none was chosen. Other files are skipped.
pub(crate) async fn receive_form<P>(
    app: &App,
    scope: &Scope,
    body: MultipartBody<P>,
    image: ImageUse,
    name: &str,
) -> ApiResult<PictureForm> {
    let messages = FormMessages { not_a_form: text::NOT_A_FORM, too_large: image.too_large_message() };
    let mut form = body.open(messages).await?;
    let limiter = match image {
        ImageUse::Photo => &app.upload_limits.photos,
        ImageUse::Avatar | ImageUse::Logo => &app.upload_limits.pictures,
    };
    let permit = limiter.acquire(scope).await?;
    let (mut texts, mut picture) = (BTreeMap::new(), None);
    while let Some(field) = form.next_field().await? {
        let field_name = field.name().unwrap_or_default().to_owned();
        match field.file_name() {
            Some(_) if field_name == name => match receive_picture(field, image).await? {
                bytes if bytes.is_empty() => {}
                _ if picture.is_some() => return Err(ApiError::invalid(text::TWO_PICTURES)),
                bytes => picture = Some(bytes),
            },
            Some(_) => field.skip().await?,
            None => {
                let value = field.bytes().await?;
                let value = String::from_utf8(value).map_err(|_| ApiError::invalid(text::NOT_A_FORM))?;
                texts.insert(field_name, value);
            }
        }
    }
    Ok(PictureForm { texts, picture, _permit: permit })
}

async fn receive_picture(mut field: FormField<'_>, image: ImageUse) -> ApiResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut fits = true;
    while let Some(chunk) = field.chunk().await? {
        fits &= (bytes.len() + chunk.len()) as u64 <= image.max_bytes();
        // The rest of a picture that is too large is received too, because browsers show no response while they are
        // still sending.
        if fits {
            bytes.extend_from_slice(&chunk);
        }
    }
    if fits { Ok(bytes) } else { Err(ApiError::FileTooLarge(image.too_large_message().into())) }
}
