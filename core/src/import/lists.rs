//! Lists that anybody may send, of any length.

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a list, and keeps no more of it than `MOST` and one: enough to see that it is too long.
///
/// # Errors
/// It is no list of these.
pub fn at_most<'de, const MOST: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(Longest::<MOST, T>(PhantomData))
}

struct Longest<const MOST: usize, T>(PhantomData<T>);

impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for Longest<MOST, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while list.len() <= MOST {
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
        at_most::<2, u8, _>(&mut serde_json::Deserializer::from_str(json))
    }

    #[test]
    fn a_list_is_kept_up_to_one_more_than_it_may_have() {
        assert_eq!(read("[]").unwrap(), [0; 0]);
        assert_eq!(read("[1,2]").unwrap(), [1, 2]);
        assert_eq!(read("[1,2,3]").unwrap(), [1, 2, 3]);
        assert_eq!(read("[1,2,3,4,\"five\",[6]]").unwrap(), [1, 2, 3]);
        for wrong in ["", "1", "{}", "[1", "[1,\"two\"]", "[1,2,3,4"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
