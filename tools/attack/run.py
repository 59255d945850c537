#!/usr/bin/env python3
"""Attacks a server with generated calls as three roles, each on a server of its own, and fails on a server error, an
undocumented answer, or where limits or refusals kept the attack out. How many CASES, from which SEED, and in which
PHASES, the environment says: "coverage" alone makes four thousand calls a role, whatever CASES says.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

from place import ADMIN, CLERK, CLUSTER, PASSWORD, SUPER_ADMIN, Place

HERE = pathlib.Path(__file__).resolve().parent
CASES = int(os.environ.get("CASES") or 3000)
PHASES = os.environ.get("PHASES") or "examples,coverage,fuzzing,stateful"
SEED = int(os.environ.get("SEED") or random.getrandbits(32))
# Who attacks, and how many calls work at least once for them: one case of each call finds 33, 31 and 18 that do. For
# nobody at all 5 do, so fewer than these would be an attack that is refused at the door.
ROLES = {
    "platform administrator": (SUPER_ADMIN, 28),
    "corporation's administrator": (ADMIN, 27),
    "clerk": (CLERK, 15),
}
# What every answer must hold against. What a call takes beyond its document is no fault: fields are trimmed, and those
# that aren't known passed over.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "ignored_auth", "unsupported_method", "use_after_free",
]
# These end the account that the attack is made with.
SPARED = ["/api/profile/delete-account", "/api/auth/change-password"]
# The greatest share of the answers that limits may have given.
LIMITED = 0.02


def attack(role):
    """What was found as this role, in words; nothing is good."""
    place = Place()
    try:
        counts = place.folder / "counts.json"
        calls = sum(len(verbs) for verbs in place.call("/api/openapi.json")["paths"].values())
        ended = subprocess.run(
            command(place.base, max(1, CASES // (len(ROLES) * calls))),
            env={**os.environ, **hooks(place, ROLES[role][0], counts)},
            cwd=place.folder, text=True, capture_output=True, check=False,
        )
        answers = json.loads(counts.read_text()) if counts.exists() else {}
    finally:
        status, said = place.close()
    found = [ended.stdout, ended.stderr] if ended.returncode else []
    found += [f"the server ended with {status}"] if status else []
    found += [f"the server said: {said[-4000:]}"] if said else []
    return found + summed_up(role, calls, answers)


def command(base, each):
    words = [str(pathlib.Path(sys.executable).parent / "schemathesis"), "run", f"{base}/api/openapi.json"]
    words += ["--checks", ",".join(CHECKS), "--max-examples", str(each), "--seed", str(SEED), "--no-shrink"]
    words += ["--phases", PHASES]
    words += ["--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off", "--workers", "1"]
    return words + [word for path in SPARED for word in ["--exclude-path", path]]


def hooks(place, email, counts):
    attacker = {"base": place.base, "email": email, "password": PASSWORD, "counts": str(counts)}
    attacker["deviceId"] = place.sign_in(email)[0]
    return {"ATTACKER": json.dumps(attacker), "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}


def summed_up(role, calls, answers):
    """Prints what was answered, and gives what is wrong with that."""
    sums = collections.Counter()
    for statuses in answers.values():
        sums.update(statuses)
    total = sum(sums.values())
    worked = sum(any(status.startswith("2") for status in statuses) for statuses in answers.values())
    figures = ", ".join(f"{count} of {status}" for status, count in sorted(sums.items()))
    print(f"{role}: {total} answers ({figures}); {worked} of {calls} calls worked at least once", flush=True)
    found = ["limits kept the attack out"] if sums["429"] > total * LIMITED else []
    least = ROLES[role][1]
    return found + ([f"only {worked} calls worked, of {least} that should"] if worked < least else [])


def main():
    print(f"{CASES} cases from seed {SEED} on {'PostgreSQL' if CLUSTER else 'SQLite'}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(ROLES)) as pool:
        results = dict(zip(ROLES, pool.map(attack, ROLES), strict=True))
    for role, found in results.items():
        for words in found:
            print(f"\n== {role}\n{words}")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
