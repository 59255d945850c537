"""Creates workbooks as other programs than Excel write them, as Excel 5 and 95 wrote them, and workbooks that are encrypted
with Excel's default password; byte-identical in every run. Needs only Python. All people are invented."""

import hashlib
import io
import pathlib
import struct
import zipfile

HERE = pathlib.Path(__file__).parent.parent
SECTOR, END, NONE = 512, 0xFFFFFFFE, 0xFFFFFFFF
VELVET = "VelvetSweatshop"
HEADER = ["Namn", "E-post", "Telefon", "Postnr", "Rabatt", "Tid"]
PEOPLE = [
    ["Åsa Öberg", "asa@example.se", "070-123 45 67", 1234, 0.25, 1.25],
    ["Björn Ek", "bjorn@example.se", "08-12 34 56", 56789, 0.125, 30.5],
]
CODES = {1: "00000", 2: "0.0%", 3: "[h]:mm", 4: "[Red]0.00"}


def write(name, content):
    (HERE / f"foreign-{name}").write_bytes(content)


# --- .xls

def words(*numbers):
    return struct.pack(f"<{len(numbers)}H", *numbers)


def record(kind, data=b""):
    return words(kind, len(data)) + data


def plain(text):
    """Returns a BIFF8 string without formatting: its length, a flag, and Latin-1 or UTF-16."""
    raw = text.encode("latin-1", "ignore")
    if raw.decode("latin-1") == text:
        return struct.pack("<H", len(text)) + b"\0" + raw
    return struct.pack("<H", len(text)) + b"\1" + text.encode("utf-16-le")


def styles(is_old=False):
    """Returns style 0 without a format, and one style for each of the codes."""
    code = lambda text: bytes([len(text)]) + text.encode() if is_old else plain(text)
    formats = [record(0x041E, words(163 + n) + code(text)) for n, text in CODES.items()]
    of = lambda n: record(0x00E0, words(0, 163 + n if n else 0) + bytes(12 if is_old else 16))
    return b"".join(formats + [of(n) for n in range(len(CODES) + 1)])


def shared(texts, count=None):
    count = len(texts) if count is None else count
    return record(0x00FC, struct.pack("<II", count, count) + b"".join(map(plain, texts)))


def contacts(text, number=0x0203):
    """Returns the cells of all rows. `text` creates the record of a text cell from row, column and value."""
    cells = b""
    for row, values in enumerate([HEADER, *PEOPLE]):
        for column, value in enumerate(values):
            if isinstance(value, str):
                cells += text(row, column, value)
            else:
                cells += record(number, words(row, column, column - 2) + struct.pack("<d", value))
    return cells


def stream(before, cells, version=0x0600, password=b""):
    start = lambda kind: record(0x0809, words(version, kind, 0, 0, *([0] * 4 if version == 0x0600 else [])))
    head = start(5) + password + before
    name = b"\5\0Blad1" if version == 0x0600 else b"\5Blad1"
    sheet = lambda at: record(0x0085, struct.pack("<I", at) + words(0) + name)
    at = len(head) + len(sheet(0)) + 4
    size = record(0x0200, struct.pack("<IIHHH", 0, 3, 0, 6, 0) if version == 0x0600 else words(0, 3, 0, 6, 0))
    return head + sheet(at) + record(0x000A) + start(16) + size + cells + record(0x000A)


def label(row, column, value):
    return record(0x0204, words(row, column, 0) + plain(value))


def container(*streams, entries=None):
    """Returns an OLE file. Each of `entries` has a name, a type, three links and the index of its stream."""
    streams = [part.ljust(max(4096, -(-len(part) // SECTOR) * SECTOR), b"\0") for part in streams]
    starts = [sum(len(part) // SECTOR for part in streams[:n]) for n in range(len(streams) + 1)]
    count = starts[-1]
    table = []
    for n, part in enumerate(streams):
        table += [*range(starts[n] + 1, starts[n + 1]), END]
    directory = b""
    for name, kind, left, right, child, place in [("Root Entry", 5, NONE, NONE, 1, None), *entries]:
        raw = name.encode("utf-16-le")
        where = (END, 0) if place is None else (starts[place], len(streams[place]))
        entry = raw.ljust(64, b"\0") + words(len(raw) + 2) + bytes([kind, 1]) + struct.pack("<III", left, right, child)
        directory += entry.ljust(116, b"\0") + struct.pack("<IIi", *where, 0)
    directory = directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0")
    size = len(directory) // SECTOR
    tables = -(-(count + size) // (SECTOR // 4 - 1)) + 1
    table += [*range(count + 1, count + size), END] + [0xFFFFFFFD] * tables
    table += [NONE] * (tables * SECTOR // 4 - len(table))
    head = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(16) + words(62, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<IIIIIIII", tables, count, 0, 4096, END, 0, END, 0)
    lists = [count + size + n if n < tables else NONE for n in range(109)]
    return head + struct.pack("<109I", *lists) + b"".join(streams) + directory + struct.pack(f"<{len(table)}I", *table)


def workbook(content, name="Workbook"):
    return container(content, entries=[(name, 2, NONE, NONE, NONE, 0)])


def embedded(inner, outer):
    entries = [("Workbook", 2, NONE, NONE, NONE, 0), ("MBD0018D4CE", 1, NONE, NONE, 1, None), ("Workbook", 2, 2, NONE, NONE, 1)]
    return container(inner, outer, entries=entries).replace(
        struct.pack("<III", NONE, NONE, 1), struct.pack("<III", NONE, NONE, 3), 1
    )


# --- encryption

def key_stream(key, length):
    state, other = list(range(256)), 0
    for place in range(256):
        other = (other + state[place] + key[place % len(key)]) % 256
        state[place], state[other] = state[other], state[place]
    place = other = 0
    for _ in range(length):
        place = (place + 1) % 256
        other = (other + state[place]) % 256
        state[place], state[other] = state[other], state[place]
        yield state[(state[place] + state[other]) % 256]


class Rc4:
    """`is_new`: with SHA-1 and 128 bits, as in Excel 2002 and 2003; otherwise as in Excel 97."""

    def __init__(self, password, is_new):
        salt, check, raw = bytes(range(16)), bytes(range(100, 116)), password.encode("utf-16-le")
        self.hash = hashlib.sha1 if is_new else hashlib.md5
        self.secret = self.hash(salt + raw if is_new else (self.hash(raw).digest()[:5] + salt) * 16).digest()[: 20 if is_new else 5]
        self.blocks = {}
        encrypted = self.encrypt(check + self.hash(check).digest(), 0, 0)
        if is_new:
            name = "Microsoft Base Cryptographic Provider v1.0\0".encode("utf-16-le")
            header = struct.pack("<IIIIIIII", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + name
            verifier = struct.pack("<I", 16) + salt + encrypted[:16] + struct.pack("<I", 20) + encrypted[16:]
            self.head = words(1, 4, 2) + struct.pack("<II", 4, len(header)) + header + verifier
        else:
            self.head = words(1, 1, 1) + salt + encrypted

    def encrypt(self, data, at, _):
        out = bytearray(data)
        for n in range(len(out)):
            block, place = divmod(at + n, 1024)
            if block not in self.blocks:
                key = self.hash(self.secret + struct.pack("<I", block)).digest()[:16]
                self.blocks[block] = bytes(key_stream(key, 1024))
            out[n] ^= self.blocks[block][place]
        return bytes(out)


class Xor:
    PADDING = bytes.fromhex("BBFFFFBAFFFFB98000BE0F00BF0F00")

    def __init__(self, password, is_old):
        raw, key, hashed = password.encode(), self.derive_key(password.encode()), 0
        for byte in reversed(raw):
            hashed = ((hashed >> 14) & 1 | (hashed << 1) & 0x7FFF) ^ byte
        hashed = ((hashed >> 14) & 1 | (hashed << 1) & 0x7FFF) ^ len(raw) ^ 0xCE4B
        rotate = lambda byte, by: (byte << by | byte >> (8 - by)) & 0xFF
        padded = (raw + self.PADDING)[:16]
        self.array = [rotate(byte ^ words(key)[n % 2], 2) for n, byte in enumerate(padded)]
        self.head = (b"" if is_old else words(0)) + words(key, hashed)

    @staticmethod
    def derive_key(password):
        """Returns the 16-bit key of XOR obfuscation for the bytes of a password."""
        rotate = lambda value: (value << 1 | value >> 15) & 0xFFFF
        next_value = lambda value: rotate(value) ^ (0x1020 if rotate(value) & 1 else 0)
        key, base, end = 0, 0x8000, 0xFFFF
        for byte in reversed(password):
            for bit in range(8):
                base, end = next_value(base), next_value(end)
                key ^= base if byte >> bit & 1 else 0
        return key ^ end

    def encrypt(self, data, at, length):
        rotate = lambda byte: (byte << 5 | byte >> 3) & 0xFF
        return bytes(rotate(byte ^ self.array[(at + length + n) % 16]) for n, byte in enumerate(data))


def encrypted(cipher, before, cells, version=0x0600):
    content = bytearray(stream(before, cells, version, record(0x002F, cipher.head)))
    at, is_on = 0, False
    while at < len(content):
        kind, length = struct.unpack_from("<HH", content, at)
        start, end = at + 4, at + 4 + length
        if is_on and kind not in (0x0809, 0x002F):
            left = 4 if kind == 0x0085 else 0
            content[start + left : end] = cipher.encrypt(content[start + left : end], start + left, length)
        is_on |= kind == 0x002F
        at = end
    return bytes(content)


def write_xls():
    texts = sorted({value for row in [HEADER, *PEOPLE] for value in row if isinstance(value, str)})
    place = lambda row, column, value: record(0x00FD, words(row, column, 0) + struct.pack("<I", texts.index(value)))
    default_parts = styles(), contacts(label)
    write("capitals.xls", workbook(stream(*default_parts), "WORKBOOK"))
    write("count-zero.xls", workbook(stream(styles() + shared(texts, 0), contacts(place))))
    missing = lambda row, column, value: record(0x00FD, words(row, column, 0) + struct.pack("<I", 900)) if (row, column) == (2, 2) else place(row, column, value)
    write("text-beyond.xls", workbook(stream(styles() + shared(texts), contacts(missing))))
    cut = shared(texts)
    at = 12 + sum(len(plain(text)) for text in texts[:3]) + 5
    pieces = record(0x00FC, cut[4:at]) + record(0x003C) + record(0x003C, b"\0" + cut[at:])
    write("empty-continue.xls", workbook(stream(styles() + pieces, contacts(place))))
    value = lambda number: struct.pack("<d", number) + bytes(8)
    text = lambda row, column, value: record(0x0406, words(row, column, 0) + bytes(6) + b"\xff\xff" + bytes(8)) + record(0x0207, plain(value))
    cells = contacts(text)
    for row, person in enumerate(PEOPLE, 1):
        for column in (3, 4, 5):
            head = words(row, column, column - 2)
            cells = cells.replace(record(0x0203, head + struct.pack("<d", person[column])), record(0x0406, head + value(person[column])))
    write("formulas-0406.xls", workbook(stream(styles(), cells)))
    inner = stream(b"", label(0, 0, "Namn") + label(1, 0, "Not this one"))
    write("embedded.xls", embedded(inner, stream(*default_parts)))
    rows = [contacts(label)[:0]] + [label(2, n, value) for n, value in enumerate(PEOPLE[1][:3])]
    rows += [label(0, n, value) for n, value in enumerate(HEADER[:3])] + [label(1, n, value) for n, value in enumerate(PEOPLE[0][:3])]
    write("disorder.xls", workbook(stream(styles(), b"".join(rows))))
    for version, kind, length in ((2, 0x0009, 4), (3, 0x0209, 6), (4, 0x0409, 6)):
        write(f"excel-{version}.xls", record(kind, words(version, 16, 0)[:length]) + record(0x000A))
    for name, cipher in (("velvet-97", Rc4(VELVET, False)), ("velvet-2003", Rc4(VELVET, True)), ("velvet-xor", Xor(VELVET, False))):
        write(f"{name}.xls", workbook(encrypted(cipher, *default_parts)))
    write("password-2003.xls", workbook(encrypted(Rc4("secret", True), *default_parts)))
    write("password-xor.xls", workbook(encrypted(Xor("secret", False), *default_parts)))
    old = lambda page: lambda row, column, value: record(0x0204, words(row, column, 0) + words(len(value)) + value.encode(page))
    before = lambda page: record(0x0042, words(page)) + styles(True)
    cells = contacts(old("cp1252"))
    write("excel-95.xls", workbook(stream(before(1252), cells, 0x0500), "Book"))
    write("excel-95-bare.xls", stream(before(1252), cells, 0x0500))
    write("excel-95-velvet.xls", workbook(encrypted(Xor(VELVET, True), before(1252), cells, 0x0500), "BOOK"))
    polish_text = lambda row, column, value: old("cp1250")(row, column, value.replace("Åsa Öberg", "Łukasz Żak"))
    write("excel-95-polish.xls", workbook(stream(before(1250), contacts(polish_text), 0x0500), "Book"))


# --- .xlsb

def package(parts):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in parts:
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            zipped.writestr(zipfile.ZipInfo(name), content, kind)
    return target.getvalue()


def binary(kind, *data):
    number = lambda n: bytes([n]) if n < 128 else bytes([n & 127 | 128]) + number(n >> 7)
    data = b"".join(data)
    return number(kind) + number(len(data)) + data


def wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def write_xlsb():
    head = lambda column, style=0: struct.pack("<II", column, style)
    row = lambda n: binary(0, struct.pack("<III", n, 0, 0), bytes(5))
    double = lambda value: struct.pack("<d", value)
    cells = row(0) + b"".join(binary(7, head(n), struct.pack("<I", n)) for n in range(len(HEADER)))
    for n, (name, email, phone, postcode, discount, time) in enumerate(PEOPLE, 1):
        rich = b"\1" + wide(name) + struct.pack("<IHH", 1, 0, 0)
        cells += row(n) + binary(62, head(0), rich) + binary(6, head(1), wide(email)) + binary(8, head(2), wide(phone), bytes(10))
        cells += binary(2, head(3, 1), struct.pack("<I", postcode << 2 | 2)) + binary(5, head(4, 2), double(discount))
        cells += binary(9, head(5, 3), double(time), bytes(10))
    # An error, an error of a formula, a missing shared string, and cells without their own column.
    cells += row(3) + binary(3, head(0), b"\x2A") + binary(11, head(1), b"\x07", bytes(10)) + binary(7, head(2), struct.pack("<I", 900))
    cells += row(4) + binary(6, head(0), wide("Cesar Dahl")) + binary(17, bytes(4), wide("cesar@example.se"))
    cells += binary(17, bytes(4), wide("08-98 76 54")) + binary(13, struct.pack("<I", 1), struct.pack("<I", 7 << 2 | 2))
    formats = b"".join(binary(44, words(163 + n), wide(code)) for n, code in CODES.items())
    style = lambda n: binary(47, words(0xFFFF, 163 + n if n else 0), bytes(10), words(1))
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    relations = lambda *them: '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' + "".join(
        f'<Relationship Id="r{n}" Type="{kinds}{kind}" Target="{target}"/>' for n, (kind, target) in enumerate(them, 1)) + "</Relationships>"
    content = "application/vnd.ms-excel."
    types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    types += '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    types += f'<Default Extension="bin" ContentType="{content}sheet.binary.macroEnabled.main"/>'
    for name, kind in (("worksheets/sheet1", "worksheet"), ("sharedStrings", "sharedStrings"), ("styles", "styles")):
        types += f'<Override PartName="/xl/{name}.bin" ContentType="{content}{kind}"/>'
    sheet = binary(129) + binary(148, bytes(16)) + binary(145) + cells + binary(146) + binary(130)
    sheets = binary(143) + binary(156, struct.pack("<II", 0, 1), wide("r1"), wide("Blad1")) + binary(144)
    texts = binary(159, struct.pack("<II", len(HEADER), len(HEADER))) + b"".join(binary(19, b"\0", wide(text)) for text in HEADER) + binary(160)
    look = binary(278) + binary(615, struct.pack("<I", len(CODES))) + formats + binary(616)
    look += binary(617, struct.pack("<I", len(CODES) + 1)) + b"".join(map(style, range(len(CODES) + 1))) + binary(618) + binary(279)
    write("formats.xlsb", package([
        ("[Content_Types].xml", types + "</Types>"),
        ("_rels/.rels", relations(("officeDocument", "xl/workbook.bin"))),
        ("xl/workbook.bin", binary(131) + sheets + binary(132)),
        ("xl/_rels/workbook.bin.rels", relations(("worksheet", "worksheets/sheet1.bin"), ("sharedStrings", "sharedStrings.bin"), ("styles", "styles.bin"))),
        ("xl/worksheets/sheet1.bin", sheet),
        ("xl/sharedStrings.bin", texts),
        ("xl/styles.bin", look),
    ]))


# --- .ods

STYLES = (
    '<number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>'
    '<number:percentage-style style:name="N2"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>'
    '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="Default" style:data-style-name="N1"/>'
    '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="Default" style:data-style-name="N2"/>'
)


def ods_row(values, repeated="", space=""):
    cells = ""
    for value in values:
        if isinstance(value, str):
            cells += f'<table:table-cell office:value-type="string">{space}<text:p>{value}</text:p>{space}</table:table-cell>{space}'
        elif value >= 1000:
            cells += f'<table:table-cell table:style-name="ce1" office:value-type="float" office:value="{value}"><text:p>{value:05}</text:p></table:table-cell>{space}'
        elif value < 1:
            cells += f'<table:table-cell table:style-name="ce2" office:value-type="percentage" office:value="{value}"><text:p>{value:.1%}</text:p></table:table-cell>{space}'
        else:
            hours, minutes = divmod(round(value * 1440), 60)
            cells += f'<table:table-cell office:value-type="time" office:time-value="PT{hours:02}H{minutes:02}M00S"><text:p>{hours}:{minutes:02}</text:p></table:table-cell>{space}'
    return f"<table:table-row{repeated}>{space}{cells}</table:table-row>{space}"


def ods(rows, space="", mimetype=True, manifest=""):
    names = {"office": "office", "table": "table", "text": "text", "style": "style", "number": "datastyle"}
    names = "".join(f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"' for name, long in names.items())
    table = f'<table:table table:name="Blad1">{space}<table:table-column table:number-columns-repeated="6"/>{space}{rows}</table:table>'
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content{names} office:version="1.2"><office:automatic-styles>{STYLES}</office:automatic-styles><office:body><office:spreadsheet>{space}{table}{space}</office:spreadsheet></office:body></office:document-content>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = lambda path, media, inside: f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{media}">{inside}</manifest:file-entry>'
    listed = f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">{entry("/", kind, "")}{entry("content.xml", "text/xml", manifest)}</manifest:manifest>'
    if manifest:
        content = hashlib.sha512(b"locked").digest() * 20
    return package(([("mimetype", kind)] if mimetype else []) + [("content.xml", content), ("META-INF/manifest.xml", listed)])


def write_ods():
    rows = lambda space="": "".join(ods_row(values, space=space) for values in [HEADER, *PEOPLE])
    empty = '<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    write("formats.ods", ods(rows() + empty))
    write("white-space.ods", ods(rows("\n      "), "\n    "))
    write("without-mimetype.ods", ods(rows(), mimetype=False))
    algorithm = '<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="x"><manifest:algorithm manifest:algorithm-name="Blowfish CFB"/></manifest:encryption-data>'
    write("password.ods", ods(rows(), manifest=algorithm))
    repeated = lambda times: ods_row(PEOPLE[0], f' table:number-rows-repeated="{times}"')
    write("equal-rows-3.ods", ods(ods_row(HEADER) + repeated(3)))
    write("equal-rows-1048575.ods", ods(ods_row(HEADER) + repeated(1_048_575)))
    wide = '<table:table-row><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>Namn</text:p></table:table-cell></table:table-row>'
    write("equal-columns.ods", ods(wide * 50))


write_xls()
write_xlsb()
write_ods()
