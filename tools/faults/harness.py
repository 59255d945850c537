"""Test harness: a temporary server and PostgreSQL cluster, threads, and load on the server."""

import functools
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FORECOURT", str(ROOT / "target/release/forecourt"))
EMAIL, PASSWORD = "super@platform.example", "a-long-test-password"
# Whether the tests `neighbour-…` assert durations, which needs a machine without other load.
TIMED = True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, seconds, condition):
    """Waits until `condition()` is true and returns the seconds that it took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, f"{what}: not within {seconds} s"
        time.sleep(0.005)
    return time.monotonic() - started


class Postgres:
    """A temporary PostgreSQL cluster on disk with the default durability settings."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="forecourt-faults-")
        # PostgreSQL refuses to run as root, so root runs it as the user `postgres`, whom its Debian package creates.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.bin = str(found[-1]) if found else os.path.dirname(shutil.which("initdb"))
        self.data, self.port = f"{self.folder}/data", free_port()
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        for sql in ["CREATE ROLE forecourt LOGIN", "CREATE DATABASE forecourt OWNER forecourt"]:
            self.query(sql, "postgres")
        self.url = f"postgres://forecourt@127.0.0.1:{self.port}/forecourt"

    def _run(self, program, *arguments):
        command = [*self.user, f"{self.bin}/{program}", *arguments]
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _pg_ctl(self, *arguments):
        command = [*self.user, f"{self.bin}/pg_ctl", "-D", self.data, "-l", f"{self.data}/log", "-w", *arguments]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._pg_ctl("-o", f"{options} -c max_connections=200 -c synchronous_commit=on", "start")

    def stop(self, mode="immediate"):
        self._pg_ctl("-m", mode, "stop")

    def query(self, sql, database="forecourt"):
        at = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database]
        return self._run("psql", *at, "-Atqc", sql).split("\n")[:-1]

    def signal(self, signal_number):
        """Sends a signal to every process of the cluster."""
        main = int(pathlib.Path(self.data, "postmaster.pid").read_text().split()[0])
        children = pathlib.Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in [main, *map(int, children)]:
            try:
                os.kill(process, signal_number)
            except ProcessLookupError:
                pass

    def close(self):
        try:
            self.stop()
        except subprocess.CalledProcessError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """The server program, with its Super Admin signed in."""

    def __init__(self, url=None, folder=None, ready=True):
        self.owns_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="forecourt-faults-")
        self.url, self.port = url, free_port()
        self.token, self.process = None, None
        self.log = open(f"{self.folder}/log-{self.port}", "ab")
        self.start()
        if ready:
            self.wait_until_ready()
            self.sign_in()

    def start(self):
        command = [PROGRAM, "serve", "--listen", f"127.0.0.1:{self.port}", "--log", "warn"]
        command += ["--data-dir", self.folder, "--admin-email", EMAIL, "--admin-password", PASSWORD]
        command += ["--database-url", self.url] if self.url else []
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def is_ready(self):
        try:
            return self.request("GET", "/api/health", timeout=10)[0] == 200
        except OSError:
            return False

    def wait_until_ready(self, seconds=60):
        def is_ready():
            assert self.process.poll() is None, self.log_tail()
            return self.is_ready()

        return wait_until("the server is ready", seconds, is_ready)

    def log_tail(self):
        return pathlib.Path(self.log.name).read_text(errors="replace")[-2000:]

    def request(self, method, path, body=None, token=None, timeout=30, headers=None):
        """Sends a request over a new connection. Returns status, headers and body of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            return self.send(connection, method, path, body, token, {"connection": "close", **(headers or {})})
        finally:
            connection.close()

    @staticmethod
    def send(connection, method, path, body=None, token=None, headers=None):
        headers = dict(headers or {})
        if token:
            headers["authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["content-type"] = "application/json"
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        try:
            text = json.loads(text)
        except ValueError:
            pass
        return response.status, dict(response.getheaders()), text

    def mails(self):
        return sorted(pathlib.Path(self.folder, "outbox").glob("*.eml"))

    def codes(self, email):
        """Returns the codes mailed to this address, the newest last."""
        texts = [mail.read_text() for mail in self.mails()]
        codes = [re.search(r"^(\d{6})\s*$", text, re.M) for text in texts if re.search(rf"^To: .*\b{re.escape(email)}\b", text, re.M)]
        return [code[1] for code in codes if code]

    def sign_in_as(self, email):
        """Signs a user in and returns the access token."""
        device, before = f"device-{random.getrandbits(64):x}", len(self.codes(email))
        form = {"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Faults"}
        status, _, response = self.request("POST", "/api/auth/login", form)
        assert status == 200, response
        wait_until("a mail arrives", 20, lambda: len(self.codes(email)) > before)
        form = {"email": email, "otp": self.codes(email)[-1], "deviceId": device}
        status, _, response = self.request("POST", "/api/auth/verify-otp", form)
        assert status == 200, response
        return response["data"]["tokens"]["accessToken"]

    def sign_in(self):
        self.token = self.sign_in_as(EMAIL)

    def create_contact(self, name, timeout=30):
        """Creates a contact and returns the response."""
        form = {"name": name, "email": "ada@example.se", "phone": "+46 70 123 45 67"}
        return self.request("POST", "/api/contacts", form, self.token, timeout)

    def upload(self, rows):
        """Uploads a unique file for import and returns the response."""
        tag = f"import{random.getrandbits(32):x}"
        lines = "".join(f"{tag} Person,{i}@example.se,+46 {i}\n" for i in range(rows))
        mapping = [{"fileColumn": f, "modelColumn": m} for f, m in [("N", "name"), ("E", "email"), ("T", "phone")]]
        boundary = "form-boundary"
        part = f'--{boundary}\r\ncontent-disposition: form-data; name='
        body = f'{part}"file"; filename="people.csv"\r\n\r\nN,E,T\n{lines}\r\n{part}"columnMapping"\r\n\r\n'
        body = f"{body}{json.dumps(mapping)}\r\n--{boundary}--\r\n".encode()
        headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
        return self.request("POST", "/api/contacts/import/submit", body, self.token, 60, headers)

    def import_job(self, session):
        return self.request("GET", f"/api/contacts/import/status/{session}", token=self.token)[2]["session"]

    def memory(self):
        """Returns the resident memory of the process in megabytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def peak(self):
        """Returns the peak resident memory of the process in megabytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def kill(self, signal_number=signal.SIGKILL):
        self.process.send_signal(signal_number)
        return self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.kill()
        self.log.close()
        if self.owns_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class Threads:
    """Background threads. An exception ends only its own thread and is raised by `join`."""

    def __init__(self, *work):
        self.errors, self.lock = [], threading.Lock()
        self.threads = [threading.Thread(target=self._run, args=(one,), daemon=True) for one in work]
        for thread in self.threads:
            thread.start()

    def _run(self, work):
        try:
            work()
        except Exception as error:
            with self.lock:
                self.errors.append(error)

    def join(self, seconds=60):
        for thread in self.threads:
            thread.join(seconds)
            assert not thread.is_alive(), "a request hangs"
        if self.errors:
            raise self.errors[0]


class Load:
    """Writers and readers in the background, which record every response and its duration."""

    def __init__(self, server, writers=4, readers=0, tag="w"):
        self.server, self.tag, self.stopped = server, f"{tag}{random.getrandbits(32):x}", threading.Event()
        self.acknowledged, self.sent, self.responses, self.broken = [], [], [], 0
        self.lock = threading.Lock()
        self.threads = Threads(*[functools.partial(self._write, i) for i in range(writers)], *[self._read] * readers)

    def wait_for_first_write(self):
        """Waits until a write was acknowledged, so that the fault affects running requests."""
        wait_until("a write is acknowledged", 20, lambda: self.acknowledged or self.threads.errors)

    def _record(self, request, name=None):
        started = time.monotonic()
        if name:
            self.sent.append(name)
        try:
            status, headers, body = request()
        except OSError:
            with self.lock:
                self.broken += 1
            status = None
            time.sleep(0.01)
        took = time.monotonic() - started
        with self.lock:
            if status is not None:
                self.responses.append((started, status, took))
            if name and status is not None and status < 300:
                self.acknowledged.append(name)
        if status is not None and status >= 500:
            message = body.get("message") if isinstance(body, dict) else None
            retry = {key.lower(): value for key, value in headers.items()}.get("retry-after")
            assert status != 503 or (message and retry), (status, headers, body)
            time.sleep(0.05)

    def _write(self, writer):
        count = 0
        while not self.stopped.is_set():
            count += 1
            name = f"{self.tag} {writer} {count}"
            self._record(lambda: self.server.create_contact(name), name)

    def _read(self):
        while not self.stopped.is_set():
            self._record(lambda: self.server.request("GET", "/api/contacts?limit=10", token=self.server.token))

    def stop(self):
        """Stops the writers and readers, and raises the first error of one of them."""
        self.stopped.set()
        self.threads.join()

    def slowest(self):
        return max((took for _, _, took in self.responses), default=0)

    def statuses(self):
        count = {}
        for _, status, _ in self.responses:
            count[status] = count.get(status, 0) + 1
        return dict(sorted(count.items()))

    def check_stored(self, found):
        """Asserts that every acknowledged write was stored once, and nothing that was not sent."""
        assert self.acknowledged, f"no write was acknowledged: {self.statuses()}"
        assert len(found) == len(set(found)), "a write was stored twice"
        missing = set(self.acknowledged) - set(found)
        assert not missing, f"{len(missing)} acknowledged writes are lost: {sorted(missing)[:3]}"
        assert set(found) <= set(self.sent)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0
