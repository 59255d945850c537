//! Why the work on an import ends before the import is completed.

use super::reader::Unread;

/// Why an import isn't completed by this claim.
pub(super) enum Halt {
    /// The program is being stopped.
    Stopped,
    /// It has had its turn, and another tenant's import waits.
    GivesWay,
    /// Another worker has it.
    Lost,
    /// It can't be completed, ever; in a sentence.
    Failed(String),
    /// Something is down or full, which may pass.
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
