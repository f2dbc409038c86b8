// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { get } from "../../api/client";
import { useAnswer, useSettled } from "../../api/use";
import { RelationPicker } from "../../parts/pickers";
import { Answered } from "../../parts/states";
import { adjust } from "../../route";
import { useSession } from "../../session";
import { KeptRules, useKept } from "./Kept";
import { OpenRule } from "./OpenRule";
import { RuleTable } from "./RuleTable";
import { SwitchedOff } from "./SwitchedOff";

const each = 50;
const sorts = ["share", "confidence", "support", "weight"] as const;

/** The rules of the run: to be found, opened, edited and kept. */
export function Rules({ words }: { words: URLSearchParams }) {
  const { run } = useSession();
  const kept = useKept(run.name);
  const [text, setText] = useState(words.get("q") ?? "");
  const settled = useSettled(text, 250);
  useEffect(() => {
    if (settled !== (words.get("q") ?? "")) adjust({ q: settled || null, offset: null }, true);
  }, [settled]);

  const number = (name: string) => {
    const word = words.get(name);
    return word === null || word === "" || Number.isNaN(Number(word)) ? undefined : Number(word);
  };
  const sort = sorts.find((name) => name === words.get("sort")) ?? "share";
  const offset = number("offset") ?? 0;
  const percent = number("conf");
  const query = {
    run: run.name,
    limit: each,
    offset,
    sort,
    ...optional("search", words.get("q") ?? undefined),
    ...optional("relation", words.get("r") ?? undefined),
    ...optional("length", number("length")),
    ...optional("min_confidence", percent === undefined ? undefined : percent / 100),
    ...optional("min_support", number("sup")),
  };
  const asked = useAnswer(JSON.stringify(query), (signal) => get("/rules", { query, signal }));
  const opened = words.get("rule");
  const off = words.getAll("off");
  const filter = (name: string, value: string) => adjust({ [name]: value || null, offset: null }, true);
  return (
    <div class="rules">
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <label class="grow">
          Search
          <input type="search" value={text} placeholder="words of a rule" maxLength={200} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <RelationPicker title="Relation" value={words.get("r") ?? ""} onPick={(name) => filter("r", name)} />
        <label>
          Length
          <select value={words.get("length") ?? ""} onChange={(event) => filter("length", event.currentTarget.value)}>
            <option value="">any</option>
            {[0, 1, 2, 3, 4, 5, 6].map((hops) => (
              <option key={hops} value={String(hops)}>
                {hops} {hops === 1 ? "hop" : "hops"}
              </option>
            ))}
          </select>
        </label>
        <label>
          Confidence, % at least
          <input type="number" min="0" max="100" value={words.get("conf") ?? ""} onChange={(event) => filter("conf", event.currentTarget.value)} />
        </label>
        <label>
          Support at least
          <input type="number" min="0" value={words.get("sup") ?? ""} onChange={(event) => filter("sup", event.currentTarget.value)} />
        </label>
        <label>
          Sorted by
          <select value={sort} onChange={(event) => filter("sort", event.currentTarget.value)}>
            {sorts.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </form>
      <div class={opened === null ? "panes" : "panes opened reading"}>
        <section class="pane" aria-label="Rules">
          <Answered asked={asked} waiting="Reading the rules; the first time this takes a while">
            {(page) => <RuleTable page={page} opened={opened} each={each} kept={kept} off={off} />}
          </Answered>
          {opened === null && <SwitchedOff off={off} />}
          <KeptRules kept={kept} run={run.name} />
        </section>
        {opened !== null && <OpenRule key={opened} text={opened} kept={kept} off={off} />}
      </div>
    </div>
  );
}

/** Left out rather than undefined, as the types of the API want it. */
function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: V });
}
