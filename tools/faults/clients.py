"""Clients that are slow, idle or many, and a stop while they are there."""

import functools
import http.client
import socket
import threading
import time

from place import Server, Threads, eventually, percentile

HEAD = b"POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n"
# What is sent at once, and what again each second.
KINDS = {
    "no byte": (b"", b""),
    "half a header": (b"GET /api/health HTTP/1.1\r\nhost", b""),
    "a header by drops": (b"GET /api/health HTTP/1.1\r\nx: ", b"a"),
    "a body that stops": (HEAD + b"{", b""),
    "a body by drops": (HEAD, b" "),
    "idle after an answer": (b"GET /api/nothing HTTP/1.1\r\nhost: a\r\n\r\n", b""),
}


def until_closed(port, first, drop, seconds=40):
    with socket.create_connection(("127.0.0.1", port)) as client:
        begun = time.monotonic()
        client.sendall(first)
        client.settimeout(1)
        while time.monotonic() - begun < seconds:
            try:
                if client.recv(65536) == b"":
                    break
            except TimeoutError:
                pass
            except ConnectionError:
                break
            try:
                client.sendall(drop)
            except ConnectionError:
                break
        return time.monotonic() - begun


def slow_clients(_):
    """Six kinds of slow clients: each is cut off within 15 s"""
    server, took = Server(), {}
    try:
        def one(kind):
            took[kind] = until_closed(server.port, *KINDS[kind])

        Threads(*[functools.partial(one, kind) for kind in KINDS]).join()
        assert took.keys() == KINDS.keys(), took
        late = {kind: seconds for kind, seconds in took.items() if seconds > 15}
        assert not late, late
        # One that has crashed has cut off all of them too.
        assert server.is_ready(), f"the server is gone: {server.said()}"
        return ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in took.items())
    finally:
        server.close()


def slow_upload(_):
    """A file that comes at 2 kB/s for 40 s is still taken"""
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
            answer = client.recv(200).split(b"\r\n")[0].decode()
        # What was sent is no form, which is told once all of it is there.
        assert " 400 " in answer, answer
        return f"80,000 bytes in 40 s, answered {answer}"
    finally:
        server.close()


def others(server, calls):
    took = []
    for _ in range(calls):
        begun = time.monotonic()
        status = server.call("GET", "/api/contacts?limit=10", token=server.token, timeout=10)[0]
        took.append((time.monotonic() - begun) * 1000)
        assert status == 200, status
    return f"others p50 {percentile(took, 0.5):.0f} ms, p99 {percentile(took, 0.99):.0f} ms"


ASKED = b"GET /api/nothing HTTP/1.1\r\nhost: a\r\n\r\n"


def connect_from_many(port, i):
    """Connects from one of twenty addresses of this machine, since one may have a thousand connections."""
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(f"127.0.0.{2 + i % 20}", 0))


def open_at(server):
    lines = [line.split() for line in open(f"/proc/{server.process.pid}/net/tcp")]
    return sum(1 for line in lines if line[1].endswith(f":{server.port:04X}") and line[3] == "01")


def idle(connections):
    """Idle connections: the memory over that without them, and how others are served meanwhile"""
    server = Server()
    try:
        others(server, 50)
        before, clients = server.memory(), []

        def ask(client):
            client[0].sendall(ASKED)
            client[0].recv(65536)
            client[1] = time.monotonic()

        for i in range(connections):
            clients.append([connect_from_many(server.port, i), 0])
            ask(clients[-1])
            # One that asks nothing for ten seconds is closed; on a busy machine the first would be before the last is there.
            if i % 100 == 0:
                for client in clients:
                    if client[1] > time.monotonic() - 6:
                        break
                    ask(client)
                clients.sort(key=lambda client: client[1])
        served = others(server, 100)
        open_, more = open_at(server), server.memory() - before
        for client, _ in clients:
            client.close()
        assert open_ >= connections, f"only {open_} are open"
        assert more <= 150, f"{more:.0f} MB more"
        return f"{open_} open, {more:.0f} MB over {before:.0f} MB, {served}"
    finally:
        server.close()


def slow_beside(sockets):
    """Slow sockets beside normal traffic: others are served"""
    server = Server()
    try:
        clients = []
        for i in range(sockets):
            clients.append(connect_from_many(server.port, i))
            clients[-1].sendall([b"", b"GET / HT", HEAD + b"{"][i % 3])
        served = others(server, 200)
        for client in clients:
            client.close()
        return f"{sockets} slow sockets, {served}"
    finally:
        server.close()


def stop_under_load(rounds):
    """SIGTERM under load: no request that was under way fails, and the server ends well"""
    server, done, slowest = Server(), 0, 0
    try:
        failed, lock = [], threading.Lock()
        for _ in range(rounds):
            stopped = threading.Event()

            def caller():
                nonlocal done
                connection, used = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30), 0
                while not stopped.is_set():
                    try:
                        connection.connect() if connection.sock is None else None
                    except OSError:
                        return
                    try:
                        status, headers, _ = Server.ask(connection, "GET", "/api/contacts?limit=10", token=server.token)
                    except OSError as error:
                        # A kept connection may be closed just as it is used again (RFC 9112, 9.3.1): that is tried anew.
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
            threads = Threads(*[caller] * 8)
            eventually("a request is answered", 20, lambda: done > before or threads.faults)
            time.sleep(0.5)
            begun = time.monotonic()
            server.process.terminate()
            assert server.process.wait(30) == 0, "a stop is no failure"
            slowest = max(slowest, time.monotonic() - begun)
            stopped.set()
            threads.join()
            server.start()
            server.ready()
        assert done > 0
        assert not failed, f"{len(failed)} of {done} failed: {failed[:3]}"
        return f"{rounds} stops, {done} requests, 0 failed, ended within {slowest:.2f} s"
    finally:
        server.close()
