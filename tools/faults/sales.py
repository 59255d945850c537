"""Two people sell the same vehicle at once: one agreement is signed, and the other person reads why theirs is not."""

import functools
import random

from harness import EMAIL, Postgres, Server, Threads

# Sessions are renewed after so many rounds, well within the life of an access token.
ROUNDS_PER_SESSION = 200
CUSTOMER = {
    "name": "Ada Holm", "email": "ada@example.se", "telephone": "+46 70 123 45 67", "address": "Storgatan 1", "type": "Private",
    "socialSecurityNumber": "19121212-1212",
}  # fmt: skip


class Seller:
    """A signed-in user."""

    def __init__(self, server):
        self.server, self.token = server, server.sign_in_as(EMAIL)
        self.response = None

    def call(self, method, path, body=None):
        """Returns the data of the response to a request that succeeds."""
        status, _, response = self.server.request(method, path, body, self.token)
        assert status < 300, (method, path, status, response)
        return response["data"]

    def offer(self, vehicle, customer, price):
        """Returns the number and the path of an offered agreement."""
        legs = [{"vehicle_id": vehicle, "direction": "Out", "price": price}]
        agreement = self.call("POST", "/api/agreements", {"customer_id": customer, "legs": legs})
        path = f"/api/agreements/{agreement['agreement_id']}"
        self.call("POST", f"{path}/state", {"state": "Offered"})
        return agreement["number"], path

    def sign(self, path):
        self.response = self.server.request("POST", f"{path}/state", {"state": "Signed"}, self.token)


def sell(sellers, customer, plate):
    """Both try at once to sign an agreement about the same new vehicle. Returns the number of the one who succeeded."""
    vehicle = sellers[0].call("POST", "/api/vehicles", {"registration_number": plate, "make": "Volvo"})
    offers = [seller.offer(vehicle["vehicle_id"], customer, 1_000 + place) for place, seller in enumerate(sellers)]
    Threads(*[functools.partial(seller.sign, path) for seller, (_, path) in zip(sellers, offers)]).join()
    statuses = [seller.response[0] for seller in sellers]
    assert sorted(statuses) == [200, 409], [seller.response for seller in sellers]
    winner = statuses.index(200)
    expected = f"{vehicle['name']} is in the signed agreement {offers[winner][0]}."
    message = sellers[1 - winner].response[2]["message"]
    assert message == expected, (message, expected)
    states = [sellers[0].call("GET", path)["state"] for _, path in offers]
    assert (states[winner], states[1 - winner]) == ("Signed", "Offered"), states
    status = sellers[0].call("GET", f"/api/vehicles/{vehicle['vehicle_id']}")["status"]
    assert status == "Reserved", status
    # In about half of the rounds the agreement is delivered; in the others it is cancelled, and the other person sells the
    # vehicle.
    if random.random() < 0.5:
        sellers[winner].call("POST", f"{offers[winner][1]}/state", {"state": "Delivered"})
        sellers[1 - winner].sign(offers[1 - winner][1])
        status, _, response = sellers[1 - winner].response
        assert (status, response["message"]) == (409, f"{vehicle['name']} is already sold."), response
    else:
        sellers[winner].call("POST", f"{offers[winner][1]}/state", {"state": "Cancelled"})
        sellers[1 - winner].call("POST", f"{offers[1 - winner][1]}/state", {"state": "Signed"})
    return winner


def run(server, rounds):
    first = Seller(server)
    customer = first.call("POST", "/api/customers", CUSTOMER)["customer_id"]
    sellers, wins = [], [0, 0]
    for round_ in range(rounds):
        if round_ % ROUNDS_PER_SESSION == 0:
            sellers = [Seller(server), Seller(server)]
        wins[sell(sellers, customer, f"X{round_}")] += 1
    figures = sellers[0].call("GET", f"/api/customers/{customer}")
    filters = '?limit=1&filter=%5B%7B%22field%22%3A%22state%22%2C%22op%22%3A%22is%22%2C%22value%22%3A%22Delivered%22%7D%5D'
    status, _, delivered = server.request("GET", f"/api/agreements{filters}", token=sellers[0].token)
    assert status == 200 and delivered["totalItems"] == figures["numberOfOrders"], (delivered, figures)
    return wins


def same_vehicle(rounds):
    """two people sell the same vehicle at once: one agreement is signed, the other says why not, on both databases"""
    seed, figures = random.getrandbits(32), []
    for is_postgres in (False, True):
        random.seed(seed)
        postgres = Postgres() if is_postgres else None
        server = Server(postgres and postgres.url)
        try:
            wins = run(server, rounds)
        finally:
            server.close()
            if postgres:
                postgres.close()
        figures.append(f"{'PostgreSQL' if is_postgres else 'SQLite'} {wins[0]}:{wins[1]}")
    return f"{rounds} sales each; {'; '.join(figures)}; seed {seed}"
