//! The number formats of a workbook's cells, by the styles that name them.

use super::package::SHEET_NAMESPACES;
use super::xml::{Tag, Token, Xml, decode};
use crate::import::number::{Format, of_code, of_id};
use crate::import::{Blob, FileError};
use std::collections::HashMap;

/// More styles than these no workbook has.
const MOST_STYLES: usize = 65_536;

/// Reads the formats of all styles, by the styles' places.
///
/// # Errors
/// The part is damaged.
pub(super) fn formats(mut xml: Xml, blob: &mut dyn Blob) -> Result<Vec<Format>, FileError> {
    if !xml.holds_anything(blob, b"styleSheet", &SHEET_NAMESPACES)? {
        return Ok(Vec::new());
    }
    let (mut own, mut formats, mut code) = (HashMap::new(), Vec::new(), String::new());
    let mut in_cells = false;
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"numFmt" => {
                let Some(id) = id(&tag) else { continue };
                code.clear();
                decode(tag.attribute(b"formatCode").unwrap_or_default(), &mut code)?;
                own.insert(id, of_code(&code));
            }
            Token::Start(tag) if tag.name == b"cellXfs" => in_cells = !tag.is_empty,
            Token::End(b"cellXfs") => in_cells = false,
            Token::Start(tag) if tag.name == b"xf" && in_cells => {
                let id = id(&tag).unwrap_or_default();
                formats.push(own.get(&id).cloned().unwrap_or_else(|| of_id(id)));
            }
            Token::End(b"styleSheet") => break,
            Token::Over => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
        if formats.len() > MOST_STYLES || own.len() > MOST_STYLES {
            return Err(FileError::BrokenWorkbook);
        }
    }
    xml.finish(blob)?;
    Ok(formats)
}

fn id(tag: &Tag<'_>) -> Option<u32> {
    std::str::from_utf8(tag.attribute(b"numFmtId")?).ok()?.trim().parse().ok()
}
