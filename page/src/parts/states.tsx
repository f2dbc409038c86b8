// SPDX-License-Identifier: Apache-2.0
// What is shown instead of an answer.
import type { ComponentChildren } from "preact";
import type { Asked } from "../api/use";
import type { Refusal } from "../api/client";
import { shorten, visible } from "../words";

export function Busy({ what }: { what: string }) {
  return (
    <p class="state busy" role="status">
      <span class="spinner" aria-hidden="true" /> {what}
    </p>
  );
}

export function Failure({ error, again }: { error: Refusal; again?: () => void }) {
  const say = (text: string) => shorten(visible(text), 300);
  return (
    <div class="state failure" role="alert">
      <p>
        <strong>
          <bdi>{say(error.what)}</bdi>
        </strong>
        {error.where && (
          <span>
            {" "}
            (<bdi>{say(error.where)}</bdi>)
          </span>
        )}
      </p>
      {error.remedy && (
        <p>
          <bdi>{say(error.remedy)}</bdi>
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** The answer, or what stands in its place while there is none. */
export function Answered<T>({
  asked,
  waiting,
  children,
}: {
  asked: Asked<T>;
  waiting: string;
  children: (value: T) => ComponentChildren;
}) {
  if (asked.error) return <Failure error={asked.error} again={asked.again} />;
  if (asked.value === undefined) return asked.busy ? <Busy what={waiting} /> : null;
  return (
    <div class={asked.busy ? "answered stale" : "answered"} aria-busy={asked.busy}>
      {children(asked.value)}
    </div>
  );
}
