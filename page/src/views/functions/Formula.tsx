// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import type { Asked } from "../../api/use";
import { Bar } from "../../parts/Bar";
import { FormulaField } from "../../parts/FormulaField";
import { Name, Sentence } from "../../parts/Name";
import { Answered } from "../../parts/states";
import { formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, many, percent } from "../../words";

interface Props {
  draft: string;
  settled: string;
  checked: Asked<Schema<"FormulaCheck">>;
  onDraft: (text: string) => void;
}

const first = 60;

/** A formula, of the list or one's own, and of which entities it holds. */
export function Formula({ draft, settled, checked, onDraft }: Props) {
  const { run } = useSession();
  const answer = checked.value;
  const wrong = answer && !answer.valid && settled === draft && draft.trim() ? answer : undefined;
  return (
    <>
      <h2>Formula</h2>
      <div class="editor">
        <FormulaField title="Choose one, or write your own" value={draft} placeholder="∃z1 son(z1,x)" rows={2} error={wrong} onInput={onDraft} />
      </div>
      {draft.trim() !== "" && (
        <Answered asked={checked} waiting="Looking who it holds of">
          {(check) =>
            check.valid ? (
              <>
                <p class="english lead">
                  <Sentence text={check.english} />
                </p>
                <p class="measure line">
                  <span class="figure">{percent(check.share)}</span>
                  <Bar value={check.share} />
                  <span class="note">{many(check.count, "entity", "entities")}</span>
                </p>
                <ul class="chips">
                  {check.entities.slice(0, first).map(({ name, label }) => (
                    <li key={name}>
                      <a href={formatRoute("graph", { run: run.name, e: name })}>
                        <Name name={name} label={label} most={28} />
                      </a>
                    </li>
                  ))}
                </ul>
                {check.count > first && <p class="note">and {count(check.count - first)} more</p>}
              </>
            ) : null
          }
        </Answered>
      )}
    </>
  );
}
