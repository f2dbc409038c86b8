// SPDX-License-Identifier: Apache-2.0
// Where dots stand on a canvas. Pure.

export interface Spread {
  x: (value: number) => number;
  y: (value: number) => number;
}

/** Both axes fill the picture; what is constant stands in the middle. */
export function spread(points: readonly (readonly [number, number])[], width: number, height: number, margin = 14): Spread {
  const axis = (index: 0 | 1, length: number, turned: boolean) => {
    let low = Infinity;
    let high = -Infinity;
    for (const point of points) {
      low = Math.min(low, point[index]);
      high = Math.max(high, point[index]);
    }
    const range = high - low;
    return (value: number) => {
      const share = range > 0 ? (value - low) / range : 0.5;
      return margin + (turned ? 1 - share : share) * (length - 2 * margin);
    };
  };
  return { x: axis(0, width, false), y: axis(1, height, true) };
}

/** The dot that is meant, if any is near. */
export function nearest(dots: readonly (readonly [number, number])[], x: number, y: number, reach = 10): number {
  let best = -1;
  let least = reach * reach;
  dots.forEach(([dx, dy], index) => {
    const distance = (dx - x) ** 2 + (dy - y) ** 2;
    if (distance <= least) {
      least = distance;
      best = index;
    }
  });
  return best;
}

/** Where the number of each group stands: at its dot that is nearest to the middle of all of them. */
export function middles(
  dots: readonly (readonly [number, number])[],
  groups: readonly (number | undefined)[],
): Map<number, readonly [number, number]> {
  const members = new Map<number, (readonly [number, number])[]>();
  dots.forEach((dot, index) => {
    const group = groups[index];
    if (group === undefined) return;
    const own = members.get(group);
    if (own) own.push(dot);
    else members.set(group, [dot]);
  });
  const places = new Map<number, readonly [number, number]>();
  for (const [group, own] of [...members].sort(([a], [b]) => a - b)) {
    const x = own.reduce((sum, dot) => sum + dot[0], 0) / own.length;
    const y = own.reduce((sum, dot) => sum + dot[1], 0) / own.length;
    const at = own[nearest(own, x, y, Infinity)];
    if (at) places.set(group, at);
  }
  return places;
}
