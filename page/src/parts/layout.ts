// SPDX-License-Identifier: Apache-2.0
// Where nodes stand. Pure and linear, so that thousands take no time and the same graph always looks the same.

export interface Point {
  x: number;
  y: number;
}

/** Proofs: the two ends left and right, what lies between by how far along a proof it comes. */
export function layoutProofs(paths: readonly (readonly string[])[], width = 460, step = 62): Map<string, Point> {
  const column = new Map<string, number>();
  const [first] = paths;
  const head = first?.[0];
  const tail = first?.[first.length - 1];
  for (const path of paths) {
    path.forEach((name, index) => {
      if (!column.has(name)) column.set(name, path.length > 1 ? index / (path.length - 1) : 0);
    });
  }
  if (head !== undefined) column.set(head, 0);
  if (tail !== undefined && tail !== head) column.set(tail, 1);
  const stacks = new Map<number, string[]>();
  for (const [name, at] of column) {
    // Two columns between the ends, far enough from each other for names.
    const end = name === head || name === tail;
    const rounded = end ? at : at <= 0.5 ? 1 / 3 : 2 / 3;
    stacks.set(rounded, [...(stacks.get(rounded) ?? []), name]);
  }
  const between = [...stacks.keys()].filter((at) => at !== 0 && at !== 1);
  const places = new Map<string, Point>();
  let shift = 0;
  for (const [at, names] of [...stacks].sort(([a], [b]) => a - b)) {
    // The ends stand on top, what lies between below them, so that the question runs freely from one to the other. Every
    // second column stands half a step lower, so that edges do not run through nodes.
    const top = at === 0 || at === 1 ? 0 : step * (1.3 + (shift++ % 2) * 0.5);
    // Many stand in a zigzag, closer to each other.
    const tight = names.length > 3 && at !== 0 && at !== 1;
    names.forEach((name, index) => {
      const aside = tight ? (index % 2 ? 0.08 : -0.08) * width : 0;
      places.set(name, { x: (between.length === 1 && between[0] === at ? 0.5 : at) * width + aside, y: top + index * step * (tight ? 0.6 : 1) });
    });
  }
  return places;
}

/** Rings around what stands already: `fresh` neighbours of a node, in circles that each take as many as fit. */
export function layoutRings(center: Point, fresh: readonly string[], spacing = 54, start = 170): Map<string, Point> {
  const places = new Map<string, Point>();
  // Few stand on one circle.
  let radius = Math.max(start, (Math.min(fresh.length, 36) * spacing) / (2 * Math.PI));
  let index = 0;
  while (index < fresh.length) {
    const room = Math.max(1, Math.floor((2 * Math.PI * radius) / spacing));
    const here = Math.min(room, fresh.length - index);
    for (let i = 0; i < here; ++i) {
      const angle = (2 * Math.PI * (i + 0.5)) / here - Math.PI / 2 + 0.5;
      const name = fresh[index + i];
      // Every second one stands a little further out, so that names do not run into each other.
      const out = radius + (i % 2) * spacing * 0.5;
      if (name !== undefined) places.set(name, { x: center.x + out * Math.cos(angle), y: center.y + out * Math.sin(angle) });
    }
    index += here;
    radius += spacing * 1.5;
  }
  return places;
}

/** How far from `center` a node that is opened has to move outwards for its own ring to have room. */
export function pushOut(from: Point, node: Point, distance: number): Point {
  const dx = node.x - from.x;
  const dy = node.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  return { x: node.x + (dx / length) * distance, y: node.y + (dy / length) * distance };
}

/** The outermost radius that `layoutRings` needs. */
export function ringRadius(count: number, spacing = 54, start = 170): number {
  let radius = Math.max(start, (Math.min(count, 36) * spacing) / (2 * Math.PI));
  for (let left = count; left > 0; radius += spacing * 1.5) left -= Math.max(1, Math.floor((2 * Math.PI * radius) / spacing));
  return radius;
}
