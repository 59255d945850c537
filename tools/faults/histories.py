"""The history has every change and nothing else, and lists are exact: several threads write in many ways while the server
is killed."""

import json
import random
import subprocess
import time

from durability import read_rows
from harness import PROGRAM, Postgres, Server, Threads, wait_until
from lists import FIELDS, check_exact

WRITERS = 4
# Seconds after which the test signs in again. An access token is valid for 15 minutes.
SIGN_IN_EVERY = 300
# Rows of an import. An import is submitted only in every tenth round, because a user's imports are rate-limited.
IMPORTED = 1_500


class Writer:
    """Changes its own contacts at random, and remembers which changes were acknowledged."""

    def __init__(self, server, seed):
        self.server, self.random = server, random.Random(seed)
        self.live, self.gone, self.count = [], [], 0
        self.is_stopped = False
        # What the history must contain: `acknowledged` has pairs of a record's id and the action of one of its entries,
        # `values` has values that must occur in some entry.
        self.acknowledged, self.values = [], set()

    def call(self, method, path, body=None):
        """Sends a request. Returns the body of the response if it succeeded, else None."""
        status, _, response = self.server.request(method, path, body, self.server.token)
        assert status < 500 or status == 503, (method, path, status, response)
        return response if status < 300 else None

    def run(self):
        steps = [self.create, self.create, self.update, self.update, self.comment, self.delete, self.restore]
        steps += [self.update_many, self.merge, self.undo]
        while not self.is_stopped:
            try:
                self.random.choice(steps)()
            except OSError:
                return

    def text(self):
        self.count += 1
        return f"{self.random.getrandbits(64):x}-{self.count}"

    def chosen(self, records, count=1):
        return self.random.sample(records, count) if len(records) >= count else None

    def create(self):
        name = self.text()
        if response := self.call("POST", "/api/contacts", {"name": name, "email": "ada@example.se", "phone": "070"}):
            self.live.append(response["data"]["_id"])
            self.acknowledged.append((self.live[-1], "created"))

    def update(self):
        if chosen := self.chosen(self.live):
            name, address = self.text(), self.text()
            if self.call("PUT", f"/api/contacts/{chosen[0]}", {"name": name, "email": "bo@example.se", "address": address}):
                self.values |= {name, address}

    def comment(self):
        if chosen := self.chosen(self.live):
            text = self.text()
            if self.call("POST", f"/api/contacts/{chosen[0]}/comments", {"comment": text}):
                self.values.add(text)

    def remove(self, ids):
        for record in ids:
            self.live.remove(record)
            self.gone.append(record)
            self.acknowledged.append((record, "deleted"))

    def delete(self):
        if (chosen := self.chosen(self.live)) and self.call("DELETE", f"/api/contacts/{chosen[0]}"):
            self.remove(chosen)

    def restore(self):
        if chosen := self.chosen(self.gone):
            if self.call("POST", "/api/trash/restore", {"resource": "contacts", "ids": chosen}):
                self.gone.remove(chosen[0])
                self.live.append(chosen[0])
                self.acknowledged.append((chosen[0], "restored"))

    def update_many(self):
        if chosen := self.chosen(self.live, 3):
            address = self.text()
            if self.call("POST", "/api/contacts/bulk", {"action": "update", "ids": chosen, "fields": {"address": address}}):
                self.values.add(address)

    def merge(self):
        if chosen := self.chosen(self.live, 2):
            address = self.text()
            form = {"keep": chosen[0], "ids": chosen[1:], "fields": {"address": address}}
            if self.call("POST", "/api/contacts/merge", form):
                self.values.add(address)
                self.acknowledged.append((chosen[0], "merged"))
                self.remove(chosen[1:])

    def undo(self):
        """Undoes a random entry of a random record's history: an update, a merge, or an undoing."""
        if chosen := self.chosen(self.live):
            found = self.call("GET", f"/api/history?resource=contacts&id={chosen[0]}") or {"data": []}
            entries = [entry for entry in found["data"] if entry["action"] in ("updated", "merged", "reverted")]
            if entries:
                entry = self.random.choice(entries)
                merged = entry["action"] == "merged"
                path = f"/api/history/{entry['batch_id'] if merged else entry['history_id']}/revert"
                if self.call("POST", path, {"on_conflict": "overwrite"}):
                    self.acknowledged.append((chosen[0], "unmerged" if merged else "reverted"))


def unwrap(value):
    """Returns a value of a row in the trash, which is stored with its type: for `{"text": "Ada"}`, returns `Ada`."""
    return next(iter(value.values())) if value.keys() <= {"text", "number", "id"} and len(value) == 1 else value


class Found:
    """The contacts, deleted contacts, history entries and comments that are stored in the database."""

    def __init__(self, server, postgres=None):
        ids = (lambda name: f"replace({name}::text, '-', '')") if postgres else (lambda name: f"lower(hex({name}))")
        of = lambda columns, source: read_rows(server, postgres, columns, source)
        columns = ", ".join(FIELDS)
        rows = of(f"{ids('contact_id')}, {ids('import_id')}, version, {columns}", "contacts")
        self.live = {row[0]: row[1:] for row in rows}
        self.trash = {}
        for record, content in of(f"{ids('record_id')}, content", "trash WHERE resource_id = 'contacts'"):
            self.trash[record] = json.loads(content, object_hook=unwrap)
        history = of(
            f"{ids('history_id')}, {ids('record_id')}, action, changes",
            "history WHERE resource_id = 'contacts' ORDER BY history_id",
        )
        self.imports = {entry[0] for entry in history if entry[2] == "imported"}
        self.histories = {}
        for _, record, action, changes in history:
            if record:
                self.histories.setdefault(record, []).append((action, json.loads(changes)))
        self.comments = {text for (text,) in of("comment", "comments")}

    def check(self):
        """Applies the history entries of each record in order, and asserts that the result is the record as it is stored.
        Returns the number of entries."""
        assert not set(self.live) & set(self.trash), "a record is in its list and in the trash"
        stored = set(self.live) | set(self.trash)
        assert set(self.histories) <= stored, f"entries without a record: {set(self.histories) - stored}"
        said, texts = 0, set()
        for record in stored:
            entries = self.histories.get(record, [])
            said += len(entries)
            self.check_record(record, entries, texts)
        for content in self.trash.values():
            self.comments |= {row["comment"] for row in content.get("children", {}).get("comments", [])}
        assert texts == self.comments, f"comments and their entries: {texts ^ self.comments}"
        return said

    def check_record(self, record, entries, texts):
        what = f"{record}: {entries}"
        is_live, version, state = True, 1, {}
        if not entries or entries[0][0] != "created":
            source = self.live[record][0] if record in self.live else self.trash[record]["row"].get("import_id")
            assert (source or "").replace("-", "") in self.imports, f"neither created nor imported: {what}"
        for place, (action, changes) in enumerate(entries):
            assert (action == "created") <= (place == 0) and is_live == (action != "restored"), f"{action} at {place}: {what}"
            values = [change for change in changes if change["field"] in FIELDS]
            for change in values:
                field, before = change["field"], change["before"]
                assert state.get(field, before) == before, f"{field} before entry {place} is {state.get(field)}: {what}"
                state[field] = before if action == "deleted" else change["after"]
            if action == "deleted":
                named = {change["field"] for change in values}
                assert not [field for field in state if state[field] and field not in named], f"entry {place}: {what}"
            is_live = action != "deleted" and (is_live or action == "restored")
            texts |= {change["after"] for change in changes if change["field"] == "comments" and change["after"]}
            is_comment = bool(changes) and all(change["field"] == "comments" for change in changes)
            changes_record = action in ("updated", "reverted", "merged") or (action == "unmerged" and changes)
            version += bool(changes_record and not is_comment)
        assert is_live == (record in self.live), f"in the list: {record in self.live}: {what}"
        row = self.live[record][1:] if is_live else [self.trash[record]["row"][name] for name in ["version", *FIELDS]]
        assert row[0] == version, f"version {row[0]}, {version} by the entries: {what}"
        for field, value in zip(FIELDS, row[1:]):
            assert state.get(field, value or None) == (value or None), f"{field} is {value}: {what}"

    def check_acknowledged(self, writers):
        values = {change["after"] for entries in self.histories.values() for _, changes in entries for change in changes if change["after"]}
        for writer in writers:
            assert writer.values <= values, f"acknowledged values are lost: {writer.values - values}"
            counted = {}
            for record, action in writer.acknowledged:
                key = (record.replace("-", ""), action)
                counted[key] = counted.get(key, 0) + 1
            for (record, action), count in counted.items():
                found = sum(action == entry for entry, _ in self.histories.get(record, []))
                assert found >= count, f"{count} times {action} was acknowledged for {record}, {found} are stored"


def check_chain(server):
    """Asserts that `forecourt check` finds no broken entry."""
    command = [PROGRAM, "check", "--data-dir", server.folder, *(["--database-url", server.url] if server.url else [])]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    lines = [line for line in output.splitlines() if " history " in line]
    assert lines and lines[0].startswith("ok"), output


def kill_writers(server, postgres, rounds, seed):
    """Kills the server repeatedly while writers change records, and checks history and lists after each kill. Returns how
    many values and entries of records were acknowledged, how many such entries are stored in the end, and how many queries
    of lists were compared."""
    chance, imports, acknowledged, entries, queries = random.Random(seed), [], 0, 0, 0
    signed_in = time.monotonic()
    for round_ in range(rounds):
        if time.monotonic() - signed_in > SIGN_IN_EVERY:
            server.sign_in()
            signed_in = time.monotonic()
        writers = [Writer(server, f"{seed} {round_} {i}") for i in range(WRITERS)]
        threads = Threads(*[writer.run for writer in writers])
        if round_ % 10 == 0:
            status, _, accepted = server.upload(IMPORTED)
            assert status == 202, (status, accepted)
            imports.append(accepted["sessionId"])
        elif round_ % 10 == 5:
            # Undoes the last import. The server rejects this if the import is not complete.
            server.request("POST", f"/api/history/{imports[-1]}/revert", {"on_conflict": "keep"}, server.token)
        time.sleep(chance.uniform(0.1, 0.6))
        server.kill()
        for writer in writers:
            writer.is_stopped = True
        threads.join()
        if postgres:
            # PostgreSQL may still commit what the server sent before it was killed, so this waits for its connections
            # to close.
            open_ = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'forecourt'"
            wait_until("its connections are closed", 20, lambda: postgres.query(open_) == ["0"])
        found = Found(server, postgres)
        entries = found.check()
        found.check_acknowledged(writers)
        acknowledged += sum(len(writer.acknowledged) + len(writer.values) for writer in writers)
        if round_ % 25 == 0 or round_ == rounds - 1:
            check_chain(server)
        server.start()
        server.wait_until_ready()
        queries += check_exact(server, postgres, chance)
    assert acknowledged > 0 and entries > 0 and queries > 0
    return acknowledged, entries, queries


def kill_history(rounds):
    """kill -9 with mixed writes: each change has its entry, each entry its change, lists are exact, on both databases"""
    seed, figures = random.getrandbits(32), []
    for is_postgres in (False, True):
        postgres = Postgres() if is_postgres else None
        server = Server(postgres and postgres.url)
        try:
            acknowledged, entries, queries = kill_writers(server, postgres, rounds, seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
        finally:
            server.close()
            if postgres:
                postgres.close()
        figures.append(f"{'PostgreSQL' if is_postgres else 'SQLite'} {acknowledged} acknowledged, {entries} entries, {queries} queries")
    return f"{rounds} kills each; {'; '.join(figures)}; seed {seed}"
