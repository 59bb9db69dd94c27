// Times as people say them.
const UNITS: [number, string][] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** "4 minutes", "2 days"; the largest unit that fits. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [size, unit] = UNITS.find(([one]) => seconds >= one) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export const ago = (iso: string, now: number): string => `${span(now - Date.parse(iso))} ago`;
