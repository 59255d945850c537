//! Messages about views.

use crate::message::messages;

messages! {
    "views.";
    NAME_REQUIRED = "Name is required";
    NAME_TAKEN = "A view with this name already exists";
    DENSITY_INVALID = "The density must be 'comfortable' or 'compact'";
    SCOPE_INVALID = "The scope must be 'mine' or 'shared'";
    SAME_COLUMN = "A view can have each column only once. Remove one of them.";
    TOO_LARGE = "The view is too large. Use fewer or shorter values in its filter.";
    NOT_OWNER = "Only its owner and administrators can change a shared view.";
    CREATED = "View saved";
    UPDATED = "View updated";
    DELETED = "View deleted";
    fn too_many_columns(count: u64) = "A view can have at most {count} columns. Remove some.";
    fn wrong_width(most: u64) = "The width must be between 1 and {most} pixels.";
    fn too_many_views(count: u64) = "You can save at most {count} views of a list. Delete one first.";
    fn too_many_shared(count: u64) = "A list can have at most {count} shared views. Delete one first.";
}
