//! What a merge moved from a record to the record that it kept (docs/product.md 4.23), and how it goes back when the
//! merged record is restored: from the kept record, from the trash if the kept record was deleted since, or from where
//! a later merge moved it.

use super::Entity;
use super::columns::{self, Columns, push_id_list};
use super::details::read_details;
use super::identity::label;
use super::table::WholeRow;
use super::trash::{self, Child, Content, MovedByMerge};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::Entry;
use crate::features::listing;
use crate::platform::db::{Result, Tx, from_json};
use forecourt_core::duplicates::{Details, take_back_details};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What a kept record gives back when records that were merged into it are restored.
#[derive(Default)]
pub struct GivenBack {
    /// Whether rows, such as comments or linked invoices, went back to a restored record.
    has_rows: bool,
    /// The other details that are still to be taken from the kept record.
    details: Details,
}

impl MovedByMerge {
    /// Moves rows back to the restored record `record`, unless they have been moved to another record since. Adds what
    /// the kept record gives back to `given`. Returns the history entries of the linked rows.
    pub async fn move_back<E: Entity>(
        mut self,
        tx: &mut Tx,
        scope: &Scope,
        record: Uuid,
        given: &mut BTreeMap<Uuid, GivenBack>,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        loop {
            let in_trash = trash::content(tx, scope, E::Resource::RESOURCE, self.to).await?;
            let Some(mut content) = in_trash else { break };
            entries.extend(self.move_back_from_trash::<E>(tx, scope, record, &mut content).await?);
            trash::set_content(tx, scope, E::Resource::RESOURCE, self.to, &content).await?;
            match content.moved {
                Some(next) => self.to = next.to,
                None => break,
            }
        }
        let given = given.entry(self.to).or_default();
        for child in E::CHILDREN {
            let ids = self.rows(child.table.name);
            if !ids.is_empty() {
                let sql = tx.sql("UPDATE ").push(child.table.name).push(" SET ").push(child.record);
                let sql = sql.push_arg(" = ", record).push_arg(" WHERE corp_id = ", scope.corp());
                let sql = sql.push(" AND ").push(child.record).push_arg(" = ", self.to);
                given.has_rows |=
                    push_id_list(sql.push(" AND ").push(child.id).push(" IN ("), ids).push(")").exec().await? > 0;
            }
        }
        for link in E::LINKS {
            let linked = link.relink(tx, scope, self.rows(link.table), Some(self.to), record).await?;
            given.has_rows |= !linked.is_empty();
            entries.extend(linked);
        }
        given.details.extend(self.details);
        Ok(entries)
    }

    /// Called if the kept record is in the trash: moves back those rows that the trash keeps with it. What a later
    /// merge moved on from the kept record is left to the next call: only these other details stay in `self`.
    async fn move_back_from_trash<E: Entity>(
        &mut self,
        tx: &mut Tx,
        scope: &Scope,
        record: Uuid,
        content: &mut Content,
    ) -> Result<Vec<Entry>> {
        for Child { table, record: column, id, .. } in E::CHILDREN {
            let Some(rows) = content.children.get_mut(table.name) else { continue };
            let ids = self.rows(table.name);
            let is_moved = |row: &mut WholeRow| row.id(id).is_some_and(|id| ids.contains(&id));
            let mut moved: Vec<_> = rows.extract_if(.., is_moved).collect();
            moved.iter_mut().for_each(|row| row.insert(column, Some(record).into()));
            table.insert(tx, scope, None, moved).await?;
        }
        let mut entries = Vec::new();
        for link in E::LINKS {
            let Some(links) = content.links.get_mut(link.table) else { continue };
            let ids = self.rows(link.table);
            let moved: Vec<_> = links.extract_if(.., |id| ids.contains(id)).collect();
            entries.extend(link.relink(tx, scope, &moved, None, record).await?);
        }
        if let Some(column) = E::DETAILS {
            content.row.change_details(column, |details| {
                take_back_details(details, &self.details);
            })?;
        }
        let Some(next) = &mut content.moved else { return Ok(entries) };
        for (table, ids) in &mut next.rows {
            ids.retain(|id| !self.rows(table).contains(id));
        }
        self.details = next.details.extract_if(.., |name, value| self.details.get(name) == Some(&*value)).collect();
        Ok(entries)
    }
}

/// A purged record that a merge had moved to the trash.
pub struct PurgedMerge {
    pub scope: Scope,
    pub resource: ResourceId,
    pub record: Uuid,
    /// The id of the merge's history entry.
    pub merge: Option<Uuid>,
    /// What the trash stored of the record, as JSON.
    pub content: String,
}

/// Called after records were purged from which merges had moved everything to other records. Changes the records in the
/// trash that were merged into a purged one: restoring them then looks for their rows and details in the record to
/// which the purged one gave them.
pub async fn redirect_merges(tx: &mut Tx, mut purged: Vec<PurgedMerge>) -> Result<()> {
    // The oldest merge first: a record that was merged into a purged one now refers to the next record, and may have to
    // be redirected again if that is purged as well.
    purged.sort_by_key(|purged| purged.merge);
    for PurgedMerge { scope, resource, record, content, .. } in purged {
        let Some(next) = from_json::<Content>(&content)?.moved else { continue };
        for record in trash::records_merged_into(tx, &scope, resource, record).await? {
            let Some(mut content) = trash::content(tx, &scope, resource, record).await? else { continue };
            let Some(moved) = &mut content.moved else { continue };
            moved.to = next.to;
            moved.details.retain(|name, value| next.details.get(name) == Some(value));
            trash::set_content(tx, &scope, resource, record, &content).await?;
        }
    }
    Ok(())
}

impl GivenBack {
    /// Takes the other details from the kept record. Returns the history entry that says that the record gave something
    /// back; `None` if it is deleted or gave nothing.
    pub async fn take_details_from<E: Entity>(
        self,
        tx: &mut Tx,
        scope: &Scope,
        now: i64,
        kept: Uuid,
    ) -> Result<Option<Entry>> {
        let row = listing::rows_in(Some(tx), scope, E::COLUMNS, E::LISTING, vec![kept]).maybe::<E::Row>().await?;
        let Some(record) = row.map(E::from_row).transpose()? else { return Ok(None) };
        let mut details = read_details::<E>(Some(tx), scope, &[kept]).await?.remove(&kept).unwrap_or_default();
        let gave_details = take_back_details(&mut details, &self.details);
        if let Some(column) = E::DETAILS.filter(|_| gave_details) {
            let columns = Columns::default().set(column, details);
            columns::update_all::<E>(tx, scope, &[kept], now, columns).await?;
        }
        let (action, label) = (HistoryAction::Unmerged, label(&record));
        let entry = || Entry::new(action, E::Resource::RESOURCE, kept, label, &[]);
        (gave_details || self.has_rows).then(entry).transpose()
    }
}
