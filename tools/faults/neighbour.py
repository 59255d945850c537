"""Noisy neighbours: one tenant (the attacker) overloads the server. The response times of another one (the victim) and the
server's memory are measured."""

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

import harness
from harness import PASSWORD, PROGRAM, Server, Threads, wait_until, percentile

# Limits of the 99th percentile of the victim's reads in milliseconds, without and with the attack.
MAX_ALONE, MAX_UNDER_ATTACK = 20, 50
# Limit of the growth of the server's memory in megabytes.
MAX_GROWTH = 200
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
# The addresses from which the attack's sockets and the victim's measured reads come.
ATTACKER_ADDRESS, VICTIM_ADDRESS = "127.0.0.66", "127.0.0.77"


class Tenants:
    """A server with two tenants, each with an administrator."""

    def __init__(self):
        # Raises the limit of open files, which the server and the attacking processes inherit: each slow client needs a
        # file descriptor in both.
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        self.server = Server()
        self.attacker = self.register("556100-0001", "attacker@a.example")
        self.victim = self.register("556100-0002", "victim@b.example")
        for i in range(20):
            self.create_contact_as_victim(f"Person {i}")

    def register(self, number, email):
        admin = {"first_name": "Ada", "last_name": "Lind", "email": email, "phone": "070 1", "password": PASSWORD}
        form = {"organization_number": number, "corp_name": email, "street_address": "Storgatan 1", "admin_data": admin}
        form |= {"registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_phone": "090 12 34 56"}
        form |= {"company_email": email, "allowed_resources": ["users", "roles", "contacts", "customers", "invoices"]}
        status, _, response = self.server.request("POST", "/api/orgs/register", form, self.server.token)
        assert status == 201, response
        self.last_corp = response["data"]["corp_id"]
        return self.server.sign_in_as(email)

    def create_attackers(self, count):
        """Creates users of the attacker's tenant and returns their tokens."""
        roles = self.server.request("GET", "/api/rbac/roles", token=self.attacker)[2]["data"]
        tokens = []
        for i in range(count):
            form = {"first_name": "Bo", "last_name": "Ek", "email": f"user{i}@a.example", "mobile": "070 123 45 67"}
            form |= {"role_id": roles[0]["role_id"], "password": PASSWORD}
            status, _, response = self.server.request("POST", "/api/users", form, self.attacker)
            assert status == 201, response
            tokens.append(self.server.sign_in_as(form["email"]))
        return tokens

    def create_contact_as_victim(self, name):
        """Creates a contact of the victim and returns the status."""
        form = {"name": name, "email": "ada@example.se", "phone": "+46 70 123 45 67"}
        return self.server.request("POST", "/api/contacts", form, self.victim)[0]

    def disk_usage(self):
        """Returns the size of the data folder in megabytes."""
        return sum(file.stat().st_size for file in pathlib.Path(self.server.folder).rglob("*") if file.is_file()) / 2**20

    def read_as_victim(self, seconds, count):
        """Reads for `seconds`, at least `count` times. Returns the milliseconds of each request and the count of each status."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=60, source_address=(VICTIM_ADDRESS, 0))
        paths = ["/api/contacts?limit=10", "/api/dashboard", "/api/contacts?limit=10&search=person", "/api/theme"]
        took, statuses, started = [], {}, time.monotonic()
        while time.monotonic() - started < seconds or len(took) < count:
            at = time.monotonic()
            status = Server.send(connection, "GET", paths[len(took) % len(paths)], token=self.victim)[0]
            took.append((time.monotonic() - at) * 1000)
            statuses[status] = statuses.get(status, 0) + 1
            time.sleep(0.01)
        connection.close()
        return took, statuses

    def measure(self, attack, max_disk, seconds=10, count=200):
        """Measures the victim's reads without and with the attack. Asserts the limits and returns the figures as text.

        Each function of `attack` runs in its own process.
        """
        self.read_as_victim(0, 50)
        alone, _ = self.read_as_victim(3, count)
        memory, before, stop = self.server.memory(), self.disk_usage(), multiprocessing.Event()
        processes = [multiprocessing.Process(target=function, args=(stop,), daemon=True) for function in attack]
        for process in processes:
            process.start()
        took, statuses = self.read_as_victim(seconds, count)
        created = self.create_contact_as_victim("During the attack")
        stop.set()
        growth, more = self.server.peak() - memory, self.disk_usage() - before
        for process in processes:
            process.join(20)
            process.kill()
        assert self.server.is_ready(), f"the server has exited: {self.server.log_tail()}"
        p99 = [percentile(times, 0.99) for times in (alone, took)]
        figures = f"victim's p99 {p99[0]:.0f} ms alone, {p99[1]:.0f} ms under attack (slowest {max(took):.0f}), "
        figures += f"responses {statuses}, {growth:.0f} MB more memory, {more:.0f} MB more disk"
        assert statuses.keys() == {200} and created == 201, figures
        assert growth <= MAX_GROWTH and more <= max_disk, figures
        assert not harness.TIMED or (p99[0] <= MAX_ALONE and p99[1] <= MAX_UNDER_ATTACK), figures
        return figures

    def close(self):
        self.server.close()


def with_tenants(test):
    """Decorator: passes a new server with two tenants to the test."""

    @functools.wraps(test)
    def run(count):
        tenants = Tenants()
        try:
            return test(tenants, count)
        finally:
            tenants.close()

    return run


def slow_readers(port, token, path, count, stop):
    """Sends requests and reads the responses very slowly."""
    head = f"GET {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\r\n".encode()
    clients = []
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.bind((ATTACKER_ADDRESS, 0))
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


def searches(port, token, parallel, disconnecting, stop):
    """Continuously searches for two random letters with `parallel` clients. `disconnecting` of them do not wait for the
    response, but disconnect after 50 ms and send the next search."""

    def search(timeout):
        while not stop.is_set():
            letters = "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=2))
            connection = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(ATTACKER_ADDRESS, 0))
            try:
                Server.send(connection, "GET", f"/api/contacts?limit=100&search={letters}", token=token)
            except OSError:
                pass
            connection.close()

    work = [functools.partial(search, 30)] * (parallel - disconnecting) + [functools.partial(search, 0.05)] * disconnecting
    Threads(*work).join(600)


def incomplete_heads(port, count, stop):
    """Opens `count` connections, and sends only the beginning of a request head on each."""
    clients = []
    for _ in range(count):
        try:
            client = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(ATTACKER_ADDRESS, 0))
            client.sendall(b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 15_000)
            clients.append(client)
        except OSError:
            pass
        if stop.is_set():
            return
    stop.wait()


def slow_uploads(port, tokens, each, stop):
    """Uploads `each` files per user for a preview, very slowly."""
    clients = []
    for token in tokens * each:
        client = socket.create_connection(("127.0.0.1", port), source_address=(ATTACKER_ADDRESS, 0))
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
    """Returns a workbook whose rows all refer to one shared string, `text`."""
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


def upload(server, token, name, file, mapping, route="submit"):
    """Uploads a file to an import route and returns the response."""
    boundary = "form-boundary"
    part = f"--{boundary}\r\ncontent-disposition: form-data; name="
    columns = [{"fileColumn": column, "modelColumn": model} for column, model in mapping]
    body = f'{part}"columnMapping"\r\n\r\n{json.dumps(columns)}\r\n{part}"file"; filename="{name}"\r\n\r\n'.encode()
    body += file + f"\r\n--{boundary}--\r\n".encode()
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    return server.request("POST", f"/api/contacts/import/{route}", body, token, 60, headers)


def csv(rows, tag):
    return ("Namn\n" + "".join(f"{tag} Person {i}\n" for i in range(rows))).encode()


def job_id(response):
    """Returns the id of the accepted import job."""
    status, _, body = response
    assert status == 202, body
    return body["sessionId"]


def is_import_finished(server, token, session):
    body = server.request("GET", f"/api/contacts/import/status/{session}", token=token)[2]
    return body["session"]["status"] in ("completed", "failed", "cancelled")


def create_records(tenants, count):
    """Creates `count` contacts, as many customers and as many invoices for the tenant that was registered last."""
    command = [PROGRAM, "demo-data", "--count", str(count), "--corporation", tenants.last_corp]
    subprocess.run([*command, "--data-dir", tenants.server.folder], check=True, stdout=subprocess.DEVNULL)


def create_long_invoices(tenants, count):
    """Creates invoices of the attacker with the longest texts."""
    form = {"customer": "Nordbil", "website": "a.example", "email": "ada@example.se", "customerRequirements": "x" * 10_000}
    form |= {"startDate": "2027-01-10", "endDate": "2027-02-10", "projectPrice": 1}
    for _ in range(count):
        status, _, response = tenants.server.request("POST", "/api/invoices", form, tenants.attacker)
        assert status == 201, response


@with_tenants
def readers(tenants, count):
    """V2: slow readers of the longest responses"""
    create_long_invoices(tenants, 1_000)
    port = tenants.server.port
    attack = [functools.partial(slow_readers, port, tenants.attacker, "/api/invoices", count)]
    return tenants.measure(attack, max_disk=20)


@with_tenants
def searching(tenants, count):
    """V5: 24 concurrent searches of a tenant with many contacts, a third of which disconnect and repeat"""
    tenants.attacker, tenants.victim = tenants.victim, tenants.attacker
    create_records(tenants, count)
    tenants.create_contact_as_victim("Person")
    attack = [functools.partial(searches, tenants.server.port, tenants.attacker, 24, 8)]
    return tenants.measure(attack, max_disk=20)


@with_tenants
def sockets(tenants, count):
    """V7: incomplete request heads, all from one address"""
    return tenants.measure([functools.partial(incomplete_heads, tenants.server.port, count)], max_disk=20, seconds=20)


@with_tenants
def shared_string(tenants, count):
    """V1: a workbook whose rows all refer to one text of 32,000 characters and fail"""
    server = tenants.server
    file = workbook(count, "x" * 32_000)
    before = tenants.disk_usage()
    session = job_id(upload(server, tenants.attacker, "a.xlsx", file, [("Namn", "name")]))
    has_ended = lambda: is_import_finished(server, tenants.attacker, session)

    def wait(stop):
        stop.wait()

    # The report on the rows has at most 32 MB, which SQLite's write-ahead log holds once more for a time.
    max_disk = 80
    figures = tenants.measure([wait], max_disk)
    wait_until("the import ends", 300, has_ended)
    grown = f"{len(file)} bytes, {count} rows: {tenants.disk_usage() - before:.0f} MB more disk; {figures}"
    assert tenants.disk_usage() - before <= max_disk, grown
    return grown


@with_tenants
def uploading(tenants, count):
    """V4: slow uploads of six users of one tenant"""
    attack = [functools.partial(slow_uploads, tenants.server.port, tenants.create_attackers(6), (count + 5) // 6)]

    def preview_as_victim(stop):
        while not stop.is_set():
            status = upload(tenants.server, tenants.victim, "b.csv", csv(1, "b"), [("Namn", "name")], "preview")[0]
            with (accepted if status == 200 else rejected).get_lock():
                (accepted if status == 200 else rejected).value += 1
            # A pause, because one user may upload only 60 files in ten minutes.
            stop.wait(0.5)

    accepted, rejected = multiprocessing.Value("i"), multiprocessing.Value("i")
    # Measures for longer than an upload waits for a slot, so that rejected uploads of the victim are noticed.
    figures = tenants.measure([*attack, preview_as_victim], max_disk=20, seconds=20)
    figures = f"files of the victim: {accepted.value} accepted, {rejected.value} rejected; {figures}"
    assert accepted.value > 0 and rejected.value == 0, figures
    return figures


@with_tenants
def importing(tenants, count):
    """V6: four large imports of one tenant, and an import of one row of another"""
    server = tenants.server
    large = [job_id(upload(server, tenants.attacker, f"{i}.csv", csv(count, f"a{i}"), [("Namn", "name")])) for i in range(4)]
    started = time.monotonic()
    own = job_id(upload(server, tenants.victim, "b.csv", csv(1, "b"), [("Namn", "name")]))
    wait_until("the import of one row ends", 300, lambda: is_import_finished(server, tenants.victim, own))
    took = time.monotonic() - started
    waiting = [session for session in large if not is_import_finished(server, tenants.attacker, session)]
    assert waiting, "all four large imports ended before the import of one row"
    assert not harness.TIMED or took <= 3, f"after {took:.1f} s"
    figures = tenants.measure([lambda stop: stop.wait()], max_disk=count * 4 / 500)
    return f"one row after {took:.1f} s, {len(waiting)} of four still running; {figures}"


@with_tenants
def largest(tenants, count):
    """The largest import, with repeated downloads of a report and searches"""
    server = tenants.server
    rows = b"Namn,E-post\n" + b"Ada,no address\n" * 20_000
    failed = job_id(upload(server, tenants.attacker, "bad.csv", rows, [("Namn", "name"), ("E-post", "email")]))
    wait_until("the first import ends", 300, lambda: is_import_finished(server, tenants.attacker, failed))
    job_id(upload(server, tenants.attacker, "a.csv", csv(count, "a"), [("Namn", "name")]))

    def download_reports(stop):
        while not stop.is_set():
            path = f"/api/contacts/imports/{failed}/failed.csv"
            assert server.request("GET", path, token=tenants.attacker)[0] == 200

    attack = [download_reports, functools.partial(searches, server.port, tenants.attacker, 24, 0)]
    return tenants.measure(attack, max_disk=count / 500, seconds=30)
