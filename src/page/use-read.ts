// Reads a path of the API while its view is open, and again when something changed, but not more often
// than the pause allows.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { CallError, get } from "./api.ts";
import { reading } from "./facts.ts";
import { createReader } from "./reader.ts";

export type Read<T> = { value: Signal<T | undefined>; trouble: Signal<string | undefined> };

export function useRead<T>(path: string, pauseMs: number): Read<T> {
  const value = useSignal<T | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const read = useMemo(
    () =>
      createReader(async () => {
        try {
          value.value = await get<T>(path);
          trouble.value = undefined;
        } catch (error) {
          trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
        }
      }, pauseMs),
    [path],
  );
  useEffect(read, [reading.value, read]);
  return { value, trouble };
}
