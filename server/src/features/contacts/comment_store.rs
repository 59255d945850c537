//! Comments on contacts in the database.

use crate::access::scope::Scope;
use crate::features::listing::push_page;
use crate::features::records::change;
use crate::features::records::table::Table;
use crate::features::records::trash::Child;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::responses::take_within_bytes;
use forecourt_core::contacts::{
    COMMENTS_MAX, COMMENTS_PAGE_SIZE, Comment, CommentInput, ContactSummary, NEWEST_COMMENTS, NEWEST_COMMENTS_BYTES,
};
use forecourt_core::form::Checked;
use forecourt_core::history::{Change, ChangedValue};
use forecourt_core::paging::Page;
use forecourt_core::users::{author_message, author_name};
use uuid::Uuid;

pub const CHILD: Child = Child {
    table: Table {
        name: "comments",
        columns: &[&["comment_id", "contact_id", "user_id", "comment", "created_at", "updated_at"]],
        references: &[("user_id", "users")],
    },
    id: "comment_id",
    record: "contact_id",
    max: COMMENTS_MAX,
    text: "comment",
};

/// A comment, with the name of its author unless that user was deleted.
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
            user_name_message: author_message(row.first_name.is_some()),
            user_name: author_name(row.first_name, row.last_name),
            comment: row.comment,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
        }
    }
}

/// Builds the query for the comments of a contact.
fn select_comments(scope: &Scope, contact: Uuid) -> Sql<'_> {
    scope
        .db()
        .sql(
            "SELECT c.comment_id, c.user_id, u.first_name, u.last_name, c.comment, c.created_at, c.updated_at \
             FROM comments c LEFT JOIN users u ON u.corp_id = c.corp_id AND u.user_id = c.user_id WHERE c.corp_id = ",
        )
        .arg(scope.corp())
        .push_arg(" AND c.contact_id = ", contact)
}

/// Builds the query for a page of a contact's comments, newest first; only those older than `before`, if given.
fn select_page(scope: &Scope, contact: Uuid, before: Option<Uuid>, page: Page) -> Sql<'_> {
    let sql = select_comments(scope, contact).filter(" AND c.comment_id < ", before);
    push_page(sql.push(" ORDER BY c.comment_id DESC"), page)
}

/// Returns a page of a contact's comments, newest first, and the total number of its comments.
///
/// # Errors
/// 404 if the tenant has no such contact.
pub async fn list(scope: &Scope, contact: Uuid, before: Option<Uuid>, page: Page) -> ApiResult<(Vec<Comment>, u64)> {
    let rows = async { Ok(select_page(scope, contact, before, page).all::<CommentRow>().await?) };
    let (rows, total) = tokio::try_join!(rows, count(scope, contact))?;
    Ok((rows.into_iter().map(Comment::from).collect(), total))
}

/// Returns a contact's newest comments, as many as the response with the contact contains: up to `NEWEST_COMMENTS`, and
/// fewer if they are long.
pub async fn newest(scope: &Scope, contact: Uuid) -> ApiResult<Vec<Comment>> {
    let page = Page { page: 1, limit: COMMENTS_PAGE_SIZE };
    let (mut comments, mut before) = (Vec::new(), None);
    // In pages, because the maximum number of long comments is several times the size limit.
    loop {
        let rows: Vec<CommentRow> = select_page(scope, contact, before, page).all().await?;
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

/// Returns all comments of a contact, newest first.
pub async fn all(scope: &Scope, contact: Uuid) -> Result<Vec<Comment>> {
    let rows = select_comments(scope, contact).push(" ORDER BY c.comment_id DESC").all::<CommentRow>();
    Ok(rows.await?.into_iter().map(Comment::from).collect())
}

/// Returns how many comments a contact has.
///
/// # Errors
/// 404 if the tenant has no such contact.
pub async fn count(scope: &Scope, contact: Uuid) -> ApiResult<u64> {
    let count: i64 = scope
        .db()
        .sql(
            "SELECT (SELECT count(*) FROM comments WHERE corp_id = $1 AND contact_id = $2) \
             FROM contacts WHERE corp_id = $1 AND contact_id = $2",
        )
        .bind_all((scope.corp(), contact))
        .value()
        .await?;
    Ok(count.unsigned_abs())
}

pub async fn get(scope: &Scope, contact: Uuid, id: Uuid) -> Result<Comment> {
    Ok(select_comments(scope, contact).push_arg(" AND c.comment_id = ", id).one::<CommentRow>().await?.into())
}

/// Adds a comment by the scope's user. Returns `false` if the contact has the maximum number; simultaneous inserts can
/// exceed it on PostgreSQL. A missing contact violates the foreign key.
pub async fn create(scope: &Scope, contact: Uuid, form: Checked<CommentInput>, now: i64) -> Result<bool> {
    let owned = scope.clone();
    change::update_part::<ContactSummary>(scope, now, contact, move |tx| {
        Box::pin(async move {
            let comment = form.into_inner().comment;
            let sql = tx.sql(
                "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) \
                 SELECT $1, $2, $3, $4, $5, $6, $6 \
                 WHERE (SELECT count(*) FROM comments WHERE corp_id = $1 AND contact_id = $3) < $7",
            );
            let sql = sql.bind_all((owned.corp(), Uuid::now_v7(), contact, owned.user(), comment.clone()));
            let inserted = sql.bind_all((now, i64::from(COMMENTS_MAX))).exec().await?;
            Ok((inserted > 0).then(|| change_of(None, Some(comment))))
        })
    })
    .await
}

/// Replaces the text of a comment. Returns `false` if it does not exist.
pub async fn update(scope: &Scope, contact: Uuid, id: Uuid, form: Checked<CommentInput>, now: i64) -> Result<bool> {
    let corp = scope.corp();
    change::update_part::<ContactSummary>(scope, now, contact, move |tx| {
        Box::pin(async move {
            let for_update = tx.pick("", " FOR UPDATE");
            let sql = tx.sql("SELECT comment FROM comments WHERE corp_id = $1 AND contact_id = $2 AND comment_id = $3");
            let before = sql.push(for_update).bind_all((corp, contact, id)).maybe_value::<String>().await?;
            let Some(before) = before else { return Ok(None) };
            let after = form.into_inner().comment;
            let sql = tx.sql(
                "UPDATE comments SET comment = $1, updated_at = $2 \
                 WHERE corp_id = $3 AND contact_id = $4 AND comment_id = $5",
            );
            sql.bind_all((after.clone(), now, corp, contact, id)).exec().await?;
            Ok(Some(change_of(Some(before), Some(after))))
        })
    })
    .await
}

/// Deletes a comment. Returns `false` if it does not exist.
pub async fn delete(scope: &Scope, contact: Uuid, id: Uuid, now: i64) -> Result<bool> {
    let corp = scope.corp();
    change::update_part::<ContactSummary>(scope, now, contact, move |tx| {
        Box::pin(async move {
            let sql =
                "DELETE FROM comments WHERE corp_id = $1 AND contact_id = $2 AND comment_id = $3 RETURNING comment";
            let deleted = tx.sql(sql).bind_all((corp, contact, id)).maybe_value::<String>().await?;
            Ok(deleted.map(|before| change_of(Some(before), None)))
        })
    })
    .await
}

/// Returns the change, for the contact's history, of a comment that was added, changed or deleted: `None` is a comment
/// that does not exist.
fn change_of(before: Option<String>, after: Option<String>) -> Change {
    let [before, after] = [before, after].map(|text| text.map(ChangedValue::Text));
    Change { field: "comments".to_owned(), before, after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::update_statistics;

    #[tokio::test]
    async fn a_page_of_comments_uses_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        let contacts: Vec<Uuid> = (0..40).map(|_| Uuid::now_v7()).collect();
        let mut tx = db.begin().await.unwrap();
        let corporation = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        tx.sql(corporation).bind(scope.corp()).exec().await.unwrap();
        for contact in &contacts {
            tx.sql(
                "INSERT INTO contacts (corp_id, contact_id, name, email, phone, website, address, other_details, \
                 doc, created_at, updated_at) VALUES ($1, $2, '', '', '', '', '', '{}', 0, 0, 0)",
            )
            .bind_all((scope.corp(), *contact))
            .exec()
            .await
            .unwrap();
            tx.sql("INSERT INTO comments (corp_id, comment_id, contact_id, comment, created_at, updated_at) VALUES ")
                .tuples(0..250, |sql, _| {
                    sql.arg(scope.corp())
                        .comma(Uuid::now_v7())
                        .comma(*contact)
                        .comma("Called")
                        .comma(0_i64)
                        .comma(0_i64)
                })
                .exec()
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        update_statistics(&db).await;
        let page = Page { page: 2, limit: COMMENTS_PAGE_SIZE };
        let plan = select_page(&scope, contacts[7], Some(Uuid::now_v7()), page).explain().await.unwrap();
        let by = db.pick("comments_contact (corp_id=? AND contact_id=?", "comments_contact");
        let whole = db.pick("TEMP B-TREE", "Seq Scan on comments");
        assert!(plan.contains(by) && !plan.contains(whole), "{plan}");
        assert_eq!(count(&scope, contacts[7]).await.unwrap(), 250);
        db.close().await;
    }
}
