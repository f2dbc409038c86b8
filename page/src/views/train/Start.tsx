// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { get, post, type Refusal } from "../../api/client";
import { asRefusal, useAnswer } from "../../api/use";
import { Failure } from "../../parts/states";
import { adjust } from "../../route";
import { useSession } from "../../session";

const presets = ["default", "best", "paper"] as const;
const whole = (text: string): number | undefined => (text.trim() === "" ? undefined : Math.round(Number(text)));

/** A run learned again, with the decisions or without, or a new one on a dataset that the server offers. */
export function Start() {
  const session = useSession();
  const datasets = useAnswer(session.dataRoot ? "datasets" : null, (signal) => get("/datasets", { signal }));
  const [data, setData] = useState("");
  const [decisions, setDecisions] = useState(true);
  const [preset, setPreset] = useState("");
  const [epochs, setEpochs] = useState("");
  const [seconds, setSeconds] = useState("");
  const [seed, setSeed] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | undefined>();
  const start = async () => {
    setBusy(true);
    setError(undefined);
    const chosen = presets.find((name) => name === preset);
    const numbers = { epochs: whole(epochs), seconds: whole(seconds), seed: whole(seed) };
    const given = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
    try {
      const job = await post("/train", {
        ...(data ? { data, decisions: false } : { run: session.run.name, decisions }),
        ...(chosen && { preset: chosen }),
        ...given,
      });
      adjust({ job: job.id });
    } catch (problem) {
      setError(asRefusal(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="start"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2>New run</h2>
      {datasets.value && datasets.value.datasets.length > 0 ? (
        <label>
          Learn on
          <select value={data} onChange={(event) => setData(event.currentTarget.value)}>
            <option value="">the data of {session.run.name}</option>
            {datasets.value.datasets.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="note">
          On the data of <bdi>{session.run.name}</bdi>, with its options where nothing else is said.
        </p>
      )}
      {!data && (
        <label class="check">
          <input type="checkbox" checked={decisions} onChange={(event) => setDecisions(event.currentTarget.checked)} />
          With the decisions: accepted facts added, rejected ones removed
        </label>
      )}
      <div class="fields">
        <label>
          Preset
          <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
            <option value="">{data ? "default" : "as before"}</option>
            {presets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Epochs
          <input type="number" min="1" max="10000" value={epochs} placeholder="as set" onInput={(event) => setEpochs(event.currentTarget.value)} />
        </label>
        <label>
          Seconds at most
          <input type="number" min="1" max="1000000" value={seconds} placeholder="any" onInput={(event) => setSeconds(event.currentTarget.value)} />
        </label>
        <label>
          Seed
          <input type="number" min="0" value={seed} placeholder="as set" onInput={(event) => setSeed(event.currentTarget.value)} />
        </label>
      </div>
      <button type="submit" class="primary" disabled={busy}>
        Learn
      </button>
      {error && <Failure error={error} />}
    </form>
  );
}
