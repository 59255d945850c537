#!/usr/bin/env python3
"""Imports small files that need much storage, and prints by how much the database grows for each.

Uses the PostgreSQL cluster of FORECOURT_TEST_POSTGRES_URL, otherwise SQLite. FORECOURT is the program's path.
"""

import http.client
import json
import os
import secrets
import subprocess
import time

import files
from server import ADMIN, Server, wait_until

FILES = {
    "8,000 failing rows with one text": lambda: files.shared_text(8_000, "email"),
    "8,000 contacts with one text": lambda: files.shared_text(8_000, "otherDetails"),
    "8,000 contacts with the text as address": lambda: files.shared_text(8_000, "address"),
    "2,000 failing rows of 511 long column names": lambda: files.long_names(2_000, ""),
    "2,000 contacts of 511 long column names": lambda: files.long_names(2_000, "Ada"),
    "200,000 contacts with a short name": lambda: files.short_rows(200_000),
}


def upload(server, token, name, file, mapping):
    """Uploads the file under a unique name and returns the id of the import job."""
    mapping = json.dumps([{"fileColumn": column, "modelColumn": model} for column, model in mapping.items()])
    boundary = secrets.token_hex(8)
    part = f"--{boundary}\r\nContent-Disposition: form-data; name="
    body = f'{part}"columnMapping"\r\n\r\n{mapping}\r\n{part}"file"; filename="{secrets.token_hex(4)}-{name}"\r\n\r\n'.encode()
    body += file + f"\r\n--{boundary}--\r\n".encode()
    connection = http.client.HTTPConnection(server.base.removeprefix("http://"), timeout=300)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
    connection.request("POST", "/api/contacts/import/submit", body, headers)
    response = connection.getresponse()
    body = json.load(response)
    assert response.status == 202, str(body)[:500]
    return body["sessionId"]


def wait_for_import(server, token, session):
    """Waits until the import job has finished and returns it."""

    def finished():
        job = server.request(f"/api/contacts/import/status/{session}", token=token)["session"]
        return job["status"] not in ("pending", "processing") and job

    return wait_until("the import finishes", 900, finished)


def database_bytes(server):
    if server.url:
        size = ["psql", "-Atqc", "SELECT pg_database_size(current_database())", server.url]
        return int(subprocess.run(size, check=True, capture_output=True, text=True).stdout)
    return sum(os.path.getsize(file) for file in server.folder.glob("forecourt.sqlite3*"))


def main():
    for what, make in FILES.items():
        name, file, mapping = make()
        server = Server()
        try:
            token = server.sign_in(ADMIN)[1]
            before, started = database_bytes(server), time.monotonic()
            job = wait_for_import(server, token, upload(server, token, name, file, mapping))
            took, grown = time.monotonic() - started, database_bytes(server) - before
        finally:
            server.close()
        counts = f"{job['successRecords']:,} imported, {job['failedRecords']:,} failed"
        print(f"{what}: {len(file):,} bytes, {job['status']}, {counts}: {grown / 1e6:,.1f} MB in {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
