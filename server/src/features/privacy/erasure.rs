//! Erases what is stored about a person, in one transaction.

use super::certificates::{self, Parts};
use super::person::{Counts, Found, Records};
use super::tables;
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::erasure::{self as of_history, Entries};
use crate::features::history::{self, Entry};
use crate::features::listing::writes;
use crate::features::records::Entity;
use crate::features::records::erasure::{self as of_records, Erased};
use crate::platform::db::{Result, Tx};
use crate::platform::error::ApiResult;
use forecourt_core::agreements::Agreement;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::history::HistoryAction;
use forecourt_core::invoices::Invoice;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::Certificate;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Records per statement.
const BATCH: usize = 500;

/// Erases it. A record that another request moves to the trash, or out of it, meanwhile is erased where it then is.
pub async fn erase(scope: &Scope, now: i64, found: &Found) -> ApiResult<Certificate> {
    let kept = found.kept_parts(scope).await?;
    let (mut tx, _) = scope.begin().await?;
    writes::lock(&mut tx, scope, ContactSummary::LISTING, true).await?;
    let contacts = erase_records::<ContactSummary>(&mut tx, scope, now, &found.email, &found.contacts).await?;
    let customers = erase_records::<CustomerSummary>(&mut tx, scope, now, &found.email, &found.customers).await?;
    let invoices = erase_records::<Invoice>(&mut tx, scope, now, &found.email, &found.invoices).await?;
    let agreements = erase_records::<Agreement>(&mut tx, scope, now, &found.email, &found.agreements).await?;
    let moved = &found.moved;
    let comments = of_records::erase_moved::<ContactSummary>(&mut tx, scope, now, &moved.merges).await?;
    let entries = erase_texts::<ContactSummary>(&mut tx, scope, &moved.entries, &moved.texts).await?;
    let all = [contacts, customers, invoices, agreements];
    let counts = Counts {
        records: all.map(|(erased, _)| erased.records),
        comments: contacts.0.children + comments,
        entries: all.into_iter().map(|(_, entries)| entries).sum::<u64>() + entries,
        failed_rows: tables::erase_failed_rows(&mut tx, scope, &found.failed_rows).await?,
        views: tables::erase_views(&mut tx, scope, &found.views, now).await?,
    };
    let parts = Parts { erased: found.erased_parts(counts), kept };
    let id = Uuid::now_v7();
    let certificate = certificates::insert(&mut tx, scope, id, now, &parts).await?;
    let entry = Entry::new(HistoryAction::Erased, ResourceId::Corporations, scope.corp(), &id.to_string(), &[])?;
    history::insert(&mut tx, scope, now, vec![entry]).await?;
    tx.commit().await?;
    Ok(certificate)
}

/// Erases records and their history. Returns also the number of entries.
async fn erase_records<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    email: &str,
    records: &Records,
) -> Result<(Erased, u64)> {
    let (mut erased, mut entries) = (Erased::default(), 0);
    let resource = E::Resource::RESOURCE;
    for ids in records.all().chunks(BATCH) {
        let Erased { records, children } = of_records::erase::<E>(tx, scope, now, ids).await?;
        erased = Erased { records: erased.records + records, children: erased.children + children };
        entries += of_history::erase(tx, scope, resource, E::LABEL, Entries::OfRecords(ids)).await?;
    }
    entries += erase_texts::<E>(tx, scope, &records.mentions, &BTreeSet::from([email.to_owned()])).await?;
    Ok((erased, entries))
}

/// Erases these texts in entries. Returns the number of those that had some.
async fn erase_texts<E: Entity>(tx: &mut Tx, scope: &Scope, entries: &[Uuid], texts: &BTreeSet<String>) -> Result<u64> {
    let mut erased = 0;
    for ids in entries.chunks(BATCH) {
        let entries = Entries::WithTexts(ids, texts);
        erased += of_history::erase(tx, scope, E::Resource::RESOURCE, E::LABEL, entries).await?;
    }
    Ok(erased)
}

/// Adds the entry of an export. It does not say whose data it was.
pub async fn record_export(scope: &Scope, now: i64) -> Result<()> {
    let entry = Entry::new(HistoryAction::Exported, ResourceId::Corporations, scope.corp(), "zip", &[])?;
    let owned = scope.clone();
    scope.db().write(move |tx| Box::pin(async move { history::insert(tx, &owned, now, vec![entry]).await })).await
}
