// SPDX-License-Identifier: Apache-2.0
// How long frames take while a large graph is moved: a hub of 10,000 neighbours in the view Graph, in Chromium without a
// graphics card. Measures, and tests nothing.
//
//     node frames.mjs LERP
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { launch, openPage, problems, serve, settle } from "./browser.mjs";

const lerp = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), "lerp-frames-"));

function makeRun() {
  const facts = [];
  for (let i = 0; i < 10_000; ++i) facts.push(["hub", "has", `leaf ${i}`]);
  for (let i = 0; i < 5000; ++i) facts.push([`leaf ${i}`, "beside", `leaf ${(i * 7 + 1) % 10_000}`]);
  const part = (holds) => facts.filter((_, i) => holds(i % 50)).map((fact) => `${fact.join("\t")}\n`).join("");
  mkdirSync(path.join(folder, "wide"));
  writeFileSync(path.join(folder, "wide", "train.txt"), part((i) => i > 1));
  writeFileSync(path.join(folder, "wide", "valid.txt"), part((i) => i === 1));
  writeFileSync(path.join(folder, "wide", "test.txt"), part((i) => i === 0));
  // What is learned does not matter here.
  const small = ["train.epochs=1", "functions.width=4", "functions.depth=1", "list.rules=0"].flatMap((one) => ["--set", one]);
  execFileSync(lerp, ["train", "wide", "--out", "run", "--preset", "paper", "--time", "10s", "--quiet", ...small], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Milliseconds from frame to frame while the picture is dragged for so many of them. */
async function drag(page, frames) {
  const box = await page.locator(".drawing .canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2 + 60];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => {
    globalThis.frameTimes = [];
    const note = (time) => {
      globalThis.frameTimes.push(time);
      globalThis.frameRequest = requestAnimationFrame(note);
    };
    globalThis.frameRequest = requestAnimationFrame(note);
  });
  for (let i = 1; i <= frames; ++i) await page.mouse.move(x + 120 * Math.sin(i / 9), y + 80 * Math.sin(i / 14));
  const times = await page.evaluate(() => (cancelAnimationFrame(globalThis.frameRequest), globalThis.frameTimes));
  await page.mouse.up();
  const steps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  const at = (share) => steps[Math.min(steps.length - 1, Math.floor(share * steps.length))].toFixed(1);
  return `${steps.length} frames: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`;
}

const browser = await launch();
let server;
try {
  makeRun();
  server = await serve(lerp, folder, ["run"]);
  const page = await openPage(browser, server.base, "frames");
  await page.goto(`${server.base}/#/graph?${new URLSearchParams({ run: "run", e: "hub" })}`);
  await settle(page);
  for (;;) {
    const shown = await page.locator(".picture [role=status]").textContent();
    await page.waitForTimeout(1000);
    console.log(`${shown.trim()}   ${await drag(page, 240)}`);
    const more = page.getByRole("button", { name: "Show more" });
    if (!(await more.count())) break;
    const began = Date.now();
    await more.press("Enter");
    await settle(page);
    console.log(`   more in ${Date.now() - began} ms`);
  }
} finally {
  await browser.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
