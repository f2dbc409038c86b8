// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, type Schema } from "../../api/client";
import { useAnswer } from "../../api/use";
import { Name } from "../../parts/Name";
import { Answered, Empty } from "../../parts/states";
import { go } from "../../route";
import { labelOf, useSession } from "../../session";
import { count } from "../../words";
import { middles, nearest, spread } from "./scatter";

interface Dot {
  entity: string;
  x: number;
  y: number;
  z: number;
}
const planes = { "1, 2": ["x", "y"], "1, 3": ["x", "z"], "2, 3": ["y", "z"] } as const;
type Plane = keyof typeof planes;

interface Props {
  holds: ReadonlySet<string> | undefined;
  clusters: Schema<"Clusters"> | undefined;
}

export function Space({ holds, clusters }: Props) {
  const { run } = useSession();
  const asked = useAnswer("space", (signal) => get("/runs/{run}/space", { path: { run: run.name }, signal }));
  const cluster = useMemo(() => new Map(clusters?.points.map((point) => [point.entity, point.cluster])), [clusters]);
  return (
    <Answered asked={asked} waiting="Placing the entities">
      {(space) => (space.points?.length ? <Dots points={space.points} holds={holds} cluster={cluster} /> : <Empty title="There is no space">The model has no functions.</Empty>)}
    </Answered>
  );
}

interface DotsProps {
  points: readonly Dot[];
  holds: ReadonlySet<string> | undefined;
  cluster: ReadonlyMap<string, number>;
}

/** Entities by their principal components; those of which a formula holds stand out, or else the clusters do. */
function Dots({ points, holds, cluster }: DotsProps) {
  const { run } = useSession();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [plane, setPlane] = useState<Plane>("1, 2");
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [over, setOver] = useState(-1);
  const [horizontal, vertical] = planes[plane];
  const dots = useMemo(() => {
    const pairs = points.map((point) => [point[horizontal], point[vertical]] as const);
    const { x, y } = spread(pairs, size.width, size.height);
    return pairs.map(([a, b]) => [x(a), y(b)] as const);
  }, [points, horizontal, vertical, size]);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(scheme.matches);
    scheme.addEventListener("change", change);
    return () => {
      watch.disconnect();
      scheme.removeEventListener("change", change);
    };
  }, []);
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d");
    if (!element || !pen || !size.width) return;
    const scale = devicePixelRatio || 1;
    element.width = size.width * scale;
    element.height = size.height * scale;
    pen.scale(scale, scale);
    const paint = getComputedStyle(document.documentElement);
    const colour = (name: string) => paint.getPropertyValue(name).trim();
    const paints = new Map<string, string>();
    const paintOf = (name: string) => {
      if (!paints.has(name)) paints.set(name, colour(name));
      return paints.get(name) ?? "";
    };
    const own = points.map(({ entity }) => cluster.get(entity));
    const draw = (marked: boolean) => {
      pen.globalAlpha = marked || !holds ? 0.8 : 0.35;
      dots.forEach(([x, y], index) => {
        if (Boolean(holds?.has(points[index]?.entity ?? "")) !== marked) return;
        const number = own[index];
        pen.fillStyle = paintOf(marked ? "--accent" : holds || number === undefined ? "--node" : `--cluster-${number % 8}`);
        pen.beginPath();
        pen.arc(x, y, marked ? 4 : 3, 0, 7);
        pen.fill();
      });
    };
    draw(false);
    draw(true);
    if (!holds) {
      // Numbers as in the list, so that no one needs to tell colours apart.
      pen.globalAlpha = 1;
      pen.font = "600 13px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeStyle = colour("--paper");
      pen.fillStyle = colour("--ink");
      for (const [number, [x, y]] of middles(dots, own)) {
        pen.strokeText(String(number + 1), x, y);
        pen.fillText(String(number + 1), x, y);
      }
    }
    const dot = dots[over];
    if (dot) {
      pen.globalAlpha = 1;
      pen.strokeStyle = colour("--ink");
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(dot[0], dot[1], 6, 0, 7);
      pen.stroke();
    }
  }, [dots, holds, cluster, over, size, points, dark]);

  const under = (event: MouseEvent) => nearest(dots, event.offsetX, event.offsetY);
  const name = points[over]?.entity;
  return (
    <div class="space">
      <fieldset class="segments small">
        <legend>Principal components</legend>
        {(Object.keys(planes) as Plane[]).map((choice) => (
          <label key={choice}>
            <input type="radio" name="plane" checked={choice === plane} onChange={() => setPlane(choice)} />
            <span>{choice}</span>
          </label>
        ))}
      </fieldset>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${count(points.length)} entities in the space of the functions; those of which the formula holds are listed above`}
        onMouseMove={(event) => setOver(under(event))}
        onMouseLeave={() => setOver(-1)}
        onClick={(event) => {
          const found = points[under(event)];
          if (found) go("graph", { run: run.name, e: found.entity });
        }}
      />
      <p class="note line">{name === undefined ? `${count(points.length)} entities` : <Name name={name} label={labelOf(name)} />}</p>
    </div>
  );
}
