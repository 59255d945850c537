//! Finds the texts of vehicles that have a person's e-mail address, such as a note about who sold one.

use super::tables::{self, EntryRow, Records, present_of};
use crate::access::scope::Scope;
use crate::features::records::trash::Content;
use crate::platform::db::{Result, from_json};
use forecourt_core::history::{Change, ChangedValue};
use forecourt_core::lists::Personal;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{fields_of, mentions};
use forecourt_core::vehicles::Vehicle;
use std::collections::BTreeSet;
use uuid::Uuid;

/// A text with the e-mail address.
#[derive(Clone)]
pub struct VehicleText {
    pub vehicle: Uuid,
    pub field: String,
    pub text: String,
}

/// What vehicles have of a person.
#[derive(Clone, Default)]
pub struct FromVehicles {
    pub records: Records,
    /// Of the vehicles, of those in the trash and of the history.
    pub texts: Vec<VehicleText>,
}

impl FromVehicles {
    /// Returns the texts in lower case.
    pub fn values(&self) -> BTreeSet<String> {
        self.texts.iter().map(|found| found.text.to_lowercase()).collect()
    }

    /// Adds those of a vehicle's texts that have the address. Returns whether it has one.
    fn add(&mut self, vehicle: Uuid, email: &str, texts: impl IntoIterator<Item = (String, String)>) -> bool {
        let before = self.texts.len();
        let found = texts.into_iter().filter(|(_, text)| mentions(text, email));
        self.texts.extend(found.map(|(field, text)| VehicleText { vehicle, field, text }));
        self.texts.len() > before
    }
}

/// Finds them. `entries` are those of the history with the address.
pub async fn find(scope: &Scope, email: &str, entries: &[EntryRow]) -> Result<FromVehicles> {
    let mut found = FromVehicles::default();
    for (id, mileage_remark, notes) in tables::vehicle_texts(scope, email).await? {
        let texts = [("mileage_remark".to_owned(), mileage_remark), ("notes".to_owned(), notes)];
        if found.add(id, email, texts) {
            found.records.live.push(id);
        }
    }
    let personal = || fields_of(ResourceId::Vehicles, Personal::Erased);
    for (id, content) in tables::trash_with(scope, ResourceId::Vehicles, email).await? {
        let content: Content = from_json(&content)?;
        let text = |field: &'static str| Some((field.to_owned(), content.row.text(field)?.to_owned()));
        if found.add(id, email, personal().filter_map(text)) {
            found.records.trashed.push(id);
        }
    }
    let known: BTreeSet<Uuid> = found.records.all().into_iter().collect();
    let mut others = Vec::new();
    for (entry, resource, vehicle, _, changes) in entries {
        let Some(vehicle) = vehicle.filter(|_| resource == ResourceId::Vehicles.as_str()) else { continue };
        let changes: Vec<Change> = from_json(changes)?;
        let changes = changes.into_iter().filter(|change| personal().any(|field| field == change.field));
        let texts = changes.flat_map(|Change { field, before, after }| {
            [before, after].map(|value| match value {
                Some(ChangedValue::Text(text)) => (field.clone(), text),
                _ => (field.clone(), String::new()),
            })
        });
        if found.add(vehicle, email, texts) && !known.contains(&vehicle) {
            others.push((*entry, vehicle));
        }
    }
    let present = present_of::<Vehicle>(scope, others.iter().map(|(_, vehicle)| *vehicle)).await?;
    for (entry, vehicle) in others {
        if present.contains(&vehicle) { found.records.mentions.push(entry) } else { found.records.past.push(vehicle) }
    }
    found.records.past.sort_unstable();
    found.records.past.dedup();
    Ok(found)
}
