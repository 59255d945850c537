//! Receives a form that may contain a picture.

use crate::access::scope::Scope;
use crate::access::uploads::UploadPermit;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::multipart::{Form, Part, Unread};
use forecourt_core::images::{ImageUse, text};
use forecourt_core::import::text::UPLOAD_BROKEN_OFF;
use std::collections::BTreeMap;

/// The fields of a received form.
pub(crate) struct PictureForm {
    /// The text fields by name; of two fields with one name, the last.
    pub texts: BTreeMap<String, String>,
    pub picture: Option<Vec<u8>>,
    /// Released when the form is dropped.
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
pub(crate) async fn receive_form(
    app: &App,
    scope: &Scope,
    form: Result<Form, Unread>,
    image: ImageUse,
    name: &str,
) -> ApiResult<PictureForm> {
    let to_api_error = |unread| to_api_error(unread, image);
    let mut form = form.map_err(to_api_error)?;
    let permit = app.receiving.pictures.take(scope).await?;
    let (mut texts, mut picture) = (BTreeMap::new(), None);
    while let Some(field) = form.next().await.map_err(to_api_error)? {
        let field_name = field.name().unwrap_or_default().to_owned();
        match field.file_name() {
            Some(_) if field_name == name => match receive_picture(field, image).await? {
                bytes if bytes.is_empty() => {}
                _ if picture.is_some() => return Err(ApiError::invalid(text::TWO_PICTURES)),
                bytes => picture = Some(bytes),
            },
            Some(_) => field.pass_over().await.map_err(to_api_error)?,
            None => {
                let value = field.bytes().await.map_err(to_api_error)?;
                let value = String::from_utf8(value).map_err(|_| ApiError::invalid(text::NOT_A_FORM))?;
                texts.insert(field_name, value);
            }
        }
    }
    Ok(PictureForm { texts, picture, _permit: permit })
}

async fn receive_picture(mut field: Part<'_>, image: ImageUse) -> ApiResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut fits = true;
    while let Some(chunk) = field.chunk().await.map_err(|unread| to_api_error(unread, image))? {
        fits &= (bytes.len() + chunk.len()) as u64 <= image.max_bytes();
        // The rest is still read: browsers do not show a response while they are sending.
        if fits {
            bytes.extend_from_slice(&chunk);
        }
    }
    if fits { Ok(bytes) } else { Err(too_large_error(image)) }
}

fn to_api_error(unread: Unread, image: ImageUse) -> ApiError {
    match unread {
        Unread::NoForm => ApiError::invalid(text::NOT_A_FORM),
        Unread::TooLarge => too_large_error(image),
        Unread::BrokenOff => ApiError::invalid(UPLOAD_BROKEN_OFF),
    }
}

fn too_large_error(image: ImageUse) -> ApiError {
    ApiError::FileTooLarge(image.too_large_message().into())
}
