"""Creates small import files that need much storage or work, as `server/tests/api/attack_files.rs` does."""

import io
import zipfile

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def _relations(*kinds):
    lines = [f'<Relationship Id="{kind}" Type="{RELATIONS}/{kind}" Target="{target}"/>' for kind, target in kinds]
    return f"<Relationships {PACKAGE}>{''.join(lines)}</Relationships>"


def workbook(strings, rows):
    """Returns a workbook (.xlsx). Each cell of `rows` is an index into `strings`, the workbook's shared strings."""
    texts = "".join(f"<si><t>{text}</t></si>" for text in strings)
    lines = (
        f'<row r="{n}">' + "".join(f'<c r="{chr(65 + i)}{n}" t="s"><v>{cell}</v></c>' for i, cell in enumerate(row)) + "</row>"
        for n, row in enumerate(rows, 1)
    )
    parts = {
        "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{RELATIONS}"><sheets>'
        '<sheet name="A" sheetId="1" r:id="worksheet"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(
            ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
        ),
        "xl/sharedStrings.xml": f"<sst {MAIN}>{texts}</sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet {MAIN}><sheetData>{''.join(lines)}</sheetData></worksheet>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def shared_text(rows, model):
    """Returns name, content and mapping of a workbook whose rows all have the same text of 32,000 characters, in a
    column mapped to `model`."""
    strings = ["Namn", "Text", "Ada", "x" * 32_000]
    file = workbook(strings, [[0, 1]] + [[2, 3]] * rows)
    return "shared.xlsx", file, {"Namn": "name", "Text": model}


def long_names(rows, name):
    """Returns name, content and mapping of a CSV file of 511 columns with long names. All rows fail if `name` is
    empty."""
    names = [f"{i:03} {'n' * 56}" for i in range(510)]
    file = f"Namn,{','.join(names)}\n" + f"{name}{',x' * 510}\n" * rows
    return "names.csv", file.encode(), {"Namn": "name", **dict.fromkeys(names, "otherDetails")}


def short_rows(rows):
    """Returns name, content and mapping of a workbook with short rows, which compress to a few bytes each."""
    return "short.xlsx", workbook(["Namn", "Ada"], [[0]] + [[1]] * rows), {"Namn": "name"}
