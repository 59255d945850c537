//! Which part of the archive is what: from the package's root to the workbook, and from there to the sheets.

use super::xml::{Tag, Token, Xml, decode};
use super::zip::{Archive, Entry};
use crate::import::{Blob, FileError, SheetHead};
use std::collections::HashMap;

pub(super) const SHEET_NAMESPACE: &[u8] = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS: &[u8] = b"http://schemas.openxmlformats.org/package/2006/relationships";
/// What the kind of a relationship begins with; the strict kind of workbook has another one.
const KIND: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
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
    let entry = name.as_deref().and_then(|name| archive.find(name));
    let (Some(name), Some(entry)) = (name, entry) else { return Err(another_kind(archive)) };
    if !name.to_ascii_lowercase().ends_with(".xml") {
        return Err(FileError::NeedsFallback);
    }
    let mut xml = Xml::new(archive.part(blob, entry)?, blob)?;
    xml.root(blob, b"workbook", SHEET_NAMESPACE).map_err(|error| match (error, another_kind(archive)) {
        (FileError::NeedsFallback, known @ FileError::NotASpreadsheet { found }) if found != ZIP => known,
        (error, _) => error,
    })?;
    let relations = relations(archive, blob, &name)?.ok_or(FileError::BrokenWorkbook)?;
    let of_kind = |kind: &str| {
        let found = relations.values().find(|relation| relation.kind == kind);
        found.map(|relation| archive.find(&relation.target).ok_or(FileError::BrokenWorkbook)).transpose()
    };
    let (strings, styles) = (of_kind("sharedStrings")?, of_kind("styles")?);
    let mut workbook = Workbook { sheets: Vec::new(), parts: Vec::new(), strings, styles, from_1904: false };
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"workbookPr" => {
                let value = value(&tag, b"date1904")?;
                workbook.from_1904 = value.is_some_and(|value| value == "1" || value == "true");
            }
            Token::Start(tag) if tag.name == b"sheet" => {
                let relation = relations.get(&id(&tag)?).ok_or(FileError::BrokenWorkbook)?;
                let hidden = value(&tag, b"state")?.is_some_and(|state| state != "visible");
                let name = value(&tag, b"name")?.ok_or(FileError::BrokenWorkbook)?;
                // Charts and dialogues are sheets too.
                if relation.kind == "worksheet" {
                    workbook.parts.push(archive.find(&relation.target).ok_or(FileError::BrokenWorkbook)?);
                    workbook.sheets.push(SheetHead { name, hidden });
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
    Ok(workbook)
}

const ZIP: &str = "a zip archive";

/// What an archive is in which no workbook is found.
fn another_kind(archive: &Archive) -> FileError {
    let has = |name| archive.find(name).is_some();
    match () {
        () if has("word/document.xml") => FileError::NotASpreadsheet { found: "a text document (.docx)" },
        () if has("ppt/presentation.xml") => FileError::NotASpreadsheet { found: "a presentation (.pptx)" },
        () if has("xl/workbook.xml") || has("xl/workbook.bin") || has("mimetype") => FileError::NeedsFallback,
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
    xml.root(blob, b"Relationships", RELATIONSHIPS)?;
    let mut relations = HashMap::new();
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"Relationship" => {
                let (Some(id), Some(kind), Some(target)) =
                    (value(&tag, b"Id")?, value(&tag, b"Type")?, value(&tag, b"Target")?)
                else {
                    return Err(FileError::BrokenWorkbook);
                };
                if kind.starts_with("http://purl.oclc.org/ooxml/") {
                    return Err(FileError::NeedsFallback);
                }
                let kind = kind.strip_prefix(KIND).unwrap_or(&kind).to_owned();
                // Every program would follow another one of two.
                if relations.insert(id, Relation { kind, target: resolved(folder, &target) }).is_some() {
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

/// A target as the archive names it, seen from a folder.
fn resolved(folder: &str, target: &str) -> String {
    let (start, rest) = target.strip_prefix('/').map_or((folder, target), |rest| ("", rest));
    let mut steps: Vec<&str> = start.split('/').filter(|step| !step.is_empty()).collect();
    for step in rest.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// An attribute's value as it is meant.
fn value(tag: &Tag<'_>, name: &[u8]) -> Result<Option<String>, FileError> {
    let Some(raw) = tag.attribute(name) else { return Ok(None) };
    let mut value = String::new();
    decode(raw, &mut value)?;
    Ok(Some(value))
}

/// The id that stands for a relationship, whatever the prefix of its namespace.
fn id(tag: &Tag<'_>) -> Result<String, FileError> {
    let mut attributes = tag.attributes;
    let (name, _) = attributes.find(|(name, _)| name.ends_with(b":id")).ok_or(FileError::BrokenWorkbook)?;
    value(tag, name)?.ok_or(FileError::BrokenWorkbook)
}
