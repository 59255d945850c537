//! A cell: what its attributes and its paragraphs say that a person sees.

use super::super::cell::{date, duration};
use super::super::xml::{Node, Xml, attributes};
use super::style::Shown;
use crate::import::FileError;
use crate::import::number::{Format, write};
use quick_xml::events::BytesStart;

/// The most bytes of a text that is kept: more than any cell may have, so that one that is too long is seen to be.
const MOST_TEXT: usize = 256 << 10;

/// A cell's attributes.
#[derive(Default)]
pub(super) struct Head {
    pub repeated: u64,
    pub style: Option<String>,
    kind: String,
    value: String,
    text: Option<String>,
}

impl Head {
    /// Reads a cell's tag.
    ///
    /// # Errors
    /// The tag is damaged.
    pub fn of(tag: &BytesStart<'_>) -> Result<Head, FileError> {
        let mut head = Head { repeated: 1, ..Head::default() };
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

    /// Writes what a person sees in the cell. `paragraphs`: its text.
    pub fn write(&self, paragraphs: &str, shown: Shown, out: &mut String) {
        let value = self.value.trim();
        match self.kind.as_str() {
            "float" | "currency" | "percentage" => match value.parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    // A formula's truth is a number that is shown by a word.
                    let is_word = !paragraphs.is_empty() && !paragraphs.contains(|c: char| c.is_ascii_digit());
                    let is_truth = is_word && shown == Shown::AsItIs && (number == 0.0 || number == 1.0);
                    let format = match shown {
                        shown if is_truth || shown == Shown::Truth => {
                            return out.push_str(if number == 0.0 { "FALSE" } else { "TRUE" });
                        }
                        Shown::By(format) => format,
                        // A percentage in a style without a format of its own.
                        _ if self.kind == "percentage" => Format::Percent,
                        _ => Format::Plain,
                    };
                    write(number, &format, false, out);
                }
                _ => out.push_str(paragraphs),
            },
            "date" if !value.is_empty() => date(value, out),
            "time" if !value.is_empty() => duration(value, out),
            "boolean" if !value.is_empty() => out.push_str(if value == "true" { "TRUE" } else { "FALSE" }),
            _ if paragraphs.is_empty() => out.push_str(self.text.as_deref().unwrap_or_default()),
            _ => out.push_str(paragraphs),
        }
    }
}

/// Reads a cell's paragraphs up to its end, one on each line, as they are shown: white space comes to one blank.
///
/// # Errors
/// The part is damaged, or ends inside of the cell.
pub(super) fn paragraphs(xml: &mut Xml<'_>, out: &mut String) -> Result<(), FileError> {
    // How deep the element lies that is read, and the paragraph, if it lies in one.
    let (mut depth, mut paragraph, mut count) = (0_u32, None, 0);
    loop {
        match xml.next()? {
            Node::Start { tag, is_empty } => {
                let prefix = tag.name().prefix().map(|prefix| prefix.as_ref().to_owned());
                // Drawings and comments lie in a cell, and what is pronounced beside a text.
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
                        if count > 0 && out.len() <= MOST_TEXT {
                            out.push('\n');
                        }
                        count += 1;
                        paragraph = (!is_empty).then_some(depth);
                    }
                    _ if out.len() > MOST_TEXT => {}
                    "s" => {
                        let mut blanks = 1;
                        attributes(&tag, |name, value| {
                            if name == "c" {
                                blanks = value.parse().unwrap_or(1);
                            }
                        })?;
                        // A cell holds no more characters than these.
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
            Node::Text(text) if paragraph.is_some() && out.len() <= MOST_TEXT => {
                for c in text.chars() {
                    if !matches!(c, ' ' | '\t' | '\r' | '\n') {
                        out.push(c);
                    } else if !out.ends_with([' ', '\n', '\t']) && !out.is_empty() {
                        out.push(' ');
                    }
                }
            }
            Node::Text(_) => {}
            Node::Over => return Err(FileError::BrokenWorkbook),
        }
    }
}
