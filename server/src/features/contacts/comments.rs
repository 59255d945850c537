//! Comments on contacts. Everyone who may read a contact may comment on it. A comment does not change the contact's
//! version, so it causes no version conflict in an open form.

use super::present;
use crate::access::scope::{Contacts, May, Read, Scope};
use crate::features::state::App;
use crate::features::users::author_name;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, NestedIds, Params, Valid};
use crate::platform::responses::{Created, take_within_bytes};
use axum::Json;
use axum::extract::State;
use forecourt_core::contacts::{
    COMMENTS_MAX, COMMENTS_PAGE_SIZE, Comment, CommentInput, CommentList, Contact, NEWEST_COMMENTS,
    NEWEST_COMMENTS_BYTES, may_delete_comment, may_edit_comment, text,
};
use forecourt_core::form::Checked;
use forecourt_core::paging::{Page, PageQuery};
use forecourt_core::permissions::Action;
use forecourt_core::reply::Reply;
use forecourt_core::text::QUERY_INVALID;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// The query parameters of the list of comments, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct CommentQuestion {
    #[serde(default)]
    #[schemars(with = "i64")]
    page: String,
    /// The id of a comment: only older ones are returned, so that pages do not shift when comments are added.
    #[serde(default)]
    before: String,
}

/// `GET /api/contacts/{id}/comments`
pub async fn list(
    may: May<Read, Contacts>,
    Id(contact): Id,
    Params(CommentQuestion { page, before }): Params<CommentQuestion>,
) -> ApiResult<Json<CommentList>> {
    let page = PageQuery { page, ..PageQuery::default() }.read(COMMENTS_PAGE_SIZE)?;
    let before = match before.trim() {
        "" => None,
        id => Some(Uuid::parse_str(id).map_err(|_| ApiError::invalid(QUERY_INVALID))?),
    };
    let (rows, comments_total) = tokio::try_join!(page_of(&may, contact, before, page), count(&may, contact))?;
    let data = rows.into_iter().map(Comment::from).collect();
    Ok(Json(CommentList { success: true, data, comments_total }))
}

/// `POST /api/contacts/{id}/comments`
pub async fn create(
    may: May<Read, Contacts>,
    State(app): State<App>,
    Id(contact): Id,
    Valid(form): Valid<CommentInput>,
) -> ApiResult<Created<Reply<Contact>>> {
    if !insert(&may, contact, form, app.clock.now()).await? {
        return Err(ApiError::Conflict(text::TOO_MANY_COMMENTS.into()));
    }
    let contact = present(&may, contact).await?;
    Ok(Created(Reply::new(contact).with_message(text::COMMENT_ADDED)))
}

/// `PUT /api/contacts/{id}/comments/{commentId}`
pub async fn update(
    may: May<Read, Contacts>,
    State(app): State<App>,
    NestedIds(contact, id): NestedIds,
    Valid(form): Valid<CommentInput>,
) -> ApiResult<Json<Reply<Contact>>> {
    let comment = get(&may, contact, id).await?.ok_or(ApiError::NotFound)?;
    if !may_edit_comment(&comment, &may.user().to_string()) {
        return Err(ApiError::Forbidden(text::NOT_COMMENT_AUTHOR));
    }
    if !write(&may, contact, id, form, app.clock.now()).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Json(Reply::new(present(&may, contact).await?).with_message(text::COMMENT_EDITED)))
}

/// `DELETE /api/contacts/{id}/comments/{commentId}`
pub async fn delete(may: May<Read, Contacts>, NestedIds(contact, id): NestedIds) -> ApiResult<Json<Reply<Contact>>> {
    let comment = get(&may, contact, id).await?.ok_or(ApiError::NotFound)?;
    let (user, deleting) = (may.user().to_string(), may.with_permission(Action::Delete));
    if !may_delete_comment(&comment, &user, deleting.is_some()) {
        return Err(ApiError::PermissionDenied);
    }
    // Deleting another user's comment uses the scope of that permission, which is then checked again in the
    // transaction.
    let scope = match deleting {
        Some(deleting) if !may_delete_comment(&comment, &user, false) => deleting,
        _ => Scope::clone(&may),
    };
    if !remove(&scope, contact, id).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Json(Reply::new(present(&may, contact).await?).with_message(text::COMMENT_DELETED)))
}

/// A comment with the name of its author, if not deleted.
#[derive(sqlx_macros::FromRow)]
struct CommentRow {
    comment_id: Uuid,
    user_id: Option<Uuid>,
    first_name: Option<String>,
    last_name: Option<String>,
    comment: String,
    created_at: i64,
    updated_at: i64,
}

impl From<CommentRow> for Comment {
    fn from(row: CommentRow) -> Self {
        Comment {
            id: row.comment_id.to_string(),
            user_id: row.user_id.map(|id| id.to_string()).unwrap_or_default(),
            user_name: author_name(row.first_name, row.last_name),
            comment: row.comment,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
        }
    }
}

/// Builds the query for the comments of a contact.
fn rows_of(scope: &Scope, contact: Uuid) -> Sql<'_> {
    scope
        .db()
        .sql(
            "SELECT c.comment_id, c.user_id, u.first_name, u.last_name, c.comment, c.created_at, c.updated_at \
             FROM comments c LEFT JOIN users u ON u.corp_id = c.corp_id AND u.user_id = c.user_id WHERE c.corp_id = ",
        )
        .arg(scope.corp())
        .push(" AND c.contact_id = ")
        .arg(contact)
}

/// Builds the query for a page of a contact's comments, newest first; only those older than `before`, if given.
fn newest_first(scope: &Scope, contact: Uuid, before: Option<Uuid>, page: Page) -> Sql<'_> {
    let sql = rows_of(scope, contact).filter(" AND c.comment_id < ", before);
    let sql = sql.push(" ORDER BY c.comment_id DESC LIMIT ").arg(i64::from(page.limit));
    sql.push(" OFFSET ").arg(page.offset())
}

async fn page_of(scope: &Scope, contact: Uuid, before: Option<Uuid>, page: Page) -> ApiResult<Vec<CommentRow>> {
    Ok(newest_first(scope, contact, before, page).all().await?)
}

/// Returns the comments that are part of a contact's record, newest first.
pub async fn newest(scope: &Scope, contact: Uuid) -> ApiResult<Vec<Comment>> {
    let page = Page { page: 1, limit: COMMENTS_PAGE_SIZE };
    let (mut comments, mut before) = (Vec::new(), None);
    // In pages, because the maximum number of long comments is several times the size limit.
    loop {
        let rows = page_of(scope, contact, before, page).await?;
        let is_last = rows.len() < COMMENTS_PAGE_SIZE as usize;
        before = rows.last().map(|row| row.comment_id);
        comments.extend(rows.into_iter().map(Comment::from));
        comments.truncate(NEWEST_COMMENTS as usize);
        let loaded = comments.len();
        comments = take_within_bytes(comments, NEWEST_COMMENTS_BYTES).map_err(ApiError::internal)?;
        if is_last || comments.len() < loaded || loaded == NEWEST_COMMENTS as usize {
            return Ok(comments);
        }
    }
}

/// Returns how many comments a contact has.
///
/// # Errors
/// 404 if the tenant has no such contact.
pub async fn count(scope: &Scope, contact: Uuid) -> ApiResult<u64> {
    let count: Option<(i64,)> = scope
        .db()
        .sql(
            "SELECT (SELECT count(*) FROM comments WHERE corp_id = $1 AND contact_id = $2) \
             FROM contacts WHERE corp_id = $1 AND contact_id = $2",
        )
        .bind(scope.corp())
        .bind(contact)
        .maybe()
        .await?;
    count.map(|(count,)| count.unsigned_abs()).ok_or(ApiError::NotFound)
}

async fn get(scope: &Scope, contact: Uuid, id: Uuid) -> Result<Option<Comment>> {
    let row: Option<CommentRow> = rows_of(scope, contact).push(" AND c.comment_id = ").arg(id).maybe().await?;
    Ok(row.map(Comment::from))
}

/// Adds a comment by the scope's user. Returns `false` if the contact has the maximum number; simultaneous inserts can
/// exceed it on PostgreSQL. A missing contact violates the foreign key.
async fn insert(scope: &Scope, contact: Uuid, form: Checked<CommentInput>, now: i64) -> Result<bool> {
    let made = scope
        .db()
        .sql(
            "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) \
             SELECT $1, $2, $3, $4, $5, $6, $6 \
             WHERE (SELECT count(*) FROM comments WHERE corp_id = $1 AND contact_id = $3) < $7",
        )
        .bind(scope.corp())
        .bind(Uuid::now_v7())
        .bind(contact)
        .bind(scope.user())
        .bind(form.into_inner().comment)
        .bind(now)
        .bind(i64::from(COMMENTS_MAX))
        .exec()
        .await?;
    Ok(made > 0)
}

/// Replaces the text of a comment. Returns `false` if it does not exist.
async fn write(scope: &Scope, contact: Uuid, id: Uuid, form: Checked<CommentInput>, now: i64) -> Result<bool> {
    let changed = scope
        .db()
        .sql(
            "UPDATE comments SET comment = $1, updated_at = $2 \
             WHERE corp_id = $3 AND contact_id = $4 AND comment_id = $5",
        )
        .bind(form.into_inner().comment)
        .bind(now)
        .bind(scope.corp())
        .bind(contact)
        .bind(id)
        .exec()
        .await?;
    Ok(changed > 0)
}

async fn remove(scope: &Scope, contact: Uuid, id: Uuid) -> Result<bool> {
    let gone = scope
        .db()
        .sql("DELETE FROM comments WHERE corp_id = $1 AND contact_id = $2 AND comment_id = $3")
        .bind(scope.corp())
        .bind(contact)
        .bind(id)
        .exec()
        .await?;
    Ok(gone > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::platform::db;

    #[tokio::test]
    async fn the_comments_of_a_contact_are_found_by_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let db = db::test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        let contacts: Vec<Uuid> = (0..40).map(|_| Uuid::now_v7()).collect();
        let mut tx = db.begin().await.unwrap();
        let corporation = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        tx.sql(corporation).bind(scope.corp()).exec().await.unwrap();
        for contact in &contacts {
            tx.sql(
                "INSERT INTO contacts (corp_id, contact_id, name, email, phone, website, address, other_details, search, \
                 created_at, updated_at) VALUES ($1, $2, '', '', '', '', '', '{}', '', 0, 0)",
            )
            .bind(scope.corp())
            .bind(*contact)
            .exec()
            .await
            .unwrap();
            tx.sql("INSERT INTO comments (corp_id, comment_id, contact_id, comment, created_at, updated_at) VALUES ")
                .tuples(0..250, |sql, _| {
                    sql.arg(scope.corp()).next(Uuid::now_v7()).next(*contact).next("Called").next(0_i64).next(0_i64)
                })
                .exec()
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        db.sql(db.pick("ANALYZE comments", "VACUUM ANALYZE comments")).exec().await.unwrap();
        let page = Page { page: 2, limit: COMMENTS_PAGE_SIZE };
        let plan = newest_first(&scope, contacts[7], Some(Uuid::now_v7()), page).explain().await.unwrap();
        let by = db.pick("comments_contact (corp_id=? AND contact_id=?", "comments_contact");
        let whole = db.pick("TEMP B-TREE", "Seq Scan on comments");
        assert!(plan.contains(by) && !plan.contains(whole), "{plan}");
        assert_eq!(count(&scope, contacts[7]).await.unwrap(), 250);
        db.close().await;
    }
}
