// A part of a run that is read when it is opened: most people need none of them most of the time.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { wordsOf } from "./use-parts.ts";

type LazyProps<T> = {
  title: string;
  load: () => Promise<T>;
  children: (value: T) => ComponentChildren;
};

export function Lazy<T>({ title, load, children }: LazyProps<T>) {
  const value = useSignal<{ of: T } | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const read = async (): Promise<void> => {
    try {
      value.value = { of: await load() };
      trouble.value = undefined;
    } catch (error) {
      trouble.value = wordsOf(error);
    }
  };
  return (
    <details
      class="more"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) read().catch((error: unknown) => console.error(error));
      }}
    >
      <summary>{title}</summary>
      {trouble.value !== undefined && <p class="quiet">{trouble.value}</p>}
      {value.value !== undefined && children(value.value.of)}
    </details>
  );
}
