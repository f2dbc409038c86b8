// SPDX-License-Identifier: Apache-2.0
import { address, type Schema } from "../../api/client";
import { FactText, Name, Sentence } from "../../parts/Name";
import { Empty } from "../../parts/states";
import { formatRoute } from "../../route";
import { count, percent } from "../../words";
import { Overlap } from "./Overlap";

export type Checked = Extract<Schema<"RuleCheck">, { valid: true }>;

/** What a rule says, how it fares, and what it finds. */
export function Figures({ check, run }: { check: Checked; run: string }) {
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
      <Overlap rule={check.rule} />
    </>
  );
}

interface PairsProps {
  title: string;
  note: string;
  pairs: readonly (Schema<"RuleExample"> & Partial<Schema<"RuleException">>)[];
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
        {pairs.map(({ path, otherwise }) => (
          <li key={path.join("\n")}>
            <a href={formatRoute("ask", { run, e: path[0], r: relation, a: path[path.length - 1] })} title="Why">
              {path.map((name, index) => (
                <span key={index}>
                  {index > 0 && <span class="relation"> · </span>}
                  <Name name={name} most={24} />
                </span>
              ))}
            </a>
            {otherwise && (
              <p class="otherwise">
                <span class="tag doubt">speaks against it</span> known is{" "}
                <FactText fact={{ head: { name: otherwise.head, label: "" }, relation: otherwise.relation, tail: { name: otherwise.tail, label: "" } }} most={24} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
