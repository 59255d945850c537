//! Messages about imports (docs/product.md 8).

use super::ModelColumn;
use crate::message::{Message, Parameter, messages};

messages! {
    "import.";
    MAP_ALL = "Please map all columns before importing";
    COMPLETED = "Import completed successfully!";
    FAILED = "Import failed. Please try again.";
    CANCELLED = "The import was cancelled. The contacts imported until then are kept.";
    CANCELLED_EMPTY = "The import was cancelled before any contact was imported.";
    OVER = "This import has already ended, so it can't be cancelled.";
    CONNECTION_LOST = "Connection lost. The import continues on the server.";
    TOO_MANY_UNFINISHED = "Too many imports of your corporation are still running. Please try again when they have ended.";
    DELETED = "Import deleted.";
    NOT_OVER = "This import is still running. Cancel it before you delete it.";
    FILE_CHANGED = "The file has changed since it was read. Choose it again.";
    ACCEPTED = "The import has started";

    // Why an upload is rejected.
    NOT_A_FORM = "The file must be sent as a form (multipart/form-data), in its field “file”.";
    UPLOAD_BROKEN_OFF = "The upload was interrupted before the whole file had arrived. Please try again.";
    NO_FILE = "Please choose a file to import";
    TWO_FILES = "Please import one file at a time";
    NO_FILE_NAME = "The file has no name. Choose a file that ends in .csv, .xlsx or .xls.";
    MAPPING_UNREADABLE = "The field “columnMapping” must be a list such as [{\"fileColumn\": \"Namn\", \"modelColumn\": \"name\"}].";
    OPTIONS_UNREADABLE = "The field “options” must be an object such as {\"delimiter\": \";\", \"header\": 1}.";
    CORRECTIONS_UNREADABLE = "The field “corrections” can't be read, or contains too much. Correct the file itself and choose it again.";
    VERDICT_UNREADABLE = "The field “verdict” can't be read. Please reload the page and choose the file again.";
    /// For an upload when the waiting files and the reports of the tenant together take all the space that they may.
    fn too_much_stored(megabytes: u64) = "Your corporation's imports take up more than the allowed {megabytes, number} MB. Delete imports whose rows with problems you no longer need, or wait until running imports have ended, then try again.";
    // In a report.
    /// The last line of a truncated report.
    fn report_ends(rows: u64) = "The report ends here. Rows with problems that it leaves out: {rows, number}. Correct the rows above, or the file itself, and import them again.";

    // Why an accepted import fails.
    GIVEN_UP = "The import was interrupted too many times and has stopped. The contacts imported so far are kept. Import the remaining rows again, or ask the person who manages this installation to look into the server's log.";

    // Why a file can't be read.
    FILE_UNREADABLE = "This file could not be read. It may be damaged or too large. Save it as .csv in your spreadsheet program and choose it again.";
    FILE_EMPTY = "This file is empty. Choose a file with column names in its first row and contacts below them.";
    NO_COLUMNS = "This file has only blank rows. Put the column names in the first row, save it and choose it again.";
    NO_ROWS = "This file has column names but no rows below them. Add the contacts, save it and choose it again.";
    BROKEN_WORKBOOK = "This workbook is damaged and can't be read. Open it in your spreadsheet program, save it as .xlsx or .csv and choose it again.";
    PASSWORD_PROTECTED = "This workbook is protected with a password. Save it without the password and choose it again.";
    NO_SUCH_SHEET = "This workbook has no sheet of that name. Choose another sheet.";
    NO_TEXT = "This file can't be read as text in this encoding. Choose another encoding.";
    UNKNOWN_ENCODING = "There is no such encoding. Choose another one.";
    ONLY_HIDDEN_SHEETS = "All visible sheets of this workbook are empty. Show the hidden sheet with the contacts, save it and choose it again.";
    NO_EXTENSION = "A file whose name has no ending can't be imported. Save it as .xlsx or .csv and choose it again.";
    fn other_extension(extension: &str) = "Files ending in .{extension} can't be imported. Save it as .xlsx or .csv and choose it again.";
    fn not_a_spreadsheet(format: &Message) = "This is {format}, not a spreadsheet. Save your contacts as .xlsx or .csv and choose that file.";
    /// For a file that spreadsheet programs open and the import doesn't.
    fn other_format(format: &Message) = "This is {format}, which can't be imported. Open it in your spreadsheet program, save it as .xlsx and choose that file.";
    fn has_too_many_megabytes(found: u64, limit: u64) = "This file is {found, number} MB, but at most {limit, number} MB can be read. Split it into smaller files.";
    fn too_much_inside(megabytes: u64) = "This workbook contains far more than it seems to, more than the {megabytes, number} MB that can be read. Copy its rows into a new workbook, save it and choose that one.";
    fn too_many_repeats(row: u64) = "Row {row} stands for more equal rows or cells than can be imported. Delete those that you don't need, save the file and choose it again.";
    fn too_many_columns(found: u64, limit: u64) = "This file has {found, number} columns, but at most {limit, number} can be read. Delete the columns you don't need, save it and choose it again.";
    fn too_many_rows(limit: u64) = "This file has more than {limit, number} rows. Split it into smaller files.";
    fn adds_too_much(megabytes: u64) = "Once imported, this file would take up more than the {megabytes, number} MB allowed for a file of its size. Shorten the values that repeat in many rows, or split it into smaller files.";
    fn cell_too_long(row: u64, column: u64, limit: u64) = "In row {row}, column {column} has more than {limit, number} characters. Shorten it, or add a missing quotation mark, save the file and choose it again.";
    fn record_too_long(row: u64, limit: u64) = "Row {row} has more than {limit, number} bytes, so a quotation mark is probably missing in it. Correct it, save the file and choose it again.";
    fn truncated(row: u64) = "The file ends inside the quotation marks that were opened in row {row}. It may have been cut off. Save it again and choose it again.";

    // Notices about a file that can be read.
    DAMAGED_CHARACTERS = "Some characters of this file can't be read and are shown as �. Save it again as UTF-8 to keep them.";
    fn have_equal_headers(count: u64, header: &str, names: &[&str]) = "{count} columns have the header “{header}”. They are called {names} here.";
    fn one_has_no_header(names: Parameter) = "{names} has values but no header.";
    fn have_no_header(names: Parameter) = "{names} have values but no header.";
    fn other_name(extension: &str, format: &Message) = "The name of this file ends in .{extension}, but it is {format} and is read as such.";
    fn other_sheet(read: &str, left_out: &[&str]) = "Only the sheet “{read}” is read. The sheet {left_out} is left out.";
    fn several_other_sheets(read: &str, left_out: &[&str]) = "Only the sheet “{read}” is read. The sheets {left_out} are left out.";
    fn names_joined(first: &str, last: &str, joined: &str) = "“{first}” and “{last}” are joined in the additional column “{joined}”.";

    /// The name of a column without a header. `number` counts from 1.
    fn column(number: u64) = "Column {number}";

    // Why a field is suggested for a column.
    SET_BY_FORECOURT = "This field is set automatically";
    OF_FAILED_ROWS = "From a list of rows with problems";
    KEPT = "No field matches, so it is kept with the other details";
    NO_VALUES = "It has no header and no values in the first rows";
    fn matches_header(header: &str) = "Matches the header “{header}”";
    fn resembles_header(header: &str) = "Resembles the header “{header}”";
    fn contradicts_header(header: &str) = "Has the header “{header}”, but its values look like something else";
    fn looks_like_values(values: &Message) = "Looks like {values}";
    EMAILS = "email addresses";
    PHONES = "phone numbers";
    WEBSITES = "web addresses";
    ADDRESSES = "addresses";
    NAMES = "names";
    fn joins_name_columns(first: &str, last: &str) = "Joined from “{first}” and “{last}”";
    fn in_full_name_column(joined: &str) = "It is part of “{joined}”";

    // The labels of the fields.
    NAME = "Name";
    EMAIL = "Email";
    PHONE = "Phone";
    WEBSITE = "Website";
    ADDRESS = "Address";
    OTHER_DETAILS = "Other details";
    DO_NOT_IMPORT = "Do not import";

    // Why a mapping is invalid.
    MAP_NAME = "Please choose the column with the name, because every contact needs one";
    fn unknown_file_column(column: &str) = "The file has no column “{column}”. Choose the file again.";
    fn unknown_model_column(column: &str, field: &str) = "“{column}” can't be mapped to “{field}”. Choose one of the listed fields.";
    fn mapped_twice(column: &str) = "“{column}” is mapped more than once. Choose one field for it.";
    fn one_field_twice(field: &Message, first: &Message, second: &Message) = "Both “{first}” and “{second}” are mapped to {field}. Choose another field for one of them.";
    fn too_many_corrections(limit: u64) = "There are more than {limit, number} corrections. Correct the file in your spreadsheet program and choose it again.";

    // The problem of a row that duplicates the row with this number, under [`super::Duplicates::Refuse`].
    fn repeats(row: u64) = "This row repeats row {row}";
    // The same in a list of the types of problems.
    REPEATS_EARLIER_ROW = "This row repeats an earlier row";
    CELL_UNREADABLE = "The value of this cell can't be read. If it is a formula without a result, open and save the file in your spreadsheet program and choose it again. Or type the value here, or don't import the column.";
    ONE_EXTRA_VALUE = "This row has one more value than the file has columns";
    fn several_extra_values(count: u64) = "This row has {count, number} more values than the file has columns";
}

/// Returns what a problem's message is called in a list of the types of problems: the same for all repeated rows, whose
/// own messages have different row numbers.
pub fn type_of(message: &Message) -> &Message {
    if message.code == "import.repeats" { REPEATS_EARLIER_ROW } else { message }
}

/// Names of file formats, which are inserted into other messages such as [`super::not_a_spreadsheet`].
pub mod format {
    use crate::message::messages;

    messages! {
        "format.";
        UNKNOWN = "a file of an unknown kind";
        TEXT = "a text file";
        XLSX = "an .xlsx workbook";
        XLS = "an .xls workbook";
        XLSB = "an .xlsb workbook";
        ODS = "an .ods spreadsheet";
        DOC = "a text document (.doc)";
        PPT = "a presentation (.ppt)";
        VSD = "a drawing (.vsd)";
        MSG = "an email (.msg)";
        OTHER_OFFICE = "a document of another Office program";
        EXCEL_2 = "a workbook of Excel 2";
        EXCEL_3 = "a workbook of Excel 3";
        EXCEL_4 = "a workbook of Excel 4";
        DOCX = "a text document (.docx)";
        PPTX = "a presentation (.pptx)";
        VSDX = "a drawing (.vsdx)";
        APPLE = "an Apple Numbers or Pages document";
        JAR = "a program (.jar)";
        APK = "a program (.apk)";
        OTHER_OPEN_DOCUMENT = "an OpenDocument file of another program";
        EPUB = "a book (EPUB)";
        OTHER_DOCUMENT = "a document of another kind";
        ZIP = "a zip archive";
        PDF = "a PDF document";
        PNG = "an image (PNG)";
        JPEG = "an image (JPEG)";
        GIF = "an image (GIF)";
        TIFF = "an image (TIFF)";
        MEDIA = "a picture, sound or video file";
        GZIP = "a compressed file (gzip)";
        BZIP2 = "a compressed file (bzip2)";
        SEVEN_ZIP = "a compressed file (7z)";
        XZ = "a compressed file (xz)";
        ZSTD = "a compressed file (zstd)";
        RAR = "a compressed file (RAR)";
        RTF = "a text document (RTF)";
        PROGRAM = "a program";
        DATABASE = "a database";
        HTML = "a web page (HTML)";
        MHTML = "a web page (MHTML)";
        XML_2003 = "an XML spreadsheet of 2003";
        FLAT_OPEN_DOCUMENT = "a flat OpenDocument file";
        XML = "an XML file";
        VCARD = "a list of address cards (vCard)";
    }
}

pub fn unsupported_extension(extension: &str) -> Message {
    if extension.is_empty() { NO_EXTENSION.into() } else { other_extension(extension) }
}

pub fn too_large(bytes: u64, limit: u64) -> Message {
    // Rounded up, so that a file that is one byte too large isn't shown with the size of the limit.
    has_too_many_megabytes(bytes.div_ceil(1 << 20), limit.div_ceil(1 << 20))
}

pub fn equal_headers(header: &str, names: &[&str]) -> Message {
    have_equal_headers(names.len() as u64, header, names)
}

/// Returns the notice about columns that have values but no header. `names` are the names that the import gives them.
pub fn columns_without_header(names: &[&str]) -> Message {
    let titles: Vec<Message> = names.iter().map(|name| column_title(name)).collect();
    let titles = Parameter::list(&titles.iter().collect::<Vec<_>>());
    if names.len() == 1 { one_has_no_header(titles) } else { have_no_header(titles) }
}

pub fn other_sheets(read: &str, left_out: &[&str]) -> Message {
    if left_out.len() == 1 { other_sheet(read, left_out) } else { several_other_sheets(read, left_out) }
}

/// Returns the name of a column without a header, in English as the import stores it. `number` counts from 1.
pub fn column_name(number: usize) -> String {
    column(number as u64).into()
}

/// Returns a column's name for screens, which show that of a column without a header in the user's language.
pub fn column_title(name: &str) -> Message {
    let number = name.strip_prefix("Column ").and_then(|number| number.parse::<u64>().ok());
    number.map(column).filter(|title| *title == *name).unwrap_or_else(|| Message::without_code(name.to_owned()))
}

pub fn looks_like(field: ModelColumn) -> Message {
    looks_like_values(match field {
        ModelColumn::Email => EMAILS,
        ModelColumn::Phone => PHONES,
        ModelColumn::Website => WEBSITES,
        ModelColumn::Address => ADDRESSES,
        ModelColumn::Name => NAMES,
        other => label(other),
    })
}

/// Returns the label of a field on screens.
pub fn label(column: ModelColumn) -> &'static Message {
    match column {
        ModelColumn::Name => NAME,
        ModelColumn::Email => EMAIL,
        ModelColumn::Phone => PHONE,
        ModelColumn::Website => WEBSITE,
        ModelColumn::Address => ADDRESS,
        ModelColumn::OtherDetails => OTHER_DETAILS,
        ModelColumn::DoNotImport => DO_NOT_IMPORT,
    }
}

pub fn extra_values(count: usize) -> Message {
    match count {
        1 => ONE_EXTRA_VALUE.into(),
        _ => several_extra_values(count as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_contain_the_limit() {
        assert!(too_large((256 << 20) + 1, 256 << 20).as_str().starts_with("This file is 257 MB, but at most 256 MB"));
        assert!(too_many_columns(20_000, 512).as_str().starts_with("This file has 20,000 columns, but at most 512"));
    }

    #[test]
    fn fields_have_labels_and_suggestions_name_what_the_values_look_like() {
        let labels = ["Name", "Email", "Phone", "Website", "Address", "Other details", "Do not import"];
        assert_eq!(ModelColumn::ALL.iter().map(|column| label(*column).as_str()).collect::<Vec<_>>(), labels);
        let descriptions = ["names", "email addresses", "phone numbers", "web addresses", "addresses"];
        for (field, description) in ModelColumn::ALL.iter().copied().zip(descriptions) {
            assert_eq!(looks_like(field), *format!("Looks like {description}"));
        }
        assert_eq!(looks_like(ModelColumn::OtherDetails), "Looks like Other details");
    }

    #[test]
    fn the_name_of_a_column_without_a_header_can_be_translated() {
        assert_eq!(column_title(&column_name(4)), column(4));
        assert_eq!(columns_without_header(&["Column 4"]), one_has_no_header(Parameter::list(&[&column(4)])));
        for header in ["Namn", "Column", "Column 04", "Column 4 (2)"] {
            assert_eq!(column_title(header), Message::without_code(header));
        }
    }

    #[test]
    fn repeated_rows_are_one_type_of_problem() {
        assert_eq!(type_of(&repeats(2)), REPEATS_EARLIER_ROW);
        assert_eq!(type_of(ONE_EXTRA_VALUE), ONE_EXTRA_VALUE);
    }

    #[test]
    fn lists_of_names_are_joined_and_shortened() {
        assert_eq!(
            other_sheets("A", &["B", "C", "D"]),
            "Only the sheet “A” is read. The sheets “B”, “C” and “D” are left out."
        );
        assert_eq!(
            columns_without_header(&["A", "B", "C", "D", "E", "F"]),
            "“A”, “B”, “C”, “D” and 2 more have values but no header."
        );
        assert_eq!(
            equal_headers("Tel", &["Tel", "Tel (2)"]),
            "2 columns have the header “Tel”. They are called “Tel” and “Tel (2)” here."
        );
    }
}
