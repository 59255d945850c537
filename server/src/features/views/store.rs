//! Views in the database.

use crate::access::scope::Scope;
use crate::platform::db::{Connection, Result, Sql, Tx, from_json, to_json};
use forecourt_core::form::Checked;
use forecourt_core::permissions::ResourceId;
use forecourt_core::users::author_name;
use forecourt_core::views::{SCOPES, SHARED, View, ViewColumn, ViewInput, ViewOwner, ViewQuery};
use uuid::Uuid;

/// A view with the name of its owner, unless the owner was deleted.
#[derive(sqlx_macros::FromRow)]
struct ViewRow {
    view_id: Uuid,
    user_id: Option<Uuid>,
    resource_id: String,
    name: String,
    search: String,
    sort: String,
    conditions: String,
    customer_type: String,
    from_date: String,
    to_date: String,
    columns: String,
    density: String,
    is_shared: bool,
    version: i64,
    first_name: Option<String>,
    last_name: Option<String>,
    is_default: bool,
}

pub struct StoredView {
    pub view: View,
    pub resource: ResourceId,
    pub is_shared: bool,
}

impl StoredView {
    pub fn is_of(&self, user: Uuid) -> bool {
        self.view.owner.id == user.to_string()
    }

    /// Returns whether the user who owns the view still exists.
    pub fn has_owner(&self) -> bool {
        !self.view.owner.id.is_empty()
    }

    /// Returns whether the form with this completed query has the view's own content, so that it can change only
    /// whether the view is the user's default.
    pub fn has_content_of(&self, form: &ViewInput, query: &ViewQuery) -> bool {
        let View { name, query: own, columns, density, .. } = &self.view;
        (name, own, columns, density, self.is_shared)
            == (&form.name, query, &form.columns, &form.density, form.is_shared())
    }
}

impl TryFrom<ViewRow> for StoredView {
    type Error = sqlx::Error;

    fn try_from(row: ViewRow) -> Result<Self> {
        let unknown = || sqlx::Error::Decode(format!("view of {}", row.resource_id).into());
        let resource = ResourceId::parse(&row.resource_id).ok_or_else(unknown)?;
        let view = View {
            view_id: row.view_id.to_string(),
            query: ViewQuery {
                search: row.search,
                sort: row.sort,
                filter: from_json(&row.conditions)?,
                type_adv: not_empty(row.customer_type),
                from_date: not_empty(row.from_date),
                to_date: not_empty(row.to_date),
            },
            columns: from_json(&row.columns)?,
            resource: row.resource_id,
            name: row.name,
            density: row.density,
            scope: if row.is_shared { SHARED } else { SCOPES[0] }.to_owned(),
            is_default: row.is_default,
            is_restricted: false,
            owner: ViewOwner {
                id: row.user_id.map(|id| id.to_string()).unwrap_or_default(),
                name: author_name(row.first_name, row.last_name),
            },
            version: row.version,
        };
        Ok(StoredView { view, resource, is_shared: row.is_shared })
    }
}

fn not_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// Builds the query for the user's own views and the corporation's shared ones. The caller checks the permission to read
/// their lists.
fn select<'e>(db: impl Connection<'e>, scope: &Scope) -> Sql<'e> {
    db.sql(
        "SELECT v.view_id, v.user_id, v.resource_id, v.name, v.search, v.sort, v.conditions, v.customer_type, \
         v.from_date, v.to_date, v.columns, v.density, v.is_shared, v.version, u.first_name, u.last_name, \
         d.view_id IS NOT NULL AS is_default FROM views v \
         LEFT JOIN users u ON u.corp_id = v.corp_id AND u.user_id = v.user_id \
         LEFT JOIN view_defaults d ON d.corp_id = v.corp_id AND d.view_id = v.view_id AND d.user_id = ",
    )
    .arg(scope.user())
    .push_arg(" WHERE v.corp_id = ", scope.corp())
    .push_arg(" AND (v.is_shared OR v.user_id = ", scope.user())
    .push(")")
}

/// Returns the user's own views and the corporation's shared ones, oldest first; `None` as `resource`: of all lists.
pub async fn list<'e>(db: impl Connection<'e>, scope: &Scope, resource: Option<ResourceId>) -> Result<Vec<StoredView>> {
    let sql = select(db, scope).filter(" AND v.resource_id = ", resource.map(ResourceId::as_str));
    let rows: Vec<ViewRow> = sql.push(" ORDER BY v.view_id").all().await?;
    rows.into_iter().map(StoredView::try_from).collect()
}

/// Returns a view, if the scope's user sees it.
pub async fn find<'e>(db: impl Connection<'e>, scope: &Scope, id: Uuid) -> Result<Option<StoredView>> {
    let row: Option<ViewRow> = select(db, scope).push_arg(" AND v.view_id = ", id).maybe().await?;
    row.map(StoredView::try_from).transpose()
}

/// Which views of a list are counted for a limit.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The user's own views.
    Own,
    /// The corporation's shared views.
    Shared,
}

/// Returns the number of views of a list.
pub async fn count(tx: &mut Tx, scope: &Scope, resource: ResourceId, limit: Limit) -> Result<i64> {
    let sql = tx.sql("SELECT count(*) FROM views WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND resource_id = ", resource.as_str());
    match limit {
        Limit::Own => sql.push_arg(" AND user_id = ", scope.user()).value().await,
        Limit::Shared => sql.push(" AND is_shared").value().await,
    }
}

pub async fn insert(tx: &mut Tx, scope: &Scope, id: Uuid, form: &Checked<ViewInput>, now: i64) -> Result<()> {
    tx.sql(
        "INSERT INTO views (corp_id, view_id, user_id, resource_id, name, search, sort, conditions, customer_type, \
         from_date, to_date, columns, density, is_shared, created_at, updated_at) VALUES (",
    )
    .arg(scope.corp())
    .comma(id)
    .comma(scope.user())
    .comma(form.resource.clone())
    .comma(form.name.clone())
    .comma(form.query.search.clone())
    .comma(form.query.sort.clone())
    .comma(to_json(&form.query.filter)?)
    .comma(form.query.type_adv.clone().unwrap_or_default())
    .comma(form.query.from_date.clone().unwrap_or_default())
    .comma(form.query.to_date.clone().unwrap_or_default())
    .comma(to_json(&form.columns)?)
    .comma(form.density.clone())
    .comma(form.is_shared())
    .comma(now)
    .comma(now)
    .push(")")
    .exec()
    .await?;
    Ok(())
}

/// Updates a view, which gets this query and these columns. Returns `false` if the view does not have the form's
/// version. A view that the form makes private stops being the default of other users, and becomes the user's own if
/// its owner was deleted.
pub async fn update(
    tx: &mut Tx,
    scope: &Scope,
    id: Uuid,
    form: &Checked<ViewInput>,
    (query, columns): (&ViewQuery, &[ViewColumn]),
    version: i64,
    now: i64,
) -> Result<bool> {
    let updated = tx
        .sql("UPDATE views SET version = version + 1, name = ")
        .arg(form.name.clone())
        .push_arg(", search = ", query.search.clone())
        .push_arg(", sort = ", query.sort.clone())
        .push_arg(", conditions = ", to_json(&query.filter)?)
        .push_arg(", customer_type = ", query.type_adv.clone().unwrap_or_default())
        .push_arg(", from_date = ", query.from_date.clone().unwrap_or_default())
        .push_arg(", to_date = ", query.to_date.clone().unwrap_or_default())
        .push_arg(", columns = ", to_json(&columns)?)
        .push_arg(", density = ", form.density.clone())
        .push_arg(", is_shared = ", form.is_shared())
        .push_arg(", user_id = coalesce(user_id, ", (!form.is_shared()).then_some(scope.user()))
        .push(")")
        .push_arg(", updated_at = ", now)
        .push_arg(" WHERE corp_id = ", scope.corp())
        .push_arg(" AND view_id = ", id)
        .push_arg(" AND version = ", version)
        .exec()
        .await?;
    if updated > 0 && !form.is_shared() {
        tx.sql(
            "DELETE FROM view_defaults WHERE corp_id = $1 AND view_id = $2 AND user_id <> \
             (SELECT user_id FROM views WHERE corp_id = $1 AND view_id = $2)",
        )
        .bind_all((scope.corp(), id))
        .exec()
        .await?;
    }
    Ok(updated > 0)
}

pub async fn delete(tx: &mut Tx, scope: &Scope, id: Uuid) -> Result<()> {
    tx.sql("DELETE FROM views WHERE corp_id = $1 AND view_id = $2").bind_all((scope.corp(), id)).exec().await?;
    Ok(())
}

/// Makes a view the user's default of its list, in place of any other. If `is_default` is false, the view stops being
/// the default.
pub async fn set_default(tx: &mut Tx, scope: &Scope, resource: ResourceId, view: Uuid, is_default: bool) -> Result<()> {
    let sql = match is_default {
        true => tx
            .sql(
                "INSERT INTO view_defaults (corp_id, user_id, resource_id, view_id) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (corp_id, user_id, resource_id) DO UPDATE SET view_id = excluded.view_id",
            )
            .bind_all((scope.corp(), scope.user(), resource.as_str(), view)),
        false => tx
            .sql("DELETE FROM view_defaults WHERE corp_id = $1 AND user_id = $2 AND resource_id = $3 AND view_id = $4")
            .bind_all((scope.corp(), scope.user(), resource.as_str(), view)),
    };
    sql.exec().await?;
    Ok(())
}
