// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { get, post, type Schema } from "../../api/client";
import { useAnswer, useSettled } from "../../api/use";
import { RuleText, Sentence } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, percent } from "../../words";
import { Clusters } from "./Clusters";
import { Formula } from "./Formula";
import { Space } from "./Space";

/** What the model has found out about single entities, and where it puts them. */
export function Functions({ words }: { words: URLSearchParams }) {
  const { run } = useSession();
  const [search, setSearch] = useState("");
  const opened = words.get("formula");
  const [draft, setDraft] = useState(opened ?? "");
  const settled = useSettled(draft, 300);
  const asked = useAnswer("functions", (signal) => get("/functions", { query: { run: run.name }, signal }));
  const clusters = useAnswer("clusters", (signal) => get("/runs/{run}/clusters", { path: { run: run.name }, query: { clusters: 8 }, signal }));
  const checked = useAnswer(settled.trim() ? settled : null, (signal) =>
    post("/formulas/check", { run: run.name, formula: settled, limit: 1000 }, { signal }),
  );
  const open = (formula: string) => {
    setDraft(formula);
    adjust({ formula }, true);
  };
  const holds = checked.value?.valid && settled.trim() ? new Set(checked.value.entities.map(({ name }) => name)) : undefined;
  return (
    <div class="functions panes opened">
      <section class="pane" aria-label="Functions">
        <h2>Functions</h2>
        <label class="search">
          <span class="hidden">Search</span>
          <input type="search" placeholder="words of a formula" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <Answered asked={asked} waiting="Reading the functions; the first time this takes a while">
          {({ functions }) => <List functions={functions} search={search} opened={draft} onOpen={open} />}
        </Answered>
      </section>
      <div class="pane-stack">
        <section class="pane" aria-label="Formula">
          <Formula
            draft={draft}
            settled={settled}
            checked={checked}
            onDraft={(text) => {
              setDraft(text);
              adjust({ formula: text || null }, true);
            }}
          />
        </section>
        <section class="pane" aria-label="Space of the functions">
          <h2>
            Space of the functions{" "}
            <span class="note">{holds ? "entities of which the formula holds are marked" : "every dot is an entity, in the colour of its cluster"}</span>
          </h2>
          <Space holds={holds} clusters={clusters.value} />
        </section>
        <section class="pane" aria-label="Clusters">
          <h2>
            Clusters <span class="note">entities of which the same formulas hold</span>
          </h2>
          <Clusters asked={clusters} opened={draft} onOpen={open} />
        </section>
      </div>
    </div>
  );
}

interface ListProps {
  functions: readonly Schema<"Function">[];
  search: string;
  opened: string;
  onOpen: (formula: string) => void;
}

function List({ functions, search, opened, onOpen }: ListProps) {
  const { run } = useSession();
  const wanted = search.trim().toLowerCase();
  const shown = functions.filter(({ formula, english }) => !wanted || `${formula} ${english}`.toLowerCase().includes(wanted));
  if (!functions.length)
    return <Empty title="The model has no functions">It was learned without them, or none could be told as a formula.</Empty>;
  if (!shown.length) return <Empty title="No function fits">There are {count(functions.length)}.</Empty>;
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Formula</th>
          <th scope="col" class="number" title="of the weight of all functions">
            Use
          </th>
          <th scope="col" class="number" title="of the entities, those of which it holds">
            Holds
          </th>
          <th scope="col" class="number wide" title="of the entities, those for which function and formula agree">
            Agrees
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => (
          <tr key={one.formula} class={one.formula === opened ? "current" : undefined}>
            <td>
              <a
                class="open"
                href={formatRoute("functions", { run: run.name, formula: one.formula })}
                aria-current={one.formula === opened ? "true" : undefined}
                onClick={() => onOpen(one.formula)}
              >
                <Sentence text={one.english} />
              </a>
              <RuleText text={one.formula} />
            </td>
            <td class="number">{percent(one.use)}</td>
            <td class="number">{percent(one.share)}</td>
            <td class="number wide">{percent(one.agreement)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
