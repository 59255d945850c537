//! The number formats of a workbook's cells, as far as they change what a person sees.

/// A format's code has no more characters than these.
const LONGEST_CODE: usize = 255;

/// What a number is shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::import) enum Format {
    #[default]
    Plain,
    /// Filled up with zeros to so many digits.
    Zeros(usize),
    Percent,
    /// A day, a time, or both; `has_day` when days or years are shown.
    Date {
        has_day: bool,
    },
    Duration,
}

/// The formats that need no code, because every workbook has them.
pub(in crate::import) fn of_id(id: u32) -> Format {
    match id {
        9 | 10 => Format::Percent,
        14..=17 | 22 | 27..=31 | 36 | 50..=54 | 57 | 58 => Format::Date { has_day: true },
        18..=21 | 32..=35 | 45 | 47 | 55 | 56 => Format::Date { has_day: false },
        46 => Format::Duration,
        _ => Format::Plain,
    }
}

/// A format by its code: what its first section has outside of quotes, escapes and brackets.
pub(in crate::import) fn of_code(code: &str) -> Format {
    let first = code.split(';').next().unwrap_or_default();
    if first.len() > 1 && first.bytes().all(|b| b == b'0') {
        return Format::Zeros(first.len().min(LONGEST_CODE));
    }
    if code.to_ascii_lowercase().starts_with("general") {
        return Format::Plain;
    }
    let (mut has_day, mut has_time, mut has_percent) = (false, false, false);
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        match c.to_ascii_lowercase() {
            '"' => drop(rest.find(|&c| c == '"')),
            // The next character is shown as it is, is as wide as the gap, or fills the cell.
            '\\' | '_' | '*' => drop(rest.next()),
            '[' => {
                let inside: String = rest.by_ref().take_while(|&c| c != ']').collect::<String>().to_ascii_lowercase();
                if ["h", "m", "s"].iter().any(|unit| !inside.is_empty() && inside.replace(unit, "").is_empty()) {
                    return Format::Duration;
                }
            }
            ';' => break,
            'd' | 'y' => has_day = true,
            'm' | 'h' | 's' => has_time = true,
            // AM/PM, or A/P.
            'a' if rest.as_str().starts_with(['/', 'M', 'm']) => has_time = true,
            '%' => has_percent = true,
            _ => {}
        }
    }
    match (has_day || has_time, has_percent) {
        // Months alone are days as well; minutes stand with hours or seconds.
        (true, _) => Format::Date { has_day: has_day || !code.to_ascii_lowercase().contains(['h', 's']) },
        (false, true) => Format::Percent,
        (false, false) => Format::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_by_its_code() {
        const DAY: Format = Format::Date { has_day: true };
        const TIME: Format = Format::Date { has_day: false };
        for (code, format) in [
            ("General", Format::Plain),
            ("0", Format::Plain),
            ("00000", Format::Zeros(5)),
            ("0000;-0000", Format::Zeros(4)),
            ("#,##0.00\\ \"kr\"", Format::Plain),
            ("0.00E+00", Format::Plain),
            ("##0.0E+0", Format::Plain),
            ("0%", Format::Percent),
            ("0.00%;[Red]-0.00%", Format::Percent),
            ("0\"%\"", Format::Plain),
            ("yyyy-mm-dd", DAY),
            ("DD/MM/YY", DAY),
            ("mmm", DAY),
            ("[$-404]e\"年\"m\"月\"d\"日\"", DAY),
            ("[$-F800]dddd\\,\\ mmmm\\ dd", DAY),
            ("H:MM:SS;@", TIME),
            ("h:mm AM/PM", TIME),
            ("mm:ss.0", TIME),
            ("[h]:mm:ss", Format::Duration),
            ("[mm]", Format::Duration),
            ("[>=100][Magenta][s].00", Format::Duration),
            ("[Red]0.00", Format::Plain),
            ("#,##0\\ [$kr-41D]", Format::Plain),
            ("#,##0.0####\" YMD\"", Format::Plain),
            ("_-* #,##0.00\\ _d_-", Format::Plain),
            ("#,##0*y", Format::Plain),
            ("0;yyyy", Format::Plain),
            ("\"unclosed", Format::Plain),
            ("[", Format::Plain),
        ] {
            assert_eq!(of_code(code), format, "{code}");
        }
    }
}
