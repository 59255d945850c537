//! The error type of imports.

use crate::platform::error::ApiError;
use forecourt_core::form::FieldError;
use forecourt_core::import::{FileError, text};
use forecourt_core::message::Message;

/// Why a file is not read, or a claimed import is not completed.
#[derive(Debug)]
pub enum ImportError {
    /// The file cannot be imported. Contains the message for the user.
    Rejected { message: Message, too_large: bool },
    /// A temporary error, such as an unavailable database, a full disk, or a child process that cannot be started.
    Temporary(String),
    /// The server is shutting down.
    Stopped,
    /// The import has used its time slice, and another tenant's import is waiting.
    Preempted,
    /// Another worker has claimed the import, or it was cancelled.
    Lost,
}

impl ImportError {
    pub fn unreadable() -> Self {
        ImportError::Rejected { message: text::FILE_UNREADABLE.into(), too_large: false }
    }
}

impl From<FileError> for ImportError {
    fn from(error: FileError) -> Self {
        let too_large = matches!(error, FileError::TooLarge { .. });
        ImportError::Rejected { message: error.message(), too_large }
    }
}

impl From<Vec<FieldError>> for ImportError {
    fn from(errors: Vec<FieldError>) -> Self {
        let message = errors.into_iter().next().map_or_else(|| text::FILE_UNREADABLE.into(), |error| error.message);
        ImportError::Rejected { message, too_large: false }
    }
}

impl From<sqlx::Error> for ImportError {
    fn from(error: sqlx::Error) -> Self {
        ImportError::Temporary(error.to_string())
    }
}

impl From<std::io::Error> for ImportError {
    fn from(error: std::io::Error) -> Self {
        ImportError::Temporary(error.to_string())
    }
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Rejected { message, too_large: true } => ApiError::FileTooLarge(message),
            ImportError::Rejected { message, too_large: false } => ApiError::invalid(message),
            error => {
                tracing::error!(?error, "the program that reads files can't be started");
                ApiError::Unavailable
            }
        }
    }
}
