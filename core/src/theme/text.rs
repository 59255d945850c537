//! Messages about theme and logo.

pub const COLOR_INVALID: &str = "Enter a colour as # and six hexadecimal digits";
pub const SCOPE_INVALID: &str = "The scope must be 'user' or 'corporation'";
pub const APPLIED: &str = "Theme color applied successfully";
pub const APPLY_FAILED: &str = "Failed to apply theme color";
pub const UPDATE_FAILED: &str = "Failed to update theme color";
pub const LOGO_UPLOADED: &str = "Logo uploaded successfully";
pub const LOGO_UPLOAD_FAILED: &str = "Failed to upload logo";
pub const LOGO_REMOVED: &str = "Logo removed successfully";
pub const LOGO_REMOVE_FAILED: &str = "Failed to remove logo";
