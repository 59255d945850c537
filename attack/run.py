"""Attacks the demo server with generated calls, as three roles, and fails on a server error or an undocumented answer.

Started by scripts/attack.sh. On PostgreSQL where FORECOURT_TEST_POSTGRES_URL names a cluster, else on SQLite.
"""

import json
import os
import re
import secrets
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
PASSWORD = "demo-password"
ROLES = {
    "platform administrator": "super@forecourt.example",
    "corporation's administrator": "admin@nordbil.example",
    "clerk": "clerk@nordbil.example",
}
# What every answer must hold against. What a call takes beyond its document is no fault: fields are trimmed, and those
# that aren't known passed over.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,ignored_auth"
# These end the account that the attack is made with.
SPARED = ["/api/profile/delete-account", "/api/auth/change-password"]


def post(base, path, body):
    request = urllib.request.Request(
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def trusted_device(base, folder, email):
    """A device of this person that needs no code any more."""
    device = secrets.token_hex(8)
    login = {"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Attack", "rememberMe": True}
    post(base, "/api/auth/login", login)
    for _ in range(600):
        for mail in folder.glob("outbox/*.eml"):
            text = mail.read_text(errors="replace")
            code = re.search(r"\b(\d{6})\b", text)
            if email in text and code:
                post(base, "/api/auth/verify-otp", {"email": email, "deviceId": device, "otp": code[1]})
                return device
        time.sleep(0.05)
    sys.exit(f"no code was mailed to {email}")


class Database:
    """The server's database, of which only the counted tries are emptied: a throttle would hide what lies behind it."""

    def __init__(self, folder):
        self.folder = folder
        self.cluster = os.environ.get("FORECOURT_TEST_POSTGRES_URL")
        self.url = None
        if self.cluster:
            name = "attack_" + secrets.token_hex(4)
            subprocess.run(["psql", "-q", self.cluster, "-c", f"CREATE DATABASE {name}"], check=True)
            self.url = self.cluster.rsplit("/", 1)[0] + "/" + name

    def forget_tries(self):
        if self.url:
            command = ["psql", "-q", self.url, "-c", "SET forecourt.corp = 'all'; DELETE FROM throttles"]
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
            return
        try:
            with sqlite3.connect(self.folder / "forecourt.sqlite3", timeout=5) as database:
                database.execute("DELETE FROM throttles")
        except sqlite3.OperationalError:
            pass  # busy; there is a next time

    def forget_tries_until(self, over):
        while not over.wait(0.5):
            self.forget_tries()


def start(binary, folder, database):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
    command = [binary, "demo", "--data-dir", str(folder), "--listen", listen, "--log", "error"]
    if database.url:
        command += ["--database-url", database.url]
    log = (folder / "log").open("w")
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    base = f"http://{listen}"
    for _ in range(1200):
        try:
            urllib.request.urlopen(base + "/api/health", timeout=5)
            return server, base
        except (urllib.error.URLError, OSError):
            if server.poll() is not None:
                sys.exit((folder / "log").read_text())
            time.sleep(0.05)
    sys.exit("the server does not answer")


def attack(base, role, email, device, each, report):
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", base + "/api/openapi.json",
        "--checks", CHECKS, "--max-examples", str(each), "--no-shrink", "--continue-on-failure",
        "--suppress-health-check", "all", "--workers", "1", "--warnings", "off",
        "--report", "json", "--report-json-path", str(report),
    ]
    for path in SPARED:
        command += ["--exclude-path", path]
    who = {"ATTACK_EMAIL": email, "ATTACK_PASSWORD": PASSWORD, "ATTACK_DEVICE": device, "ATTACK_BASE": base}
    environment = {**os.environ, **who, "SCHEMATHESIS_HOOKS": "attack_hooks", "PYTHONPATH": str(HERE)}
    ended = subprocess.run(command, env=environment, cwd=report.parent, text=True, capture_output=True, check=False)
    cases = re.search(r"(\d+) generated", ended.stdout)
    passed = ended.returncode == 0
    print(f"{role}: {cases[1] if cases else 'no'} cases, {'nothing found' if passed else 'FOUND'}", flush=True)
    if not passed:
        print(ended.stdout[-20000:], ended.stderr[-4000:])
    return int(cases[1]) if cases else 0, passed and cases is not None


def main():
    binary, wanted = sys.argv[1], int(sys.argv[2])
    calls = None
    with tempfile.TemporaryDirectory(prefix="forecourt-attack.") as name:
        folder = Path(name)
        database = Database(folder)
        server, base = start(binary, folder, database)
        over = threading.Event()
        threading.Thread(target=database.forget_tries_until, args=(over,), daemon=True).start()
        try:
            with urllib.request.urlopen(base + "/api/openapi.json") as answer:
                calls = sum(len(verbs) for verbs in json.load(answer)["paths"].values())
            each = max(1, wanted // (len(ROLES) * calls))
            done, passed = 0, True
            for role, email in ROLES.items():
                device = trusted_device(base, folder, email)
                cases, is_clean = attack(base, role, email, device, each, folder / "report.json")
                done, passed = done + cases, passed and is_clean
            alive = server.poll() is None
            faults = (folder / "log").read_text()
        finally:
            over.set()
            server.terminate()
            server.wait()
    where = "PostgreSQL" if database.url else "SQLite"
    print(f"{done} cases of {calls} calls as {len(ROLES)} roles on {where}")
    if faults.strip():
        print(faults[-4000:])
    sys.exit(0 if passed and alive and not faults.strip() else 1)


main()
