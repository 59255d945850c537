//! Pages of lists: the requested page, and the page numbers that a screen shows.

use crate::{
    form::{FieldError, normalize_line},
    text,
};
use serde::{Deserialize, Serialize};
use validator::ValidateLength;

/// Maximum number of rows per page.
pub const LIMIT_MAX: u32 = 100;
/// Maximum length of a search text, in characters.
pub const SEARCH_MAX: u64 = 100;
/// Stands for skipped pages in a list of page numbers. The screen shows an ellipsis.
pub const GAP: i32 = -1;

/// The `page` and `limit` parameters of a query string, not yet parsed. `LIMIT` is the limit of a request without one.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PageQuery<const LIMIT: u32> {
    /// The number of the page, from 1. A lower number counts as 1.
    #[cfg_attr(feature = "schema", schemars(with = "i64", range(min = 1), extend("default" = 1)))]
    #[serde(default)]
    pub page: String,
    /// The number of records per page. A number outside of the range counts as the nearest one in it.
    #[cfg_attr(feature = "schema", schemars(with = "i64", range(min = 1, max = LIMIT_MAX), extend("default" = LIMIT)))]
    #[serde(default)]
    pub limit: String,
}

/// A valid page: `page` starts at 1, `limit` is between 1 and [`LIMIT_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub page: u32,
    pub limit: u32,
}

api_types!(
    /// A page of a list.
    #[cfg_attr(feature = "schema", schemars(rename = "{T}List"))]
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ListPage<T> {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<T>,
        /// The number of entries on all pages.
        pub total_items: u64,
        pub total_pages: u32,
    }
);

impl<T> ListPage<T> {
    /// Returns the response with this page, given the number of entries on all pages.
    pub fn new(data: Vec<T>, total_items: u64, page: Page) -> Self {
        ListPage { success: true, data, total_items, total_pages: total_pages(total_items, page.limit) }
    }
}

impl Page {
    /// Returns the number of rows before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.limit)
    }
}

impl<const LIMIT: u32> PageQuery<LIMIT> {
    /// Returns whether the request has `page` or `limit`. If it has neither, the list of invoices returns all rows, up
    /// to a limit.
    pub fn is_paged(&self) -> bool {
        [&self.page, &self.limit].into_iter().any(|number| !number.trim().is_empty())
    }

    /// Parses both numbers. An absent one gets its default: 1 for the page, `LIMIT` for the limit. A number below 1
    /// becomes 1, and a limit above [`LIMIT_MAX`] becomes [`LIMIT_MAX`].
    ///
    /// # Errors
    /// A validation error for each value that is not a whole number.
    pub fn read(&self) -> Result<Page, Vec<FieldError>> {
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
        let page = number("page", &self.page, 1, u32::MAX / LIMIT_MAX);
        let limit = number("limit", &self.limit, LIMIT, LIMIT_MAX);
        if errors.is_empty() { Ok(Page { page, limit }) } else { Err(errors) }
    }
}

/// Trims a search text. `None` if nothing is left.
///
/// # Errors
/// A validation error if the text is longer than [`SEARCH_MAX`].
pub fn read_search(search: &str) -> Result<Option<String>, Vec<FieldError>> {
    let mut search = search.to_owned();
    normalize_line(&mut search);
    if !search.validate_length(None, Some(SEARCH_MAX), None) {
        return Err(vec![FieldError { field: "search".into(), message: text::maximum_length(SEARCH_MAX) }]);
    }
    Ok(Some(search).filter(|search| !search.is_empty()))
}

/// Which page numbers a screen shows.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Numbering {
    /// At most three numbers: the current page and one on each side or, at an end, the first or last three.
    Three,
    /// All pages if there are at most ten. Otherwise the first, the last, the current page and two on each side of it,
    /// with [`GAP`] for skipped pages.
    Gapped,
}

/// Returns the page numbers to show, in order. Empty if there are no pages.
pub fn page_numbers(current: u32, total_pages: u32, numbering: Numbering) -> Vec<i32> {
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

pub fn total_pages(total: u64, limit: u32) -> u32 {
    u32::try_from(total.div_ceil(u64::from(limit.max(1)))).unwrap_or(u32::MAX)
}

/// Returns whether a page exists. [`GAP`] is not a page.
pub fn is_valid_page(page: i32, total_pages: u32) -> bool {
    page >= 1 && page.unsigned_abs() <= total_pages
}

/// Returns the numbers of the first and last row of a page, for "Showing X to Y of N". Both are 0 if the page is empty.
pub fn row_range(page: u32, limit: u32, total: u64) -> (u64, u64) {
    let from = u64::from(page.max(1) - 1) * u64::from(limit) + 1;
    if from > total { (0, 0) } else { (from, (from + u64::from(limit) - 1).min(total)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(page: &str, limit: &str) -> Result<Page, Vec<FieldError>> {
        PageQuery::<10> { page: page.into(), limit: limit.into() }.read()
    }

    #[test]
    fn clamps_page_and_limit() {
        assert_eq!(query("", ""), Ok(Page { page: 1, limit: 10 }));
        assert_eq!(query("-4", "0"), Ok(Page { page: 1, limit: 1 }));
        assert_eq!(query("3", "1000"), Ok(Page { page: 3, limit: 100 }));
        assert_eq!(query("99999999999999999999", "5").map(|p| p.limit), Ok(5));
    }

    #[test]
    fn a_page_or_a_limit_makes_a_request_paged() {
        let is_paged = |page: &str, limit: &str| PageQuery::<10> { page: page.into(), limit: limit.into() }.is_paged();
        assert!(is_paged("1", "") && is_paged("", "5") && is_paged("two", ""));
        assert!(!is_paged("", "") && !is_paged(" ", ""));
    }

    #[test]
    fn reports_each_value_that_is_not_a_number() {
        let Err(errors) = query("two", "x") else { panic!("letters are not a number") };
        assert_eq!(errors.iter().map(|e| e.field.as_str()).collect::<Vec<_>>(), ["page", "limit"]);
    }

    #[test]
    fn a_search_is_trimmed_and_rejected_beyond_its_maximum_length() {
        assert_eq!(read_search("  \0"), Ok(None));
        assert_eq!(read_search(" \0Åsa "), Ok(Some("Åsa".into())));
        assert!(read_search(&"å".repeat(100)).is_ok());
        assert_eq!(
            read_search(&"å".repeat(101)).err().unwrap_or_default()[0].message,
            "Maximum length is 100 characters"
        );
    }

    #[test]
    fn gapped_numbering_shows_all_of_up_to_ten_pages_and_gaps_in_more() {
        assert_eq!(page_numbers(1, 10, Numbering::Gapped), (1..=10).collect::<Vec<_>>());
        assert_eq!(page_numbers(1, 11, Numbering::Gapped), [1, 2, 3, GAP, 11]);
        assert_eq!(page_numbers(6, 11, Numbering::Gapped), [1, GAP, 4, 5, 6, 7, 8, GAP, 11]);
        assert_eq!(page_numbers(5, 11, Numbering::Gapped), [1, GAP, 3, 4, 5, 6, 7, GAP, 11]);
        assert_eq!(page_numbers(11, 11, Numbering::Gapped), [1, GAP, 9, 10, 11]);
    }

    #[test]
    fn numbering_three_shows_at_most_three_numbers() {
        assert_eq!(page_numbers(1, 9, Numbering::Three), [1, 2, 3]);
        assert_eq!(page_numbers(5, 9, Numbering::Three), [4, 5, 6]);
        assert_eq!(page_numbers(9, 9, Numbering::Three), [7, 8, 9]);
        assert_eq!(page_numbers(1, 1, Numbering::Three), [1]);
        assert!(page_numbers(1, 0, Numbering::Three).is_empty());
    }

    #[test]
    fn a_page_beyond_the_last_has_no_rows() {
        assert_eq!(row_range(2, 10, 11), (11, 11));
        assert_eq!(row_range(3, 10, 11), (0, 0));
        assert_eq!(row_range(1, 10, 0), (0, 0));
    }

    proptest! {
        #[test]
        fn page_numbers_contain_the_current_page_and_only_existing_pages(
            current in 0u32..5_000, total in 1u32..4_000, gapped: bool,
        ) {
            let numbering = if gapped { Numbering::Gapped } else { Numbering::Three };
            let numbers = page_numbers(current, total, numbering);
            prop_assert!(numbers.contains(&i32::try_from(current.clamp(1, total)).unwrap_or(0)));
            prop_assert!(numbers.iter().all(|&n| n == GAP || is_valid_page(n, total)));
            let most = if !gapped { 3 } else if total <= 10 { 10 } else { 9 };
            prop_assert!(numbers.len() <= most);
            let pages: Vec<_> = numbers.iter().filter(|&&n| n != GAP).collect();
            prop_assert!(pages.windows(2).all(|w| w[0] < w[1]));
            // A gap stands for at least one page, and neighbouring numbers without a gap are consecutive.
            for w in numbers.windows(3).filter(|w| w[1] == GAP) {
                prop_assert!(w[2] - w[0] > 1);
            }
            for w in numbers.windows(2).filter(|w| w[0] != GAP && w[1] != GAP) {
                prop_assert_eq!(w[1] - w[0], 1);
            }
        }
        #[test]
        fn the_row_range_lies_inside_the_list(page in 1u32..100, limit in 1u32..101, total in 0u64..10_000) {
            let (from, to) = row_range(page, limit, total);
            prop_assert!(from <= to && to <= total);
        }
    }
}
