// How a run is named to a person: by its issue, or by its identity where it works on a task.
export const shownRef = (run: { issue: number | null; identity: string }): string =>
  run.issue === null ? run.identity : `#${run.issue}`;
