// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { get, post, type Refusal, type Schema } from "../../api/client";
import { asRefusal, useAnswer } from "../../api/use";
import { Bar } from "../../parts/Bar";
import { Answered, Busy, Empty, Failure } from "../../parts/states";
import { formatRoute } from "../../route";
import { useSession } from "../../session";
import { count, decimal, many } from "../../words";
import { Curves } from "./Curves";
import { useLive } from "./live";

type Job = Schema<"Job">;

/** What is learned now, and what was since the server began. */
export function Jobs({ chosen }: { chosen: string | null }) {
  const session = useSession();
  const asked = useAnswer(`jobs ${chosen ?? ""}`, (signal) => get("/train", { signal }));
  const ended = () => {
    asked.again();
    session.reloadRuns();
  };
  return (
    <section class="pane" aria-label="Trainings">
      <h2>Trainings</h2>
      <Answered asked={asked} waiting="Asking for trainings">
        {({ jobs }) => {
          if (!jobs.length) return <Empty title="Nothing was learned since the server began">Start a new run: its curves appear here while it learns.</Empty>;
          const id = chosen ?? jobs.at(-1)?.id ?? "";
          return (
            <>
              <ul class="jobs">
                {[...jobs].reverse().map((job) => (
                  <li key={job.id}>
                    <a href={formatRoute("train", { run: session.run.name, job: job.id })} aria-current={job.id === id ? "true" : undefined}>
                      <bdi>{job.run}</bdi>
                    </a>
                    <State job={job} />
                  </li>
                ))}
              </ul>
              <Watch key={id} id={id} onEnd={ended} />
            </>
          );
        }}
      </Answered>
    </section>
  );
}

function State({ job }: { job: Job }) {
  const tone = { running: "new", stopping: "", done: "good", stopped: "", failed: "doubt" }[job.state];
  return <span class={`tag ${tone}`}>{job.state}</span>;
}

function Watch({ id, onEnd }: { id: string; onEnd: () => void }) {
  const session = useSession();
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<Refusal | undefined>();
  const live = useLive(id, turn, onEnd);
  const job = live.job;
  if (live.error) return <Failure error={live.error} again={() => setTurn(turn + 1)} />;
  if (!job) return <Busy what="Reading the training" />;
  const act = async (verb: "stop" | "resume") => {
    setError(undefined);
    try {
      await post(verb === "stop" ? "/train/{id}/stop" : "/train/{id}/resume", undefined, { path: { id } });
      if (verb === "resume") setTurn(turn + 1);
    } catch (problem) {
      setError(asRefusal(problem));
    }
  };
  const running = job.state === "running";
  const served = session.runs.some(({ name }) => name === job.run);
  return (
    <div class="job">
      <h3>
        <bdi>{job.run}</bdi> <State job={job} />
      </h3>
      <p class="note">
        {job.from && (
          <>
            Learned again from <bdi>{job.from}</bdi>
          </>
        )}
        {job.data && (
          <>
            Learned on <bdi>{job.data}</bdi>
          </>
        )}
        {job.accepted + job.rejected > 0 && `, with ${many(job.accepted, "fact")} added and ${many(job.rejected, "fact")} removed`}
      </p>
      {running && (
        <p class="progress" role="status">
          <span>
            {job.stage || "begins"} {job.total > 0 ? `${count(job.done)} of ${count(job.total)}` : ""} <bdi>{job.note}</bdi>
          </span>
          <Bar value={job.total > 0 ? job.done / job.total : 0} />
        </p>
      )}
      {live.cut && running && <p class="note">The connection is lost; it is sought again.</p>}
      {job.error && <Failure error={{ ...asRefusal(new Error(job.error)), what: job.error, where: "", remedy: "" } as Refusal} />}
      {error && <Failure error={error} />}
      <p class="row">
        {running && (
          <button type="button" onClick={() => void act("stop")}>
            Stop
          </button>
        )}
        {job.state === "stopped" && (
          <button type="button" class="primary" onClick={() => void act("resume")}>
            Resume
          </button>
        )}
        {served && (
          <>
            <a href={formatRoute("ask", { run: job.run })}>Ask it</a>
            {job.from && <a href={formatRoute("train", { run: job.from, part: "compare", with: job.run })}>What has changed</a>}
          </>
        )}
      </p>
      <Curves epochs={live.epochs} title={`Loss and validation MRR of ${job.run}`} />
      <Metrics metrics={job.metrics} />
      {live.log.length > 0 && (
        <details>
          <summary>Log</summary>
          <pre class="log" tabIndex={0}>
            {live.log.join("\n")}
          </pre>
        </details>
      )}
    </div>
  );
}

function Metrics({ metrics }: { metrics: Record<string, unknown> | null }) {
  const realistic = (metrics?.["both"] as { realistic?: Record<string, number> } | undefined)?.realistic;
  if (!realistic) return null;
  return (
    <dl class="facts">
      <div>
        <dt>Test MRR</dt>
        <dd>{decimal(realistic["mrr"])}</dd>
      </div>
      <div>
        <dt>Hits@1</dt>
        <dd>{decimal(realistic["hits_at_1"])}</dd>
      </div>
      <div>
        <dt>Hits@10</dt>
        <dd>{decimal(realistic["hits_at_10"])}</dd>
      </div>
    </dl>
  );
}
