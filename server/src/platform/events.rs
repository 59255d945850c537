//! Events for open browsers, such as changes of records once their transaction has committed. On PostgreSQL they reach
//! the streams of every node (`db/listen.rs`); on SQLite there is only one node.

use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::broadcast;
use uuid::Uuid;

/// How many events a slow stream may be behind before it loses some. All streams share the buffer of the newest events.
const CAPACITY: usize = 256;
/// The largest number of ids in a [`Change`].
pub const MAX_IDS: usize = 100;

/// An event for open streams, the connections on which browsers receive events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    Changed(Change),
    Presence(Presence),
    /// Events may have been lost, so everything may have changed.
    Lost,
    /// These sessions have ended.
    SessionsEnded(Vec<Uuid>),
    /// This node is shutting down.
    Shutdown,
}

/// A user edits a record (`editing`), or no longer does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    pub corp: Uuid,
    pub resource: ResourceId,
    pub id: Uuid,
    pub user: Uuid,
    pub name: String,
    pub editing: bool,
    /// A node of an older version does not send it.
    #[serde(default)]
    pub asks: bool,
}

/// Records of one resource that one transaction has changed by the same action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub corp: Uuid,
    pub resource: ResourceId,
    pub action: HistoryAction,
    /// The user of the corporation who made the change; `None` for a job and for an administrator of the platform.
    pub by: Option<Uuid>,
    /// The ids of the records, at most [`MAX_IDS`]; `None` if there are more, or if they are not known, as for an
    /// import.
    pub ids: Option<Vec<Uuid>>,
}

impl Change {
    fn differs_only_in_ids(&self, other: &Self) -> bool {
        (self.corp, self.resource, self.action, self.by) == (other.corp, other.resource, other.action, other.by)
    }

    /// Adds the ids of a change that differs only in its ids. The result is `None` if one of both has none, or if there
    /// are more than [`MAX_IDS`].
    fn add_ids_of(&mut self, other: Self) {
        self.ids = self.ids.take().zip(other.ids).and_then(|(mut ids, others)| {
            let new: Vec<Uuid> = others.into_iter().filter(|id| !ids.contains(id)).collect();
            ids.extend(new);
            (ids.len() <= MAX_IDS).then_some(ids)
        });
    }
}

/// The changes of a transaction that has not committed yet.
#[derive(Debug, Default)]
pub struct Changes(Vec<Change>);

impl Changes {
    pub fn add(&mut self, change: Change) {
        match self.0.iter_mut().find(|own| own.differs_only_in_ids(&change)) {
            Some(own) => own.add_ids_of(change),
            None => self.0.push(change),
        }
    }

    pub fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub fn into_events(self) -> impl Iterator<Item = Event> {
        self.0.into_iter().map(Event::Changed)
    }
}

/// Passes events to all streams of this node; cloning it is cheap.
#[derive(Clone)]
pub struct Events(broadcast::Sender<Arc<Event>>);

pub type Receiver = broadcast::Receiver<Arc<Event>>;

impl Default for Events {
    fn default() -> Self {
        Events(broadcast::Sender::new(CAPACITY))
    }
}

impl Events {
    /// Passes an event to the streams that are open now.
    pub fn publish(&self, event: Event) {
        // Fails if no stream is open, which does not matter.
        let _ = self.0.send(Arc::new(event));
    }

    pub fn subscribe(&self) -> Receiver {
        self.0.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(action: HistoryAction, ids: Option<Vec<Uuid>>) -> Change {
        Change { corp: Uuid::nil(), resource: ResourceId::Contacts, action, by: None, ids }
    }

    fn merged(changes: impl IntoIterator<Item = Change>) -> Vec<Event> {
        let mut all = Changes::default();
        changes.into_iter().for_each(|change| all.add(change));
        all.into_events().collect()
    }

    #[test]
    fn merges_changes_that_differ_only_in_ids_up_to_a_hundred_ids() {
        let ids: Vec<Uuid> = (0..=MAX_IDS as u128).map(Uuid::from_u128).collect();
        let one = |id: &Uuid| change(HistoryAction::Updated, Some(vec![*id]));
        let most = ids[..MAX_IDS].to_vec();
        let expected = change(HistoryAction::Updated, Some(most));
        assert_eq!(merged(ids[..MAX_IDS].iter().map(one)), [Event::Changed(expected)]);
        assert_eq!(merged(ids.iter().map(one)), [Event::Changed(change(HistoryAction::Updated, None))]);
    }

    #[test]
    fn merging_with_a_change_without_ids_drops_the_ids_of_that_action() {
        let id = Some(vec![Uuid::nil()]);
        let all = [
            change(HistoryAction::Imported, id.clone()),
            change(HistoryAction::Deleted, id.clone()),
            change(HistoryAction::Imported, None),
            change(HistoryAction::Imported, id.clone()),
        ];
        let expected = [change(HistoryAction::Imported, None), change(HistoryAction::Deleted, id)];
        assert_eq!(merged(all), expected.map(Event::Changed));
    }
}
