"""Creates malicious files, and files of other formats with the extension of a spreadsheet; byte-identical in every run.
core/tests/hostile.rs generates the large ones itself."""

import io
import struct
import zlib

import xlwt
from packages import MAIN, PACKAGE, RELATIONS, XML, package
from reproducible import HERE

ROWS = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'
TEXTS = f'<sst xmlns="{MAIN}" count="2" uniqueCount="2"><si><t>Name</t></si><si><t>Ada</t></si></sst>'


def write(name, content):
    (HERE / name).write_bytes(content)


def workbook(rows=ROWS, texts=TEXTS, before="", head="", sheet=None, extra=None):
    """Returns the bytes of a workbook. `head` precedes the root element of the sheet, `before` its rows; `sheet` replaces the whole sheet, `extra` adds parts."""
    texts = XML + texts
    sheet = sheet or f'{XML}{head}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData></worksheet>'
    kinds = [("xl/workbook.xml", "sheet.main"), ("xl/worksheets/sheet1.xml", "worksheet"), ("xl/sharedStrings.xml", "sharedStrings")]
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
        for name, kind in kinds
    )
    relation = lambda n, kind, target: f'<Relationship Id="rId{n}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
    parts = {
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relation(1, "officeDocument", "xl/workbook.xml")}</Relationships>',
        "xl/workbook.xml": f'{XML}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relation(1, "worksheet", "worksheets/sheet1.xml")}{relation(2, "sharedStrings", "sharedStrings.xml")}</Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml": texts,
    }
    return package({**parts, **(extra or {})})


def write_hostile(name, content):
    write(f"hostile-{name}", content)


def write_xlsx():
    write_hostile("smallest.xlsx", workbook())
    entity = '<!DOCTYPE worksheet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    write_hostile("xxe-in-sheet.xlsx", workbook(rows=ROWS + '<row r="3"><c r="A3" t="inlineStr"><is><t>&x;</t></is></c></row>', head=entity))
    write_hostile("xxe-in-texts.xlsx", workbook(texts=entity.replace("worksheet", "sst") + TEXTS.replace("Ada", "&x;")))
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    write_hostile("billion-laughs.xlsx", workbook(texts=f"<!DOCTYPE sst [{laughs}]>" + TEXTS.replace("Ada", "&l9;")))
    write_hostile("texts-4-billion.xlsx", workbook(texts=TEXTS.replace('uniqueCount="2"', 'uniqueCount="4294967295"')))
    write_hostile("text-beyond.xlsx", workbook(rows=ROWS.replace("<v>1</v>", "<v>4000000000</v>")))
    write_hostile("text-negative.xlsx", workbook(rows=ROWS.replace("<v>1</v>", "<v>-1</v>")))
    for name, area in [("huge", "A1:XFD1048576"), ("reversed", "B5:A1"), ("nonsense", "A1:ZZZZZZZZ99999999999")]:
        write_hostile(f"dimension-{name}.xlsx", workbook(before=f'<dimension ref="{area}"/>'))
    cell = lambda at: f'<row r="{at[1]}"><c r="{at[0]}{at[1]}"><v>1</v></c></row>'
    for name, at in [("row-beyond", ("A", "4294967295")), ("column-beyond", ("XFE", "3")), ("column-far-beyond", ("AAAAAAAAAAAA", "3")),
                     ("row-zero", ("A", "0")), ("row-of-digits", ("A", "9" * 400)), ("cell-without-row", ("A", ""))]:
        write_hostile(f"{name}.xlsx", workbook(rows=ROWS + cell(at)))
    write_hostile("rows-backwards.xlsx", workbook(rows='<row r="5"><c r="A5"><v>5</v></c></row>' + ROWS))
    write_hostile("cells-backwards.xlsx", workbook(rows=ROWS + '<row r="3"><c r="C3"><v>3</v></c><c r="A3"><v>1</v></c></row>'))
    write_hostile("cells-twice.xlsx", workbook(rows=ROWS + '<row r="3"><c r="A3"><v>3</v></c><c r="A3"><v>1</v></c></row>'))
    write_hostile("without-places.xlsx", workbook(rows='<row><c t="inlineStr"><is><t>Name</t></is></c><c><v>1</v></c></row><row><c t="inlineStr"><is><t>Ada</t></is></c></row>'))
    write_hostile("numbers-odd.xlsx", workbook(rows=ROWS + "".join(
        f'<row r="{n}"><c r="A{n}"><v>{value}</v></c></row>' for n, value in enumerate(["NaN", "1e400", "-INF", "0x10", "1,5", "", " 7 ", "1e-400"], 3))))
    write_hostile("kinds-odd.xlsx", workbook(rows=ROWS + "".join(
        f'<row r="{n}"><c r="A{n}" t="{kind}" s="99"><v>1</v></c></row>' for n, kind in enumerate(["b", "e", "str", "d", "z", "inlineStr", "n"], 3))))
    whole = f'{XML}<worksheet xmlns="{MAIN}"><sheetData>{ROWS}</sheetData></worksheet>'
    write_hostile("sheet-cut-off.xlsx", workbook(sheet=whole[:whole.index('<row r="2">') + 20]))
    write_hostile("sheet-without-end.xlsx", workbook(sheet=whole[:whole.index("</sheetData>")]))
    write_hostile("sheet-not-xml.xlsx", workbook(sheet="not XML at all"))
    write_hostile("sheet-empty.xlsx", workbook(sheet=" "))
    write_hostile("sheet-of-binary.xlsx", workbook(sheet=bytes(range(256)) * 20))
    write_hostile("deep.xlsx", workbook(rows="<row>" * 20_000))
    write_hostile("prefixed.xlsx", workbook(sheet=f'{XML}<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="s"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>'))
    write_hostile("cdata-and-comments.xlsx", workbook(texts=TEXTS.replace("Ada", "A<![CDATA[d<a>]]><!-- no -->!")))
    write_hostile("utf-16.xlsx", workbook(sheet=whole.replace("UTF-8", "UTF-16").encode("utf-16")))
    write_hostile("paths.xlsx", workbook(extra={"../../etc/passwd": "x", "/etc/passwd": "x", "xl/../xl/worksheets/sheet1.xml": "x"}))
    good = workbook()
    write_hostile("cut-off.xlsx", good[: len(good) // 2])
    write_hostile("without-list.xlsx", good[: good.rindex(b"PK\x01\x02")])
    damaged = bytearray(good)
    at = good.index(b"xl/worksheets/sheet1.xml") + 40
    damaged[at : at + 30] = bytes(30)
    write_hostile("damaged-sheet.xlsx", bytes(damaged))
    write_hostile("size-lies.xlsx", good.replace(struct.pack("<I", len(whole)), struct.pack("<I", 5)))
    long = "x" * 40_000
    write_hostile("long-cell.xlsx", workbook(texts=TEXTS.replace("Ada", long)))
    write_hostile("control-characters.xlsx", workbook(texts=TEXTS.replace("Ada", "A_x0000_d_x0041_a&#10;&#x1F600;&amp;_x005F_x0041_")))


def far_cells(sheets):
    book = xlwt.Workbook()
    for n in range(sheets):
        sheet = book.add_sheet(f"S{n}")
        sheet.write(0, 0, "Name")
        sheet.write(1, 0, "Ada")
        sheet.write(65_535, 255, "far")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def patch_records(data, kind, change):
    """Returns a workbook's stream with `change` applied to the data of every record of this type."""
    at, result = 0, b""
    while at < len(data):
        found, length = struct.unpack_from("<HH", data, at)
        content = data[at + 4 : at + 4 + length]
        content = change(content) if found == kind else content
        result += struct.pack("<HH", found, len(content)) + content
        at += 4 + length
    return result


def write_xls():
    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet")
    for n, name in enumerate(["Name", "Ada", "Bo"]):
        sheet.write(n, 0, name)
    data = book.get_biff_data()

    def ole_file(data):
        """Returns the bytes of an .xls file that contains this workbook stream."""
        target = io.BytesIO()
        xlwt.CompoundDoc.XlsDoc().save(target, data)
        return target.getvalue()

    write_hostile("far-cells.xls", far_cells(3))
    write_hostile("far-cells-60-sheets.xls", far_cells(60))
    for name, area in [("huge", (0, 0xFFFFFFFF, 0, 0xFFFF)), ("reversed", (5, 1, 5, 1))]:
        write_hostile(f"dimensions-{name}.xls", ole_file(patch_records(data, 0x0200, lambda _, area=area: struct.pack("<IIHHH", *area, 0))))
    write_hostile("dimensions-short.xls", ole_file(patch_records(data, 0x0200, lambda _: b"\0")))
    write_hostile("sheet-beyond.xls", ole_file(patch_records(data, 0x0085, lambda d: struct.pack("<I", 0xFFFFFF00) + d[4:])))
    write_hostile("texts-4-billion.xls", ole_file(patch_records(data, 0x00FC, lambda d: b"\xff" * 8 + d[8:])))
    write_hostile("text-beyond.xls", ole_file(patch_records(data, 0x00FD, lambda d: d[:6] + b"\xff" * 4)))
    write_hostile("records-short.xls", ole_file(patch_records(data, 0x00FD, lambda d: d[:3])))
    write_hostile("records-cut-off.xls", ole_file(data[: len(data) - 9]))
    whole = ole_file(data)
    write_hostile("cut-off.xls", whole[: len(whole) - 2_000])
    write_hostile("head-only.xls", whole[:512])
    table = struct.unpack_from("<I", whole, 76)[0]
    circle = bytearray(whole)
    struct.pack_into("<I", circle, (table + 1) * 512, 0)
    write_hostile("circle.xls", bytes(circle))
    start = struct.unpack_from("<I", whole, 48)[0]
    circle = bytearray(whole)
    struct.pack_into("<I", circle, (table + 1) * 512 + start * 4, start)
    write_hostile("circle-of-directory.xls", bytes(circle))
    counts = bytearray(whole)
    struct.pack_into("<IIIIIIII", counts, 44, 0xFFFFFFFF, start, 0, 4096, 0, 0xFFFFFFFF, 0, 0xFFFFFFFF)
    write_hostile("counts-lie.xls", bytes(counts))
    stream = bytearray(whole)
    at = whole.index("Workbook".encode("utf-16-le"))
    struct.pack_into("<I", stream, at + 120, 0x7FFFFFFF)
    write_hostile("stream-too-long.xls", bytes(stream))


def write_misnamed_files():
    text = lambda kind: package({"[Content_Types].xml": XML, f"{kind}.xml": XML, "docProps/app.xml": XML})
    write("document-docx.xlsx", text("word/document"))
    write("slides-pptx.xlsx", text("ppt/presentation"))
    write("archive-zip.xlsx", package({"readme.txt": "Hello"}))
    write("empty-zip.xlsx", package({}))
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0) + b"\0" * 4
    write("picture-png.xlsx", png)
    write("picture-png.csv", png)
    write("packed-gz.csv", b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + zlib.compress(b"Name,Town\nAda,Lund\n", 9)[2:])
    noise, state = bytearray(), 1
    for _ in range(3_000):
        state = (state * 1_103_515_245 + 12_345) % (1 << 31)
        noise.append(state >> 16 & 0xFF)
    for ending in ("csv", "xlsx", "xls"):
        write(f"noise.{ending}", bytes(noise))
    write("zeros.csv", bytes(2_000))
    book = xlwt.CompoundDoc.XlsDoc()
    target = io.BytesIO()
    book.save(target, bytes(5_000))
    write("word-97.xls", target.getvalue().replace("Workbook".encode("utf-16-le"), "WordFile".encode("utf-16-le")))
    page = "<table><tr><td>Name</td></tr><tr><td>Ada</td></tr></table>"
    write("web-archive.xls", f'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<html>{page}</html>\r\n--x--\r\n'.encode())
    write("web-page-late.xls", f"\r\n<!-- made by a program -->\r\n<meta charset=utf-8>\r\n{page}".encode())
    write("xml.csv", f"{XML}<contacts><contact/></contacts>".encode())
    write("json.csv", b'[{"name": "Ada", "email": "ada@example.com"}, {"name": "Bo", "email": ""}]\n')
    write("rich-text.csv", b"{\\rtf1\\ansi Name}")
    source = lambda name: (HERE / name).read_bytes()
    write("xlsx-named.csv", source("openpyxl-oddities.xlsx"))
    write("xlsx-named.xls", source("openpyxl-oddities.xlsx"))
    write("xls-named.xlsx", source("xlwt-oddities.xls"))
    write("xlsb-named.xlsx", source("sheetjs-oddities.xlsb"))
    write("ods-named.xlsx", source("libreoffice-oddities.ods"))
    write("csv-named.xlsx", source("csv-plain.csv"))
    write("csv-named.xls", source("csv-semicolons.csv"))


write_xlsx()
write_xls()
write_misnamed_files()
