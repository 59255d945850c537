//! Certificates of erasures of personal data, in the database.

use crate::access::scope::Scope;
use crate::features::listing::push_page;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Tx, from_json, to_json};
use forecourt_core::paging::Page;
use forecourt_core::privacy::{Certificate, ErasedPart, KeptPart};
use forecourt_core::users::{author_message, author_name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The content of a certificate: what the erasure erased, and what it kept.
#[derive(Serialize, Deserialize)]
pub struct Parts {
    pub erased: Vec<ErasedPart>,
    pub kept: Vec<KeptPart>,
}

#[derive(sqlx_macros::FromRow)]
struct CertificateRow {
    erasure_id: Uuid,
    at: i64,
    first_name: Option<String>,
    last_name: Option<String>,
    parts: String,
}

impl CertificateRow {
    fn into_certificate(self) -> Result<Certificate> {
        let Parts { erased, kept } = from_json(&self.parts)?;
        Ok(Certificate {
            certificate_id: self.erasure_id.to_string(),
            at: rfc3339(self.at),
            by_message: author_message(self.first_name.is_some()),
            by: author_name(self.first_name, self.last_name),
            erased,
            kept,
        })
    }
}

const COLUMNS: &str = "SELECT e.erasure_id, e.at, u.first_name, u.last_name, e.parts FROM erasures e \
     LEFT JOIN users u ON u.corp_id = e.corp_id AND u.user_id = e.erased_by WHERE e.corp_id = ";

/// Adds a certificate, and returns it.
pub async fn insert(tx: &mut Tx, scope: &Scope, id: Uuid, now: i64, parts: &Parts) -> Result<Certificate> {
    tx.sql("INSERT INTO erasures (corp_id, erasure_id, at, erased_by, parts) VALUES ($1, $2, $3, $4, $5)")
        .bind_all((scope.corp(), id, now, scope.user(), to_json(parts)?))
        .exec()
        .await?;
    let row: CertificateRow = tx.sql(COLUMNS).arg(scope.corp()).push_arg(" AND e.erasure_id = ", id).one().await?;
    row.into_certificate()
}

/// Returns a page of certificates, newest first, and the number of all of them.
pub async fn list(scope: &Scope, page: Page) -> Result<(Vec<Certificate>, u64)> {
    let rows = scope.db().sql(COLUMNS).arg(scope.corp()).push(" ORDER BY e.erasure_id DESC");
    let rows = push_page(rows, page).all::<CertificateRow>();
    let total = scope.sql("SELECT count(*) FROM erasures WHERE corp_id = $1").value::<i64>();
    let (rows, total) = tokio::try_join!(rows, total)?;
    let certificates = rows.into_iter().map(CertificateRow::into_certificate).collect::<Result<_>>()?;
    Ok((certificates, total.unsigned_abs()))
}
