"""Creates the sample files that are named below, in this folder, byte-identical in every run. The scripts in make/ create the
others; make/all.sh runs all. All people and companies are invented.

Needs xlsxwriter 3.2.9, xlwt 1.3.0 and msoffcrypto-tool 6.1.0:
    python3 -m venv venv && venv/bin/pip install xlsxwriter==3.2.9 xlwt==1.3.0 msoffcrypto-tool==6.1.0
    venv/bin/python core/tests/files/make.py
core/tests/samples.rs asserts their contents.
"""

import datetime
import hashlib
import io
import pathlib
import struct

import msoffcrypto.method.container.ecma376_encrypted as container
import msoffcrypto.method.ecma376_agile
import xlsxwriter
import xlwt
from msoffcrypto.format.ooxml import OOXMLFile

HERE = pathlib.Path(__file__).parent
CREATED = datetime.datetime(2024, 5, 17, 8, 30)


def write(name, content):
    (HERE / name).write_bytes(content)


def lines(*rows, end="\r\n"):
    return "".join(row + end for row in rows)


def write_texts():
    # As Swedish Excel saves "CSV (semikolonavgränsad)". One row with a wrong address, one without a name.
    write(
        "kunder-semikolon.csv",
        lines(
            "Namn;E-post;Telefon;Hemsida;Adress;Kundnr",
            "Åsa Öberg;asa.oberg@example.se;070-123 45 67;www.oberg.example;Storgatan 1, 211 42 Malmö;1001",
            "Björn Ek;bjorn.ek@example.se;08-12 34 56 78;;Ängsvägen 5, 167 51 Bromma;1002",
            'Firma "Blå Bilen";info(at)blabilen.example;040-98 76 54;https://blabilen.example;;1003',
            ";vem.vet@example.se;;;;1004",
            'Märta Sjögren;MARTA@example.se;;;"Box 12; 903 25 Umeå";1005',
            "Marta Sjögren;marta@example.se;;;;1006",
        ).encode("cp1252"),
    )
    # As Excel saves "Unicode text", but with the extension .csv.
    write(
        "kontakter-utf16.csv",
        b"\xff\xfe"
        + lines(
            "Kontaktperson\tMobil\tMejladress\tOrt",
            "Łukasz Wiśniewski\t+48 601 234 567\tlukasz@example.com\tGdańsk",
            "Zoë D’Arcy\t+44 20 7946 0000\tzoe@example.com\tLondon",
            "Αλέξης Παππάς\t\talexis@example.com\tΑθήνα",
        ).encode("utf-16-le"),
    )
    # Quoted line breaks, quotes in quotes, a blank line, and a byte order mark.
    write(
        "addresses-line-breaks.csv",
        lines(
            "Full name,Email address,Address,Notes",
            '"O\'Neill, Siobhán",siobhan@example.com,"4 High Street\nFlat 2\nBath BA1 1AA","Says ""call me"""',
            "",
            'Grace Park,grace@example.com,"1 Mill Lane\r\nYork YO1 7AB",',
            "Tom Hale,tom@example.com,,a,b",
            end="\n",
        ).encode("utf-8-sig"),
    )
    # German: the name in two columns, decimal commas, and a `sep=` line.
    write(
        "kunden-deutsch.csv",
        lines(
            "sep=;",
            "Name;Vorname;Straße;PLZ;Ort;E-Mail;Telefonnummer;Umsatz",
            "Weiß;Jörg;Königsallee 7;40212;Düsseldorf;joerg.weiss@example.de;+49 211 1234567;1.234,50",
            "Müller-Lüdenscheidt;Änne;Am Bächle 3;79098;Freiburg;aenne@example.de;0761 7654321;99,00",
            "Groß;;Hauptstraße 12;01067;Dresden;;0351 246810;0,00",
        ).encode(),
    )
    write("two-equal-headers.csv", lines("Name,Email,Phone,Email", "Ada,ada@example.com,+441234567890,a@example.org").encode())
    write("empty.csv", b"")
    write("blank-rows.csv", lines("", ";;;", "  ;;", "").encode())
    write("header-only.csv", lines("Namn;E-post;Telefon").encode())
    write("missing-quote.csv", lines("Name,Address", 'Ada,"1 Mill Lane', "Bo,2 Mill Lane", "Cy,3 Mill Lane").encode())
    write(
        "20000-columns.csv",
        lines(",".join(f"c{n}" for n in range(1, 20_001)), "Ada" + "," * 19_999).encode(),
    )


def write_misnamed_files():
    pdf = (
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n"
        b"<< /Type /Pages /Kids [] /Count 0 >>\nendobj\nxref\n0 3\n0000000000 65535 f \n0000000015 00000 n \n"
        b"0000000064 00000 n \ntrailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n113\n%%EOF\n"
    )
    write("brochure-pdf.csv", pdf)
    page = "<html><body><table><tr><th>Namn</th></tr><tr><td>Åsa</td></tr></table></body></html>\n"
    write("web-page.xls", page.encode())
    write("text-as-xls.xls", lines("Namn\tE-post", "Åsa Öberg\tasa@example.se").encode("cp1252"))


def create_xlsx(fill):
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    book.set_properties({"created": CREATED, "title": "Sample"})
    fill(book)
    book.close()
    return target.getvalue()


def fill_contacts(book):
    date = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "d mmm yyyy hh:mm"})
    zeros = book.add_format({"num_format": "0000000000"})
    hidden = book.add_worksheet("Listor")
    hidden.write_row(0, 0, ["Hidden", "Values"])
    hidden.write_row(1, 0, ["not", "these"])
    hidden.hide()
    sheet = book.add_worksheet("Kontakter")
    sheet.activate()
    sheet.set_first_sheet()
    # Column A and the first two rows stay empty, as they often do.
    sheet.write_row(2, 1, ["Namn", "E-post", "Telefon", "Mobil", "Kundnr", "Född", "Senast sedd", "Rabatt", "Aktiv", "Hälsning"])
    rows = [
        ("Åsa Öberg", "asa@example.se", 46701234567, 701234567, "00123", datetime.date(1985, 12, 10), 0.1 + 0.2, True),
        ("Björn Ek", "bjorn@example.se", 4681234567890, 812345678, "00124", datetime.date(2000, 2, 29), 12, False),
        ("Çelik & Söner <AB>", "", "040-12 34 56", 700000001, "00125", None, 1234567.25, True),
    ]
    for n, (name, email, phone, mobile, number, born, discount, active) in enumerate(rows, start=3):
        sheet.write(n, 1, name)
        sheet.write(n, 2, email)
        sheet.write(n, 3, phone)
        sheet.write_number(n, 4, mobile, zeros)
        sheet.write_string(n, 5, number)
        if born:
            sheet.write_datetime(n, 6, born, date)
            sheet.write_datetime(n, 7, datetime.datetime(2024, 5, n, 14, 30), moment)
        sheet.write_number(n, 8, discount)
        sheet.write_boolean(n, 9, active)
        sheet.write_formula(n, 10, f'="Hej "&B{n + 1}', None, f"Hej {name}")
    # A blank row, then one with an error in a cell and a line break in another.
    sheet.write(7, 1, "Dag\nDufva")
    sheet.write(7, 2, "dag(at)example.se")
    sheet.write_formula(7, 10, "=NA()", None, "#N/A")
    book.add_worksheet("Gamla").write_row(0, 0, ["Namn", "Vem"])


def fill_far_cell(book):
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["Name", "Email"])
    sheet.write_row(1, 0, ["Ada", "ada@example.com"])
    sheet.write(1_048_575, 16_383, "solver")


def fill_hidden_sheet(book):
    book.add_worksheet("Front")
    sheet = book.add_worksheet("Back")
    sheet.write_column(0, 0, ["Name", "Ada"])
    sheet.hide()


def create_xls():
    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("Kontakte")
    date = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for column, header in enumerate(["Ansprechpartner", "E-Mail", "Telefon", "Kunde seit", "Nummer"], start=1):
        sheet.write(0, column, header)
    rows = [
        ("Jörg Weiß", "joerg@example.de", 492111234567, datetime.date(2019, 3, 1), 7.5),
        ("Änne Groß", "aenne@example.de", "0761 7654321", datetime.date(2021, 11, 30), 42),
    ]
    for n, (name, email, phone, since, number) in enumerate(rows, start=1):
        sheet.write(n, 1, name)
        sheet.write(n, 2, email)
        sheet.write(n, 3, phone)
        sheet.write(n, 4, since, date)
        sheet.write(n, 5, number)
    return book


def write_workbooks():
    write("kontakter.xlsx", create_xlsx(fill_contacts))
    write("far-cell.xlsx", create_xlsx(fill_far_cell))
    write("only-hidden-sheets.xlsx", create_xlsx(fill_hidden_sheet))
    book = create_xls()
    target = io.BytesIO()
    book.save(target)
    write("kontakte-97.xls", target.getvalue())

    whole = create_xlsx(fill_contacts)
    write("broken.xlsx", whole[: len(whole) * 2 // 3])

    # Replaces the random salts by hashes of a counter and the creation time by 0, so that the bytes are the same in every run.
    container.datetime2filetime = lambda _: 0
    counter = iter(range(1_000))
    msoffcrypto.method.ecma376_agile._random_buffer = lambda size: hashlib.sha512(b"%d" % next(counter)).digest()[:size]
    target = io.BytesIO()
    OOXMLFile(io.BytesIO(whole)).encrypt("secret", target)
    write("protected.xlsx", target.getvalue())

    # Marks the workbook as encrypted as Excel 97 does, with a FILEPASS record (type 1, RC4) after the first record.
    # Nothing is really encrypted: the reader rejects the file because of this record.
    data = create_xls().get_biff_data()
    after = 4 + struct.unpack_from("<H", data, 2)[0]
    data = data[:after] + struct.pack("<HHHHH", 0x2F, 54, 1, 1, 1) + bytes(48) + data[after:]
    target = io.BytesIO()
    xlwt.CompoundDoc.XlsDoc().save(target, data)
    write("protected-97.xls", target.getvalue())


write_texts()
write_misnamed_files()
write_workbooks()
