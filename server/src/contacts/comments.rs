//! What is said about contacts. Whoever sees a contact may say something about it; a comment leaves the contact's version
//! as it is, so nobody's open form becomes stale by it.

use super::present;
use crate::answers::Created;
use crate::clock::rfc3339;
use crate::db::{Result, Sql};
use crate::problem::{Answer, Below, Id, Refusal, Valid};
use crate::scope::{Contacts, May, Read, Scope};
use crate::state::App;
use crate::users::author_name;
use axum::Json;
use axum::extract::State;
use forecourt_core::contacts::{
    COMMENTS_MAX, Comment, CommentInput, Contact, may_delete_comment, may_edit_comment, text,
};
use forecourt_core::form::Checked;
use forecourt_core::permissions::Action;
use forecourt_core::reply::Reply;
use uuid::Uuid;

/// `POST /api/contacts/{id}/comments`
pub async fn create(
    may: May<Read, Contacts>,
    State(app): State<App>,
    Id(contact): Id,
    Valid(form): Valid<CommentInput>,
) -> Answer<Created<Reply<Contact>>> {
    if !insert(&may, contact, form, app.clock.now()).await? {
        return Err(Refusal::Conflict(text::TOO_MANY_COMMENTS.into()));
    }
    let contact = present(&may, contact).await?;
    Ok(Created(Reply::new(contact).with_message(text::COMMENT_ADDED)))
}

/// `PUT /api/contacts/{id}/comments/{commentId}`
pub async fn update(
    may: May<Read, Contacts>,
    State(app): State<App>,
    Below(contact, id): Below,
    Valid(form): Valid<CommentInput>,
) -> Answer<Json<Reply<Contact>>> {
    let comment = get(&may, contact, id).await?.ok_or(Refusal::NotFound)?;
    if !may_edit_comment(&comment, &may.user().to_string()) {
        return Err(Refusal::Forbidden(text::COMMENT_OF_ANOTHER));
    }
    if !write(&may, contact, id, form, app.clock.now()).await? {
        return Err(Refusal::NotFound);
    }
    Ok(Json(Reply::new(present(&may, contact).await?).with_message(text::COMMENT_EDITED)))
}

/// `DELETE /api/contacts/{id}/comments/{commentId}`
pub async fn delete(may: May<Read, Contacts>, Below(contact, id): Below) -> Answer<Json<Reply<Contact>>> {
    let comment = get(&may, contact, id).await?.ok_or(Refusal::NotFound)?;
    let (user, deleting) = (may.user().to_string(), may.also(Action::Delete));
    if !may_delete_comment(&comment, &user, deleting.is_some()) {
        return Err(Refusal::NotAllowed);
    }
    // Another's comment goes only if the permission for it still stands when it is deleted.
    let scope = match deleting {
        Some(deleting) if !may_delete_comment(&comment, &user, false) => deleting,
        _ => Scope::clone(&may),
    };
    if !remove(&scope, contact, id).await? {
        return Err(Refusal::NotFound);
    }
    Ok(Json(Reply::new(present(&may, contact).await?).with_message(text::COMMENT_DELETED)))
}

/// A comment with the name of who wrote it, if they are still there.
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

/// The comments of a contact.
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

fn newest_first(scope: &Scope, contact: Uuid) -> Sql<'_> {
    rows_of(scope, contact).push(" ORDER BY c.comment_id DESC")
}

/// Every comment of a contact, the newest first.
pub async fn all(scope: &Scope, contact: Uuid) -> Result<Vec<Comment>> {
    let rows: Vec<CommentRow> = newest_first(scope, contact).all().await?;
    Ok(rows.into_iter().map(Comment::from).collect())
}

async fn get(scope: &Scope, contact: Uuid, id: Uuid) -> Result<Option<Comment>> {
    let row: Option<CommentRow> = rows_of(scope, contact).push(" AND c.comment_id = ").arg(id).maybe().await?;
    Ok(row.map(Comment::from))
}

/// Adds what the scope's person said. False if the contact has as many comments as it may have; those that are added at
/// the same moment may go beyond it on PostgreSQL. Where there is no such contact, its foreign key refuses.
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

/// Writes what a comment says from now on. False if it is gone.
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
    use crate::db;
    use crate::scope::scope_of_job;

    #[tokio::test]
    async fn the_comments_of_a_contact_are_found_by_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let db = db::fresh(folder.path()).await;
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
        let plan = newest_first(&scope, contacts[7]).explain().await.unwrap();
        let by = db.pick("comments_contact (corp_id=? AND contact_id=?)", "comments_contact");
        let whole = db.pick("TEMP B-TREE", "Seq Scan on comments");
        assert!(plan.contains(by) && !plan.contains(whole), "{plan}");
        assert_eq!(all(&scope, contacts[7]).await.unwrap().len(), 250);
        db.close().await;
    }
}
