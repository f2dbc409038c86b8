// SPDX-License-Identifier: Apache-2.0
// All that can be seen stands in the address, after the #, so that it can be linked and the back button works.
import { useEffect, useState } from "preact/hooks";

export const views = ["ask", "rules", "complete", "graph", "functions", "train"] as const;
export type View = (typeof views)[number];
export type Words = Record<string, string | readonly string[] | null | undefined>;

export interface Route {
  view: View;
  words: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const view = views.find((name) => name === path) ?? "ask";
  return { view, words: new URLSearchParams(query) };
}

export function formatRoute(view: View, words: Words): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(words)) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of typeof value === "string" ? [value] : value) query.append(key, one);
  }
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

/** The present words with some of them changed; null takes one away. */
export function changed(words: URLSearchParams, changes: Words): Words {
  const all: Record<string, string | readonly string[] | null | undefined> = {};
  for (const key of words.keys()) all[key] = words.getAll(key);
  return { ...all, ...changes };
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listen = () => setHash(location.hash);
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  return parseRoute(hash);
}

export function go(view: View, words: Words, replace = false): void {
  const hash = formatRoute(view, words);
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes some words of the view that is shown. */
export function adjust(changes: Words, replace = false): void {
  const route = parseRoute(location.hash);
  go(route.view, changed(route.words, changes), replace);
}
