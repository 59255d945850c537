//! The settings of a corporation: its country, and the currency and the VAT of its prices (docs/product.md 4.27).

mod routes;

use crate::access::scope::{Administrator, Scope, Signed};
use crate::features::state::App;
use crate::features::{corporations, history};
use crate::platform::db::{Result, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use axum::Json;
use axum::extract::State;
use forecourt_core::history::{HistoryAction, HistoryEntry, text_change};
use forecourt_core::money::Money;
use forecourt_core::permissions::ResourceId;
use forecourt_core::reply::Reply;
use forecourt_core::settings::{Settings, SettingsInput, rate_text, text};
pub use routes::ROUTES;

const READ: &str = "SELECT country, currency, vat_rate FROM corporations WHERE corp_id = $1";

type Row = (String, String, i64);

fn from_row((country, currency, vat_rate): Row) -> Settings {
    Settings { country, currency, vat_rate: Money::saturating_from_pence(vat_rate) }
}

/// Returns the settings of the scope's corporation.
pub async fn read(scope: &Scope) -> Result<Settings> {
    Ok(from_row(scope.sql(READ).one().await?))
}

/// As [`read`], inside a transaction.
pub async fn read_in(tx: &mut Tx, scope: &Scope) -> Result<Settings> {
    Ok(from_row(tx.sql(READ).bind(scope.corp()).one().await?))
}

pub async fn get(actor: Signed) -> ApiResult<Json<Reply<Settings>>> {
    Ok(Json(Reply::new(read(actor.scope()).await?)))
}

/// Returns the 409 for a form that is based on other settings than the present ones.
async fn conflict(scope: &Scope) -> ApiResult<ApiError> {
    let is_of_settings = |entry: &HistoryEntry| {
        entry.changes.iter().any(|change| matches!(change.field.as_str(), "country" | "currency" | "vat_rate"))
    };
    let last_change = history::last_change(scope, ResourceId::Corporations, scope.corp(), is_of_settings).await?;
    Ok(history::version_conflict(&read(scope).await?, last_change))
}

/// `PUT /api/settings`: 409 with the present settings if they are neither those that the form is based on nor its own.
pub async fn update(
    State(app): State<App>,
    administrator: Administrator,
    Valid(form): Valid<SettingsInput>,
) -> ApiResult<Json<Reply<Settings>>> {
    let vat_rate = form.vat_rate.percent().ok_or_else(|| ApiError::for_field("vat_rate", text::VAT_RATE_INVALID))?;
    let after = Settings { country: form.country.clone(), currency: form.currency.clone(), vat_rate };
    let now = app.clock.now();
    let mut tx = administrator.db().begin().await?;
    let before = read_in(&mut tx, &administrator).await?;
    let changes: Vec<_> = [
        text_change("country", &before.country, &after.country),
        text_change("currency", &before.currency, &after.currency),
        text_change("vat_rate", &rate_text(before.vat_rate), &rate_text(after.vat_rate)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !changes.is_empty() {
        if form.before.as_ref().is_some_and(|based_on| *based_on != before) {
            drop(tx);
            return Err(conflict(&administrator).await?);
        }
        tx.sql(
            "UPDATE corporations SET country = $1, currency = $2, vat_rate = $3, updated_at = $4 WHERE corp_id = $5",
        )
        .bind_all((after.country.clone(), after.currency.clone(), after.vat_rate.pence(), now, administrator.corp()))
        .exec()
        .await?;
        corporations::record(&mut tx, &administrator, now, HistoryAction::Updated, &changes).await?;
        tx.commit().await?;
    }
    Ok(Json(Reply::new(after).with_message(text::UPDATED)))
}
