// SPDX-License-Identifier: Apache-2.0
// Where one stands in the queue. Pure.

/** The next that is open after `from`, around the end; where none is, `from` itself. */
export function nextOpen(open: readonly boolean[], from: number): number {
  for (let step = 1; step <= open.length; ++step) {
    const at = (from + step) % open.length;
    if (open[at]) return at;
  }
  return from;
}

export function clampTo(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}
