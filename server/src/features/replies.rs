//! Responses that the handlers of several features share.

use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use forecourt_core::message::Message;
use forecourt_core::reply::{Done, Reply};
use serde::Serialize;

/// Responds to an update with the current record: 200, or 409 if the update was based on an older version.
pub fn update_reply<T: Serialize>(is_updated: bool, current: T, message: &Message) -> ApiResult<Json<Reply<T>>> {
    match is_updated {
        true => Ok(Json(Reply::new(current).with_message(message))),
        false => Err(ApiError::version_conflict(&current)),
    }
}

/// Responds to a deletion: 200, or 404 if the record did not exist.
pub fn delete_reply(is_deleted: bool, message: &Message) -> ApiResult<Json<Done>> {
    if is_deleted { Ok(Json(Done::new(message))) } else { Err(ApiError::NotFound) }
}
