//! The content of a cell, from its attributes and paragraphs.

use super::super::cell::{write_iso_date, write_iso_duration};
use super::super::xml::{Node, Xml, attributes};
use super::style::NumberDisplay;
use crate::import::FileError;
use crate::import::number::{Format, write};
use quick_xml::events::BytesStart;

/// The maximum number of bytes of a cell's text that are read. More than any cell may have, so that longer ones are
/// still rejected.
const MAX_TEXT: usize = 256 << 10;

/// The attributes of a cell.
#[derive(Default)]
pub(super) struct CellHead {
    pub repeated: u64,
    pub style: Option<String>,
    kind: String,
    value: String,
    text: Option<String>,
}

impl CellHead {
    /// Parses a cell's start tag.
    pub fn of(tag: &BytesStart<'_>) -> Result<CellHead, FileError> {
        let mut head = CellHead { repeated: 1, ..CellHead::default() };
        attributes(tag, |name, value| match name {
            "number-columns-repeated" => {
                head.repeated = value.trim().parse().map_or(u64::MAX, |times: u64| times.max(1));
            }
            "style-name" => head.style = Some(value.to_owned()),
            "value-type" => value.clone_into(&mut head.kind),
            "value" | "date-value" | "time-value" | "boolean-value" => value.clone_into(&mut head.value),
            "string-value" => head.text = Some(value.to_owned()),
            _ => {}
        })?;
        Ok(head)
    }

    /// Writes the cell's value in full, or its text if it has no usable value. `paragraphs` is its text content.
    pub fn write(&self, paragraphs: &str, shown: NumberDisplay, out: &mut String) {
        let value = self.value.trim();
        match self.kind.as_str() {
            "float" | "currency" | "percentage" => match value.parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    // A boolean formula is stored as a number that is shown as a word.
                    let is_word = !paragraphs.is_empty() && !paragraphs.contains(|c: char| c.is_ascii_digit());
                    let is_boolean = is_word && shown == NumberDisplay::Default && (number == 0.0 || number == 1.0);
                    let format = match shown {
                        shown if is_boolean || shown == NumberDisplay::Boolean => {
                            return out.push_str(if number == 0.0 { "FALSE" } else { "TRUE" });
                        }
                        NumberDisplay::Formatted(format) => format,
                        // A percentage whose style has no number format of its own.
                        _ if self.kind == "percentage" => Format::Percent,
                        _ => Format::Plain,
                    };
                    write(number, &format, false, out);
                }
                _ => out.push_str(paragraphs),
            },
            "date" if !value.is_empty() => write_iso_date(value, out),
            "time" if !value.is_empty() => write_iso_duration(value, out),
            "boolean" if !value.is_empty() => out.push_str(if value == "true" { "TRUE" } else { "FALSE" }),
            _ if paragraphs.is_empty() => out.push_str(self.text.as_deref().unwrap_or_default()),
            _ => out.push_str(paragraphs),
        }
    }
}

/// Reads a cell's paragraphs up to its end tag, one per line, with collapsed white space as in OpenDocument.
pub(super) fn read_paragraphs(xml: &mut Xml<'_>, out: &mut String) -> Result<(), FileError> {
    // The depth of the current element, and that of the current paragraph.
    let (mut depth, mut paragraph, mut count) = (0_u32, None, 0);
    loop {
        match xml.next()? {
            Node::Start { tag, is_empty } => {
                let prefix = tag.name().prefix().map(|prefix| prefix.as_ref().to_owned());
                // Drawings, comments and phonetic texts aren't part of the cell's text.
                let is_other = matches!(prefix.as_deref(), Some("draw" | "dr3d" | "form"));
                match tag.local_name().as_ref() {
                    "annotation" | "ruby-text" | "table" if !is_empty => {
                        xml.skip()?;
                        continue;
                    }
                    _ if is_other && !is_empty => {
                        xml.skip()?;
                        continue;
                    }
                    _ if is_other => continue,
                    "p" | "h" if paragraph.is_none() => {
                        if count > 0 && out.len() <= MAX_TEXT {
                            out.push('\n');
                        }
                        count += 1;
                        paragraph = (!is_empty).then_some(depth);
                    }
                    _ if out.len() > MAX_TEXT => {}
                    "s" => {
                        let mut blanks = 1;
                        attributes(&tag, |name, value| {
                            if name == "c" {
                                blanks = value.parse().unwrap_or(1);
                            }
                        })?;
                        // The maximum number of characters in a cell.
                        out.extend(std::iter::repeat_n(' ', usize::min(blanks, 32_767)));
                    }
                    "tab" => out.push('\t'),
                    "line-break" => out.push('\n'),
                    _ => {}
                }
                depth += u32::from(!is_empty);
            }
            Node::End => {
                let Some(outer) = depth.checked_sub(1) else { return Ok(()) };
                depth = outer;
                if paragraph == Some(depth) {
                    paragraph = None;
                }
            }
            Node::Text(text) if paragraph.is_some() && out.len() <= MAX_TEXT => {
                for c in text.chars() {
                    if !matches!(c, ' ' | '\t' | '\r' | '\n') {
                        out.push(c);
                    } else if !out.ends_with([' ', '\n', '\t']) && !out.is_empty() {
                        out.push(' ');
                    }
                }
            }
            Node::Text(_) => {}
            Node::Eof => return Err(FileError::BrokenWorkbook),
        }
    }
}
