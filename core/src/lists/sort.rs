//! The sort order of a list.

use super::{Field, Fields, Record, Value, field_error, text};
use crate::form::FieldError;
use std::cmp::Ordering;

/// Maximum number of fields in a sort order.
pub const SORT_MAX: usize = 8;
/// How many characters at the beginning of a long text ([`Field::is_long`]) are compared.
pub const SORTED_CHARACTERS: usize = 100;
/// The length of the prefix of a running number ([`Field::is_numbered`]).
pub const PREFIX_CHARACTERS: usize = 3;
/// The number of digits to which a running number is padded with zeros, so that the order of the texts is that of the
/// numbers.
pub const NUMBER_DIGITS: usize = 16;

/// A sort order. Records whose values are all equal stay in the list's default order (newest first) if the last field
/// is in descending order; otherwise they are in the reverse of it. So `-name` is the reverse of `name`.
#[derive(Clone, Debug, Default)]
pub struct Sort(Vec<(&'static Field, bool)>);

impl Sort {
    /// Parses a comma-separated list of field names. `-` before a name means descending order. An empty text means no
    /// sort order.
    ///
    /// # Errors
    /// A validation error for each part that is not a field, for a repeated field, and for more than [`SORT_MAX`]
    /// fields.
    pub fn read(fields: Fields<'_>, sort: &str) -> Result<Self, Vec<FieldError>> {
        let (mut read, mut errors) = (Vec::<(&Field, bool)>::new(), Vec::new());
        if sort.trim().is_empty() {
            return Ok(Sort::default());
        }
        for part in sort.split(',').map(str::trim) {
            if read.len() + errors.len() == SORT_MAX {
                let message = text::too_many_sort_fields(SORT_MAX as u64);
                errors.push(FieldError { field: "sort".into(), message });
                break;
            }
            let (name, is_descending) = part.strip_prefix('-').map_or((part, false), |name| (name, true));
            match fields.find(name, "sort") {
                Err(error) => errors.push(error),
                Ok(_) if read.iter().any(|(other, _)| other.name == name) => {
                    errors.push(field_error("sort", name, text::SORTED_TWICE));
                }
                Ok(field) => read.push((field, is_descending)),
            }
        }
        if errors.is_empty() { Ok(Sort(read)) } else { Err(errors) }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each field, and whether its order is descending.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&'static Field, bool)> {
        self.0.iter().copied()
    }

    /// Returns whether records whose values are all equal are in the reverse of the list's default order.
    pub fn reverses_default(&self) -> bool {
        self.0.last().is_some_and(|(_, is_descending)| !is_descending)
    }

    /// Compares two records by the sort order. Empty values come first in ascending order, and last in descending
    /// order.
    pub fn compare<R: Record>(&self, a: &R, b: &R) -> Ordering {
        let orders = self.0.iter().map(|(field, is_descending)| {
            let order = key(a, field).cmp(&key(b, field));
            if *is_descending { order.reverse() } else { order }
        });
        orders.fold(Ordering::Equal, Ordering::then)
    }
}

/// Returns the value by which a record is sorted.
fn key<R: Record>(record: &R, field: &Field) -> Value {
    match record.value(field.name) {
        Value::Text(text) if field.is_long => Value::Text(text.chars().take(SORTED_CHARACTERS).collect()),
        Value::Text(text) if field.is_numbered => {
            let at = text.char_indices().nth(PREFIX_CHARACTERS).map_or(text.len(), |(at, _)| at);
            let (prefix, number) = text.split_at(at);
            Value::Text(format!("{prefix}{number:0>NUMBER_DIGITS$}"))
        }
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arrangement, Cell, Kind, Personal};
    use super::*;
    use crate::form::FieldError;

    struct Person(&'static str, i64);

    impl Record for Person {
        const FIELDS: &'static [Field] =
            &[Field::text(Personal::Business).named("name"), Field::new(Kind::Number).named("age")];

        fn cell(&self, field: &str) -> Cell<'_> {
            match field {
                "name" => Cell::Text(self.0),
                "age" => Cell::Number(self.1),
                _ => Cell::Empty,
            }
        }
    }

    fn sorted(sort: &str) -> Vec<&'static str> {
        let sort = Sort::read(Fields::all(Person::FIELDS), sort).unwrap();
        let mut people = vec![Person("Öst", 1), Person("", 2), Person("ost", 3), Person("Asp", 1)];
        Arrangement { sort, ..Arrangement::default() }.apply(&mut people);
        people.into_iter().map(|person| person.0).collect()
    }

    fn errors(sort: &str) -> Vec<FieldError> {
        Sort::read(Fields::all(Person::FIELDS), sort).err().unwrap_or_default()
    }

    #[test]
    fn sorts_by_several_fields_with_empty_values_first() {
        assert_eq!(sorted("name,age"), ["", "Asp", "Öst", "ost"]);
        assert_eq!(sorted("-name,-age"), ["ost", "Öst", "Asp", ""]);
        assert_eq!(sorted(" age , name "), ["Asp", "Öst", "", "ost"]);
        assert_eq!(sorted(""), ["Öst", "", "ost", "Asp"]);
    }

    #[test]
    fn a_descending_order_is_the_reverse_of_the_ascending_one() {
        assert_eq!(sorted("name"), ["", "Asp", "ost", "Öst"]);
        assert_eq!(sorted("-name"), ["Öst", "ost", "Asp", ""]);
        assert_eq!(sorted("age"), ["Asp", "Öst", "", "ost"]);
        assert_eq!(sorted("-age"), ["ost", "", "Öst", "Asp"]);
    }

    #[test]
    fn long_texts_are_compared_by_their_first_characters() {
        struct Note(String);
        impl Record for Note {
            const FIELDS: &'static [Field] =
                &[Field::long_text(Personal::Business).named("long"), Field::text(Personal::Business).named("short")];
            fn cell(&self, _: &str) -> Cell<'_> {
                Cell::Text(&self.0)
            }
        }
        let compare = |sort, same: usize| {
            let [b, a] = ["b", "a"].map(|end| Note("å".repeat(same) + end));
            Sort::read(Fields::all(Note::FIELDS), sort).unwrap().compare(&b, &a)
        };
        assert_eq!(compare("long", SORTED_CHARACTERS - 1), Ordering::Greater);
        assert_eq!(compare("long", SORTED_CHARACTERS), Ordering::Equal);
        assert_eq!(compare("short", SORTED_CHARACTERS), Ordering::Greater);
    }

    #[test]
    fn rejects_unknown_and_repeated_fields() {
        let unknown = "This list does not have that field. Use one of: name, age.";
        for (sort, field) in
            [("Name", "sort.Name"), ("+name", "sort.+name"), ("name,", "sort."), ("--name", "sort.-name")]
        {
            let [error] = &errors(sort)[..] else { panic!("{sort}") };
            assert_eq!((error.field.as_str(), error.message.as_str()), (field, unknown));
        }
        assert_eq!(errors("name,-name")[0].message, text::SORTED_TWICE.as_str());
    }

    #[test]
    fn limits_the_number_of_fields() {
        let errors = errors(&"x,".repeat(1_000));
        assert_eq!(errors.len(), SORT_MAX + 1);
        assert_eq!(errors[SORT_MAX].message, "A list can be sorted by at most 8 fields. Remove some.");
    }
}
