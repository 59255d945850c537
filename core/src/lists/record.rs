//! Records that lists show, and the declaration of their fields.

use super::{Cell, Field, Value};

/// A record that lists show.
pub trait Record {
    const FIELDS: &'static [Field];

    /// Returns a field's value as the record has it; [`Cell::Empty`] if the record has no field of this name.
    fn cell(&self, field: &str) -> Cell<'_>;

    /// As [`Record::cell`], for a field that only the history has, and no list.
    fn other_cell(&self, _field: &str) -> Cell<'_> {
        Cell::Empty
    }

    /// Returns what was typed in a field that shows another value, because that follows from other records. `None` for
    /// all other fields.
    fn typed_value(&self, _field: &str) -> Option<Cell<'_>> {
        None
    }

    /// Removes the value of a field that only some users may see. Other fields keep theirs.
    fn hide(&mut self, _field: &str) {}

    /// Returns a field's value normalized for comparisons.
    fn value(&self, field: &str) -> Value {
        self.cell(field).value()
    }
}

/// Declares the fields of a [`Record`] in its `impl`: `member = field`. A field has the name of its member, unless the
/// JSON has another one: `member["name"] = field`. A value within an object has a name of its own:
/// `object.member["name"] = field`.
macro_rules! fields {
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $name:literal) => { $name };
    ($($member:ident $(.$inner:ident)? $([$name:literal])? = $field:expr),* $(,)?) => {
        const FIELDS: &'static [$crate::lists::Field] = &[$(
            $field
                .named($crate::lists::fields!(@name $member $($name)?))
                $(.within(stringify!($member), stringify!($inner)))?
        ),*];

        fn cell(&self, field: &str) -> $crate::lists::Cell<'_> {
            $({
                const FIELD: $crate::lists::Field = $field.named($crate::lists::fields!(@name $member $($name)?));
                if field == FIELD.name {
                    return $crate::lists::ToCell::to_cell(&self.$member$(.$inner)?, FIELD.kind);
                }
            })*
            self.other_cell(field)
        }
    };
}
pub(crate) use fields;
