// SPDX-License-Identifier: Apache-2.0
// A graph that grows as neighbourhoods come in. Pure.
import type { Schema } from "../../api/client";
import type { DrawnEdge, DrawnNode } from "../../parts/Drawing";
import { layoutRings, type Point, pushOut, ringRadius } from "../../parts/layout";
import { packFact } from "../../words";

type Neighbourhood = Schema<"Neighbourhood">;
type Edge = Neighbourhood["facts"][number];

export interface Grown {
  center: string;
  places: ReadonlyMap<string, Point>;
  labels: ReadonlyMap<string, { label: string; degree: number }>;
  facts: ReadonlyMap<string, Edge>;
  /** Entities that were opened, with how many of their facts are known to be there. */
  opened: ReadonlyMap<string, { total: number; more: boolean }>;
}

export const nothing: Grown = { center: "", places: new Map(), labels: new Map(), facts: new Map(), opened: new Map() };

export function grow(old: Grown, answer: Neighbourhood): Grown {
  const name = answer.entity.name;
  const start = old.places.size ? old : { ...nothing, center: name };
  const labels = new Map(start.labels);
  labels.set(name, { label: answer.entity.label, degree: answer.total });
  for (const { name: other, label, degree } of answer.entities) labels.set(other, { label, degree });
  const facts = new Map(start.facts);
  for (const fact of answer.facts) facts.set(packFact(fact), fact);
  const places = new Map(start.places);
  const fresh = [...labels.keys()].filter((other) => other !== name && !places.has(other));
  let here = places.get(name) ?? { x: 0, y: 0 };
  // The first ring belongs to the entity that was asked for; who is opened later moves out, to have room for their own.
  if (name !== start.center && fresh.length && !start.opened.has(name)) {
    here = pushOut(places.get(start.center) ?? { x: 0, y: 0 }, here, ringRadius(fresh.length, 40, 70));
  }
  places.set(name, here);
  const known = name === start.center && start.opened.has(name);
  const radius = name === start.center ? (known ? outermost(places, here) + 54 : 170) : 70;
  for (const [other, point] of layoutRings(here, fresh, name === start.center ? 54 : 40, radius)) places.set(other, point);
  const opened = new Map(start.opened).set(name, { total: answer.total, more: answer.more });
  return { center: start.center, places, labels, facts, opened };
}

function outermost(places: ReadonlyMap<string, Point>, from: Point): number {
  let most = 170;
  for (const { x, y } of places.values()) most = Math.max(most, Math.hypot(x - from.x, y - from.y));
  return most;
}

// Beyond so many facts only those of the chosen entity are told in the picture.
const legible = 36;

export function drawn(graph: Grown, chosen: string, relation: (name: string) => string): { nodes: DrawnNode[]; edges: DrawnEdge[] } {
  const near = ({ head, tail }: Edge) => graph.facts.size <= legible || head === chosen || tail === chosen;
  const nodes = [...graph.places].map(
    ([id, { x, y }]): DrawnNode => ({
      id,
      x,
      y,
      label: graph.labels.get(id)?.label || id,
      kind: id === chosen ? "chosen" : id === graph.center ? "end" : graph.opened.has(id) ? "open" : "via",
    }),
  );
  const edges = [...graph.facts]
    .filter(([, { head, tail }]) => graph.places.has(head) && graph.places.has(tail))
    .map(([id, fact]): DrawnEdge => ({ id, source: fact.head, target: fact.tail, label: relation(fact.relation), kind: near(fact) ? "fact" : "far" }));
  return { nodes, edges };
}

/** The facts of one entity that are here, by relation and direction. */
export function factsOf(graph: Grown, name: string): Edge[] {
  return [...graph.facts.values()]
    .filter(({ head, tail }) => head === name || tail === name)
    .sort((a, b) => a.relation.localeCompare(b.relation) || Number(a.tail === name) - Number(b.tail === name));
}
