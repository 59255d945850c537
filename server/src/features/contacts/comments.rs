//! Comments on contacts. Everyone who may read a contact may comment on it. A comment does not change the contact's
//! version, so it causes no version conflict in an open form.

use super::comment_store as store;
use crate::access::scope::{Contacts, May, Read, Scope};
use crate::features::history;
use crate::features::records::Editable;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm, NestedIds, Params, Repeatable, Valid, optional_id};
use crate::platform::limits::{self, COMMENTS};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::contacts::{
    COMMENTS_PAGE_SIZE, CommentInput, CommentList, Contact, ContactSummary, may_delete_comment, may_edit_comment, text,
};
use forecourt_core::history::HistoryAction;
use forecourt_core::paging::PageQuery;
use forecourt_core::permissions::{Action, ResourceId};
use forecourt_core::reply::Reply;
use schemars::JsonSchema;
use serde::Deserialize;

/// The query parameters of the list of comments, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct CommentQuery {
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1), extend("default" = 1))]
    page: String,
    /// The id of a comment: only older ones are returned, so that pages do not shift when comments are added.
    #[serde(default)]
    before: String,
}

pub async fn list(
    may: May<Read, Contacts>,
    Id(contact): Id,
    Params(CommentQuery { page, before }): Params<CommentQuery>,
) -> ApiResult<Json<CommentList>> {
    let page = PageQuery::<COMMENTS_PAGE_SIZE> { page, ..PageQuery::default() }.read()?;
    let before = optional_id("before", &before)?;
    let (data, comments_total) = store::list(&may, contact, before, page).await?;
    Ok(Json(CommentList { success: true, data, comments_total }))
}

/// Adds a comment, once if the request is repeated with its `Idempotency-Key`.
pub async fn create(
    may: May<Read, Contacts>,
    State(app): State<App>,
    Repeatable(request, IdAndForm(contact, form)): Repeatable<IdAndForm<CommentInput>>,
) -> ApiResult<Created<Reply<Contact>>> {
    limits::count_use(&app, COMMENTS, may.user().as_bytes()).await?;
    let scope = may.of_request(request);
    let error = match store::create(&scope, contact, form, app.clock.now()).await {
        Ok(true) => None,
        Ok(false) => Some(ApiError::Conflict(text::TOO_MANY_COMMENTS.into())),
        Err(error) => Some(error.into()),
    };
    if let Some(error) = error {
        let before = history::record_of_request(&scope, &error, HistoryAction::Updated, ResourceId::Contacts);
        if before.await? != Some((contact, true)) {
            return Err(error);
        }
    }
    let contact = ContactSummary::show(&may, contact).await?;
    Ok(Created(Reply::new(contact).with_message(text::COMMENT_ADDED)))
}

pub async fn update(
    may: May<Read, Contacts>,
    State(app): State<App>,
    NestedIds(contact, id): NestedIds,
    Valid(form): Valid<CommentInput>,
) -> ApiResult<Json<Reply<Contact>>> {
    limits::count_use(&app, COMMENTS, may.user().as_bytes()).await?;
    let comment = store::get(&may, contact, id).await?;
    if !may_edit_comment(&comment, &may.user().to_string()) {
        return Err(ApiError::Forbidden(text::NOT_COMMENT_AUTHOR));
    }
    if !store::update(&may, contact, id, form, app.clock.now()).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Json(Reply::new(ContactSummary::show(&may, contact).await?).with_message(text::COMMENT_EDITED)))
}

pub async fn delete(
    may: May<Read, Contacts>,
    State(app): State<App>,
    NestedIds(contact, id): NestedIds,
) -> ApiResult<Json<Reply<Contact>>> {
    let comment = store::get(&may, contact, id).await?;
    let (user, deleter) = (may.user().to_string(), may.with_permission(Action::Delete));
    if !may_delete_comment(&comment, &user, deleter.is_some()) {
        return Err(ApiError::PermissionDenied);
    }
    // Deleting another user's comment uses the scope of that permission, which is then checked again in the
    // transaction.
    let scope = match deleter {
        Some(deleter) if !may_delete_comment(&comment, &user, false) => deleter,
        _ => Scope::clone(&may),
    };
    if !store::delete(&scope, contact, id, app.clock.now()).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Json(Reply::new(ContactSummary::show(&may, contact).await?).with_message(text::COMMENT_DELETED)))
}
