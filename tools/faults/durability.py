"""What was acknowledged is on the disk: under kills, under stops of PostgreSQL, and by the order of system calls."""

import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

from place import Load, Postgres, Server, eventually


def in_sqlite(server, sql, *values):
    with sqlite3.connect(f"{server.folder}/forecourt.sqlite3") as connection:
        rows = [row[0] for row in connection.execute(sql, values)]
    connection.close()
    return rows


def is_sound(server):
    assert in_sqlite(server, "PRAGMA integrity_check") == ["ok"]
    assert in_sqlite(server, "PRAGMA foreign_key_check") == []


def kill_sqlite(rounds):
    """kill -9 under four writers: every acknowledged write is there, none twice, the file is sound"""
    server = Server()
    acknowledged, restarts = 0, []
    try:
        for round_ in range(rounds):
            if round_ % 100 == 99:
                server.sign_in()
            load = Load(server, tag=f"k{round_}-")
            load.under_way()
            time.sleep(random.uniform(0.05, 0.35))
            server.kill()
            load.stop()
            load.holds(in_sqlite(server, "SELECT name FROM contacts WHERE name LIKE ?", f"{load.tag} %"))
            acknowledged += len(load.written)
            if round_ % 50 == 0:
                is_sound(server)
            server.start()
            restarts.append(server.ready())
        server.kill()
        is_sound(server)
        total = in_sqlite(server, "SELECT count(*) FROM contacts")[0]
        assert total >= acknowledged > 0
        middle = sorted(restarts)[len(restarts) // 2]
        return f"{rounds} kills, {acknowledged} acknowledged, 0 lost, 0 twice; restart {middle * 1000:.0f} ms (median)"
    finally:
        server.close()


def kill_postgres(rounds):
    """PostgreSQL stopped in immediate mode under four writers: the same, and the server recovers by itself"""
    postgres = Postgres()
    server = Server(postgres.url)
    acknowledged, recovered = 0, []
    try:
        for round_ in range(rounds):
            if round_ % 50 == 49:
                server.sign_in()
            load = Load(server, tag=f"p{round_}-")
            load.under_way()
            time.sleep(random.uniform(0.1, 0.5))
            postgres.stop()
            time.sleep(0.2)
            postgres.start()
            recovered.append(eventually("the server recovers", 10, server.is_ready))
            load.stop()
            load.holds(postgres.ask(f"SELECT name FROM contacts WHERE name LIKE '{load.tag} %'"))
            assert not {status for status in load.statuses() if status >= 500} - {503}, load.statuses()
            acknowledged += len(load.written)
        assert acknowledged > 0
        return f"{rounds} stops, {acknowledged} acknowledged, 0 lost, 0 twice; ready again in {max(recovered):.2f} s at most"
    finally:
        server.close()
        postgres.close()


CALL = re.compile(r"^(\d+) +([\d.]+) (?:<\.\.\. )?(\w+)(.*)$")


def order(lines):
    """For each 2xx of a write among the lines of strace: was its log synced after it was written, since the request?"""
    verdicts, written, synced, pending, asked = [], False, False, {}, False
    for line in lines:
        found = CALL.match(line)
        if not found:
            continue
        thread, _, call, rest = found.groups()
        if "<unfinished" in rest:
            pending[thread] = rest
        begun = pending.pop(thread, "") if "resumed>" in rest else rest
        done = "<unfinished" not in rest
        if "POST /api/contacts" in begun + rest and done:
            asked, written, synced = True, False, False
        elif "-wal>" in begun and call == "pwrite64":
            written, synced = True, False
        elif "-wal>" in begun and call in ("fsync", "fdatasync") and done:
            synced = written
        elif asked and '"HTTP/1.1 20' in begun + rest:
            verdicts.append(synced)
            asked = False
    return verdicts


def order_of_calls(rounds):
    """strace: each 2xx of a write comes after the sync of its log that follows the log's last write"""
    server = Server()
    trace = tempfile.NamedTemporaryFile(prefix="forecourt-strace-")
    try:
        calls = "trace=pwrite64,fsync,fdatasync,read,recvfrom,write,writev,sendto"
        command = ["strace", "-f", "-y", "-ttt", "-s", "24", "-e", calls, "-p", str(server.process.pid), "-o", trace.name]
        strace = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        eventually("strace looks", 20, lambda: os.path.getsize(trace.name) > 0 or not server.is_ready())
        for i in range(rounds):
            assert server.write(f"traced {i}")[0] == 201
        strace.send_signal(signal.SIGINT)
        strace.wait()
        verdicts = order(pathlib.Path(trace.name).read_text(errors="replace").splitlines())
        assert len(verdicts) >= rounds * 0.9, f"only {len(verdicts)} of {rounds} writes were seen"
        assert all(verdicts), f"{verdicts.count(False)} of {len(verdicts)} were answered before the sync"
        return f"{len(verdicts)} writes seen, {len(verdicts)} synced before their answer"
    finally:
        server.close()
        trace.close()
