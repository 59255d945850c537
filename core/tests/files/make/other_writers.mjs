// Creates workbooks with the contents of workbooks.py with SheetJS and ExcelJS. other_writers.py runs it.
//
// Arguments: the folder to write to, and the folder with the npm packages @e965/xlsx 0.20.3 and exceljs 4.4.0.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, packages] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const XLSX = require("@e965/xlsx");
const ExcelJS = require("exceljs");
const odd = JSON.parse(readFileSync(new URL("oddities.json", import.meta.url), "utf8"));
const formats = {
  3: "0000000000", 5: "00000", 7: "yyyy-mm-dd", 8: "yyyy-mm-dd hh:mm:ss", 9: "hh:mm", 10: "[h]:mm:ss", 11: "0.0%",
  12: '#,##0.00\\ "€"',
};
const errors = { "#N/A": ["NA()", 42], "#DIV/0!": ["1/0", 7], "#VALUE!": ['VALUE("x")', 15], "#REF!": ['INDIRECT("")', 23] };
const serial = (text, from = Date.UTC(1899, 11, 30)) => (Date.parse(text.length > 10 ? `${text}Z` : text) - from) / 864e5;
const clock = text => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) / 86400;

function number(column, cell) {
  if (column === 7 || column === 8) return serial(cell);
  return column === 9 ? clock(cell) : cell;
}

function writeWithSheetJs() {
  const book = XLSX.utils.book_new();
  const add = (name, rows) => XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name);
  add("Listor", [["Hidden", "Values"]]);
  add("Config", [["secret"]]);
  const sheet = { "!ref": "B2:R8", "!merges": [XLSX.utils.decode_range("B2:D2")], B2: { t: "s", v: "Kontakter 2024" } };
  const put = (row, column, cell) => (sheet[XLSX.utils.encode_cell({ r: row, c: column + 1 })] = cell);
  odd.headers.forEach((header, column) => put(3, column, { t: "s", v: header }));
  odd.rows.forEach((row, n) =>
    row.forEach((cell, column) => {
      const value = number(column, cell);
      if (column === 14) put(n + 4, column, { t: "s", v: cell, f: `"Hej "&LEFT(B${n + 5},3)` });
      else if (column === 15) put(n + 4, column, { t: "e", v: errors[cell][1], w: cell });
      else if (typeof value === "number") put(n + 4, column, { t: "n", v: value, z: formats[column] });
      else put(n + 4, column, { t: typeof value === "boolean" ? "b" : "s", v: value });
    }),
  );
  XLSX.utils.book_append_sheet(book, sheet, "Kontakter");
  add("Gamla", [["Namn", "Vem"]]);
  book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 2 }, { Hidden: 0 }, { Hidden: 0 }] };
  for (const [bookType, name] of [["xlsx", "oddities.xlsx"], ["xlsb", "oddities.xlsb"], ["ods", "oddities.ods"],
    ["biff8", "oddities.xls"], ["biff5", "biff5.xls"], ["biff2", "biff2.xls"], ["xlml", "xml-2003.xls"], ["html", "web-page.xls"]]) {
    const bytes = XLSX.write(book, { bookType, type: "buffer", bookSST: bookType !== "biff5", sheet: "Kontakter" });
    writeFileSync(`${folder}/sheetjs-${name}`, bytes);
  }
  writeFileSync(`${folder}/sheetjs-inline-strings.xlsx`, XLSX.write(book, { bookType: "xlsx", type: "buffer", bookSST: false }));
  book.Workbook.WBProps = { date1904: true };
  writeFileSync(`${folder}/sheetjs-1904.xls`, XLSX.write(book, { bookType: "biff8", type: "buffer" }));
  writeFileSync(`${folder}/sheetjs-1904.xlsb`, XLSX.write(book, { bookType: "xlsb", type: "buffer" }));
}

function fill(book) {
  book.addWorksheet("Listor", { state: "hidden" }).addRow(["Hidden", "Values"]).commit?.();
  book.addWorksheet("Config", { state: "veryHidden" }).addRow(["secret"]).commit?.();
  const sheet = book.addWorksheet("Kontakter");
  sheet.mergeCells("B2:D2");
  sheet.getCell("B2").value = "Kontakter 2024";
  odd.headers.forEach((header, column) => (sheet.getCell(4, column + 2).value = header));
  odd.rows.forEach((row, n) =>
    row.forEach((cell, column) => {
      const at = sheet.getCell(n + 5, column + 2);
      if (column === 14) at.value = { formula: `"Hej "&LEFT(B${n + 5},3)`, result: cell };
      else if (column === 15) at.value = { error: cell };
      else if (column === 16 && n === 0) at.value = { richText: [{ font: { bold: true }, text: "Line one\n" }, { text: "Line two" }] };
      else if (column === 1 && cell) at.value = { text: cell, hyperlink: `mailto:${cell}` };
      else at.value = number(column, cell);
      if (formats[column]) at.numFmt = formats[column];
    }),
  );
  book.addWorksheet("Gamla").addRow(["Namn", "Vem"]);
  return book;
}

async function writeWithExcelJs() {
  const created = new Date("2024-05-17T08:30:00Z");
  const book = new ExcelJS.Workbook();
  book.created = book.modified = created;
  await fill(book).xlsx.writeFile(`${folder}/exceljs-oddities.xlsx`);
  const old = new ExcelJS.Workbook();
  old.created = old.modified = created;
  old.properties.date1904 = true;
  const sheet = old.addWorksheet("Datum");
  sheet.addRow(["Name", "Since"]);
  sheet.addRow(["Ada", new Date("2024-05-17T00:00:00Z")]).getCell(2).numFmt = "yyyy-mm-dd";
  sheet.addRow(["Bo", { formula: "B2+1", result: new Date("2024-05-18T00:00:00Z") }]).getCell(2).numFmt = "d mmm yyyy";
  sheet.fillFormula("C2:C3", "B2+1", [1, 2]);
  await old.xlsx.writeFile(`${folder}/exceljs-1904.xlsx`);
  const options = { filename: `${folder}/exceljs-streamed.xlsx`, useStyles: true, useSharedStrings: false, created, modified: created };
  const streamed = new ExcelJS.stream.xlsx.WorkbookWriter(options);
  const rows = streamed.addWorksheet("Streamed");
  for (const row of [["Name", "Phone"], ["Ada & <Bo>", 46701234567], [" blanks ", true]]) rows.addRow(row).commit();
  rows.commit();
  await streamed.commit();
}

writeWithSheetJs();
await writeWithExcelJs();
