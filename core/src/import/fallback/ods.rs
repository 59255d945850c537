//! OpenDocument spreadsheets (.ods): one part of XML with the rows of all sheets.

mod cell;
mod style;
mod table;

use super::held::Held;
use super::parts::Parts;
use super::xml::{Node, Xml};
use crate::import::book::Book;
use crate::import::{FileError, Limits};
use style::Styles;
use table::Table;

/// Reads the rows of all sheets of a spreadsheet.
///
/// # Errors
/// The file is damaged, locked or no spreadsheet.
pub(super) fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut parts = Parts::open(bytes)?;
    if is_locked(&mut parts)? {
        return Err(FileError::PasswordProtected);
    }
    let mut styles = Styles::default();
    if let Some(part) = parts.part("styles.xml")? {
        let mut xml = Xml::new(part);
        while !matches!(styles.next(&mut xml)?, Node::Over) {}
    }
    let Some(part) = parts.part("content.xml")? else {
        return Err(FileError::NotASpreadsheet { found: "a zip archive" });
    };
    let (mut xml, mut held, mut is_spreadsheet) = (Xml::new(part), Held::default(), false);
    loop {
        match styles.next(&mut xml)? {
            Node::Start { tag, is_empty } => match tag.local_name().as_ref() {
                "spreadsheet" => is_spreadsheet = true,
                "body" => {}
                // What sheets of other files are linked with, and what was deleted while changes were recorded.
                "dde-links" | "tracked-changes" if !is_empty => xml.skip()?,
                "table" if is_spreadsheet => {
                    let mut table = Table::of(&tag, &styles, limits)?;
                    if !is_empty {
                        table.read(&mut xml)?;
                    }
                    held.add(table.head, table.rows)?;
                }
                _ => {}
            },
            Node::Over if is_spreadsheet => return held.finish(),
            Node::Over => return Err(FileError::NotASpreadsheet { found: "an OpenDocument file of another program" }),
            Node::End | Node::Text(_) => {}
        }
    }
}

/// Whether the parts are encrypted, as the list of parts says.
fn is_locked(parts: &mut Parts) -> Result<bool, FileError> {
    let Some(part) = parts.part("META-INF/manifest.xml")? else { return Ok(false) };
    let mut xml = Xml::new(part);
    loop {
        // A list that can't be read says nothing.
        match xml.next() {
            Ok(Node::Start { tag, .. }) if tag.local_name().as_ref() == "encryption-data" => return Ok(true),
            Ok(Node::Over) | Err(_) => return Ok(false),
            Ok(_) => {}
        }
    }
}
