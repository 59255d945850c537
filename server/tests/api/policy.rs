//! The authorization matrix: every line of the policy table, as each of fifteen kinds of people, with their own ids and
//! with others'. What must happen follows from the table and from core's permission function; a line without a sample
//! fails, so nobody adds one unseen.

mod actors;
mod expect;
mod matrix;
mod rows;
pub mod samples;
pub mod world;

use forecourt::policy::TABLE;
use matrix::Matrix;
use samples::SAMPLES;
use std::io::Write;

#[tokio::test]
async fn t1_every_call_lets_in_whom_it_should_and_a_foreign_id_is_as_good_as_none() {
    let mut matrix = Matrix::new().await;
    for route in TABLE {
        let samples: Vec<_> = SAMPLES.iter().filter(|sample| sample.is_of(route)).collect();
        matrix.check(!samples.is_empty(), || format!("{:?} {} has no sample", route.verb, route.path));
        let ids = route.path.matches('{').count();
        for sample in samples {
            matrix.check(ids == usize::from(sample.id.is_some()), || format!("{}: what does its id name?", route.path));
            matrix.row(route, sample).await;
        }
    }
    for sample in SAMPLES {
        let is_used = TABLE.iter().any(|route| sample.is_of(route));
        matrix.check(is_used, || format!("{sample:?} is of no call"));
    }
    let Matrix { asserted, faults, .. } = matrix;
    let line =
        format!("authorization matrix: {asserted} assertions about {} calls and 15 kinds of people\n", TABLE.len());
    // Past what the test harness holds back.
    std::io::stdout().write_all(line.as_bytes()).unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(asserted > 2_000, "{asserted}");
}
