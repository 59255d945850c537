//! Finds what is stored about a person.

use super::moved::{self, FromContacts};
use super::tables::{self, AGREEMENTS, EntryRow, FailedRow, INVOICES, Linked, Records, View};
use super::vehicles::{self, FromVehicles};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::erasure as history;
use crate::features::listing::{self, ListFilter, Selection};
use crate::features::records::trash::Content;
use crate::features::records::{self, Entity, identity};
use crate::platform::db::{Result, Tx, from_json};
use crate::platform::error::ApiResult;
use forecourt_core::agreements::Agreement;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::history::{Change, ChangedValue, HistoryAction};
use forecourt_core::invoices::Invoice;
use forecourt_core::lists::{Arrangement, Cell, ConditionInput, Fields, Filter, Operand, Personal, Sort, Today};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{
    COMMENT_FIELDS, DataKind, ErasedPart, HeldPart, KEPT_IF_BINDING, KeptPart, PersonalData, WhyKept,
    fields_from_agreements, fields_of, is_email_in_history,
};
use forecourt_core::vehicles::Vehicle;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What was found about a person. Of records, imports and the account, only the ids are here.
#[derive(Clone, Default)]
pub struct PersonRecords {
    /// The person's e-mail address, in lower case.
    pub email: String,
    pub contacts: Records,
    pub customers: Records,
    pub invoices: Records,
    /// Those of the customers.
    pub agreements: Records,
    pub account: Option<Uuid>,
    /// The imports that created contacts of the person, also those that are in the trash.
    pub imports: Vec<Uuid>,
    pub failed_rows: Vec<FailedRow>,
    pub views: Vec<View>,
    /// What merges moved from the person's contacts to other contacts.
    pub moved: FromContacts,
    pub vehicles: FromVehicles,
}

/// Finds what is stored about the person with this e-mail address. Nothing is locked, so changes that others make
/// meanwhile may be missed. The history and the trash are read in many short statements.
pub async fn find(scope: &Scope, email: &str) -> ApiResult<PersonRecords> {
    let email = email.to_lowercase();
    let entries = tables::entries_with(scope, &email).await?;
    let (contacts, of_contacts) = find_records::<ContactSummary>(scope, &email, &entries).await?;
    let (customers, of_customers) = find_records::<CustomerSummary>(scope, &email, &entries).await?;
    let (mut invoices, _) = find_records::<Invoice>(scope, &email, &entries).await?;
    add_linked(scope, &INVOICES, &customers, &of_customers.linked, &mut invoices).await?;
    let mut agreements = Records::default();
    add_linked(scope, &AGREEMENTS, &customers, &of_customers.linked, &mut agreements).await?;
    super::agreements::add_former(scope, &customers, &mut agreements).await?;
    let former = tables::existing_imports(scope, &of_contacts.imports).await?;
    let mut imports = [tables::imports_of(scope, &contacts.live).await?, former].concat();
    imports.sort_unstable();
    imports.dedup();
    Ok(PersonRecords {
        account: tables::account(scope, &email).await?,
        imports,
        failed_rows: tables::failed_rows(scope, &email).await?,
        views: tables::views(scope, &email).await?,
        vehicles: vehicles::find(scope, &email, &entries).await?,
        moved: moved::find_moved_from_contacts(scope, &contacts.all(), &contacts.trashed).await?,
        email,
        contacts,
        customers,
        invoices,
        agreements,
    })
}

/// Adds the records that are, or were, linked to customers. `linked` are the ids of rows that were linked to customers
/// in the trash.
async fn add_linked(
    scope: &Scope,
    kind: &Linked,
    customers: &Records,
    linked: &[Uuid],
    records: &mut Records,
) -> Result<()> {
    let merged = [&customers.trashed[..], &customers.past].concat();
    let linked = [linked, &moved::find_moved_records(scope, kind.resource, &merged).await?].concat();
    let (live, trashed) = tables::divide(scope, kind, &linked).await?;
    records.live = [&records.live[..], &live, &tables::of_customers(scope, kind, &customers.live).await?].concat();
    let customer_ids = [&customers.live[..], &customers.trashed].concat();
    let of_customers = tables::trashed_of_customers(scope, kind, &customer_ids).await?;
    records.trashed = [&records.trashed[..], &trashed, &of_customers].concat();
    for ids in [&mut records.live, &mut records.trashed] {
        ids.sort_unstable();
        ids.dedup();
    }
    Ok(())
}

/// What records in the trash refer to.
#[derive(Default)]
struct References {
    /// Rows of other kinds that were linked to them.
    linked: Vec<Uuid>,
    /// The imports that created them, if they are contacts. Some may have been deleted since.
    imports: Vec<Uuid>,
}

/// Finds the records of a kind with this e-mail address, and what those of them that are in the trash refer to.
async fn find_records<E: Entity>(scope: &Scope, email: &str, entries: &[EntryRow]) -> ApiResult<(Records, References)> {
    let mut records = Records { live: find_in_list::<E>(scope, email).await?, ..Records::default() };
    let mut references = References::default();
    for (id, content) in tables::trash_with(scope, E::Resource::RESOURCE, email).await? {
        let content: Content = from_json(&content)?;
        if content.row.text("email").is_some_and(|stored| stored.to_lowercase() == email) {
            records.trashed.push(id);
            references.imports.extend(content.row.id("import_id"));
            references.linked.extend(content.links.into_values().flatten());
        }
    }
    add_past::<E>(scope, email, &mut records, entries).await?;
    Ok((records, references))
}

/// Returns the records in the list with this e-mail address. A filter also ignores accents, so what it finds is compared
/// again.
async fn find_in_list<E: Entity>(scope: &Scope, email: &str) -> ApiResult<Vec<Uuid>> {
    let value = Some(Operand::Text(email.to_owned()));
    let condition = ConditionInput { field: "email".into(), op: "is".into(), value };
    let arrangement = Arrangement {
        sort: Sort::default(),
        filter: Filter::read(Fields::all(E::FIELDS), &[condition], &Today::default())?,
    };
    let page = Page { page: 1, limit: u32::MAX };
    let selection = Selection { page, search: None, filter: ListFilter::default(), arrangement };
    let (ids, _) = listing::ids(scope, E::LISTING, &selection).await?;
    let mut found = Vec::new();
    for ids in ids.chunks(tables::BATCH) {
        for record in records::get_existing::<E>(scope, ids.to_vec()).await? {
            if matches!(record.cell("email"), Cell::Text(stored) if stored.to_lowercase() == email) {
                found.push(identity::id(&record)?);
            }
        }
    }
    Ok(found)
}

/// Adds what only the history knows: the purged records with this e-mail address, and the entries about records that
/// have another address now, or had another one when they were purged.
async fn add_past<E: Entity>(scope: &Scope, email: &str, records: &mut Records, entries: &[EntryRow]) -> Result<()> {
    let known: BTreeSet<Uuid> = records.all().into_iter().collect();
    let resource = E::Resource::RESOURCE;
    let is_email = |value: &Option<ChangedValue>| match value {
        Some(ChangedValue::Text(text)) => text.to_lowercase() == email,
        _ => false,
    };
    // The entries of each record, and whether its last known address is this one.
    let mut others: BTreeMap<Uuid, (Vec<Uuid>, bool)> = BTreeMap::new();
    let mut entries: Vec<_> = entries.iter().filter(|(_, of, ..)| of == resource.as_str()).collect();
    entries.sort_unstable_by_key(|(id, ..)| *id);
    for (id, _, record, action, changes) in entries {
        let Some(record) = record.filter(|record| !known.contains(record)) else { continue };
        for Change { field, before, after } in from_json::<Vec<Change>>(changes)? {
            if is_email_in_history(resource, &field) && (is_email(&before) || is_email(&after)) {
                let (ids, is_last) = others.entry(record).or_default();
                ids.push(*id);
                // The entry of a deletion has the last address as the value before it.
                *is_last = is_email(if action == HistoryAction::Deleted.as_str() { &before } else { &after });
            }
        }
    }
    let present = tables::present_of::<E>(scope, others.keys().copied()).await?;
    for (record, (entries, is_last)) in others {
        match is_last && !present.contains(&record) {
            true => records.past.push(record),
            false => records.mentions.extend(entries),
        }
    }
    Ok(())
}

impl PersonRecords {
    fn all_records(&self) -> impl Iterator<Item = &Records> {
        [&self.contacts, &self.customers, &self.invoices, &self.agreements, &self.vehicles.records].into_iter()
    }

    pub fn is_empty(&self) -> bool {
        self.all_records().all(Records::is_empty)
            && self.account.is_none()
            && self.failed_rows.is_empty()
            && self.views.is_empty()
    }

    /// Returns the contacts, customers, invoices and agreements, each with their resource and kind of data.
    pub fn records(&self) -> [(ResourceId, DataKind, &Records); 4] {
        [
            (ResourceId::Contacts, DataKind::Contacts, &self.contacts),
            (ResourceId::Customers, DataKind::Customers, &self.customers),
            (ResourceId::Invoices, DataKind::Invoices, &self.invoices),
            (ResourceId::Agreements, DataKind::Agreements, &self.agreements),
        ]
    }

    /// Returns what is stored, and what an erasure would erase and keep.
    pub async fn report(&self, scope: &Scope) -> Result<PersonalData> {
        let mut held = Vec::new();
        let mut add = |kind, count: usize, in_trash: usize| {
            held.extend((count > 0).then_some(HeldPart { kind, count: count as u64, in_trash: in_trash as u64 }));
        };
        for (_, part, records) in self.records() {
            add(part, records.live.len() + records.trashed.len(), records.trashed.len());
        }
        let trashed = tables::count_trashed_comments(scope, &self.contacts.trashed).await?;
        let present = tables::count_comments(scope, &self.contacts.live).await?;
        let comments = present + trashed + self.moved.comments.len() as u64;
        let entries = self.count_entries(scope).await?;
        let vehicles = &self.vehicles.records;
        add(DataKind::Vehicles, vehicles.live.len() + vehicles.trashed.len(), vehicles.trashed.len());
        let erased_entries = self.count_mentions()
            + count_erased::<ContactSummary>(scope, &self.contacts).await?
            + count_erased::<CustomerSummary>(scope, &self.customers).await?
            + count_erased::<Invoice>(scope, &self.invoices).await?
            + count_erased::<Agreement>(scope, &self.agreements).await?
            + count_erased::<Vehicle>(scope, vehicles).await?;
        let few = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        add(DataKind::Comments, few(comments), few(trashed));
        add(DataKind::History, few(entries), 0);
        add(DataKind::Imports, self.imports.len(), 0);
        add(DataKind::FailedRows, self.failed_rows.len(), 0);
        add(DataKind::Views, self.views.len(), 0);
        add(DataKind::Account, usize::from(self.account.is_some()), 0);
        let count = |records: &Records| (records.live.len() + records.trashed.len()) as u64;
        let counts = Counts {
            records: self.records().map(|(.., records)| count(records)),
            vehicles: count(vehicles),
            comments,
            entries: erased_entries,
            failed_rows: self.failed_rows.len() as u64,
            views: self.views.len() as u64,
        };
        let mut kept = self.kept_parts(scope).await?;
        kept.extend(self.find_kept_agreements(None, scope).await?);
        kept.extend(find_kept_entries(entries, erased_entries));
        Ok(PersonalData { held, erased: self.erased_parts(counts, &kept), kept })
    }

    /// Returns how many history entries are about the person's records, or mention the person.
    pub async fn count_entries(&self, scope: &Scope) -> Result<u64> {
        let mut count = self.count_mentions();
        for (resource, _, records) in self.records() {
            count += tables::count_entries(scope, resource, &records.all()).await?;
        }
        Ok(count + tables::count_entries(scope, ResourceId::Vehicles, &self.vehicles.records.all()).await?)
    }

    /// Returns how many history entries about other records mention the person.
    fn count_mentions(&self) -> u64 {
        let mentions = self.all_records().map(|records| records.mentions.len()).sum::<usize>();
        (self.moved.entries.len() + mentions) as u64
    }

    /// Returns the kinds of data of which something is erased, with these counts and the names of the erased fields.
    pub fn erased_parts(&self, counts: Counts, kept: &[KeptPart]) -> Vec<ErasedPart> {
        let names = |fields: Vec<&'static str>| fields.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut parts = Vec::new();
        let mut add = |kind, count, fields: Vec<&'static str>| {
            parts.extend((count > 0).then(|| ErasedPart { kind, count, fields: names(fields) }));
        };
        for ((resource, kind, _), count) in self.records().into_iter().zip(counts.records) {
            let is_kept_in_all = |field: &str| {
                let of_all = kept.iter().filter(|part| part.kind == kind && count <= part.count);
                of_all.flat_map(|part| &part.fields).any(|name| name == field)
            };
            let fields =
                fields_of(resource, Personal::Erased).filter(|field| *field != "comments" && !is_kept_in_all(field));
            add(kind, count, fields.collect());
        }
        add(DataKind::Vehicles, counts.vehicles, fields_of(ResourceId::Vehicles, Personal::Erased).collect());
        let of_comments = COMMENT_FIELDS.iter().filter(|field| field.personal == Personal::Erased);
        add(DataKind::Comments, counts.comments, of_comments.map(|field| field.name).collect());
        add(DataKind::History, counts.entries, vec!["label", "before", "after"]);
        add(DataKind::FailedRows, counts.failed_rows, vec!["cells"]);
        add(DataKind::Views, counts.views, vec!["name", "search", "filter"]);
        parts
    }

    /// Returns the kinds of data of which an erasure keeps something, and why. What [`Self::find_kept_agreements`] and
    /// [`find_kept_entries`] return is not among them.
    pub async fn kept_parts(&self, scope: &Scope) -> Result<Vec<KeptPart>> {
        let mut kept = Vec::new();
        let mut add = |kind, count, fields: Vec<String>, why| {
            kept.extend((count > 0).then(|| KeptPart::new(kind, count, fields, why)));
        };
        let fields = fields_of(ResourceId::Invoices, Personal::KeptForAccounting).map(str::to_owned).collect();
        let invoices = self.invoices.live.len() + self.invoices.trashed.len();
        add(DataKind::Invoices, invoices as u64, fields, WhyKept::Accounting);
        let figures = tables::count_with_figures(scope, &self.customers.live).await?;
        let fields = fields_from_agreements().map(str::to_owned).collect();
        add(DataKind::Customers, figures, fields, WhyKept::Agreements);
        add(DataKind::Account, u64::from(self.account.is_some()), Vec::new(), WhyKept::Account);
        let running = tables::find_running_imports(scope).await?;
        let ended = self.imports.iter().filter(|import| !running.contains(import)).count();
        add(DataKind::Imports, ended as u64, Vec::new(), WhyKept::EndedImport);
        add(DataKind::Imports, running.len() as u64, Vec::new(), WhyKept::RunningImport);
        Ok(kept)
    }

    /// Returns the agreements that keep their customer's name in an erasure, if there are any. Counts inside the
    /// transaction if one is given.
    pub async fn find_kept_agreements(&self, tx: Option<&mut Tx>, scope: &Scope) -> Result<Option<KeptPart>> {
        let count = super::agreements::count_binding(tx, scope, &self.agreements.live).await?;
        let fields = vec![KEPT_IF_BINDING.1.to_owned()];
        Ok((count > 0).then(|| KeptPart::new(DataKind::Agreements, count, fields, WhyKept::Binding)))
    }
}

/// Returns those of the history entries in which an erasure changes nothing, if there are any.
pub fn find_kept_entries(entries: u64, erased: u64) -> Option<KeptPart> {
    let count = entries.saturating_sub(erased);
    (count > 0).then(|| KeptPart::new(DataKind::History, count, Vec::new(), WhyKept::NotPersonal))
}

/// Returns how many history entries about these records an erasure would change.
async fn count_erased<E: Entity>(scope: &Scope, records: &Records) -> Result<u64> {
    history::count(scope, E::Resource::RESOURCE, E::LABEL, &records.all()).await
}

/// The number of items of each kind that an erasure changes.
pub struct Counts {
    /// The numbers of contacts, customers, invoices and agreements, in this order.
    pub records: [u64; 4],
    pub vehicles: u64,
    pub comments: u64,
    pub entries: u64,
    pub failed_rows: u64,
    pub views: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::history::resources;

    #[test]
    fn a_person_is_searched_in_every_list_with_personal_data() {
        let searched = PersonRecords::default().records().map(|(resource, ..)| resource);
        for resource in resources() {
            // Vehicles are searched for texts with the address (`FromVehicles`).
            let is_searched = searched.contains(&resource) || resource == ResourceId::Vehicles;
            let personal = [Personal::Erased, Personal::KeptForAccounting];
            let has_personal_data = personal.into_iter().any(|personal| fields_of(resource, personal).next().is_some());
            assert_eq!(is_searched, has_personal_data, "{}", resource.as_str());
        }
    }
}
