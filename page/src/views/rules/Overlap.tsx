// SPDX-License-Identifier: Apache-2.0
import { post } from "../../api/client";
import { useAnswer } from "../../api/use";
import { RuleText, Sentence } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { changed, formatRoute, parseRoute } from "../../route";
import { useSession } from "../../session";
import { many, percent } from "../../words";

/** Which other rules with the same head find what a rule finds. */
export function Overlap({ rule }: { rule: string }) {
  const { run } = useSession();
  const asked = useAnswer(rule, (signal) => post("/rules/overlap", { run: run.name, rule, top: 8 }, { signal }), false);
  const { words } = parseRoute(location.hash);
  return (
    <section aria-label="Overlap">
      <h3>
        Overlap <span class="note">rules of the same relation that find the same pairs</span>
      </h3>
      <Answered asked={asked} waiting="Comparing with other rules; the first time this takes a while">
        {(overlap) =>
          overlap.total ? (
            <>
              <table class="list plain overlap">
                <thead>
                  <tr>
                    <th scope="col">Rule</th>
                    <th scope="col" class="number" title="of the pairs of this rule, those that the other finds too">
                      Of this
                    </th>
                    <th scope="col" class="number" title="of the pairs of the other, those that this rule finds too">
                      Of the other
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {overlap.others.map((other) => (
                    <tr key={other.rule}>
                      <td>
                        <a class="open" href={formatRoute("rules", changed(words, { rule: other.rule }))}>
                          <Sentence text={other.english} />
                        </a>
                        <RuleText text={other.rule} most={120} />
                      </td>
                      <td class="number">{percent(other.share_of_own)}</td>
                      <td class="number">{percent(other.share_of_other)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {overlap.total > overlap.others.length && <p class="note">and {many(overlap.total - overlap.others.length, "rule")} less alike</p>}
              {overlap.counted < 1 && <p class="note">Compared on a sample: {percent(overlap.counted)} of the starts.</p>}
            </>
          ) : (
            <Empty title="No other rule finds any of its pairs" />
          )
        }
      </Answered>
    </section>
  );
}
