"""Slow clients, idle clients, many clients, and stopping the server while they are connected."""

import functools
import http.client
import socket
import threading
import time

from harness import Server, Threads, wait_until, percentile

HEAD = b"POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n"
# For each kind of slow client: the bytes sent first, and the bytes sent every second after that.
KINDS = {
    "no bytes": (b"", b""),
    "incomplete header": (b"GET /api/health HTTP/1.1\r\nhost", b""),
    "slow header": (b"GET /api/health HTTP/1.1\r\nx: ", b"a"),
    "incomplete body": (HEAD + b"{", b""),
    "slow body": (HEAD, b" "),
    "idle after a response": (b"GET /api/nothing HTTP/1.1\r\nhost: a\r\n\r\n", b""),
}


def seconds_until_closed(port, first, repeated, seconds=40):
    """Returns the seconds until the server closed the connection, or at least `seconds` if it did not."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        started = time.monotonic()
        client.sendall(first)
        client.settimeout(1)
        while time.monotonic() - started < seconds:
            try:
                if client.recv(65536) == b"":
                    break
            except TimeoutError:
                pass
            except ConnectionError:
                break
            try:
                client.sendall(repeated)
            except ConnectionError:
                break
        return time.monotonic() - started


def slow_clients(_):
    """Six kinds of slow clients are disconnected within 15 s"""
    server, took = Server(), {}
    try:
        def one(kind):
            took[kind] = seconds_until_closed(server.port, *KINDS[kind])

        Threads(*[functools.partial(one, kind) for kind in KINDS]).join()
        assert took.keys() == KINDS.keys(), took
        late = {kind: seconds for kind, seconds in took.items() if seconds > 15}
        assert not late, late
        # A server that has crashed would also have closed the connections, so this checks that it runs.
        assert server.is_ready(), f"the server has exited: {server.log_tail()}"
        return ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in took.items())
    finally:
        server.close()


def slow_upload(_):
    """An upload at 2 kB/s for 40 s is received to the end"""
    server = Server()
    try:
        body = b"x" * 80_000
        head = "POST /api/contacts/import/submit HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=e\r\n"
        head += f"authorization: Bearer {server.token}\r\ncontent-length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
            client.sendall(head.encode())
            for at in range(0, len(body), 2000):
                client.sendall(body[at : at + 2000])
                time.sleep(1)
            response = client.recv(200).split(b"\r\n")[0].decode()
        # The body is no valid form. The server responds with 400 only after it has received all of it.
        assert " 400 " in response, response
        return f"80,000 bytes in 40 s, response {response}"
    finally:
        server.close()


def measure_requests(server, count):
    """Sends `count` requests one after the other and returns percentiles of their durations as text."""
    took = []
    for _ in range(count):
        started = time.monotonic()
        status = server.request("GET", "/api/contacts?limit=10", token=server.token, timeout=10)[0]
        took.append((time.monotonic() - started) * 1000)
        assert status == 200, status
    return f"others p50 {percentile(took, 0.5):.0f} ms, p99 {percentile(took, 0.99):.0f} ms"


REQUEST = b"GET /api/nothing HTTP/1.1\r\nhost: a\r\n\r\n"


def connect_from_many(port, i):
    """Connects from one of twenty local addresses, because one address may have only 1,000 connections."""
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(f"127.0.0.{2 + i % 20}", 0))


def open_connections(server):
    lines = [line.split() for line in open(f"/proc/{server.process.pid}/net/tcp")]
    return sum(1 for line in lines if line[1].endswith(f":{server.port:04X}") and line[3] == "01")


def idle(connections):
    """Idle connections: their memory, and the response times of others"""
    server = Server()
    try:
        measure_requests(server, 50)
        before, clients = server.memory(), []

        def send_request(client):
            client[0].sendall(REQUEST)
            client[0].recv(65536)
            client[1] = time.monotonic()

        for i in range(connections):
            clients.append([connect_from_many(server.port, i), 0])
            send_request(clients[-1])
            # The server closes connections that are idle for ten seconds. Opening all of them may take longer on a busy
            # machine, so those that are idle for six seconds send another request.
            if i % 100 == 0:
                for client in clients:
                    if client[1] > time.monotonic() - 6:
                        break
                    send_request(client)
                clients.sort(key=lambda client: client[1])
        served = measure_requests(server, 100)
        open_, more = open_connections(server), server.memory() - before
        for client, _ in clients:
            client.close()
        assert open_ >= connections, f"only {open_} are open"
        assert more <= 150, f"{more:.0f} MB more"
        return f"{open_} open, {more:.0f} MB more than {before:.0f} MB, {served}"
    finally:
        server.close()


def slow_beside(sockets):
    """Many slow connections: others are served"""
    server = Server()
    try:
        clients = []
        for i in range(sockets):
            clients.append(connect_from_many(server.port, i))
            clients[-1].sendall([b"", b"GET / HT", HEAD + b"{"][i % 3])
        served = measure_requests(server, 200)
        for client in clients:
            client.close()
        return f"{sockets} slow sockets, {served}"
    finally:
        server.close()


def stop_under_load(rounds):
    """SIGTERM under load: no running request fails, and the server exits with 0"""
    server, done, slowest = Server(), 0, 0
    try:
        failed, lock = [], threading.Lock()
        for _ in range(rounds):
            stopped = threading.Event()

            def send_requests():
                nonlocal done
                connection, used = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30), 0
                while not stopped.is_set():
                    try:
                        connection.connect() if connection.sock is None else None
                    except OSError:
                        return
                    try:
                        status, headers, _ = Server.send(connection, "GET", "/api/contacts?limit=10", token=server.token)
                    except OSError as error:
                        # The server may close a reused connection while the request is being sent (RFC 9112, 9.3.1), so
                        # only a failure on a new connection counts.
                        if used == 0:
                            with lock:
                                failed.append(repr(error))
                        connection.close()
                        used = 0
                        continue
                    with lock:
                        done += 1
                        if status != 200:
                            failed.append(status)
                    used += 1
                    if used == 5 or connection.sock is None:
                        connection.close()
                        used = 0

            before = done
            threads = Threads(*[send_requests] * 8)
            wait_until("a request succeeds", 20, lambda: done > before or threads.errors)
            time.sleep(0.5)
            started = time.monotonic()
            server.process.terminate()
            assert server.process.wait(30) == 0, "the exit code is not 0"
            slowest = max(slowest, time.monotonic() - started)
            stopped.set()
            threads.join()
            server.start()
            server.wait_until_ready()
        assert done > 0
        assert not failed, f"{len(failed)} of {done} failed: {failed[:3]}"
        return f"{rounds} stops, {done} requests, 0 failed, stopped within {slowest:.2f} s"
    finally:
        server.close()
