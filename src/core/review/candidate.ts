// Which PRs of people the review role looks at: those that want to land on the target, are not said
// to be unfinished, and are green. PRs of Pawl's own runs ask by themselves.
type Pr = { title: string; target: string; branch: string };

const UNFINISHED = /^\s*(?:\[(?:wip|draft)\]|(?:wip|draft)\b\s*:)/i;

export const isCandidate = ({ title, target, branch }: Pr, landsOn: string): boolean =>
  target === landsOn && !branch.startsWith("pawl/") && !UNFINISHED.test(title);

/** It was checked, and no check failed. */
export const isGreen = (statuses: { state: string }[]): boolean =>
  statuses.length > 0 && statuses.every(({ state }) => state === "success");
