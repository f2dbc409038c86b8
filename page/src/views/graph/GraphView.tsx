// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { post, type Refusal } from "../../api/client";
import { asRefusal } from "../../api/use";
import { LazyDrawing } from "../../parts/LazyDrawing";
import { Name, Whole } from "../../parts/Name";
import { EntityPicker, RelationPicker } from "../../parts/pickers";
import { Busy, Empty, Failure } from "../../parts/states";
import { adjust, formatRoute } from "../../route";
import { labelOf, learnLabel, relationLabel, useSession } from "../../session";
import { count } from "../../words";
import { FactsOf } from "./FactsOf";
import { drawn, type Grown, grow, nothing } from "./grow";

const step = 100;
const most = 2000;

/** What is known around an entity; every neighbour can be opened in turn. */
export function GraphView({ words }: { words: URLSearchParams }) {
  const entity = words.get("e") ?? "";
  const relation = words.get("r") ?? "";
  return (
    <div class="graph">
      <form class="filters" aria-label="What to show" onSubmit={(event) => event.preventDefault()}>
        <EntityPicker title="Entity" value={entity} focus={!entity} onPick={(name) => adjust({ e: name || null, open: null, at: null })} />
        <RelationPicker title="Relation" value={relation} onPick={(name) => adjust({ r: name || null, open: null, at: null }, true)} />
      </form>
      {entity ? (
        <Around key={`${entity}\n${relation}`} entity={entity} relation={relation} words={words} />
      ) : (
        <Empty title="Choose an entity">Its known facts are drawn, and told beside the picture.</Empty>
      )}
    </div>
  );
}

function Around({ entity, relation, words }: { entity: string; relation: string; words: URLSearchParams }) {
  const session = useSession();
  const [graph, setGraph] = useState<Grown>(nothing);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<{ refusal: Refusal; again: () => void } | undefined>();
  const wanted = [entity, ...words.getAll("open")];
  const chosen = words.get("at") ?? entity;

  const open = async (name: string, offset: number, signal?: AbortSignal): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const limit = Math.min(most, offset ? Math.max(step, offset * 4) : step);
      const body = { run: session.run.name, entity: name, relation, offset, limit, depth: 1 };
      const answer = await post("/neighbourhood", body, signal ? { signal } : {});
      learnLabel(answer.entity.name, answer.entity.label);
      for (const node of answer.entities) learnLabel(node.name, node.label);
      setGraph((old) => grow(old, answer));
    } catch (problem) {
      if (!signal?.aborted) setError({ refusal: asRefusal(problem), again: () => void open(name, offset) });
    } finally {
      if (!signal?.aborted) setBusy(false);
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    const missing = wanted.filter((name) => !graph.opened.has(name));
    void (async () => {
      for (const name of missing) {
        if (stop.signal.aborted) return;
        await open(name, 0, stop.signal);
      }
    })();
    return () => stop.abort();
  }, [wanted.join("\n")]);

  const picture = useMemo(() => drawn(graph, chosen, (name) => relationLabel(session, name)), [graph, chosen, session]);
  const choose = (name: string) => {
    const opened = words.getAll("open");
    if (name === chosen && name !== entity && !opened.includes(name)) adjust({ open: [...opened, name] }, true);
    else adjust({ at: name }, true);
  };
  const expand = (name: string) => {
    if (!words.getAll("open").includes(name)) adjust({ open: [...words.getAll("open"), name], at: name }, true);
  };
  if (!graph.places.size) return error ? <Failure error={error.refusal} again={error.again} /> : <Busy what="Looking around" />;
  const state = graph.opened.get(chosen);
  const here = [...graph.facts.values()].filter(({ head, tail }) => head === chosen || tail === chosen).length;
  return (
    <div class="panes opened drawn">
      <section class="pane picture" aria-label="Picture" aria-busy={busy}>
        <p class="note line" role="status">
          {count(graph.places.size)} entities, {count(graph.facts.size)} facts{busy && " · more is on its way"}
        </p>
        {error && <Failure error={error.refusal} again={error.again} />}
        <LazyDrawing
          tall
          title={`The facts around ${labelOf(entity)}; they follow in words`}
          nodes={picture.nodes}
          edges={picture.edges}
          onNode={choose}
        />
        <p class="note">Choose an entity to read about it, once more to open it.</p>
      </section>
      <section class="pane" aria-label="Facts">
        <h2>
          <Name name={chosen} label={labelOf(chosen)} />
        </h2>
        <Whole text={labelOf(chosen)} />
        <p class="row">
          {!state && (
            <button type="button" class="primary" onClick={() => expand(chosen)}>
              Open
            </button>
          )}
          {chosen !== entity && <a href={formatRoute("graph", { run: session.run.name, e: chosen })}>Start from here</a>}
          <a href={formatRoute("ask", { run: session.run.name, e: chosen })}>Ask about it</a>
        </p>
        {state && (
          <p class="note">
            {count(here)} facts shown, of {count(state.total)}
            {relation ? " of this relation" : ""}.
          </p>
        )}
        <FactsOf graph={graph} name={chosen} onChoose={(name) => adjust({ at: name }, true)} />
        {state?.more && (
          <p class="more">
            <button type="button" disabled={busy} onClick={() => void open(chosen, here)}>
              Show more
            </button>
          </p>
        )}
      </section>
    </div>
  );
}
