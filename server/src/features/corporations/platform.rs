//! The figures of the whole platform, for its administrators.

use crate::access::scope::{Corporations, May, Read};
use crate::features::import::status_of;
use crate::features::state::App;
use crate::platform::clock::{DAY, rfc3339, utc_date};
use crate::platform::db::{Db, Result};
use crate::platform::error::ApiResult;
use crate::platform::volume;
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{
    ACTIVE_DAYS, CorporationFigures, DiskSpace, ListedCorporation, PLATFORM_ROWS, PlatformBan, PlatformFigures,
    PlatformImport,
};
use forecourt_core::reply::Reply;
use forecourt_core::users::full_name;
use uuid::Uuid;

/// `GET /api/platform`: figures of all corporations but the platform's own.
pub async fn platform(may: May<Read, Corporations>, State(app): State<App>) -> ApiResult<Json<Reply<PlatformFigures>>> {
    let (db, now) = (may.all_tenants(), app.clock.now());
    let (corporations, imports, bans, database_bytes) =
        tokio::try_join!(corporations(&db, now), imports(&db), bans(&db), database_bytes(&db))?;
    let figures = PlatformFigures {
        imports,
        bans,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        database: db.pick("SQLite", "PostgreSQL").to_owned(),
        database_bytes,
        disk: volume::space(&app.config.data_dir)
            .map(|space| DiskSpace { free_bytes: space.free, total_bytes: space.total }),
        ..PlatformFigures::default()
    };
    Ok(Json(Reply::new(figures.add_corporations(corporations))))
}

#[derive(sqlx_macros::FromRow)]
struct CorporationRow {
    corp_id: Uuid,
    name: String,
    active: bool,
    awaits_approval: bool,
    created_at: i64,
    city: String,
    first_name: String,
    last_name: String,
    email: String,
    users: i64,
    active_users: i64,
    records: i64,
    last_token: Option<i64>,
    last_sign_in_or_out: Option<i64>,
}

async fn corporations(db: &Db, now: i64) -> Result<Vec<ListedCorporation>> {
    let sql = db.sql(
        "SELECT c.corp_id, c.name, c.active, c.awaits_approval, c.created_at, coalesce(o.city, '') AS city, \
         coalesce(a.first_name, '') AS first_name, coalesce(a.last_name, '') AS last_name, \
         coalesce(a.email, '') AS email, \
         (SELECT count(*) FROM users u WHERE u.corp_id = c.corp_id) AS users, \
         (SELECT coalesce(CAST(sum(l.total) AS BIGINT), 0) FROM lists l WHERE l.corp_id = c.corp_id) AS records, \
         (SELECT max(r.created_at) FROM refresh_tokens r WHERE r.corp_id = c.corp_id) AS last_token, \
         (SELECT h.at FROM history h WHERE h.corp_id = c.corp_id AND h.action IN ('signed_in', 'signed_out') \
         AND h.batch_id IS NULL ORDER BY h.at DESC LIMIT 1) AS last_sign_in_or_out, \
         (SELECT count(DISTINCT h.actor_id) FROM history h WHERE h.corp_id = c.corp_id AND h.action = 'signed_in' \
         AND h.batch_id IS NULL AND EXISTS (SELECT 1 FROM users u WHERE u.corp_id = h.corp_id AND u.user_id = h.actor_id) \
         AND h.at >= ",
    );
    let sql = sql.arg(now - ACTIVE_DAYS * DAY).push(
        ") AS active_users \
         FROM corporations c LEFT JOIN organizations o ON o.corp_id = c.corp_id \
         LEFT JOIN users a ON a.corp_id = c.corp_id AND a.user_id = (SELECT f.user_id FROM users f \
         WHERE f.corp_id = c.corp_id AND f.user_type = 'Admin' ORDER BY f.user_id LIMIT 1) WHERE NOT c.is_platform",
    );
    let month = utc_date(now).and_then(|today| today.month_before(0)).unwrap_or_default();
    let rows: Vec<CorporationRow> = sql.all().await?;
    let listed = |row: CorporationRow| {
        let created_at = rfc3339(row.created_at);
        ListedCorporation {
            awaits_approval: row.awaits_approval,
            is_new: created_at.starts_with(&month),
            figures: CorporationFigures {
                corp_id: row.corp_id.to_string(),
                name: row.name,
                city: row.city,
                active: row.active,
                admin_name: full_name(&row.first_name, &row.last_name),
                admin_email: row.email,
                users: row.users.unsigned_abs(),
                active_users: row.active_users.unsigned_abs(),
                records: row.records.unsigned_abs(),
                created_at,
                last_active: row.last_token.max(row.last_sign_in_or_out).map(rfc3339),
            },
        }
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// Returns the oldest imports that wait or are being processed, at most [`PLATFORM_ROWS`].
async fn imports(db: &Db) -> Result<Vec<PlatformImport>> {
    let sql = "SELECT i.import_id, c.name, i.file_name, i.status, i.total, i.processed FROM imports i \
               JOIN corporations c ON c.corp_id = i.corp_id \
               WHERE i.status IN ('pending', 'processing') ORDER BY i.import_id LIMIT ";
    let rows: Vec<ImportRow> = db.sql(sql).arg(max_rows()).all().await?;
    let import = |row: ImportRow| PlatformImport {
        id: row.import_id.to_string(),
        corporation: row.name,
        file_name: row.file_name,
        status: status_of(&row.status, false),
        total: row.total.unsigned_abs(),
        processed: row.processed.unsigned_abs(),
    };
    Ok(rows.into_iter().map(import).collect())
}

#[derive(sqlx_macros::FromRow)]
struct ImportRow {
    import_id: Uuid,
    name: String,
    file_name: String,
    status: String,
    total: i64,
    processed: i64,
}

#[derive(sqlx_macros::FromRow)]
struct BanRow {
    user_id: Uuid,
    first_name: String,
    last_name: String,
    corp_id: Uuid,
    name: String,
    ban_reason: String,
    banned_at: i64,
}

/// Returns the latest bans that are still in force.
async fn bans(db: &Db) -> Result<Vec<PlatformBan>> {
    let sql = "SELECT u.user_id, u.first_name, u.last_name, c.corp_id, c.name, coalesce(u.ban_reason, '') AS ban_reason, u.banned_at \
               FROM users u JOIN corporations c ON c.corp_id = u.corp_id WHERE u.banned_at IS NOT NULL \
               ORDER BY u.banned_at DESC, u.user_id DESC LIMIT ";
    let rows: Vec<BanRow> = db.sql(sql).arg(max_rows()).all().await?;
    let ban = |row: BanRow| PlatformBan {
        user_id: row.user_id.to_string(),
        name: full_name(&row.first_name, &row.last_name),
        corp_id: row.corp_id.to_string(),
        corporation: row.name,
        reason: row.ban_reason,
        banned_at: rfc3339(row.banned_at),
    };
    Ok(rows.into_iter().map(ban).collect())
}

fn max_rows() -> i64 {
    i64::try_from(PLATFORM_ROWS).unwrap_or(i64::MAX)
}

/// Returns the size of the database in bytes.
async fn database_bytes(db: &Db) -> Result<u64> {
    let sql = db.pick(
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        "SELECT pg_database_size(current_database())",
    );
    Ok(db.sql(sql).value::<i64>().await?.unsigned_abs())
}
