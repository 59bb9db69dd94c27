// What there is for a standing role to do, found without a model. An empty list starts no session.
import { LABELS } from "../issue.ts";
import { cycles } from "../project/backlog.ts";
import type { Finding, RoleFacts, RoleIssue } from "./facts.ts";
import type { StandingRole } from "./result.ts";
import { duplicates } from "./titles.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
      return predictor(facts);
  }
}

const has = (issue: RoleIssue, label: string): boolean => issue.labels.includes(label);
const isTaken = (issue: RoleIssue): boolean => has(issue, LABELS.inProgress);
const found = (level: Finding["level"], name: string, text: string): Finding => ({
  level,
  name,
  text,
});

function gardener(facts: RoleFacts): Finding[] {
  const groomed = facts.issues.filter((issue) => !isTaken(issue));
  return [
    ...duplicates(groomed).map(([a, b]) =>
      found("P3", `duplicate:${a}:${b}`, `#${a} and #${b} have titles that mean the same`),
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
  const { number, bodyLength, boxes } = issue;
  if (!has(issue, LABELS.backlog)) return [];
  if (bodyLength < BARE_BODY && boxes === 0) {
    const text = `#${number} has neither acceptance criteria nor much of a description`;
    return [found("P3", `bare:${number}`, text)];
  }
  if (bodyLength > LARGE_BODY || boxes > LARGE_BOXES) {
    return [found("P3", `large:${number}`, `#${number} may be more than one issue`)];
  }
  return [];
}

function quiet(issue: RoleIssue, at: number, days: number): Finding[] {
  const { number, updatedAt } = issue;
  if (at - updatedAt < days * DAY_MS) return [];
  return [found("P4", `stale:${number}:${updatedAt}`, `#${number}: no change for ${days} days`)];
}

const rings = (facts: RoleFacts): Finding[] =>
  cycles(facts.issues).map((ring) => {
    const members = ring.toSorted((a, b) => a - b).join(",");
    return found("P3", `cycle:${members}`, `these issues wait for each other: ${members}`);
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

/** Work waits for something that nobody is going to take. */
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
  const ready = facts.issues.filter(
    (issue) => has(issue, LABELS.backlog) && issue.unmet.length === 0,
  );
  return [
    ...(machine.freeMb < 500
      ? [found("P0", "memory", `${machine.freeMb} MB of memory are free`)]
      : []),
    ...(machine.diskUsedPercent > 80
      ? [found("P1", "disk", `the disk is ${machine.diskUsedPercent} % full`)]
      : []),
    ...(queue.stopped === undefined
      ? []
      : [found("P2", `queue:${queue.stopped}`, `the merge queue is stopped: ${queue.stopped}`)]),
    ...(ready.length > 0 && runs.active === 0
      ? [found("P2", "stalled", `${ready.length} issues are ready, and nobody works`)]
      : []),
    ...prs
      .filter(({ updatedAt }) => at - updatedAt > HOUR_MS)
      .map(({ number, updatedAt }) =>
        found("P3", `pr:${number}:${updatedAt}`, `PR #${number}: no change for an hour`),
      ),
    ...rings(facts),
    ...oldDependencies(facts),
  ];
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
            `VISION.md against ${open} issues in the backlog`,
          ),
        ]),
  ];
}

/** After how many days an issue with this label is a sign that something does not flow. */
const PATIENCE: readonly [string, number][] = [
  [LABELS.action, 7],
  [LABELS.backlog, 14],
];

function predictor(facts: RoleFacts): Finding[] {
  const { machine, runs, at } = facts;
  const ended = runs.landed + runs.blocked;
  return [
    ...(ended >= 3 && runs.blocked / ended > 0.3
      ? [
          found(
            "P2",
            `blocked-rate:${runs.blocked}/${ended}`,
            `${runs.blocked} of ${ended} runs of the last day were blocked`,
          ),
        ]
      : []),
    ...(machine.freeMb < 2000
      ? [found("P1", "memory", `${machine.freeMb} MB of memory are free`)]
      : []),
    ...(machine.diskUsedPercent > 80
      ? [found("P1", "disk", `the disk is ${machine.diskUsedPercent} % full`)]
      : []),
    ...(machine.loadPerCore > 3
      ? [found("P2", "load", `${machine.loadPerCore.toFixed(1)} programs wait for each core`)]
      : []),
    ...facts.issues
      .filter((issue) => !isPrediction(issue))
      .flatMap((issue) => {
        const days = PATIENCE.find(([label]) => has(issue, label))?.[1] ?? 30;
        return quiet(issue, at, days);
      }),
  ];
}

const isPrediction = ({ labels }: RoleIssue): boolean =>
  labels.some((label) => label.startsWith("prediction/"));
