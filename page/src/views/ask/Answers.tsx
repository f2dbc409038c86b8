// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import { Bar } from "../../parts/Bar";
import { Name } from "../../parts/Name";
import { Empty } from "../../parts/states";
import { adjust, changed, formatRoute, parseRoute } from "../../route";
import { learnLabel } from "../../session";
import { decimal, percent, rank } from "../../words";

export function Known({ split }: { split: string | null }) {
  return split === null ? <span class="tag new">new</span> : <span class="tag">{split === "facts" ? "known" : `known · ${split}`}</span>;
}

export function Answers({ prediction, opened, top }: { prediction: Schema<"Prediction">; opened: string | null; top: number }) {
  learnLabel(prediction.given, prediction.given_label);
  const { words } = parseRoute(location.hash);
  if (!prediction.answers.length) return <Empty title="There is no answer">All answers may be known already: show known ones too.</Empty>;
  return (
    <>
      <table class="list">
        <thead>
          <tr>
            <th scope="col" class="number">
              Rank
            </th>
            <th scope="col">Answer</th>
            <th scope="col">Probability</th>
            <th scope="col" class="number wide">
              Score
            </th>
            <th scope="col">
              <span class="hidden">Standing</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {prediction.answers.map((answer) => (
            <tr key={answer.name} class={answer.name === opened ? "current" : undefined}>
              <td class="number">{rank(answer.rank)}</td>
              <td>
                <a
                  class="open"
                  aria-current={answer.name === opened ? "true" : undefined}
                  href={formatRoute("ask", changed(words, { a: answer.name, hide: null, add: null, vs: null }))}
                >
                  <Name name={answer.name} label={answer.label} />
                </a>
              </td>
              <td class="measure">
                {answer.probability === null ? (
                  <span class="muted">not learned</span>
                ) : (
                  <>
                    <span class="figure">{percent(answer.probability)}</span>
                    <Bar value={answer.probability} />
                  </>
                )}
              </td>
              <td class="number wide">{decimal(answer.score, 2)}</td>
              <td>
                <Known split={answer.known} />
                {answer.objection && (
                  <span class="tag doubt" title={answer.objection}>
                    objection
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {prediction.answers.length >= top && top < 1000 && (
        <p class="more">
          <button type="button" onClick={() => adjust({ top: String(Math.min(1000, top * 5)) }, true)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
