"""Signs the attacker in, again and again: some calls end the session that they are made in."""

import json
import os
import urllib.request

import schemathesis


@schemathesis.auth(refresh_interval=3)
class Session:
    def get(self, case, context):
        login = {
            "email": os.environ["ATTACK_EMAIL"], "password": os.environ["ATTACK_PASSWORD"],
            "deviceId": os.environ["ATTACK_DEVICE"], "deviceName": "Attack", "rememberMe": True,
        }
        request = urllib.request.Request(
            os.environ["ATTACK_BASE"] + "/api/auth/login", json.dumps(login).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]["tokens"]["accessToken"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
