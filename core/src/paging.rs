//! Which page of a list is asked for, and which page numbers a screen shows.

use crate::{
    form::{FieldError, trim},
    text,
};
use serde::{Deserialize, Serialize};

/// The most rows one page may ask for (decisions 6.5).
pub const MOST_ROWS: u32 = 100;
/// The longest text that can be searched for, in characters.
pub const SEARCH_MAX: u64 = 100;
/// Stands in a page window for left-out pages (specification 2.14); shown as an ellipsis.
pub const GAP: i32 = -1;

/// A page as it is asked for: `page` and `limit` are still texts, because a client may send anything.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PageQuery {
    #[cfg_attr(feature = "schema", schemars(with = "i64"))]
    pub page: String,
    #[cfg_attr(feature = "schema", schemars(with = "i64"))]
    pub limit: String,
}

/// A page that can be fetched: `page` from 1, `limit` 1 to [`MOST_ROWS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub page: u32,
    pub limit: u32,
}

impl Page {
    /// How many rows come before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.limit)
    }
}

impl PageQuery {
    /// Is a page asked for at all? A list that gives all it has where none is (decisions 4.2) has to know.
    pub fn is_asked(&self) -> bool {
        [&self.page, &self.limit].into_iter().any(|number| !number.trim().is_empty())
    }

    /// Reads the numbers: absent is the default, below 1 is 1, a larger limit than [`MOST_ROWS`] is taken as that.
    ///
    /// # Errors
    /// A value that isn't a whole number, under its name.
    pub fn read(&self, default_limit: u32) -> Result<Page, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut number = |field: &str, value: &str, default: u32, most: u32| -> u32 {
            let value = value.trim();
            if value.is_empty() {
                return default;
            }
            let (sign, digits) = value.strip_prefix('-').map_or((1, value), |d| (-1, d));
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                errors.push(FieldError { field: field.to_owned(), message: text::not_a_number(field) });
                return default;
            }
            if sign < 0 { 1 } else { digits.parse::<u32>().unwrap_or(most).clamp(1, most) }
        };
        let page = number("page", &self.page, 1, u32::MAX / MOST_ROWS);
        let limit = number("limit", &self.limit, default_limit, MOST_ROWS);
        if errors.is_empty() { Ok(Page { page, limit }) } else { Err(errors) }
    }
}

/// Reads what is searched for: trimmed, and none if nothing is left.
///
/// # Errors
/// It is longer than [`SEARCH_MAX`].
pub fn read_search(search: &str) -> Result<Option<String>, Vec<FieldError>> {
    let mut search = search.to_owned();
    trim(&mut search);
    if search.chars().count() as u64 > SEARCH_MAX {
        return Err(vec![FieldError { field: "search".into(), message: text::maximum_length(SEARCH_MAX) }]);
    }
    Ok(Some(search).filter(|search| !search.is_empty()))
}

/// How a screen shortens its row of page numbers (decisions 5.3).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Numbering {
    /// At most three numbers: the current one with one each side, the first or last three at the ends.
    Three,
    /// Ten pages or fewer: all. Above: first, last, the current one and two either side, each gap as [`GAP`].
    Gapped,
}

/// The page numbers to show, in order. Empty when there is no page.
pub fn window(current: u32, total_pages: u32, numbering: Numbering) -> Vec<i32> {
    let pages = i32::try_from(total_pages).unwrap_or(i32::MAX);
    if pages == 0 {
        return Vec::new();
    }
    let current = i32::try_from(current).unwrap_or(i32::MAX).clamp(1, pages);
    match numbering {
        Numbering::Three => {
            let first = (current - 1).min(pages - 2).max(1);
            (first..=pages.min(first + 2)).collect()
        }
        Numbering::Gapped if pages <= 10 => (1..=pages).collect(),
        Numbering::Gapped => {
            let (from, to) = ((current - 2).max(1), current.saturating_add(2).min(pages));
            let mut numbers = Vec::with_capacity(9);
            if from > 1 {
                numbers.push(1);
            }
            if from > 2 {
                numbers.push(GAP);
            }
            numbers.extend(from..=to);
            if to < pages - 1 {
                numbers.push(GAP);
            }
            if to < pages {
                numbers.push(pages);
            }
            numbers
        }
    }
}

/// How many pages `total` rows fill.
pub fn total_pages(total: u64, limit: u32) -> u32 {
    u32::try_from(total.div_ceil(u64::from(limit.max(1)))).unwrap_or(u32::MAX)
}

/// May the screen turn to this page? Not to a gap, and not outside of 1..total (specification section 4).
pub fn can_turn_to(page: i32, total_pages: u32) -> bool {
    page >= 1 && page.unsigned_abs() <= total_pages
}

/// "Showing X to Y of N things": the first and last row of a page, both 0 when it has none.
pub fn shown(page: u32, limit: u32, total: u64) -> (u64, u64) {
    let from = u64::from(page.max(1) - 1) * u64::from(limit) + 1;
    if from > total { (0, 0) } else { (from, (from + u64::from(limit) - 1).min(total)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(page: &str, limit: &str) -> Result<Page, Vec<FieldError>> {
        PageQuery { page: page.into(), limit: limit.into() }.read(10)
    }

    #[test]
    fn a_page_below_one_is_the_first_and_a_large_limit_is_a_hundred() {
        assert_eq!(query("", ""), Ok(Page { page: 1, limit: 10 }));
        assert_eq!(query("-4", "0"), Ok(Page { page: 1, limit: 1 }));
        assert_eq!(query("3", "1000"), Ok(Page { page: 3, limit: 100 }));
        assert_eq!(query("99999999999999999999", "5").map(|p| p.limit), Ok(5));
    }

    #[test]
    fn either_number_asks_for_a_page() {
        let is_asked = |page: &str, limit: &str| PageQuery { page: page.into(), limit: limit.into() }.is_asked();
        assert!(is_asked("1", "") && is_asked("", "5") && is_asked("two", ""));
        assert!(!is_asked("", "") && !is_asked(" ", ""));
    }

    #[test]
    fn a_page_that_is_no_number_is_named() {
        let Err(errors) = query("two", "x") else { panic!("letters are no number") };
        assert_eq!(errors.iter().map(|e| e.field.as_str()).collect::<Vec<_>>(), ["page", "limit"]);
    }

    #[test]
    fn a_search_is_trimmed_and_of_limited_length() {
        assert_eq!(read_search("  \0"), Ok(None));
        assert_eq!(read_search(" \0Åsa "), Ok(Some("Åsa".into())));
        assert!(read_search(&"å".repeat(100)).is_ok());
        assert_eq!(
            read_search(&"å".repeat(101)).err().unwrap_or_default()[0].message,
            "Maximum length is 100 characters"
        );
    }

    #[test]
    fn contacts_list_all_pages_up_to_ten_and_then_leave_gaps() {
        assert_eq!(window(1, 10, Numbering::Gapped), (1..=10).collect::<Vec<_>>());
        assert_eq!(window(1, 11, Numbering::Gapped), [1, 2, 3, GAP, 11]);
        assert_eq!(window(6, 11, Numbering::Gapped), [1, GAP, 4, 5, 6, 7, 8, GAP, 11]);
        assert_eq!(window(5, 11, Numbering::Gapped), [1, GAP, 3, 4, 5, 6, 7, GAP, 11]);
        assert_eq!(window(11, 11, Numbering::Gapped), [1, GAP, 9, 10, 11]);
    }

    #[test]
    fn the_other_screens_show_at_most_three_numbers() {
        assert_eq!(window(1, 9, Numbering::Three), [1, 2, 3]);
        assert_eq!(window(5, 9, Numbering::Three), [4, 5, 6]);
        assert_eq!(window(9, 9, Numbering::Three), [7, 8, 9]);
        assert_eq!(window(1, 1, Numbering::Three), [1]);
        assert!(window(1, 0, Numbering::Three).is_empty());
    }

    #[test]
    fn a_page_beyond_the_last_shows_no_rows() {
        assert_eq!(shown(2, 10, 11), (11, 11));
        assert_eq!(shown(3, 10, 11), (0, 0));
        assert_eq!(shown(1, 10, 0), (0, 0));
    }

    proptest! {
        #[test]
        fn a_window_holds_the_current_page_and_never_one_outside(
            current in 0u32..5_000, total in 1u32..4_000, gapped: bool,
        ) {
            let numbering = if gapped { Numbering::Gapped } else { Numbering::Three };
            let numbers = window(current, total, numbering);
            prop_assert!(numbers.contains(&i32::try_from(current.clamp(1, total)).unwrap_or(0)));
            prop_assert!(numbers.iter().all(|&n| n == GAP || can_turn_to(n, total)));
            let most = if !gapped { 3 } else if total <= 10 { 10 } else { 9 };
            prop_assert!(numbers.len() <= most);
            let pages: Vec<_> = numbers.iter().filter(|&&n| n != GAP).collect();
            prop_assert!(pages.windows(2).all(|w| w[0] < w[1]));
            // A gap stands for at least one page, and what isn't a gap follows without a hole.
            for w in numbers.windows(3).filter(|w| w[1] == GAP) {
                prop_assert!(w[2] - w[0] > 1);
            }
            for w in numbers.windows(2).filter(|w| w[0] != GAP && w[1] != GAP) {
                prop_assert_eq!(w[1] - w[0], 1);
            }
        }
        #[test]
        fn what_is_shown_lies_inside_the_list(page in 1u32..100, limit in 1u32..101, total in 0u64..10_000) {
            let (from, to) = shown(page, limit, total);
            prop_assert!(from <= to && to <= total);
        }
    }
}
