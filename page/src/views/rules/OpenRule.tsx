// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../../api/client";
import { useAnswer, useSettled } from "../../api/use";
import { FormulaField } from "../../parts/FormulaField";
import { Answered } from "../../parts/states";
import { adjust } from "../../route";
import { useSession } from "../../session";
import type { Kept } from "./Kept";
import { Figures } from "./RuleFigures";
import { SwitchedOff, toggle } from "./SwitchedOff";

/** One rule, counted on the known facts; its text can be changed, and is counted again. */
export function OpenRule({ text, kept, off }: { text: string; kept: Kept; off: readonly string[] }) {
  const { run } = useSession();
  const place = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState(text);
  const settled = useSettled(draft, 300);
  const asked = useAnswer(settled.trim() ? settled : null, (signal) =>
    post("/rules/check", { run: run.name, rule: settled, examples: 8 }, { signal }),
  );
  const checked = asked.value;
  useEffect(() => place.current?.focus({ preventScroll: innerWidth > 900 }), []);
  const close = () => adjust({ rule: null });
  const wrong = checked && !checked.valid && settled === draft ? checked : undefined;
  return (
    <section
      class="pane why"
      aria-label="Rule"
      ref={place}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && close()}
    >
      <header class="title">
        <h2>Rule</h2>
        <button type="button" class="close" aria-label="Close" title="Close (Escape)" onClick={close}>
          ×
        </button>
      </header>
      <div class="editor">
        <FormulaField title="Text, as lerp reads it" value={draft} onInput={setDraft} error={wrong} rows={Math.min(8, 2 + Math.floor(draft.length / 70))} />
        <div class="row">
          {draft !== text && (
            <button type="button" onClick={() => setDraft(text)}>
              Back to the rule
            </button>
          )}
          {checked?.valid && settled === draft && (
            <button
              type="button"
              class="primary"
              onClick={() => (kept.has(checked.rule) ? kept.remove(checked.rule) : kept.add(checked.rule))}
            >
              {kept.has(checked.rule) ? "Take out of my list" : "Put into my list"}
            </button>
          )}
          {run.list && draft === text && (
            <button type="button" onClick={() => toggle(off, text)}>
              {off.includes(text) ? "Switch on again" : "Switch off"}
            </button>
          )}
          {!run.list && <span class="note">No rule of this run answers by itself: lerp distill makes a list whose rules can be switched off.</span>}
        </div>
      </div>
      <SwitchedOff off={off} />
      <Answered asked={asked} waiting="Counting">{(check) => (check.valid ? <Figures check={check} run={run.name} /> : null)}</Answered>
    </section>
  );
}
