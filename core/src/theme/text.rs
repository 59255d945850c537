//! Messages about theme and logo.

use crate::message::messages;

messages! {
    "theme.";
    COLOR_INVALID = "Enter a colour as # and six hexadecimal digits";
    SCOPE_INVALID = "The scope must be 'user' or 'corporation'";
    APPLIED = "Theme color applied successfully";
    LOGO_UPLOADED = "Logo uploaded successfully";
    LOGO_REMOVED = "Logo removed successfully";

    // The predefined colours.
    BLUE = "Blue";
    INDIGO = "Indigo";
    PURPLE = "Purple";
    PINK = "Pink";
    RED = "Red";
    ORANGE = "Orange";
    YELLOW = "Yellow";
    GREEN = "Green";
    TEAL = "Teal";
    CYAN = "Cyan";
}
