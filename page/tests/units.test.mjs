// SPDX-License-Identifier: Apache-2.0
// The pure parts: numbers and names as people read them, addresses, where nodes stand. Run by `npm test`.
import assert from "node:assert/strict";
import { test } from "node:test";

const vite = await import("vite").catch(() => {
  console.log("skipped: the modules of the page are absent (./dev page installs them)");
  process.exit(77);
});
const load = async (path) => (await vite.runnerImport(new URL(`../src/${path}`, import.meta.url).pathname, { configFile: false, logLevel: "error" })).module;
const words = await load("words.ts");
const route = await load("route.ts");
const layout = await load("parts/layout.ts");
const queue = await load("views/complete/queue.ts");
const epochs = await load("views/train/epochs.ts");
const figures = await load("views/train/figures.ts");
const scatter = await load("views/functions/scatter.ts");
const graph = await load("views/graph/grow.ts");
const proof = await load("views/ask/proof.ts");
const rivals = await load("views/ask/rivals.ts");
const complete = await load("parts/complete_word.ts");
const { ruleFile } = await load("views/rules/rule_file.ts");

test("what a reason gives is log-odds or a part of the score", () => {
  assert.equal(words.given("evidence", 5.536), "+5.54");
  assert.equal(words.given("evidence", -0.25), "−0.25");
  assert.equal(words.given("sum", 0.25), "25.0 %");
});

test("a percentage never says nothing or all of what is not", () => {
  assert.equal(words.percent(0), "0.0 %");
  assert.equal(words.percent(0.0004), "< 0.1 %");
  assert.equal(words.percent(0.1394), "13.9 %");
  assert.equal(words.percent(0.9996), "> 99.9 %");
  assert.equal(words.percent(1), "100.0 %");
  assert.equal(words.percent(-0.124), "−12.4 %");
  assert.equal(words.percent(null), "–");
});

test("numbers carry a true minus, and none before zero", () => {
  assert.equal(words.decimal(-1.25, 2), "−1.25");
  assert.equal(words.decimal(-0.0001, 2), "0.00");
  assert.equal(words.signed(-0.5, 2), "−0.50");
  assert.equal(words.signed(0.00001), "±0");
  assert.equal(words.rank(1234), "1,234");
  assert.equal(words.rank(114.5), "114.5");
  assert.equal(words.many(1, "fact"), "1 fact");
  assert.equal(words.many(2, "entity", "entities"), "2 entities");
});

test("a long name is cut between characters", () => {
  assert.equal(words.shorten("short", 10), "short");
  assert.equal([...words.shorten("x".repeat(500), 60)].length, 60);
  const faces = "🦊".repeat(50);
  assert.equal(words.shorten(faces, 50), faces);
  assert.equal(words.shorten(faces, 3), "🦊🦊…");
});

test("a mark that turns the direction is seen, and turns nothing", () => {
  assert.equal(words.visible("back\u202e to"), "back\ufffd to");
  assert.equal(words.visible("عائلة"), "عائلة");
});

test("a fact survives an address whatever it is called", () => {
  const fact = { head: `a,"]&#?=%`, relation: "<script>", tail: "שלום" };
  const address = route.formatRoute("ask", { run: "r", hide: [words.packFact(fact), words.packFact({ ...fact, head: "b" })] });
  const back = route.parseRoute(address).words.getAll("hide").map(words.unpackFact);
  assert.deepEqual(back, [fact, { ...fact, head: "b" }]);
  assert.equal(words.unpackFact("[1,2,3]"), undefined);
  assert.equal(words.unpackFact("no json"), undefined);
  assert.equal(words.unpackFact('["a","b"]'), undefined);
});

test("an address that nobody wrote leads to the first view", () => {
  assert.equal(route.parseRoute("").view, "ask");
  assert.equal(route.parseRoute("#/elsewhere?x=1").view, "ask");
  assert.equal(route.parseRoute("#/rules?q=a?b").words.get("q"), "a?b");
  const now = route.parseRoute("#/ask?run=r&e=a&hide=1&hide=2").words;
  assert.equal(route.formatRoute("ask", route.changed(now, { e: "b", hide: null })), "#/ask?run=r&e=b");
});

test("the time that has passed", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  assert.equal(words.since("2026-01-01T23:59:55Z", now), "just now");
  assert.equal(words.since("2026-01-01T23:58:00Z", now), "2 min ago");
  assert.equal(words.since("2025-12-01T00:00:00Z", now), "2025-12-01");
});

test("the queue goes on to the next open fact, around the end", () => {
  assert.equal(queue.nextOpen([false, true, true], 0), 1);
  assert.equal(queue.nextOpen([true, false, false], 1), 0);
  assert.equal(queue.nextOpen([false, true, false], 1), 1);
  assert.equal(queue.nextOpen([false, false], 1), 1);
  assert.equal(queue.clampTo(7, 3), 2);
  assert.equal(queue.clampTo(-1, 3), 0);
});

test("no two nodes stand in one place, of thousands either", () => {
  const names = Array.from({ length: 3000 }, (_, index) => `n${index}`);
  const places = [...layout.layoutRings({ x: 5, y: 5 }, names).values()];
  assert.equal(places.length, 3000);
  assert.equal(new Set(places.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size, 3000);
  const far = Math.max(...places.map(({ x, y }) => Math.hypot(x - 5, y - 5)));
  assert.ok(far <= layout.ringRadius(3000));
});

test("a proof runs from left to right below the question", () => {
  const places = layout.layoutProofs([["h", "t"], ["h", "a", "t"], ["h", "b", "c", "t"]]);
  assert.equal(places.get("h").x, 0);
  assert.ok(places.get("t").x > places.get("c").x && places.get("c").x > places.get("b").x);
  for (const name of ["a", "b", "c"]) assert.ok(places.get(name).y > places.get("h").y);
});

const entity = (name) => ({ name, label: "" });
const fact = (head, relation, tail) => ({ head: entity(head), relation, tail: entity(tail), text: "" });

test("a proof is drawn once, with what is hidden and added", () => {
  const asked = fact("h", "r", "t");
  const one = fact("h", "a", "m");
  const two = fact("m", "b", "t");
  const grounding = { entities: [entity("h"), entity("m"), entity("t")], facts: [one, two], checks: [] };
  const hidden = new Set([words.packFact({ head: "m", relation: "b", tail: "t" })]);
  const picture = proof.drawProofs(asked, [grounding, grounding], hidden, [fact("t", "new", "z")], (name) => name);
  assert.deepEqual(picture.nodes.map(({ id }) => id).sort(), ["h", "m", "t", "z"]);
  assert.deepEqual(picture.edges.map(({ kind }) => kind).sort(), ["added", "asked", "fact", "hidden"]);
  assert.equal(proof.distinct([one, one, two]).length, 2);
});

test("a graph grows without moving what stands, and keeps each fact once", () => {
  const neighbourhood = (name, others) => ({
    entity: entity(name),
    total: others.length,
    offset: 0,
    more: false,
    entities: others.map((other) => ({ name: other, label: other, degree: 1, distance: 1 })),
    facts: others.map((other) => ({ head: name, relation: "r", tail: other, known: "train" })),
  });
  const first = graph.grow(graph.nothing, neighbourhood("a", ["b", "c"]));
  const second = graph.grow(first, neighbourhood("b", ["d", "c"]));
  assert.deepEqual(second.places.get("c"), first.places.get("c"));
  assert.deepEqual(second.places.get("a"), first.places.get("a"));
  assert.equal(second.facts.size, 4);
  assert.equal(graph.grow(second, neighbourhood("b", ["d", "c"])).facts.size, 4);
  assert.equal(graph.factsOf(second, "b").length, 3);
  const { nodes } = graph.drawn(second, "b", (name) => name);
  assert.equal(nodes.find(({ id }) => id === "b").kind, "chosen");
});

test("lines of a trace, those that come twice once", () => {
  const lines = epochs.epochsOf([{ epoch: 1, loss: 2, valid_mrr: 0.5 }, { epoch: "no" }, null, { epoch: 2, loss: 1 }]);
  assert.deepEqual(epochs.series(lines), [[1, 2], [2, 1], [0.5, null]]);
  assert.equal(epochs.withEpoch(lines, { ...lines[0], loss: 3 }).length, 2);
  assert.equal(epochs.withEpoch(lines, { ...lines[0], epoch: 3 }).length, 3);
  assert.equal(epochs.duration(75), "1 min 15 s");
  assert.equal(epochs.bytes(3 * 2 ** 30), "3.0 GiB");
});

test("dots fill the picture, and the nearest is found", () => {
  const { x, y } = scatter.spread([[0, 5], [10, 5]], 100, 50, 10);
  assert.deepEqual([x(0), x(10), y(5)], [10, 90, 25]);
  assert.equal(scatter.nearest([[0, 0], [20, 0]], 17, 1), 1);
  assert.equal(scatter.nearest([[0, 0]], 50, 50), -1);
});

test("a list of rules, the strongest first", () => {
  const text = ruleFile([{ rule: "a(x,y) ⇒ b(x,y)", confidence: 0.5 }, { rule: "c(x,y) ⇒ d(x,y)", confidence: 0.75 }]);
  assert.equal(text, "0.7500  c(x,y) ⇒ d(x,y)\n0.5000  a(x,y) ⇒ b(x,y)\n");
});

test("two runs beside each other", () => {
  const metrics = (mrr) => ({ both: { realistic: { mrr, hits_at_1: 0.5 } }, queries: 1000, train_seconds: 75 });
  const rows = figures.figureRows(metrics(0.9), metrics(0.8));
  assert.deepEqual(rows[0], { title: "MRR", first: "0.900", second: "0.800", change: "−0.100", better: false });
  assert.equal(rows[1].better, undefined);
  assert.deepEqual(rows.map(({ title }) => title), ["MRR", "Hits@1", "Questions", "Time"]);
  assert.deepEqual(figures.figureRows(null, metrics(1)), []);
  const listed = { ...metrics(0.9), few_rules: metrics(0.7) };
  assert.deepEqual(figures.figureRows(listed, listed).map(({ title, first }) => `${title} ${first}`).slice(0, 4), ["MRR 0.900", "Hits@1 0.500", "MRR of the list 0.700", "Hits@1 of the list 0.500"]);
});

test("a rule completes relations before brackets and entities within", () => {
  const at = (text) => complete.wordAt(text, text.length);
  assert.deepEqual(at("mother(z1,x) ∧ so"), { kind: "relation", from: 15, to: 17, text: "so" });
  assert.deepEqual(at("¬∃z1 (si"), { kind: "relation", from: 6, to: 8, text: "si" });
  assert.deepEqual(at("born(x,par"), { kind: "entity", from: 7, to: 10, text: "par" });
  assert.deepEqual(at('born(x,"par (T'), { kind: "entity", from: 7, to: 14, text: "par (T" });
  assert.deepEqual(at('"odd (name)"(x,y) ⇒ ni')?.text, "ni");
  for (const text of ["", "mother(z1", "mother(x,y) ", "exists", "mother(z1,x)"]) assert.equal(at(text), undefined, text);
  assert.deepEqual(complete.wordAt("mot(x,y)", 2), { kind: "relation", from: 0, to: 3, text: "mo" });
});

test("what is chosen takes the place of the word", () => {
  const put = (text, caret, name) => complete.put(text, complete.wordAt(text, caret), name);
  assert.deepEqual(put("mot(x,y)", 2, "mother"), { text: "mother(x,y)", caret: 6 });
  assert.deepEqual(put("a(x,z) ∧ mo", 11, "mother"), { text: "a(x,z) ∧ mother(", caret: 16 });
  assert.deepEqual(put("born(x,par)", 10, "Paris, Texas"), { text: 'born(x,"Paris, Texas")', caret: 21 });
  assert.deepEqual(put('born(x,"par")', 11, "paris"), { text: "born(x,paris)", caret: 12 });
  assert.equal(complete.written("z1"), '"z1"');
  assert.equal(complete.written('say "a"\t'), '"say \\"a\\"\\x09"');
});

test("the number of a cluster stands at its dot nearest to the middle", () => {
  const places = scatter.middles([[0, 0], [10, 0], [4, 1], [50, 50]], [1, 1, 1, undefined]);
  assert.deepEqual([...places], [[1, [4, 1]]]);
});

test("two answers are told apart by what reasons give to each", () => {
  const reason = (rule, share) => ({ rule, share, english: rule });
  const found = rivals.differences([reason("a", 2), reason("b", 1), { share: 0.5 }], [reason("b", 1), reason("c", -3), { share: 0.25 }]);
  assert.deepEqual(found.map(({ rule, first, second }) => [rule, first, second]), [["c", 0, -3], ["a", 2, 0], [null, 0.5, 0.25]]);
});
