"""Acknowledged writes are durable: when the server or PostgreSQL is killed, and by the order of system calls."""

import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

from harness import Load, Postgres, Server, wait_until


def query_sqlite_column(server, sql, *values):
    """Returns the first column of the query's rows."""
    with sqlite3.connect(f"{server.folder}/forecourt.sqlite3") as connection:
        rows = [row[0] for row in connection.execute(sql, values)]
    connection.close()
    return rows


def read_rows(server, postgres, columns, source):
    """Returns rows as lists, read from the database directly, not through the server. Ids have no hyphens."""
    if postgres:
        rows = postgres.query(f"SELECT json_build_array({columns}) FROM {source}")
    else:
        # SQLite stores ids as 16 bytes, which JSON can't contain, so `columns` converts them to hexadecimal digits.
        rows = query_sqlite_column(server, f"SELECT json_array({columns}) FROM {source}")
    return [json.loads(row) for row in rows]


def check_integrity(server):
    assert query_sqlite_column(server, "PRAGMA integrity_check") == ["ok"]
    assert query_sqlite_column(server, "PRAGMA foreign_key_check") == []


def run_writers(server, tag, seconds):
    """Starts four writers, waits a random time in the range `seconds`, and returns the load, which is still running."""
    load = Load(server, tag=tag)
    load.wait_for_first_write()
    time.sleep(random.uniform(*seconds))
    return load


def kill_sqlite(rounds):
    """kill -9 with four writers: every acknowledged write is stored once, the database file is valid"""
    server = Server()
    acknowledged, restarts = 0, []
    try:
        for round_ in range(rounds):
            if round_ % 100 == 99:
                server.sign_in()
            load = run_writers(server, f"k{round_}-", (0.05, 0.35))
            server.kill()
            load.stop()
            load.check_stored(query_sqlite_column(server, "SELECT name FROM contacts WHERE name LIKE ?", f"{load.tag} %"))
            acknowledged += len(load.acknowledged)
            if round_ % 50 == 0:
                check_integrity(server)
            server.start()
            restarts.append(server.wait_until_ready())
        server.kill()
        check_integrity(server)
        total = query_sqlite_column(server, "SELECT count(*) FROM contacts")[0]
        assert total >= acknowledged > 0
        median = sorted(restarts)[len(restarts) // 2]
        return f"{rounds} kills, {acknowledged} acknowledged, 0 lost, 0 twice; restart {median * 1000:.0f} ms (median)"
    finally:
        server.close()


def kill_postgres(rounds):
    """PostgreSQL stopped in immediate mode with four writers: every acknowledged write is stored once, automatic recovery"""
    postgres = Postgres()
    server = Server(postgres.url)
    acknowledged, recovered = 0, []
    try:
        for round_ in range(rounds):
            if round_ % 50 == 49:
                server.sign_in()
            load = run_writers(server, f"p{round_}-", (0.1, 0.5))
            postgres.stop()
            time.sleep(0.2)
            postgres.start()
            recovered.append(wait_until("the server recovers", 10, server.is_ready))
            load.stop()
            load.check_stored(postgres.query(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
            assert not {status for status in load.statuses() if status >= 500} - {503}, load.statuses()
            acknowledged += len(load.acknowledged)
        assert acknowledged > 0
        return f"{rounds} stops, {acknowledged} acknowledged, 0 lost, 0 twice; ready again within {max(recovered):.2f} s"
    finally:
        server.close()
        postgres.close()


CALL = re.compile(r"^(\d+) +([\d.]+) (?:<\.\.\. )?(\w+)(.*)$")


def synced_responses(lines):
    """Returns a boolean for each 2xx response to a write in strace's output: whether SQLite's write-ahead log was synced
    to disk between the last write to it and the response."""
    results, written, synced, pending, is_requested = [], False, False, {}, False
    for line in lines:
        found = CALL.match(line)
        if not found:
            continue
        thread, _, call, rest = found.groups()
        if "<unfinished" in rest:
            pending[thread] = rest
        started = pending.pop(thread, "") if "resumed>" in rest else rest
        done = "<unfinished" not in rest
        if "POST /api/contacts" in started + rest and done:
            is_requested, written, synced = True, False, False
        elif "-wal>" in started and call == "pwrite64":
            written, synced = True, False
        elif "-wal>" in started and call in ("fsync", "fdatasync") and done:
            synced = written
        elif is_requested and '"HTTP/1.1 20' in started + rest:
            results.append(synced)
            is_requested = False
    return results


def sync_before_response(rounds):
    """strace: each 2xx response to a write comes after the sync of SQLite's log"""
    server = Server()
    trace = tempfile.NamedTemporaryFile(prefix="forecourt-strace-")
    try:
        calls = "trace=pwrite64,fsync,fdatasync,read,recvfrom,write,writev,sendto"
        command = ["strace", "-f", "-y", "-ttt", "-s", "24", "-e", calls, "-p", str(server.process.pid), "-o", trace.name]
        strace = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        wait_until("strace is attached", 20, lambda: os.path.getsize(trace.name) > 0 or not server.is_ready())
        for i in range(rounds):
            assert server.create_contact(f"traced {i}")[0] == 201
        strace.send_signal(signal.SIGINT)
        strace.wait()
        synced = synced_responses(pathlib.Path(trace.name).read_text(errors="replace").splitlines())
        assert len(synced) >= rounds * 0.9, f"only {len(synced)} of {rounds} writes were traced"
        assert all(synced), f"{synced.count(False)} of {len(synced)} responses came before the sync"
        return f"{len(synced)} writes traced, each synced before its response"
    finally:
        server.close()
        trace.close()
