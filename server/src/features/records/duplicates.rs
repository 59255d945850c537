//! Records that may be duplicates of each other (docs/product.md 4.23).

use super::{Editable, Entity, ResourceOf, get_existing};
use crate::access::scope::{May, Read, Scope};
use crate::features::listing::duplicates::{self, IdentityColumns};
use crate::platform::error::ApiResult;
use crate::platform::extract::{Params, optional_id};
use axum::Json;
use forecourt_core::duplicates::{Duplicates, Identified, Identity, MATCHES_MAX, PAGE_SIZE, reasons};
use forecourt_core::paging::{ListPage, PageQuery};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashMap;
use uuid::Uuid;

/// A kind of record that can have duplicates, which can be merged.
pub trait Mergeable: Editable<Entity: Identified + Clone> {
    const IDENTITY: IdentityColumns;
}

/// The query parameters of duplicates: a page, or the values of a form, not yet parsed.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct DuplicatesQuery {
    #[serde(flatten)]
    page: PageQuery<PAGE_SIZE>,
    /// Only for customers: that of a company.
    organization_number: String,
    name: String,
    email: String,
    /// `telephone` is an alternative name.
    #[serde(alias = "telephone")]
    phone: String,
    address: String,
    postal_code: String,
    /// The id of the record that the form changes. It is not listed as its own duplicate.
    except: String,
}

/// `GET /api/{resource}/duplicates`: a page of groups of records that may be duplicates. If the query has values of a
/// form: the records that may be duplicates of it, each as a group of its own, at most [`MATCHES_MAX`].
pub async fn list<E: Mergeable>(
    may: May<Read, ResourceOf<E>>,
    Params(query): Params<DuplicatesQuery>,
) -> ApiResult<Json<ListPage<Duplicates<E::Entity>>>> {
    let DuplicatesQuery { page, organization_number, name, email, phone, address, postal_code, except } = &query;
    let identity =
        Identity::new(name, email, phone, address, postal_code).with_organization_number(organization_number);
    let page = page.read()?;
    let values = [organization_number, name, email, phone, address, postal_code, except];
    let has_values = values.iter().any(|text| !text.trim().is_empty());
    let (data, total_items) = match has_values {
        false => {
            let groups = duplicates::groups(&may, E::Entity::LISTING, &E::IDENTITY).await?;
            let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
            let rows: Vec<_> = groups.page(skipped, page.limit as usize).collect();
            (read_groups::<E::Entity>(&may, &rows).await?, groups.count() as u64)
        }
        true => {
            let found = matches::<E>(&may, &identity, optional_id("except", except)?).await?;
            let count = found.len() as u64;
            (found, count)
        }
    };
    Ok(Json(ListPage::new(data, total_items, page)))
}

/// Reads the records of groups. A group of which fewer than two records still exist is left out.
async fn read_groups<E: Entity + Clone>(
    scope: &Scope,
    groups: &[(duplicates::Group, &[i64])],
) -> ApiResult<Vec<Duplicates<E>>> {
    let docs = groups.iter().flat_map(|(_, docs)| docs.iter().copied());
    let ids = duplicates::ids(scope, E::LISTING, docs).await?;
    let records = get_existing::<E>(scope, ids.values().copied().collect()).await?;
    let by_id: HashMap<Uuid, E> = records
        .into_iter()
        .map(|record| Ok((super::identity::id(&record)?, record)))
        .collect::<Result<_, sqlx::Error>>()?;
    let read = |(group, docs): &(duplicates::Group, &[i64])| {
        let records: Vec<E> = docs.iter().filter_map(|doc| by_id.get(ids.get(doc)?).cloned()).collect();
        let reasons = group.reasons();
        let reason = *reasons.first()?;
        (records.len() > 1).then_some(Duplicates { reason, reasons, records, count: group.count as u64 })
    };
    Ok(groups.iter().filter_map(read).collect())
}

/// Returns the records that may be duplicates of `identity`, without the record with the id `except`. Those with the
/// strongest reason are first.
async fn matches<E: Mergeable>(
    scope: &Scope,
    identity: &Identity,
    except: Option<Uuid>,
) -> ApiResult<Vec<Duplicates<E::Entity>>> {
    let candidates = duplicates::candidates(scope, E::Entity::LISTING, &E::IDENTITY, identity).await?;
    let mut found = Vec::new();
    for record in get_existing::<E::Entity>(scope, candidates).await? {
        let id = super::identity::id(&record)?;
        let reasons = reasons(identity, &record.identity());
        if let Some(reason) = reasons.first().copied().filter(|_| except != Some(id)) {
            found.push(Duplicates { reason, reasons, records: vec![record], count: 1 });
        }
    }
    found.sort_by(|a, b| a.reasons.cmp(&b.reasons));
    found.truncate(MATCHES_MAX);
    Ok(found)
}
