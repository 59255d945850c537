//! Creating, changing and deleting corporations, for Super Admins.

use super::register::{Admin, Organization, Registration, register};
use super::store;
use crate::access::scope::{Corporations, Create, Delete, May, Scope, Update};
use crate::features::auth::sessions;
use crate::features::organizations::is_taken;
use crate::features::roles;
use crate::features::state::App;
use crate::features::users;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{
    Corporation, CorporationInput, CorporationUpdateInput, ResourcesInput, assignable_ids, text,
};
use forecourt_core::organizations::{self, normalize_number};
use forecourt_core::reply::{Done, Reply};
use forecourt_core::users::text::EMAIL_TAKEN;
use uuid::Uuid;

/// `POST /api/orgs/register`: creates a corporation with its company record, allowed resources, first role and Admin,
/// in one transaction.
pub async fn create(
    platform: May<Create, Corporations>,
    State(app): State<App>,
    Valid(form): Valid<CorporationInput>,
) -> ApiResult<Created<Reply<Corporation>>> {
    let form = form.into_inner();
    let hash = app.hasher.hash(form.admin_data.password).await?;
    let record = &form.organization;
    // Across tenants, because the number must be unique among all corporations.
    let mut tx = platform.all_tenants().begin().await?;
    lock_numbers(&mut tx, &platform).await?;
    if is_taken(&mut tx, &record.organization_number, None).await? {
        return Err(number_taken());
    }
    let new = Registration {
        name: &record.corp_name,
        is_active: true,
        resources: assignable_ids(&form.allowed_resources),
        organization: Organization {
            number: &record.organization_number,
            street_address: &record.street_address,
            registered_city: &record.registered_city,
            postal_code: &record.postal_code,
            city: &record.city,
            email: &record.company_email,
            phone: &record.company_phone,
        },
        admin: Admin {
            first_name: &form.admin_data.first_name,
            last_name: &form.admin_data.last_name,
            email: &form.admin_data.email,
            mobile: &form.admin_data.phone,
            password_hash: &hash,
        },
    };
    let made = register(&mut tx, &new, app.clock.now()).await?;
    if made.admin.is_none() {
        return Err(ApiError::already_exists("admin_data.email", EMAIL_TAKEN));
    }
    tx.commit().await?;
    tracing::info!(corporation = %made.corp, by = %platform.user(), "a corporation was registered");
    let reply = present(&platform.tenant(made.corp)).await?.with_message(text::CREATED);
    Ok(Created(reply))
}

/// `PUT /api/orgs/update`: the form contains the corporation's id.
pub async fn update(
    platform: May<Update, Corporations>,
    State(app): State<App>,
    Valid(form): Valid<CorporationUpdateInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    let corp = Uuid::parse_str(&form.corp_id).map_err(|_| ApiError::NotFound)?;
    change(&app, &platform, corp, form.into_inner()).await
}

/// `PUT /api/corporations/{id}`: the path contains the corporation's id.
pub async fn put(
    platform: May<Update, Corporations>,
    State(app): State<App>,
    Id(corp): Id,
    Valid(form): Valid<CorporationUpdateInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    change(&app, &platform, corp, form.into_inner()).await
}

#[derive(sqlx_macros::FromRow)]
struct Before {
    active: bool,
    is_platform: bool,
    version: i64,
    /// `None` without a company record.
    number_key: Option<String>,
}

async fn change(
    app: &App,
    platform: &May<Update, Corporations>,
    corp: Uuid,
    form: CorporationUpdateInput,
) -> ApiResult<Json<Reply<Corporation>>> {
    let (scope, record, now) = (platform.tenant(corp), form.organization, app.clock.now());
    let mut tx = platform.all_tenants().begin().await?;
    lock_numbers(&mut tx, platform).await?;
    users::lock_corporation(&mut tx, corp).await?;
    let before: Option<Before> = tx
        .sql(
            "SELECT c.active, c.is_platform, c.version, o.number_key \
             FROM corporations c LEFT JOIN organizations o ON o.corp_id = c.corp_id WHERE c.corp_id = $1",
        )
        .bind(corp)
        .maybe()
        .await?;
    let before = before.ok_or(ApiError::NotFound)?;
    if form.version.is_some_and(|version| version != before.version) {
        drop(tx);
        return Err(ApiError::version_conflict(&present(&scope).await?.data));
    }
    let key = before.number_key.ok_or(ApiError::NoMatch(organizations::text::NOT_FOUND))?;
    let active = form.corp_active.unwrap_or(before.active);
    if before.is_platform && !active {
        return Err(ApiError::Conflict(text::PLATFORM_CORPORATION.into()));
    }
    // Two corporations may have signed up with the same number; their other fields can still be changed.
    let number = normalize_number(&record.organization_number);
    if number != key && is_taken(&mut tx, &number, Some(corp)).await? {
        return Err(number_taken());
    }
    tx.sql("UPDATE corporations SET name = $2, active = $3, version = version + 1, updated_at = $4 WHERE corp_id = $1")
        .bind(corp)
        .bind(record.corp_name)
        .bind(active)
        .bind(now)
        .exec()
        .await?;
    tx.sql(
        "UPDATE organizations SET organization_number = $2, number_key = $3, street_address = $4, \
         registered_city = $5, postal_code = $6, city = $7, company_email = $8, company_phone = $9, updated_at = $10 \
         WHERE corp_id = $1",
    )
    .bind(corp)
    .bind(record.organization_number)
    .bind(number)
    .bind(record.street_address)
    .bind(record.registered_city)
    .bind(record.postal_code)
    .bind(record.city)
    .bind(record.company_email)
    .bind(record.company_phone)
    .bind(now)
    .exec()
    .await?;
    if let Some(ids) = &form.allowed_resources {
        allow(&mut tx, &scope, ids, now).await?;
    }
    if before.active && !active {
        sessions::end_everybodys(&mut tx, corp).await?;
    }
    tx.commit().await?;
    Ok(Json(present(&scope).await?.with_message(text::UPDATED)))
}

/// `POST /api/corporations/{id}/resources`: adds allowed resources.
pub async fn add_resources(
    platform: May<Update, Corporations>,
    State(app): State<App>,
    Id(corp): Id,
    Valid(form): Valid<ResourcesInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    change_resources(&app, &platform.tenant(corp), |mut allowed| {
        allowed.extend(form.into_inner().resource_ids);
        allowed
    })
    .await
}

/// `DELETE /api/corporations/{id}/resources`: removes allowed resources, and the roles' grants on them.
pub async fn remove_resources(
    platform: May<Delete, Corporations>,
    State(app): State<App>,
    Id(corp): Id,
    Valid(form): Valid<ResourcesInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    change_resources(&app, &platform.tenant(corp), |mut allowed| {
        allowed.retain(|id| !form.resource_ids.contains(id));
        allowed
    })
    .await
}

async fn change_resources(
    app: &App,
    scope: &Scope,
    change: impl FnOnce(Vec<String>) -> Vec<String>,
) -> ApiResult<Json<Reply<Corporation>>> {
    let (corp, now) = (scope.corp(), app.clock.now());
    let mut tx = scope.db().begin().await?;
    users::lock_corporation(&mut tx, corp).await?;
    let changed = tx
        .sql("UPDATE corporations SET version = version + 1, updated_at = $2 WHERE corp_id = $1")
        .bind(corp)
        .bind(now)
        .exec()
        .await?;
    if changed == 0 {
        return Err(ApiError::NotFound);
    }
    let allowed = change(roles::allowed_in(&mut tx, scope).await?);
    allow(&mut tx, scope, &allowed, now).await?;
    tx.commit().await?;
    Ok(Json(present(scope).await?.with_message(text::UPDATED)))
}

/// Sets the allowed resources of a corporation, and deletes its roles' grants on others.
async fn allow(tx: &mut Tx, scope: &Scope, ids: &[String], now: i64) -> ApiResult<()> {
    tx.sql("DELETE FROM corporation_resources WHERE corp_id = $1").bind(scope.corp()).exec().await?;
    for resource in assignable_ids(ids) {
        tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
            .bind(scope.corp())
            .bind(resource)
            .exec()
            .await?;
    }
    Ok(roles::withdraw_disallowed(tx, scope, now).await?)
}

/// `DELETE /api/corporations/{id}`: deletes the corporation and, by the foreign keys, everything that belongs to it
/// (docs/product.md 4.9). This includes its sessions, so its users are signed out at once.
pub async fn delete(platform: May<Delete, Corporations>, Id(corp): Id) -> ApiResult<Json<Done>> {
    let scope = platform.tenant(corp);
    // Permissions are checked in a separate transaction: deleting a large corporation takes minutes, and everyone else
    // who changes something on the platform would wait for the locks of that check.
    scope.db().begin().await?.commit().await?;
    let scope = scope.as_job();
    // Runs in a separate task, so that a very large deletion completes even after the request timed out.
    let gone = tokio::spawn(async move {
        // An import batch or a sign-in may deadlock with the deletion; the database then aborts one of the two.
        for _ in 0..2 {
            match end(&scope).await {
                Err(ApiError::Unavailable) => {}
                done => return done,
            }
        }
        end(&scope).await
    });
    gone.await.map_err(ApiError::internal)??;
    tracing::info!(corporation = %corp, by = %platform.user(), "a corporation was deleted");
    Ok(Json(Done::new(text::DELETED)))
}

async fn end(scope: &Scope) -> ApiResult<()> {
    let mut tx = scope.db().begin().await?;
    tx.lift_statement_timeout().await?;
    let row: Option<(bool,)> =
        tx.sql("SELECT is_platform FROM corporations WHERE corp_id = $1").bind(scope.corp()).maybe().await?;
    let (is_platform,) = row.ok_or(ApiError::NotFound)?;
    if is_platform {
        return Err(ApiError::Conflict(text::PLATFORM_CORPORATION.into()));
    }
    let gone = tx.sql("DELETE FROM corporations WHERE corp_id = $1").bind(scope.corp()).exec().await?;
    tx.commit().await?;
    if gone == 0 { Err(ApiError::NotFound) } else { Ok(()) }
}

/// Locks organization numbers: prevents others from assigning a number until the transaction ends. Lock order: the
/// platform's own corporation before any other.
async fn lock_numbers(tx: &mut Tx, platform: &Scope) -> ApiResult<()> {
    Ok(users::lock_corporation(tx, platform.corp()).await?)
}

fn number_taken() -> ApiError {
    ApiError::already_exists("organization_number", text::NUMBER_TAKEN)
}

/// Returns the current state of the corporation.
async fn present(scope: &Scope) -> ApiResult<Reply<Corporation>> {
    Ok(Reply::new(store::get(scope).await?.ok_or(ApiError::NotFound)?))
}
