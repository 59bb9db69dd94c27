// The time as the page shows it: one clock for all ages on the screen, which ticks only while the
// page is looked at.
import { signal, useComputed } from "@preact/signals";
import { ago, span } from "./time.ts";

const TICK_MS = 1000;

export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, TICK_MS);
document.addEventListener("visibilitychange", () => {
  now.value = Date.now();
});

/** Only the text changes when the clock ticks: nothing around it is drawn again. */
export function Ago({ at }: { at: string }) {
  const text = useComputed(() => ago(at, now.value));
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}

/** As in "in 4 hours". */
export function Until({ at }: { at: string }) {
  const text = useComputed(() => `in ${span(Date.parse(at) - now.value)}`);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}
