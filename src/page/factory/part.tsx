// One part of the factory: a list that is read while it is shown.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Trouble } from "../trouble.tsx";
import { useRead, type Read } from "../use-read.ts";

/** What is listed here changes seldom, and one look asks for much. */
export const PAUSE_MS = 2000;

/** How many lists are still read for the first time. */
export const unread = signal(0);

export function useFirstRead({ value, trouble }: Read<unknown>): void {
  const isRead = value.value !== undefined || trouble.value !== undefined;
  useLayoutEffect(() => {
    if (isRead) return undefined;
    unread.value += 1;
    return () => {
      unread.value -= 1;
    };
  }, [isRead]);
}

type PartProps<T> = {
  title: string;
  /** Where less is enough to see. */
  shown?: string;
  path: string;
  none: string;
  row: (one: T) => ComponentChildren;
  keyOf: (one: T) => string;
  /** The newest come last in the answer, and only so many are shown. */
  last?: number;
};

export function Part<T>({ title, shown = title, path, none, row, keyOf, last }: PartProps<T>) {
  const read = useRead<T[]>(path, PAUSE_MS);
  useFirstRead(read);
  const { value, trouble } = read;
  const all = value.value ?? [];
  const rows = last === undefined ? all : all.slice(-last).toReversed();
  return (
    <section class="card part" aria-label={title}>
      <h2>
        {shown} {value.value !== undefined && <span class="count">{all.length}</span>}
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
