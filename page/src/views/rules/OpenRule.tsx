// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { address, post, type Schema } from "../../api/client";
import { useAnswer, useSettled } from "../../api/use";
import { Name, Sentence } from "../../parts/Name";
import { ParserError } from "../../parts/ParserError";
import { Answered, Empty } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, percent } from "../../words";
import type { Kept } from "./Kept";

type Checked = Extract<Schema<"RuleCheck">, { valid: true }>;

/** One rule, counted on the known facts; its text can be changed, and is counted again. */
export function OpenRule({ text, kept }: { text: string; kept: Kept }) {
  const { run } = useSession();
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState(text);
  const settled = useSettled(draft, 300);
  const asked = useAnswer(settled.trim() ? settled : null, (signal) =>
    post("/rules/check", { run: run.name, rule: settled, examples: 8 }, { signal }),
  );
  const checked = asked.value;
  useEffect(() => place.current?.focus({ preventScroll: innerWidth > 900 }), []);
  const close = () => adjust({ rule: null });
  const wrong = checked && !checked.valid && settled === draft ? checked : undefined;
  return (
    <section
      class="pane why"
      aria-label="Rule"
      ref={place}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && close()}
    >
      <header class="title">
        <h2>Rule</h2>
        <button type="button" class="close" aria-label="Close" title="Close (Escape)" onClick={close}>
          ×
        </button>
      </header>
      <div class="editor">
        <label for={id}>Text, as lerp reads it</label>
        <textarea
          id={id}
          rows={Math.min(8, 2 + Math.floor(draft.length / 70))}
          spellcheck={false}
          value={draft}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-says`}
          maxLength={4096}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <div id={`${id}-says`} aria-live="polite">
          {wrong && <ParserError text={draft} error={wrong} />}
        </div>
        <div class="row">
          {draft !== text && (
            <button type="button" onClick={() => setDraft(text)}>
              Back to the rule
            </button>
          )}
          {checked?.valid && settled === draft && (
            <button
              type="button"
              class="primary"
              onClick={() => (kept.has(checked.rule) ? kept.remove(checked.rule) : kept.add(checked.rule))}
            >
              {kept.has(checked.rule) ? "Take out of my list" : "Put into my list"}
            </button>
          )}
        </div>
      </div>
      <Answered asked={asked} waiting="Counting">{(check) => (check.valid ? <Figures check={check} run={run.name} /> : null)}</Answered>
    </section>
  );
}

function Figures({ check, run }: { check: Checked; run: string }) {
  return (
    <>
      <p class="english lead">
        <Sentence text={check.english} />
      </p>
      <figure class="diagram">
        <img src={address("/pictures/rule", { run, rule: check.rule })} alt={`Diagram of the rule: ${check.english}`} loading="lazy" />
      </figure>
      <dl class="facts">
        <div>
          <dt>Confidence</dt>
          <dd>{percent(check.confidence)}</dd>
        </div>
        <div>
          <dt title="among the entities of which the relation is known">PCA confidence</dt>
          <dd>{percent(check.pca_confidence)}</dd>
        </div>
        <div>
          <dt>Support</dt>
          <dd>{count(check.support)}</dd>
        </div>
        <div>
          <dt title="pairs that the body finds">Body</dt>
          <dd>{count(check.body)}</dd>
        </div>
        <div>
          <dt title="of the facts of the relation, those that the rule finds">Head coverage</dt>
          <dd>{percent(check.head_coverage)}</dd>
        </div>
        <div>
          <dt>Length</dt>
          <dd>{check.length}</dd>
        </div>
      </dl>
      {check.counted < 1 && <p class="note">Counted on a sample: {percent(check.counted)} of the starts.</p>}
      <div class="columns">
        <Pairs title="Examples" note="facts that it finds" pairs={check.examples} relation={check.relation} run={run} none="It finds no known fact." />
        <Pairs
          title="Counter-examples"
          note="that the graph does not know"
          pairs={check.exceptions}
          relation={check.relation}
          run={run}
          none="All that it finds is known."
        />
      </div>
    </>
  );
}

interface PairsProps {
  title: string;
  note: string;
  pairs: readonly Schema<"RuleExample">[];
  relation: string;
  run: string;
  none: string;
}

function Pairs({ title, note, pairs, relation, run, none }: PairsProps) {
  return (
    <section>
      <h3>
        {title} <span class="note">{note}</span>
      </h3>
      {!pairs.length && <Empty title={none} />}
      <ul class="pairs">
        {pairs.map(({ path }) => (
          <li key={path.join("\n")}>
            <a href={formatRoute("ask", { run, e: path[0], r: relation, a: path[path.length - 1] })} title="Why">
              {path.map((name, index) => (
                <span key={index}>
                  {index > 0 && <span class="relation"> · </span>}
                  <Name name={name} most={24} />
                </span>
              ))}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
