//! The handlers with which Super Admins create, change, decline and delete corporations.

use super::corporation_history::{self, CorporationChange};
use super::registration::{Registration, register};
use super::{signup, store};
use crate::access::scope::{Corporations, Create, Delete, May, Scope, Update};
use crate::features::auth::sessions;
use crate::features::history::{self, Entry};
use crate::features::organizations::is_number_taken;
use crate::features::roles;
use crate::features::state::App;
use crate::features::users;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{
    Corporation, CorporationInput, CorporationUpdateInput, DeclineInput, ResourcesInput, assignable_ids, text,
};
use forecourt_core::history::HistoryAction;
use forecourt_core::organizations::{self, OrganizationInput, normalize_number};
use forecourt_core::permissions::ResourceId;
use forecourt_core::reply::{Done, Reply};
use forecourt_core::users::text::EMAIL_TAKEN;
use uuid::Uuid;

/// `POST /api/orgs/register`: creates a corporation with its company record, allowed resources, first role and Admin,
/// in one transaction.
pub async fn create(
    may: May<Create, Corporations>,
    State(app): State<App>,
    Valid(form): Valid<CorporationInput>,
) -> ApiResult<Created<Reply<Corporation>>> {
    let mut form = form.into_inner();
    let hash = app.hasher.hash(std::mem::take(&mut form.admin_data.password)).await?;
    // Across tenants, because the number must be unique among all corporations.
    let mut tx = may.all_tenants().begin().await?;
    lock_numbers(&mut tx, &may).await?;
    if is_number_taken(&mut tx, &form.organization.organization_number, None).await? {
        return Err(number_taken_error());
    }
    let new = Registration {
        is_active: true,
        resources: assignable_ids(&form.allowed_resources),
        organization: &form.organization,
        country: &form.country,
        admin: &form.admin_data,
        password_hash: &hash,
    };
    let now = app.clock.now();
    let registered = register(&mut tx, &new, now).await?;
    let admin = registered.admin.ok_or_else(|| ApiError::already_exists("admin_data.email", EMAIL_TAKEN))?;
    users::mail_new_account(&app, &mut tx, registered.corp, admin, now).await?;
    corporation_history::record(&mut tx, &may.tenant(registered.corp), now, HistoryAction::Created, &[]).await?;
    tx.commit().await?;
    app.mail.wake();
    tracing::info!(corporation = %registered.corp, by = %may.user(), "a corporation was registered");
    let corporation = store::get(&may.tenant(registered.corp)).await?;
    Ok(Created(Reply::new(corporation).with_message(text::CREATED)))
}

/// `PUT /api/orgs/update`: the form contains the corporation's id.
pub async fn update_by_body(
    may: May<Update, Corporations>,
    State(app): State<App>,
    Valid(form): Valid<CorporationUpdateInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    let corp = Uuid::parse_str(&form.corp_id).map_err(|_| ApiError::NotFound)?;
    update_corporation(&app, &may, corp, form.into_inner()).await
}

/// `PUT /api/corporations/{id}`: the path contains the corporation's id.
pub async fn update(
    may: May<Update, Corporations>,
    State(app): State<App>,
    IdAndForm(corp, form): IdAndForm<CorporationUpdateInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    update_corporation(&app, &may, corp, form.into_inner()).await
}

#[derive(sqlx_macros::FromRow)]
struct StoredCorporation {
    active: bool,
    awaits_approval: bool,
    is_platform: bool,
    version: i64,
    /// `None` without a company record.
    number_key: Option<String>,
}

async fn update_corporation(
    app: &App,
    may: &May<Update, Corporations>,
    corp: Uuid,
    form: CorporationUpdateInput,
) -> ApiResult<Json<Reply<Corporation>>> {
    let (scope, record, now) = (may.tenant(corp), form.organization, app.clock.now());
    let mut tx = may.all_tenants().begin().await?;
    lock_numbers(&mut tx, may).await?;
    users::lock_corporation(&mut tx, corp).await?;
    let stored: Option<StoredCorporation> = tx
        .sql(
            "SELECT c.active, c.awaits_approval, c.is_platform, c.version, o.number_key \
             FROM corporations c LEFT JOIN organizations o ON o.corp_id = c.corp_id WHERE c.corp_id = $1",
        )
        .bind(corp)
        .maybe()
        .await?;
    let stored = stored.ok_or(ApiError::NotFound)?;
    let key = stored.number_key.ok_or(ApiError::NotFoundBecause(organizations::text::NOT_FOUND))?;
    let active = form.corp_active.unwrap_or(stored.active);
    if stored.is_platform && !active {
        return Err(ApiError::Conflict(text::PLATFORM_CORPORATION.into()));
    }
    let number = normalize_number(&record.organization_number);
    if number != key {
        check_new_number(&mut tx, corp, &number).await?;
    }
    let change = CorporationChange::begin(&mut tx, &scope).await?;
    let corp_name = record.corp_name.clone();
    write(&mut tx, corp, record, number, active, now).await?;
    if let Some(ids) = &form.allowed_resources {
        set_resources(&mut tx, &scope, ids, now).await?;
    }
    if stored.active && !active {
        sessions::end_all_of_corporation(&mut tx, corp).await?;
    }
    if stored.awaits_approval && active {
        signup::mail_activation(app, &mut tx, corp, &corp_name, now).await?;
    }
    // Without a change, the transaction is dropped, so that the corporation keeps its version.
    if change.record(&mut tx, &scope, now).await? {
        if form.version.is_some_and(|version| version != stored.version) {
            drop(tx);
            return Err(corporation_history::version_conflict(&scope).await?);
        }
        tx.commit().await?;
        app.mail.wake();
    }
    Ok(Json(Reply::new(store::get(&scope).await?).with_message(text::UPDATED)))
}

/// Fails if a corporation can't get this normalized number. It may have had such a number since before they were
/// checked, and its other fields can still be changed.
async fn check_new_number(tx: &mut Tx, corp: Uuid, number: &str) -> ApiResult<()> {
    if number.is_empty() {
        let missing = organizations::text::ORGANIZATION_NUMBER_REQUIRED;
        return Err(ApiError::for_field("organization_number", missing));
    }
    match is_number_taken(tx, number, Some(corp)).await? {
        true => Err(number_taken_error()),
        false => Ok(()),
    }
}

/// Writes a corporation's row and its company record. `number` is the normalized number.
async fn write(
    tx: &mut Tx,
    corp: Uuid,
    record: OrganizationInput,
    number: String,
    active: bool,
    now: i64,
) -> ApiResult<()> {
    tx.sql(
        "UPDATE corporations SET name = $2, active = $3, awaits_approval = awaits_approval AND NOT $3, \
         version = version + 1, updated_at = $4 WHERE corp_id = $1",
    )
    .bind_all((corp, record.corp_name, active, now))
    .exec()
    .await?;
    tx.sql(
        "UPDATE organizations SET organization_number = $2, number_key = $3, street_address = $4, \
         registered_city = $5, postal_code = $6, city = $7, company_email = $8, company_phone = $9, updated_at = $10 \
         WHERE corp_id = $1",
    )
    .bind_all((
        corp,
        record.organization_number,
        number,
        record.street_address,
        record.registered_city,
        record.postal_code,
        record.city,
        record.company_email,
        record.company_phone,
        now,
    ))
    .exec()
    .await?;
    Ok(())
}

/// `POST /api/corporations/{id}/resources`: adds allowed resources.
pub async fn add_resources(
    may: May<Update, Corporations>,
    State(app): State<App>,
    IdAndForm(corp, form): IdAndForm<ResourcesInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    update_resources(&app, &may.tenant(corp), |allowed| allowed.extend(form.into_inner().resource_ids)).await
}

/// `DELETE /api/corporations/{id}/resources`: removes allowed resources, and the roles' grants on them.
pub async fn remove_resources(
    may: May<Delete, Corporations>,
    State(app): State<App>,
    IdAndForm(corp, form): IdAndForm<ResourcesInput>,
) -> ApiResult<Json<Reply<Corporation>>> {
    update_resources(&app, &may.tenant(corp), |allowed| allowed.retain(|id| !form.resource_ids.contains(id))).await
}

async fn update_resources(
    app: &App,
    scope: &Scope,
    change: impl FnOnce(&mut Vec<String>),
) -> ApiResult<Json<Reply<Corporation>>> {
    let (corp, now) = (scope.corp(), app.clock.now());
    let (mut tx, _) = scope.begin().await?;
    users::lock_corporation(&mut tx, corp).await?;
    let history = CorporationChange::begin(&mut tx, scope).await?;
    let updated = tx
        .sql("UPDATE corporations SET version = version + 1, updated_at = $2 WHERE corp_id = $1")
        .bind_all((corp, now))
        .exec()
        .await?;
    if updated == 0 {
        return Err(ApiError::NotFound);
    }
    let mut allowed = roles::resources(&mut tx, scope).await?;
    change(&mut allowed);
    set_resources(&mut tx, scope, &allowed, now).await?;
    // Without a change, the transaction is dropped, so that the corporation keeps its version.
    if history.record(&mut tx, scope, now).await? {
        tx.commit().await?;
    }
    Ok(Json(Reply::new(store::get(scope).await?).with_message(text::UPDATED)))
}

/// Sets the allowed resources of a corporation, and deletes its roles' grants on others.
async fn set_resources(tx: &mut Tx, scope: &Scope, ids: &[String], now: i64) -> ApiResult<()> {
    tx.sql("DELETE FROM corporation_resources WHERE corp_id = $1").bind(scope.corp()).exec().await?;
    store::insert_resources(tx, scope.corp(), &assignable_ids(ids)).await?;
    Ok(roles::revoke_disallowed_grants(tx, scope, now).await?)
}

/// `DELETE /api/corporations/{id}`: deletes the corporation and, by the foreign keys, everything that belongs to it
/// (docs/product.md 4.9). This includes its sessions, so its users are signed out at once.
pub async fn delete(may: May<Delete, Corporations>, State(app): State<App>, Id(corp): Id) -> ApiResult<Json<Done>> {
    let (scope, platform) = (may.tenant(corp), Scope::clone(&may).as_job());
    // Permissions are checked in a separate transaction: deleting a large corporation takes minutes, and everyone else
    // who changes something on the platform would wait for the locks of that check.
    scope.db().begin().await?.commit().await?;
    let scope = scope.as_job();
    // Runs in a separate task, so that a very large deletion completes even after the request timed out.
    let deletion = tokio::spawn(async move {
        // An import batch or a sign-in may deadlock with the deletion; the database then aborts one of the two.
        for _ in 0..2 {
            match delete_as_job(&scope, &platform, app.clock.now()).await {
                Err(ApiError::Unavailable) => {}
                result => return result,
            }
        }
        delete_as_job(&scope, &platform, app.clock.now()).await
    });
    deletion.await.map_err(ApiError::internal)??;
    tracing::info!(corporation = %corp, by = %may.user(), "a corporation was deleted");
    Ok(Json(Done::new(text::DELETED)))
}

/// `POST /api/corporations/{id}/decline`: deletes a corporation that waits for approval, and mails its Admins that its
/// sign-up was declined. It has few records, so this needs no job, unlike [`delete`].
pub async fn decline(
    may: May<Delete, Corporations>,
    State(app): State<App>,
    IdAndForm(corp, form): IdAndForm<DeclineInput>,
) -> ApiResult<Json<Done>> {
    let now = app.clock.now();
    let mut tx = may.all_tenants().begin().await?;
    users::lock_corporation(&mut tx, corp).await?;
    let sql = tx.sql("SELECT name, awaits_approval FROM corporations WHERE corp_id = $1");
    let (name, awaits_approval): (String, bool) = sql.bind(corp).one().await?;
    if !awaits_approval {
        return Err(ApiError::Conflict(text::NOT_WAITING.into()));
    }
    signup::mail_decline(&app, &mut tx, may.corp(), (corp, &name), &form.reason, now).await?;
    delete_corporation(&mut tx, &may, (corp, &name), HistoryAction::Declined, now).await?;
    tx.commit().await?;
    app.mail.wake();
    tracing::info!(corporation = %corp, by = %may.user(), "a sign-up was declined");
    Ok(Json(Done::new(text::DECLINED)))
}

/// Deletes a corporation, unless it is the platform's own, in a transaction without the statement timeout of requests.
async fn delete_as_job(scope: &Scope, platform: &Scope, now: i64) -> ApiResult<()> {
    let mut tx = scope.db().all_tenants().begin_job().await?;
    let sql = tx.sql("SELECT name, is_platform FROM corporations WHERE corp_id = $1");
    let (name, is_platform): (String, bool) = sql.bind(scope.corp()).one().await?;
    if is_platform {
        return Err(ApiError::Conflict(text::PLATFORM_CORPORATION.into()));
    }
    delete_corporation(&mut tx, platform, (scope.corp(), &name), HistoryAction::Deleted, now).await?;
    Ok(tx.commit().await?)
}

/// Deletes a corporation with its history. The history of the platform's own corporation gets an entry with this
/// action.
async fn delete_corporation(
    tx: &mut Tx,
    platform: &Scope,
    (corp, name): (Uuid, &str),
    action: HistoryAction,
    now: i64,
) -> ApiResult<()> {
    let entry = Entry::new(action, ResourceId::Corporations, corp, name, &[])?;
    history::insert(tx, platform, now, vec![entry]).await?;
    let deleted = tx.sql("DELETE FROM corporations WHERE corp_id = $1").bind(corp).exec().await?;
    if deleted == 0 {
        return Err(ApiError::NotFound);
    }
    Ok(())
}

/// Locks organization numbers: prevents others from assigning a number until the transaction ends. Lock order: the
/// platform's own corporation before any other.
async fn lock_numbers(tx: &mut Tx, platform: &Scope) -> ApiResult<()> {
    Ok(users::lock_corporation(tx, platform.corp()).await?)
}

fn number_taken_error() -> ApiError {
    ApiError::already_exists("organization_number", text::NUMBER_TAKEN)
}
