use super::*;
use crate::import::row::row;
use crate::import::{CellCorrection, ColumnMapping, Corrections, Replacement};
use proptest::prelude::*;

const COLUMNS: [(&str, &str); 5] =
    [("Namn", "name"), ("E-post", "email"), ("Tel", "phone"), ("Ort", "otherDetails"), ("Internt", "doNotImport")];

fn corrected(corrections: &Corrections) -> Checker {
    let sample = [row(1, &COLUMNS.map(|(file, _)| file)), row(2, &["Åsa"])];
    let layout = Layout::of(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let mapping = COLUMNS.map(|(f, m)| ColumnMapping { file_column: f.into(), model_column: m.into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let patches = Patches::new(layout.names(), corrections).unwrap();
    // Every test goes the way that the browser goes.
    Checker::unpack(&Checker::pack(&layout, &plan, &patches, &Limits::default())).unwrap()
}
fn checker() -> Checker {
    corrected(&Corrections::default())
}
fn contact(checker: &mut Checker, row: &RowBuffer) -> Result<ContactInput, Vec<Finding>> {
    match checker.row(row.row()).unwrap() {
        Outcome::Ready { contact, .. } => Ok(contact.contact().unwrap().into_inner()),
        Outcome::Failed(findings) => Err(findings.to_vec()),
        Outcome::Passed => panic!("no row"),
    }
}
fn verdict(mut checker: Checker, rows: &[&[&str]]) -> Verdict {
    for (i, cells) in rows.iter().enumerate() {
        checker.row(row(i as u64 + 2, cells).row()).unwrap();
    }
    checker.verdict()
}
fn duplicates(rows: &[&[&str]]) -> u64 {
    verdict(checker(), rows).duplicates
}

#[test]
fn a_row_becomes_a_contact_with_its_other_details_by_column_name() {
    let found = contact(&mut checker(), &row(2, &[" Åsa ", "asa@example.se", "", "Malmö", "x"])).unwrap();
    assert_eq!((found.name.as_str(), found.email.as_str()), ("Åsa", "asa@example.se"));
    assert_eq!(found.other_details.iter().collect::<Vec<_>>(), [(&"Ort".to_owned(), &"Malmö".to_owned())]);
    let found = contact(&mut checker(), &row(2, &["Åsa", "", "", "  ", ""])).unwrap();
    assert!(found.other_details.is_empty());
}

#[test]
fn a_finding_names_column_and_value() {
    let found = contact(&mut checker(), &row(7, &[" ", "asa(at)example.se"])).err().unwrap_or_default();
    let seen: Vec<_> = found.iter().map(|f| (f.column, f.value.as_str(), f.message.as_str())).collect();
    let address = "Please enter a valid email address";
    assert_eq!(seen, [(Some(0), " ", "Name is required"), (Some(1), "asa(at)example.se", address)]);
}

#[test]
fn rejects_a_row_with_a_cell_that_cannot_be_read_unless_it_is_left_out_or_corrected() {
    let line = ["Åsa", "", "#UNREADABLE!"];
    let findings = contact(&mut checker(), &row(2, &line)).unwrap_err();
    let expected = Finding { column: Some(2), value: line[2].into(), message: text::CELL_UNREADABLE.into() };
    assert_eq!(findings, [expected]);
    assert_eq!(
        contact(&mut checker(), &row(2, &["Åsa", "", "", "", "#UNREADABLE!"])).map(|c| c.name),
        Ok("Åsa".into())
    );
    let cell = CellCorrection { row: 2, file_column: "Tel".into(), value: "08-12 34 56".into() };
    let mut corrected = corrected(&Corrections { cells: vec![cell], ..Corrections::default() });
    assert_eq!(contact(&mut corrected, &row(2, &line)).map(|c| c.phone), Ok("08-12 34 56".into()));
}

#[test]
fn a_row_with_more_values_than_columns_is_refused_rather_than_cut() {
    let found = contact(&mut checker(), &row(3, &["Åsa", "", "", "", "", "Lund", "Skåne"])).err().unwrap_or_default();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "This row has 2 more values than the file has columns");
    assert_eq!((found[0].column, found[0].value.as_str()), (None, "Lund Skåne"));
}

#[test]
fn duplicates_are_told_by_email_else_by_name_and_phone() {
    assert_eq!(duplicates(&[&["A", "a@b.se"], &["B", "A@B.se"], &["A", "", "1"]]), 1);
    assert_eq!(duplicates(&[&["A", "", "070-12 34"], &["a", "", "0701234"], &["A", "", "2"], &["A"], &["A"]]), 2);
    // A row that isn't ready is no duplicate, and none repeats it.
    assert_eq!(duplicates(&[&["", "a@b.se"], &["A", "a@b.se"]]), 0);
}

#[test]
fn duplicates_that_are_refused_name_the_row_they_repeat() {
    let corrections = Corrections { duplicates: Duplicates::Refuse, ..Corrections::default() };
    let mut checker = corrected(&corrections);
    assert!(contact(&mut checker, &row(2, &["A", "a@b.se"])).is_ok());
    let found = contact(&mut checker, &row(5, &["B", "A@b.se"])).err().unwrap_or_default();
    assert_eq!((found[0].column, found[0].message.as_str()), (None, "This row repeats row 2"));
    let Verdict { total, ready, failed, duplicates, .. } = checker.verdict();
    assert_eq!((total, ready, failed, duplicates), (2, 1, 1, 1));
}

#[test]
fn corrected_cells_and_rows_left_out_count_as_they_are_corrected() {
    let cell = |row, file_column: &str, value: &str| CellCorrection {
        row,
        file_column: file_column.into(),
        value: value.into(),
    };
    let replace = |file_column: &str, from: &str, to: &str| Replacement {
        file_column: file_column.into(),
        from: from.into(),
        to: to.into(),
    };
    let corrections = Corrections {
        cells: vec![cell(2, "Namn", "Å"), cell(2, "Namn", "Åsa"), cell(4, "E-post", "kim@b.se")],
        replacements: vec![replace("E-post", "saknas", ""), replace("Namn", "", "Okänd")],
        left_out: vec![5],
        duplicates: Duplicates::Import,
    };
    let rows: [&[&str]; 4] = [&["", "saknas"], &[" ", " saknas "], &["Kim", "saknas"], &["", "x", "y", "", "", "z"]];
    let plain = verdict(checker(), &rows);
    assert_eq!((plain.total, plain.failed, plain.left_out), (4, 4, 0));
    let mut checker = corrected(&corrections);
    let names = ["Åsa", "Okänd", "Kim"];
    for (i, name) in names.into_iter().enumerate() {
        let found = contact(&mut checker, &row(i as u64 + 2, rows[i])).unwrap();
        assert_eq!((found.name.as_str(), found.email.as_str()), (name, if i == 2 { "kim@b.se" } else { "" }));
    }
    assert!(matches!(checker.row(row(5, rows[3]).row()), Ok(Outcome::Passed)));
    let Verdict { total, ready, failed, left_out, digest, .. } = checker.verdict();
    assert_eq!((total, ready, failed, left_out), (3, 3, 0, 1));
    assert_ne!(digest, plain.digest);
}

#[test]
fn a_correction_for_a_column_that_there_is_not_is_refused() {
    let cells = vec![CellCorrection { row: 2, file_column: "Land".into(), value: String::new() }];
    let errors = Patches::new(&["Namn".to_owned()], &Corrections { cells, ..Corrections::default() });
    assert_eq!(errors.unwrap_err()[0].message, "The file has no column “Land”. Choose the file again.");
}

#[test]
fn a_joined_name_can_be_wrong_and_be_corrected() {
    let sample = [row(1, &["Förnamn", "Efternamn"]), row(2, &["Åsa", "Öberg"])];
    let layout = Layout::of(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let mapping = [("Förnamn", "doNotImport"), ("Efternamn", "doNotImport"), ("Förnamn + Efternamn", "name")]
        .map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let cell = CellCorrection { row: 3, file_column: "Förnamn + Efternamn".into(), value: "Bo Ek".into() };
    let patches = Patches::new(layout.names(), &Corrections { cells: vec![cell], ..Corrections::default() }).unwrap();
    let mut checker = Checker::new(layout, plan, patches, &Limits::default());
    let (first, last) = ("Å".repeat(200), "Ö".repeat(200));
    let found = contact(&mut checker, &row(2, &[&first, &last])).err().unwrap_or_default();
    assert_eq!((found[0].column, found[0].value.as_str()), (Some(2), format!("{first} {last}").as_str()));
    assert_eq!(contact(&mut checker, &row(3, &[&first, &last])).unwrap().name, "Bo Ek");
}

#[test]
fn the_digest_tells_rows_apart_that_hold_the_same_text() {
    let digest = |number, cells: &[&str]| {
        let mut checker = checker();
        checker.row(row(number, cells).row()).unwrap();
        checker.verdict().digest
    };
    let one = digest(2, &["ab", "", "c"]);
    assert_eq!(one.len(), 16);
    assert_eq!(one, digest(2, &["ab", "", "c"]));
    assert_ne!(one, digest(2, &["a", "", "bc"]));
    assert_ne!(one, digest(2, &["ab", "c"]));
    assert_ne!(one, digest(3, &["ab", "", "c"]));
}

#[test]
fn one_row_too_many_is_told_with_the_number() {
    let limits = Limits { rows: 2, ..Limits::default() };
    let sample = [row(1, &["Namn"]), row(2, &["Åsa"])];
    let layout = Layout::of(&sample, Some(1), &limits, &mut Vec::new()).unwrap();
    let mapping = [ColumnMapping { file_column: "Namn".into(), model_column: "name".into() }];
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let mut checker = Checker::new(layout, plan, Patches::default(), &limits);
    for number in 1..4 {
        assert!(checker.row(row(number, &["Åsa"]).row()).is_ok());
    }
    assert_eq!(checker.row(row(4, &["Bo"]).row()).unwrap_err(), FileError::TooManyRows { most: 2 });
}

#[test]
fn details_that_are_too_long_together_are_refused_as_in_a_form() {
    let columns = ["Namn", "A", "B", "C", "D"];
    let sample = [row(1, &columns), row(2, &["Åsa"])];
    let layout = Layout::of(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let model = |column: &str| if column == "Namn" { "name" } else { "otherDetails" };
    let mapping = columns.map(|c| ColumnMapping { file_column: c.into(), model_column: model(c).into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let mut checker = Checker::new(layout, plan, Patches::default(), &Limits::default());
    let room = DETAILS_LENGTH_MAX - 4 - 3 * 30_000;
    for (last, refused) in [(room, false), (room + 1, true)] {
        let long = "å".repeat(30_000);
        let found = contact(&mut checker, &row(2, &["Åsa", &long, &long, &long, &"x".repeat(last)]));
        let told = found.err().map(|findings| findings.into_iter().map(|f| f.message).collect::<Vec<_>>());
        assert_eq!(told, refused.then(|| vec![crate::contacts::text::DETAILS_TOO_LONG.to_owned()]));
    }
}

/// A checker of two columns, a name and a detail with a long name of its own, within these limits.
fn limited(limits: &Limits) -> Checker {
    let columns = ["Namn", "Anteckningar om kunden och dess bilar"];
    let sample = [row(1, &columns), row(2, &["Åsa"])];
    let layout = Layout::of(&sample, Some(1), limits, &mut Vec::new()).unwrap();
    let mapping = columns.into_iter().zip(["name", "otherDetails"]);
    let mapping = mapping.map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let plan = Plan::new(layout.names(), &mapping.collect::<Vec<_>>()).unwrap();
    let packed = Checker::pack(&layout, &plan, &Patches::default(), limits);
    Checker::unpack(&packed).unwrap()
}

#[test]
fn v1_a_file_that_would_add_far_more_than_its_size_is_refused() {
    let limits = Limits { added_bytes: 100_000, ..Limits::default() };
    let mut checker = limited(&limits.for_file(2_000));
    let long = "x".repeat(30_000);
    let mut rows = (2..).map(|number| checker.row(row(number, &["Åsa", &long]).row()).map(|_| ()));
    let error = rows.find_map(Result::err);
    assert_eq!(error, Some(FileError::AddsTooMuch { most: 100_000 }));
    assert_eq!(checker.verdict().ready, 100_000 / 30_000 + 1);
}

#[test]
fn v1_a_file_of_ordinary_rows_may_be_as_large_as_its_limits() {
    let limits = Limits { added_bytes: 1_000, ..Limits::default() };
    let rows = 1_000;
    // Each row has at least ten bytes in any file.
    let mut checker = limited(&limits.for_file(rows * 10));
    assert!((2..2 + rows).all(|number| checker.row(row(number, &["Åsa", "Volvo"]).row()).is_ok()));
}

#[test]
fn v1_a_report_keeps_cut_cells_and_ends_where_it_is_full() {
    let limits = Limits { report_bytes: 10_000, ..Limits::default() };
    let mut checker = limited(&limits);
    let long = "x".repeat(30_000);
    let mut reported = Vec::new();
    for number in 2..200 {
        let failed = row(number, &["", &long]);
        assert!(matches!(checker.row(failed.row()), Ok(Outcome::Failed(_))));
        if checker.is_reported() {
            let cells = checker.reported_cells(failed.row());
            assert_eq!(cells[1].chars().count(), 201);
            reported.push(number);
        }
    }
    assert!(checker.reported_bytes() <= 10_000);
    assert!(reported.len() > 10 && reported.iter().copied().eq(2..2 + reported.len() as u64), "{reported:?}");
    assert_eq!(checker.verdict().failed, 198);
}

#[test]
fn cells_lose_control_characters_and_the_apostrophes_of_a_report() {
    let mut checker = limited(&Limits::default());
    let given = row(2, &["gpj.\u{202E}\u{1}Åsa\tÖberg", "1;'=1+1\n2"]);
    let found = contact(&mut checker, &given).unwrap();
    assert_eq!(
        (found.name.as_str(), found.other_details.values().next()),
        ("gpj.Åsa Öberg", Some(&"1;=1+1\n2".to_owned()))
    );
    assert_eq!(checker.reported_cells(given.row()), ["gpj.Åsa Öberg", "1;=1+1\n2"]);
}

proptest! {
    #[test]
    fn no_row_is_lost(rows in proptest::collection::vec(
        proptest::collection::vec("\\PC{0,6}|[ab]@b\\.se", 0..7), 0..40,
    )) {
        let mut checker = checker();
        let (mut ready, mut failed) = (0, 0);
        for (i, cells) in rows.iter().enumerate() {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            match checker.row(row(i as u64 + 2, &cells).row()).unwrap() {
                Outcome::Ready { contact, .. } => {
                    prop_assert!(contact.contact().is_ok());
                    ready += 1;
                }
                Outcome::Failed(findings) => {
                    prop_assert!(!findings.is_empty());
                    failed += 1;
                }
                Outcome::Passed => prop_assert!(cells.iter().all(|cell| cell.trim().is_empty())),
            }
        }
        let verdict = checker.verdict();
        prop_assert_eq!((verdict.ready, verdict.failed, verdict.total), (ready, failed, ready + failed));
        prop_assert!(verdict.duplicates <= verdict.ready.saturating_sub(1));
    }
}
