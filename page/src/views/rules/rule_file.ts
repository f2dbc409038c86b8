// SPDX-License-Identifier: Apache-2.0
/** Rules with weights, one a line, as `lerp apply` reads them; the strongest first. */
export function ruleFile(rules: readonly { rule: string; confidence: number }[]): string {
  const lines = [...rules].sort((a, b) => b.confidence - a.confidence).map(({ rule, confidence }) => `${confidence.toFixed(4)}  ${rule}\n`);
  return lines.join("");
}
