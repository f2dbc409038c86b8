// SPDX-License-Identifier: Apache-2.0
// The decisions on a run, one's own and those of others, which are asked for every few seconds.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, post, type Refusal, type Schema } from "../../api/client";
import { asRefusal } from "../../api/use";
import { type FactNames, packFact } from "../../words";

export type Decision = Schema<"Decision">;
export type Verdict = "accept" | "reject" | "unsure";

interface Log {
  last: number;
  inForce: ReadonlyMap<string, Decision>;
  /** The latest, newest first. */
  recent: readonly Decision[];
  accepted: number;
  rejected: number;
  unsure: number;
}

export interface Decisions {
  log: Log | undefined;
  error: Refusal | undefined;
  /** A decision that did not reach the server, and can be sent again under its key. */
  failed: { error: Refusal; again: () => void } | undefined;
  decide: (fact: FactNames, verdict: Verdict, note: string, who: string) => Promise<boolean>;
  undo: (decision: Decision, who: string) => Promise<boolean>;
}

const page = 10_000;
const pause = 3000;
const kept = 50;

/** Chance without `randomUUID`, which browsers lend only to pages from this machine or over TLS. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function everyPage(run: string, since: number, inForce: boolean, signal: AbortSignal) {
  const all: Decision[] = [];
  for (;;) {
    const answer = await get("/decisions", { query: { run, since, in_force: inForce, limit: page }, signal });
    all.push(...answer.decisions);
    const newest = answer.decisions.at(-1);
    if (answer.decisions.length < page || !newest) return { ...answer, decisions: all };
    since = newest.id;
  }
}

export function useDecisions(run: string): Decisions {
  const [log, setLog] = useState<Log | undefined>();
  const [error, setError] = useState<Refusal | undefined>();
  const [failed, setFailed] = useState<Decisions["failed"]>();
  const held = useRef<Log | undefined>();
  const stop = useRef(new AbortController());

  const refresh = useCallback(async () => {
    const { signal } = stop.current;
    try {
      const old = held.current;
      const fresh = await everyPage(run, old?.last ?? 0, false, signal);
      if (old && !fresh.decisions.length) return setError(undefined);
      // Who has the last word is the server's to say.
      const force = await everyPage(run, 0, true, signal);
      if (signal.aborted) return;
      held.current = {
        last: Math.max(fresh.last, old?.last ?? 0),
        inForce: new Map(force.decisions.map((decision) => [packFact(decision), decision])),
        recent: [...fresh.decisions.slice(-kept).reverse(), ...(old?.recent ?? [])].slice(0, kept),
        accepted: force.accepted,
        rejected: force.rejected,
        unsure: force.unsure,
      };
      setLog(held.current);
      setError(undefined);
    } catch (problem) {
      if (!signal.aborted) setError(asRefusal(problem));
    }
  }, [run]);

  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    held.current = undefined;
    let timer: ReturnType<typeof setTimeout>;
    const loop = async () => {
      if (!document.hidden) await refresh();
      if (!controller.signal.aborted) timer = setTimeout(() => void loop(), pause);
    };
    void loop();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [refresh]);

  const send = useCallback(
    async (call: () => Promise<unknown>): Promise<boolean> => {
      try {
        await call();
        setFailed(undefined);
        await refresh();
        return true;
      } catch (problem) {
        setFailed({ error: asRefusal(problem), again: () => void send(call) });
        return false;
      }
    },
    [refresh],
  );
  const decide: Decisions["decide"] = (fact, verdict, note, who) => {
    const body = { run, key: newKey(), head: fact.head, relation: fact.relation, tail: fact.tail, verdict, note, who };
    return send(() => post("/decisions", body));
  };
  const undo: Decisions["undo"] = (decision, who) => {
    const body = { run, key: newKey(), id: decision.id, note: "", who };
    return send(() => post("/decisions/undo", body));
  };
  return { log, error, failed, decide, undo };
}
