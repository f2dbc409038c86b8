// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import { Bar } from "../../parts/Bar";
import { FactText, RuleText, Sentence } from "../../parts/Name";
import { Empty } from "../../parts/states";
import { formatRoute } from "../../route";
import { relationLabel, useSession } from "../../session";
import { count, given, many, packFact, percent } from "../../words";
import { distinct, namesOf } from "./proof";

interface FactProps {
  fact: Schema<"Fact">;
  hidden: ReadonlySet<string>;
  onToggle: (packed: string) => void;
}

/** A fact that can be thought away. */
export function FactToggle({ fact, hidden, onToggle }: FactProps) {
  const session = useSession();
  const packed = packFact(namesOf(fact));
  const gone = hidden.has(packed);
  return (
    <button
      type="button"
      class={gone ? "fact-toggle gone" : "fact-toggle"}
      aria-pressed={gone}
      title={gone ? "Bring it back" : "Think it away"}
      onClick={() => onToggle(packed)}
    >
      <FactText fact={fact} relation={relationLabel(session, fact.relation)} />
      {gone && <span class="tag doubt">thought away</span>}
    </button>
  );
}

export function Reasons({ why, hidden, onToggle }: { why: Schema<"Explanation">; hidden: ReadonlySet<string>; onToggle: (packed: string) => void }) {
  const { run } = useSession();
  if (!why.reasons.length) return <Empty title="No rule speaks for it">{why.missing.length ? "See below what is missing." : null}</Empty>;
  const strongest = Math.max(...why.reasons.map(({ share }) => Math.abs(share)), 1e-9);
  return (
    <section aria-label="Reasons">
      <h3>
        Reasons <span class="note">{why.readout === "evidence" ? "what each adds to the score" : "share of the score"}</span>
      </h3>
      <ol class="reasons">
        {why.reasons.map((reason, index) => (
          <li key={index}>
            <div class="share">
              <span class="figure">{given(why.readout, reason.share)}</span>
              <Bar value={Math.abs(reason.share) / strongest} tone={reason.share < 0 ? "bad" : "accent"} />
            </div>
            <div class="body">
              <p class="english">
                <Sentence text={reason.english ?? "The embedding: what the vectors of the entities say"} />
              </p>
              {reason.rule && (
                <p>
                  <a href={formatRoute("rules", { run: run.name, rule: reason.rule })} class="quiet">
                    <RuleText text={reason.rule} />
                  </a>
                </p>
              )}
              <p class="figures">
                {reason.support !== null && reason.support !== undefined && <span>support {count(reason.support)}</span>}
                {reason.confidence !== null && reason.confidence !== undefined && <span>confidence {percent(reason.confidence)}</span>}
                {reason.count > 0 && <span>{many(reason.count, "proof")}</span>}
                {reason.others && (
                  <span>
                    {count(reason.others.have)} of {count(reason.others.all)} others have it too
                  </span>
                )}
              </p>
              {reason.groundings.map((grounding, at) => (
                <ul class="grounding" key={at} aria-label={`Proof ${at + 1}`}>
                  {distinct(grounding.facts).map((fact) => (
                    <li key={packFact(namesOf(fact))}>
                      <FactToggle fact={fact} hidden={hidden} onToggle={onToggle} />
                    </li>
                  ))}
                </ul>
              ))}
              {reason.count > reason.groundings.length && reason.groundings.length > 0 && (
                <p class="note">and {many(reason.count - reason.groundings.length, "further proof")}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {why.others.count > 0 && (
        <p class="note">
          {many(why.others.count, "further reason")}
          {`, ${given(why.readout, why.others.share)} together`}.
        </p>
      )}
    </section>
  );
}
