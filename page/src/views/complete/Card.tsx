// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from "preact";
import { post } from "../../api/client";
import { useAnswer } from "../../api/use";
import { Bar } from "../../parts/Bar";
import { FactText, RuleText, Sentence } from "../../parts/Name";
import { Answered } from "../../parts/states";
import { formatRoute } from "../../route";
import { relationLabel, useSession } from "../../session";
import { count, decimal, given, percent } from "../../words";
import { distinct } from "../ask/proof";
import { type Curated, packed } from "./Complete";
import type { Decision, Verdict as Word } from "./decisions";
import { asFact, Verdict } from "./QueueList";

interface Props {
  fact: Curated;
  doubt: boolean;
  decision: Decision | undefined;
  busy: boolean;
  note: string;
  noteField: RefObject<HTMLInputElement>;
  onNote: (note: string) => void;
  onDecide: (verdict: Word) => void;
  onUndo: () => void;
  why: boolean;
  onWhy: () => void;
}

/** The fact that is to be decided now. */
export function Card({ fact, doubt, decision, busy, note, noteField, onNote, onDecide, onUndo, why, onWhy }: Props) {
  const session = useSession();
  return (
    <section class="pane card" aria-label="To be decided" aria-live="polite">
      <h2 class="claim">
        <FactText fact={asFact(fact)} relation={relationLabel(session, fact.relation)} most={80} />
      </h2>
      <p class="probability">
        <span class="large">{percent(fact.probability)}</span> <span class="note">that it is true · score {decimal(fact.score, 2)}</span>
        <Bar value={fact.probability} tone={doubt ? "bad" : "accent"} />
      </p>
      {fact.reason ? (
        <p class="first-reason">
          <span class="note">First reason</span>
          <RuleText text={fact.reason} />
          <span class="figures">
            {fact.support !== null && <span>support {count(fact.support)}</span>}
            {fact.confidence !== null && <span>confidence {percent(fact.confidence)}</span>}
          </span>
        </p>
      ) : (
        <p class="note">No rule speaks for it.</p>
      )}
      {fact.objection && (
        <p class="objection">
          Against it: <Sentence text={fact.objection} />
        </p>
      )}
      <div class="verdicts" role="group" aria-label="Decision">
        <button type="button" class="accept" disabled={busy} aria-keyshortcuts="a" onClick={() => onDecide("accept")}>
          {doubt ? "It is right" : "Accept"} <kbd>A</kbd>
        </button>
        <button type="button" class="reject" disabled={busy} aria-keyshortcuts="r" onClick={() => onDecide("reject")}>
          {doubt ? "It is wrong" : "Reject"} <kbd>R</kbd>
        </button>
        <button type="button" disabled={busy} aria-keyshortcuts="u" onClick={() => onDecide("unsure")}>
          Unsure <kbd>U</kbd>
        </button>
        <button type="button" disabled={busy} aria-keyshortcuts="z" onClick={onUndo}>
          Undo <kbd>Z</kbd>
        </button>
      </div>
      <label class="note-field">
        <span>
          Note <kbd>N</kbd>
        </span>
        <input ref={noteField} value={note} maxLength={10000} placeholder="goes with the decision" onInput={(event) => onNote(event.currentTarget.value)} />
      </label>
      {decision && (
        <p>
          <Verdict decision={decision} /> {decision.note && <bdi class="note">{decision.note}</bdi>}
        </p>
      )}
      <p class="row">
        <button type="button" aria-expanded={why} aria-keyshortcuts="w" onClick={onWhy}>
          Why <kbd>W</kbd>
        </button>
        <a href={formatRoute("ask", { run: session.run.name, e: fact.subject, r: fact.relation, a: fact.object })}>Proofs and what if</a>
        <a href={formatRoute("graph", { run: session.run.name, e: fact.subject })}>Neighbourhood</a>
        <span class="note keys">
          <kbd>J</kbd> <kbd>K</kbd> next, previous
        </span>
      </p>
      {why && <ShortWhy key={packed(fact)} fact={fact} />}
    </section>
  );
}

function ShortWhy({ fact }: { fact: Curated }) {
  const session = useSession();
  const body = { run: session.run.name, head: fact.subject, relation: fact.relation, tail: fact.object, reasons: 4, groundings: 1, facts: 0, missing: 0 };
  const asked = useAnswer(JSON.stringify(body), (signal) => post("/explain", body, { signal }), false);
  return (
    <Answered asked={asked} waiting="Looking for proofs">
      {(explanation) => (
        <ol class="reasons short">
          {explanation.reasons.map((reason, index) => (
            <li key={index}>
              <div class="share">
                <span class="figure">{given(explanation.readout, reason.share)}</span>
              </div>
              <div class="body">
                <p class="english">
                  <Sentence text={reason.english ?? "The embedding"} />
                </p>
                {reason.groundings.map((grounding, at) => (
                  <ul class="grounding" key={at}>
                    {distinct(grounding.facts).map((one) => (
                      <li key={one.text}>
                        <FactText fact={one} relation={relationLabel(session, one.relation)} />
                      </li>
                    ))}
                  </ul>
                ))}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Answered>
  );
}
