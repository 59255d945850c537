//! Follows the relationships from the package's root to the workbook, and from there to the sheets.

use super::inflate::Entry;
use super::xml::{Tag, Token, Xml, decode};
use super::zip::Archive;
use crate::import::book::MAX_SHEETS;
use crate::import::part_names::{relationships_of, resolve_target};
use crate::import::text::format;
use crate::import::{Blob, FileError, SheetHead};
use crate::message::Message;
use std::collections::HashMap;

/// The namespaces of transitional and strict workbooks.
pub(super) const SHEET_NAMESPACES: [&[u8]; 2] =
    [b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", b"http://purl.oclc.org/ooxml/spreadsheetml/main"];
const RELATIONSHIPS: [&[u8]; 1] = [b"http://schemas.openxmlformats.org/package/2006/relationships"];
/// The prefixes of relationship types in transitional and strict workbooks.
const TYPE_PREFIXES: [&str; 2] = [
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
];
/// The name of the workbook part if the relationships don't name an existing one.
const DEFAULT_WORKBOOK: &str = "xl/workbook.xml";

/// The sheets and shared parts of a workbook.
pub(super) struct Workbook {
    pub sheets: Vec<SheetHead>,
    pub parts: Vec<Entry>,
    pub strings: Option<Entry>,
    pub styles: Option<Entry>,
    /// Days are counted from 1904.
    pub from_1904: bool,
}

/// A relationship to another part: its type and the target's name in the archive.
struct Relationship {
    kind: String,
    target: String,
}

/// Finds the workbook in an archive.
///
/// # Errors
/// The archive contains no workbook, a damaged one, or one that only the fallback reader supports.
pub(super) fn read_workbook(archive: &Archive, blob: &mut dyn Blob) -> Result<Workbook, FileError> {
    let Some(root) = read_relationships(archive, blob, "")? else { return Err(foreign_format_error(archive)) };
    let name = root.into_values().find(|relation| relation.kind == "officeDocument").map(|relation| relation.target);
    let named =
        name.into_iter().chain([DEFAULT_WORKBOOK.to_owned()]).find_map(|name| archive.find(&name).zip(Some(name)));
    let Some((entry, name)) = named else { return Err(foreign_format_error(archive)) };
    ensure!(name.to_ascii_lowercase().ends_with(".xml"), FileError::NeedsFallback);
    let mut xml = Xml::new(archive.part(blob, entry)?, blob)?;
    xml.expect_root(blob, b"workbook", &SHEET_NAMESPACES).map_err(|error| {
        match (error, foreign_format_error(archive)) {
            (FileError::NeedsFallback, known @ FileError::NotASpreadsheet { format }) if format != ZIP => known,
            (error, _) => error,
        }
    })?;
    let relations = read_relationships(archive, blob, &name)?.ok_or(FileError::BrokenWorkbook)?;
    let of_kind = |kind: &str| {
        let found = relations.values().find(|relation| relation.kind == kind);
        found.and_then(|relation| archive.find(&relation.target))
    };
    let (strings, styles, mut has_missing_part) = (of_kind("sharedStrings"), of_kind("styles"), false);
    let mut workbook = Workbook { sheets: Vec::new(), parts: Vec::new(), strings, styles, from_1904: false };
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"workbookPr" => {
                let value = decoded_attribute(&tag, b"date1904")?;
                workbook.from_1904 = value.is_some_and(|value| value == "1" || value == "true");
            }
            Token::Start(tag) if tag.name == b"sheet" => {
                let state = decoded_attribute(&tag, b"state")?;
                let hidden = state.is_some_and(|state| state == "hidden" || state == "veryHidden");
                let name = decoded_attribute(&tag, b"name")?.ok_or(FileError::BrokenWorkbook)?;
                let relation = relationship_id(&tag)?.and_then(|id| relations.get(&id));
                // Charts and dialogs are sheets too.
                if relation.is_none_or(|relation| relation.kind == "worksheet") {
                    // Spreadsheet programs ignore a sheet without a part.
                    match relation.and_then(|relation| archive.find(&relation.target)) {
                        Some(part) => {
                            workbook.parts.push(part);
                            workbook.sheets.push(SheetHead { name, hidden });
                        }
                        None => has_missing_part = true,
                    }
                }
                ensure!(workbook.sheets.len() <= MAX_SHEETS, FileError::BrokenWorkbook);
            }
            Token::End(b"workbook") => break,
            Token::Eof => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
    }
    xml.skip_to_end(blob)?;
    if workbook.sheets.is_empty() && has_missing_part { Err(FileError::BrokenWorkbook) } else { Ok(workbook) }
}

const ZIP: &Message = format::ZIP;

/// Returns the error for an archive in which this reader found no workbook: `NeedsFallback` if the fallback reader may
/// find one, otherwise the name of the actual format.
fn foreign_format_error(archive: &Archive) -> FileError {
    let has = |name| archive.find(name).is_some();
    match () {
        () if has("word/document.xml") => FileError::NotASpreadsheet { format: format::DOCX },
        () if has("ppt/presentation.xml") => FileError::NotASpreadsheet { format: format::PPTX },
        () if has(DEFAULT_WORKBOOK) || has("xl/workbook.bin") || has("mimetype") => FileError::NeedsFallback,
        () => FileError::NotASpreadsheet { format: ZIP },
    }
}

/// Reads the relationships of a part by their ids; `None` if it has none.
fn read_relationships(
    archive: &Archive,
    blob: &mut dyn Blob,
    part: &str,
) -> Result<Option<HashMap<String, Relationship>>, FileError> {
    let (folder, name) = relationships_of(part);
    let Some(entry) = archive.find(&name) else { return Ok(None) };
    let mut xml = Xml::new(archive.part(blob, entry)?, blob)?;
    xml.expect_root(blob, b"Relationships", &RELATIONSHIPS)?;
    let mut relations = HashMap::new();
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"Relationship" => {
                let (Some(id), Some(kind), Some(target)) = (
                    decoded_attribute(&tag, b"Id")?,
                    decoded_attribute(&tag, b"Type")?,
                    decoded_attribute(&tag, b"Target")?,
                ) else {
                    return Err(FileError::BrokenWorkbook);
                };
                let short = TYPE_PREFIXES.iter().find_map(|start| kind.strip_prefix(start));
                let kind = short.unwrap_or(&kind).to_owned();
                // With duplicate ids, different programs would follow different targets.
                if relations.insert(id, Relationship { kind, target: resolve_target(folder, &target) }).is_some() {
                    return Err(FileError::BrokenWorkbook);
                }
                ensure!(relations.len() <= 2 * MAX_SHEETS, FileError::NeedsFallback);
            }
            Token::End(b"Relationships") => break,
            Token::Eof => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
    }
    xml.skip_to_end(blob)?;
    Ok(Some(relations))
}

/// Returns the decoded value of an attribute.
fn decoded_attribute(tag: &Tag<'_>, name: &[u8]) -> Result<Option<String>, FileError> {
    let Some(raw) = tag.attribute(name) else { return Ok(None) };
    let mut value = String::new();
    decode(raw, &mut value)?;
    Ok(Some(value))
}

/// Returns the value of the relationship id, whose name may have any namespace prefix.
fn relationship_id(tag: &Tag<'_>) -> Result<Option<String>, FileError> {
    let mut attributes = tag.attributes;
    attributes.find(|(name, _)| name.ends_with(b":id")).map_or(Ok(None), |(name, _)| decoded_attribute(tag, name))
}
