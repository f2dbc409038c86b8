// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import type { Schema } from "../../api/client";
import type { Asked } from "../../api/use";
import { FactText, RuleText } from "../../parts/Name";
import { EntityPicker, RelationPicker } from "../../parts/pickers";
import { Failure } from "../../parts/states";
import { adjust } from "../../route";
import { relationLabel, useSession } from "../../session";
import { decimal, type FactNames, packFact, percent, rank } from "../../words";
import { namesOf } from "./proof";
import { FactToggle } from "./Reasons";

interface ChangesProps {
  hide: readonly Schema<"Fact">[];
  add: readonly Schema<"Fact">[];
  asked: Asked<Schema<"Explanation">>;
  onToggle: (packed: string) => void;
}

/** What is supposed, and how to take it back. */
export function Changes({ hide, add, asked, onToggle }: ChangesProps) {
  const session = useSession();
  if (!hide.length && !add.length) return null;
  const line = (fact: Schema<"Fact">, word: string) => {
    const packed = packFact(namesOf(fact));
    return (
      <li key={word + packed}>
        <span class={word === "with" ? "tag new" : "tag doubt"}>{word}</span>
        <FactText fact={fact} relation={relationLabel(session, fact.relation)} />
        <button type="button" class="small" onClick={() => onToggle(packed)}>
          Take back
        </button>
      </li>
    );
  };
  return (
    <section class="changes" aria-label="What if">
      <h3>
        What if{" "}
        <button type="button" class="small" onClick={() => adjust({ hide: null, add: null }, true)}>
          Take all back
        </button>
      </h3>
      <ul>
        {hide.map((fact) => line(fact, "without"))}
        {add.map((fact) => line(fact, "with"))}
      </ul>
      {asked.error && <Failure error={asked.error} again={asked.again} />}
    </section>
  );
}

export function Needed({ why, hidden, onToggle }: { why: Schema<"Explanation">; hidden: ReadonlySet<string>; onToggle: (packed: string) => void }) {
  if (!why.needed.length) return null;
  return (
    <section aria-label="What it rests on">
      <h3>
        What it rests on <span class="note">each fact alone thought away</span>
      </h3>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Without</th>
            <th scope="col" class="number">
              Probability
            </th>
            <th scope="col" class="number">
              Rank
            </th>
            <th scope="col" class="number">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {why.needed.map(({ fact, without }) => (
            <tr key={packFact(namesOf(fact))}>
              <td>
                <FactToggle fact={fact} hidden={hidden} onToggle={onToggle} />
              </td>
              <td class="number">{percent(without.probability)}</td>
              <td class="number">{rank(without.rank)}</td>
              <td class="number">{decimal(without.score, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Missing({ why, added, onAdd }: { why: Schema<"Explanation">; added: ReadonlySet<string>; onAdd: (packed: string) => void }) {
  const session = useSession();
  if (!why.missing.length) return null;
  return (
    <section aria-label="What is missing">
      <h3>
        What is missing <span class="note">facts that would have helped</span>
      </h3>
      <ul class="missing">
        {why.missing.map((missing) => {
          const packed = packFact(namesOf(missing.fact));
          return (
            <li key={packed}>
              <button type="button" class="fact-toggle" disabled={added.has(packed)} onClick={() => onAdd(packed)}>
                <span class="plus" aria-hidden="true">
                  +
                </span>
                <FactText fact={missing.fact} relation={relationLabel(session, missing.fact.relation)} />
              </button>
              <span class="figures">
                <span>rank {rank(missing.with.rank)}</span>
                {missing.with.probability !== null && <span>{percent(missing.with.probability)}</span>}
              </span>
              <RuleText text={missing.rule} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Any fact thought into the graph. */
export function AddFact({ head, relation, tail, onAdd }: FactNames & { onAdd: (fact: FactNames) => void }) {
  const [fact, setFact] = useState<FactNames>({ head, relation: "", tail });
  const same = fact.head === head && fact.relation === relation && fact.tail === tail;
  const whole = fact.head !== "" && fact.relation !== "" && fact.tail !== "";
  return (
    <details class="add-fact">
      <summary>Think a fact into the graph</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!whole || same) return;
          onAdd(fact);
          setFact({ ...fact, relation: "" });
        }}
      >
        <EntityPicker title="Head" value={fact.head} onPick={(name) => setFact({ ...fact, head: name })} />
        <RelationPicker title="Relation" value={fact.relation} placeholder="choose a relation" onPick={(name) => setFact({ ...fact, relation: name })} />
        <EntityPicker title="Tail" value={fact.tail} onPick={(name) => setFact({ ...fact, tail: name })} />
        <button type="submit" disabled={!whole || same}>
          Add
        </button>
      </form>
      {same && <p class="note">That is the fact which is asked about.</p>}
    </details>
  );
}
