use super::*;
use crate::import::row::row;
use crate::import::{CellCorrection, ColumnMapping, Corrections, Replacement};
use proptest::prelude::*;

const COLUMNS: [(&str, &str); 5] =
    [("Namn", "name"), ("E-post", "email"), ("Tel", "phone"), ("Ort", "otherDetails"), ("Internt", "doNotImport")];

fn checker_with(corrections: &Corrections) -> Checker {
    let sample = [row(1, &COLUMNS.map(|(file, _)| file)), row(2, &["Åsa"])];
    let layout = Layout::detect(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let mapping = COLUMNS.map(|(f, m)| ColumnMapping { file_column: f.into(), model_column: m.into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let patches = Patches::new(layout.names(), corrections).unwrap();
    Checker::new(layout, plan, patches, &Limits::default())
}
fn checker() -> Checker {
    checker_with(&Corrections::default())
}
fn check_row(checker: &mut Checker, row: &RowBuffer) -> Result<ContactInput, Vec<Finding>> {
    match checker.check_row(row.row()).unwrap() {
        Outcome::Ready { contact, .. } => Ok(contact.contact().unwrap().into_inner()),
        Outcome::Failed(findings) => Err(findings.to_vec()),
        Outcome::Skipped => panic!("no row"),
    }
}
fn verdict_of(mut checker: Checker, rows: &[&[&str]]) -> Verdict {
    for (i, cells) in rows.iter().enumerate() {
        checker.check_row(row(i as u64 + 2, cells).row()).unwrap();
    }
    checker.verdict()
}
fn count_duplicates(rows: &[&[&str]]) -> u64 {
    verdict_of(checker(), rows).duplicates
}

#[test]
fn a_row_becomes_a_contact_with_its_other_details_by_column_name() {
    let found = check_row(&mut checker(), &row(2, &[" Åsa ", "asa@example.se", "", "Malmö", "x"])).unwrap();
    assert_eq!((found.name.as_str(), found.email.as_str()), ("Åsa", "asa@example.se"));
    assert_eq!(found.other_details.iter().collect::<Vec<_>>(), [(&"Ort".to_owned(), &"Malmö".to_owned())]);
    let found = check_row(&mut checker(), &row(2, &["Åsa", "", "", "  ", ""])).unwrap();
    assert!(found.other_details.is_empty());
}

#[test]
fn a_finding_names_column_and_value() {
    let found = check_row(&mut checker(), &row(7, &[" ", "asa(at)example.se"])).err().unwrap_or_default();
    let seen: Vec<_> = found.iter().map(|f| (f.column, f.value.as_str(), f.message.as_str())).collect();
    let address = "Please enter a valid email address";
    assert_eq!(seen, [(Some(0), " ", "Name is required"), (Some(1), "asa(at)example.se", address)]);
}

#[test]
fn rejects_an_unreadable_cell_unless_not_imported_or_corrected() {
    let line = ["Åsa", "", "#UNREADABLE!"];
    let findings = check_row(&mut checker(), &row(2, &line)).unwrap_err();
    let expected = Finding { column: Some(2), value: line[2].into(), message: text::CELL_UNREADABLE.into() };
    assert_eq!(findings, [expected]);
    assert_eq!(
        check_row(&mut checker(), &row(2, &["Åsa", "", "", "", "#UNREADABLE!"])).map(|c| c.name),
        Ok("Åsa".into())
    );
    let cell = CellCorrection { row: 2, file_column: "Tel".into(), value: "08-12 34 56".into() };
    let mut corrected = checker_with(&Corrections { cells: vec![cell], ..Corrections::default() });
    assert_eq!(check_row(&mut corrected, &row(2, &line)).map(|c| c.phone), Ok("08-12 34 56".into()));
}

#[test]
fn rejects_a_row_with_more_values_than_columns() {
    let found = check_row(&mut checker(), &row(3, &["Åsa", "", "", "", "", "Lund", "Skåne"])).err().unwrap_or_default();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "This row has 2 more values than the file has columns");
    assert_eq!((found[0].column, found[0].value.as_str()), (None, "Lund Skåne"));
}

#[test]
fn finds_duplicates_by_email_or_else_by_name_and_phone() {
    assert_eq!(count_duplicates(&[&["A", "a@b.se"], &["B", "A@B.se"], &["A", "", "1"]]), 1);
    assert_eq!(count_duplicates(&[&["A", "", "070-12 34"], &["a", "", "0701234"], &["A", "", "2"], &["A"], &["A"]]), 2);
    // An invalid row is neither a duplicate nor the original of one.
    assert_eq!(count_duplicates(&[&["", "a@b.se"], &["A", "a@b.se"]]), 0);
}

#[test]
fn rejected_duplicates_name_the_earlier_row() {
    let corrections = Corrections { duplicates: Duplicates::Refuse, ..Corrections::default() };
    let mut checker = checker_with(&corrections);
    assert!(check_row(&mut checker, &row(2, &["A", "a@b.se"])).is_ok());
    let found = check_row(&mut checker, &row(5, &["B", "A@b.se"])).err().unwrap_or_default();
    assert_eq!((found[0].column, found[0].message.as_str()), (None, "This row repeats row 2"));
    let Verdict { total, ready, failed, duplicates, .. } = checker.verdict();
    assert_eq!((total, ready, failed, duplicates), (2, 1, 1, 1));
}

#[test]
fn applies_corrections_and_left_out_rows() {
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
    let plain = verdict_of(checker(), &rows);
    assert_eq!((plain.total, plain.failed, plain.left_out), (4, 4, 0));
    let mut checker = checker_with(&corrections);
    let names = ["Åsa", "Okänd", "Kim"];
    for (i, name) in names.into_iter().enumerate() {
        let found = check_row(&mut checker, &row(i as u64 + 2, rows[i])).unwrap();
        assert_eq!((found.name.as_str(), found.email.as_str()), (name, if i == 2 { "kim@b.se" } else { "" }));
    }
    assert!(matches!(checker.check_row(row(5, rows[3]).row()), Ok(Outcome::Skipped)));
    let Verdict { total, ready, failed, left_out, digest, .. } = checker.verdict();
    assert_eq!((total, ready, failed, left_out), (3, 3, 0, 1));
    assert_ne!(digest, plain.digest);
}

#[test]
fn rejects_a_correction_of_an_unknown_column() {
    let cells = vec![CellCorrection { row: 2, file_column: "Land".into(), value: String::new() }];
    let errors = Patches::new(&["Namn".to_owned()], &Corrections { cells, ..Corrections::default() });
    assert_eq!(errors.unwrap_err()[0].message, "The file has no column “Land”. Choose the file again.");
}

#[test]
fn a_joined_name_can_be_invalid_and_corrected() {
    let sample = [row(1, &["Förnamn", "Efternamn"]), row(2, &["Åsa", "Öberg"])];
    let layout = Layout::detect(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let mapping = [("Förnamn", "doNotImport"), ("Efternamn", "doNotImport"), ("Förnamn + Efternamn", "name")]
        .map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let cell = CellCorrection { row: 3, file_column: "Förnamn + Efternamn".into(), value: "Bo Ek".into() };
    let patches = Patches::new(layout.names(), &Corrections { cells: vec![cell], ..Corrections::default() }).unwrap();
    let mut checker = Checker::new(layout, plan, patches, &Limits::default());
    let (first, last) = ("Å".repeat(200), "Ö".repeat(200));
    let found = check_row(&mut checker, &row(2, &[&first, &last])).err().unwrap_or_default();
    assert_eq!((found[0].column, found[0].value.as_str()), (Some(2), format!("{first} {last}").as_str()));
    assert_eq!(check_row(&mut checker, &row(3, &[&first, &last])).unwrap().name, "Bo Ek");
}

#[test]
fn digest_depends_on_cells_and_row_numbers() {
    let digest = |number, cells: &[&str]| {
        let mut checker = checker();
        checker.check_row(row(number, cells).row()).unwrap();
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
fn error_for_too_many_rows_names_the_limit() {
    let limits = Limits { rows: 2, ..Limits::default() };
    let sample = [row(1, &["Namn"]), row(2, &["Åsa"])];
    let layout = Layout::detect(&sample, Some(1), &limits, &mut Vec::new()).unwrap();
    let mapping = [ColumnMapping { file_column: "Namn".into(), model_column: "name".into() }];
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let mut checker = Checker::new(layout, plan, Patches::default(), &limits);
    for number in 1..4 {
        assert!(checker.check_row(row(number, &["Åsa"]).row()).is_ok());
    }
    assert_eq!(checker.check_row(row(4, &["Bo"]).row()).unwrap_err(), FileError::TooManyRows { max: 2 });
}

#[test]
fn rejects_details_that_are_too_long_in_total() {
    let columns = ["Namn", "A", "B", "C", "D"];
    let sample = [row(1, &columns), row(2, &["Åsa"])];
    let layout = Layout::detect(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let model = |column: &str| if column == "Namn" { "name" } else { "otherDetails" };
    let mapping = columns.map(|c| ColumnMapping { file_column: c.into(), model_column: model(c).into() });
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let mut checker = Checker::new(layout, plan, Patches::default(), &Limits::default());
    let room = DETAILS_LENGTH_MAX - 4 - 3 * 30_000;
    for (last, is_rejected) in [(room, false), (room + 1, true)] {
        let long = "å".repeat(30_000);
        let found = check_row(&mut checker, &row(2, &["Åsa", &long, &long, &long, &"x".repeat(last)]));
        let messages = found.err().map(|findings| findings.into_iter().map(|f| f.message).collect::<Vec<_>>());
        assert_eq!(messages, is_rejected.then(|| vec![crate::contacts::text::DETAILS_TOO_LONG.to_owned()]));
    }
}

const DETAIL: &str = "Anteckningar om kunden och dess bilar";

/// A checker with these limits for two columns: a name, and a detail with a long column name.
fn limited(limits: &Limits) -> Checker {
    limited_with(limits, &Corrections::default())
}

fn limited_with(limits: &Limits, corrections: &Corrections) -> Checker {
    let columns = ["Namn", DETAIL];
    let sample = [row(1, &columns), row(2, &["Åsa"])];
    let layout = Layout::detect(&sample, Some(1), limits, &mut Vec::new()).unwrap();
    let mapping = columns.into_iter().zip(["name", "otherDetails"]);
    let mapping = mapping.map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let plan = Plan::new(layout.names(), &mapping.collect::<Vec<_>>()).unwrap();
    let patches = Patches::new(layout.names(), corrections).unwrap();
    Checker::new(layout, plan, patches, limits)
}

#[test]
fn v1_rejects_a_file_that_adds_far_more_than_its_size_to_the_database() {
    let limits = Limits { added_bytes: 100_000, ..Limits::default() };
    let mut checker = limited(&limits.for_file(2_000));
    let long = "x".repeat(30_000);
    let mut rows = (2..).map(|number| checker.check_row(row(number, &["Åsa", &long]).row()).map(|_| ()));
    let error = rows.find_map(Result::err);
    assert_eq!(error, Some(FileError::AddsTooMuch { max: 100_000 }));
    assert_eq!(checker.verdict().ready, 100_000 / 30_000 + 1);
}

#[test]
fn v1_accepts_ordinary_rows_up_to_the_limits() {
    let limits = Limits { added_bytes: 1_000, ..Limits::default() };
    let rows = 1_000;
    // As large as such rows are in CSV.
    let mut checker = limited(&limits.for_file(rows * 10));
    assert!((2..2 + rows).all(|number| checker.check_row(row(number, &["Åsa", "Volvo"]).row()).is_ok()));
}

#[test]
fn v1_report_has_whole_cells_and_stops_when_full() {
    let limits = Limits { report_bytes: 1_000_000, ..Limits::default() };
    let mut checker = limited(&limits);
    let long = "x".repeat(30_000);
    let mut reported = Vec::new();
    for number in 2..200 {
        let failed = row(number, &["", &long]);
        assert!(matches!(checker.check_row(failed.row()), Ok(Outcome::Failed(_))));
        if checker.is_reported() {
            assert_eq!(checker.reported_cells()[1], long);
            reported.push(number);
        }
    }
    assert!(checker.reported_bytes() <= 1_000_000);
    assert!(reported.len() > 10 && reported.iter().copied().eq(2..2 + reported.len() as u64), "{reported:?}");
    assert_eq!(checker.verdict().failed, 198);
}

#[test]
fn cells_lose_control_characters_and_the_apostrophes_of_a_report() {
    let mut checker = limited(&Limits::default());
    let given = row(2, &["gpj.\u{202E}\u{1}Åsa\tÖberg", "1;'=1+1\n2"]);
    let found = check_row(&mut checker, &given).unwrap();
    assert_eq!(
        (found.name.as_str(), found.other_details.values().next()),
        ("gpj.Åsa Öberg", Some(&"1;=1+1\n2".to_owned()))
    );
    assert!(check_row(&mut checker, &row(3, &["\u{1}", "1;'=1+1\n\u{202E}2"])).is_err());
    assert_eq!(checker.reported_cells(), ["", "1;=1+1\n2"]);
}

#[test]
fn a_reported_row_has_the_corrections() {
    let cells = vec![CellCorrection { row: 2, file_column: "Namn".into(), value: "Åsa".into() }];
    let replacements = vec![Replacement { file_column: "Ort".into(), from: "Sthlm".into(), to: "Stockholm".into() }];
    let mut checker = checker_with(&Corrections { cells, replacements, ..Corrections::default() });
    assert!(check_row(&mut checker, &row(2, &["", "asa(at)example.se", "", "Sthlm"])).is_err());
    assert_eq!(checker.reported_cells(), ["Åsa", "asa(at)example.se", "", "Stockholm"]);
    // A valid row in between is not reported.
    assert!(check_row(&mut checker, &row(3, &["Bo"])).is_ok());
    assert!(check_row(&mut checker, &row(4, &["Cid", "cid(at)example.se"])).is_err());
    assert_eq!(checker.reported_cells(), ["Cid", "cid(at)example.se"]);
}

#[test]
fn a_reported_row_has_the_corrected_name_in_the_column_of_the_first_name() {
    let sample = [row(1, &["Efternamn", "Ort", "Förnamn", "E-post"]), row(2, &["Öberg", "Lund", "Åsa"])];
    let layout = Layout::detect(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let mapping = [("Efternamn", "doNotImport"), ("Ort", "otherDetails"), ("Förnamn", "doNotImport")]
        .into_iter()
        .chain([("E-post", "email"), ("Förnamn + Efternamn", "name")])
        .map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let plan = Plan::new(layout.names(), &mapping.collect::<Vec<_>>()).unwrap();
    let replacement = |from: &str, to: &str| Replacement {
        file_column: "Förnamn + Efternamn".into(),
        from: from.into(),
        to: to.into(),
    };
    let replacements = vec![replacement("Ek", "Bo Ek"), replacement("", "Cid Dahl")];
    let corrections = Corrections { replacements, ..Corrections::default() };
    let patches = Patches::new(layout.names(), &corrections).unwrap();
    let mut checker = Checker::new(layout, plan, patches, &Limits::default());
    for (cells, expected) in [
        (["Ek", "Lund", "", "x"], ["", "Lund", "Bo Ek", "x"]),
        (["", "Malmö", "", "x"], ["", "Malmö", "Cid Dahl", "x"]),
        (["Öberg", "Ystad", "Åsa", "x"], ["Öberg", "Ystad", "Åsa", "x"]),
    ] {
        assert!(check_row(&mut checker, &row(2, &cells)).is_err());
        assert_eq!(checker.reported_cells(), expected);
    }
}

#[test]
fn the_size_of_the_report_counts_corrections() {
    let limits = Limits { report_bytes: 100_000, ..Limits::default() };
    let long = "x".repeat(30_000);
    let replacements = vec![Replacement { file_column: DETAIL.into(), from: "a".into(), to: long.clone() }];
    let mut checker = limited_with(&limits, &Corrections { replacements, ..Corrections::default() });
    let reported = (2..22).filter(|&number| {
        assert!(matches!(checker.check_row(row(number, &["", "a"]).row()), Ok(Outcome::Failed(_))));
        checker.is_reported()
    });
    assert_eq!(reported.count(), 3);
    assert_eq!(checker.reported_cells(), ["", long.as_str()]);
}

proptest! {
    #[test]
    fn every_row_is_ready_failed_or_blank(rows in proptest::collection::vec(
        proptest::collection::vec("\\PC{0,6}|[ab]@b\\.se", 0..7), 0..40,
    )) {
        let mut checker = checker();
        let (mut ready, mut failed) = (0, 0);
        for (i, cells) in rows.iter().enumerate() {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            match checker.check_row(row(i as u64 + 2, &cells).row()).unwrap() {
                Outcome::Ready { contact, .. } => {
                    prop_assert!(contact.contact().is_ok());
                    ready += 1;
                }
                Outcome::Failed(findings) => {
                    prop_assert!(!findings.is_empty());
                    failed += 1;
                }
                Outcome::Skipped => prop_assert!(cells.iter().all(|cell| cell.trim().is_empty())),
            }
        }
        let verdict = checker.verdict();
        prop_assert_eq!((verdict.ready, verdict.failed, verdict.total), (ready, failed, ready + failed));
        prop_assert!(verdict.duplicates <= verdict.ready.saturating_sub(1));
    }
}
