//! The settings of imports.

use crate::platform::clock::DAY;
use clap::Args;
use forecourt_core::import::Limits;

/// Heading in the help text.
pub const HEADING: &str = "Companies and imports";

/// The most that the fields beside the file take, in bytes: the column mapping and the corrections.
pub const MAX_FIELDS_BYTES: usize = 41 << 20;

#[derive(Args, Clone, Debug)]
pub struct ImportConfig {
    /// Maximum size of an imported CSV file
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_CSV_MB", default_value_t = 256, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=2048))]
    pub import_csv_mb: u32,

    /// Maximum size of an imported workbook
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_EXCEL_MB", default_value_t = 64, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=512))]
    pub import_excel_mb: u32,

    /// Maximum number of rows of an imported file
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_ROWS", default_value_t = 1_048_576, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    pub import_rows: u32,

    /// What one file may add to the database, however small it is
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_ADDED_MB", default_value_t = 64, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub import_added_mb: u32,

    /// How many times its own size a file may add to the database, if that is more
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_ADDED_FACTOR", default_value_t = 40, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub import_added_factor: u32,

    /// Maximum size of an import's report of failed rows; further rows are only counted
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_REPORT_MB", default_value_t = 32, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub import_report_mb: u32,

    /// Maximum size of one corporation's files that are not imported yet and its reports of failed rows, together
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_STORED_MB", default_value_t = 2048, value_name = "MEGABYTES",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub import_stored_mb: u32,

    /// Number of parallel imports, each of another corporation; each takes up to 1 GB of memory
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_WORKERS", default_value_t = 3, value_name = "NUMBER",
          value_parser = clap::value_parser!(u8).range(2..=16))]
    pub import_workers: u8,

    /// How long a finished import is kept with its report of failed rows; the contacts stay
    #[arg(long, help_heading = HEADING, env = "FORECOURT_IMPORT_DAYS", default_value_t = 90, value_name = "DAYS",
          value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub import_days: u32,
}

impl ImportConfig {
    /// Returns the limits on imported files, in the browser and on the server.
    pub fn limits(&self) -> Limits {
        Limits {
            csv_bytes: u64::from(self.import_csv_mb) << 20,
            excel_bytes: u64::from(self.import_excel_mb) << 20,
            rows: u64::from(self.import_rows),
            added_bytes: u64::from(self.import_added_mb) << 20,
            added_factor: u64::from(self.import_added_factor),
            report_bytes: u64::from(self.import_report_mb) << 20,
            ..Limits::default()
        }
    }

    /// Returns the largest form with a file to import, in bytes.
    pub fn max_form_bytes(&self) -> usize {
        let Limits { csv_bytes, excel_bytes, .. } = self.limits();
        usize::try_from(csv_bytes.max(excel_bytes)).unwrap_or(usize::MAX).saturating_add(MAX_FIELDS_BYTES)
    }

    /// Returns how long a finished import is retained, in microseconds.
    pub fn retention(&self) -> i64 {
        i64::from(self.import_days) * DAY
    }

    /// Returns how many bytes the files and reports of one tenant's imports may take.
    pub fn max_stored_bytes(&self) -> u64 {
        u64::from(self.import_stored_mb) << 20
    }
}
