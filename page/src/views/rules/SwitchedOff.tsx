// SPDX-License-Identifier: Apache-2.0
import { post } from "../../api/client";
import { useAnswer } from "../../api/use";
import { RuleText } from "../../parts/Name";
import { RankChanges } from "../../parts/RankChanges";
import { Answered } from "../../parts/states";
import { adjust } from "../../route";
import { useSession } from "../../session";
import { count, many, signed } from "../../words";

/** Puts a rule among those that are switched off, which stand in the address, or takes it out. */
export function toggle(off: readonly string[], rule: string): void {
  adjust({ off: off.includes(rule) ? off.filter((other) => other !== rule) : [...off, rule] }, true);
}

/** What the list of rules loses on validation facts without the rules that are switched off. */
export function SwitchedOff({ off }: { off: readonly string[] }) {
  const { run } = useSession();
  const asked = useAnswer(off.length ? JSON.stringify(off) : null, (signal) =>
    post("/rules/without", { run: run.name, rules: [...off], split: "valid", top: 10 }, { signal }),
  );
  if (!off.length) return null;
  return (
    <section class="switched-off" aria-label="Switched off">
      <h3>
        Switched off <span class="note">{many(off.length, "rule")}; nothing of this changes the run</span>
      </h3>
      <ul class="kept-rules">
        {off.map((rule) => (
          <li key={rule}>
            <RuleText text={rule} most={120} />
            <button type="button" class="small" aria-label={`Switch on: ${rule}`} onClick={() => toggle(off, rule)}>
              Switch on
            </button>
          </li>
        ))}
      </ul>
      <Answered asked={asked} waiting="Ranking the validation facts with and without">
        {(without) => (
          <>
            <RankChanges changes={without} run={run.name} split="validation" before="with" after="without" />
            <p class="note">
              Over all {count(without.of_split)} validation questions the MRR changes by {signed(without.gain_of_split, 5)}.
              {!without.answers && " It is the list that is ranked here, while the model answers questions."}
            </p>
          </>
        )}
      </Answered>
    </section>
  );
}
