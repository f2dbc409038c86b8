// SPDX-License-Identifier: Apache-2.0
import { post } from "../../api/client";
import { useAnswer } from "../../api/use";
import { EntityPicker, RelationPicker } from "../../parts/pickers";
import { Answered, Empty } from "../../parts/states";
import { adjust } from "../../route";
import { labelOf, relationLabel, useSession } from "../../session";
import { Name, Whole } from "../../parts/Name";
import { Answers } from "./Answers";
import { Why } from "./Why";

/** relation(entity, ?) or relation(?, entity): the answers, and why. */
export function Ask({ words }: { words: URLSearchParams }) {
  const session = useSession();
  const entity = words.get("e") ?? "";
  const relation = words.get("r") ?? "";
  const end = words.get("end") === "head" ? "head" : "tail";
  const answer = words.get("a");
  const known = words.get("known") === "hide" ? "hide" : "show";
  const rulesOnly = words.get("rules") === "only";
  const top = Math.min(1000, Math.max(1, Number(words.get("top")) || 20));
  const complete = entity !== "" && relation !== "";

  const asked = useAnswer(
    complete ? JSON.stringify([entity, relation, end, known, rulesOnly, top]) : null,
    (signal) =>
      post(
        "/predict",
        {
          run: session.run.name,
          relation,
          ...(end === "tail" ? { head: entity } : { tail: entity }),
          top,
          known,
          rules_only: rulesOnly,
        },
        { signal },
      ),
    true,
  );
  const change = (changes: Record<string, string | null>) => adjust({ a: null, hide: null, add: null, vs: null, ...changes });
  const shown = <Name name={entity || "entity"} label={labelOf(entity)} most={28} />;
  const relationShown = <Name name={relation || "relation"} label={relationLabel(session, relation)} most={28} />;
  const question = (asks: "head" | "tail") => (
    <>
      {asks === "head" ? "? " : <>{shown} </>}
      <span class="relation">–{relationShown}→</span>
      {asks === "tail" ? " ?" : <> {shown}</>}
    </>
  );
  return (
    <div class="ask">
      <form class="question" aria-label="Question" onSubmit={(event) => event.preventDefault()}>
        <EntityPicker title="Entity" value={entity} focus={!entity} onPick={(name) => change({ e: name || null, top: null })} />
        <RelationPicker
          title="Relation"
          value={relation}
          placeholder="choose a relation"
          onPick={(name) => change({ r: name || null, top: null })}
        />
        <fieldset class="segments">
          <legend>Asked</legend>
          {(["tail", "head"] as const).map((asks) => (
            <label key={asks}>
              <input type="radio" name="end" checked={end === asks} onChange={() => change({ end: asks === "head" ? "head" : null })} />
              <span>{question(asks)}</span>
            </label>
          ))}
        </fieldset>
        <div class="checks">
          <label>
            <input
              type="checkbox"
              checked={known === "hide"}
              onChange={(event) => change({ known: event.currentTarget.checked ? "hide" : null })}
            />
            New answers only
          </label>
          {session.run.embedding && (
            <label>
              <input
                type="checkbox"
                checked={rulesOnly}
                onChange={(event) => change({ rules: event.currentTarget.checked ? "only" : null })}
              />
              Rules only
            </label>
          )}
        </div>
      </form>
      {!complete ? (
        <Empty title="Ask for what is missing">
          Choose an entity and a relation: the answers come with their probability, and each says why.
        </Empty>
      ) : (
        <div class={answer === null ? "panes" : "panes opened reading"}>
          <section class="pane" aria-label="Answers">
            <h2>
              Answers <span class="subject">{question(end)}</span>
            </h2>
            <Whole text={labelOf(entity)} />
            <Answered asked={asked} waiting="Asking">
              {(prediction) => <Answers prediction={prediction} opened={answer} top={top} />}
            </Answered>
          </section>
          {answer !== null && (
            <Why
              key={JSON.stringify([entity, relation, answer, end])}
              head={end === "tail" ? entity : answer}
              relation={relation}
              tail={end === "tail" ? answer : entity}
              direction={end}
              rulesOnly={rulesOnly}
              hide={words.getAll("hide")}
              add={words.getAll("add")}
              rival={words.get("vs")}
              others={(asked.value?.answers ?? []).map(({ name }) => name).filter((name) => name !== answer).slice(0, 3)}
            />
          )}
        </div>
      )}
    </div>
  );
}
