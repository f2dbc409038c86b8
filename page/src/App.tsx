// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { get, Refusal } from "./api/client";
import { useAnswer } from "./api/use";
import { Busy, Empty, Failure } from "./parts/states";
import { formatRoute, go, useRoute, type View, views } from "./route";
import { type Session, SessionContext } from "./session";
import { Ask } from "./views/ask/Ask";
import { Complete } from "./views/complete/Complete";
import { Functions } from "./views/functions/Functions";
import { GraphView } from "./views/graph/GraphView";
import { Rules } from "./views/rules/Rules";
import { Train } from "./views/train/Train";

const parts: Record<View, { title: string; of: ComponentType<{ words: URLSearchParams }> }> = {
  ask: { title: "Ask", of: Ask },
  rules: { title: "Rules", of: Rules },
  complete: { title: "Complete", of: Complete },
  graph: { title: "Graph", of: GraphView },
  functions: { title: "Functions", of: Functions },
  train: { title: "Train", of: Train },
};

export function App() {
  const route = useRoute();
  const served = useAnswer("runs", async (signal) => {
    const [{ runs }, health] = await Promise.all([get("/runs", { signal }), get("/health", { signal })]);
    return { runs, health };
  });
  const wanted = route.words.get("run");
  const runs = served.value?.runs ?? [];
  const run = wanted ? runs.find(({ name }) => name === wanted) : runs[0];
  const relations = useAnswer(
    run ? `relations of ${run.name}` : null,
    (signal) => get("/runs/{run}/relations", { path: { run: run?.name ?? "" }, signal }),
    false,
  );
  const { title, of: View } = parts[route.view];
  useEffect(() => {
    document.title = run ? `${title} · ${run.name} · lerp` : "lerp";
  }, [title, run?.name]);

  const error = served.error ?? relations.error;
  const session: Session | undefined =
    run && served.value && relations.value
      ? {
          run,
          runs,
          relations: relations.value.relations,
          dataRoot: served.value.health.data_root,
          reloadRuns: served.again,
        }
      : undefined;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <h1>lerp</h1>
        <nav aria-label="Views">
          {views.map((view) => (
            <a key={view} href={formatRoute(view, { run: run?.name })} aria-current={view === route.view ? "page" : undefined}>
              {parts[view].title}
            </a>
          ))}
        </nav>
        {runs.length > 0 && (
          <label class="run">
            <span>Run</span>
            <select value={run?.name ?? ""} onChange={(event) => go(route.view, { run: event.currentTarget.value })}>
              {!run && <option value="">choose</option>}
              {runs.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {session ? (
          <SessionContext.Provider value={session}>
            <View key={`${route.view} ${session.run.name}`} words={route.words} />
          </SessionContext.Provider>
        ) : error ? (
          <Failure error={error} again={served.error ? served.again : relations.again} />
        ) : served.value && !runs.length ? (
          <Empty title="No run is served">Start lerp serve with the folder of a run.</Empty>
        ) : served.value && !run ? (
          <Failure error={new Refusal(404, "there is no such run here", wanted ?? "", "choose one of those above")} />
        ) : (
          <Busy what="Reading the data" />
        )}
      </main>
    </>
  );
}
