//! Bounded deserialization of lists from untrusted requests.

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Deserializes a list but stores at most `MAX + 1` items, enough to detect that the list is too long.
///
/// # Errors
/// The input isn't a list of `T`.
pub fn deserialize_one_more_than<'de, const MAX: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(BoundedVisitor::<MAX, T>(PhantomData))
}

struct BoundedVisitor<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while list.len() <= MAX {
            let Some(item) = items.next_element()? else { return Ok(list) };
            list.push(item);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> serde_json::Result<Vec<u8>> {
        deserialize_one_more_than::<2, u8, _>(&mut serde_json::Deserializer::from_str(json))
    }

    #[test]
    fn stores_at_most_one_item_more_than_the_limit() {
        assert_eq!(read("[]").unwrap(), [0; 0]);
        assert_eq!(read("[1,2]").unwrap(), [1, 2]);
        assert_eq!(read("[1,2,3]").unwrap(), [1, 2, 3]);
        assert_eq!(read("[1,2,3,4,\"five\",[6]]").unwrap(), [1, 2, 3]);
        for invalid in ["", "1", "{}", "[1", "[1,\"two\"]", "[1,2,3,4"] {
            assert!(read(invalid).is_err(), "{invalid}");
        }
    }
}
