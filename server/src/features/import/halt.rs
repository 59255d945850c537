//! Reasons why work on an import ends before it is completed.

use super::reader::Unread;

/// Why this claim does not complete the import.
pub(super) enum Halt {
    /// The server is shutting down.
    Stopped,
    /// It has used its time slice, and another tenant's import is waiting.
    GivesWay,
    /// Another worker has claimed it, or it was cancelled.
    Lost,
    /// It can never be completed. Contains the message for the user.
    Failed(String),
    /// A temporary error, such as an unavailable database or a full disk.
    Later(String),
}

impl From<sqlx::Error> for Halt {
    fn from(error: sqlx::Error) -> Self {
        Halt::Later(error.to_string())
    }
}

impl From<std::io::Error> for Halt {
    fn from(error: std::io::Error) -> Self {
        Halt::Later(error.to_string())
    }
}

impl From<Unread> for Halt {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Refused { message, .. } => Halt::Failed(message),
            Unread::Fault(error) => Halt::Later(error.to_string()),
        }
    }
}
