"""One tenant does its worst, another one works: what the other one notices, and what it costs the server."""

import functools
import io
import json
import multiprocessing
import pathlib
import random
import resource
import socket
import subprocess
import time
import zipfile
from http.client import HTTPConnection

import place
from place import PASSWORD, PROGRAM, Server, Threads, eventually, percentile

# Milliseconds at the 99th percentile of the other tenant's reads, by itself and beside the attack.
ALONE, BESIDE = 20, 50
# Megabytes that the server may grow.
GROWTH = 200
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
# Where the attacker connects from, and where the other tenant does.
FROM_ATTACKER, FROM_VICTIM = "127.0.0.66", "127.0.0.77"


class Tenants:
    """A server with two tenants that have an administrator each."""

    def __init__(self):
        # Each slow client is a descriptor here too.
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        self.server = Server()
        self.attacker = self.register("556100-0001", "attacker@a.example")
        self.victim = self.register("556100-0002", "victim@b.example")
        for i in range(20):
            self.write(f"Person {i}")

    def register(self, number, email):
        admin = {"first_name": "Ada", "last_name": "Lind", "email": email, "phone": "070 1", "password": PASSWORD}
        form = {"organization_number": number, "corp_name": email, "street_address": "Storgatan 1", "admin_data": admin}
        form |= {"registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_phone": "090 12 34 56"}
        form |= {"company_email": email, "allowed_resources": ["users", "roles", "contacts", "customers", "invoices"]}
        status, _, answer = self.server.call("POST", "/api/orgs/register", form, self.server.token)
        assert status == 201, answer
        self.corp = answer["data"]["corp_id"]
        return self.server.token_of(email)

    def users(self, count):
        """Tokens of so many more people of the attacker."""
        roles = self.server.call("GET", "/api/rbac/roles", token=self.attacker)[2]["data"]
        tokens = []
        for i in range(count):
            form = {"first_name": "Bo", "last_name": "Ek", "email": f"user{i}@a.example", "mobile": "070 123 45 67"}
            form |= {"role_id": roles[0]["role_id"], "password": PASSWORD}
            status, _, answer = self.server.call("POST", "/api/users", form, self.attacker)
            assert status == 201, answer
            tokens.append(self.server.token_of(form["email"]))
        return tokens

    def write(self, name):
        form = {"name": name, "email": "ada@example.se", "phone": "+46 70 123 45 67"}
        return self.server.call("POST", "/api/contacts", form, self.victim)[0]

    def disk(self):
        return sum(file.stat().st_size for file in pathlib.Path(self.server.folder).rglob("*") if file.is_file()) / 2**20

    def work(self, seconds, calls):
        """The other tenant reads for so long, and so often at least: milliseconds of each read, and its statuses."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=60, source_address=(FROM_VICTIM, 0))
        paths = ["/api/contacts?limit=10", "/api/dashboard", "/api/contacts?limit=10&search=person", "/api/theme"]
        took, statuses, begun = [], {}, time.monotonic()
        while time.monotonic() - begun < seconds or len(took) < calls:
            at = time.monotonic()
            status = Server.ask(connection, "GET", paths[len(took) % len(paths)], token=self.victim)[0]
            took.append((time.monotonic() - at) * 1000)
            statuses[status] = statuses.get(status, 0) + 1
            time.sleep(0.01)
        connection.close()
        return took, statuses

    def beside(self, attack, disk, seconds=10, calls=200):
        """Lets the other tenant work alone and beside the attack, which is a list of functions, each a process."""
        self.work(0, 50)
        alone, _ = self.work(3, calls)
        memory, before, stop = self.server.memory(), self.disk(), multiprocessing.Event()
        processes = [multiprocessing.Process(target=one, args=(stop,), daemon=True) for one in attack]
        for process in processes:
            process.start()
        took, statuses = self.work(seconds, calls)
        wrote = self.write("Beside")
        stop.set()
        growth, more = self.server.peak() - memory, self.disk() - before
        for process in processes:
            process.join(20)
            process.kill()
        assert self.server.is_ready(), f"the server is gone: {self.server.said()}"
        p99 = [percentile(times, 0.99) for times in (alone, took)]
        figures = f"other tenant's p99 {p99[0]:.0f} ms alone, {p99[1]:.0f} ms beside (slowest {max(took):.0f}), "
        figures += f"answers {statuses}, {growth:.0f} MB more memory, {more:.0f} MB more disk"
        assert statuses.keys() == {200} and wrote == 201, figures
        assert growth <= GROWTH and more <= disk, figures
        assert not place.TIMED or (p99[0] <= ALONE and p99[1] <= BESIDE), figures
        return figures

    def close(self):
        self.server.close()


def with_tenants(fault):
    """A fault with two tenants of its own."""

    @functools.wraps(fault)
    def run(count):
        tenants = Tenants()
        try:
            return fault(tenants, count)
        finally:
            tenants.close()

    return run


def slow_readers(port, token, path, count, stop):
    """Ask, and take next to nothing of what comes."""
    head = f"GET {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\r\n".encode()
    clients = []
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.bind((FROM_ATTACKER, 0))
        client.connect(("127.0.0.1", port))
        client.sendall(head)
        client.setblocking(False)
        clients.append(client)
    while not stop.is_set():
        for client in clients:
            try:
                client.recv(64)
            except OSError:
                pass
        stop.wait(0.5)


def searches(port, token, parallel, impatient, stop):
    """Search for two letters, all the time; the impatient go away without their answers and ask again."""

    def search(patience):
        while not stop.is_set():
            letters = "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=2))
            connection = HTTPConnection("127.0.0.1", port, timeout=patience, source_address=(FROM_ATTACKER, 0))
            try:
                Server.ask(connection, "GET", f"/api/contacts?limit=100&search={letters}", token=token)
            except OSError:
                pass
            connection.close()

    work = [functools.partial(search, 30)] * (parallel - impatient) + [functools.partial(search, 0.05)] * impatient
    Threads(*work).join(600)


def half_heads(port, count, stop):
    """Connect, and send heads that don't end."""
    clients = []
    for _ in range(count):
        try:
            client = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(FROM_ATTACKER, 0))
            client.sendall(b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 15_000)
            clients.append(client)
        except OSError:
            pass
        if stop.is_set():
            return
    stop.wait()


def slow_uploads(port, tokens, each, stop):
    """Send files to look at by drops."""
    clients = []
    for token in tokens * each:
        client = socket.create_connection(("127.0.0.1", port), source_address=(FROM_ATTACKER, 0))
        head = "POST /api/contacts/import/preview HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=e\r\n"
        head += f"authorization: Bearer {token}\r\ncontent-length: 9000000\r\n\r\n"
        client.sendall(f'{head}--e\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nN\n'.encode())
        clients.append(client)
    while not stop.is_set():
        for client in clients:
            try:
                client.sendall(b"x" * 500)
            except OSError:
                pass
        stop.wait(1)


def workbook(rows, text):
    """A workbook whose rows are all the same long text, which it holds once."""
    cells = "".join(f'<row r="{i + 2}"><c r="A{i + 2}" t="s"><v>1</v></c></row>' for i in range(rows))
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    target = f'<Relationship Id="r%s" Type="{RELATIONS}/%s" Target="%s"/>'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": target % (1, "officeDocument", "xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": target % (1, "worksheet", "worksheets/sheet1.xml")
        + target % (2, "sharedStrings", "sharedStrings.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="r1"/>'
        "</sheets></workbook>",
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>Namn</t></si><si><t>{text}</t></si></sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{head}{cells}</sheetData></worksheet>',
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, xml in files.items():
            if name.endswith(".rels"):
                xml = f'<Relationships xmlns="{PACKAGE}/relationships">{xml}</Relationships>'
            out.writestr(name, xml)
    return archive.getvalue()


def upload(server, token, name, file, mapping, call="submit"):
    """Sends a file to an import call; the answer."""
    edge = "edge-of-a-form"
    part = f"--{edge}\r\ncontent-disposition: form-data; name="
    columns = [{"fileColumn": column, "modelColumn": model} for column, model in mapping]
    body = f'{part}"columnMapping"\r\n\r\n{json.dumps(columns)}\r\n{part}"file"; filename="{name}"\r\n\r\n'.encode()
    body += file + f"\r\n--{edge}--\r\n".encode()
    headers = {"content-type": f"multipart/form-data; boundary={edge}"}
    return server.call("POST", f"/api/contacts/import/{call}", body, token, 60, headers)


def csv(rows, tag):
    return ("Namn\n" + "".join(f"{tag} Person {i}\n" for i in range(rows))).encode()


def session_of(answer):
    status, _, body = answer
    assert status == 202, body
    return body["sessionId"]


def is_over(server, token, session):
    body = server.call("GET", f"/api/contacts/import/status/{session}", token=token)[2]
    return body["session"]["status"] in ("completed", "failed", "cancelled")


def fill(tenants, count):
    """Gives the last tenant that was registered so many contacts."""
    command = [PROGRAM, "demo-data", "--count", str(count), "--corporation", tenants.corp]
    subprocess.run([*command, "--data-dir", tenants.server.folder], check=True, stdout=subprocess.DEVNULL)


def long_invoices(tenants, count):
    """Lets the attacker write invoices with the longest texts."""
    form = {"customer": "Nordbil", "website": "a.example", "email": "ada@example.se", "customerRequirements": "x" * 10_000}
    form |= {"startDate": "2027-01-10", "endDate": "2027-02-10", "projectPrice": 1}
    for _ in range(count):
        status, _, answer = tenants.server.call("POST", "/api/invoices", form, tenants.attacker)
        assert status == 201, answer


@with_tenants
def readers(tenants, count):
    """V2: slow readers of the longest answers"""
    long_invoices(tenants, 1_000)
    port = tenants.server.port
    attack = [functools.partial(slow_readers, port, tenants.attacker, "/api/invoices", count)]
    return tenants.beside(attack, disk=20)


@with_tenants
def searching(tenants, count):
    """V5: 24 searches for two letters at a time, of a tenant with so many contacts, a third of which go away and ask again"""
    tenants.attacker, tenants.victim = tenants.victim, tenants.attacker
    fill(tenants, count)
    tenants.write("Person")
    attack = [functools.partial(searches, tenants.server.port, tenants.attacker, 24, 8)]
    return tenants.beside(attack, disk=20)


@with_tenants
def sockets(tenants, count):
    """V7: heads that don't end, all from one address"""
    return tenants.beside([functools.partial(half_heads, tenants.server.port, count)], disk=20, seconds=20)


@with_tenants
def shared_string(tenants, count):
    """V1: a workbook whose rows all are one long text of 32,000 characters, none of which can be imported"""
    server = tenants.server
    file = workbook(count, "x" * 32_000)
    before = tenants.disk()
    session = session_of(upload(server, tenants.attacker, "a.xlsx", file, [("Namn", "name")]))
    over = lambda: is_over(server, tenants.attacker, session)

    def wait(stop):
        stop.wait()

    figures = tenants.beside([wait], disk=20)
    eventually("the import ends", 300, over)
    grown = f"{len(file)} bytes, {count} rows: {tenants.disk() - before:.0f} MB more disk; {figures}"
    assert tenants.disk() - before <= 20, grown
    return grown


@with_tenants
def uploading(tenants, count):
    """V4: files by drops, of six people of one tenant"""
    attack = [functools.partial(slow_uploads, tenants.server.port, tenants.users(6), (count + 5) // 6)]

    def look(stop):
        while not stop.is_set():
            status = upload(tenants.server, tenants.victim, "b.csv", csv(1, "b"), [("Namn", "name")], "preview")[0]
            with (taken if status == 200 else refused).get_lock():
                (taken if status == 200 else refused).value += 1
            # One user may send 60 files in ten minutes.
            stop.wait(0.5)

    taken, refused = multiprocessing.Value("i"), multiprocessing.Value("i")
    # Longer than a file waits for its place.
    figures = tenants.beside([*attack, look], disk=20, seconds=20)
    figures = f"files of the other tenant: {taken.value} taken, {refused.value} refused; {figures}"
    assert taken.value > 0 and refused.value == 0, figures
    return figures


@with_tenants
def importing(tenants, count):
    """V6: four imports of so many rows, and another tenant's of one row"""
    server = tenants.server
    theirs = [session_of(upload(server, tenants.attacker, f"{i}.csv", csv(count, f"a{i}"), [("Namn", "name")])) for i in range(4)]
    begun = time.monotonic()
    own = session_of(upload(server, tenants.victim, "b.csv", csv(1, "b"), [("Namn", "name")]))
    eventually("the import of one row ends", 300, lambda: is_over(server, tenants.victim, own))
    took = time.monotonic() - begun
    waiting = [session for session in theirs if not is_over(server, tenants.attacker, session)]
    assert waiting, "all four imports came before it"
    assert not place.TIMED or took <= 3, f"after {took:.1f} s"
    figures = tenants.beside([lambda stop: stop.wait()], disk=count * 4 / 500)
    return f"one row after {took:.1f} s, {len(waiting)} of four still under way; {figures}"


@with_tenants
def largest(tenants, count):
    """The largest import, with its report sent again and again and searches meanwhile"""
    server = tenants.server
    rows = b"Namn,E-post\n" + b"Ada,no address\n" * 20_000
    bad = session_of(upload(server, tenants.attacker, "bad.csv", rows, [("Namn", "name"), ("E-post", "email")]))
    eventually("the first import ends", 300, lambda: is_over(server, tenants.attacker, bad))
    session_of(upload(server, tenants.attacker, "a.csv", csv(count, "a"), [("Namn", "name")]))

    def reports(stop):
        while not stop.is_set():
            path = f"/api/contacts/imports/{bad}/failed.csv"
            assert server.call("GET", path, token=tenants.attacker)[0] == 200

    attack = [reports, functools.partial(searches, server.port, tenants.attacker, 24, 0)]
    return tenants.beside(attack, disk=count / 500, seconds=30)
