// SPDX-License-Identifier: Apache-2.0
import { get } from "../../api/client";
import { useAnswer } from "../../api/use";
import { Answered } from "../../parts/states";
import { formatRoute } from "../../route";
import { useSession } from "../../session";
import { Compare } from "./Compare";
import { Curves } from "./Curves";
import { epochsOf } from "./epochs";
import { Jobs } from "./Jobs";
import { Start } from "./Start";

/** Runs are learned, watched and compared. */
export function Train({ words }: { words: URLSearchParams }) {
  const session = useSession();
  const part = words.get("part") === "compare" ? "compare" : "learn";
  return (
    <div class="train">
      <div class="filters">
        <div class="tabs" role="group" aria-label="Part">
          <a href={formatRoute("train", { run: session.run.name })} aria-current={part === "learn" ? "true" : undefined}>
            Learn
          </a>
          <a href={formatRoute("train", { run: session.run.name, part: "compare" })} aria-current={part === "compare" ? "true" : undefined}>
            Compare runs
          </a>
        </div>
      </div>
      {part === "compare" ? (
        <Compare words={words} />
      ) : (
        <div class="panes opened">
          <div class="pane-stack">
            <section class="pane" aria-label="New run">
              <Start />
            </section>
            <section class="pane" aria-label="This run">
              <ThisRun />
            </section>
          </div>
          <Jobs chosen={words.get("job")} />
        </div>
      )}
    </div>
  );
}

function ThisRun() {
  const { run } = useSession();
  const asked = useAnswer("run", (signal) => get("/runs/{run}", { path: { run: run.name }, signal }));
  return (
    <>
      <h2>
        How <bdi>{run.name}</bdi> was learned
      </h2>
      <Answered asked={asked} waiting="Reading the run">
        {(whole) => {
          const epochs = epochsOf(whole.trace);
          return (
            <>
              <Curves epochs={epochs} title={`Loss and validation MRR of ${run.name}`} />
              <Options config={whole.config} />
            </>
          );
        }}
      </Answered>
    </>
  );
}

function Options({ config }: { config: Record<string, unknown> }) {
  const rows = Object.entries(config).filter(([, value]) => typeof value !== "object" || value === null);
  if (!rows.length) return null;
  return (
    <details>
      <summary>Options</summary>
      <table class="list plain">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <bdi>{String(value)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
