// SPDX-License-Identifier: Apache-2.0
import { post, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { Name, RuleText, Sentence } from "../../parts/Name";
import { EntityPicker } from "../../parts/pickers";
import { Answered, Empty } from "../../parts/states";
import { adjust } from "../../route";
import { labelOf } from "../../session";
import { count, decimal, given, percent, rank } from "../../words";
import { differences } from "./rivals";

interface Props {
  question: { run: string; head: string; relation: string; tail: string; direction: "head" | "tail"; rules_only: boolean };
  /** The answer that it is compared with, and some that suggest themselves. */
  rival: string | null;
  others: readonly string[];
}

const shown = 8;

/** Why not another one: the reasons that tell two answers apart. */
export function Rival({ question, rival, others }: Props) {
  const answer = question[question.direction];
  const both = useAnswer(rival === null || rival === answer ? null : JSON.stringify([question, rival]), (signal) =>
    Promise.all(
      [answer, rival ?? ""].map((name) =>
        post("/explain", { ...question, [question.direction]: name, reasons: 200, groundings: 0, facts: 0, missing: 0 }, { signal }),
      ),
    ),
  );
  const choose = (name: string) => adjust({ vs: name || null }, true);
  return (
    <section class="rival" aria-label="Why not another one">
      <h3>Why not another one</h3>
      <div class="row">
        <EntityPicker title="Compare with" value={rival ?? ""} onPick={choose} />
        {others.map((name) => (
          <button key={name} type="button" class="small" aria-pressed={name === rival} onClick={() => choose(name === rival ? "" : name)}>
            <Name name={name} label={labelOf(name)} most={24} />
          </button>
        ))}
      </div>
      {rival !== null && rival === answer && <Empty title="It is the same answer" />}
      <Answered asked={both} waiting="Explaining both">
        {([first, second]) => first && second && <Sides first={first} second={second} names={[answer, rival ?? ""]} />}
      </Answered>
    </section>
  );
}

function Sides({ first, second, names }: { first: Schema<"Explanation">; second: Schema<"Explanation">; names: readonly [string, string] }) {
  const apart = differences(first.reasons, second.reasons);
  const sides = [first, second] as const;
  const head = names.map((name) => <Name key={name} name={name} label={labelOf(name)} most={24} />);
  const cell = (share: number) => (share === 0 ? "–" : given(first.readout, share));
  return (
    <>
      <table class="list plain rivals">
        <thead>
          <tr>
            <th scope="col">Reasons that tell them apart</th>
            <th scope="col" class="number">
              {head[0]}
            </th>
            <th scope="col" class="number">
              {head[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {(
            [
              ["Rank", (one: Schema<"Explanation">) => rank(one.rank)],
              ["Probability", (one: Schema<"Explanation">) => percent(one.probability)],
              ["Score", (one: Schema<"Explanation">) => decimal(one.score, 2)],
            ] as const
          ).map(([title, say]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {sides.map((one, index) => (
                <td key={index} class="number">
                  {say(one)}
                </td>
              ))}
            </tr>
          ))}
          {apart.slice(0, shown).map((one) => (
            <tr key={one.rule ?? ""}>
              <td>
                <Sentence text={one.english ?? "The embedding: what the vectors of the entities say"} />
                {one.rule && (
                  <div>
                    <RuleText text={one.rule} most={120} />
                  </div>
                )}
              </td>
              <td class={one.first > one.second ? "number better" : "number"}>{cell(one.first)}</td>
              <td class={one.second > one.first ? "number better" : "number"}>{cell(one.second)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!apart.length && <p class="note">The same reasons give the same to both.</p>}
      {apart.length > shown && <p class="note">and {count(apart.length - shown)} reasons that tell them apart less</p>}
    </>
  );
}
