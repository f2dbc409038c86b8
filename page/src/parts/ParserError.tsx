// SPDX-License-Identifier: Apache-2.0
interface Props {
  text: string;
  error: { what: string; where: string; remedy: string; column: number | null };
}

/** What the parser says, under the place where it stopped. */
export function ParserError({ text, error }: Props) {
  // Columns count characters, and a character may be two units here.
  const letters = [...text];
  const at = error.column === null ? -1 : Math.min(letters.length, error.column - 1);
  const from = Math.max(0, at - 24);
  return (
    <div class="parser-error">
      <p>
        <strong>
          <bdi>{error.what}</bdi>
        </strong>
        {error.remedy && (
          <span>
            : <bdi>{error.remedy}</bdi>
          </span>
        )}
      </p>
      {at >= 0 && (
        <p class="excerpt">
          <bdi>
            {from > 0 && "…"}
            {letters.slice(from, at).join("")}
            <mark>{letters[at] ?? " "}</mark>
            {letters.slice(at + 1, at + 25).join("")}
          </bdi>
          <span class="note"> character {at + 1}</span>
        </p>
      )}
    </div>
  );
}
