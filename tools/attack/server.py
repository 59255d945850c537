"""A temporary server with a corporation and its users."""

import json
import os
import pathlib
import re
import secrets
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FORECOURT", str(ROOT / "target/debug/forecourt"))
CLUSTER = os.environ.get("FORECOURT_TEST_POSTGRES_URL")
PASSWORD = "a-long-attack-password"
SUPER_ADMIN, ADMIN, CLERK = "super@platform.example", "admin@nordbil.example", "clerk@nordbil.example"
CORPORATION = {
    "organization_number": "556100-0059", "corp_name": "Nordbil AB", "street_address": "Storgatan 1",
    "registered_city": "Umeå", "postal_code": "903 26", "city": "Umeå", "company_email": "info@nordbil.example",
    "company_phone": "090 12 34 56", "allowed_resources": ["users", "roles", "contacts", "customers", "invoices"],
    "admin_data": {"first_name": "Ada", "last_name": "Lind", "email": ADMIN, "phone": "070 1", "password": PASSWORD},
}


def wait_until(what, seconds, look_up):
    """Waits until `look_up()` returns a true value, and returns it."""
    started = time.monotonic()
    while not (found := look_up()):
        assert time.monotonic() - started < seconds, f"{what}: not within {seconds} s"
        time.sleep(0.02)
    return found


class Server:
    """A running server on a new database, in the PostgreSQL cluster of FORECOURT_TEST_POSTGRES_URL or else SQLite."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="forecourt-attack-")
        self.folder = pathlib.Path(self.directory.name)
        self.url = None
        if CLUSTER:
            name = f"attack_{secrets.token_hex(4)}"
            subprocess.run(["psql", "-q", CLUSTER, "-c", f"CREATE DATABASE {name}"], check=True)
            self.url = f"{CLUSTER.rsplit('/', 1)[0]}/{name}"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.base = f"http://127.0.0.1:{probe.getsockname()[1]}"
        command = [PROGRAM, "serve", "--data-dir", self.directory.name, "--listen", self.base.removeprefix("http://")]
        command += ["--admin-email", SUPER_ADMIN, "--admin-password", PASSWORD, "--log", "error"]
        command += ["--database-url", self.url] if self.url else []
        self.log = (self.folder / "log").open("wb")
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=null, stdout=null, stderr=self.log)
        wait_until("the server is ready", 120, self._is_ready)
        self.closed = threading.Event()
        threading.Thread(target=self._reset_rate_limits, daemon=True).start()
        self._create_users()

    def _create_users(self):
        """Creates a corporation with an administrator, and a clerk who may read contacts and customers."""
        self.request("/api/orgs/register", CORPORATION, self.sign_in(SUPER_ADMIN)[1])
        admin = self.sign_in(ADMIN)[1]
        role = self.request("/api/rbac/roles", {"name": "Reception", "description": "Looks things up"}, admin)["data"]["role_id"]
        grants = [{"resource_id": name, "can_read": True} for name in ["contacts", "customers"]]
        self.request(f"/api/rbac/roles/{role}/permissions", {"permissions": grants}, admin)
        person = {"first_name": "Maja", "last_name": "Holm", "email": CLERK, "mobile": "+46 70 174 06 36"}
        self.request("/api/users", {**person, "user_type": "User", "role_id": role, "password": PASSWORD}, admin)

    def _is_ready(self):
        assert self.process.poll() is None, self.log_text()
        try:
            return self.request("/api/health")
        except OSError:
            return None

    def request(self, path, body=None, token=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def mails(self):
        return sorted(self.folder.glob("outbox/*.eml"))

    def sign_in(self, email):
        """Signs a user in and returns a trusted device id and an access token."""
        device = secrets.token_hex(8)
        login = {"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Attack", "rememberMe": True}
        seen = len(self.mails())
        self.request("/api/auth/login", login)

        def code():
            mails = [mail.read_text(errors="replace") for mail in self.mails()[seen:]]
            codes = [re.search(r"^(\d{6})\s*$", mail, re.M) for mail in mails if email in mail]
            return next((code[1] for code in codes if code), None)

        otp = wait_until(f"a code for {email}", 30, code)
        response = self.request("/api/auth/verify-otp", {"email": email, "deviceId": device, "otp": otp})
        return device, response["data"]["tokens"]["accessToken"]

    def _reset_rate_limits(self):
        """Resets the rate limits continuously, because they would hide the code behind them."""
        while not self.closed.wait(0.05):
            if self.url:
                command = ["psql", "-q", self.url, "-c", "DELETE FROM throttles"]
                subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
                continue
            try:
                with sqlite3.connect(self.folder / "forecourt.sqlite3", timeout=5) as database:
                    database.execute("DELETE FROM throttles")
            except sqlite3.OperationalError:
                pass  # The database is locked; the next round succeeds.

    def log_text(self):
        """Returns the server's log, which is empty without errors (`--log error`)."""
        return (self.folder / "log").read_text(errors="replace").strip()

    def close(self):
        """Stops the server and returns its exit code and log."""
        self.closed.set()
        self.process.terminate()
        status = self.process.wait(60)
        self.log.close()
        log = self.log_text()
        self.directory.cleanup()
        return status, log
