"""Hooks for schemathesis: they sign in, also again after the session has ended, and count the responses by status."""

import atexit
import collections
import json
import os
import pathlib
import urllib.request

import schemathesis

ATTACKER = json.loads(os.environ["ATTACKER"])
LOGIN = {name: ATTACKER[name] for name in ["email", "password", "deviceId"]} | {"deviceName": "Attack", "rememberMe": True}
# For each route, the number of responses by status.
COUNTS = collections.defaultdict(collections.Counter)


@schemathesis.auth(refresh_interval=None)
class Session:
    token = None

    def get(self, case, context):
        if not Session.token:
            request = urllib.request.Request(
                ATTACKER["base"] + "/api/auth/login", json.dumps(LOGIN).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=30) as response:
                Session.token = json.load(response)["data"]["tokens"]["accessToken"]
        return Session.token

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context, case, response):
    COUNTS[case.operation.label][response.status_code] += 1
    sent = response.request.headers.get("Authorization")
    if response.status_code == 401 and sent == f"Bearer {Session.token}":
        Session.token = None


@atexit.register
def write_counts():
    pathlib.Path(ATTACKER["counts"]).write_text(json.dumps(COUNTS))
