// SPDX-License-Identifier: Apache-2.0
import { learnLabel } from "../session";
import { shorten, visible } from "../words";

/** A name, which is data: text alone, in its own direction, and shortened where it is very long. */
export function Name({ name, label, most = 60 }: { name: string; label?: string | undefined; most?: number }) {
  const text = visible(label || name);
  if (label) learnLabel(name, label);
  const shown = shorten(text, most);
  const whole = !label || label === name ? text : `${text} (${visible(name)})`;
  return (
    <bdi class="name" title={shown === whole ? undefined : whole}>
      {shown || "(empty)"}
    </bdi>
  );
}

/** The whole of a text that is too long to be shown at once. */
export function Whole({ text, most = 60 }: { text: string; most?: number }) {
  if ([...text].length <= most) return null;
  return (
    <details class="whole">
      <summary>Whole name</summary>
      <bdi>{text}</bdi>
    </details>
  );
}

interface FactWords {
  head: { name: string; label: string };
  relation: string;
  tail: { name: string; label: string };
}

/** anna —aunt→ ben, which reads the same whatever the names are. */
export function FactText({ fact, relation, most = 32 }: { fact: FactWords; relation?: string; most?: number }) {
  return (
    <span class="fact">
      <Name name={fact.head.name} label={fact.head.label} most={most} />{" "}
      <span class="relation">
        <span aria-hidden="true">–</span>
        <Name name={fact.relation} label={relation} most={most} />
        <span aria-hidden="true">→</span>
      </span>{" "}
      <Name name={fact.tail.name} label={fact.tail.label} most={most} />
    </span>
  );
}

/** What the server says in words, with names in it. */
export function Sentence({ text }: { text: string }) {
  return <bdi>{shorten(visible(text), 1000)}</bdi>;
}

/** A rule or formula; a very long one is folded. */
export function RuleText({ text: raw, most = 240 }: { text: string; most?: number }) {
  const text = visible(raw);
  const shown = shorten(text, most);
  if (shown === text) return <bdi class="rule">{text}</bdi>;
  return (
    <details class="whole">
      <summary>
        <bdi class="rule">{shown}</bdi>
      </summary>
      <bdi class="rule">{text}</bdi>
    </details>
  );
}
