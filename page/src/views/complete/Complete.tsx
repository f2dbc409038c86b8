// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { post, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { RelationPicker } from "../../parts/pickers";
import { Answered, Empty, Failure } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { learnLabel, useSession } from "../../session";
import { count, packFact } from "../../words";
import { Card } from "./Card";
import { type Decision, type Decisions, useDecisions, type Verdict } from "./decisions";
import { After, History } from "./History";
import { QueueList } from "./QueueList";
import { clampTo, nextOpen } from "./queue";

export type Curated = Schema<"Curated">;
export const namesOf = (fact: Curated) => ({ head: fact.subject, relation: fact.relation, tail: fact.object });
export const packed = (fact: Curated): string => packFact(namesOf(fact));

function storedWho(): string {
  try {
    return localStorage.getItem("lerp who") ?? "";
  } catch {
    return "";
  }
}

/** What the graph lacks and what it should not hold, one after the other, to be decided. */
export function Complete({ words }: { words: URLSearchParams }) {
  const { run } = useSession();
  const doubt = words.get("queue") === "doubt";
  const relation = words.get("r") ?? "";
  const decisions = useDecisions(run.name);
  const [who, setWho] = useState(storedWho);
  useEffect(() => {
    try {
      localStorage.setItem("lerp who", who);
    } catch {
      // Asked again the next time.
    }
  }, [who]);
  const asked = useAnswer(
    JSON.stringify([doubt, relation]),
    async (signal) => {
      const body = { run: run.name, relation, top: 300, undecided: true };
      const answer = doubt ? await post("/doubt", body, { signal }) : await post("/complete", body, { signal });
      for (const fact of answer.facts) {
        learnLabel(fact.subject, fact.subject_label);
        learnLabel(fact.object, fact.object_label);
      }
      return answer;
    },
    false,
  );
  const log = decisions.log;
  return (
    <div class="complete">
      <div class="filters">
        <div class="tabs" role="group" aria-label="Queue">
          <a href={formatRoute("complete", { run: run.name, r: relation })} aria-current={doubt ? undefined : "true"}>
            Likely new facts
          </a>
          <a href={formatRoute("complete", { run: run.name, r: relation, queue: "doubt" })} aria-current={doubt ? "true" : undefined}>
            Doubtful known facts
          </a>
        </div>
        <RelationPicker title="Relation" value={relation} onPick={(name) => adjust({ r: name || null }, true)} />
        <label>
          Your name, for the log
          <input value={who} maxLength={200} autocomplete="name" placeholder="nobody" onInput={(event) => setWho(event.currentTarget.value)} />
        </label>
        <p class="totals" aria-live="polite">
          {log && (
            <>
              <b>{count(log.accepted)}</b> accepted · <b>{count(log.rejected)}</b> rejected · <b>{count(log.unsure)}</b> unsure
            </>
          )}
        </p>
      </div>
      {decisions.error && <Failure error={decisions.error} />}
      {decisions.failed && <Failure error={decisions.failed.error} again={decisions.failed.again} />}
      <Answered asked={asked} waiting={doubt ? "Looking for facts that the rest speaks against" : "Looking for what is missing"}>
        {(answer) =>
          answer.facts.length ? (
            <Queue key={`${doubt} ${relation}`} facts={answer.facts} doubt={doubt} decisions={decisions} who={who} reload={asked.again} />
          ) : (
            <Empty title="The queue is empty">
              {doubt ? "No known fact is left to be doubted." : "No likely fact is missing, or all are decided."}
            </Empty>
          )
        }
      </Answered>
      <After decisions={decisions} />
      {log && <History log={log.recent} inForce={log.inForce} onUndo={(decision: Decision) => void decisions.undo(decision, who)} />}
    </div>
  );
}

interface QueueProps {
  facts: readonly Curated[];
  doubt: boolean;
  decisions: Decisions;
  who: string;
  reload: () => void;
}

function Queue({ facts, doubt, decisions, who, reload }: QueueProps) {
  const [at, setAt] = useState(0);
  const [note, setNote] = useState("");
  const [why, setWhy] = useState(false);
  const [busy, setBusy] = useState(false);
  const place = useRef<HTMLElement>(null);
  const noteField = useRef<HTMLInputElement>(null);
  const inForce = decisions.log?.inForce;
  const open = facts.map((fact) => !inForce?.has(packed(fact)));
  const current = facts[clampTo(at, facts.length)];
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  if (!current) return null;
  const decision = inForce?.get(packed(current));

  const move = (to: number) => {
    setAt(clampTo(to, facts.length));
    setNote("");
  };
  const decide = async (verdict: Verdict) => {
    if (busy) return;
    setBusy(true);
    if (await decisions.decide(namesOf(current), verdict, note, who)) move(nextOpen(open, at));
    setBusy(false);
    place.current?.focus({ preventScroll: true });
  };
  const undo = async () => {
    const last = decision ?? decisions.log?.recent.find((one) => one.in_force && inForce?.get(packFact(one))?.id === one.id && one.who === who);
    if (!last || busy) return;
    setBusy(true);
    if (await decisions.undo(last, who)) {
      const index = facts.findIndex((fact) => packed(fact) === packFact(last));
      if (index >= 0) move(index);
    }
    setBusy(false);
  };
  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.tagName === "INPUT") {
      if (event.key === "Escape" || event.key === "Enter") {
        event.preventDefault();
        place.current?.focus({ preventScroll: true });
      }
      return;
    }
    const actions: Record<string, () => void> = {
      a: () => void decide("accept"),
      r: () => void decide("reject"),
      u: () => void decide("unsure"),
      z: () => void undo(),
      n: () => noteField.current?.focus(),
      w: () => setWhy(!why),
      j: () => move(at + 1),
      k: () => move(at - 1),
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <section class="queue" aria-label="Queue, with keys" ref={place} tabIndex={-1} onKeyDown={keys}>
      <div class="panes opened">
        <QueueList facts={facts} at={at} inForce={inForce} onPick={move} onReload={reload} open={open.filter(Boolean).length} />
        <Card
          fact={current}
          doubt={doubt}
          decision={decision}
          busy={busy}
          note={note}
          noteField={noteField}
          onNote={setNote}
          onDecide={(verdict) => void decide(verdict)}
          onUndo={() => void undo()}
          why={why}
          onWhy={() => setWhy(!why)}
        />
      </div>
    </section>
  );
}
