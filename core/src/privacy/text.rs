//! Messages about personal data.

use crate::message::messages;

/// The content of the file `README.txt` in an export of personal data.
pub const README: &str = "This archive contains everything that is stored about one person in this corporation.\n\n\
    data.json has all of it: contacts with their comments and other details, customers, invoices, agreements, records in the\n\
    trash, the history of these records, the imports that contacts came from (only names and times), rows that could not\n\
    be imported, comments that a merge moved to another contact, notes of vehicles and saved views with the email address,\n\
    changes of other records that had it once, and the account of a user with it. The other files have most of it as\n\
    tables, for spreadsheet programs, and pictures.\n\n\
    Contacts and customers are found by the email address, invoices by it or by their customer, and agreements only by\n\
    their customer. Other texts that mention the person are not included.\n";

messages! {
    "privacy.";
    EMAIL_REQUIRED = "Enter an email address";
    NOTHING_HELD = "Nothing is stored about this email address.";
    ERASED = "The personal data was erased";
    FOR_ACCOUNTING = "Accounting law requires that invoices are kept with the customer's name, what was sold, the dates and the amount.";
    AGREEMENTS_FOR_ACCOUNTING = "Accounting law requires that signed, delivered and closed agreements are kept with the customer's name.";
    FROM_AGREEMENTS = "These values follow from the customer's agreements. What was typed instead of them is erased.";
    WITH_ACCOUNT = "This is the account of a user. Delete the user to delete it.";
    ENDED_IMPORT = "An import that has ended has only the file's name, its times and the numbers of its rows.";
    NOT_PERSONAL = "Such entries contain no personal data, or only what is kept of an invoice.";
    WITH_IMPORT = "A file that is being imported now may contain the person. The file is deleted when the import ends. Erase again after that.";
}
