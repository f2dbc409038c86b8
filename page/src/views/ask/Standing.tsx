// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../../api/client";
import { Bar } from "../../parts/Bar";
import { decimal, percent, rank, signed } from "../../words";
import { Sentence } from "../../parts/Name";
import { Known } from "./Answers";

interface Props {
  why: Schema<"Explanation">;
  supposed: Schema<"WhatIf"> | undefined;
  busy: boolean;
}

/** Where the answer stands, and where it would. */
export function Standing({ why, supposed, busy }: Props) {
  const now = supposed?.after ?? why;
  const before = supposed?.before;
  return (
    <div class={busy ? "standing stale" : "standing"} aria-live="polite">
      <dl>
        <div>
          <dt>Probability</dt>
          <dd class="large">
            {now.probability === null ? (supposed ? "–" : "not learned") : percent(now.probability)}
            {before && before.probability !== null && <span class="was">was {percent(before.probability)}</span>}
          </dd>
          {now.probability !== null && <Bar value={now.probability} />}
        </div>
        <div>
          <dt>Rank</dt>
          <dd class="large">
            {rank(now.rank)}
            {before && <span class="was">was {rank(before.rank)}</span>}
          </dd>
        </div>
        <div>
          <dt>Score</dt>
          <dd class="large">
            {decimal(now.score, 2)}
            {before && <span class={now.score < before.score ? "was down" : "was up"}>{signed(now.score - before.score, 2)}</span>}
          </dd>
        </div>
        <div>
          <dt>Data</dt>
          <dd>
            <Known split={why.known} />
            {why.hidden && <span class="note">hidden while it is explained</span>}
          </dd>
        </div>
      </dl>
      {why.objection && (
        <p class="objection">
          Against it: <Sentence text={why.objection} />
        </p>
      )}
      {supposed && supposed.after.probability === null && before?.probability !== null && (
        <p class="note">With added facts there is a rank and a score, and no probability.</p>
      )}
      {supposed && !supposed.exact && <p class="note">But for what the added facts change in what constants say.</p>}
    </div>
  );
}
