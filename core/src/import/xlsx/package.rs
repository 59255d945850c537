//! Which part of the archive is what: from the package's root to the workbook, and from there to the sheets.

use super::xml::{Tag, Token, Xml, decode};
use super::zip::{Archive, Entry};
use crate::import::target::resolve_target;
use crate::import::{Blob, FileError, SheetHead};
use std::collections::HashMap;

/// The namespaces of the transitional and the strict kind of workbook.
pub(super) const SHEET_NAMESPACES: [&[u8]; 2] =
    [b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", b"http://purl.oclc.org/ooxml/spreadsheetml/main"];
const RELATIONSHIPS: [&[u8]; 1] = [b"http://schemas.openxmlformats.org/package/2006/relationships"];
/// What the type of a relationship begins with, in either kind of workbook.
const KINDS: [&str; 2] = [
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
];
/// The workbook's part where the package's root names none that is there.
const USUAL_WORKBOOK: &str = "xl/workbook.xml";
/// More sheets than these nobody has.
const MOST_SHEETS: usize = 4_096;

/// What a workbook consists of.
pub(super) struct Workbook {
    pub sheets: Vec<SheetHead>,
    /// The sheets' parts.
    pub parts: Vec<Entry>,
    pub strings: Option<Entry>,
    pub styles: Option<Entry>,
    /// Its days are counted from 1904.
    pub from_1904: bool,
}

/// A part that another one names: its kind, and the archive's name of it.
struct Relation {
    kind: String,
    target: String,
}

/// Finds the workbook in an archive.
///
/// # Errors
/// There is none, or it is one of a kind that isn't read here.
pub(super) fn workbook(archive: &Archive, blob: &mut dyn Blob) -> Result<Workbook, FileError> {
    let Some(root) = relations(archive, blob, "")? else { return Err(another_kind(archive)) };
    let name = root.into_values().find(|relation| relation.kind == "officeDocument").map(|relation| relation.target);
    let named =
        name.into_iter().chain([USUAL_WORKBOOK.to_owned()]).find_map(|name| archive.find(&name).zip(Some(name)));
    let Some((entry, name)) = named else { return Err(another_kind(archive)) };
    if !name.to_ascii_lowercase().ends_with(".xml") {
        return Err(FileError::NeedsFallback);
    }
    let mut xml = Xml::new(archive.part(blob, entry)?, blob)?;
    xml.root(blob, b"workbook", &SHEET_NAMESPACES).map_err(|error| match (error, another_kind(archive)) {
        (FileError::NeedsFallback, known @ FileError::NotASpreadsheet { found }) if found != ZIP => known,
        (error, _) => error,
    })?;
    let relations = relations(archive, blob, &name)?.ok_or(FileError::BrokenWorkbook)?;
    let of_kind = |kind: &str| {
        let found = relations.values().find(|relation| relation.kind == kind);
        found.and_then(|relation| archive.find(&relation.target))
    };
    let (strings, styles, mut has_lost) = (of_kind("sharedStrings"), of_kind("styles"), false);
    let mut workbook = Workbook { sheets: Vec::new(), parts: Vec::new(), strings, styles, from_1904: false };
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"workbookPr" => {
                let value = value(&tag, b"date1904")?;
                workbook.from_1904 = value.is_some_and(|value| value == "1" || value == "true");
            }
            Token::Start(tag) if tag.name == b"sheet" => {
                let state = value(&tag, b"state")?;
                let hidden = state.is_some_and(|state| state == "hidden" || state == "veryHidden");
                let name = value(&tag, b"name")?.ok_or(FileError::BrokenWorkbook)?;
                let relation = id(&tag)?.and_then(|id| relations.get(&id));
                // Charts and dialogues are sheets too.
                if relation.is_none_or(|relation| relation.kind == "worksheet") {
                    // Spreadsheet programs leave a sheet out that has no part.
                    match relation.and_then(|relation| archive.find(&relation.target)) {
                        Some(part) => {
                            workbook.parts.push(part);
                            workbook.sheets.push(SheetHead { name, hidden });
                        }
                        None => has_lost = true,
                    }
                }
                if workbook.sheets.len() > MOST_SHEETS {
                    return Err(FileError::BrokenWorkbook);
                }
            }
            Token::End(b"workbook") => break,
            Token::Over => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
    }
    xml.finish(blob)?;
    if workbook.sheets.is_empty() && has_lost { Err(FileError::BrokenWorkbook) } else { Ok(workbook) }
}

const ZIP: &str = "a zip archive";

/// What an archive is in which no workbook is found.
fn another_kind(archive: &Archive) -> FileError {
    let has = |name| archive.find(name).is_some();
    match () {
        () if has("word/document.xml") => FileError::NotASpreadsheet { found: "a text document (.docx)" },
        () if has("ppt/presentation.xml") => FileError::NotASpreadsheet { found: "a presentation (.pptx)" },
        () if has(USUAL_WORKBOOK) || has("xl/workbook.bin") || has("mimetype") => FileError::NeedsFallback,
        () => FileError::NotASpreadsheet { found: ZIP },
    }
}

/// The parts that a part names, by the ids that it has for them; `None` when it names none. The package's root is the
/// part without a name.
fn relations(
    archive: &Archive,
    blob: &mut dyn Blob,
    part: &str,
) -> Result<Option<HashMap<String, Relation>>, FileError> {
    let (folder, name) = part.rsplit_once('/').map_or(("", part), |(folder, name)| (folder, name));
    let slash = if folder.is_empty() { "" } else { "/" };
    let Some(entry) = archive.find(&format!("{folder}{slash}_rels/{name}.rels")) else { return Ok(None) };
    let mut xml = Xml::new(archive.part(blob, entry)?, blob)?;
    xml.root(blob, b"Relationships", &RELATIONSHIPS)?;
    let mut relations = HashMap::new();
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"Relationship" => {
                let (Some(id), Some(kind), Some(target)) =
                    (value(&tag, b"Id")?, value(&tag, b"Type")?, value(&tag, b"Target")?)
                else {
                    return Err(FileError::BrokenWorkbook);
                };
                let short = KINDS.iter().find_map(|start| kind.strip_prefix(start));
                let kind = short.unwrap_or(&kind).to_owned();
                // Every program would follow another one of two.
                if relations.insert(id, Relation { kind, target: resolve_target(folder, &target) }).is_some() {
                    return Err(FileError::BrokenWorkbook);
                }
                if relations.len() > 2 * MOST_SHEETS {
                    return Err(FileError::NeedsFallback);
                }
            }
            Token::End(b"Relationships") => break,
            Token::Over => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
    }
    xml.finish(blob)?;
    Ok(Some(relations))
}

/// An attribute's value as it is meant.
fn value(tag: &Tag<'_>, name: &[u8]) -> Result<Option<String>, FileError> {
    let Some(raw) = tag.attribute(name) else { return Ok(None) };
    let mut value = String::new();
    decode(raw, &mut value)?;
    Ok(Some(value))
}

/// The id that stands for a relationship, whatever the prefix of its namespace.
fn id(tag: &Tag<'_>) -> Result<Option<String>, FileError> {
    let mut attributes = tag.attributes;
    attributes.find(|(name, _)| name.ends_with(b":id")).map_or(Ok(None), |(name, _)| value(tag, name))
}
