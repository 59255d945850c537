//! Reads and checks a file from disk, as an import does, and prints the wall-clock time, CPU time, peak memory and
//! verdict as JSON. `make bench-import` compares it with the same code in a browser.
//!
//! Arguments: the file, and optionally `preview` to stop at the first rows.

#[path = "../tests/checker/mod.rs"]
mod checker;

use checker::suggested_checker;
use forecourt_core::import::{Blob, FileCheck, Limits, ReadOptions, Source};
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::time::Instant;

/// The number of rows in the preview.
const PREVIEW: usize = 50;

struct Disk(File, u64);

impl Blob for Disk {
    fn size(&self) -> u64 {
        self.1
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.0.seek(SeekFrom::Start(offset))?;
        let mut done = 0;
        while done < into.len() {
            match self.0.read(&mut into[done..])? {
                0 => break,
                read => done += read,
            }
        }
        Ok(done)
    }
}

/// Returns a value of `/proc/self/status` in kB; 0 on other systems.
fn kilobytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()).unwrap_or(0)
}

/// Returns the CPU time of this thread in milliseconds; 0 on other systems.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("Usage: check_file FILE [preview]")?;
    let is_preview = arguments.next().is_some_and(|mode| mode == "preview");
    let memory_before = kilobytes("VmRSS:");
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let (start, cpu_before) = (Instant::now(), cpu_time());
    let file = File::open(&path)?;
    let size = file.metadata()?.len();
    let mut source =
        Source::open(&path, Disk(file, size), &options, PREVIEW, &limits).map_err(|e| e.message().to_string())?;
    let checker = suggested_checker(&source, &limits.for_file(size)).map_err(|errors| format!("{errors:?}"))?;
    let mut check = FileCheck::new(checker);
    if !is_preview {
        source
            .rows(&mut |row| check.check_row(row).map(|()| ControlFlow::Continue(())))
            .map_err(|error| error.message().to_string())?;
    }
    let (ms, cpu) = (start.elapsed().as_secs_f64() * 1e3, cpu_time() - cpu_before);
    let peak = kilobytes("VmHWM:").saturating_sub(memory_before);
    println!("{}", serde_json::json!({ "ms": ms, "cpu": cpu, "peak": peak, "verdict": check.verdict() }));
    Ok(())
}
