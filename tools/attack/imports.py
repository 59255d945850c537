#!/usr/bin/env python3
"""Imports small files that ask for much storage, and prints by how much the database grows for each.

On PostgreSQL where FORECOURT_TEST_POSTGRES_URL names a cluster, else on SQLite; FORECOURT names the program.
"""

import http.client
import json
import os
import secrets
import subprocess
import time

import files
from place import ADMIN, Place, eventually

FILES = {
    "8,000 failing rows with one text": lambda: files.shared_text(8_000, "email"),
    "8,000 contacts with one text": lambda: files.shared_text(8_000, "otherDetails"),
    "8,000 contacts with the text as address": lambda: files.shared_text(8_000, "address"),
    "2,000 failing rows of 511 long column names": lambda: files.long_names(2_000, ""),
    "2,000 contacts of 511 long column names": lambda: files.long_names(2_000, "Ada"),
    "200,000 contacts with a short name": lambda: files.short_rows(200_000),
}


def upload(place, token, name, file, mapping):
    """The session of the import; the file's name is made a new one."""
    mapping = json.dumps([{"fileColumn": column, "modelColumn": model} for column, model in mapping.items()])
    boundary = secrets.token_hex(8)
    part = f"--{boundary}\r\nContent-Disposition: form-data; name="
    body = f'{part}"columnMapping"\r\n\r\n{mapping}\r\n{part}"file"; filename="{secrets.token_hex(4)}-{name}"\r\n\r\n'.encode()
    body += file + f"\r\n--{boundary}--\r\n".encode()
    connection = http.client.HTTPConnection(place.base.removeprefix("http://"), timeout=300)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
    connection.request("POST", "/api/contacts/import/submit", body, headers)
    answer = connection.getresponse()
    answer_body = json.load(answer)
    assert answer.status == 202, str(answer_body)[:500]
    return answer_body["sessionId"]


def ended(place, token, session):
    """The import, once it is over."""

    def look():
        found = place.call(f"/api/contacts/import/status/{session}", token=token)["session"]
        return found["status"] not in ("pending", "processing") and found

    return eventually("the import is over", 900, look)


def database_bytes(place):
    if place.url:
        size = ["psql", "-Atqc", "SELECT pg_database_size(current_database())", place.url]
        return int(subprocess.run(size, check=True, capture_output=True, text=True).stdout)
    return sum(os.path.getsize(file) for file in place.folder.glob("forecourt.sqlite3*"))


def main():
    for what, make in FILES.items():
        name, file, mapping = make()
        place = Place()
        try:
            token = place.sign_in(ADMIN)[1]
            before, begun = database_bytes(place), time.monotonic()
            session = ended(place, token, upload(place, token, name, file, mapping))
            took, grown = time.monotonic() - begun, database_bytes(place) - before
        finally:
            place.close()
        counts = f"{session['successRecords']:,} imported, {session['failedRecords']:,} failed"
        print(f"{what}: {len(file):,} bytes, {session['status']}, {counts}: {grown / 1e6:,.1f} MB in {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
