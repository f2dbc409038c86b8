// SPDX-License-Identifier: Apache-2.0
// The rules that a person has kept: a list in this browser, saved as a file that `lerp apply` reads.
import { useEffect, useState } from "preact/hooks";
import { post } from "../../api/client";
import { asRefusal } from "../../api/use";
import type { Refusal } from "../../api/client";
import { Failure } from "../../parts/states";
import { RuleText } from "../../parts/Name";
import { adjust } from "../../route";
import { many } from "../../words";
import { ruleFile } from "./rule_file";

export interface Kept {
  rules: readonly string[];
  has: (rule: string) => boolean;
  add: (rule: string) => void;
  remove: (rule: string) => void;
}

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter((rule) => typeof rule === "string") : [];
  } catch {
    return [];
  }
}

export function useKept(run: string): Kept {
  const key = `lerp rules of ${run}`;
  const [rules, setRules] = useState<string[]>(() => read(key));
  useEffect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(rules));
    } catch {
      // A browser that stores nothing keeps the list until the page is closed.
    }
  }, [key, rules]);
  return {
    rules,
    has: (rule) => rules.includes(rule),
    add: (rule) => setRules((old) => (old.includes(rule) ? old : [...old, rule])),
    remove: (rule) => setRules((old) => old.filter((other) => other !== rule)),
  };
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function KeptRules({ kept, run }: { kept: Kept; run: string }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | undefined>();
  if (!kept.rules.length) return null;
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      // Counted again, one after the other: the file says what holds of the data now.
      const counted: { rule: string; confidence: number }[] = [];
      for (const rule of kept.rules) {
        const check = await post("/rules/check", { run, rule, examples: 0 });
        if (check.valid) counted.push({ rule: check.rule, confidence: check.confidence });
      }
      download(`${run}-rules.txt`, ruleFile(counted));
    } catch (problem) {
      setError(asRefusal(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="kept" aria-label="My list">
      <h3>
        My list <span class="note">{many(kept.rules.length, "rule")}, kept in this browser</span>
      </h3>
      <ul>
        {kept.rules.map((rule) => (
          <li key={rule}>
            <button type="button" class="link" onClick={() => adjust({ rule })}>
              <RuleText text={rule} most={120} />
            </button>
            <button type="button" class="small" aria-label={`Take out of my list: ${rule}`} onClick={() => kept.remove(rule)}>
              Take out
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="primary" disabled={busy} onClick={() => void save()}>
        {busy ? "Counting" : "Save as a file"}
      </button>{" "}
      <span class="note">for lerp apply, with their confidence as weight</span>
      {error && <Failure error={error} />}
    </section>
  );
}
