"""A server to be attacked, with a corporation and its people, in a folder that is gone afterwards."""

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


def eventually(what, seconds, look):
    """Waits until `look()` gives something, and gives that."""
    begun = time.monotonic()
    while not (found := look()):
        assert time.monotonic() - begun < seconds, f"{what}: not within {seconds} s"
        time.sleep(0.02)
    return found


class Place:
    """On PostgreSQL where FORECOURT_TEST_POSTGRES_URL names a cluster, else on SQLite."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory(prefix="forecourt-attack-")
        self.folder = pathlib.Path(self.place.name)
        self.url = self.psql = None
        if CLUSTER:
            name = f"attack_{secrets.token_hex(4)}"
            subprocess.run(["psql", "-q", CLUSTER, "-c", f"CREATE DATABASE {name}"], check=True)
            self.url = f"{CLUSTER.rsplit('/', 1)[0]}/{name}"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.base = f"http://127.0.0.1:{probe.getsockname()[1]}"
        command = [PROGRAM, "serve", "--data-dir", self.place.name, "--listen", self.base.removeprefix("http://")]
        command += ["--admin-email", SUPER_ADMIN, "--admin-password", PASSWORD, "--log", "error"]
        command += ["--database-url", self.url] if self.url else []
        self.log = (self.folder / "log").open("wb")
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=self.log)
        eventually("the server is ready", 120, self._is_ready)
        self.over = threading.Event()
        threading.Thread(target=self._forget_tries, daemon=True).start()
        self._settle()

    def _settle(self):
        """A corporation with an administrator, and a clerk who may look at contacts and customers."""
        self.call("/api/orgs/register", CORPORATION, self.sign_in(SUPER_ADMIN)[1])
        admin = self.sign_in(ADMIN)[1]
        role = self.call("/api/rbac/roles", {"name": "Reception", "description": "Looks things up"}, admin)["data"]["role_id"]
        grants = [{"resource_id": name, "can_read": True} for name in ["contacts", "customers"]]
        self.call(f"/api/rbac/roles/{role}/permissions", {"permissions": grants}, admin)
        person = {"first_name": "Maja", "last_name": "Holm", "email": CLERK, "mobile": "+46 70 174 06 36"}
        self.call("/api/users", {**person, "user_type": "User", "role_id": role, "password": PASSWORD}, admin)

    def _is_ready(self):
        assert self.process.poll() is None, self.said()
        try:
            return self.call("/api/health")
        except OSError:
            return None

    def call(self, path, body=None, token=None):
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, sent, {"Content-Type": "application/json"})
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def mails(self):
        return sorted(self.folder.glob("outbox/*.eml"))

    def sign_in(self, email):
        """A device of this person that needs no code any more, and an access token."""
        device = secrets.token_hex(8)
        login = {"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Attack", "rememberMe": True}
        known = len(self.mails())
        self.call("/api/auth/login", login)

        def code():
            mails = [mail.read_text(errors="replace") for mail in self.mails()[known:]]
            codes = [re.search(r"^(\d{6})\s*$", mail, re.M) for mail in mails if email in mail]
            return next((code[1] for code in codes if code), None)

        otp = eventually(f"a code for {email}", 30, code)
        answer = self.call("/api/auth/verify-otp", {"email": email, "deviceId": device, "otp": otp})
        return device, answer["data"]["tokens"]["accessToken"]

    def _forget_tries(self):
        """Empties the counted tries again and again: a limit would hide what lies behind it."""
        while not self.over.wait(0.05):
            if self.url:
                command = ["psql", "-q", self.url, "-c", "DELETE FROM throttles"]
                subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
                continue
            try:
                with sqlite3.connect(self.folder / "forecourt.sqlite3", timeout=5) as database:
                    database.execute("DELETE FROM throttles")
            except sqlite3.OperationalError:
                pass  # busy; there is a next time

    def said(self):
        """What the server had to say: with `--log error`, nothing if all is well."""
        return (self.folder / "log").read_text(errors="replace").strip()

    def close(self):
        self.over.set()
        self.process.terminate()
        ended = self.process.wait(60)
        self.log.close()
        said = self.said()
        self.place.cleanup()
        return ended, said
