// SPDX-License-Identifier: Apache-2.0
// From an explanation to what is drawn. Pure.
import type { Schema } from "../../api/client";
import type { DrawnEdge, DrawnNode } from "../../parts/Drawing";
import { layoutProofs } from "../../parts/layout";
import { type FactNames, packFact } from "../../words";

type Fact = Schema<"Fact">;
type Grounding = Schema<"Grounding">;

export const namesOf = (fact: Fact): FactNames => ({ head: fact.head.name, relation: fact.relation, tail: fact.tail.name });

/** A walk may take the same fact twice. */
export const distinct = (facts: readonly Fact[]): Fact[] => [...new Map(facts.map((fact) => [packFact(namesOf(fact)), fact])).values()];

/** A fact that an address adds or hides, with texts where they are known. */
export function factOf({ head, relation, tail }: FactNames, label: (name: string) => string): Fact {
  const entity = (name: string) => ({ name, label: label(name) });
  return { head: entity(head), relation, tail: entity(tail), text: `${relation}(${label(head)}, ${label(tail)})` };
}

export interface Picture {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** How many proofs are drawn, of how many. */
  drawn: number;
  all: number;
}

/** The first proofs, the question itself, and what is added; what is hidden stays, but is drawn so. */
export function drawProofs(
  asked: Fact,
  groundings: readonly Grounding[],
  hidden: ReadonlySet<string>,
  added: readonly Fact[],
  relation: (name: string) => string,
  width = 460,
  most = 6,
): Picture {
  const proofs = groundings.filter(({ facts }) => facts.length).slice(0, most);
  const labels = new Map<string, string>();
  const edges = new Map<string, DrawnEdge>();
  const draw = (fact: Fact, kind: DrawnEdge["kind"]) => {
    const id = kind === "asked" ? "asked" : packFact(namesOf(fact));
    if (edges.has(id)) return;
    for (const end of [fact.head, fact.tail]) labels.set(end.name, end.label || end.name);
    edges.set(id, { id, source: fact.head.name, target: fact.tail.name, label: relation(fact.relation), kind });
  };
  draw(asked, "asked");
  for (const { entities, facts } of proofs) {
    for (const entity of entities) labels.set(entity.name, entity.label || entity.name);
    for (const fact of facts) draw(fact, hidden.has(packFact(namesOf(fact))) ? "hidden" : "fact");
  }
  for (const fact of added) draw(fact, "added");
  const paths = [
    [asked.head.name, asked.tail.name],
    ...proofs.map(({ entities, facts }) => [
      ...entities.map(({ name }) => name),
      ...facts.flatMap(({ head, tail }) => [head.name, tail.name]).filter((name) => entities.every((entity) => entity.name !== name)),
    ]),
    ...added.map(({ head, tail }) => [asked.head.name, head.name, tail.name, asked.tail.name]),
  ];
  // A path starts at the head and ends at the tail; what a proof names beside its walk stands between them.
  const [, ...walks] = paths;
  const places = layoutProofs([[asked.head.name, asked.tail.name], ...walks.map((walk) => arrange(walk, asked))], width);
  const nodes = [...labels].map(([id, label]): DrawnNode => {
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    return { id, label, x, y, kind: id === asked.head.name || id === asked.tail.name ? "end" : "via" };
  });
  return { nodes, edges: [...edges.values()], drawn: proofs.length, all: groundings.length };
}

function arrange(walk: readonly string[], asked: Fact): string[] {
  const ends = [asked.head.name, asked.tail.name];
  return [asked.head.name, ...walk.filter((name) => !ends.includes(name)), asked.tail.name];
}
