// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from "preact/hooks";
import { FactText } from "../../parts/Name";
import { relationLabel, useSession } from "../../session";
import { count, percent } from "../../words";
import { type Curated, packed } from "./Complete";
import type { Decision } from "./decisions";

export const asFact = (fact: Curated) => ({
  head: { name: fact.subject, label: fact.subject_label },
  relation: fact.relation,
  tail: { name: fact.object, label: fact.object_label },
});

export function Verdict({ decision }: { decision: { verdict: string; who: string } }) {
  const words: Record<string, [string, string]> = {
    accept: ["new", "accepted"],
    reject: ["doubt", "rejected"],
    unsure: ["", "unsure"],
    undo: ["", "taken back"],
  };
  const [tone, word] = words[decision.verdict] ?? ["", decision.verdict];
  return (
    <span class={`tag ${tone}`}>
      {word}
      {decision.who && (
        <>
          {" "}
          by <bdi>{decision.who}</bdi>
        </>
      )}
    </span>
  );
}

interface Props {
  facts: readonly Curated[];
  at: number;
  open: number;
  inForce: ReadonlyMap<string, Decision> | undefined;
  onPick: (at: number) => void;
  onReload: () => void;
}

export function QueueList({ facts, at, open, inForce, onPick, onReload }: Props) {
  const session = useSession();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const holder = list.current;
    const row = holder?.children[at];
    if (!holder || !(row instanceof HTMLElement)) return;
    // Inside the list alone: the page must not jump at every decision.
    const top = row.offsetTop - holder.offsetTop;
    if (top < holder.scrollTop) holder.scrollTop = top;
    else if (top + row.offsetHeight > holder.scrollTop + holder.clientHeight) holder.scrollTop = top + row.offsetHeight - holder.clientHeight;
  }, [at]);
  return (
    <section class="pane queue-list" aria-label="Facts">
      <h2>
        Queue{" "}
        <span class="note">
          {count(open)} of {count(facts.length)} open
        </span>
        <button type="button" class="small" onClick={onReload}>
          Ask anew
        </button>
      </h2>
      <ol ref={list} tabIndex={0} aria-label="Facts of the queue">
        {facts.map((fact, index) => {
          const decision = inForce?.get(packed(fact));
          return (
            <li key={packed(fact)} class={decision ? "decided" : undefined}>
              <button type="button" aria-current={index === at ? "true" : undefined} tabIndex={-1} onClick={() => onPick(index)}>
                <span class="figure">{percent(fact.probability)}</span>
                <FactText fact={asFact(fact)} relation={relationLabel(session, fact.relation)} most={26} />
                {decision && <Verdict decision={decision} />}
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
