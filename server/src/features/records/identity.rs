//! What every record has: an id, a label, a version and the time of its last update.

use super::Entity;
use crate::platform::db::Result;
use forecourt_core::lists::{Cell, Record};
use uuid::Uuid;

/// Returns the text by which users know a record.
pub fn label<E: Entity>(record: &E) -> &str {
    match record.cell(E::LABEL) {
        Cell::Text(text) => text,
        _ => "",
    }
}

/// Returns the website of a record, if that kind of record has one.
pub(super) fn website(record: &impl Record) -> Option<String> {
    match record.cell("website") {
        Cell::Text(website) => Some(website.to_owned()),
        _ => None,
    }
}

/// Returns the id of a record, which is its first field.
pub fn id<E: Record>(record: &E) -> Result<Uuid> {
    match record.cell(E::FIELDS[0].name) {
        Cell::Id(id) => Uuid::try_parse(id).map_err(|error| sqlx::Error::Decode(error.into())),
        _ => Err(invalid("a record without an id")),
    }
}

pub(super) fn invalid(message: &str) -> sqlx::Error {
    sqlx::Error::Decode(message.into())
}

/// Returns a record's version, which every update of its fields increases by one. Changes of a vehicle's photos keep it.
pub fn version(record: &impl Record) -> i64 {
    match record.cell("version") {
        Cell::Number(version) => version,
        _ => 0,
    }
}

/// Returns the time of a record's last update.
pub fn updated_at(record: &impl Record) -> &str {
    // Newer kinds of records have underscores in the names of their fields.
    match (record.cell("updatedAt"), record.cell("updated_at")) {
        (Cell::Time(time), _) | (_, Cell::Time(time)) => time,
        _ => "",
    }
}
