// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "./client";

export interface Asked<T> {
  /** The last answer; stays while the next is on its way, so that nothing flickers. */
  value: T | undefined;
  error: Refusal | undefined;
  busy: boolean;
  again: () => void;
}

export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(0, error instanceof Error ? error.message : String(error), "this page", "");
}

/** Asks when `key` changes, and not at all where it is null. A question that is no longer wanted is cancelled. */
export function useAnswer<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>, keep = true): Asked<T> {
  const [state, setState] = useState<{ key: string | null; value?: T | undefined; error?: Refusal | undefined; busy: boolean }>({
    key: null,
    busy: false,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) {
      setState({ key: null, busy: false });
      return;
    }
    const stop = new AbortController();
    setState((old) => ({ key, value: keep || old.key === key ? old.value : undefined, busy: true }));
    latest.current(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ key, value, busy: false }),
      (error: unknown) => !stop.signal.aborted && setState({ key, error: asRefusal(error), busy: false }),
    );
    return () => stop.abort();
  }, [key, turn, keep]);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  // Between a change of the key and the effect the old answer must not pass for the new one.
  const stale = state.key !== key;
  return {
    value: stale && !keep ? undefined : state.value,
    error: stale ? undefined : state.error,
    busy: key !== null && (stale || state.busy),
    again,
  };
}

/** A value that has not changed for a while: what is typed is not asked at every key. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
