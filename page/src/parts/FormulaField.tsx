// SPDX-License-Identifier: Apache-2.0
// A field for a rule or a formula: completes names as they are typed, and shows where the parser stops.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { get } from "../api/client";
import { useAnswer, useSettled } from "../api/use";
import { useSession } from "../session";
import { many } from "../words";
import { put, type Word, wordAt } from "./complete_word";
import { Name } from "./Name";
import { ParserError } from "./ParserError";

interface Props {
  title: string;
  value: string;
  placeholder?: string;
  rows: number;
  error: { what: string; where: string; remedy: string; column: number | null } | undefined;
  onInput: (text: string) => void;
}

interface Offer {
  name: string;
  label: string;
  hint: string;
}
const offers = 8;

function useOffers(word: Word | undefined): readonly Offer[] {
  const { run, relations } = useSession();
  const entity = useSettled(word?.kind === "entity" ? word.text : "", 150);
  const found = useAnswer(entity ? entity : null, (signal) =>
    get("/search", { query: { run: run.name, q: entity.slice(0, 500), limit: offers }, signal }),
  );
  if (!word) return [];
  if (word.kind === "entity") {
    if (entity !== word.text || !found.value) return [];
    return found.value.entities.map(({ name, label, degree }) => ({ name, label, hint: many(degree, "fact") }));
  }
  const wanted = word.text.toLowerCase();
  const begins = (text: string) => text.toLowerCase().startsWith(wanted);
  return relations
    .filter(({ name, label }) => name.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted))
    .sort((a, b) => Number(begins(b.name)) - Number(begins(a.name)) || b.facts - a.facts)
    .slice(0, offers)
    .map(({ name, label, facts }) => ({ name, label, hint: many(facts, "fact") }));
}

export function FormulaField({ title, value, placeholder, rows, error, onInput }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | undefined>();
  const [at, setAt] = useState(0);
  const moved = useRef<number | undefined>();
  const word = caret === undefined ? undefined : wordAt(value, caret);
  const found = useOffers(word);
  // A name that is there as a whole needs no list.
  const shown = found.length === 1 && found[0]?.name === word?.text ? [] : found;
  useEffect(() => setAt(0), [word?.text]);
  useEffect(() => {
    if (moved.current === undefined) return;
    field.current?.setSelectionRange(moved.current, moved.current);
    moved.current = undefined;
  }, [value]);

  const take = (offer: Offer | undefined) => {
    if (!offer || !word) return;
    const next = put(value, word, offer.name);
    moved.current = next.caret;
    setCaret(undefined);
    onInput(next.text);
  };
  const keys = (event: KeyboardEvent) => {
    if (!shown.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + shown.length) % shown.length);
    else if (event.key === "Enter") take(shown[at]);
    else if (event.key === "Escape") setCaret(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div class="formula-field">
      <label for={id}>{title}</label>
      <div class="combobox">
        <textarea
          ref={field}
          id={id}
          rows={rows}
          spellcheck={false}
          autocomplete="off"
          maxLength={4096}
          placeholder={placeholder}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-says`}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length ? `${id}-${at}` : undefined}
          onInput={(event) => {
            setCaret(event.currentTarget.selectionStart);
            onInput(event.currentTarget.value);
          }}
          onKeyDown={keys}
          onClick={() => setCaret(undefined)}
          onBlur={() => setCaret(undefined)}
        />
        <ul id={`${id}-list`} role="listbox" aria-label="Names that fit" hidden={!shown.length}>
          {shown.map((offer, index) => (
            <li
              key={offer.name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              // Before the field loses the focus, which would close the list.
              onMouseDown={(event) => {
                event.preventDefault();
                take(offer);
              }}
            >
              <Name name={offer.name} label={offer.label} most={80} />
              <span class="hint">{offer.hint}</span>
            </li>
          ))}
        </ul>
      </div>
      <p class="note">Names complete as they are typed; {"& ! exists =>"} are read as ∧ ¬ ∃ ⇒.</p>
      <div id={`${id}-says`} aria-live="polite">
        {error && <ParserError text={value} error={error} />}
      </div>
    </div>
  );
}
