//! Messages about imports (docs/product.md 8).

use super::ModelColumn;
use crate::text::digits;

pub const PREVIEW_FAILED: &str = "Failed to preview import file";
pub const SUBMIT_FAILED: &str = "Failed to import contacts";
pub const MAP_ALL: &str = "Please map all columns before importing";
pub const COMPLETED: &str = "Import completed successfully!";
pub const FAILED: &str = "Import failed. Please try again.";
pub const CANCELLED: &str = "The import was cancelled. The contacts imported until then are kept.";
pub const OVER: &str = "This import is over already, so it can't be cancelled any more.";
pub const CONNECTION_LOST: &str = "Connection lost. The import continues on the server.";
pub const LIST_FAILED: &str = "Failed to load imports";
pub const CANCEL_FAILED: &str = "Failed to cancel the import";
pub const FAILED_ROWS_FAILED: &str = "Failed to download the failed rows";
pub const DIFFERS: &str = "The server came to another result than the browser that sent this file. What you see here is \
     the server's.";
pub const TOO_MANY_UNFINISHED: &str =
    "Too many imports of your corporation are still being worked on. Please try again when they are done.";
pub const DELETED: &str = "Import deleted.";
pub const DELETE_FAILED: &str = "Failed to delete the import";
pub const NOT_OVER: &str = "This import is still being worked on. Cancel it before you delete it.";
pub const FILE_CHANGED: &str = "The file has changed since it was read. Choose it again.";
pub const ACCEPTED: &str = "The import has started";

// Why an upload is rejected.
pub const NOT_A_FORM: &str = "The file must be sent as a form (multipart/form-data), in its field “file”.";
pub const UPLOAD_BROKEN_OFF: &str = "The upload broke off before the whole file had arrived. Please try again.";
pub const NO_FILE: &str = "Please choose a file to import";
pub const TWO_FILES: &str = "Please import one file at a time";
pub const NO_FILE_NAME: &str = "The file has no name. Choose a file that ends in .csv, .xlsx or .xls.";
pub const MAPPING_UNREADABLE: &str =
    "The field “columnMapping” must be a list such as [{\"fileColumn\": \"Namn\", \"modelColumn\": \"name\"}].";
pub const OPTIONS_UNREADABLE: &str =
    "The field “options” must be an object such as {\"delimiter\": \";\", \"header\": 1}.";
pub const CORRECTIONS_UNREADABLE: &str =
    "The field “corrections” can't be read, or holds too much. Correct the file itself and choose it again.";
pub const VERDICT_UNREADABLE: &str =
    "The field “verdict” can't be read. Please reload the page and choose the file again.";

/// `limit`: the bytes that the waiting files and reports of a tenant may take together.
pub fn too_much_stored(limit: u64) -> String {
    format!(
        "The imports of your corporation take more than the {} MB that they may. Delete imports whose failed rows you \
         don't need any more, or wait until those at work are done, and try again.",
        group_thousands(limit >> 20)
    )
}

/// The last line of a truncated report.
pub fn report_ends(missing: u64) -> String {
    format!(
        "The report ends here. Failed rows that it leaves out: {}. Correct the rows above, or the file itself, and import them again.",
        group_thousands(missing)
    )
}

// Why an accepted import fails.
pub const GIVEN_UP: &str = "The import was interrupted too many times and has stopped. The contacts imported so far are \
     kept. Import the remaining rows again, or ask your administrator to look into the server's log.";

// Why a file can't be read.
pub const FILE_UNREADABLE: &str = "This file could not be read. It may be damaged, or take more memory than a file may. \
     Open it in your spreadsheet program, save it as .csv and choose it again.";
pub const FILE_EMPTY: &str =
    "This file is empty. Choose a file with column names in its first row and contacts below them.";
pub const NO_COLUMNS: &str =
    "This file has only blank rows. Put the column names in the first row, save it and choose it again.";
pub const NO_ROWS: &str =
    "This file has column names but no rows below them. Add the contacts, save it and choose it again.";
pub const BROKEN_WORKBOOK: &str = "This workbook is damaged and can't be read. Open it in your spreadsheet program, \
     save it as .xlsx or .csv and choose it again.";
pub const PASSWORD_PROTECTED: &str =
    "This workbook is protected with a password. Save it without the password and choose it again.";
pub const NO_SUCH_SHEET: &str = "This workbook has no sheet of that name. Choose another sheet.";
pub const NO_TEXT: &str = "Read in this encoding, the file is no text. Choose another encoding.";
pub const UNKNOWN_ENCODING: &str = "There is no such encoding. Choose another one.";
pub const ONLY_HIDDEN_SHEETS: &str = "All visible sheets of this workbook are empty. Show the hidden sheet with the contacts, save it and choose it again.";

pub fn unsupported_extension(extension: &str) -> String {
    let start = match extension {
        "" => "A file whose name has no ending can't be imported.".to_owned(),
        _ => format!("Files ending in .{extension} can't be imported."),
    };
    format!("{start} Save it as .xlsx or .csv and choose it again.")
}

pub fn not_a_spreadsheet(found: &str) -> String {
    format!("This is {found}, not a spreadsheet. Save your contacts as .xlsx or .csv and choose that file.")
}

/// The message for a file that spreadsheet programs open and the import doesn't.
pub fn other_format(found: &str) -> String {
    format!(
        "This is {found}, which can't be imported. Open it in your spreadsheet program, save it as .xlsx and choose that \
         file."
    )
}

pub fn too_large(bytes: u64, limit: u64) -> String {
    // Rounded up, so that a file that is one byte too large isn't shown with the size of the limit.
    let megabytes = |bytes: u64| group_thousands(bytes.div_ceil(1 << 20));
    let (found, limit) = (megabytes(bytes), megabytes(limit));
    format!("This file has {found} MB, and {limit} MB is the most that can be read. Split it into smaller files.")
}

pub fn too_much_inside(limit: u64) -> String {
    format!(
        "This workbook holds far more than it seems to, more than the {} MB that can be read. Copy its rows into a new \
         workbook, save it and choose that one.",
        group_thousands(limit >> 20)
    )
}

pub fn too_many_repeats(row: u64) -> String {
    format!(
        "Row {row} stands for more equal rows or cells than can be imported. Delete those that you don't need, save the \
         file and choose it again."
    )
}

pub fn too_many_columns(found: usize, limit: usize) -> String {
    let (found, limit) = (group_thousands(found as u64), group_thousands(limit as u64));
    format!(
        "This file has {found} columns, and {limit} is the most. Delete the columns you don't need, save it and choose it again."
    )
}

pub fn too_many_rows(limit: u64) -> String {
    ["This file has more than ", &group_thousands(limit), " rows. Split it into smaller files."].concat()
}

pub fn adds_too_much(limit: u64) -> String {
    [
        "Imported, this file would take far more than its own size, more than the ",
        &group_thousands(limit >> 20),
        " MB that a file of its size may. Shorten the values that repeat in many rows, or split it into smaller files.",
    ]
    .concat()
}

pub fn cell_too_long(row: u64, column: usize, limit: usize) -> String {
    let (row, column, limit) = (digits(row), digits(column as u64), group_thousands(limit as u64));
    let then = " characters. Shorten it, or add a missing quotation mark, save the file and choose it again.";
    ["In row ", &row, ", column ", &column, " has more than ", &limit, then].concat()
}

pub fn record_too_long(row: u64, limit: usize) -> String {
    let then = " bytes, so a quotation mark is probably missing in it. Correct it, save the file and choose it again.";
    ["Row ", &digits(row), " has more than ", &group_thousands(limit as u64), then].concat()
}

pub fn truncated(row: u64) -> String {
    let begin = "The file ends inside the quotation marks that were opened in row ";
    [begin, &digits(row), ". It may have been cut off. Save it again and choose it again."].concat()
}

// Notes about a readable file.
pub const DAMAGED_CHARACTERS: &str =
    "Some characters of this file can't be read and are shown as �. Save it again as UTF-8 to keep them.";

pub fn equal_headers(header: &str, names: &[&str]) -> String {
    format!("{} columns have the header “{header}”. They are called {} here.", names.len(), quote(names))
}

pub fn no_header(names: &[&str]) -> String {
    format!("{} {} values but no header.", quote(names), if names.len() == 1 { "has" } else { "have" })
}

pub fn other_name(extension: &str, kind: &str) -> String {
    format!("The name of this file ends in .{extension}, but it is {kind} and is read as such.")
}

pub fn other_sheets(read: &str, left_out: &[&str]) -> String {
    let (are, sheets) = if left_out.len() == 1 { ("is", "sheet") } else { ("are", "sheets") };
    format!("Only the sheet “{read}” is read. The {sheets} {} {are} left out.", quote(left_out))
}

pub fn names_joined(first: &str, last: &str, joined: &str) -> String {
    format!("“{first}” and “{last}” are joined in the additional column “{joined}”.")
}

/// The name of a column without a header. Columns count from 1.
pub fn column_name(number: usize) -> String {
    format!("Column {number}")
}

// Why a field is suggested for a column.
pub const KEPT: &str = "No field matches, so it is kept with the other details";
pub const NO_VALUES: &str = "It has no header and no values in the first rows";

pub fn matches_header(header: &str) -> String {
    format!("Matches the header “{header}”")
}

pub fn resembles_header(header: &str) -> String {
    format!("Resembles the header “{header}”")
}

pub fn contradicts_header(header: &str) -> String {
    format!("Has the header “{header}”, but its values look like something else")
}

pub fn looks_like(field: ModelColumn) -> String {
    let what = match field {
        ModelColumn::Email => "e-mail addresses",
        ModelColumn::Phone => "phone numbers",
        ModelColumn::Website => "web addresses",
        ModelColumn::Address => "addresses",
        ModelColumn::Name => "names",
        other => label(other),
    };
    format!("Looks like {what}")
}

pub fn joins_name_columns(first: &str, last: &str) -> String {
    format!("Joined from “{first}” and “{last}”")
}

pub fn in_full_name_column(joined: &str) -> String {
    format!("It is part of “{joined}”")
}

/// The label of a field.
pub fn label(column: ModelColumn) -> &'static str {
    match column {
        ModelColumn::Name => "Name",
        ModelColumn::Email => "Email",
        ModelColumn::Phone => "Phone",
        ModelColumn::Website => "Website",
        ModelColumn::Address => "Address",
        ModelColumn::OtherDetails => "Other details",
        ModelColumn::DoNotImport => "Do not import",
    }
}

// Why a mapping is invalid.
pub const MAP_NAME: &str = "Please choose the column with the name, because every contact needs one";

pub fn unknown_file_column(column: &str) -> String {
    format!("The file has no column “{column}”. Choose the file again.")
}

pub fn unknown_model_column(column: &str, model_column: &str) -> String {
    format!("“{column}” can't be mapped to “{model_column}”. Choose one of the listed fields.")
}

pub fn mapped_twice(column: &str) -> String {
    format!("“{column}” is mapped more than once. Choose one field for it.")
}

pub fn one_field_twice(field: ModelColumn, first: &str, second: &str) -> String {
    format!("Both “{first}” and “{second}” are mapped to {}. Choose another field for one of them.", label(field))
}

pub fn too_many_corrections(limit: usize) -> String {
    let limit = group_thousands(limit as u64);
    format!(
        "There are more than {limit} corrections. Correct the file in your spreadsheet program and choose it again."
    )
}

// Why a row can't be imported.
/// Under [`super::Duplicates::Refuse`].
pub fn repeats(row: u64) -> String {
    ["This row repeats row ", &digits(row)].concat()
}

pub const CELL_UNREADABLE: &str = "The value of this cell can't be read. Type it here, or leave the cell empty.";

pub fn extra_values(count: usize) -> String {
    match count {
        1 => "This row has one more value than the file has columns".to_owned(),
        _ => ["This row has ", &group_thousands(count as u64), " more values than the file has columns"].concat(),
    }
}

/// “A”, “A” and “B”, “A”, “B” and “C”, or for more than five names: “A”, “B”, “C”, “D” and 3 more.
fn quote(names: &[&str]) -> String {
    let join = |names: &[&str]| format!("“{}”", names.join("”, “"));
    match names {
        [] => String::new(),
        [_] => join(names),
        [first @ .., last] if names.len() <= 5 => format!("{} and “{last}”", join(first)),
        _ => format!("{} and {} more", join(&names[..4]), group_thousands(names.len() as u64 - 4)),
    }
}

/// "1,048,576".
fn group_thousands(number: u64) -> String {
    let digits = digits(number);
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 512, 1_000, 1_048_576].map(group_thousands), ["0", "512", "1,000", "1,048,576"]);
    }

    #[test]
    fn messages_contain_the_limit() {
        assert!(too_large((256 << 20) + 1, 256 << 20).starts_with("This file has 257 MB, and 256 MB is the most"));
        assert!(too_many_columns(20_000, 512).starts_with("This file has 20,000 columns, and 512 is the most"));
    }

    #[test]
    fn every_field_has_a_label_and_a_description_of_its_values() {
        let labels = ["Name", "Email", "Phone", "Website", "Address", "Other details", "Do not import"];
        assert_eq!(ModelColumn::ALL.map(label), labels);
        let descriptions = ["names", "e-mail addresses", "phone numbers", "web addresses", "addresses"];
        for (field, description) in ModelColumn::ALL.into_iter().zip(descriptions) {
            assert_eq!(looks_like(field), format!("Looks like {description}"));
        }
        assert_eq!(looks_like(ModelColumn::OtherDetails), "Looks like Other details");
    }

    #[test]
    fn names_are_joined() {
        assert_eq!(
            other_sheets("A", &["B", "C", "D"]),
            "Only the sheet “A” is read. The sheets “B”, “C” and “D” are left out."
        );
        assert_eq!(
            no_header(&["A", "B", "C", "D", "E", "F"]),
            "“A”, “B”, “C”, “D” and 2 more have values but no header."
        );
        assert_eq!(
            equal_headers("Tel", &["Tel", "Tel (2)"]),
            "2 columns have the header “Tel”. They are called “Tel” and “Tel (2)” here."
        );
    }
}
