// SPDX-License-Identifier: Apache-2.0
// The name that is being typed in a rule or formula, and how another is put in its place. Pure.

export interface Word {
  /** A relation stands before a bracket, an entity within one. */
  kind: "relation" | "entity";
  from: number;
  to: number;
  text: string;
}

// As the parser of lerp has it: other names stand in quotation marks.
const bare = /^[a-zA-Z0-9_\-+./:#@%$*?'\p{L}]+$/u;
const variable = /^[a-z][0-9]*$/;

/** The word that ends at the caret, or none where nothing is being named. */
export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  const open = openQuote(before);
  let from = open;
  if (from < 0) {
    from = caret;
    while (from > 0 && bare.test(before[from - 1] ?? "")) --from;
  }
  const typed = before.slice(open < 0 ? from : from + 1);
  const atom = innermost(before.slice(0, from));
  if (!typed || (open < 0 && (typed === "exists" || variable.test(typed)))) return undefined;
  let to = caret;
  if (open < 0) while (to < text.length && bare.test(text[to] ?? "")) ++to;
  return { kind: atom ? "entity" : "relation", from, to, text: typed };
}

/** Where a quotation mark stands that is not closed. */
function openQuote(text: string): number {
  let at = -1;
  for (let i = 0; i < text.length; ++i) {
    if (text[i] === "\\" && at >= 0) ++i;
    else if (text[i] === '"') at = at < 0 ? i : -1;
  }
  return at;
}

/** Whether what follows stands in the brackets of a relation, not of a group. */
function innermost(text: string): boolean {
  const plain = text.replace(/"(?:\\.|[^"\\])*"/g, (name) => "n".repeat(name.length));
  const brackets: number[] = [];
  for (let i = 0; i < plain.length; ++i) {
    if (plain[i] === "(") brackets.push(i);
    else if (plain[i] === ")") brackets.pop();
  }
  const last = brackets.at(-1);
  return last !== undefined && bare.test(plain[last - 1] ?? "");
}

/** A name as the parser reads it. */
export function written(name: string): string {
  if (bare.test(name) && name !== "exists" && !variable.test(name)) return name;
  const hex = (letter: string) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return `"${name.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, hex)}"`;
}

/** The text with the name in place of the word, and where the caret stands then. */
export function put(text: string, word: Word, name: string): { text: string; caret: number } {
  const quoted = text[word.from] === '"' && text[word.to] === '"';
  const rest = text.slice(word.to + (quoted ? 1 : 0));
  const bracket = word.kind === "relation" && !rest.trimStart().startsWith("(") ? "(" : "";
  const start = text.slice(0, word.from) + written(name) + bracket;
  return { text: start + rest, caret: start.length };
}
