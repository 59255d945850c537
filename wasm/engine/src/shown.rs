//! The results of a check, as the screens show them.

use forecourt_core::import::{FileCheck, Problem, ProblemKind, Verdict};
use forecourt_core::message::Message;
use serde::Serialize;
use std::cmp::Reverse;
use tsify::Tsify;

/// How many kinds of problems are shown at most.
const MAX_KINDS: usize = 12;

/// The counts of a check. `total`, `ready`, `failed`, `left_out` and `duplicates` count rows, as in `Verdict`.
#[derive(Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    pub total: u64,
    pub ready: u64,
    pub failed: u64,
    pub left_out: u64,
    pub duplicates: u64,
    pub problems: u64,
    /// The number of problems that are stored and can be listed. The engine does not store all of them.
    pub listed: u32,
}

/// A group of problems with the same column and message.
#[derive(Serialize, Tsify)]
pub struct Kind {
    /// The kind's number, from 0, in the order in which the file's first problem of each kind occurred.
    pub place: u32,
    /// The column's index; -1 for a problem of the whole row.
    pub column: i32,
    pub message: Message,
    pub count: u64,
    /// The number of stored problems of this kind.
    pub listed: u32,
}

/// The most frequent kinds of problems, and the number of the other kinds.
#[derive(Default, Serialize, Tsify)]
pub struct Kinds {
    pub top: Vec<Kind>,
    pub more: u32,
}

/// A problem of a row, and the cells of that row; no cells if the row wasn't stored.
#[derive(Serialize, Tsify)]
pub struct ListedProblem {
    pub row: u32,
    /// The number of the problem's kind ([`Kind::place`]).
    pub kind: u32,
    /// The column's index; -1 for a problem of the whole row.
    pub column: i32,
    pub value: String,
    pub message: Message,
    pub cells: Vec<ListedCell>,
}

#[derive(Serialize, Tsify)]
pub struct ListedCell {
    pub column: u32,
    pub text: String,
}

impl Counts {
    pub(crate) fn of(check: &FileCheck) -> Self {
        let Verdict { total, ready, failed, left_out, duplicates, .. } = check.verdict();
        Counts {
            total,
            ready,
            failed,
            left_out,
            duplicates,
            problems: check.problems().count(),
            listed: check.problems().count_stored(None),
        }
    }
}

impl Kinds {
    pub(crate) fn of(check: &FileCheck) -> Self {
        let problems = check.problems();
        let mut kinds: Vec<(u32, &ProblemKind)> = (0..).zip(problems.kinds()).collect();
        let by_frequency = |&(place, kind): &(u32, &ProblemKind)| (Reverse(kind.count), place);
        if kinds.len() > MAX_KINDS {
            kinds.select_nth_unstable_by_key(MAX_KINDS, by_frequency);
        }
        let more = kinds.len().saturating_sub(MAX_KINDS) as u32;
        kinds.truncate(MAX_KINDS);
        kinds.sort_unstable_by_key(by_frequency);
        let top = kinds.into_iter().map(|(place, kind)| Kind {
            place,
            column: column_index(kind),
            message: kind.message.clone(),
            count: kind.count,
            listed: problems.count_stored(Some(place)),
        });
        Kinds { top: top.collect(), more }
    }
}

impl ListedProblem {
    pub(crate) fn of(problem: Problem<'_>, kinds: &[ProblemKind]) -> Self {
        let kind = &kinds[problem.kind as usize];
        let cells = problem.cells.row().cells();
        ListedProblem {
            row: problem.row,
            kind: problem.kind,
            column: column_index(kind),
            value: problem.value.to_owned(),
            message: kind.message.clone(),
            cells: cells.map(|(column, text)| ListedCell { column: column as u32, text: text.to_owned() }).collect(),
        }
    }
}

fn column_index(kind: &ProblemKind) -> i32 {
    i32::try_from(kind.column).unwrap_or(-1)
}
