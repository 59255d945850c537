//! Messages about contacts.

use crate::message::messages;

messages! {
    "contacts.";
    NAME_REQUIRED = "Name is required";
    CREATED = "Contact created successfully";
    TOO_MANY_DETAILS = "Too many other details";
    DETAIL_TOO_LONG = "One of the other details is too long";
    DETAILS_TOO_LONG = "The other details are too long (maximum 100,000 characters in total)";
    UPDATED = "Contact updated successfully";
    DELETED = "Contact deleted successfully";
    HAS_AGREEMENTS = "A contact of a signed or delivered agreement can't be deleted. Merge it with another contact.";
    COMMENT_REQUIRED = "Comment is required";
    COMMENT_ADDED = "Comment added";
    COMMENT_EDITED = "Comment edited";
    COMMENT_DELETED = "Comment deleted";
    NOT_COMMENT_AUTHOR = "Only the author can edit this comment.";
    TOO_MANY_COMMENTS = "A contact can have at most 1,000 comments. Delete one to add another.";
}
