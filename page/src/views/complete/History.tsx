// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { address, post, type Refusal } from "../../api/client";
import { asRefusal } from "../../api/use";
import { FactText } from "../../parts/Name";
import { Failure } from "../../parts/states";
import { go } from "../../route";
import { relationLabel, useSession } from "../../session";
import { packFact, since } from "../../words";
import type { Decision, Decisions } from "./decisions";
import { Verdict } from "./QueueList";

/** What can be done with the decisions. */
export function After({ decisions }: { decisions: Decisions }) {
  const { run } = useSession();
  const [error, setError] = useState<Refusal | undefined>();
  const [busy, setBusy] = useState(false);
  const log = decisions.log;
  if (!log?.inForce.size) return null;
  const learn = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const job = await post("/train", { run: run.name, decisions: true });
      go("train", { run: run.name, job: job.id });
    } catch (problem) {
      setError(asRefusal(problem));
      setBusy(false);
    }
  };
  return (
    <section class="after" aria-label="With the decisions">
      <span>Export</span>
      {(
        [
          ["facts", "facts", "the accepted facts, tab-separated"],
          ["ntriples", "N-Triples", "the accepted facts"],
          ["csv", "CSV", "all decisions in force"],
        ] as const
      ).map(([format, name, title]) => (
        <a key={format} class="button" title={title} href={address("/decisions/export", { run: run.name, format })} download>
          {name}
        </a>
      ))}
      <button type="button" class="primary" disabled={busy || log.accepted + log.rejected === 0} onClick={() => void learn()}>
        Learn again with the decisions
      </button>
      {error && <Failure error={error} />}
    </section>
  );
}

interface Props {
  log: readonly Decision[];
  inForce: ReadonlyMap<string, Decision>;
  onUndo: (decision: Decision) => void;
}

export function History({ log, inForce, onUndo }: Props) {
  const session = useSession();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  if (!log.length) return null;
  return (
    <section class="history" aria-label="Latest decisions">
      <h2>Latest decisions</h2>
      <ol>
        {log.map((decision) => (
          <li key={decision.id}>
            <time dateTime={decision.at} title={decision.at}>
              {since(decision.at, Math.max(now, Date.parse(decision.at) || 0))}
            </time>
            <Verdict decision={decision} />
            <FactText
              fact={{
                head: { name: decision.head, label: decision.head_label },
                relation: decision.relation,
                tail: { name: decision.tail, label: decision.tail_label },
              }}
              relation={relationLabel(session, decision.relation)}
            />
            {decision.note && <bdi class="note">{decision.note}</bdi>}
            {inForce.get(packFact(decision))?.id === decision.id && (
              <button type="button" class="small" onClick={() => onUndo(decision)}>
                Take back
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
