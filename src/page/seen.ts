// When a person last looked at this page: what ended since then is new.
import { signal } from "@preact/signals";

const KEY = "pawl-seen";
/** A look away that is shorter is none. */
const AWAY_MS = 10 * 60_000;
const NOTE_EVERY_MS = 60_000;

function noted(): number | undefined {
  const at = Number(localStorage.getItem(KEY));
  return at > 0 ? at : undefined;
}

/** Undefined where this browser shows the page for the first time. */
export const seenAt = signal(noted());

export const isNew = (at: string): boolean =>
  seenAt.value !== undefined && Date.parse(at) > seenAt.value;

/** While the page is looked at, the time is noted now and then. */
export function noteLooks(): void {
  const note = (): void => localStorage.setItem(KEY, String(Date.now()));
  document.addEventListener("visibilitychange", () => {
    const last = noted();
    if (!document.hidden && last !== undefined && Date.now() - last > AWAY_MS) seenAt.value = last;
    note();
  });
  setInterval(() => {
    if (!document.hidden) note();
  }, NOTE_EVERY_MS);
  note();
}
