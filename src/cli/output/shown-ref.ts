// How a run is named to a person: by its issue, or by its identity where it works on a task; and how
// the name that they typed is repeated to them.
export const shownRef = (run: { issue: number | null; identity: string }): string =>
  run.issue === null ? run.identity : `#${run.issue}`;

/** `7` and `#7` are the same issue or PR; an identity and a branch stay as they are. */
export const typedRef = (ref: string): string => (/^\d+$/.test(ref) ? `#${ref}` : ref);
