//! The sentences of imports (specification sections 5 and 8).

pub const PREVIEW_FAILED: &str = "Failed to preview import file";
pub const SUBMIT_FAILED: &str = "Failed to import contacts";
pub const MAP_ALL: &str = "Please map all columns before importing";
pub const COMPLETED: &str = "Import completed successfully!";
pub const FAILED: &str = "Import failed. Please try again.";
pub const CONNECTION_LOST: &str = "Connection lost. The import continues on the server.";
pub const ACCEPTED: &str = "The import has started";
