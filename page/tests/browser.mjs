// SPDX-License-Identifier: Apache-2.0
// What the walk through the page stands on: runs to serve, the server, the browser, and a list of problems.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export const patience = 60_000; // milliseconds: a busy machine takes its time
export const problems = [];
export const expect = (holds, what) => {
  if (!holds) problems.push(what);
};

/** 77 is what ctest reads as skipped. */
export function skip(reason) {
  console.log(`skipped: ${reason} (./dev test sees to it)`);
  process.exit(77);
}

const require = createRequire(import.meta.url);
export function load(name) {
  try {
    return require(name);
  } catch {
    return skip(`the module ${name} is absent`);
  }
}

export async function launch() {
  const { chromium } = load("playwright-core");
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) return skip("there is no chromium");
  const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", ...quiet] });
}

// Names that a page must stand, whoever gave them.
export const hostile = {
  script: `<script>window.hacked=1</script>`,
  image: `<img src=x onerror="window.hacked=2">&amp;"'`,
  relation: `<script>window.hacked=3</script>`,
  arabic: "عائلة القاضي",
  hebrew: "משפחת כהן",
  long: `long_${"name_without_a_place_to_break".repeat(18)}`.slice(0, 500),
};

function hostileFacts() {
  const people = [hostile.script, hostile.image, hostile.arabic, hostile.hebrew, hostile.long];
  for (let i = 0; i < 30; ++i) people.push(`${i} ${people[i % 5].slice(0, 40)}`);
  const facts = [];
  people.forEach((person, i) => {
    const next = people[(i + 1) % people.length];
    facts.push([person, hostile.relation, next], [next, "back\u202e to", person]);
  });
  for (let i = 0; i < 1500; ++i) facts.push([`leaf ${i}`, "belongs to", "hub"]);
  for (let i = 0; i < 60; ++i) facts.push(["hub", "has", `leaf ${i}`]);
  return facts.map((fact) => `${fact.join("\t")}\n`);
}

/** Two runs of the family and one of names that nobody should have. */
export function makeRuns(lerp, folder) {
  const run = (...words) => execFileSync(lerp, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  run("generate", "family", "people", "--people", "200", "--quiet");
  const train = (data, name, epochs, ...more) =>
    run("train", data, "--out", name, "--threads", "1", "--quiet", "--set", `train.epochs=${epochs}`, "--set", "functions.width=8", ...more);
  train("people", "family", 3);
  train("people", "family-2", 2, "--seed", "2");
  const facts = hostileFacts();
  mkdirSync(path.join(folder, "odd"));
  const part = (holds) => facts.filter((_, i) => holds(i % 10)).join("");
  writeFileSync(path.join(folder, "odd", "train.txt"), part((i) => i < 8));
  writeFileSync(path.join(folder, "odd", "valid.txt"), part((i) => i === 8));
  writeFileSync(path.join(folder, "odd", "test.txt"), part((i) => i === 9));
  train("odd", "names", 1);
  return ["family", "family-2", "names"];
}

/** Starts the server on a free port; resolves with where it listens. */
export async function serve(lerp, folder, runs) {
  const said = path.join(folder, "served.json");
  const server = spawn(lerp, ["serve", ...runs, "--port", "0", "--json", said, "--quiet"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(server, "exit");
  for (let waited = 0; waited < patience; waited += 100) {
    if (server.exitCode !== null) throw new Error(`lerp serve ended with ${server.exitCode}`);
    try {
      const { port } = JSON.parse(readFileSync(said, "utf8"));
      return { base: `http://127.0.0.1:${port}`, stop: () => (server.kill("SIGTERM"), ended) };
    } catch {
      await pause(100);
    }
  }
  server.kill("SIGKILL");
  throw new Error("lerp serve does not say where it listens");
}

/** A page that reports whatever goes wrong on it. */
export async function openPage(browser, base, where, { width = 1280, height = 900, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(`${where}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`${where}: ${error}`));
  page.on("dialog", (dialog) => (problems.push(`${where}: a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => expect(/^(blob|data):/.test(request.url()) || request.url().startsWith(`${base}/`), `${where}: asks for ${request.url()}`));
  return page;
}

/** Until nothing is waited for. */
export async function settle(page) {
  await page.waitForFunction(() => document.querySelector("main > *") && !document.querySelector(".busy, .stale, [aria-busy=true]"));
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  // What has just come is still faint for a moment.
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));
}

/** What breaks for those who have a small screen, or do not see it. */
export async function inspect(page, where) {
  const axe = load("axe-core");
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of violations) problems.push(`${where}: ${id}: ${nodes.map(({ target, html }) => `${target} ${html.slice(0, 120)}`).join(" | ").slice(0, 600)}`);
  const found = await page.evaluate(() => {
    const root = document.documentElement;
    const said = [];
    if (root.scrollWidth > root.clientWidth) said.push(`is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
    if (window.hacked) said.push(`ran a name as a script: ${window.hacked}`);
    for (const name of document.querySelectorAll("bdi.name")) if ([...name.textContent].length > 80) said.push(`has a name of ${name.textContent.length} characters`);
    for (const image of document.images) if (!image.naturalWidth) said.push(`has a picture that does not show: ${image.src}`);
    if (document.querySelectorAll("style, [style*='javascript'], script:not([src])").length) said.push("has styles or scripts in the page");
    return said;
  });
  for (const one of found) problems.push(`${where}: ${one}`);
}
