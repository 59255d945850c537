//! Styles of cells and sheets, reduced to what changes the imported text.

use super::super::xml::{Node, Xml, attributes};
use crate::import::FileError;
use crate::import::number::{Format, parse_format};
use quick_xml::events::BytesStart;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The maximum size of a spreadsheet's styles in bytes.
const MAX_BYTES: usize = 64 << 20;
/// The maximum length of a number format's code in bytes.
const MAX_CODE: usize = 1_024;
/// The maximum number of parent styles that are followed from a style.
const MAX_PARENTS: usize = 16;
const MAX_DIGITS: usize = 30;

#[derive(Default)]
pub(super) struct Styles {
    /// By the name of a cell style: the name of its number format, and its parent style.
    cells: HashMap<String, (Option<String>, Option<String>)>,
    formats: HashMap<String, NumberFormat>,
    hidden: HashSet<String>,
    /// The name of the style that is being read; `format` is the number format that is being read.
    style: String,
    format: Option<(String, NumberFormat)>,
    bytes: usize,
}

/// How a cell's number is shown.
#[derive(Clone, Default, PartialEq)]
pub(super) enum NumberDisplay {
    #[default]
    Default,
    Boolean,
    Formatted(Format),
}

/// A number format that is being converted to a format code of Excel.
#[derive(Default)]
struct NumberFormat {
    code: String,
    is_boolean: bool,
    /// Literal texts between a number's digits, each with the number of digits that follow it.
    embedded_texts: Vec<(usize, String)>,
    /// The minimum number of integer digits, and the number of decimal places.
    digits: Option<(usize, Option<usize>)>,
    is_grouped: bool,
    /// Conditions, each with the name of the format that applies to numbers which meet it.
    conditional: Vec<(String, String)>,
}

impl Styles {
    /// Returns the next node of a part. Nodes that belong to styles are stored here, and empty texts are returned
    /// instead.
    pub fn next<'x>(&mut self, xml: &'x mut Xml<'_>) -> Result<Node<'x>, FileError> {
        match xml.next()? {
            Node::Start { tag, is_empty } => {
                if !self.start_element(&tag, is_empty)? {
                    return Ok(Node::Start { tag, is_empty });
                }
                self.bytes += tag.len();
            }
            Node::Text(text) => {
                let Some((_, format)) = &mut self.format else { return Ok(Node::Text(text)) };
                format.add_text(&text);
                self.bytes += text.len();
            }
            other => return Ok(other),
        }
        ensure!(self.bytes <= MAX_BYTES, FileError::BrokenWorkbook);
        Ok(Node::Text(String::new()))
    }

    /// Processes the start tag of a style or a part of one. Returns false for any other tag.
    fn start_element(&mut self, tag: &BytesStart<'_>, is_empty: bool) -> Result<bool, FileError> {
        let local = tag.local_name();
        match local.as_ref() {
            "style" => {
                let (mut name, mut family, mut data, mut parent) = (String::new(), String::new(), None, None);
                attributes(tag, |key, value| match key {
                    "name" => value.clone_into(&mut name),
                    "family" => value.clone_into(&mut family),
                    "data-style-name" => data = Some(value.to_owned()),
                    "parent-style-name" => parent = Some(value.to_owned()),
                    _ => {}
                })?;
                self.finish_format();
                self.style.clone_from(&name);
                if family == "table-cell" {
                    self.cells.insert(name, (data, parent));
                }
            }
            "default-style" => self.style.clear(),
            "table-properties" => {
                let mut is_hidden = false;
                attributes(tag, |key, value| is_hidden |= key == "display" && value == "false")?;
                if is_hidden {
                    self.hidden.insert(self.style.clone());
                }
            }
            "number-style" | "percentage-style" | "currency-style" | "date-style" | "time-style" | "boolean-style"
            | "text-style" => {
                let (mut name, mut is_truncated) = (String::new(), true);
                attributes(tag, |key, value| match key {
                    "name" => value.clone_into(&mut name),
                    "truncate-on-overflow" => is_truncated = value != "false",
                    _ => {}
                })?;
                self.finish_format();
                let is_boolean = local.as_ref() == "boolean-style";
                let code = if is_truncated { String::new() } else { "[h]".to_owned() };
                self.format = (!is_empty).then(|| (name, NumberFormat { code, is_boolean, ..NumberFormat::default() }));
            }
            // The styles end where the content begins.
            "body" => {
                self.finish_format();
                return Ok(false);
            }
            element => {
                let Some((_, format)) = &mut self.format else { return Ok(false) };
                return format.add_element(element, tag).map(|()| true);
            }
        }
        Ok(true)
    }

    fn finish_format(&mut self) {
        if let Some((name, mut format)) = self.format.take() {
            format.finish_number();
            self.formats.insert(name, format);
        }
    }

    pub fn is_hidden(&self, style: &str) -> bool {
        self.hidden.contains(style)
    }

    /// Returns how numbers are shown in cells of this style.
    pub fn number_display(&self, style: &str) -> NumberDisplay {
        let (mut style, mut left) = (style, MAX_PARENTS);
        while let Some((format, parent)) = self.cells.get(style) {
            if let Some(format) = format.as_ref().and_then(|name| self.formats.get(name)) {
                return if format.is_boolean {
                    NumberDisplay::Boolean
                } else {
                    NumberDisplay::Formatted(parse_format(&self.full_code(format)))
                };
            }
            left -= 1;
            match parent {
                Some(parent) if left > 0 => style = parent,
                _ => break,
            }
        }
        NumberDisplay::Default
    }

    /// Returns a format's complete code: first the sections with conditions, then the default one.
    fn full_code(&self, format: &NumberFormat) -> String {
        let mut code = String::new();
        for (index, (condition, name)) in format.conditional.iter().enumerate() {
            let Some(other) = self.formats.get(name).filter(|_| code.len() < MAX_CODE) else { continue };
            let condition = condition.trim_start_matches("value()");
            if !matches!((index, condition), (0, ">=0" | ">0") | (1, "<0")) {
                let _ = write!(code, "[{condition}]");
            }
            code.push_str(&other.code);
            code.push(';');
        }
        code.push_str(&format.code);
        // No program writes longer format codes, so such a one is ignored.
        if code.len() > MAX_CODE { String::new() } else { code }
    }
}

impl NumberFormat {
    fn add_element(&mut self, element: &str, tag: &BytesStart<'_>) -> Result<(), FileError> {
        if element == "embedded-text" {
            let mut index = 0;
            attributes(tag, |key, value| {
                if key == "position" {
                    index = value.parse().unwrap_or(0);
                }
            })?;
            self.embedded_texts.push((index, String::new()));
            return Ok(());
        }
        self.finish_number();
        match element {
            "number" => {
                let (mut min_digits, mut decimal_places, mut is_grouped) = (0, None, false);
                attributes(tag, |key, value| match key {
                    "min-integer-digits" => min_digits = value.parse().unwrap_or(0),
                    "decimal-places" => decimal_places = value.parse().ok(),
                    "grouping" => is_grouped = value == "true",
                    _ => {}
                })?;
                self.digits = Some((min_digits, decimal_places));
                self.is_grouped = is_grouped;
            }
            "scientific-number" => self.code.push_str("0.00E+00"),
            "fraction" => self.code.push_str("# ?/?"),
            "boolean" => self.is_boolean = true,
            "text-content" => self.code.push('@'),
            "day" | "day-of-week" | "week-of-year" => self.code.push('d'),
            "month" | "quarter" => self.code.push('m'),
            "year" | "era" => self.code.push('y'),
            "hours" => self.code.push('h'),
            "minutes" => self.code.push_str("m:"),
            "seconds" => self.code.push('s'),
            "am-pm" => self.code.push_str("AM/PM"),
            "map" => {
                let (mut condition, mut name) = (String::new(), String::new());
                attributes(tag, |key, value| match key {
                    "condition" => value.clone_into(&mut condition),
                    "apply-style-name" => value.clone_into(&mut name),
                    _ => {}
                })?;
                self.conditional.push((condition, name));
            }
            _ => {}
        }
        Ok(())
    }

    /// Processes a literal text, between a number's digits or beside the number.
    fn add_text(&mut self, text: &str) {
        match self.embedded_texts.last_mut() {
            Some((_, embedded)) => embedded.push_str(text),
            // White space between elements contains line breaks; literal white space doesn't.
            None if text.contains('\n') && text.trim().is_empty() => {}
            None => {
                self.finish_number();
                if is_percent(text) && self.code.ends_with("General") {
                    self.code.truncate(self.code.len() - "General".len());
                    self.code.push('0');
                }
                self.code.push_str(&quote(text));
            }
        }
    }

    /// Writes the last number element, with the texts between its digits.
    fn finish_number(&mut self) {
        let Some((min_digits, decimal_places)) = self.digits.take() else { return };
        let embedded_texts = std::mem::take(&mut self.embedded_texts);
        let first = embedded_texts.iter().map(|(index, _)| index + 1).max().unwrap_or(0);
        if min_digits <= 1 && decimal_places.is_none() && embedded_texts.is_empty() {
            return self.code.push_str("General");
        }
        if self.is_grouped {
            self.code.push_str("#,##");
        }
        for index in (0..min_digits.max(first).clamp(1, MAX_DIGITS)).rev() {
            self.code.push(if index < min_digits { '0' } else { '#' });
            for (_, text) in embedded_texts.iter().filter(|(before, _)| *before == index && index > 0) {
                self.code.push_str(&quote(text));
            }
        }
        if let Some(decimal_places) = decimal_places.filter(|&decimal_places| decimal_places > 0) {
            self.code.push('.');
            self.code.extend(std::iter::repeat_n('0', decimal_places.min(MAX_DIGITS)));
        }
    }
}

/// Returns whether a literal text is only a percent sign, apart from white space.
fn is_percent(text: &str) -> bool {
    text.trim() == "%"
}

/// Quotes a text for a format code, except for a percent sign, which keeps its meaning.
fn quote(text: &str) -> String {
    if is_percent(text) { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\\\"\"")) }
}
