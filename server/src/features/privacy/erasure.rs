//! Erases what is stored about a person, in one transaction.

use super::certificates::{self, Parts};
use super::person::{Counts, PersonRecords, find_kept_entries};
use super::tables::{self, Records};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::erasure::{self as of_history, Entries};
use crate::features::history::{self, Entry};
use crate::features::listing::writes;
use crate::features::records::Entity;
use crate::features::records::erasure::{self as of_records, Erased};
use crate::platform::db::{Result, Tx};
use crate::platform::error::ApiResult;
use axum::http::Method;
use forecourt_core::agreements::Agreement;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::history::HistoryAction;
use forecourt_core::invoices::Invoice;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::Certificate;
use forecourt_core::vehicles::Vehicle;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Records per statement.
const BATCH: usize = 500;

/// Erases what was found about a person, and returns the certificate of the erasure. A record that another request
/// moves to or out of the trash meanwhile is erased where it then is.
pub async fn erase(scope: &Scope, now: i64, found: &PersonRecords) -> ApiResult<Certificate> {
    let mut kept = found.kept_parts(scope).await?;
    let entries_before = found.count_entries(scope).await?;
    let (mut tx, _) = scope.begin().await?;
    writes::lock(&mut tx, scope, ContactSummary::LISTING, true).await?;
    // No agreement changes its state before the transaction ends.
    kept.extend(found.find_kept_agreements(Some(&mut tx), scope).await?);
    let email = BTreeSet::from([found.email.clone()]);
    let contacts = erase_records::<ContactSummary>(&mut tx, scope, now, &email, &found.contacts).await?;
    let customers = erase_records::<CustomerSummary>(&mut tx, scope, now, &email, &found.customers).await?;
    let invoices = erase_records::<Invoice>(&mut tx, scope, now, &email, &found.invoices).await?;
    let agreements = erase_records::<Agreement>(&mut tx, scope, now, &email, &found.agreements).await?;
    let texts = found.vehicles.values();
    let vehicles = erase_records::<Vehicle>(&mut tx, scope, now, &texts, &found.vehicles.records).await?;
    let moved = &found.moved;
    let comments = of_records::erase_moved::<ContactSummary>(&mut tx, scope, now, &moved.merges).await?;
    let entries = erase_texts::<ContactSummary>(&mut tx, scope, &moved.entries, &moved.texts).await?;
    let all = [contacts, customers, invoices, agreements];
    let counts = Counts {
        records: all.map(|(erased, _)| erased.records),
        vehicles: vehicles.0.records,
        comments: contacts.0.children + comments,
        entries: all.into_iter().map(|(_, entries)| entries).sum::<u64>() + vehicles.1 + entries,
        failed_rows: tables::erase_failed_rows(&mut tx, scope, &found.failed_rows).await?,
        views: tables::erase_views(&mut tx, scope, &found.views, now).await?,
    };
    kept.extend(find_kept_entries(entries_before, counts.entries));
    let parts = Parts { erased: found.erased_parts(counts, &kept), kept };
    let id = Uuid::now_v7();
    let certificate = certificates::insert(&mut tx, scope, id, now, &parts).await?;
    let entry = Entry::new(HistoryAction::Erased, ResourceId::Corporations, scope.corp(), &id.to_string(), &[])?;
    history::insert(&mut tx, scope, now, vec![entry]).await?;
    tx.commit().await?;
    Ok(certificate)
}

/// Erases the personal data of records, their values in the history, and these texts in history entries of other
/// records. Returns the numbers of erased records and rows, and of changed history entries.
async fn erase_records<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    texts: &BTreeSet<String>,
    records: &Records,
) -> Result<(Erased, u64)> {
    let (mut erased, mut entries) = (Erased::default(), 0);
    let resource = E::Resource::RESOURCE;
    for ids in records.all().chunks(BATCH) {
        let Erased { records, children } = of_records::erase::<E>(tx, scope, now, ids).await?;
        erased = Erased { records: erased.records + records, children: erased.children + children };
        entries += of_history::erase(tx, scope, resource, E::LABEL, Entries::OfRecords(ids)).await?;
    }
    entries += erase_texts::<E>(tx, scope, &records.mentions, texts).await?;
    Ok((erased, entries))
}

/// Erases values that equal one of these texts in these history entries. Returns the number of changed entries.
async fn erase_texts<E: Entity>(tx: &mut Tx, scope: &Scope, entries: &[Uuid], texts: &BTreeSet<String>) -> Result<u64> {
    let mut erased = 0;
    for ids in entries.chunks(BATCH) {
        let entries = Entries::WithTexts(ids, texts);
        erased += of_history::erase(tx, scope, E::Resource::RESOURCE, E::LABEL, entries).await?;
    }
    Ok(erased)
}

/// Adds the history entry of an export of personal data, unless the request's method is HEAD: then no data is sent. It
/// does not say whose data was exported.
pub async fn record_export(scope: &Scope, now: i64, method: &Method) -> Result<()> {
    if *method == Method::HEAD {
        return Ok(());
    }
    let entry = Entry::new(HistoryAction::Exported, ResourceId::Corporations, scope.corp(), "zip", &[])?;
    let owned = scope.clone();
    scope.db().write(move |tx| Box::pin(async move { history::insert(tx, &owned, now, vec![entry]).await })).await
}
