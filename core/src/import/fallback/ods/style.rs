//! The styles of cells and sheets, as far as they change what a person sees.

use super::super::xml::{Node, Xml, attributes};
use crate::import::FileError;
use crate::import::number::{Format, parse_format};
use quick_xml::events::BytesStart;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The most bytes that a spreadsheet's styles take.
const MOST_BYTES: usize = 64 << 20;
/// The most bytes of a number format's code.
const LONGEST_CODE: usize = 1_024;
/// More styles than any one inherits from.
const MOST_PARENTS: usize = 16;
/// More digits than a number format asks for.
const MOST_DIGITS: usize = 30;

#[derive(Default)]
pub(super) struct Styles {
    /// The cells' styles: the number format's name, and the style that they inherit from.
    cells: HashMap<String, (Option<String>, Option<String>)>,
    /// The number formats by their names.
    formats: HashMap<String, NumberFormat>,
    hidden: HashSet<String>,
    /// The style or number format that is being read.
    style: String,
    format: Option<(String, NumberFormat)>,
    /// How many bytes of styles were read.
    bytes: usize,
}

/// How a cell's number is shown.
#[derive(Clone, Default, PartialEq)]
pub(super) enum Shown {
    #[default]
    AsItIs,
    Truth,
    By(Format),
}

/// A number format, as a spreadsheet program of another kind writes it.
#[derive(Default)]
struct NumberFormat {
    code: String,
    is_truth: bool,
    /// Texts between a number's digits, each with how many digits stand behind it.
    embedded: Vec<(usize, String)>,
    /// The number's digits: the least before the point, and those behind it.
    digits: Option<(usize, Option<usize>)>,
    is_grouped: bool,
    /// The names of the formats that others take for some numbers, with the condition.
    others: Vec<(String, String)>,
}

impl Styles {
    /// Returns the next node of a part. Nodes that belong to styles are taken note of, and come as empty texts.
    ///
    /// # Errors
    /// As [`Xml::next`], or the styles take more bytes than those of any spreadsheet.
    pub fn next<'x>(&mut self, xml: &'x mut Xml<'_>) -> Result<Node<'x>, FileError> {
        match xml.next()? {
            Node::Start { tag, is_empty } => {
                if !self.start(&tag, is_empty)? {
                    return Ok(Node::Start { tag, is_empty });
                }
                self.bytes += tag.len();
            }
            Node::Text(text) => {
                let Some((_, format)) = &mut self.format else { return Ok(Node::Text(text)) };
                format.text(&text);
                self.bytes += text.len();
            }
            other => return Ok(other),
        }
        if self.bytes > MOST_BYTES {
            return Err(FileError::BrokenWorkbook);
        }
        Ok(Node::Text(String::new()))
    }

    /// Takes an element's start; false if it belongs to no style.
    fn start(&mut self, tag: &BytesStart<'_>, is_empty: bool) -> Result<bool, FileError> {
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
                self.close();
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
                let (mut name, mut is_cut) = (String::new(), true);
                attributes(tag, |key, value| match key {
                    "name" => value.clone_into(&mut name),
                    "truncate-on-overflow" => is_cut = value != "false",
                    _ => {}
                })?;
                self.close();
                let is_truth = local.as_ref() == "boolean-style";
                let code = if is_cut { String::new() } else { "[h]".to_owned() };
                self.format = (!is_empty).then(|| (name, NumberFormat { code, is_truth, ..NumberFormat::default() }));
            }
            // Everything below the styles.
            "body" => {
                self.close();
                return Ok(false);
            }
            element => {
                let Some((_, format)) = &mut self.format else { return Ok(false) };
                return format.element(element, tag).map(|()| true);
            }
        }
        Ok(true)
    }

    /// Keeps the number format that was read.
    fn close(&mut self) {
        if let Some((name, mut format)) = self.format.take() {
            format.number();
            self.formats.insert(name, format);
        }
    }

    pub fn is_hidden(&self, style: &str) -> bool {
        self.hidden.contains(style)
    }

    /// How numbers are shown in a cell of that style.
    pub fn shown(&self, style: &str) -> Shown {
        let (mut style, mut left) = (style, MOST_PARENTS);
        while let Some((format, parent)) = self.cells.get(style) {
            if let Some(format) = format.as_ref().and_then(|name| self.formats.get(name)) {
                return if format.is_truth { Shown::Truth } else { Shown::By(parse_format(&self.code(format))) };
            }
            left -= 1;
            match parent {
                Some(parent) if left > 0 => style = parent,
                _ => break,
            }
        }
        Shown::AsItIs
    }

    /// A format's code with all sections: those for some numbers first, the one for all others last.
    fn code(&self, format: &NumberFormat) -> String {
        let mut code = String::new();
        for (place, (condition, name)) in format.others.iter().enumerate() {
            let Some(other) = self.formats.get(name).filter(|_| code.len() < LONGEST_CODE) else { continue };
            let condition = condition.trim_start_matches("value()");
            if !matches!((place, condition), (0, ">=0" | ">0") | (1, "<0")) {
                let _ = write!(code, "[{condition}]");
            }
            code.push_str(&other.code);
            code.push(';');
        }
        code.push_str(&format.code);
        // A longer one is none that a program writes.
        if code.len() > LONGEST_CODE { String::new() } else { code }
    }
}

impl NumberFormat {
    /// Takes an element of the format.
    fn element(&mut self, element: &str, tag: &BytesStart<'_>) -> Result<(), FileError> {
        if element == "embedded-text" {
            let mut place = 0;
            attributes(tag, |key, value| {
                if key == "position" {
                    place = value.parse().unwrap_or(0);
                }
            })?;
            self.embedded.push((place, String::new()));
            return Ok(());
        }
        self.number();
        match element {
            "number" => {
                let (mut least, mut behind, mut is_grouped) = (0, None, false);
                attributes(tag, |key, value| match key {
                    "min-integer-digits" => least = value.parse().unwrap_or(0),
                    "decimal-places" => behind = value.parse().ok(),
                    "grouping" => is_grouped = value == "true",
                    _ => {}
                })?;
                self.digits = Some((least, behind));
                self.is_grouped = is_grouped;
            }
            "scientific-number" => self.code.push_str("0.00E+00"),
            "fraction" => self.code.push_str("# ?/?"),
            "boolean" => self.is_truth = true,
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
                self.others.push((condition, name));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a text that is shown as it stands: between a number's digits, or beside the number.
    fn text(&mut self, text: &str) {
        match self.embedded.last_mut() {
            Some((_, embedded)) => embedded.push_str(text),
            // Line breaks stand between elements; a format's own blank is one.
            None if text.contains('\n') && text.trim().is_empty() => {}
            None => {
                self.number();
                if is_percent(text) && self.code.ends_with("General") {
                    self.code.truncate(self.code.len() - "General".len());
                    self.code.push('0');
                }
                self.code.push_str(&quoted(text));
            }
        }
    }

    /// Writes the number that was read last, with the texts between its digits.
    fn number(&mut self) {
        let Some((least, behind)) = self.digits.take() else { return };
        let embedded = std::mem::take(&mut self.embedded);
        let first = embedded.iter().map(|(place, _)| place + 1).max().unwrap_or(0);
        if least <= 1 && behind.is_none() && embedded.is_empty() {
            return self.code.push_str("General");
        }
        if self.is_grouped {
            self.code.push_str("#,##");
        }
        for place in (0..least.max(first).clamp(1, MOST_DIGITS)).rev() {
            self.code.push(if place < least { '0' } else { '#' });
            for (_, text) in embedded.iter().filter(|(before, _)| *before == place && place > 0) {
                self.code.push_str(&quoted(text));
            }
        }
        if let Some(behind) = behind.filter(|&behind| behind > 0) {
            self.code.push('.');
            self.code.extend(std::iter::repeat_n('0', behind.min(MOST_DIGITS)));
        }
    }
}

fn is_percent(text: &str) -> bool {
    text.trim() == "%"
}

/// Returns a text in the quotes that show it as it stands. A percent sign keeps its meaning.
fn quoted(text: &str) -> String {
    if is_percent(text) { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\\\"\"")) }
}
