// SPDX-License-Identifier: Apache-2.0
// Walks through the page in a real browser, by keyboard, against a real server.
//
//     node walk.mjs LERP OUT
//
// LERP is the program, OUT where the screenshots go. Exits with 77, which ctest reads as skipped, where there is no
// browser, no module to drive it, or no page in the program.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, hostile, inspect, launch, makeRuns, openPage, problems, serve, settle, skip } from "./browser.mjs";

const [program, out] = process.argv.slice(2);
const lerp = path.resolve(program);
const hash = (view, words = {}) => `/#/${view}?${new URLSearchParams(words)}`;

/** Goes to a field by its label and chooses what completes the text. */
async function choose(page, title, text, root = page.locator("main")) {
  const field = root.getByRole("combobox", { name: title, exact: true }).first();
  await field.focus();
  await field.fill(text);
  const offered = root.getByRole("listbox", { name: title, exact: true }).first().getByRole("option", { selected: true, name: text });
  await offered.waitFor();
  // What was typed is searched for when it has settled, and only an answer to all of it is taken.
  for (let i = 0; i < 50 && (await field.getAttribute("aria-expanded")) === "true"; ++i) {
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
  }
}

/** Presses Tab until what has the focus fits. */
async function tabTo(page, selector, most = 60) {
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return true;
  }
  problems.push(`Tab does not lead to ${selector}`);
  return false;
}

async function ask(page, base) {
  await page.goto(`${base}/`);
  await settle(page);
  await choose(page, "Entity", "wright");
  await choose(page, "Relation", "aunt");
  await page.locator(".list .open").first().waitFor();
  await settle(page);
  // An answer that rules speak for, so that there is something to think away.
  await tabTo(page, ".list .open");
  await page.keyboard.press("Enter");
  await page.locator(".why .reasons, .why .missing").first().waitFor();
  await settle(page);
  const toggles = page.locator(".why .reasons .fact-toggle");
  expect((await toggles.count()) > 0, "ask: no reason has a fact");
  await toggles.first().focus();
  await page.keyboard.press("Space");
  await page.locator(".standing .was").first().waitFor();
  await settle(page);
  expect(new URL(page.url()).hash.includes("hide="), "ask: what is thought away is not in the address");
  expect((await toggles.first().getAttribute("aria-pressed")) === "true", "ask: the fact does not say that it is gone");
  // A fact thought into the graph, by its names.
  await page.locator(".add-fact summary").press("Enter");
  const form = page.locator(".add-fact form");
  await choose(page, "Relation", "sister", form);
  await form.getByRole("button", { name: "Add" }).press("Enter");
  await page.locator(".changes .tag", { hasText: /^with$/ }).waitFor();
  await settle(page);
  expect((await page.locator(".changes li").count()) === 2, "ask: what is supposed is not listed");
  await page.reload();
  await page.locator(".standing .was").first().waitFor();
  await settle(page);
  expect((await page.locator(".changes li").count()) === 2, "ask: the address has lost what is supposed");
  // Why not the answer that stands next to it.
  const rival = page.getByRole("region", { name: "Why not another one" });
  await rival.getByRole("button").first().press("Enter");
  await rival.locator("tbody tr").nth(3).waitFor();
  await settle(page);
  await rival.screenshot({ path: path.join(out, "ask-rival.png") });
  expect(new URL(page.url()).hash.includes("vs="), "ask: what it is compared with is not in the address");
  const address = page.url();
  await page.locator(".why").focus();
  await page.keyboard.press("Escape");
  await page.locator(".why").waitFor({ state: "detached" });
  return address;
}

async function rules(page, base, folder) {
  await page.goto(base + hash("rules", { run: "family" }));
  await page.locator(".rule-list .open").first().waitFor();
  await settle(page);
  const all = await page.locator(".rule-list tbody tr").count();
  expect(all > 10, `rules: there are only ${all}`);
  await page.getByRole("searchbox", { name: "Search" }).fill("wife");
  await page.waitForFunction(() => location.hash.includes("q=wife"));
  await settle(page);
  const texts = await page.locator(".rule-list .rule").allTextContents();
  expect(texts.length > 0 && texts.every((text) => text.includes("wife")), "rules: the search finds others");
  await tabTo(page, ".list .open");
  await page.keyboard.press("Enter");
  await page.locator(".why .facts").waitFor();
  await settle(page);
  const address = page.url();
  await page.keyboard.press("Tab");
  const editor = page.getByLabel("Text, as lerp reads it");
  const whole = await editor.inputValue();
  await editor.fill(`${whole.split("⇒")[0]}⇒ wife(x,`);
  await page.locator(".parser-error").waitFor();
  await page.screenshot({ path: path.join(out, "rules-error.png") });
  await inspect(page, "rules, a wrong rule");
  await editor.fill(whole);
  await page.locator(".parser-error").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Put into my list" }).press("Enter");
  // A name is completed as it is typed.
  await editor.fill(`${whole} `);
  await editor.fill(whole);
  await editor.press("Home");
  await editor.pressSequentially("hus");
  await page.getByRole("option", { name: /^husband/ }).waitFor();
  await inspect(page, "rules, a name is completed");
  await page.screenshot({ path: path.join(out, "rules-completed.png") });
  await page.keyboard.press("Enter");
  expect((await editor.inputValue()).startsWith("husband"), `rules: completes to ${await editor.inputValue()}`);
  await editor.fill(whole);
  await page.locator(".parser-error").waitFor({ state: "detached" });
  await settle(page);
  const overlap = page.getByRole("region", { name: "Overlap" });
  await overlap.locator("tbody tr").first().waitFor();
  await overlap.screenshot({ path: path.join(out, "rules-overlap.png") });
  const list = page.getByRole("region", { name: "My list" });
  await list.waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), list.getByRole("button", { name: "Save as a file" }).press("Enter")]);
  expect(file.suggestedFilename() === "family-rules.txt", `rules: the list is saved as ${file.suggestedFilename()}`);
  const saved = path.join(folder, "saved-rules.txt");
  await file.saveAs(saved);
  const applied = execFileSync(lerp, ["apply", saved, "people"], { cwd: folder, encoding: "utf8" });
  expect(applied.startsWith("1 rule"), `rules: lerp apply says of the saved list: ${applied.slice(0, 200)}`);
  // Switched off, with what that does to validation facts; the address keeps it.
  await page.getByRole("button", { name: "Switch off", exact: true }).press("Enter");
  const off = page.getByRole("region", { name: "Switched off" });
  await off.locator(".rank-changes").waitFor();
  await settle(page);
  expect(new URL(page.url()).hash.includes("off="), "rules: what is switched off is not in the address");
  expect((await page.locator(".rule-list .tag", { hasText: "switched off" }).count()) === 1, "rules: the list does not say what is switched off");
  const without = page.url();
  await off.getByRole("button", { name: /^Switch on/ }).press("Enter");
  await off.waitFor({ state: "detached" });
  return [address, without];
}

async function complete(browser, page, base) {
  await page.goto(base + hash("complete", { run: "family" }));
  await page.locator(".queue .card").waitFor();
  await settle(page);
  await page.getByLabel("Your name, for the log").fill("Ada");
  const other = await openPage(browser, base, "complete, another person");
  await other.goto(base + hash("complete", { run: "family" }));
  await other.locator(".queue .card").waitFor();
  const first = await page.locator(".claim").textContent();
  await page.locator(".queue").focus();
  await page.keyboard.press("n");
  await page.keyboard.type("seen in the register");
  await page.keyboard.press("Enter");
  await page.keyboard.press("a");
  const totals = (of, text) => of.locator(".totals", { hasText: text }).waitFor();
  await totals(page, "1 accepted");
  await page.waitForFunction((claim) => document.querySelector(".claim")?.textContent !== claim, first);
  await totals(other, "1 accepted");
  expect((await other.locator(".history li").first().textContent()).includes("Ada"), "complete: another person does not see who decided");
  await page.keyboard.press("r");
  await totals(page, "1 rejected");
  await page.keyboard.press("u");
  await totals(page, "1 unsure");
  await page.keyboard.press("z");
  await totals(page, "0 unsure");
  const exported = await page.evaluate(async () => (await fetch(document.querySelector(".after a[download]").href)).text());
  expect(exported.trim().split("\n").length === 1 && exported.split("\t").length === 3, `complete: exports ${exported.slice(0, 200)}`);
  await page.keyboard.press("w");
  await page.locator(".card .reasons").waitFor();
  await settle(page);
  await page.screenshot({ path: path.join(out, "complete-decided.png"), fullPage: true });
  await inspect(page, "complete, decided");
  await other.context().close();
}

async function graph(page, base) {
  await page.goto(base + hash("graph", { run: "family" }));
  await settle(page);
  await choose(page, "Entity", "wright");
  await page.locator(".neighbours .link").first().waitFor();
  await settle(page);
  const before = await page.locator(".picture [role=status]").textContent();
  await page.locator(".neighbours .link").first().press("Enter");
  await page.getByRole("button", { name: "Open", exact: true }).press("Enter");
  await page.waitForFunction((text) => document.querySelector(".picture [role=status]").textContent !== text, before);
  await settle(page);
  return page.url();
}

async function functions(page, base) {
  await page.goto(base + hash("functions", { run: "family" }));
  await page.locator(".functions .list .open").first().waitFor();
  await page.locator(".space canvas").waitFor();
  await page.locator(".clusters li").nth(1).waitFor();
  await settle(page);
  await page.screenshot({ path: path.join(out, "functions-clusters.png"), fullPage: true });
  await inspect(page, "functions, clusters");
  const cluster = page.locator(".clusters .open").first();
  const told = await cluster.locator("xpath=../p").textContent();
  await cluster.press("Enter");
  await page.locator(".chips li").first().waitFor();
  await settle(page);
  const held = await page.locator(".measure.line .note").textContent();
  expect(told.startsWith(held), `functions: a cluster of ${told} is one of ${held}`);
  await tabTo(page, ".list .open");
  await page.keyboard.press("Enter");
  await page.locator(".chips li").first().waitFor();
  await settle(page);
  return page.url();
}

async function train(page, base) {
  await page.goto(base + hash("train", { run: "family" }));
  await page.locator(".start").waitFor();
  await settle(page);
  await page.getByLabel("Epochs").fill("2");
  await page.getByRole("button", { name: "Learn", exact: true }).press("Enter");
  await page.locator(".job").waitFor();
  await page.locator(".job h3 .tag", { hasText: "done" }).waitFor();
  await page.getByRole("link", { name: "What has changed" }).waitFor();
  await settle(page);
  expect((await page.locator(".job .u-legend").count()) === 1, "train: no curve");
  await inspect(page, "train, done");
  await page.screenshot({ path: path.join(out, "train-done.png"), fullPage: true });
  await page.getByRole("link", { name: "What has changed" }).press("Enter");
  await page.locator(".compare .better, .compare .worse").first().waitFor();
  await page.locator(".compare .rule-side").first().waitFor();
  await page.locator(".compare .rank-changes").waitFor();
  await settle(page);
  expect((await page.locator(".compare .moved li").count()) > 0, "compare: no question has moved");
  const moved = page.locator(".compare .moved a").first();
  const followed = await moved.getAttribute("href");
  expect(followed.includes("#/ask?") || followed.startsWith("#/ask"), `compare: a question leads to ${followed}`);
  await settle(page);
  return page.url();
}

const views = ["ask", "rules", "complete", "graph", "functions", "train", "compare"];
const dresses = [390, 1280].flatMap((width) => [false, true].map((dark) => [width, dark]));

/** Every view in every dress, and what else there is on a phone by day and on a desk by night. */
async function look(browser, base, addresses) {
  for (const [name, address] of Object.entries(addresses)) {
    const all = dresses.filter(([width, dark]) => views.includes(name) || (width === 390) !== dark);
    for (const [width, dark] of all) {
      const where = `${name}, ${width} ${dark ? "dark" : "light"}`;
      const page = await openPage(browser, base, where, { width, dark });
      await page.goto(address);
      await settle(page);
      await page.waitForTimeout(250); // canvases are painted in the next frames
      await inspect(page, where);
      await page.screenshot({ path: path.join(out, `${name}-${width}-${dark ? "dark" : "light"}.png`), fullPage: true });
      await page.context().close();
    }
  }
}

/** An entity with very many neighbours, all of them. */
async function allOfHub(browser, base, address) {
  const hub = await openPage(browser, base, "hub, all of it", { width: 1280 });
  await hub.goto(address);
  await settle(hub);
  for (let i = 0; i < 4; ++i) {
    const more = hub.getByRole("button", { name: "Show more" });
    if (!(await more.count())) break;
    await more.press("Enter");
    await settle(hub);
  }
  const said = await hub.locator(".picture [role=status]").textContent();
  expect(/^1,[0-9]{3} entities/.test(said), `hub: shows ${said}`);
  await hub.waitForTimeout(500);
  await hub.screenshot({ path: path.join(out, "hub-all.png") });
  await hub.context().close();
}

/** All of it; whether there is a page at all. */
async function walk(browser, base, folder) {
  const answer = await fetch(base);
  expect(/default-src/.test(answer.headers.get("content-security-policy") ?? ""), "the server sends no policy");
  if (!(await answer.text()).includes('id="app"')) return false;
  const page = await openPage(browser, base, "walk");
  await page.goto(base);
  await settle(page);
  for (const view of ["Rules", "Complete", "Graph", "Functions", "Train", "Ask"]) {
    const link = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view, exact: true });
    await link.press("Enter");
    await page.locator("nav a[aria-current=page]", { hasText: view }).waitFor();
    await settle(page);
  }
  // A step that fails is told with a picture of where it stood, and the others go on.
  const step = async (name, walks) => {
    try {
      return await walks();
    } catch (error) {
      problems.push(`${name}: ${String(error).split("\n")[0]}`);
      await page.screenshot({ path: path.join(out, `failed-${name}.png`), fullPage: true });
      return page.url();
    }
  };
  const addresses = {
    ask: await step("ask", () => ask(page, base)),
    ...Object.fromEntries([await step("rules", () => rules(page, base, folder))].flat().map((address, i) => [["rules", "rules-off"][i], address])),
    complete: base + hash("complete", { run: "family" }),
    doubt: base + hash("complete", { run: "family", queue: "doubt" }),
    graph: await step("graph", () => graph(page, base)),
    functions: await step("functions", () => functions(page, base)),
  };
  await step("complete", () => complete(browser, page, base));
  addresses.compare = await step("train", () => train(page, base));
  const names = { run: "names" };
  Object.assign(addresses, {
    train: base + hash("train", { run: "family" }),
    "names-ask": base + hash("ask", { ...names, e: hostile.long, r: hostile.relation, a: `0 ${hostile.script.slice(0, 40)}` }),
    "names-graph": base + hash("graph", { ...names, e: hostile.arabic }),
    "names-rules": base + hash("rules", names),
    "names-complete": base + hash("complete", names),
    hub: base + hash("graph", { ...names, e: "hub" }),
    "no-run": base + hash("ask", { run: "there is none" }),
    "no-entity": base + hash("ask", { run: "family", e: "nobody", r: "aunt" }),
    empty: base + hash("graph", { run: "family" }),
  });
  await page.context().close();
  // What is not there is told by the server too, which the browser notes: that is no problem.
  const { "no-entity": missing, ...others } = addresses;
  await look(browser, base, others);
  const before = problems.length;
  await look(browser, base, { "no-entity": missing });
  problems.splice(before, problems.length, ...problems.slice(before).filter((text) => !/Failed to load resource/.test(text)));

  await allOfHub(browser, base, addresses.hub);
  return true;
}

const browser = await launch();
const folder = mkdtempSync(path.join(tmpdir(), "lerp-page-"));
let server;
let there = true;
try {
  mkdirSync(out, { recursive: true });
  const runs = makeRuns(lerp, folder);
  server = await serve(lerp, folder, runs);
  there = await walk(browser, server.base, folder);
} finally {
  await browser.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (!there) skip("the page was not built into the program");
for (const problem of problems) console.log(problem);
console.log(problems.length ? `${problems.length} problems` : `the page works; screenshots in ${out}`);
process.exit(problems.length ? 1 : 0);
