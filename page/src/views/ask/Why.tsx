// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef } from "preact/hooks";
import { post } from "../../api/client";
import { useAnswer } from "../../api/use";
import { LazyDrawing } from "../../parts/LazyDrawing";
import { FactText } from "../../parts/Name";
import { Answered } from "../../parts/states";
import { adjust } from "../../route";
import { labelOf, relationLabel, useSession } from "../../session";
import { packFact, unpackFact } from "../../words";
import { drawProofs, factOf } from "./proof";
import { Reasons } from "./Reasons";
import { Rival } from "./Rival";
import { Standing } from "./Standing";
import { AddFact, Changes, Missing, Needed } from "./WhatIf";

export interface WhyProps {
  head: string;
  relation: string;
  tail: string;
  direction: "head" | "tail";
  rulesOnly: boolean;
  /** Facts that are thought away or into the graph, as the address has them. */
  hide: readonly string[];
  add: readonly string[];
  /** Another answer that it is compared with, and some that could be. */
  rival: string | null;
  others: readonly string[];
}

/** Why an answer stands where it does, and what if. */
export function Why({ head, relation, tail, direction, rulesOnly, hide, add, rival, others }: WhyProps) {
  const session = useSession();
  const place = useRef<HTMLElement>(null);
  const question = { run: session.run.name, head, relation, tail, direction, rules_only: rulesOnly };
  const asked = useAnswer(JSON.stringify(question), (signal) => post("/explain", { ...question, facts: 8 }, { signal }), false);
  const facts = (packed: readonly string[]) => packed.flatMap((text) => unpackFact(text) ?? []);
  const changes = { hide: facts(hide), add: facts(add) };
  const supposed = useAnswer(
    changes.hide.length || changes.add.length ? JSON.stringify([question, changes]) : null,
    // Only the standing is wanted, so that it moves at once.
    (signal) => post("/explain", { ...question, ...changes, reasons: 1, groundings: 0, facts: 0, missing: 0 }, { signal }),
  );
  const explanation = asked.value;
  const hidden = useMemo(() => new Set(hide), [hide.join("\n")]);
  const picture = useMemo(
    () =>
      explanation &&
      drawProofs(
        explanation.fact,
        explanation.reasons.flatMap(({ groundings }) => groundings),
        hidden,
        facts(add).map((fact) => factOf(fact, labelOf)),
        (name) => relationLabel(session, name),
        innerWidth < 600 ? 250 : 460,
      ),
    [explanation, hidden, add.join("\n")],
  );
  const toggle = (packed: string) => {
    if (packed === "asked") return;
    if (add.includes(packed)) adjust({ add: add.filter((text) => text !== packed) }, true);
    else adjust({ hide: hidden.has(packed) ? hide.filter((text) => text !== packed) : [...hide, packed] }, true);
  };
  const suppose = (packed: string) => !add.includes(packed) && adjust({ add: [...add, packed] }, true);
  // On a narrow screen the answer opens below its list.
  useEffect(() => place.current?.focus({ preventScroll: innerWidth > 900 }), []);

  return (
    <section
      class="pane why"
      aria-label="Why"
      ref={place}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && adjust({ a: null, hide: null, add: null, vs: null })}
    >
      <header class="title">
        <h2>
          Why <FactText fact={factOf({ head, relation, tail }, labelOf)} relation={relationLabel(session, relation)} />
        </h2>
        <button type="button" class="close" aria-label="Close" title="Close (Escape)" onClick={() => adjust({ a: null, hide: null, add: null, vs: null })}>
          ×
        </button>
      </header>
      <Answered asked={asked} waiting="Looking for proofs">
        {(why) => (
          <>
            <Standing why={why} supposed={supposed.value?.what_if} busy={supposed.busy} />
            <Changes
              hide={changes.hide.map((fact) => factOf(fact, labelOf))}
              add={changes.add.map((fact) => factOf(fact, labelOf))}
              asked={supposed}
              onToggle={toggle}
            />
            {picture && picture.drawn > 0 && (
              <figure class="proof">
                <LazyDrawing
                  title={`Proofs of ${why.fact.text}; the same facts follow in words`}
                  nodes={picture.nodes}
                  edges={picture.edges}
                  onEdge={toggle}
                />
                <figcaption>
                  {picture.drawn < picture.all ? `The first ${picture.drawn} of ${picture.all} proofs. ` : ""}
                  Choose a fact, here or below, to think it away.
                </figcaption>
              </figure>
            )}
            <Reasons why={why} hidden={hidden} onToggle={toggle} />
            <Rival question={question} rival={rival} others={others} />
            <Needed why={why} hidden={hidden} onToggle={toggle} />
            <Missing why={why} added={new Set(add)} onAdd={suppose} />
            <AddFact head={head} relation={relation} tail={tail} onAdd={(fact) => suppose(packFact(fact))} />
          </>
        )}
      </Answered>
    </section>
  );
}
