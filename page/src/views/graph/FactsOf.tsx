// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { Name } from "../../parts/Name";
import { Empty } from "../../parts/states";
import { relationLabel, useSession } from "../../session";
import { count, packFact } from "../../words";
import { factsOf, type Grown } from "./grow";

const first = 200;

/** The facts of an entity in words; every neighbour is a button. */
export function FactsOf({ graph, name, onChoose }: { graph: Grown; name: string; onChoose: (name: string) => void }) {
  const session = useSession();
  const [all, setAll] = useState(false);
  const facts = factsOf(graph, name);
  if (!facts.length) return <Empty title="There is no such fact">Take the relation away, or choose another entity.</Empty>;
  const shown = all ? facts : facts.slice(0, first);
  return (
    <>
      <ul class="neighbours">
        {shown.map((fact) => {
          const out = fact.head === name;
          const other = out ? fact.tail : fact.head;
          return (
            <li key={packFact(fact)}>
              <span class="relation">
                {!out && <span aria-label="from">← </span>}
                <Name name={fact.relation} label={relationLabel(session, fact.relation)} most={32} />
                {out && <span aria-label="to"> →</span>}
              </span>
              <button type="button" class="link" onClick={() => onChoose(other)}>
                <Name name={other} label={graph.labels.get(other)?.label} most={48} />
              </button>
              {graph.opened.has(other) ? <span class="tag">opened</span> : <span class="hint">{count(graph.labels.get(other)?.degree ?? 0)}</span>}
            </li>
          );
        })}
      </ul>
      {facts.length > first && !all && (
        <button type="button" onClick={() => setAll(true)}>
          All {count(facts.length)} in words
        </button>
      )}
    </>
  );
}
