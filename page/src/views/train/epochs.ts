// SPDX-License-Identifier: Apache-2.0
// Lines of a trace as they are drawn. Pure.

export interface Epoch {
  stage: string;
  epoch: number;
  epochs: number | undefined;
  loss: number | undefined;
  mrr: number | undefined;
  best: boolean;
  seconds: number | undefined;
  memory: number | undefined;
}

const number = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

export function epochOf(line: unknown): Epoch | undefined {
  if (typeof line !== "object" || line === null) return undefined;
  const words = line as Record<string, unknown>;
  const epoch = number(words["epoch"]);
  if (epoch === undefined) return undefined;
  return {
    stage: typeof words["stage"] === "string" ? words["stage"] : "rules",
    epoch,
    epochs: number(words["epochs"]),
    loss: number(words["loss"]),
    mrr: number(words["valid_mrr"]),
    best: words["best"] === true,
    seconds: number(words["seconds"]),
    memory: number(words["peak_memory_bytes"]),
  };
}

export const epochsOf = (lines: readonly unknown[]): Epoch[] => lines.flatMap((line) => epochOf(line) ?? []);

/** Columns for a chart: epochs are counted on through the stages. */
export function series(epochs: readonly Epoch[]): [number[], (number | null)[], (number | null)[]] {
  return [epochs.map((_, index) => index + 1), epochs.map(({ loss }) => loss ?? null), epochs.map(({ mrr }) => mrr ?? null)];
}

/** An epoch that comes again, after a connection was lost, takes the place of the first. */
export function withEpoch(epochs: readonly Epoch[], fresh: Epoch): Epoch[] {
  const index = epochs.findIndex(({ stage, epoch }) => stage === fresh.stage && epoch === fresh.epoch);
  return index < 0 ? [...epochs, fresh] : epochs.map((old, at) => (at === index ? fresh : old));
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function bytes(value: number): string {
  const mebi = value / 2 ** 20;
  return mebi < 1024 ? `${mebi.toFixed(0)} MiB` : `${(mebi / 1024).toFixed(1)} GiB`;
}
