// SPDX-License-Identifier: Apache-2.0
// A field that completes what is typed, after the pattern of the ARIA practices.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { asRefusal, useSettled } from "../api/use";
import type { Refusal } from "../api/client";
import { Name } from "./Name";

export interface Choice {
  name: string;
  label: string;
  hint?: string;
}

interface Props {
  title: string;
  value: string;
  /** What the value is called; the value itself where left out. */
  text?: string | undefined;
  placeholder?: string;
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  onPick: (choice: Choice | null) => void;
  focus?: boolean;
}

export function Combobox({ title, value, text, placeholder, search, onPick, focus = false }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(text ?? value);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [found, setFound] = useState<readonly Choice[]>([]);
  const [foundFor, setFoundFor] = useState<string | null>(null);
  const [error, setError] = useState<Refusal | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const settled = useSettled(typed, 120);
  const searching = useRef(search);
  searching.current = search;

  useEffect(() => setTyped(text ?? value), [value, text]);
  useEffect(() => {
    if (focus) input.current?.focus();
  }, [focus]);
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    searching.current(settled, stop.signal).then(
      (choices) => {
        if (stop.signal.aborted) return;
        setFound(choices);
        setFoundFor(settled);
        setError(undefined);
        setAt(choices.length ? 0 : -1);
      },
      (problem: unknown) => !stop.signal.aborted && setError(asRefusal(problem)),
    );
    return () => stop.abort();
  }, [settled, open]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const pick = (choice: Choice) => {
    setTyped(choice.label || choice.name);
    setOpen(false);
    onPick(choice);
  };
  const leave = () => {
    setOpen(false);
    if (typed === "") onPick(null);
    else setTyped(text ?? value);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (found.length) setAt((at + (event.key === "ArrowDown" ? 1 : -1) + found.length) % found.length);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      const choice = found[at];
      if (choice && foundFor === typed) pick(choice);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setTyped(text ?? value);
    }
  };
  const fresh = foundFor === typed;
  return (
    <div class="combobox">
      <label for={id}>{title}</label>
      <input
        ref={input}
        id={id}
        type="text"
        dir="auto"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        placeholder={placeholder}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setOpen(true)}
        onBlur={leave}
        onKeyDown={keys}
      />
      <ul id={`${id}-list`} ref={list} role="listbox" aria-label={title} hidden={!open || !found.length}>
        {found.map((choice, index) => (
          <li
            key={choice.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // Before the field loses the focus, which would close the list.
            onMouseDown={(event) => {
              event.preventDefault();
              pick(choice);
            }}
          >
            <Name name={choice.name} label={choice.label} most={80} />
            {choice.hint && <span class="hint">{choice.hint}</span>}
          </li>
        ))}
      </ul>
      {open && fresh && !found.length && !error && (
        <p class="none" role="status">
          Nothing is called that
        </p>
      )}
      {open && error && (
        <p class="none" role="alert">
          {error.what}
        </p>
      )}
    </div>
  );
}
