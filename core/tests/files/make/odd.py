"""Creates unusual .xlsx workbooks that Excel and LibreOffice open; byte-identical in every run. core/tests/verdicts.json
records how each is read. All people are invented."""

import hashlib
import io
import struct

import msoffcrypto.method.container.ecma376_encrypted as container
import msoffcrypto.method.ecma376_agile
import xlsxwriter
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from msoffcrypto.format.ooxml import OOXMLFile
from packages import MAIN, PACKAGE, RELATIONS, XML, package
from reproducible import HERE, write

# The password that Excel tries before it asks for one.
PASSWORD = "VelvetSweatshop"
STRICT = "http://purl.oclc.org/ooxml"
HEADERS = ["Namn", "E-post", "Telefon"]
PEOPLE = [("Åsa Öberg", "asa@example.se", "070-123 45 67"), ("Björn Ek", "bjorn@example.se", "08-12 34 56 78")]


def write_odd(name, content):
    write(f"odd-{name}", content)


def inline(text):
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def contacts():
    return "".join(f"<row>{''.join(map(inline, row))}</row>" for row in [HEADERS, *PEOPLE])


def sheet_of(rows, main=MAIN):
    return f'{XML}<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'


def parts_of(sheets, styles=None, main=MAIN, relations=RELATIONS):
    """Returns the parts of a workbook. Each sheet has a name, its rows, and further attributes of its element."""
    relation = lambda n, kind, target: f'<Relationship Id="rId{n}" Type="{relations}/{kind}" Target="{target}"/>'
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"{rest}/>' for n, (name, _, rest) in enumerate(sheets, 1))
    named = "".join(relation(n, "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{kind}.{of}+xml"/>'
        for name, of in [("workbook", "sheet.main"), ("styles", "styles")] + [(f"worksheets/sheet{n}", "worksheet") for n in range(1, len(sheets) + 1)]
    )
    rows = {f"xl/worksheets/sheet{n}.xml": sheet_of(rows, main) for n, (_, rows, _) in enumerate(sheets, 1)}
    cells = "".join(f'<xf numFmtId="{164 + n}" applyNumberFormat="1"/>' for n in range(len(styles or [])))
    codes = "".join(f'<numFmt numFmtId="{164 + n}" formatCode="{code.replace(chr(34), "&quot;")}"/>' for n, code in enumerate(styles or []))
    return {
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relation(1, "officeDocument", "xl/workbook.xml")}</Relationships>',
        "xl/workbook.xml": f'{XML}<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{named}{relation(90, "styles", "styles.xml")}</Relationships>',
        "xl/styles.xml": f'{XML}<styleSheet xmlns="{main}"><numFmts count="{len(styles or [])}">{codes}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs>{cells or "<xf/>"}</cellXfs></styleSheet>',
        **rows,
    }


def write_formats():
    """Writes numbers whose format contains digits, amounts, and days before March 1900."""
    book = xlsxwriter.Workbook(target := io.BytesIO(), {"in_memory": True})
    sheet = book.add_worksheet("Kontakter")
    columns = [
        ("Namn", None), ("Telefon", "000-000 00 00"), ("Mobil", '0#" "##" "##" "##" "##'), ("Fax", '"+46 "0'),
        ("US", "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####"), ("Zip", "00000-0000"), ("Postnr", "000\\ 00;@"), ("Kundnr", '"KN-"0000'),
        ("Pris", '#,##0.00\\ [$kr-41D];[Red]-#,##0.00\\ [$kr-41D]'), ("Saldo", '_-* #,##0\\ _k_r_-;\\-* #,##0\\ _k_r_-;_-* "-"??\\ _k_r_-;_-@_-'),
        ("Aktiv", '[=1]"Ja";[=0]"Nej";0'), ("Antal", '0" st"'), ("Dag", "yyyy\\-mm\\-dd"),
    ]
    rows = [
        ("Åsa Öberg", 701234567, 612345678, 701234567, 5551234, 21034567, 21142, 42, 1234.5, -99, 1, 3, 1),
        ("Björn Ek", 812345678, 12345678, 812345678, 2065551234, 1234, 90325, 12345, 0, 0, 0, 12, 59),
        ("Çelik", 0, 1234, 5, 0, 0, 123, 0, -0.5, 1234567, 2, 1.5, 60),
    ]
    sheet.write_row(0, 0, [header for header, _ in columns])
    for n, row in enumerate(rows, 1):
        for column, (value, (_, code)) in enumerate(zip(row, columns)):
            sheet.write(n, column, value, book.add_format({"num_format": code}) if code else None)
    book.close()
    write_odd("formats.xlsx", target.getvalue())


def write_covers():
    cover = f"<row>{inline('Kundlista 2024')}</row>"
    pairs = f"<row>{inline('Report')}{inline('Customers')}</row><row>{inline('Printed on')}{inline('2024-05-17')}</row>"
    write_odd("cover-of-one-line.xlsx", package(parts_of([("Omslag", cover, ""), ("Kontakter", contacts(), "")])))
    write_odd("cover-of-pairs.xlsx", package(parts_of([("Cover", pairs, ""), ("Contacts", contacts(), "")])))


def write_strict():
    date = lambda style, value: f'<c s="{style}" t="d"><v>{value}</v></c>'
    values = [("2024-05-03T14:30:00.250", "1899-12-31T07:45:00", "PT30H15M"), ("1900-02-28", "07:45:59.9999Z", "P1DT6H")]
    rows = f"<row>{''.join(map(inline, ['Namn', 'Dag', 'Tid', 'Längd']))}</row>" + "".join(
        f"<row>{inline(name)}{date(1, day)}{date(2, time)}{date(3, length)}</row>" for (name, _, _), (day, time, length) in zip(PEOPLE, values)
    )
    parts = parts_of([("Strict", rows, "")], ["General", "yyyy\\-mm\\-dd", "hh:mm:ss", "[h]:mm:ss"], f"{STRICT}/spreadsheetml/main", f"{STRICT}/officeDocument/relationships")
    write_odd("strict-dates.xlsx", package(parts))


def write_workbooks_with_odd_parts():
    whole = parts_of([("Kontakter", contacts(), "")])
    for name, encoding, mark in [("le", "utf-16-le", b"\xff\xfe"), ("be", "utf-16-be", b"\xfe\xff")]:
        wide = {name: mark + text.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode(encoding) for name, text in whole.items()}
        write_odd(f"utf-16-{name}.xlsx", package(wide))
    lost = parts_of([("Borta", "", ""), ("Kontakter", contacts(), ' state="show"'), ("Också borta", "", "")])
    del lost["xl/worksheets/sheet3.xml"]
    lost["xl/_rels/workbook.xml.rels"] = lost["xl/_rels/workbook.xml.rels"].replace('Id="rId1"', 'Id="rId77"')
    write_odd("sheets-without-parts.xlsx", package(lost))
    windows = {name.lower().replace("/", "\\"): text.replace("worksheets/sheet1.xml", "worksheets\\Sheet1.xml") for name, text in whole.items()}
    write_odd("backslashes.xlsx", package(windows))
    cell = lambda column, row, text: f'<row r="{row}"><c r="{column}{row}" t="inlineStr"><is><t>{text}</t></is></c></row>'
    rows = "".join(cell(column, n, text) for n, row in enumerate([HEADERS, *PEOPLE], 1) for column, text in zip("ABC", row))
    write_odd("row-for-each-cell.xlsx", package(parts_of([("Kontakter", rows, "")])))


def make_encryption_reproducible():
    """Replaces the random bytes of an encryption by hashes of a counter, and the creation time by 0."""
    container.datetime2filetime = lambda _: 0
    counter = iter(range(1_000))
    msoffcrypto.method.ecma376_agile._random_buffer = lambda size: hashlib.sha512(b"%d" % next(counter)).digest()[:size]


def encrypt_standard(content):
    """Encrypts a workbook as Excel 2007 does."""
    salt, verifier = hashlib.md5(b"salt").digest(), hashlib.md5(b"verifier").digest()
    digest = hashlib.sha1(salt + PASSWORD.encode("utf-16-le")).digest()
    for n in range(50_000):
        digest = hashlib.sha1(struct.pack("<I", n) + digest).digest()
    digest = hashlib.sha1(digest + struct.pack("<I", 0)).digest()
    key = hashlib.sha1(bytes(0x36 ^ (digest + bytes(44))[n] for n in range(64))).digest()[:16]
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    encrypted = lambda data: cipher.update(data + bytes(-len(data) % 16))
    provider = "Microsoft Enhanced RSA and AES Cryptographic Provider\0".encode("utf-16-le")
    header = struct.pack("<IIIIIIII", 0x24, 0, 0x660E, 0x8004, 128, 0x18, 0, 0) + provider
    info = struct.pack("<HHI", 3, 2, 0x24) + struct.pack("<I", len(header)) + header
    info += struct.pack("<I", 16) + salt + encrypted(verifier) + struct.pack("<I", 20) + encrypted(hashlib.sha1(verifier).digest())
    target = io.BytesIO()
    container.ECMA376Encrypted(struct.pack("<Q", len(content)) + encrypted(content), info).write_to(target)
    return target.getvalue()


def write_encryptions():
    make_encryption_reproducible()
    # Shorter contents would need mini sectors, which the library does not write.
    content = (HERE / "odd-formats.xlsx").read_bytes()
    target = io.BytesIO()
    OOXMLFile(io.BytesIO(content)).encrypt(PASSWORD, target)
    write_odd("encrypted-agile.xlsx", target.getvalue())
    write_odd("encrypted-standard.xlsx", encrypt_standard(content))
    target = io.BytesIO()
    OOXMLFile(io.BytesIO((HERE / "sheetjs-oddities.xlsb").read_bytes())).encrypt(PASSWORD, target)
    write_odd("encrypted.xlsb", target.getvalue())


write_formats()
write_covers()
write_strict()
write_workbooks_with_odd_parts()
write_encryptions()
