//! Messages about contacts.

pub const NAME_REQUIRED: &str = "Name is required";
pub const CREATED: &str = "Contact created successfully";
pub const LOAD_FAILED: &str = "Failed to load contacts";
pub const CREATE_FAILED: &str = "Failed to create contact";
pub const DETAILS_LOAD_FAILED: &str = "Failed to load contact details";
pub const TOO_MANY_DETAILS: &str = "Too many other details";
pub const DETAIL_TOO_LONG: &str = "One of the other details is too long";
pub const DETAILS_TOO_LONG: &str = "The other details are too long (maximum 100,000 characters in total)";
pub const UPDATED: &str = "Contact updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update contact";
pub const DELETED: &str = "Contact deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete contact";
pub const DELETE_QUESTION: &str = "Are you sure you want to delete this contact?";
pub const COMMENT_REQUIRED: &str = "Comment is required";
pub const COMMENT_ADDED: &str = "Comment added";
pub const COMMENT_ADD_FAILED: &str = "Failed to add comment";
pub const COMMENT_EDITED: &str = "Comment edited";
pub const COMMENT_EDIT_FAILED: &str = "Failed to edit comment";
pub const COMMENT_DELETED: &str = "Comment deleted";
pub const COMMENT_DELETE_FAILED: &str = "Failed to delete comment";
pub const COMMENT_DELETE_QUESTION: &str = "Are you sure you want to delete this comment?";
pub const NOT_COMMENT_AUTHOR: &str = "Only the author can edit this comment.";
pub const TOO_MANY_COMMENTS: &str = "A contact can have at most 1,000 comments. Delete one to add another.";
pub const COMMENTS_LOAD_FAILED: &str = "Failed to load older comments";
pub const NO_COMMENTS: &str = "No comments available";
/// Shown as the author of comments by deleted users.
pub const DELETED_USER: &str = "Deleted user";
