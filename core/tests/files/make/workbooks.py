"""Creates workbooks with openpyxl, xlsxwriter and xlwt, byte-identical in every run. All people are invented.

Every library writes the same unusual cells (oddities.json) into the same sheets: a hidden and a very hidden one, the contacts
below a merged title, with the first row and column empty, and an older list.
"""

import datetime
import io
import json
import pathlib

import openpyxl
import openpyxl.styles
import openpyxl.cell.rich_text as rich
import xlsxwriter
import xlwt
from reproducible import write

CREATED = datetime.datetime(2024, 5, 17, 8, 30)
ODD = json.loads((pathlib.Path(__file__).parent / "oddities.json").read_text())
FORMATS = {
    3: "0000000000", 5: "00000", 7: "yyyy-mm-dd", 8: "yyyy-mm-dd hh:mm:ss", 9: "hh:mm", 10: "[h]:mm:ss", 11: "0.0%",
    12: '#,##0.00\\ "€"',
}
GREETING, CHECK = 14, 15
ERRORS = {"#N/A": "NA()", "#DIV/0!": "1/0", "#VALUE!": 'VALUE("x")', "#REF!": 'INDIRECT("")'}


def value(column, cell):
    if column == 7:
        return datetime.date.fromisoformat(cell)
    if column == 8:
        return datetime.datetime.fromisoformat(cell)
    if column == 9:
        return datetime.time.fromisoformat(cell)
    return cell


def create_with_openpyxl(fill, **options):
    book = openpyxl.Workbook(**options)
    if not options:
        book.remove(book.active)
    book.properties.created = book.properties.modified = CREATED
    fill(book)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def openpyxl_odd(book):
    book.create_sheet("Listor").append(["Hidden", "Values"])
    book["Listor"].sheet_state = "hidden"
    book.create_sheet("Config").append(["secret"])
    book["Config"].sheet_state = "veryHidden"
    sheet = book.create_sheet("Kontakter")
    book.active = 2
    sheet["B2"] = "Kontakter 2024"
    sheet.merge_cells("B2:D2")
    for column, header in enumerate(ODD["headers"]):
        sheet.cell(4, 2 + column, header)
    for n, row in enumerate(ODD["rows"], start=5):
        for column, cell in enumerate(row):
            at = sheet.cell(n, 2 + column)
            at.value = value(column, cell)
            if column == GREETING:
                at.value = f'="Hej "&LEFT(B{n},3)'
            elif column == CHECK:
                at.value = f"={ERRORS[cell]}"
            if column in FORMATS:
                at.number_format = FORMATS[column]
    book.create_sheet("Gamla").append(["Namn", "Vem"])


def openpyxl_1904(book):
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    sheet = book.create_sheet("Datum")
    sheet.append(["Name", "Since"])
    sheet.append(["Ada", datetime.date(2024, 5, 17)])
    sheet.append(["Bo", datetime.datetime(1904, 1, 2, 6, 0)])


def openpyxl_rich(book):
    sheet = book.create_sheet("Rich")
    sheet.append(["Name", "Note"])
    bold = rich.TextBlock(openpyxl.cell.text.InlineFont(b=True), "Ada ")
    sheet.append([rich.CellRichText(bold, "Byron"), rich.CellRichText("plain ", bold)])


def openpyxl_write_only(book):
    sheet = book.create_sheet("Kontakter")
    sheet.append(["Name", "Phone", "Active"])
    sheet.append(["Ada & Bo", 46701234567, True])
    sheet.append([" blanks ", "0701", None])


def openpyxl_plain(book):
    sheet = book.create_sheet("Sheet")
    sheet.append(["Name", "Total"])
    sheet.append(["Ada", "=1+1"])
    sheet.append(["Bo", None])
    sheet.append(["Cy", 3])


def create_with_xlsxwriter(fill, **options):
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, options or {"in_memory": True})
    book.set_properties({"created": CREATED})
    fill(book)
    book.close()
    return target.getvalue()


def xlsxwriter_odd(book):
    book.add_worksheet("Listor").write_row(0, 0, ["Hidden", "Values"])
    book.get_worksheet_by_name("Listor").hide()
    book.add_worksheet("Config").write(0, 0, "secret")
    book.get_worksheet_by_name("Config").very_hidden()
    sheet = book.add_worksheet("Kontakter")
    sheet.activate()
    sheet.set_first_sheet()
    sheet.merge_range("B2:D2", "Kontakter 2024", book.add_format({"align": "center"}))
    sheet.write_row(3, 1, ODD["headers"])
    formats = {column: book.add_format({"num_format": code}) for column, code in FORMATS.items()}
    for n, row in enumerate(ODD["rows"], start=4):
        for column, cell in enumerate(row):
            shown = value(column, cell)
            if column == GREETING:
                sheet.write_formula(n, 1 + column, f'="Hej "&LEFT(B{n + 1},3)', None, cell)
            elif column == CHECK:
                sheet.write_formula(n, 1 + column, f"={ERRORS[cell]}", None, cell)
            elif isinstance(shown, str):
                sheet.write_string(n, 1 + column, shown)
            else:
                sheet.write(n, 1 + column, shown, formats.get(column))
    book.add_worksheet("Gamla").write_row(0, 0, ["Namn", "Vem"])


def xlsxwriter_rich(book):
    sheet = book.add_worksheet()
    bold = book.add_format({"bold": True})
    sheet.write_row(0, 0, ["Name", "Note"])
    sheet.write_rich_string(1, 0, bold, "Ada ", "Byron")
    sheet.write_rich_string(1, 1, "one ", bold, "two", " three")
    sheet.write_string(2, 0, "a\r\nb")
    sheet.write_string(2, 1, "\x05 control")


def xlsxwriter_dates(book):
    sheet = book.add_worksheet()
    codes = ["yyyy-mm-dd", "d/m/yy", "dddd d mmmm yyyy", "[$-41D]d mmm yyyy", "h:mm AM/PM", "mm:ss", "[mm]:ss", "General", '"day" 0', "@"]
    sheet.write_row(0, 0, ["Name"] + codes)
    for n, serial in enumerate([0, 0.5, 1, 59, 60, 61, 45429.354166666664, 2958465, 2958466, -1], start=1):
        sheet.write(n, 0, f"Row {n}")
        for column, code in enumerate(codes, start=1):
            sheet.write_number(n, column, serial, book.add_format({"num_format": code}))


def xlsxwriter_numbers(book):
    sheet = book.add_worksheet()
    codes = ["General", "0", "0.00", "#,##0", "00000", "0000000000", "0%", "0.00%", '"+"0', "0.00E+00", "# ?/?", "[$€-2] #,##0.00", "_-* #,##0.00 kr_-", "000-000", "0;-0;;@"]
    sheet.write_row(0, 0, ["Name"] + codes)
    for n, number in enumerate([0, 1, -1, 0.5, 46701234567, 123456789012345, 1234567890123456, 0.1, 1 / 3, 1e-9, 1e21], start=1):
        sheet.write(n, 0, f"Row {n}")
        for column, code in enumerate(codes, start=1):
            sheet.write_number(n, column, number, book.add_format({"num_format": code}))


def xlsxwriter_sparse(book):
    sheet = book.add_worksheet()
    sheet.write(0, 0, "Name")
    sheet.write(0, 3, "E-mail")
    sheet.write(1, 0, "Ada")
    sheet.write(4, 3, "bo@example.com")
    sheet.write(4, 0, "Bo")
    grey = book.add_format({"bg_color": "#eeeeee"})
    for row in range(5, 200):
        sheet.write_blank(row, 2, None, grey)


def xlsxwriter_formula_without_value(book):
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["Name", "Greeting", "Sum"])
    sheet.write(1, 0, "Ada")
    sheet.write_formula(1, 1, '="Hej "&A2', None, "")
    sheet.write_formula(1, 2, "=1+1", None, 2)
    sheet.write_array_formula(2, 2, 2, 2, "{=SUM(1,2)}", None, 3)
    sheet.write(2, 0, "Bo")
    sheet.write_boolean(3, 2, True)
    sheet.write(3, 0, "Cy")


def xlsxwriter_chart_first(book):
    chart = book.add_chart({"type": "column"})
    sheet = book.add_worksheet("Data")
    sheet.write_column(0, 0, ["Name", "Ada", "Bo"])
    chart.add_series({"values": "=Data!$A$2:$A$3"})
    chartsheet = book.add_chartsheet("Chart")
    chartsheet.set_chart(chart)
    book.worksheets_objs.sort(key=lambda sheet: sheet.get_name() != "Chart")


def xlsxwriter_table(book):
    sheet = book.add_worksheet("Tabell")
    rows = [["Ada", "ada@example.com"], ["Bo", "bo@example.com"]]
    sheet.add_table("B3:C6", {"data": rows, "columns": [{"header": "Name"}, {"header": "E-mail"}], "total_row": True})
    sheet.data_validation("C4:C5", {"validate": "length", "criteria": ">", "value": 3})
    sheet.write_comment("B4", "A comment")
    sheet.write_url("D4", "https://ada.example", string="Page")


def create_with_xlwt():
    book = xlwt.Workbook(encoding="utf-8")
    for name, rows, visible in [("Listor", [["Hidden", "Values"]], 1), ("Config", [["secret"]], 2)]:
        sheet = book.add_sheet(name)
        sheet.visibility = visible
        for n, row in enumerate(rows):
            for column, cell in enumerate(row):
                sheet.write(n, column, cell)
    sheet = book.add_sheet("Kontakter")
    sheet.write_merge(1, 1, 1, 3, "Kontakter 2024")
    for column, header in enumerate(ODD["headers"]):
        sheet.write(3, 1 + column, header)
    styles = {column: xlwt.easyxf(num_format_str=code) for column, code in FORMATS.items()}
    for n, row in enumerate(ODD["rows"], start=4):
        for column, cell in enumerate(row):
            if column == GREETING:
                sheet.write(n, 1 + column, xlwt.Formula(f'"Hej "&LEFT(B{n + 1},3)'))
            elif column == CHECK:
                sheet.row(n).set_cell_error(1 + column, {"#N/A": 42, "#DIV/0!": 7, "#VALUE!": 15, "#REF!": 23}[cell])
            else:
                sheet.write(n, 1 + column, value(column, cell), styles.get(column, xlwt.Style.default_style))
    old = book.add_sheet("Gamla")
    old.write(0, 0, "Namn")
    return book


def xlwt_1904():
    book = xlwt.Workbook(encoding="utf-8")
    book.dates_1904 = True
    sheet = book.add_sheet("Datum")
    for n, row in enumerate([["Name", "Since"], ["Ada", datetime.date(2024, 5, 17)]]):
        for column, cell in enumerate(row):
            sheet.write(n, column, cell, xlwt.easyxf(num_format_str="YYYY-MM-DD") if n and column else xlwt.Style.default_style)
    return book


def save(book):
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def many_texts():
    """Creates a workbook with more shared strings than fit into one record, one of them longer than a record."""
    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("Many")
    sheet.write(0, 0, "Name")
    sheet.write(0, 1, "Note")
    for n in range(1, 400):
        sheet.write(n, 0, f"Person {n}")
        sheet.write(n, 1, ("å漢x"[n % 3]) * (n * 37 % 500) if n != 200 else "lång " * 4_000)
    return book


write("openpyxl-oddities.xlsx", create_with_openpyxl(openpyxl_odd))
write("openpyxl-1904.xlsx", create_with_openpyxl(openpyxl_1904))
write("openpyxl-rich-text.xlsx", create_with_openpyxl(openpyxl_rich))
write("openpyxl-write-only.xlsx", create_with_openpyxl(openpyxl_write_only, write_only=True))
write("openpyxl-formulas-without-values.xlsx", create_with_openpyxl(openpyxl_plain))
write("xlsxwriter-oddities.xlsx", create_with_xlsxwriter(xlsxwriter_odd))
write("xlsxwriter-inline-strings.xlsx", create_with_xlsxwriter(xlsxwriter_odd, constant_memory=True))
write("xlsxwriter-1904.xlsx", create_with_xlsxwriter(xlsxwriter_odd, date_1904=True))
write("xlsxwriter-rich-text.xlsx", create_with_xlsxwriter(xlsxwriter_rich))
write("xlsxwriter-dates.xlsx", create_with_xlsxwriter(xlsxwriter_dates))
write("xlsxwriter-numbers.xlsx", create_with_xlsxwriter(xlsxwriter_numbers))
write("xlsxwriter-sparse.xlsx", create_with_xlsxwriter(xlsxwriter_sparse))
write("xlsxwriter-formulas.xlsx", create_with_xlsxwriter(xlsxwriter_formula_without_value))
write("xlsxwriter-chart-sheet.xlsx", create_with_xlsxwriter(xlsxwriter_chart_first))
write("xlsxwriter-table.xlsx", create_with_xlsxwriter(xlsxwriter_table))
write("xlwt-oddities.xls", save(create_with_xlwt()))
write("xlwt-1904.xls", save(xlwt_1904()))
write("xlwt-many-texts.xls", save(many_texts()))
