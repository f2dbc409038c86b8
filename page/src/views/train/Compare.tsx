// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { get, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { RuleText, Sentence } from "../../parts/Name";
import { RankChanges } from "../../parts/RankChanges";
import { Answered, Empty } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, many, percent } from "../../words";
import { Curves } from "./Curves";
import { epochsOf } from "./epochs";
import { figureRows } from "./figures";

/** Two runs side by side: figures, curves, questions that changed rank, and the rules that only one of them has. */
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
  const [limit, setLimit] = useState(10);
  const rules = useAnswer(`rules ${limit}`, (signal) =>
    get("/runs/{run}/compare/rules", { path: { run: before }, query: { with: after, limit }, signal }),
  );
  const more = () => setLimit(Math.min(1000, limit * 5));
  return (
    <div class="compare">
      <Answered asked={runs} waiting="Reading both runs">
        {([first, second]) => first && second && <Figures before={first} after={second} />}
      </Answered>
      <section class="pane" aria-label="Questions that changed rank">
        <Moved before={before} after={after} />
      </section>
      <Answered asked={rules} waiting="Reading the rules of both; the first time this takes a while">
        {({ gained, lost, kept }) => (
          <div class="columns">
            <RuleSide title="Rules gained" side={gained} kept={kept} run={after} onMore={more} />
            <RuleSide title="Rules lost" side={lost} kept={kept} run={before} onMore={more} />
          </div>
        )}
      </Answered>
    </div>
  );
}

const amounts = { "500": "500 facts", "2000": "2,000 facts", "0": "all facts" } as const;

/** The same questions asked of both runs: whose answers have moved. */
function Moved({ before, after }: { before: string; after: string }) {
  const [split, setSplit] = useState<"valid" | "test">("valid");
  const [facts, setFacts] = useState<keyof typeof amounts>("500");
  const asked = useAnswer(`${split} ${facts}`, (signal) =>
    get("/runs/{run}/compare/ranks", { path: { run: before }, query: { with: after, split, facts: Number(facts), top: 25 }, signal }),
  );
  return (
    <>
      <h2>Questions that changed rank</h2>
      <form class="filters" aria-label="Questions" onSubmit={(event) => event.preventDefault()}>
        <label>
          Facts of
          <select value={split} onChange={(event) => setSplit(event.currentTarget.value === "test" ? "test" : "valid")}>
            <option value="valid">validation</option>
            <option value="test">test</option>
          </select>
        </label>
        <label>
          At most
          <select value={facts} onChange={(event) => setFacts(event.currentTarget.value as keyof typeof amounts)}>
            {Object.entries(amounts).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Answered asked={asked} waiting="Asking both runs; this may take a while">
        {(ranks) => (
          <>
            <RankChanges changes={ranks} run={after} split={split === "test" ? "test" : "validation"} before={before} after={after} />
            {ranks.questions < 2 * ranks.facts && (
              <p class="note">
                {count(ranks.questions / 2)} facts, spread evenly over the {count(ranks.facts)} that both data have.
              </p>
            )}
          </>
        )}
      </Answered>
    </>
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

interface RuleSideProps {
  title: string;
  side: Schema<"RulesApart">["gained"];
  kept: number;
  run: string;
  onMore: () => void;
}

function RuleSide({ title, side, kept, run, onMore }: RuleSideProps) {
  return (
    <section class="pane" aria-label={title}>
      <h2>
        {title}{" "}
        <span class="note">
          {count(side.total)} of the {count(side.read)} rules of <bdi>{run}</bdi>; both have {count(kept)}
        </span>
      </h2>
      {!side.total && <Empty title="None" />}
      <ul class="rule-side">
        {side.rules.map((rule) => (
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
      {side.total > side.rules.length && (
        <p class="row">
          <button type="button" onClick={onMore}>
            Show more
          </button>
          <span class="note">{many(side.total - side.rules.length, "weaker rule")}</span>
        </p>
      )}
    </section>
  );
}
