#!/usr/bin/env python3
"""Runs the fault tests and prints one line for each: result, description, figures.

`run.py NAME[=COUNT] …` runs some of them. The count is of rounds, seconds, clients, uploads or rows, depending on the
test; `slow`, `upload` and `newer` ignore it. With `--untimed`, the `neighbour-…` tests assert no durations.
"""

import sys
import time

import clients
import database
import durability
import harness
import histories
import neighbour
import sales

FAULTS = {
    "order": (durability.sync_before_response, 100),
    "kill": (durability.kill_sqlite, 1000),
    "kill-history": (histories.kill_history, 300),
    "sales": (sales.same_vehicle, 1_000),
    "immediate": (durability.kill_postgres, 50),
    "down": (database.down_and_back, 5),
    "still": (database.hang, 20),
    "full": (database.disk_full, 3),
    "full-postgres": (database.postgres_full, 3),
    "nodes": (database.four_nodes, 5),
    "migration": (database.kill_migration, 20),
    "newer": (database.newer_schema, 1),
    "slow": (clients.slow_clients, 1),
    "upload": (clients.slow_upload, 1),
    "idle": (clients.idle, 10_000),
    "beside": (clients.slow_beside, 2_000),
    "stop": (clients.stop_under_load, 20),
    "neighbour-readers": (neighbour.readers, 80),
    "neighbour-searches": (neighbour.searching, 1_000_000),
    "neighbour-sockets": (neighbour.sockets, 16_000),
    "neighbour-string": (neighbour.shared_string, 8_000),
    "neighbour-uploads": (neighbour.uploading, 18),
    "neighbour-imports": (neighbour.importing, 20_000),
    "neighbour-largest": (neighbour.largest, 200_000),
}


def main():
    arguments = sys.argv[1:]
    if "--untimed" in arguments:
        arguments.remove("--untimed")
        harness.TIMED = False
    chosen = [argument.partition("=") for argument in arguments] or [(name, "", "") for name in FAULTS]
    failures = 0
    for name, _, count in chosen:
        test, default = FAULTS[name]
        started = time.monotonic()
        try:
            result, figures = "held", test(int(count or default))
        except Exception as error:
            result, figures, failures = "FAILED", f"{type(error).__name__}: {error}", failures + 1
        print(f"{result:6} {name:18} {test.__doc__}: {figures} [{time.monotonic() - started:.0f} s]", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
