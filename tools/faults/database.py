"""A database that is away, stands still, is full, is being made, or is another's."""

import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import place
from durability import in_sqlite, is_sound
from place import Load, Postgres, Server, eventually


def check(load, bound=10):
    wrong = {status for status in load.statuses() if status >= 500} - {503}
    assert not wrong, load.statuses()
    assert load.slowest() <= bound, f"a request took {load.slowest():.1f} s"
    assert load.broken == 0, f"{load.broken} requests broke off"


def down_and_back(rounds):
    """PostgreSQL stopped for two seconds under load: 503 with a sentence, nothing lost, it recovers by itself"""
    postgres = Postgres()
    server = Server(postgres.url)
    try:
        load, recovered = Load(server, readers=2), []
        load.under_way()
        for _ in range(rounds):
            time.sleep(0.5)
            postgres.stop("fast")
            time.sleep(2)
            postgres.start()
            recovered.append(eventually("it recovers", 10, server.is_ready))
        load.stop()
        check(load)
        load.holds(postgres.ask(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
        return f"{rounds} stops, answers {load.statuses()}, slowest {load.slowest():.1f} s, ready again in {max(recovered):.2f} s"
    finally:
        server.close()
        postgres.close()


def stands_still(seconds):
    """PostgreSQL stands still (SIGSTOP) under load: no request hangs, it recovers by itself"""
    postgres = Postgres()
    server = Server(postgres.url)
    try:
        load = Load(server, writers=8, readers=8)
        load.under_way()
        time.sleep(1)
        postgres.signal(signal.SIGSTOP)
        time.sleep(seconds)
        postgres.signal(signal.SIGCONT)
        recovered = eventually("it recovers", 10, server.is_ready)
        time.sleep(1)
        load.stop()
        check(load)
        load.holds(postgres.ask(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
        return f"{seconds} s still, answers {load.statuses()}, slowest {load.slowest():.1f} s, ready again in {recovered:.2f} s"
    finally:
        postgres.signal(signal.SIGCONT)
        server.close()
        postgres.close()


# An import of so many isn't over before the disk is full.
ROWS = 50_000


class SmallDisk:
    """A file system of 512 MB in memory, which takes root."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="forecourt-faults-")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "none", self.folder], check=True)
        self.filler = pathlib.Path(self.folder, "filler")
        return self

    def fill(self):
        """Takes every page that is left, again until none comes free any more."""
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


def fill_under_load(server, disk, names_like, shrink, fills_at):
    """Fills the disk under writers once an import has got so far, and frees it; what was answered, when it recovered."""
    status, _, accepted = server.upload(ROWS)
    assert status == 202, accepted
    session = accepted["sessionId"]
    load = Load(server, readers=1, tag="d")
    eventually("the import begins", 60, lambda: server.import_of(session)["processedRecords"] >= fills_at)
    # What was written before leaves room in the log of SQLite, and in pages that are there already.
    shrink()
    eventually("a write is refused", 30, lambda: disk.fill() or 503 in load.statuses())
    at = server.import_of(session)["processedRecords"]
    assert server.upload(ROWS)[0] == 503, "a file that can't be kept is not taken in"
    for _ in range(20):
        assert server.call("GET", "/api/contacts?limit=5", token=server.token)[0] == 200, "reading goes on"
    time.sleep(2)
    waits = server.import_of(session)
    assert waits["status"] in ("pending", "processing"), waits
    disk.empty()
    recovered = eventually("it recovers", 10, lambda: server.write("after")[0] == 201)
    load.stop()
    check(load)
    assert server.process.poll() is None, server.said()
    load.holds(names_like(f"{load.tag} %"))
    over = lambda: server.import_of(session)["status"] in ("completed", "failed")
    eventually("the import ends", 120, over)
    ended = server.import_of(session)
    assert ended["successRecords"] == ROWS and ended["status"] == "completed", ended
    return load.statuses(), recovered, at


def times_full(rounds, server, disk, names_like, shrink=lambda: None):
    statuses, slowest, ats = {}, 0, []
    for round_ in range(rounds):
        server.sign_in()
        # Before the import's first batch, and in the midst of it.
        counts, recovered, at = fill_under_load(server, disk, names_like, shrink, [0, 1_000, 5_000][round_ % 3])
        slowest = max(slowest, recovered)
        ats.append(at)
        for status, count in counts.items():
            statuses[status] = statuses.get(status, 0) + count
    return f"{rounds} times full at row {ats}, answers {statuses}, every import whole, writing again in {slowest:.2f} s"


def disk_full(rounds):
    """The disk is full, log and all, under writers and in an import: 503 with a sentence, reading goes on, it recovers"""
    with SmallDisk() as disk:
        server = Server(folder=disk.folder)
        try:
            like = lambda pattern: in_sqlite(server, "SELECT name FROM contacts WHERE name LIKE ?", pattern)
            told = times_full(rounds, server, disk, like, lambda: in_sqlite(server, "PRAGMA wal_checkpoint(TRUNCATE)"))
            server.kill()
            is_sound(server)
            return told
        finally:
            server.close()


def postgres_full(rounds):
    """The disk of PostgreSQL's tables is full: the same"""
    with SmallDisk() as disk:
        postgres = Postgres()
        if postgres.user:
            shutil.chown(disk.folder, "postgres")
        place_ = pathlib.Path(disk.folder, "tables")
        subprocess.run([*postgres.user, "mkdir", str(place_)], check=True)
        postgres.ask(f"CREATE TABLESPACE small LOCATION '{place_}'", "postgres")
        postgres.ask("ALTER DATABASE forecourt SET TABLESPACE small", "postgres")
        server = Server(postgres.url)
        try:
            like = lambda pattern: postgres.ask(f"SELECT name FROM contacts WHERE name LIKE '{pattern}'")
            return times_full(rounds, server, disk, like)
        finally:
            server.close()
            postgres.close()


def four_nodes(rounds):
    """Four nodes start at once on an empty PostgreSQL: all get ready, with one Super Admin"""
    postgres, slowest = Postgres(), 0
    try:
        for round_ in range(rounds):
            name = f"empty{round_}"
            postgres.ask(f"CREATE DATABASE {name} OWNER forecourt", "postgres")
            folder, begun = tempfile.mkdtemp(prefix="forecourt-faults-"), time.monotonic()
            url = postgres.url.rsplit("/", 1)[0] + f"/{name}"
            nodes = [Server(url, folder, ready=False) for _ in range(4)]
            try:
                for node in nodes:
                    node.ready()
                slowest = max(slowest, time.monotonic() - begun)
                assert postgres.ask("SELECT count(*) FROM users", name) == ["1"]
                nodes[0].sign_in()
                for node in nodes[1:]:
                    assert node.call("GET", "/api/contacts", token=nodes[0].token)[0] == 200
            finally:
                for node in nodes:
                    node.close()
                shutil.rmtree(folder, ignore_errors=True)
        return f"{rounds} times, all four ready within {slowest:.1f} s, one Super Admin, one session good on all"
    finally:
        postgres.close()


def kill_migration(rounds):
    """kill -9 during the migrations, on SQLite and on PostgreSQL: the next start finishes them"""
    postgres, caught = Postgres(), {"SQLite": 0, "PostgreSQL": 0}
    try:
        for round_ in range(rounds):
            name = f"half{round_}"
            postgres.ask(f"CREATE DATABASE {name} OWNER forecourt", "postgres")
            for database, url in [("SQLite", None), ("PostgreSQL", postgres.url.rsplit("/", 1)[0] + f"/{name}")]:
                server = Server(url, ready=False)
                time.sleep(random.uniform(0.02, 0.5))
                caught[database] += not server.is_ready()
                server.kill()
                server.start()
                server.ready()
                server.sign_in()
                assert server.write("Ada Öberg")[0] == 201
                server.close()
        return f"{rounds} kills each; before readiness {caught['SQLite']} on SQLite, {caught['PostgreSQL']} on PostgreSQL"
    finally:
        postgres.close()


def newer_schema(_):
    """A schema that is newer than the program: the start is refused in one line, nothing is changed"""
    server = Server()
    try:
        server.kill()
        with sqlite3.connect(f"{server.folder}/forecourt.sqlite3") as connection:
            newest = "(SELECT max(version) + 1 FROM _sqlx_migrations)"
            columns = "description, installed_on, success, checksum, execution_time"
            sql = f"INSERT INTO _sqlx_migrations (version, {columns}) SELECT {newest}, {columns} FROM _sqlx_migrations LIMIT 1"
            connection.execute(sql)
        connection.close()
        command = [place.PROGRAM, "serve", "--data-dir", server.folder, "--listen", f"127.0.0.1:{server.port}", "--log", "error"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        line = done.stderr.strip()
        assert done.returncode != 0 and line.count("\n") == 0, line
        return line.replace(server.folder, "…")
    finally:
        server.close()
