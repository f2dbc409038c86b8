// SPDX-License-Identifier: Apache-2.0
// Numbers and names as people read them. Pure.

export interface FactNames {
  head: string;
  relation: string;
  tail: string;
}

const whole = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export const count = (value: number): string => whole.format(value);
export const short = (value: number): string => (value < 10_000 ? whole.format(value) : compact.format(value));

/** 13.9 %; what is not quite nothing or all is not told as such. */
export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const hundred = value * 100;
  if (hundred > 0 && hundred < 0.1) return "< 0.1 %";
  if (hundred < 100 && hundred > 99.9) return "> 99.9 %";
  return `${hundred.toFixed(1).replace(/^-0\.0$/, "0.0").replace("-", "−")} %`;
}

/** 1 proof, 2 proofs. */
export const many = (value: number, one: string, more = `${one}s`): string => `${count(value)} ${value === 1 ? one : more}`;

export function decimal(value: number | null | undefined, places = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value.toFixed(places).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
}

/** Ranks are halves where answers tie. */
export const rank = (value: number): string => (Number.isInteger(value) ? whole.format(value) : value.toFixed(1));

export function signed(value: number, places = 3): string {
  const text = decimal(Math.abs(value), places);
  if (Number(text) === 0) return "±0";
  return `${value < 0 ? "−" : "+"}${text}`;
}

/** What a reason gives to a score: log-odds where rules are evidence, a part of the whole where they are summed. */
export const given = (readout: string, share: number): string => (readout === "evidence" ? signed(share, 2) : percent(share));

/** Characters as people count them, so that no half of a pair stays behind. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Marks that turn the direction of what follows, made visible: a name must not rearrange the sentence around it. */
export const visible = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

/** A fact in an address. */
export const packFact = (fact: FactNames): string => JSON.stringify([fact.head, fact.relation, fact.tail]);

export function unpackFact(text: string): FactNames | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === "string")) return undefined;
    const [head, relation, tail] = parts as [string, string, string];
    return { head, relation, tail };
  } catch {
    return undefined;
  }
}

/** 2 minutes ago; for what is older, the day. */
export function since(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (Number.isNaN(seconds)) return time;
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return time.slice(0, 10);
}
