// SPDX-License-Identifier: Apache-2.0
/** A share as a bar beside its number, which says the same. */
export function Bar({ value, tone = "accent" }: { value: number; tone?: "accent" | "good" | "bad" | "plain" }) {
  const width = Math.max(0, Math.min(1, Number.isFinite(value) ? value : 0)) * 100;
  return (
    <svg class={`bar ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={width} height="6" />
    </svg>
  );
}
