// SPDX-License-Identifier: Apache-2.0
// A training as it is told by server-sent events.
import { useEffect, useState } from "preact/hooks";
import { address, get, type Refusal, type Schema } from "../../api/client";
import { asRefusal } from "../../api/use";
import { type Epoch, epochOf, epochsOf, withEpoch } from "./epochs";

type Job = Schema<"Job">;
export interface Live {
  job: Job | undefined;
  epochs: readonly Epoch[];
  log: readonly string[];
  /** Whether the events were lost; the browser tries again by itself. */
  cut: boolean;
  error: Refusal | undefined;
}

const begun = (job: Job) => job.state === "running" || job.state === "stopping";

/** Follows a training to its end; `turn` changes when it is resumed. */
export function useLive(id: string, turn: number, onEnd: () => void): Live {
  const [live, setLive] = useState<Live>({ job: undefined, epochs: [], log: [], cut: false, error: undefined });
  useEffect(() => {
    const stop = new AbortController();
    let events: EventSource | undefined;
    const read = (event: Event): unknown => {
      const data: unknown = (event as MessageEvent).data;
      if (typeof data !== "string") return undefined;
      try {
        return JSON.parse(data) as unknown;
      } catch {
        return data;
      }
    };
    const follow = () => {
      events = new EventSource(address("/train/{id}/events", {}, { id }));
      events.onopen = () => setLive((old) => ({ ...old, cut: false }));
      events.onerror = () => setLive((old) => ({ ...old, cut: true }));
      events.addEventListener("epoch", (event) => {
        const epoch = epochOf(read(event));
        if (epoch) setLive((old) => ({ ...old, cut: false, epochs: withEpoch(old.epochs, epoch) }));
      });
      events.addEventListener("progress", (event) => {
        const said = read(event);
        if (typeof said === "object" && said !== null) setLive((old) => (old.job ? { ...old, cut: false, job: { ...old.job, ...progressOf(said) } } : old));
      });
      events.addEventListener("log", (event) => {
        const said = read(event);
        const line = typeof said === "string" ? said : ((said as { text?: string } | undefined)?.text ?? "");
        setLive((old) => (old.log.at(-1) === line ? old : { ...old, log: [...old.log.slice(-500), line] }));
      });
      events.addEventListener("end", () => {
        events?.close();
        void load(false);
        onEnd();
      });
    };
    const load = async (watch: boolean) => {
      try {
        const job = await get("/train/{id}", { path: { id }, signal: stop.signal });
        setLive({ job, epochs: epochsOf(job.epochs), log: job.log, cut: false, error: undefined });
        if (watch && begun(job)) follow();
      } catch (problem) {
        if (!stop.signal.aborted) setLive((old) => ({ ...old, error: asRefusal(problem) }));
      }
    };
    void load(true);
    return () => {
      stop.abort();
      events?.close();
    };
  }, [id, turn]);
  return live;
}

function progressOf(said: object): Partial<Job> {
  const { stage, done, total, note } = said as Partial<Job>;
  return {
    ...(typeof stage === "string" && { stage }),
    ...(typeof done === "number" && { done }),
    ...(typeof total === "number" && { total }),
    ...(typeof note === "string" && { note }),
  };
}
