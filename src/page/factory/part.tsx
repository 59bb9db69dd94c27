// One part of the factory: a list that is read while it is shown.
import type { ComponentChildren } from "preact";
import { Trouble } from "../trouble.tsx";
import { useRead } from "../use-read.ts";

/** What is listed here changes seldom, and one look asks for much. */
export const PAUSE_MS = 2000;

type PartProps<T> = {
  title: string;
  path: string;
  none: string;
  row: (one: T) => ComponentChildren;
  keyOf: (one: T) => string;
  /** The newest come last in the answer, and only so many are shown. */
  last?: number;
};

export function Part<T>({ title, path, none, row, keyOf, last }: PartProps<T>) {
  const { value, trouble } = useRead<T[]>(path, PAUSE_MS);
  const all = value.value ?? [];
  const rows = last === undefined ? all : all.slice(-last).toReversed();
  return (
    <section class="card part" aria-label={title}>
      <h2>
        {title} {value.value !== undefined && <span class="count">{all.length}</span>}
      </h2>
      <Trouble of={{ trouble }} />
      {rows.length === 0 && <p class="quiet">{value.value === undefined ? "Reading…" : none}</p>}
      <ul class="facts">
        {rows.map((one) => (
          <li key={keyOf(one)}>{row(one)}</li>
        ))}
      </ul>
    </section>
  );
}
