// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "../api/client";
import { formatRoute } from "../route";
import { relationLabel, useSession } from "../session";
import { count, decimal, many, rank, signed } from "../words";
import { FactText } from "./Name";
import { Empty } from "./states";

type Changes = Schema<"RankChanges">;

interface Props {
  changes: Changes;
  /** The run that is asked when a question is followed. */
  run: string;
  split: string;
  /** What ranks are told of, before and after. */
  before: string;
  after: string;
}

const measures = [
  ["MRR", "mrr"],
  ["Hits@1", "hits_at_1"],
  ["Hits@10", "hits_at_10"],
] as const;

/** How ranks have moved: figures, and the questions that moved most. */
export function RankChanges({ changes, run, split, before, after }: Props) {
  const moved = changes.better + changes.worse;
  return (
    <div class="rank-changes">
      <table class="list plain">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Figure</span>
            </th>
            <th scope="col" class="number">
              <bdi>{before}</bdi>
            </th>
            <th scope="col" class="number">
              <bdi>{after}</bdi>
            </th>
            <th scope="col" class="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {measures.map(([title, key]) => {
            const change = changes.after[key] - changes.before[key];
            return (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td class="number">{decimal(changes.before[key])}</td>
                <td class="number">{decimal(changes.after[key])}</td>
                <td class={tone(change)}>{signed(change, 4)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p>
        {moved === 0 ? (
          `No answer has moved, of ${many(changes.questions, `${split} question`)}.`
        ) : (
          <>
            Of {many(changes.questions, `${split} question`)}, <span class="better">{count(changes.better)} rank better</span> and{" "}
            <span class="worse">{count(changes.worse)} worse</span>.
          </>
        )}
      </p>
      {moved > 0 && <Moved changes={changes} run={run} />}
      {!changes.questions && <Empty title="There are no questions" />}
    </div>
  );
}

const tone = (change: number): string => (Math.abs(change) < 0.00005 ? "number" : change > 0 ? "number better" : "number worse");

function Moved({ changes, run }: { changes: Changes; run: string }) {
  const session = useSession();
  const rest = changes.better + changes.worse - changes.changes.length;
  return (
    <>
      <ul class="moved">
        {changes.changes.map((one) => {
          const asksTail = one.asked === "tail";
          const [given, answer] = asksTail ? [one.head, one.tail] : [one.tail, one.head];
          const route = { run, e: given.name, r: one.relation, a: answer.name, end: asksTail ? null : "head" };
          return (
            <li key={`${one.head.name}\n${one.relation}\n${one.tail.name}\n${one.asked}`}>
              <a href={formatRoute("ask", route)} title="Ask">
                <FactText fact={one} relation={relationLabel(session, one.relation)} most={28} />
              </a>
              <span class="note">asks for the {one.asked}</span>
              <span class={one.after < one.before ? "ranks better" : "ranks worse"}>
                rank {rank(one.before)} → {rank(one.after)}
              </span>
            </li>
          );
        })}
      </ul>
      {rest > 0 && <p class="note">and {count(rest)} that moved less</p>}
    </>
  );
}
