#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Talks to a running `lerp serve`: answers, limits, tokens, hostile names, signals, decisions that survive kill -9, training.

usage: serve.py LERP"""

import concurrent.futures
import http.client
import json
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

LERP = str(pathlib.Path(sys.argv.pop(1)).resolve())
SCRATCH = tempfile.TemporaryDirectory(prefix="lerp-serve-")
ROOT = pathlib.Path(SCRATCH.name)
LONG = "l" * 500
HOSTILE = ["<script>alert(1)</script>", LONG, "\u202eright\u0627\u0644", "bell\x07\x1b[31m", "'; DROP TABLE decision; --", "%2e%2e/"]


def make_run() -> None:
    """A small graph whose rule is plain, with names that nobody should have, and a run of it."""
    data = ROOT / "data"
    data.mkdir()
    names = HOSTILE + [f"e{i}" for i in range(60)]
    facts = []
    for i, name in enumerate(names):
        other = names[(i * 7 + 3) % len(names)]
        facts += [(name, "<script>", other), (other, "back", name)]
    last = [fact for fact in facts[:40] if fact[1] == "back"]
    rest = [fact for fact in facts if fact not in last]
    for split, lines in (("train", rest), ("valid", last[:10]), ("test", last[10:])):
        (data / f"{split}.txt").write_text("".join("\t".join(fact) + "\n" for fact in lines))
    subprocess.run([LERP, "train", data, "--out", ROOT / "run", "--set", "train.epochs=1", "--quiet"], check=True)


class Served:
    """A server, and who asks it."""

    def __init__(self, *words: str):
        self.told = ROOT / f"told-{time.monotonic_ns()}.json"
        self.process = subprocess.Popen([LERP, "serve", ROOT / "run", "--port", "0", "--json", self.told, *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while not self.told.exists():
            assert self.process.poll() is None, self.process.stdout.read()
            time.sleep(0.02)
        self.link = json.loads(self.told.read_text())["link"]
        self.port = json.loads(self.told.read_text())["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, path, body=None, headers=None, method=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection.request(method or ("GET" if body is None else "POST"), path, body, headers)
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        return reply.status, text, reply.headers

    def json(self, path, body=None, **more):
        status, text, _ = self.ask("/api/v1" + path, body, **more)
        return status, json.loads(text)

    def raw(self, request: bytes, wait: float = 30) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as one:
            one.sendall(request)
            got = b""
            while piece := one.recv(65536):
                got += piece
            return got


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Served()
        cls.addClassCleanup(cls.server.__exit__)

    def test_hostile_names_are_only_names(self):
        for name in HOSTILE:
            status, found = self.server.json("/search?" + urllib.parse.urlencode({"q": name, "limit": 1}))
            self.assertEqual(status, 200)
            self.assertEqual(found["entities"][0]["name"], name)
            status, answer = self.server.json("/predict", {"head": name, "relation": "<script>", "top": 3})
            self.assertEqual(status, 200, answer)
            tail = answer["answers"][0]["name"]
            status, why = self.server.json("/explain", {"head": name, "relation": "<script>", "tail": tail})
            self.assertEqual(status, 200, why)
            status, around = self.server.json("/neighbourhood", {"entity": name})
            self.assertEqual(around["entity"]["name"], name)
            query = urllib.parse.urlencode({"head": name, "relation": "<script>", "tail": tail})
            status, picture, headers = self.server.ask("/api/v1/pictures/proof?" + query)
            self.assertEqual((status, headers["Content-Type"]), (200, "image/svg+xml"))
            self.assertNotIn(b"<script", picture)
            self.assertIn("sandbox", headers["Content-Security-Policy"])

    def test_an_answer_is_that_of_the_command_line(self):
        told = json.loads(subprocess.run([LERP, "predict", ROOT / "run", "e1", "back", "?", "--json", "-"],
                                         capture_output=True, check=True).stdout)
        _, served = self.server.json("/predict", {"head": "e1", "relation": "back", "tail": "?"})
        del told["seconds"], served["seconds"]
        self.assertEqual(told, served)

    def test_what_if_agrees_with_what_is_needed(self):
        fact = {"head": "e1", "relation": "back", "tail": self.server.json("/predict", {"head": "e1", "relation": "back"})[1]["answers"][0]["name"]}
        _, why = self.server.json("/explain", fact)
        for needed in why["needed"]:
            hide = {"head": needed["fact"]["head"]["name"], "relation": needed["fact"]["relation"], "tail": needed["fact"]["tail"]["name"]}
            _, again = self.server.json("/explain", {**fact, "hide": [hide]})
            self.assertAlmostEqual(again["what_if"]["after"]["score"], needed["without"]["score"], 4)
            self.assertEqual(again["what_if"]["before"]["score"], why["score"])

    def test_mistakes_are_told(self):
        for body, status, code in ((({"head": "nobody", "relation": "back"}), 404, "not_found"),
                                   ({"head": "e1", "relation": "nothing"}, 404, "not_found"),
                                   ({"head": "e1", "tail": "e2", "relation": "back"}, 400, "bad_request"),
                                   ({"head": "e1", "relation": "back", "run": "other"}, 404, "not_found"),
                                   ({"head": "e1", "relation": "back", "top": 0}, 400, "bad_request"),
                                   ({"head": "e1", "relation": "back", "colour": 1}, 400, "bad_request")):
            got, reply = self.server.json("/predict", body)
            self.assertEqual((got, reply["error"]["code"]), (status, code), reply)
        self.assertEqual(self.server.ask("/api/v1/predict", b"{}", {"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(self.server.ask("/api/v1/predict")[0], 405)
        self.assertEqual(self.server.ask("/api/v1/nothing")[0], 404)

    def test_a_rule_is_parsed_and_counted(self):
        _, good = self.server.json("/rules/check", {"rule": '"<script>"(y,x) => back(x,y)'})
        self.assertTrue(good["valid"], good)
        self.assertGreater(good["support"], 0)
        _, bad = self.server.json("/rules/check", {"rule": "back(x,y) => bakc(x,y)"})
        self.assertEqual((bad["valid"], bad["column"]), (False, 14))
        _, rules = self.server.json("/rules?limit=3&relation=back&sort=confidence&min_support=1")
        self.assertEqual({rule["relation"] for rule in rules["rules"]}, {"back"})
        figures = [rule["confidence"] for rule in rules["rules"]]
        self.assertEqual(figures, sorted(figures, reverse=True))

    def test_a_rule_that_is_switched_off(self):
        _, rules = self.server.json("/rules?relation=back&limit=1000")
        worst = None
        for rule in rules["rules"]:
            status, off = self.server.json("/rules/without", {"rules": [rule["rule"]], "top": 3})
            self.assertEqual(status, 200, (rule, off))
            self.assertGreater(off["rules"], 0)
            self.assertEqual(off["questions"], off["of_split"])  # all validation facts are of this relation
            self.assertAlmostEqual(off["gain_of_split"], off["after"]["mrr"] - off["before"]["mrr"])
            self.assertLessEqual(len(off["changes"]), 3)
            worst = off if worst is None or off["gain_of_split"] < worst["gain_of_split"] else worst
        # The plain rule of this graph carries the answers.
        self.assertLess(worst["after"]["mrr"], worst["before"]["mrr"])
        self.assertGreater(worst["worse"], 0)
        first = worst["changes"][0]
        self.assertGreater(first["after"], first["before"])
        end = {"head": first["head"]["name"]} if first["asked"] == "tail" else {"tail": first["tail"]["name"]}
        self.assertEqual(self.server.json("/predict", {**end, "relation": first["relation"]})[0], 200)
        for body, status in (({"rules": ["back(x,z) & back(z,w) & back(w,y) => back(x,y)"]}, 409), ({"rules": ["back(x,"]}, 404), ({"rules": []}, 400),
                             ({"rules": ["x"] * 101}, 400), ({"rules": [7]}, 400), ({}, 400)):
            self.assertEqual(self.server.json("/rules/without", body)[0], status, body)

    def test_rules_that_find_the_same(self):
        rule = '"<script>"(y,x) => back(x,y)'
        status, found = self.server.json("/rules/overlap", {"rule": rule, "top": 2})
        self.assertEqual(status, 200, found)
        _, checked = self.server.json("/rules/check", {"rule": rule})
        self.assertEqual(found["rule"], checked["rule"])
        self.assertLessEqual(len(found["others"]), 2)
        for other in found["others"]:
            self.assertNotEqual(other["rule"], found["rule"])
            self.assertAlmostEqual(other["share_of_own"], other["common"] / found["pairs"])
            self.assertAlmostEqual(other["share_of_other"], other["common"] / other["pairs"])
        self.assertEqual(self.server.json("/rules/overlap", {"rule": "nothing"})[0], 404)

    def test_clusters_divide_the_entities(self):
        status, found = self.server.json("/runs/run/clusters?clusters=4")
        self.assertEqual(status, 200, found)
        _, stats = self.server.json("/runs/run")
        self.assertEqual(sum(cluster["count"] for cluster in found["clusters"]), stats["stats"]["entities"])
        for cluster in found["clusters"]:
            _, check = self.server.json("/formulas/check", {"formula": cluster["formula"]})
            self.assertEqual((check["valid"], check["count"]), (True, cluster["count"]), cluster)
        _, space = self.server.json("/runs/run/space")
        self.assertEqual([point["entity"] for point in found["points"]], [point["entity"] for point in space["points"]])

    def test_no_answer_names_a_path(self):
        for path in ("/runs", "/runs/run", "/rules", "/functions", "/train", "/health"):
            self.assertNotIn(str(ROOT).encode(), self.server.ask("/api/v1" + path)[1], path)

    def test_lists_leave_out_what_is_decided(self):
        _, first = self.server.json("/complete", {"top": 3})
        fact = first["facts"][0]
        self.server.json("/decisions", {"key": "left-out", "head": fact["subject"], "relation": fact["relation"], "tail": fact["object"], "verdict": "reject"})
        _, rest = self.server.json("/complete", {"top": 2, "undecided": True})
        same = lambda a, b: all(a[key] == b[key] for key in ("subject", "relation", "object"))
        self.assertTrue(all(same(a, b) for a, b in zip(first["facts"][1:], rest["facts"])))

    def test_several_people_see_each_other(self):
        def decide(number):
            fact = {"head": f"e{number % 50}", "relation": "back", "tail": f"e{number % 49}", "verdict": "accept"}
            return self.server.json("/decisions", {**fact, "key": f"several-{number // 2}-{number % 50}-{number % 49}", "who": "ann" if number % 2 else "bob"})[0]
        with concurrent.futures.ThreadPoolExecutor(8) as people:
            self.assertLessEqual(set(people.map(decide, range(40))), {200, 201})
        _, all_of_them = self.server.json("/decisions")
        middle = all_of_them["decisions"][10]["id"]
        _, later = self.server.json(f"/decisions?since={middle}")
        self.assertEqual([one["id"] for one in later["decisions"]], [one["id"] for one in all_of_them["decisions"] if one["id"] > middle])
        self.assertEqual({one["who"] for one in all_of_them["decisions"]} & {"ann", "bob"}, {"ann", "bob"})

    def test_pages_elsewhere_get_nothing(self):
        self.assertEqual(self.server.ask("/api/v1/runs", headers={"Host": "evil.example"})[0], 403)
        self.assertEqual(self.server.ask("/api/v1/runs", headers={"Host": "127.0.0.1.evil.example"})[0], 403)
        self.assertEqual(self.server.ask("/api/v1/runs", headers={"Origin": "https://evil.example"})[0], 403)
        status, _, headers = self.server.ask("/api/v1/runs", headers={"Host": f"localhost:{self.server.port}", "Origin": f"http://localhost:{self.server.port}"})
        self.assertEqual((status, headers["Access-Control-Allow-Origin"]), (200, None))
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])

    def test_the_page_is_there(self):
        status, text, headers = self.server.ask("/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b"<!doctype html>", text.lower())
        self.assertEqual(self.server.ask("/../../etc/passwd")[0], 404 if b"/etc" else 200)
        self.assertEqual(self.server.ask("/assets/nothing.js")[0], 404)


class Comparisons(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([LERP, "train", ROOT / "data", "--out", ROOT / "other", "--seed", "2", "--set", "train.epochs=2", "--quiet"], check=True)
        cls.server = Served(str(ROOT / "other"))
        cls.addClassCleanup(cls.server.__exit__)

    def test_rules_gained_and_lost(self):
        status, apart = self.server.json("/runs/run/compare/rules?with=other&limit=1000")
        self.assertEqual(status, 200, apart)
        texts = {run: {rule["rule"] for rule in self.server.json(f"/rules?run={run}&limit=1000")[1]["rules"]} for run in ("run", "other")}
        self.assertEqual({rule["rule"] for rule in apart["gained"]["rules"]}, texts["other"] - texts["run"])
        self.assertEqual({rule["rule"] for rule in apart["lost"]["rules"]}, texts["run"] - texts["other"])
        self.assertEqual(apart["kept"], len(texts["run"] & texts["other"]))
        _, page = self.server.json("/runs/run/compare/rules?with=other&offset=1&limit=1")
        for side in ("gained", "lost"):
            self.assertEqual(page[side]["rules"], apart[side]["rules"][1:2])
            self.assertEqual(page[side]["total"], apart[side]["total"])

    def test_questions_that_changed_rank(self):
        _, there = self.server.json("/runs/run/compare/ranks?with=other&split=test&top=1000")
        _, back = self.server.json("/runs/other/compare/ranks?with=run&split=test&top=1000")
        self.assertEqual((there["better"], there["worse"]), (back["worse"], back["better"]))
        self.assertEqual((there["before"], there["after"]), (back["after"], back["before"]))
        self.assertEqual(len(there["changes"]), there["better"] + there["worse"])
        moves = [abs(1 / one["after"] - 1 / one["before"]) for one in there["changes"]]
        self.assertEqual(moves, sorted(moves, reverse=True))
        for run, side in (("run", "before"), ("other", "after")):
            _, whole = self.server.json(f"/runs/{run}")
            self.assertAlmostEqual(there[side]["mrr"], whole["metrics"]["few_rules"]["both"]["realistic"]["mrr"])  # the list answers

    def test_a_run_has_not_changed_against_itself(self):
        _, ranks = self.server.json("/runs/run/compare/ranks?with=run&facts=3")
        self.assertEqual((ranks["questions"], ranks["changes"], ranks["before"]), (6, [], ranks["after"]))
        _, apart = self.server.json("/runs/run/compare/rules?with=run")
        self.assertEqual((apart["gained"]["total"], apart["lost"]["total"]), (0, 0))

    def test_mistakes(self):
        for path, status in (("/runs/run/compare/rules", 400), ("/runs/run/compare/ranks?with=nobody", 404),
                             ("/runs/run/compare/ranks?with=other&split=train", 400), ("/runs/run/compare/rules?with=other&limit=0", 400)):
            self.assertEqual(self.server.json(path)[0], status, path)


class Limits(unittest.TestCase):
    def test_size_time_and_number(self):
        with Served("--body", "2048", "--request-seconds", "1", "--connections", "2") as server:
            self.assertEqual(server.ask("/api/v1/predict", b"{" + b" " * 4096 + b"}", {"Content-Type": "application/json"})[0], 413)
            head = b"GET /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            self.assertIn(b" 431 ", server.raw(head + b"X: " + b"x" * 20000 + b"\r\n\r\n"))
            self.assertIn(b" 408 ", server.raw(head))  # and no more comes
            self.assertIn(b" 414 ", server.raw(b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            self.assertIn(b" 400 ", server.raw(b"nonsense\r\n\r\n"))
            self.assertIn(b" 400 ", server.raw(head.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
            self.assertIn(b" 400 ", server.raw(head + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"))
            # Two connections hold all there is; a third is told so.
            held = []
            for _ in range(2):
                held.append(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30))
                held[-1].request("GET", "/api/v1/health")
                self.assertEqual(held[-1].getresponse().read()[:1], b"{")
            self.assertEqual(server.ask("/api/v1/health")[0], 503)
            for one in held:
                one.close()

    def test_a_question_that_nobody_waits_for_is_given_up(self):
        with Served("--threads", "1") as server:
            # They wait for the one core while whoever asked goes: no answer is worked out for nobody.
            for number in range(50):
                facts = [{"head": f"e{i % 60}", "relation": "back", "tail": f"e{(i * 3 + number) % 60}"} for i in range(1000)]
                body = json.dumps({"facts": facts}).encode()
                head = f"POST /api/v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                with socket.create_connection(("127.0.0.1", server.port)) as one:
                    one.sendall(head.encode() + body)
            self.assertEqual(server.json("/predict", {"head": "e1", "relation": "back"})[0], 200)
            self.assertGreater(server.json("/health")[1]["given_up"], 0)

    def test_a_token(self):
        refused = subprocess.run([LERP, "serve", ROOT / "run", "--host", "0.0.0.0", "--port", "0"], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--token", refused.stderr)
        with Served("--host", "0.0.0.0", "--token", "new") as server:
            token = urllib.parse.parse_qs(urllib.parse.urlparse(server.link).query)["token"][0]
            self.assertEqual(server.ask("/api/v1/runs")[0], 401)
            self.assertEqual(server.ask("/")[0], 401)
            self.assertEqual(server.ask("/api/v1/runs", headers={"Authorization": "Bearer " + token[:-1] + "!"})[0], 401)
            self.assertEqual(server.ask("/api/v1/runs", headers={"Authorization": "Bearer " + token})[0], 200)
            status, _, headers = server.ask("/?token=" + token)
            self.assertEqual((status, headers["Location"]), (303, "/"))
            self.assertIn("HttpOnly; SameSite=Strict", headers["Set-Cookie"])
            self.assertEqual(server.ask("/", headers={"Cookie": headers["Set-Cookie"].split(";")[0]})[0], 200)

    def test_another_origin_where_it_is_named(self):
        with Served("--allow-origin", "https://ours.example") as server:
            status, _, headers = server.ask("/api/v1/runs", headers={"Origin": "https://ours.example"})
            self.assertEqual((status, headers["Access-Control-Allow-Origin"]), (200, "https://ours.example"))
            status, _, headers = server.ask("/api/v1/predict", headers={"Origin": "https://ours.example"}, method="OPTIONS")
            self.assertEqual((status, headers["Access-Control-Allow-Methods"]), (204, "GET, POST"))
            self.assertEqual(server.ask("/api/v1/runs", headers={"Origin": "https://theirs.example"})[0], 403)


class Endings(unittest.TestCase):
    def test_a_signal_ends_it_with_its_status(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Served() as server:
                idle = http.client.HTTPConnection("127.0.0.1", server.port)
                idle.request("GET", "/api/v1/health")
                idle.getresponse().read()
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(60), 128 + number)
                self.assertIn("the server has ended: all decisions are on disk", server.process.stdout.read())
                idle.close()

    def test_what_was_begun_is_finished_or_refused(self):
        with Served() as server:
            server.json("/predict", {"head": "e1", "relation": "back"})
            statuses = []

            def ask(number):
                try:
                    statuses.append(server.json("/explain", {"head": f"e{number % 60}", "relation": "back", "tail": f"e{number // 60}"})[0])
                except OSError:
                    statuses.append(None)  # not taken at all
                except http.client.HTTPException:
                    statuses.append(None)
            threads = [threading.Thread(target=ask, args=(i,)) for i in range(100)]
            for number, thread in enumerate(threads):
                thread.start()
                if number == 50:
                    server.process.terminate()
            for thread in threads:
                thread.join()
            self.assertEqual(server.process.wait(60), 143)
            self.assertLessEqual(set(statuses), {200, 503, None})
            self.assertIn(200, statuses)

    def test_decisions_survive_being_killed(self):
        """A server is killed at random moments while several people decide; each sends again what was not acknowledged."""
        chance = random.Random(5)
        acknowledged = {}
        next_number = iter(range(10**9))
        lock = threading.Lock()

        def decide(server, over):
            while not over.is_set():
                with lock:
                    number = next(next_number)
                key, verdict = f"kill-{number}", ("accept", "reject", "unsure")[number % 3]
                body = {"key": key, "head": f"e{number % 59}", "relation": "back", "tail": f"e{number % 53}", "verdict": verdict}
                try:
                    status, reply = server.json("/decisions", body)
                except (OSError, http.client.HTTPException, ValueError):
                    with lock:
                        unanswered.append(body)
                    return
                assert status in (200, 201), reply
                with lock:
                    acknowledged[key] = (reply["id"], verdict)

        unanswered = []
        while len(acknowledged) < 2000:
            with Served() as server:
                with lock:
                    again, unanswered = unanswered, []
                for body in again:
                    status, reply = server.json("/decisions", body)
                    self.assertIn(status, (200, 201))
                    acknowledged[body["key"]] = (reply["id"], body["verdict"])
                over = threading.Event()
                people = [threading.Thread(target=decide, args=(server, over)) for _ in range(4)]
                for one in people:
                    one.start()
                time.sleep(chance.uniform(0.2, 1.5))
                server.process.kill()
                over.set()
                for one in people:
                    one.join()
        with Served() as server:
            for body in unanswered:
                status, reply = server.json("/decisions", body)
                acknowledged[body["key"]] = (reply["id"], body["verdict"])
            kept, since = {}, 0
            while True:
                _, page = server.json(f"/decisions?since={since}&limit=1000")
                if not page["decisions"]:
                    break
                for one in page["decisions"]:
                    if one["key"].startswith("kill-"):
                        self.assertNotIn(one["key"], kept)
                        kept[one["key"]] = (one["id"], one["verdict"])
                since = page["decisions"][-1]["id"]
            self.assertEqual(kept, acknowledged)


class Training(unittest.TestCase):
    def test_a_run_is_learned_again_with_the_decisions(self):
        with Served() as server:
            fact = {"head": "e7", "relation": "back", "tail": "e7"}
            server.json("/decisions", {**fact, "key": "again", "verdict": "accept"})
            status, job = server.json("/train", {"run": "run", "epochs": 1})
            self.assertEqual(status, 202, job)
            self.assertEqual(server.json("/train", {"run": "run"})[0], 409)
            status, stream, headers = server.ask(f"/api/v1/train/{job['id']}/events")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/event-stream"))
            names = [line.split(": ")[1] for line in stream.decode().splitlines() if line.startswith("event: ")]
            self.assertEqual(names[-1], "end")
            self.assertIn("epoch", names)
            _, job = server.json(f"/train/{job['id']}")
            self.assertEqual((job["state"], len(job["epochs"])), ("done", 1), job)
            self.assertGreaterEqual(job["accepted"], 1)
            _, known = server.json("/explain", {**fact, "run": job["run"]})
            self.assertEqual(known["known"], "train")
            self.assertEqual({run["name"] for run in server.json("/runs")[1]["runs"]}, {"run", job["run"]})

    def test_a_training_is_stopped_and_goes_on(self):
        with Served("--data-root", str(ROOT)) as server:
            self.assertIn("data", server.json("/datasets")[1]["datasets"])
            self.assertEqual(server.json("/train", {"data": "../data"})[0], 404)
            _, job = server.json("/train", {"data": "data", "epochs": 10_000})
            while not server.json(f"/train/{job['id']}")[1]["epochs"]:
                time.sleep(0.05)
            self.assertEqual(server.json(f"/train/{job['id']}/stop", {})[0], 202)
            while (state := server.json(f"/train/{job['id']}")[1]["state"]) == "stopping":
                time.sleep(0.05)
            self.assertEqual(state, "stopped")
            before = len(server.json(f"/train/{job['id']}")[1]["epochs"])
            self.assertEqual(server.json(f"/train/{job['id']}/resume", {})[0], 202)
            while len(server.json(f"/train/{job['id']}")[1]["epochs"]) <= before:
                time.sleep(0.05)
            # It ends with a checkpoint when the server does.
            server.process.terminate()
            self.assertEqual(server.process.wait(60), 143)


if __name__ == "__main__":
    make_run()
    unittest.main(verbosity=2)
