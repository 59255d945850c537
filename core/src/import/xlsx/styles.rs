//! The number formats of cell styles.

use super::package::SHEET_NAMESPACES;
use super::xml::{Tag, Token, Xml, decode};
use crate::import::book::MAX_STYLES;
use crate::import::number::{Format, builtin_format, parse_format};
use crate::import::{Blob, FileError};
use std::collections::HashMap;

pub(super) fn read_formats(mut xml: Xml, blob: &mut dyn Blob) -> Result<Vec<Format>, FileError> {
    if !xml.has_root_content(blob, b"styleSheet", &SHEET_NAMESPACES)? {
        return Ok(Vec::new());
    }
    let (mut custom, mut formats, mut code) = (HashMap::new(), Vec::new(), String::new());
    let mut in_cells = false;
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"numFmt" => {
                let Some(id) = number_format_id(&tag) else { continue };
                code.clear();
                decode(tag.attribute(b"formatCode").unwrap_or_default(), &mut code)?;
                custom.insert(id, parse_format(&code));
            }
            Token::Start(tag) if tag.name == b"cellXfs" => in_cells = !tag.is_empty,
            Token::End(b"cellXfs") => in_cells = false,
            Token::Start(tag) if tag.name == b"xf" && in_cells => {
                let id = number_format_id(&tag).unwrap_or_default();
                formats.push(custom.get(&id).cloned().unwrap_or_else(|| builtin_format(id)));
            }
            Token::End(b"styleSheet") => break,
            Token::Eof => return Err(FileError::BrokenWorkbook),
            _ => {}
        }
        ensure!(formats.len() <= MAX_STYLES && custom.len() <= MAX_STYLES, FileError::BrokenWorkbook);
    }
    xml.skip_to_end(blob)?;
    Ok(formats)
}

fn number_format_id(tag: &Tag<'_>) -> Option<u32> {
    std::str::from_utf8(tag.attribute(b"numFmtId")?).ok()?.trim().parse().ok()
}
