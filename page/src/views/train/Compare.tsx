// SPDX-License-Identifier: Apache-2.0
import { get, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { Name, RuleText } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { relationLabel, useSession } from "../../session";
import { count, decimal, percent, rank, signed } from "../../words";

/** Two runs side by side: figures, rules gained and lost, questions whose rank moved. */
export function Compare({ words }: { words: URLSearchParams }) {
  const session = useSession();
  const run = session.run.name;
  const other = words.get("with") ?? "";
  const split = words.get("split") === "valid" ? "valid" : "test";
  const others = session.runs.filter(({ name }) => name !== run);
  const asked = useAnswer(other ? JSON.stringify([run, other, split]) : null, (signal) =>
    get("/compare", { query: { run, with: other, split, limit: 50 }, signal }),
  );
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
        <label>
          On facts for
          <select value={split} onChange={(event) => adjust({ split: event.currentTarget.value }, true)}>
            <option value="test">test</option>
            <option value="valid">validation</option>
          </select>
        </label>
      </form>
      {other === "" ? (
        <Empty title="Choose the run to compare with" />
      ) : (
        <Answered asked={asked} waiting="Ranking both; this takes a while">
          {(comparison) => <Sides comparison={comparison} />}
        </Answered>
      )}
    </>
  );
}

function Sides({ comparison }: { comparison: Schema<"Comparison"> }) {
  const session = useSession();
  const { figures } = comparison;
  const rows = [
    ["MRR", "mrr"],
    ["Hits@1", "hits_at_1"],
    ["Hits@10", "hits_at_10"],
  ] as const;
  return (
    <div class="compare">
      <section class="pane" aria-label="Figures">
        <h2>Figures</h2>
        <table class="list plain">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Figure</span>
              </th>
              <th scope="col" class="number">
                <bdi>{comparison.run}</bdi>
              </th>
              <th scope="col" class="number">
                <bdi>{comparison.with}</bdi>
              </th>
              <th scope="col" class="number">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([title, key]) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td class="number">{decimal(figures.run[key])}</td>
                <td class="number">{decimal(figures.with[key])}</td>
                <td class="number">{signed(figures.with[key] - figures.run[key])}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">Questions</th>
              <td class="number">{count(figures.run.queries)}</td>
              <td class="number">{count(figures.with.queries)}</td>
              <td />
            </tr>
          </tbody>
        </table>
        <p class="note">
          {count(comparison.better)} questions rank better, {count(comparison.worse)} worse, {count(comparison.same)} as before.
        </p>
      </section>
      <section class="pane" aria-label="Questions that moved">
        <h2>Questions that moved most</h2>
        {comparison.moved.length ? (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col" class="number">
                  Rank before
                </th>
                <th scope="col" class="number">
                  after
                </th>
              </tr>
            </thead>
            <tbody>
              {comparison.moved.map((moved) => (
                <tr key={[moved.head, moved.relation, moved.tail, moved.direction].join("\n")}>
                  <td>
                    <a
                      class="open"
                      href={formatRoute("ask", {
                        run: comparison.with,
                        e: moved.direction === "tail" ? moved.head : moved.tail,
                        r: moved.relation,
                        end: moved.direction === "head" ? "head" : null,
                        a: moved.direction === "tail" ? moved.tail : moved.head,
                      })}
                    >
                      <Name name={moved.head} most={28} /> <span class="relation">–{relationLabel(session, moved.relation)}→</span>{" "}
                      <Name name={moved.tail} most={28} />
                    </a>{" "}
                    <span class="note">asked for the {moved.direction}</span>
                  </td>
                  <td class="number">{rank(moved.before)}</td>
                  <td class={moved.after < moved.before ? "number better" : "number worse"}>{rank(moved.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <Empty title="No question moved" />
        )}
      </section>
      <RuleSide title="Rules gained" rules={comparison.gained} run={comparison.with} />
      <RuleSide title="Rules lost" rules={comparison.lost} run={comparison.run} />
    </div>
  );
}

function RuleSide({ title, rules, run }: { title: string; rules: readonly Schema<"Rule">[]; run: string }) {
  return (
    <section class="pane" aria-label={title}>
      <h2>
        {title} <span class="note">{count(rules.length)}</span>
      </h2>
      {!rules.length && <Empty title="None" />}
      <ul class="rule-side">
        {rules.map((rule) => (
          <li key={rule.rule}>
            <a href={formatRoute("rules", { run, rule: rule.rule })}>
              <bdi>{rule.english}</bdi>
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
    </section>
  );
}
