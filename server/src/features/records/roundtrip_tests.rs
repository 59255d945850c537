//! Tests that contacts that are exported and imported again are unchanged.

use super::{csv, xlsx};
use forecourt_core::contacts::{ContactInput, ContactSummary};
use forecourt_core::form::check;
use forecourt_core::import::{Checker, ColumnMapping, Limits, Outcome, Patches, Plan, ReadOptions, Source};
use forecourt_core::lists::{Field, Record};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Returns the contacts that the import reads from a file, with the mapping that it proposes.
fn import(name: &str, file: Vec<u8>) -> Vec<ContactInput> {
    let limits = Limits::default();
    // Reads with core alone, without the fallback libraries for other programs' files.
    let mut source = Source::open_head(name, file, None, &ReadOptions::default(), 10, &limits).unwrap();
    let head = source.head();
    let mapping: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let plan = Plan::new(&head.file_columns, &mapping).unwrap();
    let mut checker = Checker::new(source.layout().clone(), plan, Patches::default(), &limits);
    let mut contacts = Vec::new();
    source
        .rows(&mut |row| {
            match checker.check_row(row)? {
                Outcome::Ready { contact, .. } => contacts.push(contact.contact().unwrap().into_inner()),
                Outcome::Failed(findings) => panic!("a row is rejected: {findings:?}"),
                Outcome::Skipped => {}
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    contacts
}

/// Texts with formulas, quotes, separators, line breaks, digits, emoji, right-to-left letters, and what XML and
/// workbooks escape.
fn text(most: usize) -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        "[=+@\\-'\"; ,|&<>_x0-9a-zåÄ]{0,4}",
        Just("_x000D_".to_owned()),
        Just("2026-01-31".to_owned()),
        Just("007".to_owned()),
        Just("1,5".to_owned()),
        Just("😀 مرحبا שלום".to_owned()),
        Just("'=1".to_owned()),
    ];
    proptest::collection::vec(parts, 0..most).prop_map(|parts| parts.concat())
}

fn contact() -> impl Strategy<Value = ContactSummary> {
    (text(4), text(3), proptest::collection::vec(text(3), 0..4)).prop_map(|(name, phone, lines)| {
        let name = format!("{name}A");
        let input = ContactInput { name, phone, address: lines.join("\n"), ..ContactInput::default() };
        let ContactInput { name, email, phone, website, address, .. } = check(input).unwrap().into_inner();
        let (id, time) = ("01900000-0000-7000-8000-000000000000".to_owned(), "2026-01-01T00:00:00.000Z".to_owned());
        let (import_source, imported_at, import_batch_id) = (None, None, None);
        let (created_at, updated_at) = (time.clone(), time);
        ContactSummary {
            id,
            name,
            email,
            phone,
            website,
            address,
            import_source,
            imported_at,
            import_batch_id,
            created_at,
            updated_at,
            version: 1,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn importing_an_exported_file_gives_the_same_contacts(contacts in proptest::collection::vec(contact(), 1..12)) {
        let fields: Vec<&'static Field> = ContactSummary::FIELDS.iter().filter(|field| field.is_exported).collect();
        let expected: Vec<ContactInput> = contacts
            .iter()
            .cloned()
            .map(|ContactSummary { name, email, phone, website, address, .. }| {
                ContactInput { name, email, phone, website, address, ..ContactInput::default() }
            })
            .collect();
        let lines = [csv::head(fields.iter().map(|field| field.name)).unwrap(), csv::lines(&fields, &contacts).unwrap()].concat();
        prop_assert_eq!(&import("contacts.csv", lines), &expected);
        for records in [contacts.len(), xlsx::RECORDS_MAX] {
            let mut workbook = xlsx::Workbook::new(&fields, records).unwrap();
            let mut file = workbook.take();
            for contact in &contacts {
                workbook.push(&fields, std::slice::from_ref(contact)).unwrap();
                file.extend(workbook.take());
            }
            file.extend(workbook.finish().unwrap());
            prop_assert_eq!(&import("contacts.xlsx", file), &expected);
        }
    }
}
