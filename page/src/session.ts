// SPDX-License-Identifier: Apache-2.0
// What all views share: which run is asked, its relations, and the texts of names seen so far.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Schema } from "./api/client";

export interface Session {
  run: Schema<"RunSummary">;
  runs: readonly Schema<"RunSummary">[];
  relations: readonly Schema<"Relation">[];
  /** Whether new datasets may be trained on. */
  dataRoot: boolean;
  reloadRuns: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("a view outside of a session");
  return session;
}

const labels = new Map<string, string>();

/** Answers bring texts for names; an address has only names. */
export function learnLabel(name: string, label: string): void {
  if (label && label !== name) labels.set(name, label);
}

export const labelOf = (name: string): string => labels.get(name) ?? name;

export function relationLabel(session: Session, name: string): string {
  return session.relations.find((relation) => relation.name === name)?.label || name;
}
