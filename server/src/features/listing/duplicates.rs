//! Finds rows of a list that may be duplicates. Core derives keys from each row, such as the normalized e-mail. All
//! rows are read, their keys are hashed, and rows with the same hash form a group. The groups are cached with the
//! list's change counter, so nothing is stored and no write is slower.

use super::totals::Cache;
use super::{Listing, push_scan, state};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Sql};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::fairness::semaphore::{FairSemaphore, Limits};
use forecourt_core::duplicates::{DuplicateReason, Identity, RECORDS_MAX, WORDS_MAX};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use uuid::Uuid;

/// Rows per query.
const BATCH: i64 = 5_000;
/// In a list with more rows than this, similar names are not searched: they need about ten keys per row, each other
/// reason at most one.
const SIMILAR_MAX: i64 = 250_000;
/// Approximate bytes of the hashes of one row: with, and without, those for similar names.
const ROW_BYTES: [usize; 2] = [256, 64];
/// Limits on the bytes of hashes in memory while lists are read: of one tenant, whose single list may exceed it, and of
/// all tenants on this node.
const TENANT_BYTES: usize = 64 << 20;
const NODE_BYTES: usize = 3 * TENANT_BYTES;
/// How long a request waits until other lists have been read.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// How many requests of one tenant may wait at the same time.
const QUEUE_LENGTH: usize = 64;
/// Limit on the bytes of all cached groups.
const CACHED_BYTES: usize = 64 << 20;
/// Maximum number of rows of a list that are compared with the values of a form.
const CANDIDATES_MAX: i64 = 200;
/// Maximum number of letters and digits of an organization number, a phone number or a place (the postal code or, without
/// one, the address) in the pattern of a search for candidates.
const PATTERN_MAX: usize = 40;

const REASONS: [DuplicateReason; 5] = [
    DuplicateReason::OrganizationNumber,
    DuplicateReason::Email,
    DuplicateReason::Phone,
    DuplicateReason::NameAndPostalCode,
    DuplicateReason::SimilarName,
];

static READING: LazyLock<FairSemaphore<Uuid>> =
    LazyLock::new(|| FairSemaphore::new(Limits { total: NODE_BYTES, share: TENANT_BYTES, queue: QUEUE_LENGTH }));
static GROUPS: LazyLock<Cache<(Uuid, &'static str), Arc<Groups>, CACHED_BYTES>> = LazyLock::new(Cache::default);

/// The columns of a list by which its rows are recognized as possible duplicates.
pub struct IdentityColumns {
    /// The SELECT expressions of organization_number, name, email, phone, address and postal_code.
    pub texts: &'static str,
    /// The column with the folded organization number, which only customers have.
    pub organization_number_key: Option<&'static str>,
    /// The columns with the folded texts of name, e-mail and phone.
    pub name_key: &'static str,
    pub email_key: &'static str,
    pub phone_key: &'static str,
    /// The columns with folded texts that may contain the place: the postal code or, without one, the address.
    pub place_keys: &'static [&'static str],
}

#[derive(sqlx_macros::FromRow)]
struct TextsRow {
    doc: i64,
    organization_number: String,
    name: String,
    email: String,
    phone: String,
    address: String,
    postal_code: String,
}

/// All groups of possible duplicates in a list, those with the strongest reason first.
#[derive(Debug, Default)]
pub struct Groups {
    groups: Vec<Group>,
    /// The row numbers of all groups: of each group at most [`RECORDS_MAX`], newest first.
    docs: Vec<i64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Why the rows may be duplicates: a bit for each of [`REASONS`].
    reasons: u8,
    /// The index in [`Groups::docs`] of the group's first row number.
    start: usize,
    /// Number of rows in the group. `docs` may contain fewer of them.
    pub count: usize,
}

impl Group {
    pub fn reasons(&self) -> Vec<DuplicateReason> {
        let has = |index: &usize| self.reasons & 1 << index != 0;
        (0..REASONS.len()).filter(has).map(|index| REASONS[index]).collect()
    }
}

impl Groups {
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// Returns the bytes of memory of these groups, including their entry in the cache.
    fn bytes(&self) -> usize {
        128 + size_of_val(&self.groups[..]) + size_of_val(&self.docs[..])
    }

    /// Returns `count` groups after the first `skipped` ones, each with the numbers of its rows.
    pub fn page(&self, skipped: usize, count: usize) -> impl Iterator<Item = (Group, &[i64])> {
        let groups = self.groups.iter().skip(skipped).take(count);
        groups.map(|group| (*group, &self.docs[group.start..group.start + group.count.min(RECORDS_MAX)]))
    }

    /// Groups rows by the hashes of their keys. For each of [`REASONS`], `hashes` has pairs of a hash and a row, which
    /// is counted from `first_doc`. If several keys group the same rows, these form one group.
    fn of_hashes(hashes: [Vec<(u64, u32)>; REASONS.len()], first_doc: i64) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut docs = Vec::new();
        let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
        for (index, mut hashes) in hashes.into_iter().enumerate() {
            // By hash, and the newest rows first.
            hashes.sort_unstable_by_key(|(hash, row)| (*hash, std::cmp::Reverse(*row)));
            hashes.dedup();
            for run in hashes.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
                let rows: Vec<u32> = run.iter().map(|(_, row)| *row).collect();
                let is_similar = REASONS[index] == DuplicateReason::SimilarName;
                match known.get(&rows) {
                    Some(group) if is_similar && groups[*group].reasons & 1 << (index - 1) != 0 => {}
                    Some(group) => groups[*group].reasons |= 1 << index,
                    None => {
                        groups.push(Group { reasons: 1 << index, start: docs.len(), count: rows.len() });
                        docs.extend(rows.iter().take(RECORDS_MAX).map(|row| first_doc + i64::from(*row)));
                        known.insert(rows, groups.len() - 1);
                    }
                }
            }
        }
        groups.shrink_to_fit();
        docs.shrink_to_fit();
        groups.sort_by_key(|group| (group.reasons.trailing_zeros(), std::cmp::Reverse(docs[group.start])));
        Groups { groups, docs }
    }
}

/// Returns the groups of rows that may be the same.
///
/// # Errors
/// 429 if other requests of the tenant read lists for too long or too many of them wait, 503 if those of all tenants
/// read for too long.
pub async fn groups(scope: &Scope, listing: &Listing, columns: &IdentityColumns) -> ApiResult<Arc<Groups>> {
    let key = (scope.corp(), listing.table);
    let before = state(scope, listing).await?;
    if let Some(groups) = GROUPS.get(&key, before.changes) {
        return Ok(groups);
    }
    let rows = usize::try_from(before.total).unwrap_or_default();
    let bytes = rows.saturating_mul(ROW_BYTES[usize::from(before.total > SIMILAR_MAX)]);
    let _reading = READING.acquire(scope.corp(), bytes, MAX_WAIT).await?;
    // Another request may have read the list while this one waited.
    let state = state(scope, listing).await?;
    if let Some(groups) = GROUPS.get(&key, state.changes) {
        return Ok(groups);
    }
    let hasher = RandomState::new();
    let mut hashes = [(); REASONS.len()].map(|()| Vec::new());
    let mut after = state.first_doc - 1;
    loop {
        let sql = scope.db().sql("SELECT doc, ").push(columns.texts);
        let sql = push_scan(sql, scope, listing, after, state.last_doc());
        let rows: Vec<TextsRow> = sql.push_arg(" ORDER BY doc LIMIT ", BATCH).all().await?;
        let Some(last) = rows.last() else { break };
        after = last.doc;
        for row in rows {
            let number = u32::try_from(row.doc - state.first_doc).unwrap_or_default();
            let identity = Identity::new(&row.name, &row.email, &row.phone, &row.address, &row.postal_code);
            identity.with_organization_number(&row.organization_number).for_each_key(|reason, key| {
                if reason != DuplicateReason::SimilarName || state.total <= SIMILAR_MAX {
                    hashes[reason as usize].push((hasher.hash_one(key), number));
                }
            });
        }
        tokio::task::yield_now().await;
    }
    let grouped = tokio::task::spawn_blocking(move || Groups::of_hashes(hashes, state.first_doc)).await;
    let groups = Arc::new(grouped.map_err(ApiError::internal)?);
    GROUPS.put_weighed(key, state.changes, Arc::clone(&groups), groups.bytes());
    Ok(groups)
}

/// Returns the ids of the rows with these numbers, by number.
pub async fn ids(scope: &Scope, listing: &Listing, docs: impl Iterator<Item = i64>) -> Result<HashMap<i64, Uuid>> {
    let sql = scope.db().sql("SELECT doc, ").push(listing.id).push(" FROM ").push(listing.table);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND doc IN (-1");
    let rows: Vec<(i64, Uuid)> = docs.fold(sql, Sql::comma).push(")").all().await?;
    Ok(rows.into_iter().collect())
}

/// Returns the ids of rows that may be duplicates of `identity`, perhaps with others that core must rule out: at most
/// `CANDIDATES_MAX`. Those that have the most in common with it are first, then the newest.
pub async fn candidates(
    scope: &Scope,
    listing: &Listing,
    columns: &IdentityColumns,
    identity: &Identity,
) -> Result<Vec<Uuid>> {
    let organization = columns.organization_number_key.zip(identity.organization_number.as_deref());
    if organization.is_none() && identity.email.is_none() && identity.phone.is_none() && identity.place.is_none() {
        return Ok(Vec::new());
    }
    let state = state(scope, listing).await?;
    let sql =
        push_scan(scope.db().sql("SELECT ").push(listing.id), scope, listing, state.first_doc - 1, state.last_doc());
    let mut sql = sql.push(" AND (1 = 0");
    if let Some((key, number)) = organization {
        sql = push_like(sql.push(" OR "), key, number);
    }
    if let Some(email) = &identity.email {
        sql = sql.push(" OR ").push(columns.email_key).push_arg(" = ", email.clone());
    }
    if let Some(phone) = &identity.phone {
        sql = push_like(sql.push(" OR "), columns.phone_key, phone);
    }
    let place = identity.place.as_ref().filter(|_| (1..=WORDS_MAX).contains(&identity.words.len()));
    if let Some(place) = place {
        // Two similar names have all words in common but one.
        let common = i64::try_from(identity.words.len() - 1).unwrap_or(i64::MAX).max(1);
        sql = push_words(sql.push(" OR ("), columns, &identity.words).push_arg(" >= ", common);
        sql = sql.push(" AND (").joined(" OR ", columns.place_keys, |sql, key| push_like(sql, key, place)).push("))");
    }
    sql = sql.push(") ORDER BY ");
    if let Some((key, number)) = organization {
        sql = push_like(sql.push("CASE WHEN "), key, number).push(" THEN 0 ELSE 1 END, ");
    }
    if let Some(email) = &identity.email {
        sql =
            sql.push("CASE WHEN ").push(columns.email_key).push_arg(" = ", email.clone()).push(" THEN 0 ELSE 1 END, ");
    }
    if let Some(phone) = &identity.phone {
        sql = push_like(sql.push("CASE WHEN "), columns.phone_key, phone).push(" THEN 0 ELSE 1 END, ");
    }
    if let Some(place) = place {
        sql = push_words(sql, columns, &identity.words).push(" DESC, CASE WHEN ");
        sql = sql.joined(" OR ", columns.place_keys, |sql, key| {
            sql.push("replace(").push(key).push_arg(", ' ', '') LIKE ", format!("%{place}%"))
        });
        sql = sql.push(" THEN 0 ELSE 1 END, ");
    }
    sql.push("doc DESC LIMIT ").arg(CANDIDATES_MAX).values().await
}

/// Appends an expression for how many of these words the row's name contains.
fn push_words<'e>(sql: Sql<'e>, columns: &IdentityColumns, words: &[String]) -> Sql<'e> {
    let sql = words.iter().fold(sql.push("(0"), |sql, word| {
        sql.push(" + CASE WHEN ").position(columns.name_key, word).push(" > 0 THEN 1 ELSE 0 END")
    });
    sql.push(")")
}

/// Appends the condition that a key contains these letters and digits in this order, perhaps with others in between.
fn push_like<'e>(sql: Sql<'e>, key: &'static str, text: &str) -> Sql<'e> {
    let pattern = text.chars().take(PATTERN_MAX).fold("%".to_owned(), |pattern, letter| format!("{pattern}{letter}%"));
    sql.push(key).push_arg(" LIKE ", pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::features::listing::CONTACTS;
    use crate::features::listing::definitions::test_database;
    use crate::features::records::duplicates::Mergeable;
    use forecourt_core::contacts::ContactSummary;
    use tokio::time::timeout;

    #[tokio::test]
    async fn reading_the_long_list_of_one_tenant_does_not_delay_other_tenants() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        let _reading = READING.try_acquire(Uuid::now_v7(), TENANT_BYTES).unwrap();
        let read = groups(&scope, &CONTACTS, &ContactSummary::IDENTITY);
        assert_eq!(timeout(MAX_WAIT / 2, read).await.unwrap().unwrap().count(), 0);
        db.close().await;
    }

    /// Returns the reasons and row numbers of all groups of rows with these hashes, which are counted from 100.
    fn grouped(hashes: [&[(u64, u32)]; REASONS.len()]) -> Vec<(Vec<DuplicateReason>, Vec<i64>)> {
        let groups = Groups::of_hashes(hashes.map(<[_]>::to_vec), 100);
        groups.page(0, 10).map(|(group, docs)| (group.reasons(), docs.to_vec())).collect()
    }

    #[test]
    fn rows_with_the_same_hash_are_a_group_newest_first() {
        let found = grouped([&[], &[(7, 1), (8, 2), (7, 3)], &[], &[], &[]]);
        assert_eq!(found, [(vec![DuplicateReason::Email], vec![103, 101])]);
        assert!(grouped([&[], &[(7, 1), (7, 1)], &[], &[], &[]]).is_empty(), "the same row twice");
    }

    #[test]
    fn the_same_rows_are_one_group_with_all_their_reasons() {
        let pair = [(7, 1), (7, 2)];
        let found = grouped([&[], &pair, &pair, &[], &[(8, 1), (8, 2), (9, 1), (9, 2)]]);
        let reasons = vec![DuplicateReason::Email, DuplicateReason::Phone, DuplicateReason::SimilarName];
        assert_eq!(found, [(reasons, vec![102, 101])]);
        let found = grouped([&[], &[], &[], &pair, &pair]);
        assert_eq!(found, [(vec![DuplicateReason::NameAndPostalCode], vec![102, 101])], "the same name is not similar");
    }

    #[test]
    fn sorts_groups_by_reason_and_keeps_the_newest_rows_of_a_large_group() {
        let many: Vec<_> = (0..20).map(|row| (7, row)).collect();
        let found = grouped([&[], &[(1, 0), (1, 1)], &many, &[], &[]]);
        assert_eq!((found[0].1.len(), found[1].1.len(), found[1].1[0]), (2, RECORDS_MAX, 119));
        assert_eq!(Groups::of_hashes([Vec::new(), Vec::new(), many, Vec::new(), Vec::new()], 0).groups[0].count, 20);
    }
}
