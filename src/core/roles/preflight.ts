// What there is for a standing role to do, found without a model. An empty list starts no session.
import { LABELS } from "../issue.ts";
import { cycles, readiness } from "../project/backlog.ts";
import type { Finding, RoleFacts, RoleIssue } from "./facts.ts";
import type { StandingRole } from "./result.ts";
import { found, has, quiet } from "./finding.ts";
import { signals } from "./signals.ts";
import { duplicates } from "./titles.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JOURNAL_MAX_MB = 200;
const BARE_BODY = 100;
const LARGE_BODY = 8000;
const LARGE_BOXES = 12;

export function preflight(role: StandingRole, facts: RoleFacts): Finding[] {
  switch (role) {
    case "gardener":
      return gardener(facts);
    case "supervisor":
      return supervisor(facts);
    case "planner":
      return planner(facts);
    case "predictor":
      return signals(facts);
  }
}

const isTaken = (issue: RoleIssue): boolean => has(issue, LABELS.inProgress);

function gardener(facts: RoleFacts): Finding[] {
  const groomed = facts.issues.filter((issue) => !isTaken(issue));
  return [
    ...duplicates(groomed).map(([a, b]) =>
      found("P3", `duplicate:${a}:${b}`, `the titles of #${a} and #${b} mean the same`),
    ),
    ...groomed.flatMap((issue) => shape(issue)),
    ...groomed.flatMap((issue) => quiet(issue, facts.at, 14)),
    ...rings(facts),
    ...oldDependencies(facts),
    ...blockers(facts),
    ...groomed
      .filter((issue) => has(issue, LABELS.blocked))
      .map(({ number }) => found("P3", `blocked:${number}`, `#${number} is blocked`)),
    ...groomed
      .filter((issue) => has(issue, LABELS.techDebt) && !has(issue, LABELS.backlog))
      .map(({ number }) => found("P4", `tech-debt:${number}`, `#${number} is tech debt`)),
  ];
}

/** Only what waits for an agent needs its criteria. */
function shape(issue: RoleIssue): Finding[] {
  const { number, bodyLength, boxes, hasCriteria } = issue;
  if (!has(issue, LABELS.backlog)) return [];
  if (!hasCriteria) {
    const bare = bodyLength < BARE_BODY ? " nor much of a description" : "";
    const text = `#${number} has ${bare === "" ? "no" : "neither"} acceptance criteria${bare}`;
    return [found("P3", `bare:${number}`, text)];
  }
  if (bodyLength > LARGE_BODY || boxes > LARGE_BOXES) {
    return [found("P3", `large:${number}`, `#${number} may be more than one issue`)];
  }
  return [];
}

const rings = (facts: RoleFacts): Finding[] =>
  cycles(facts.issues).map((ring) => {
    const members = ring.toSorted((a, b) => a - b);
    const text = `these issues wait for each other: ${members.map((one) => `#${one}`).join(", ")}`;
    return found("P3", `cycle:${members.join(",")}`, text);
  });

const oldDependencies = (facts: RoleFacts): Finding[] =>
  facts.issues.flatMap((issue) => {
    const old = issue.unmet.filter((number) => ageOf(facts, number) > 30 * DAY_MS);
    if (old.length === 0) return [];
    const text = `#${issue.number} waits for ${old.map((one) => `#${one}`).join(", ")}, open for more than 30 days`;
    return [found("P3", `old-dependency:${issue.number}:${old.join(",")}`, text)];
  });

const ageOf = ({ issues, at }: RoleFacts, number: number): number =>
  at - (issues.find((issue) => issue.number === number)?.createdAt ?? at);

/** Work waits for an issue that no run is going to take. */
const blockers = (facts: RoleFacts): Finding[] =>
  facts.issues
    .filter((issue) => has(issue, LABELS.backlog))
    .flatMap((issue) =>
      issue.unmet.flatMap((number) => {
        const other = facts.issues.find((one) => one.number === number);
        if (other === undefined || has(other, LABELS.backlog) || isTaken(other)) return [];
        const text = `#${issue.number} waits for #${number}, which is not in the backlog`;
        return [found("P2", `blocker:${issue.number}:${number}`, text)];
      }),
    );

function supervisor(facts: RoleFacts): Finding[] {
  const { machine, queue, runs, prs, at } = facts;
  const ready = facts.issues.filter((issue) => readiness(issue).kind === "ready");
  return [
    ...memory(machine),
    ...(machine.diskUsedPercent > 80
      ? [found("P1", "disk", `the disk is ${machine.diskUsedPercent} % full`)]
      : []),
    ...(queue.stopped === undefined
      ? []
      : [found("P2", `queue:${queue.stopped}`, `the merge queue is stopped: ${queue.stopped}`)]),
    ...(ready.length > 0 && runs.active === 0
      ? [found("P2", "stalled", `${ready.length} issues are ready, and no agent works`)]
      : []),
    ...prs
      .filter(({ updatedAt }) => at - updatedAt > HOUR_MS)
      .map(({ number, updatedAt }) =>
        found("P3", `pr:${number}:${updatedAt}`, `PR #${number}: no change for an hour`),
      ),
    ...rings(facts),
    ...oldDependencies(facts),
    ...facts.leftovers.map((name) =>
      found("P4", `leftover:${name}`, `${name} is still alive after its run ended`),
    ),
    ...facts.staleWorkspaces.map((name) =>
      found("P4", `stale-workspace:${name}`, `the workspace ${name} has been idle for a week`),
    ),
    ...facts.letters.map(({ id, from, subject }) =>
      found("P3", `letter:${id}`, `a letter from ${from} is waiting: ${subject}`),
    ),
    ...(machine.journalMb > JOURNAL_MAX_MB
      ? [found("P4", "journal", `the journal takes ${machine.journalMb} MB`)]
      : []),
  ];
}

/** Little is left, or so much was swapped out that little is going to be. */
function memory({ freeMb, swapUsedMb }: RoleFacts["machine"]): Finding[] {
  const swaps = swapUsedMb > 3000 && freeMb < 2000;
  if (freeMb >= 500 && !swaps) return [];
  const swapped = swaps ? `, and ${swapUsedMb} MB are swapped out` : "";
  return [found("P0", "memory", `${freeMb} MB of memory are free${swapped}`)];
}

function planner(facts: RoleFacts): Finding[] {
  const unreviewed = facts.issues.filter((issue) => has(issue, LABELS.predictionUnreviewed));
  const open = facts.issues.filter((issue) => has(issue, LABELS.backlog)).length;
  return [
    ...unreviewed.map(({ number, title }) =>
      found("P3", `prediction:${number}`, `prediction #${number} waits for triage: ${title}`),
    ),
    ...(facts.vision === undefined
      ? []
      : [
          found(
            "P4",
            `vision:${facts.vision}:${open === 0 ? "empty" : "some"}`,
            `VISION.md has changed: compare it with the ${open} issues in the backlog`,
          ),
        ]),
  ];
}
