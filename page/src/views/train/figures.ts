// SPDX-License-Identifier: Apache-2.0
// Two runs as numbers beside each other. Pure.
import { count, decimal, signed } from "../../words";
import { bytes, duration } from "./epochs";

type Words = Record<string, unknown>;

export interface Row {
  title: string;
  first: string;
  second: string;
  change: string;
  /** Of figures of which more is better. */
  better: boolean | undefined;
}

function at(metrics: unknown, path: readonly string[]): number | undefined {
  let value: unknown = metrics;
  for (const step of path) value = typeof value === "object" && value !== null ? (value as Words)[step] : undefined;
  return typeof value === "number" ? value : undefined;
}

const quality = [
  ["MRR", "mrr"],
  ["Hits@1", "hits_at_1"],
  ["Hits@3", "hits_at_3"],
  ["Hits@10", "hits_at_10"],
] as const;
const costs = [
  ["Questions", "queries", count],
  ["Epochs", "epochs", count],
  ["Time", "train_seconds", duration],
  ["Memory", "peak_memory_bytes", bytes],
] as const;

// A run may answer with a short list of rules that was made of its model.
const answering = [
  ["", []],
  [" of the list", ["few_rules"]],
] as const;

/** What both have. */
export function figureRows(first: unknown, second: unknown): Row[] {
  const rows: Row[] = [];
  for (const [whose, path] of answering) {
    for (const [title, key] of quality) {
      const [a, b] = [first, second].map((metrics) => at(metrics, [...path, "both", "realistic", key]));
      if (a === undefined || b === undefined) continue;
      rows.push({ title: `${title}${whose}`, first: decimal(a), second: decimal(b), change: signed(b - a), better: Math.abs(b - a) < 0.0005 ? undefined : b > a });
    }
  }
  for (const [title, key, say] of costs) {
    const [a, b] = [first, second].map((metrics) => at(metrics, [key]));
    if (a !== undefined && b !== undefined) rows.push({ title, first: say(a), second: say(b), change: "", better: undefined });
  }
  return rows;
}
