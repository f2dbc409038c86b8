// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import { RuleText, Sentence } from "../../parts/Name";
import { Empty } from "../../parts/states";
import { adjust, changed, formatRoute, parseRoute } from "../../route";
import { count, percent } from "../../words";
import { Bar } from "../../parts/Bar";
import type { Kept } from "./Kept";

interface Props {
  page: Schema<"RulePage">;
  opened: string | null;
  each: number;
  kept: Kept;
  off: readonly string[];
}

export function RuleTable({ page, opened, each, kept, off }: Props) {
  const { words } = parseRoute(location.hash);
  if (!page.total) return <Empty title="No rule fits">The model has {count(page.found)} rules: take a filter away.</Empty>;
  const last = page.offset + page.rules.length;
  return (
    <>
      <h2>
        Rules <span class="note">{count(page.total)} fit, of {count(page.found)} read from the model</span>
      </h2>
      <table class="list rule-list">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Share</th>
            <th scope="col" class="number">
              Confidence
            </th>
            <th scope="col" class="number wide">
              Support
            </th>
          </tr>
        </thead>
        <tbody>
          {page.rules.map((rule) => (
            <tr key={rule.rule} class={rule.rule === opened ? "current" : undefined}>
              <td>
                <a
                  class="open"
                  aria-current={rule.rule === opened ? "true" : undefined}
                  href={formatRoute("rules", changed(words, { rule: rule.rule }))}
                >
                  <Sentence text={rule.english} />
                </a>
                <RuleText text={rule.rule} />
                {kept.has(rule.rule) && <span class="tag new">in my list</span>}
                {off.includes(rule.rule) && <span class="tag doubt">switched off</span>}
              </td>
              <td class="measure">
                <span class="figure">{percent(rule.share)}</span>
                <Bar value={Math.abs(rule.share)} tone={rule.share < 0 ? "bad" : "accent"} />
              </td>
              <td class="number">{percent(rule.confidence)}</td>
              <td class="number wide">{count(rule.support)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {page.total > each && (
        <nav class="pages" aria-label="Pages">
          <button
            type="button"
            disabled={page.offset === 0}
            onClick={() => adjust({ offset: page.offset > each ? String(page.offset - each) : null })}
          >
            Before
          </button>
          <span>
            {count(page.offset + 1)}–{count(last)} of {count(page.total)}
          </span>
          <button type="button" disabled={last >= page.total} onClick={() => adjust({ offset: String(page.offset + each) })}>
            After
          </button>
        </nav>
      )}
    </>
  );
}
