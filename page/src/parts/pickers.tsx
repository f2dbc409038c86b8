// SPDX-License-Identifier: Apache-2.0
import { get } from "../api/client";
import { labelOf, learnLabel, relationLabel, useSession } from "../session";
import { many } from "../words";
import { type Choice, Combobox } from "./Combobox";

interface Props {
  title: string;
  value: string;
  placeholder?: string;
  focus?: boolean;
  onPick: (name: string) => void;
}

export function EntityPicker({ title, value, placeholder = "begin to type a name", focus = false, onPick }: Props) {
  const { run } = useSession();
  const search = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
    if (!text.trim()) return [];
    const { entities } = await get("/search", { query: { run: run.name, q: text.slice(0, 500), limit: 12 }, signal });
    for (const entity of entities) learnLabel(entity.name, entity.label);
    return entities.map(({ name, label, degree }) => ({ name, label, hint: many(degree, "fact") }));
  };
  return (
    <Combobox
      title={title}
      value={value}
      text={labelOf(value)}
      placeholder={placeholder}
      focus={focus}
      search={search}
      onPick={(choice) => onPick(choice?.name ?? "")}
    />
  );
}

export function RelationPicker({ title, value, placeholder = "all", onPick }: Props) {
  const session = useSession();
  const search = (text: string): Promise<Choice[]> => {
    const wanted = text.toLowerCase();
    // What is chosen already is no search: the whole list is offered.
    const all = text === relationLabel(session, value);
    const fits = session.relations.filter(
      ({ name, label }) => all || name.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted),
    );
    return Promise.resolve(fits.slice(0, 200).map(({ name, label, facts }) => ({ name, label, hint: many(facts, "fact") })));
  };
  return (
    <Combobox
      title={title}
      value={value}
      text={value ? relationLabel(session, value) : ""}
      placeholder={placeholder}
      search={search}
      onPick={(choice) => onPick(choice?.name ?? "")}
    />
  );
}
