//! Rules of the photos of vehicles.

use super::{PHOTOS_MAX, PhotoOrderInput, text};
use crate::form::{Form, Rules, normalize_line};
use std::collections::BTreeSet;

impl PhotoOrderInput {
    /// Returns whether the order consists of exactly the ids of these photos.
    pub fn is_order_of<'a>(&self, photos: impl IntoIterator<Item = &'a str>) -> bool {
        let order: BTreeSet<&str> = self.order.iter().map(String::as_str).collect();
        order == photos.into_iter().collect()
    }

    /// Returns whether the order is based on these photos in this order, or on none.
    pub fn is_based_on<'a>(&self, photos: impl IntoIterator<Item = &'a str>) -> bool {
        self.before.as_ref().is_none_or(|before| photos.into_iter().eq(before.iter().map(String::as_str)))
    }
}

impl Form for PhotoOrderInput {
    fn normalize(&mut self) {
        for id in self.order.iter_mut().chain(self.before.iter_mut().flatten()) {
            normalize_line(id);
            id.make_ascii_lowercase();
        }
    }

    fn rules(&self, rules: &mut Rules) {
        let different: BTreeSet<&String> = self.order.iter().collect();
        let is_order = self.order.len() <= PHOTOS_MAX as usize && different.len() == self.order.len();
        rules.require("order", is_order, text::PHOTO_ORDER_INVALID);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors_as_texts};

    fn order(ids: &[&str]) -> PhotoOrderInput {
        PhotoOrderInput { order: ids.iter().map(|id| (*id).to_owned()).collect(), before: None }
    }

    #[test]
    fn an_order_has_each_photo_once() {
        let invalid = [format!("order: {}", text::PHOTO_ORDER_INVALID)];
        assert!(errors_as_texts(order(&[])).is_empty() && errors_as_texts(order(&["b", "a"])).is_empty());
        assert_eq!(errors_as_texts(order(&["a", " A"])), invalid);
        let ids = |count: u32| PhotoOrderInput { order: (0..count).map(|n| n.to_string()).collect(), before: None };
        assert!(errors_as_texts(ids(PHOTOS_MAX)).is_empty());
        assert_eq!(errors_as_texts(ids(PHOTOS_MAX + 1)), invalid);
    }

    #[test]
    fn an_order_has_all_photos_and_no_other() {
        let checked = check(order(&["B", "a"])).unwrap();
        assert!(checked.is_order_of(["a", "b"]));
        for others in [vec!["a"], vec!["a", "b", "c"], vec!["a", "c"], vec![]] {
            assert!(!checked.is_order_of(others.iter().copied()), "{others:?}");
        }
    }

    #[test]
    fn an_order_is_based_on_another_one_or_on_any() {
        assert!(check(order(&["a", "b"])).unwrap().is_based_on(["b", "a"]));
        let before = Some(order(&[" B", "a"]).order);
        let based = check(PhotoOrderInput { before, ..order(&["a", "b"]) }).unwrap();
        assert!(based.is_based_on(["b", "a"]));
        assert!(!based.is_based_on(["a", "b"]) && !based.is_based_on(["b"]));
    }
}
