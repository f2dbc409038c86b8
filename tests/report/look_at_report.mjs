// SPDX-License-Identifier: Apache-2.0
// Looks at reports in a real browser, as people do: on a phone and on a desk, light, dark and printed.
//
//     node look_at_report.mjs LERP MODULES OUT
//
// LERP is the program, MODULES a folder with node_modules, OUT where the screenshots go. Exits with 77, which ctest
// reads as skipped, where there is no browser or no module to drive it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lerp, modules, out] = process.argv.slice(2);
const patience = 120_000; // milliseconds: a busy machine takes its time

function skip(reason) {
  console.log(`skipped: ${reason} (./dev test installs it)`);
  process.exit(77);
}

const require = createRequire(path.join(path.resolve(modules), "package.json"));
function load(name) {
  try {
    return require(name);
  } catch {
    return skip(`the module ${name} is absent`);
  }
}
const { chromium } = load("playwright-core");
const { HtmlValidate } = load("html-validate");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!browserPath) skip("there is no chromium");

const problems = [];
const expect = (holds, what) => {
  if (!holds) problems.push(what);
};

// What a page must not contain whoever named the entities.
const hostile = `<script>window.hacked=1</script>&"'`;
const long = "a_relation_whose_name_has_no_place_to_break_and_goes_on_for_longer_than_a_telephone_is_wide";

/** Runs to report on: chains and functions, sums and evidence, and names that try to break the page. */
function makeRuns(folder) {
  const run = (...words) => execFileSync(path.resolve(lerp), words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  run("generate", "family", "family", "--people", "200", "--quiet");
  const train = (data, name, ...more) =>
    run("train", data, "--out", name, "--threads", "1", "--quiet", "--set", "train.epochs=2", "--set", "functions.width=8", ...more);
  train("family", "paper", "--preset", "paper", "--set", "rules.count=2");
  train("family", "evidence", "--set", "evidence.paths=50");
  train("family", "chains", "--preset", "paper", "--set", "rules.count=2", "--set", "functions.depth=0");
  const facts = [];
  for (let i = 0; i < 60; ++i) {
    facts.push(`${hostile}${i}\t${hostile}\t${hostile}${(i + 1) % 60}`);
    facts.push(`${hostile}${(i + 1) % 60}\t${long}\t${hostile}${i}`);
  }
  mkdirSync(path.join(folder, "hostile"));
  const part = (from, to) => facts.filter((_, i) => i % 10 >= from && i % 10 < to).join("\n") + "\n";
  writeFileSync(path.join(folder, "hostile", "train.txt"), part(0, 8));
  writeFileSync(path.join(folder, "hostile", "valid.txt"), part(8, 9));
  writeFileSync(path.join(folder, "hostile", "test.txt"), part(9, 10));
  train("hostile", "names", "--set", "evidence.paths=20");
  const names = ["paper", "evidence", "chains", "names"];
  for (const name of names) run("report", name, "--quiet", "--threads", "1");
  return names;
}

/** Runs in the page: what is too wide, too faint, or missing for those who do not see. */
function inspect() {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
  if (window.hacked) found.push("a name was run as a script");

  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(at).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || ["TITLE", "STYLE", "title", "style"].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden") continue;
    ++texts;
    const ink = numbers(element instanceof SVGElement ? style.fill : style.color).slice(0, 3);
    const [a, b] = [luminance(ink), luminance(paper(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(2)} of '${walker.currentNode.textContent.trim().slice(0, 40)}'`);
  }
  if (texts < 50) found.push(`there are only ${texts} texts`);

  if (!root.lang) found.push("the page does not say its language");
  if (document.querySelectorAll("h1").length !== 1) found.push("there is not one h1");
  let level = 0;
  for (const heading of document.querySelectorAll("h1,h2,h3,h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) found.push(`the heading '${heading.textContent}' skips a level`);
    level = next;
  }
  for (const picture of document.querySelectorAll("svg")) {
    if (picture.getAttribute("role") !== "img" || !picture.getAttribute("aria-label")) found.push("a picture has no words");
    const box = picture.getBBox();
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    if (box.x < -3 || box.y < -3 || box.x + box.width > width + 3 || box.y + box.height > height + 3)
      found.push(`'${picture.querySelector("title").textContent}' is painted outside: ${[box.x, box.y, box.width, box.height].map(Math.round)} in ${width} x ${height}`);
  }
  for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) found.push(`${link.href} leads nowhere`);
  }
  if (document.querySelectorAll("link,script[src],img,iframe").length) found.push("the page needs other files");
  return found;
}

const folder = mkdtempSync(path.join(tmpdir(), "lerp-report-"));
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  mkdirSync(out, { recursive: true });
  const validator = new HtmlValidate({
    extends: ["html-validate:standard"],
    // Spelling, not sense.
    rules: { "long-title": "off", "no-inline-style": "off", "no-trailing-whitespace": "off", "doctype-style": "off" },
  });
  for (const name of makeRuns(folder)) {
    const file = path.join(folder, name, "report.html");
    for (const result of (await validator.validateFile(file)).results) {
      for (const message of result.messages) expect(false, `${name}, line ${message.line}: ${message.message} (${message.ruleId})`);
    }
    const shots = new Map();
    for (const [width, colorScheme, media] of [
      [360, "light", "screen"],
      [360, "dark", "screen"],
      [1280, "light", "screen"],
      [1280, "dark", "screen"],
      [760, "light", "print"],
    ]) {
      const where = `${name}, ${width} ${colorScheme} ${media}`;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      page.setDefaultTimeout(patience);
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(`${where}: ${message.text()}`));
      page.on("pageerror", (error) => problems.push(`${where}: ${error}`));
      page.on("request", (request) => expect(request.url().startsWith("file:"), `${where}: asks for ${request.url()}`));
      await page.emulateMedia({ media, colorScheme });
      await page.goto(pathToFileURL(file).href);
      for (const found of await page.evaluate(inspect)) problems.push(`${where}: ${found}`);
      const shot = await page.screenshot({ path: path.join(out, `${name}-${width}-${colorScheme}-${media}.png`), fullPage: true });
      shots.set(`${width} ${colorScheme} ${media}`, shot);
      await page.close();
    }
    for (const width of [360, 1280])
      expect(!shots.get(`${width} light screen`).equals(shots.get(`${width} dark screen`)), `${name}: dark looks like light`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length ? `${problems.length} problems` : `reports look right; screenshots in ${out}`);
process.exit(problems.length ? 1 : 0);
