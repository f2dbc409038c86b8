// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Empty } from "../../parts/states";
import { decimal } from "../../words";
import { bytes, duration, type Epoch, series } from "./epochs";

function options(width: number): uPlot.Options {
  const paint = getComputedStyle(document.documentElement);
  const colour = (name: string) => paint.getPropertyValue(name).trim();
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
  const font = "12px system-ui, sans-serif";
  return {
    width,
    height: 240,
    scales: { x: { time: false }, mrr: { range: [0, 1] } },
    axes: [
      { ...axis, font, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
      { ...axis, font, size: 56 },
      { ...axis, font, scale: "mrr", side: 1, size: 44, grid: { show: false } },
    ],
    series: [
      { label: "epoch" },
      { label: "loss", stroke: colour("--warn"), width: 2, points: { show: true, size: 5 } },
      { label: "validation MRR", scale: "mrr", stroke: colour("--accent"), width: 2, points: { show: true, size: 5 } },
    ],
    cursor: { drag: { x: false, y: false } },
  };
}

/** Loss and validation MRR over the epochs, drawn and as a table. */
export function Curves({ epochs, title }: { epochs: readonly Epoch[]; title: string }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(epochs);
  latest.current = epochs;
  const any = epochs.length > 0;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const make = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(Math.max(240, element.clientWidth)), series(latest.current), element);
    };
    make();
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: Math.max(240, element.clientWidth), height: 240 }));
    watch.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", make);
    return () => {
      watch.disconnect();
      dark.removeEventListener("change", make);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [any]);
  useEffect(() => plot.current?.setData(series(epochs)), [epochs]);

  if (!any) return <Empty title="No epoch has ended yet" />;
  return (
    <>
      <div class="curves" ref={place} role="img" aria-label={`${title}; the numbers follow as a table`} />
      <details>
        <summary>Numbers</summary>
        <table class="list plain">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col" class="number">
                Epoch
              </th>
              <th scope="col" class="number">
                Loss
              </th>
              <th scope="col" class="number">
                MRR
              </th>
              <th scope="col" class="number">
                Time
              </th>
              <th scope="col" class="number wide">
                Memory
              </th>
            </tr>
          </thead>
          <tbody>
            {epochs.map((one) => (
              <tr key={`${one.stage} ${one.epoch}`}>
                <td>{one.stage}</td>
                <td class="number">{one.epoch}</td>
                <td class="number">{decimal(one.loss)}</td>
                <td class="number">
                  {decimal(one.mrr)}
                  {one.best ? " best" : ""}
                </td>
                <td class="number">{one.seconds === undefined ? "–" : duration(one.seconds)}</td>
                <td class="number wide">{one.memory === undefined ? "–" : bytes(one.memory)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
