//! Tests that contacts that are exported and imported again are unchanged.

use super::details::DetailsSummary;
use super::export::FileColumns;
use super::{csv, xlsx};
use forecourt_core::contacts::{ContactInput, ContactSummary, DETAIL_MAX};
use forecourt_core::duplicates::Details;
use forecourt_core::form::check;
use forecourt_core::import::{Checker, ColumnMapping, Limits, Outcome, Patches, Plan, ReadOptions, Source};
use forecourt_core::lists::{Fields, Record};
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

fn lines() -> impl Strategy<Value = String> {
    proptest::collection::vec(text(3), 0..4).prop_map(|lines| lines.join("\n"))
}

/// Other details. Their names are those of fields, headers that are matched to fields in files of other programs, dates,
/// addresses, and any texts. The values are not empty, and may be as long as a cell.
fn details() -> impl Strategy<Value = Details> {
    let fields: Vec<&str> = ContactSummary::FIELDS.iter().map(|field| field.name).collect();
    let names = "E-post|Email (2)|Telefon|Mobil|Hemsida|Adress|Full name|Förnamn|Efternamn|Förnamn + Efternamn|Row|\
        Column 11|2026-01-31|ada@example.se|www.example.se|otherDetails|otherDetails.|otherDetails.email";
    let name = prop_oneof![
        proptest::sample::select(fields).prop_map(str::to_owned),
        proptest::sample::select(names.split('|').collect::<Vec<_>>()).prop_map(str::to_owned),
        text(3).prop_map(|text| format!("{text}a").split_whitespace().collect::<Vec<_>>().join(" ")),
        Just(String::new()),
    ];
    let value = prop_oneof![
        9 => lines().prop_map(|lines| format!("{lines}a")),
        9 => proptest::sample::select(vec!["007", "-12,50", "=1+1", "'", "070-123 45 67", "😀 مرحبا"])
            .prop_map(str::to_owned),
        // With the apostrophe before the formula, the text is longer than a cell may be.
        1 => Just(format!("={}", "å".repeat(DETAIL_MAX - 1))),
    ];
    // Three of the longest values are no longer than all details of a contact may be.
    proptest::collection::btree_map(name, value, 0..4)
}

fn contact() -> impl Strategy<Value = (ContactSummary, Details)> {
    (text(4), text(3), lines(), details()).prop_map(|(name, phone, address, other_details)| {
        let name = format!("{name}A");
        let input = ContactInput { name, phone, address, other_details, ..ContactInput::default() };
        let ContactInput { name, email, phone, website, address, other_details } = check(input).unwrap().into_inner();
        let (id, time) = ("01900000-0000-7000-8000-000000000000".to_owned(), "2026-01-01T00:00:00.000Z".to_owned());
        let (import_source, imported_at, import_batch_id) = (None, None, None);
        let (created_at, updated_at) = (time.clone(), time);
        let contact = ContactSummary {
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
        };
        (contact, other_details)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn importing_an_exported_file_gives_the_same_contacts(contacts in proptest::collection::vec(contact(), 1..12)) {
        let names = contacts.iter().flat_map(|(_, details)| details.keys().cloned()).collect();
        let details = DetailsSummary { names, ..DetailsSummary::default() };
        let columns = FileColumns::new(Fields::all(ContactSummary::FIELDS), details);
        let expected: Vec<ContactInput> = contacts
            .iter()
            .cloned()
            .map(|(ContactSummary { name, email, phone, website, address, .. }, other_details)| {
                ContactInput { name, email, phone, website, address, other_details }
            })
            .collect();
        let lines = [csv::head(columns.headers()).unwrap(), csv::rows(columns.rows(&contacts)).unwrap()].concat();
        prop_assert_eq!(&import("contacts.csv", lines), &expected);
        for size in [0, usize::MAX] {
            let mut workbook = xlsx::Workbook::new(&columns.headers(), size).unwrap();
            let mut file = workbook.take();
            for contact in &contacts {
                workbook.push(columns.rows(std::slice::from_ref(contact))).unwrap();
                file.extend(workbook.take());
            }
            file.extend(workbook.finish().unwrap());
            prop_assert_eq!(&import("contacts.xlsx", file), &expected);
        }
    }
}
