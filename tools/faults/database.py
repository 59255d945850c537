"""Databases that are down, hang, are full, are being migrated, or have a newer schema."""

import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import harness
from durability import query_sqlite_column, check_integrity
from harness import Load, Postgres, Server, wait_until


def check_responses(load, bound=10):
    """Asserts that no response was a 5xx other than 503, that none took longer than `bound` seconds, and that no
    connection broke."""
    wrong = {status for status in load.statuses() if status >= 500} - {503}
    assert not wrong, load.statuses()
    assert load.slowest() <= bound, f"a request took {load.slowest():.1f} s"
    assert load.broken == 0, f"{load.broken} connections broke"


def down_and_back(rounds):
    """PostgreSQL stopped for two seconds under load: 503 with a message, nothing lost, automatic recovery"""
    postgres = Postgres()
    server = Server(postgres.url)
    try:
        load, recovered = Load(server, readers=2), []
        load.wait_for_first_write()
        for _ in range(rounds):
            time.sleep(0.5)
            postgres.stop("fast")
            time.sleep(2)
            postgres.start()
            recovered.append(wait_until("the server recovers", 10, server.is_ready))
        load.stop()
        check_responses(load)
        load.check_stored(postgres.query(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
        return f"{rounds} stops, responses {load.statuses()}, slowest {load.slowest():.1f} s, ready again in {max(recovered):.2f} s"
    finally:
        server.close()
        postgres.close()


def hang(seconds):
    """PostgreSQL suspended (SIGSTOP) under load: no request hangs, automatic recovery"""
    postgres = Postgres()
    server = Server(postgres.url)
    try:
        load = Load(server, writers=8, readers=8)
        load.wait_for_first_write()
        time.sleep(1)
        postgres.signal(signal.SIGSTOP)
        time.sleep(seconds)
        postgres.signal(signal.SIGCONT)
        recovered = wait_until("the server recovers", 10, server.is_ready)
        time.sleep(1)
        load.stop()
        check_responses(load)
        load.check_stored(postgres.query(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
        return f"suspended for {seconds} s, responses {load.statuses()}, slowest {load.slowest():.1f} s, ready again in {recovered:.2f} s"
    finally:
        postgres.signal(signal.SIGCONT)
        server.close()
        postgres.close()


# Rows of an import: so many that it is still running when the disk is full.
ROWS = 50_000


class SmallDisk:
    """A file system of 512 MB in memory (tmpfs), to fill it. Needs root."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="forecourt-faults-")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "none", self.folder], check=True)
        self.filler = pathlib.Path(self.folder, "filler")
        return self

    def fill(self):
        """Fills the disk up to the last byte."""
        with open(self.filler, "ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(bytes(size)):
                        pass
                except OSError:
                    pass

    def empty(self):
        self.filler.unlink()

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.folder], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def fill_under_load(server, disk, names_like, shrink, rows_before):
    """Fills the disk after `rows_before` rows of an import and frees it again, with writers in the background.

    Returns the statuses, the seconds until writes succeed again, and the row at which the disk was full.
    """
    status, _, accepted = server.upload(ROWS)
    assert status == 202, accepted
    session = accepted["sessionId"]
    load = Load(server, readers=1, tag="d")
    wait_until("the import begins", 60, lambda: server.import_job(session)["processedRecords"] >= rows_before)
    # On SQLite, truncates the write-ahead log. Otherwise more writes would fit into the space that the log already has,
    # even on a full disk.
    shrink()
    wait_until("a write is rejected", 30, lambda: disk.fill() or 503 in load.statuses())
    at = server.import_job(session)["processedRecords"]
    assert server.upload(ROWS)[0] == 503, "an upload was not rejected"
    for _ in range(20):
        assert server.request("GET", "/api/contacts?limit=5", token=server.token)[0] == 200, "a read failed"
    time.sleep(2)
    waiting = server.import_job(session)
    assert waiting["status"] in ("pending", "processing"), waiting
    disk.empty()
    recovered = wait_until("the server recovers", 10, lambda: server.create_contact("after")[0] == 201)
    load.stop()
    check_responses(load)
    assert server.process.poll() is None, server.log_tail()
    load.check_stored(names_like(f"{load.tag} %"))
    is_finished = lambda: server.import_job(session)["status"] in ("completed", "failed")
    wait_until("the import ends", 120, is_finished)
    job = server.import_job(session)
    assert job["successRecords"] == ROWS and job["status"] == "completed", job
    return load.statuses(), recovered, at


def fill_repeatedly(rounds, server, disk, names_like, shrink=lambda: None):
    statuses, slowest, ats = {}, 0, []
    for round_ in range(rounds):
        server.sign_in()
        # The disk becomes full before the import's first batch in the first round, later in the others.
        counts, recovered, at = fill_under_load(server, disk, names_like, shrink, [0, 1_000, 5_000][round_ % 3])
        slowest = max(slowest, recovered)
        ats.append(at)
        for status, count in counts.items():
            statuses[status] = statuses.get(status, 0) + count
    return f"{rounds} times full at rows {ats}, responses {statuses}, every import complete, writing again within {slowest:.2f} s"


def disk_full(rounds):
    """Full disk during writes and an import: 503 with a message, reads work, automatic recovery"""
    with SmallDisk() as disk:
        server = Server(folder=disk.folder)
        try:
            like = lambda pattern: query_sqlite_column(server, "SELECT name FROM contacts WHERE name LIKE ?", pattern)
            figures = fill_repeatedly(rounds, server, disk, like, lambda: query_sqlite_column(server, "PRAGMA wal_checkpoint(TRUNCATE)"))
            server.kill()
            check_integrity(server)
            return figures
        finally:
            server.close()


def postgres_full(rounds):
    """Full disk of PostgreSQL's tables: 503 with a message, reads work, automatic recovery"""
    with SmallDisk() as disk:
        postgres = Postgres()
        if postgres.user:
            shutil.chown(disk.folder, "postgres")
        tables = pathlib.Path(disk.folder, "tables")
        subprocess.run([*postgres.user, "mkdir", str(tables)], check=True)
        postgres.query(f"CREATE TABLESPACE small LOCATION '{tables}'", "postgres")
        postgres.query("ALTER DATABASE forecourt SET TABLESPACE small", "postgres")
        server = Server(postgres.url)
        try:
            like = lambda pattern: postgres.query(f"SELECT name FROM contacts WHERE name LIKE '{pattern}'")
            return fill_repeatedly(rounds, server, disk, like)
        finally:
            server.close()
            postgres.close()


def four_nodes(rounds):
    """Four nodes start at once on an empty PostgreSQL: all become ready, with one Super Admin"""
    postgres, slowest = Postgres(), 0
    try:
        for round_ in range(rounds):
            name = f"empty{round_}"
            postgres.query(f"CREATE DATABASE {name} OWNER forecourt", "postgres")
            folder, started = tempfile.mkdtemp(prefix="forecourt-faults-"), time.monotonic()
            url = postgres.url.rsplit("/", 1)[0] + f"/{name}"
            nodes = [Server(url, folder, ready=False) for _ in range(4)]
            try:
                for node in nodes:
                    node.wait_until_ready()
                slowest = max(slowest, time.monotonic() - started)
                assert postgres.query("SELECT count(*) FROM users", name) == ["1"]
                nodes[0].sign_in()
                for node in nodes[1:]:
                    assert node.request("GET", "/api/contacts", token=nodes[0].token)[0] == 200
            finally:
                for node in nodes:
                    node.close()
                shutil.rmtree(folder, ignore_errors=True)
        return f"{rounds} times, all four ready within {slowest:.1f} s, one Super Admin, one session valid on all"
    finally:
        postgres.close()


def kill_migration(rounds):
    """kill -9 during the migrations, on SQLite and PostgreSQL: the next start completes them"""
    postgres, interrupted = Postgres(), {"SQLite": 0, "PostgreSQL": 0}
    try:
        for round_ in range(rounds):
            name = f"half{round_}"
            postgres.query(f"CREATE DATABASE {name} OWNER forecourt", "postgres")
            for database, url in [("SQLite", None), ("PostgreSQL", postgres.url.rsplit("/", 1)[0] + f"/{name}")]:
                server = Server(url, ready=False)
                time.sleep(random.uniform(0.02, 0.5))
                interrupted[database] += not server.is_ready()
                server.kill()
                server.start()
                server.wait_until_ready()
                server.sign_in()
                assert server.create_contact("Ada Öberg")[0] == 201
                server.close()
        return f"{rounds} kills each; before readiness {interrupted['SQLite']} on SQLite, {interrupted['PostgreSQL']} on PostgreSQL"
    finally:
        postgres.close()


def newer_schema(_):
    """A schema newer than the program: the start fails with one line"""
    server = Server()
    try:
        server.kill()
        with sqlite3.connect(f"{server.folder}/forecourt.sqlite3") as connection:
            newest = "(SELECT max(version) + 1 FROM _sqlx_migrations)"
            columns = "description, installed_on, success, checksum, execution_time"
            sql = f"INSERT INTO _sqlx_migrations (version, {columns}) SELECT {newest}, {columns} FROM _sqlx_migrations LIMIT 1"
            connection.execute(sql)
        connection.close()
        command = [harness.PROGRAM, "serve", "--data-dir", server.folder, "--listen", f"127.0.0.1:{server.port}", "--log", "error"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        line = done.stderr.strip()
        assert done.returncode != 0 and line.count("\n") == 0, line
        return line.replace(server.folder, "…")
    finally:
        server.close()
