//! A reader of OpenDocument spreadsheets (.ods), whose rows of all sheets are in one XML part.

mod cell;
mod style;
mod table;

use super::in_memory::InMemoryBook;
use super::parts::Parts;
use super::xml::{Node, Xml};
use crate::import::book::Book;
use crate::import::text::format;
use crate::import::{FileError, Limits};
use style::Styles;
use table::Table;

/// Reads the rows of all sheets.
///
/// # Errors
/// The file is damaged, encrypted or isn't a spreadsheet.
pub(super) fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut parts = Parts::open(bytes)?;
    ensure!(!is_encrypted(&mut parts)?, FileError::PasswordProtected);
    let mut styles = Styles::default();
    if let Some(part) = parts.part("styles.xml")? {
        let mut xml = Xml::new(part);
        while !matches!(styles.next(&mut xml)?, Node::Eof) {}
    }
    let Some(part) = parts.part("content.xml")? else {
        return Err(FileError::NotASpreadsheet { format: format::ZIP });
    };
    let (mut xml, mut in_memory, mut is_spreadsheet) = (Xml::new(part), InMemoryBook::default(), false);
    loop {
        match styles.next(&mut xml)? {
            Node::Start { tag, is_empty } => match tag.local_name().as_ref() {
                "spreadsheet" => is_spreadsheet = true,
                // These elements also contain tables, which aren't sheets: cached results of DDE links, and deleted
                // content of recorded changes. Sheets that are linked from other files are ordinary tables.
                "dde-links" | "tracked-changes" if !is_empty => xml.skip()?,
                "table" if is_spreadsheet => {
                    let mut table = Table::of(&tag, &styles, limits)?;
                    if !is_empty {
                        table.read(&mut xml)?;
                    }
                    in_memory.add(table.head, table.rows)?;
                }
                _ => {}
            },
            Node::Eof if is_spreadsheet => return in_memory.finish(),
            Node::Eof => return Err(FileError::NotASpreadsheet { format: format::OTHER_OPEN_DOCUMENT }),
            Node::End | Node::Text(_) => {}
        }
    }
}

/// Returns whether the manifest declares encrypted parts.
fn is_encrypted(parts: &mut Parts) -> Result<bool, FileError> {
    let Some(part) = parts.part("META-INF/manifest.xml")? else { return Ok(false) };
    let mut xml = Xml::new(part);
    loop {
        // If the manifest can't be read, no part counts as encrypted.
        match xml.next() {
            Ok(Node::Start { tag, .. }) if tag.local_name().as_ref() == "encryption-data" => return Ok(true),
            Ok(Node::Eof) | Err(_) => return Ok(false),
            Ok(_) => {}
        }
    }
}
