// SPDX-License-Identifier: Apache-2.0
// Two explanations of one question against each other. Pure.

interface Reason {
  share: number;
  rule?: string | null;
  english?: string | null;
}

export interface Difference {
  rule: string | null;
  english: string | null;
  /** What the reason gives to each; 0 where it does not hold. */
  first: number;
  second: number;
}

/** Reasons that do not give the same to both, those that tell them apart most first. */
export function differences(first: readonly Reason[], second: readonly Reason[]): Difference[] {
  const all = new Map<string, Difference>();
  const take = (reasons: readonly Reason[], side: "first" | "second") => {
    for (const { share, rule = null, english = null } of reasons) {
      const key = rule ?? "";
      const one = all.get(key) ?? { rule, english, first: 0, second: 0 };
      one[side] += share;
      all.set(key, one);
    }
  };
  take(first, "first");
  take(second, "second");
  const apart = ({ first: a, second: b }: Difference) => Math.abs(a - b);
  return [...all.values()].filter((one) => apart(one) > 1e-9).sort((a, b) => apart(b) - apart(a));
}
