//! The fields of records in lists, and how lists are sorted and filtered by them. Each entity declares its fields once,
//! in its `fields.rs`.

mod cell;
mod field;
mod filter;
mod labels;
mod operand;
mod record;
mod relative;
mod sort;
pub mod text;
mod visible;

pub use cell::{Cell, ToCell};
pub use field::{Field, Kind, Personal, Synonyms};
pub(crate) use field::{count_imported, imported};
pub use filter::{CONDITIONS_MAX, Condition, ConditionInput, Filter, LIST_MAX, Operands, Test};
#[cfg(test)]
pub(crate) use labels::ALL as LABELS;
pub use operand::Operand;
pub(crate) use operand::required;
pub use record::Record;
pub(crate) use record::fields;
pub use relative::{RelativeDate, Today};
pub use sort::{NUMBER_DIGITS, PREFIX_CHARACTERS, SORT_MAX, SORTED_CHARACTERS, Sort};
pub use visible::{Fields, hidden_fields};

use crate::date::Date;
use crate::form::FieldError;
use crate::message::Message;
use crate::money::Money;
use crate::text::fold;
use jiff::Timestamp;

/// A field's value, normalized for comparisons. Empty values are lower than all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Empty,
    Id(u128),
    /// A text in lower case without accents ([`fold`]).
    Text(String),
    Choice(String),
    Flag(bool),
    Number(i64),
    Money(Money),
    Date(Date),
    /// Microseconds since the Unix epoch.
    Time(i64),
}

/// A list of records: its path in the API, and what its screens show.
pub struct List {
    pub path: &'static str,
    /// The number of records per page on the screen. For records of a module also the limit of requests without one.
    pub page_size: u32,
    /// The messages after a record was created, updated and deleted.
    pub created: &'static Message,
    pub updated: &'static Message,
    pub deleted: &'static Message,
}

/// A record that a list shows.
pub trait HasList: Record {
    const LIST: List;
}

/// Generates the names of all lists, their TypeScript types, and the functions that find a list and its fields. The
/// page size is the list's `PAGE_SIZE` unless another constant is in brackets. The types of requests and responses
/// follow from the record's, unless they are given.
macro_rules! lists {
    (@page_size $list:ident) => { crate::$list::PAGE_SIZE };
    (@page_size $list:ident $page_size:ident) => { crate::$list::$page_size };
    (@types $record:ident) => {
        lists!(@types $record concat!(
            "page: ListPage<", stringify!($record), ">; query: { search?: string }; shown: ", stringify!($record),
            "; saved: ", stringify!($record), "; form: ", stringify!($record), "Input; change: ", stringify!($record),
            "Input"
        ))
    };
    (@types $record:ident $types:expr) => { $types };
    ($($list:ident::$record:ident $([$page_size:ident])? $(= $types:literal)?;)*) => {
        /// The names of all lists, as in the paths of the API.
        pub const LISTS: &[&str] = &[$(stringify!($list)),*];

        /// The declaration of the TypeScript type of the lists' names.
        pub const LIST_NAME_TYPE: &str =
            concat!("/** The lists, by their names in the API's paths. */\nexport type ListName =", $(" | \"", stringify!($list), "\"",)* ";\n");

        /// The declaration of the TypeScript types of each list's requests and responses.
        pub const RECORD_TYPES: &str = concat!(
            "/** The types of each list: a page and what it is queried by, a record as its page shows it, as a change returns it, and its forms. */\nexport interface Records {\n",
            $("    ", stringify!($list), ": { ", lists!(@types $record $($types)?), " };\n",)*
            "}\n"
        );

        /// The messages of each list's module.
        #[cfg(test)]
        pub(crate) const MESSAGES: &[&[(&str, &str)]] = &[$(crate::$list::text::ALL),*];

        $(impl HasList for crate::$list::$record {
            const LIST: List = List {
                path: crate::$list::PATH,
                page_size: lists!(@page_size $list $($page_size)?),
                created: crate::$list::text::CREATED,
                updated: crate::$list::text::UPDATED,
                deleted: crate::$list::text::DELETED,
            };
        })*

        /// Checks the fields of each list's records.
        #[cfg(all(test, feature = "schema"))]
        fn check_records() {
            $(tests::records::check_record::<crate::$list::$record>(stringify!($list));)*
        }

        /// Returns the list with this name, or `None`.
        pub fn list(name: &str) -> Option<&'static List> {
            match name {
                $(stringify!($list) => Some(&<crate::$list::$record as HasList>::LIST),)*
                _ => None,
            }
        }

        /// Returns the fields of the list with this name, or `None`.
        pub fn fields_of(list: &str) -> Option<&'static [Field]> {
            match list {
                $(stringify!($list) => Some(crate::$list::$record::FIELDS),)*
                _ => None,
            }
        }
    };
}

lists! {
    contacts::ContactSummary = "page: ContactList; query: { search?: string; importBatchId?: string }; shown: Contact; saved: Contact; form: ContactInput; change: ContactUpdateInput";
    customers::CustomerSummary = "page: CustomerList; query: CustomerFilter & { searchTerm?: string }; shown: Customer; saved: CustomerSummary; form: CustomerInput; change: CustomerUpdateInput";
    // The API returns an array, which `listInvoices` in wasm converts to a page.
    invoices::Invoice = "page: never; query: never; shown: Invoice; saved: Invoice; form: InvoiceInput; change: InvoiceInput";
    vehicles::Vehicle;
    agreements::Agreement = "page: ListPage<Agreement>; query: { search?: string; vehicle_id?: string }; shown: Agreement; saved: Agreement; form: AgreementInput; change: AgreementInput";
    users::User[SCREEN_PAGE_SIZE] = "page: ListPage<User>; query: { search?: string }; shown: User; saved: User; form: UserInput; change: UserUpdateInput";
    // Corporations are created and updated by other routes than `/api/corporations`, so these types are `never`.
    corporations::Corporation[SCREEN_PAGE_SIZE] = "page: ListPage<Corporation>; query: { search?: string }; shown: Corporation; saved: never; form: never; change: never";
}

impl Value {
    pub fn text(text: &str) -> Self {
        match fold(text) {
            folded if folded.is_empty() => Value::Empty,
            folded => Value::Text(folded),
        }
    }

    pub fn choice(text: &str) -> Self {
        if text.is_empty() { Value::Empty } else { Value::Choice(text.to_owned()) }
    }

    /// Parses a running number, with or without its prefix, in upper or lower case. [`Value::Empty`] for any other
    /// text.
    pub fn serial(prefix: &str, text: &str) -> Self {
        let has_prefix = text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        let digits = if has_prefix { &text[prefix.len()..] } else { text };
        match digits.parse() {
            Ok(number) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Value::Number(number),
            _ => Value::Empty,
        }
    }

    /// Parses a UUID. [`Value::Empty`] for any other text.
    pub fn id(text: &str) -> Self {
        parse_uuid(text).map_or(Value::Empty, Value::Id)
    }

    /// Parses an RFC 3339 time. [`Value::Empty`] for any other text.
    pub fn time(text: &str) -> Self {
        text.parse().map_or(Value::Empty, |time: Timestamp| Value::Time(time.as_microsecond()))
    }
}

/// How a list is sorted and filtered.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    pub sort: Sort,
    pub filter: Filter,
}

impl Arrangement {
    pub fn is_empty(&self) -> bool {
        self.sort.is_empty() && self.filter.is_empty()
    }

    /// Removes the records that do not match the filter, and sorts the others. `records` must be in the list's default
    /// order.
    pub fn apply<R: Record>(&self, records: &mut Vec<R>) {
        records.retain(|record| self.filter.matches(record));
        if self.sort.reverses_default() {
            records.reverse();
        }
        records.sort_by(|a, b| self.sort.compare(a, b));
    }
}

/// Returns whether a text is a UUID in its hyphenated form.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Parses a UUID in its hyphenated form. `None` for any other text.
fn parse_uuid(text: &str) -> Option<u128> {
    is_uuid(text).then(|| u128::from_str_radix(&text.replace('-', ""), 16).ok()).flatten()
}

/// Returns a validation error for a field in a parameter, such as `filter.email`.
fn field_error(parameter: &str, field: &str, message: impl Into<Message>) -> FieldError {
    FieldError { field: format!("{parameter}.{field}"), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests of the declared fields of all record types.
    #[cfg(feature = "schema")]
    pub(super) mod records {
        use super::super::{Kind, Record, Value, check_records, hidden_fields};
        use crate::permissions::Access;
        use schemars::{JsonSchema, schema_for};
        use serde::Serialize;
        use serde::de::DeserializeOwned;
        use serde_json::json;
        use std::collections::BTreeSet;

        #[test]
        fn every_member_of_a_record_is_a_field_of_its_kind() {
            check_records();
        }

        /// Returns the members of a list's records that are no fields, and those whose JSON does not follow from the
        /// kind of their field.
        fn other_members(list: &str) -> serde_json::Value {
            match list {
                "customers" => json!({"hasFigures": false}),
                "vehicles" => json!({"photos": [], "photo_count": 0}),
                "agreements" => json!({"vat_rate": 20}),
                "users" => json!({"role": {"role_id": "", "name": "Sales"}, "can_update": true, "can_delete": true}),
                "corporations" => json!({"allowed_resources": [], "allowed_resources_names": [], "country": "SE"}),
                _ => json!({}),
            }
        }

        /// Returns the JSON of a value of this kind that is not empty.
        fn sample(kind: Kind) -> serde_json::Value {
            let id = "01900000-0000-7000-8000-000000000000";
            match kind {
                Kind::Id => json!(id),
                Kind::Text => json!("Ada"),
                Kind::Choice(values) => json!(values[0]),
                Kind::Flag => json!(true),
                Kind::Number | Kind::Money | Kind::OwnMoney | Kind::Percent => json!(1),
                Kind::Serial(prefix) => json!(format!("{prefix}1042")),
                Kind::Costs => json!([{"date": "2026-11-20", "kind": "Tyres", "net": 415, "vat": 83, "note": "Two"}]),
                Kind::Legs => {
                    json!([{"vehicle_id": id, "direction": "In", "price": 1, "vat_scheme": "Margin", "name": "Volvo"}])
                }
                Kind::Date => json!("2026-01-31"),
                Kind::Time => json!("2026-01-01T00:00:00.000Z"),
            }
        }

        /// Checks the declared fields of a record type: the JSON has exactly the fields and the `other_members`, each
        /// value has the declared kind, and hiding the fields that only some users may see removes exactly these.
        pub fn check_record<R: Record + Serialize + DeserializeOwned + JsonSchema>(list: &str) {
            let mut json = other_members(list);
            for field in R::FIELDS {
                let value = field.path().into_iter().fold(&mut json, |json, name| &mut json[name]);
                if value.is_null() {
                    *value = sample(field.kind);
                }
            }
            let names: BTreeSet<_> = R::FIELDS.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), R::FIELDS.len(), "{list}: a field is declared twice");
            let members = |json: &serde_json::Value| json.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(members(&json), members(&schema_for!(R).to_value()["properties"]), "{list}");
            let mut record: R = serde_json::from_value(json.clone()).unwrap();
            assert_eq!(serde_json::to_value(&record).unwrap(), json);
            for field in R::FIELDS {
                let value = record.value(field.name);
                let has_kind = match (field.kind, &value) {
                    (Kind::Choice(values), Value::Choice(value)) => values.contains(&value.as_str()),
                    (Kind::Id, Value::Id(_))
                    | (Kind::Text, Value::Text(_))
                    | (Kind::Flag, Value::Flag(_))
                    | (Kind::Number | Kind::Serial(_) | Kind::Legs, Value::Number(_))
                    | (Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent, Value::Money(_))
                    | (Kind::Date, Value::Date(_))
                    | (Kind::Time, Value::Time(_)) => true,
                    _ => false,
                };
                assert!(has_kind, "{list}: {} is {value:?}", field.name);
            }
            assert_eq!(record.value("no such field"), Value::Empty);
            let hidden: Vec<_> = hidden_fields::<R>(&Access::default()).collect();
            hidden.iter().for_each(|name| record.hide(name));
            let json = serde_json::to_value(&record).unwrap();
            // Only some of the prices of legs are hidden.
            for field in R::FIELDS.iter().filter(|field| field.kind != Kind::Legs) {
                let is_hidden = hidden.contains(&field.name);
                let value = field.path().into_iter().try_fold(&json, |json, name| json.get(name));
                assert_eq!(value.is_none(), is_hidden, "{list}: {}", field.name);
                assert_eq!(record.value(field.name) == Value::Empty, is_hidden, "{list}: {}", field.name);
            }
        }
    }

    #[test]
    fn texts_are_compared_without_case_and_accents() {
        assert_eq!(Value::text("ÅSA"), Value::text("asa"));
        assert_eq!(Value::text("\u{301}"), Value::Empty);
        assert!(Value::Empty < Value::text("a") && Value::text("Ö") > Value::text("a"));
    }

    #[test]
    fn parses_only_hyphenated_uuids() {
        let id = "0199ABCD-0000-7000-8000-00000000000f";
        assert_eq!(Value::id(id), Value::Id(0x0199_abcd_0000_7000_8000_0000_0000_000f));
        for text in ["", "0199abcd00007000800000000000000f", "+199abcd-0000-7000-8000-00000000000f", &id[1..]] {
            assert_eq!(Value::id(text), Value::Empty, "{text}");
        }
    }

    #[test]
    fn running_numbers_are_compared_as_numbers() {
        let serial = |text| Value::serial("C-", text);
        assert!(serial("C-999") < serial("C-1000"));
        for text in ["C-7", "c-7", "7", "C-007"] {
            assert_eq!(serial(text), Value::Number(7), "{text}");
        }
        for text in ["", "C-", "D-7", "C--7", "C-+7", "-7", "Ö7", "C-99999999999999999999"] {
            assert_eq!(serial(text), Value::Empty, "{text}");
        }
    }

    #[test]
    fn times_are_compared_as_instants() {
        assert_eq!(Value::time("2026-01-01T00:30:00+01:00"), Value::time("2025-12-31T23:30:00.000Z"));
        assert_eq!(Value::time("yesterday"), Value::Empty);
    }
}
