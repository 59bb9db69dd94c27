// What can wait until the browser has nothing else to do.

/** Where a browser cannot say when that is. */
const LATER_MS = 500;

export function whenIdle(call: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(call);
  else setTimeout(call, LATER_MS);
}
