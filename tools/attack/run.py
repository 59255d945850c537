#!/usr/bin/env python3
"""Sends generated requests as three roles, each to its own server.

Fails on a server error, an undocumented response, too many rate-limited requests, or too few routes that succeed. The
environment variables CASES, SEED and PHASES configure it; the phase "coverage" sends 4,000 requests per role, independent of
CASES.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

from server import ADMIN, CLERK, CLUSTER, PASSWORD, SUPER_ADMIN, Server

HERE = pathlib.Path(__file__).resolve().parent
CASES = int(os.environ.get("CASES") or 3000)
PHASES = os.environ.get("PHASES") or "examples,coverage,fuzzing,stateful"
SEED = int(os.environ.get("SEED") or random.getrandbits(32))
# Each role with its user's e-mail, and how many routes must at least respond with success to some request. With one
# case per route, 33, 31 and 18 routes succeed; without signing in, 5. So fewer than the minimum mean that the requests
# were rejected before they reached the handlers.
ROLES = {
    "platform administrator": (SUPER_ADMIN, 28),
    "corporation's administrator": (ADMIN, 27),
    "clerk": (CLERK, 15),
}
# The checks of schemathesis for every response. Accepting input that breaks the schema is no finding: the server trims
# texts and ignores unknown fields.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "ignored_auth", "unsupported_method", "use_after_free",
]
# Routes that are not called, because they would make the account that is used unusable.
EXCLUDED = ["/api/profile/delete-account", "/api/auth/change-password"]
# The maximum share of responses with status 429 (too many requests).
MAX_LIMITED = 0.02


def attack(role):
    """Sends generated requests as this role to a server of its own, and returns the findings as texts."""
    server = Server()
    try:
        counts = server.folder / "counts.json"
        routes = sum(len(methods) for methods in server.request("/api/openapi.json")["paths"].values())
        process = subprocess.run(
            command(server.base, max(1, CASES // (len(ROLES) * routes))),
            env={**os.environ, **hook_environment(server, ROLES[role][0], counts)},
            cwd=server.folder, text=True, capture_output=True, check=False,
        )
        responses = json.loads(counts.read_text()) if counts.exists() else {}
    finally:
        status, log = server.close()
    found = [process.stdout, process.stderr] if process.returncode else []
    found += [f"the server exited with {status}"] if status else []
    found += [f"the server logged: {log[-4000:]}"] if log else []
    return found + summarize(role, routes, responses)


def command(base, cases_per_route):
    words = [str(pathlib.Path(sys.executable).parent / "schemathesis"), "run", f"{base}/api/openapi.json"]
    words += ["--checks", ",".join(CHECKS), "--max-examples", str(cases_per_route), "--seed", str(SEED), "--no-shrink"]
    words += ["--phases", PHASES]
    words += ["--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off", "--workers", "1"]
    return words + [word for path in EXCLUDED for word in ["--exclude-path", path]]


def hook_environment(server, email, counts):
    attacker = {"base": server.base, "email": email, "password": PASSWORD, "counts": str(counts)}
    attacker["deviceId"] = server.sign_in(email)[0]
    return {"ATTACKER": json.dumps(attacker), "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}


def summarize(role, routes, responses):
    """Prints how many responses had which status. Returns as findings too many 429, and too few routes that succeed."""
    sums = collections.Counter()
    for statuses in responses.values():
        sums.update(statuses)
    total = sum(sums.values())
    succeeded = sum(any(status.startswith("2") for status in statuses) for statuses in responses.values())
    figures = ", ".join(f"{count} of {status}" for status, count in sorted(sums.items()))
    print(f"{role}: {total} responses ({figures}); {succeeded} of {routes} routes succeeded at least once", flush=True)
    found = ["too many requests were rate-limited"] if sums["429"] > total * MAX_LIMITED else []
    minimum = ROLES[role][1]
    return found + ([f"only {succeeded} routes succeeded, expected at least {minimum}"] if succeeded < minimum else [])


def main():
    print(f"{CASES} cases from seed {SEED} on {'PostgreSQL' if CLUSTER else 'SQLite'}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(ROLES)) as pool:
        results = dict(zip(ROLES, pool.map(attack, ROLES), strict=True))
    for role, found in results.items():
        for finding in found:
            print(f"\n== {role}\n{finding}")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
