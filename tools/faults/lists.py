"""Lists are exact: totals, orders, filters and searches agree with the stored rows, also while rows are being indexed."""

import json
import urllib.parse

from durability import read_rows

FIELDS = ["name", "email", "phone", "website", "address"]
PAGE = 20
# How often a check is repeated because the rows changed meanwhile: a continued import inserts them in few transactions.
ATTEMPTS = 100


def read_stored(server, postgres):
    """Returns the contacts in the order of their numbers: id, times of creation and of the last change in milliseconds, as
    lists compare them, and `FIELDS`."""
    id_ = "replace(contact_id::text, '-', '')" if postgres else "lower(hex(contact_id))"
    columns = ", ".join([id_, "created_at / 1000", "updated_at / 1000", *FIELDS])
    return read_rows(server, postgres, columns, "contacts ORDER BY doc")


def read_page(server, **query):
    """Returns the ids on a page, and the number of all matches."""
    status, _, response = server.request("GET", f"/api/contacts?{urllib.parse.urlencode(query)}", token=server.token)
    assert status == 200, (query, status, response)
    return [contact["_id"].replace("-", "") for contact in response["data"]], response["pagination"]["totalContacts"]


def searched(row):
    """Returns the values that a search compares: all but the website."""
    return [value for field, value in zip(FIELDS, row[3:]) if field != "website"]


def choose_part(rows, chance):
    """Returns a short part of a random value, which a few or many of the rows contain."""
    value = chance.choice([value for row in rows for value in row[3:] if len(value) >= 4])
    start = chance.randrange(len(value) - 3)
    return value[start : start + chance.randint(2, 4)].strip().lower() or "a"


def choose_query(rows, chance):
    """Returns a random query, and the ids that it must return in their order."""
    query, found = {}, list(rows)
    if chance.random() < 0.5:
        part = choose_part(rows, chance)
        query["search"], found = part, [row for row in found if any(part in value.lower() for value in searched(row))]
    if chance.random() < 0.5:
        place, part = chance.randrange(len(FIELDS)), choose_part(rows, chance)
        query["filter"] = json.dumps([{"field": FIELDS[place], "op": "contains", "value": part}])
        found = [row for row in found if part in row[3 + place].lower()]
    sort, is_descending = chance.choice(["createdAt", "updatedAt", *FIELDS]), chance.random() < 0.5
    if chance.random() < 0.5:
        query["sort"] = f"-{sort}" if is_descending else sort
        place = ["", "createdAt", "updatedAt", *FIELDS].index(sort)
        found.sort(key=lambda row: row[place].lower() if place > 2 else row[place])
    if is_descending or "sort" not in query:
        found.reverse()
    return query, [row[0] for row in found]


def check_exact(server, postgres, chance):
    """Compares pages of random queries with the stored rows. Returns the number of queries."""
    for _ in range(ATTEMPTS):
        rows = read_stored(server, postgres)
        answers = []
        for _ in range(5 if rows else 0):
            query, ids = choose_query(rows, chance)
            page = chance.randint(1, len(ids) // PAGE + 1)
            query |= {"page": page, "limit": PAGE}
            answers.append((query, (ids[(page - 1) * PAGE : page * PAGE], len(ids)), read_page(server, **query)))
        if read_stored(server, postgres) == rows:
            for query, expected, found in answers:
                assert found == expected, f"{query}: {found}, by the stored rows {expected}"
            return len(answers)
    raise AssertionError("the rows never stopped changing")
