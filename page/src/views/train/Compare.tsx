// SPDX-License-Identifier: Apache-2.0
import { get, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { RuleText, Sentence } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, many, percent } from "../../words";
import { Curves } from "./Curves";
import { epochsOf } from "./epochs";
import { figureRows, rulesApart } from "./figures";

/** Two runs side by side: figures, curves, and the rules that only one of them has. */
export function Compare({ words }: { words: URLSearchParams }) {
  const session = useSession();
  const run = session.run.name;
  const others = session.runs.filter(({ name }) => name !== run);
  const other = others.find(({ name }) => name === words.get("with"))?.name ?? "";
  if (!others.length) return <Empty title="There is only one run">Learn another, or serve several: lerp serve RUN RUN.</Empty>;
  return (
    <>
      <form class="filters" aria-label="Runs" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>
            <bdi>{run}</bdi> with
          </span>
          <select value={other} onChange={(event) => adjust({ with: event.currentTarget.value || null }, true)}>
            <option value="">choose a run</option>
            {others.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </form>
      {other === "" ? <Empty title="Choose the run to compare with" /> : <Sides key={other} before={run} after={other} />}
    </>
  );
}

function Sides({ before, after }: { before: string; after: string }) {
  const runs = useAnswer(
    "runs",
    (signal) => Promise.all([before, after].map((run) => get("/runs/{run}", { path: { run }, signal }))),
  );
  const rules = useAnswer("rules", (signal) =>
    Promise.all([before, after].map((run) => get("/rules", { query: { run, limit: 1000 }, signal }))),
  );
  return (
    <div class="compare">
      <Answered asked={runs} waiting="Reading both runs">
        {([first, second]) => first && second && <Figures before={first} after={second} />}
      </Answered>
      <Answered asked={rules} waiting="Reading the rules of both; the first time this takes a while">
        {([first, second]) => {
          if (!first || !second) return null;
          const { gained, lost } = rulesApart(first.rules, second.rules);
          const among = `among the ${count(Math.max(first.rules.length, second.rules.length))} strongest of each`;
          return (
            <div class="columns">
              <RuleSide title="Rules gained" among={among} rules={gained} run={after} />
              <RuleSide title="Rules lost" among={among} rules={lost} run={before} />
            </div>
          );
        }}
      </Answered>
    </div>
  );
}

function Figures({ before, after }: { before: Schema<"Run">; after: Schema<"Run"> }) {
  const rows = figureRows(before.metrics, after.metrics);
  return (
    <div class="columns">
      <section class="pane" aria-label="Figures">
        <h2>
          Figures <span class="note">on the test facts, ties by their mean rank</span>
        </h2>
        {before.dataset !== after.dataset && (
          <p class="note">
            Learned on <bdi>{before.dataset}</bdi> and <bdi>{after.dataset}</bdi>: their figures compare as far as the data is the same.
          </p>
        )}
        {rows.length ? (
          <table class="list plain">
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">Figure</span>
                </th>
                <th scope="col" class="number">
                  <bdi>{before.name}</bdi>
                </th>
                <th scope="col" class="number">
                  <bdi>{after.name}</bdi>
                </th>
                <th scope="col" class="number">
                  Change
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ title, first, second, change, better }) => (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  <td class="number">{first}</td>
                  <td class="number">{second}</td>
                  <td class={better === undefined ? "number" : better ? "number better" : "number worse"}>{change}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <Empty title="One of them has no figures">A run has them when it has been learned to its end.</Empty>
        )}
      </section>
      {[before, after].map((run) => (
        <section class="pane" key={run.name} aria-label={`Curves of ${run.name}`}>
          <h2>
            <bdi>{run.name}</bdi>
          </h2>
          <Curves epochs={epochsOf(run.trace)} title={`Loss and validation MRR of ${run.name}`} />
        </section>
      ))}
    </div>
  );
}

function RuleSide({ title, among, rules, run }: { title: string; among: string; rules: readonly Schema<"Rule">[]; run: string }) {
  const shown = rules.slice(0, 25);
  return (
    <section class="pane" aria-label={title}>
      <h2>
        {title}{" "}
        <span class="note">
          {count(rules.length)} {among}
        </span>
      </h2>
      {!rules.length && <Empty title="None" />}
      <ul class="rule-side">
        {shown.map((rule) => (
          <li key={rule.rule}>
            <a href={formatRoute("rules", { run, rule: rule.rule })}>
              <Sentence text={rule.english} />
            </a>
            <RuleText text={rule.rule} />
            <span class="figures">
              <span>share {percent(rule.share)}</span>
              <span>confidence {percent(rule.confidence)}</span>
              <span>support {count(rule.support)}</span>
            </span>
          </li>
        ))}
      </ul>
      {rules.length > shown.length && <p class="note">and {many(rules.length - shown.length, "weaker rule")}</p>}
    </section>
  );
}
