# SPDX-License-Identifier: Apache-2.0
"""Begins `lerp serve`, asks it a few questions, ends it, and says what is wrong with how it took a fault.

What was asked is answered, or refused with an error that says why; a connection may be lost. The server ends by itself
with one sentence, or when it is told to. A decision that it has acknowledged is there once.
"""

import contextlib
import http.client
import json
import pathlib
import signal
import sqlite3
import subprocess
import time

KEY = "0123456789abcdef"


Reply = tuple[str, int, dict]


def questions(head: str, relation: str, tail: str) -> list[tuple[str, dict | None]]:
    fact = {"head": head, "relation": relation, "tail": tail}
    return [("health", None), ("predict", {"head": head, "relation": relation, "top": 3}), ("explain", fact),
            ("decisions", {**fact, "verdict": "accept", "key": KEY}), ("decisions", None)]


def ask(port: int, path: str, body: dict | None, patience: float) -> tuple[int, dict]:
    """Status 0 where the connection was lost."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        text = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", "/api/v1/" + path, text, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    except TimeoutError:
        raise
    except (OSError, http.client.HTTPException):
        return 0, {}
    finally:
        connection.close()


def await_port(process: subprocess.Popen, told: pathlib.Path, patience: float) -> int:
    """0 where the server ended before it listened."""
    until = time.monotonic() + patience
    while process.poll() is None:
        with contextlib.suppress(OSError):
            return json.loads(told.read_text())["port"]
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.005)
    return 0


def decided(run: pathlib.Path) -> int | str:
    """How often the decision is there; what is wrong with the file where it is broken."""
    path = run / "decisions.sqlite"
    if not path.exists() or path.stat().st_size == 0:
        return 0
    base = sqlite3.connect(path)
    try:
        whole = base.execute("PRAGMA integrity_check").fetchone()[0]
        if whole != "ok":
            return whole
        if not base.execute("SELECT 1 FROM sqlite_master WHERE name = 'decision'").fetchone():
            return 0
        return base.execute("SELECT count(*) FROM decision WHERE key = ?", (KEY,)).fetchone()[0]
    except sqlite3.Error as error:
        return str(error)
    finally:
        base.close()


def wrong_answers(replies: list[Reply], expected: list[Reply]) -> str:
    for number, (path, status, answer) in enumerate(replies):
        if status >= 400 and not answer.get("error", {}).get("what"):
            return f"{path} is refused with {status} and no sentence"
        if expected and status == 200 and answer.get("answers") != expected[number][2].get("answers"):
            return f"{path} is answered otherwise"
    return ""


def serve(lerp: str, run: pathlib.Path, fact: list[str], environment: dict[str, str], patience: float,
          expected: list[Reply]) -> tuple[str, str, list[Reply]]:
    """What is wrong, what was said, and the answers; of these, none that are expected stand for any."""
    told = run.parent / "told.json"
    process = subprocess.Popen([lerp, "serve", str(run), "--port", "0", "--json", str(told), "--quiet", "--threads", "2"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               errors="replace", env=environment)
    replies = []
    try:
        port = await_port(process, told, patience)
        for path, body in questions(*fact) if port else []:
            replies.append((path, *ask(port, path, body, patience)))
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=patience)[1]
    except (TimeoutError, subprocess.TimeoutExpired):
        process.kill()
        return "hangs", process.communicate()[1], replies
    # Without the thread that waits for signals, they end the program as they do any other.
    threadless = environment.get("FAULT_KIND") in ("thread", "memory", "mmap")
    endings = {1, 128 + signal.SIGTERM} | ({-signal.SIGTERM} if threadless else set())
    if process.returncode not in endings:
        return f"exits with {process.returncode}", said, replies
    if process.returncode == 1 and (len(said.splitlines()) != 1 or not said.startswith("lerp: ") or "as a bug" in said):
        return "says no sentence", said, replies
    wrong = wrong_answers(replies, expected)
    taken = decided(run)
    acknowledged = any(status == 201 for _, status, _ in replies)
    if taken not in (0, 1) or acknowledged and taken != 1:
        wrong = wrong or f"the decision is there {taken} times"
    return wrong, said, replies
