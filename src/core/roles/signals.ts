// What the predictor is shown: signs that something will become trouble, in runs, checks, issues and
// the machine. Found without a model; an empty list starts no session.
import { LABELS } from "../issue.ts";
import type { Finding, RoleFacts, RoleIssue } from "./facts.ts";
import { found, has, quiet } from "./finding.ts";

const DAY_MS = 86_400_000;
const CHECKS_SEEN = 20;
const CHECKS_MIN = 5;
const FAILED_SHARE = 0.3;
const SAME_GATE_MIN = 3;

/** After how many days an issue with this label is a sign that something does not flow. */
const PATIENCE: readonly [string, number][] = [
  [LABELS.action, 7],
  [LABELS.backlog, 14],
];

export function signals(facts: RoleFacts): Finding[] {
  const { machine, runs, at } = facts;
  const ended = runs.landed + runs.blocked;
  return [
    ...(ended >= 3 && runs.blocked / ended > 0.3
      ? [
          found(
            "P2",
            "blocked-rate",
            `${runs.blocked} of ${ended} runs of the last day were blocked`,
          ),
        ]
      : []),
    ...checks(facts),
    ...sessions(facts),
    ...(machine.freeMb < 2000
      ? [found("P1", "memory", `${machine.freeMb} MB of memory are free`)]
      : []),
    ...(machine.diskUsedPercent > 80
      ? [found("P1", "disk", `the disk is ${machine.diskUsedPercent} % full`)]
      : []),
    ...(machine.loadPerCore > 3
      ? [found("P2", "load", `${machine.loadPerCore.toFixed(1)} processes wait for each core`)]
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

const FIXED_MIN = 3;
const CRASHES_MIN = 3;
const ERRORS_MIN = 5;

/** Red and then fixed is a sign as well; so are sessions that crash, and errors that repeat. */
function sessions({ sessions: all, errors }: RoleFacts): Finding[] {
  const fixed = all.filter(({ redFixed }) => redFixed);
  const crashed = all.filter(({ crashes }) => crashes > 0);
  const crashes = crashed.reduce((sum, one) => sum + one.crashes, 0);
  const names = (some: { run: string }[]): string =>
    some
      .slice(0, 5)
      .map(({ run }) => run)
      .join(", ");
  return [
    ...(fixed.length >= FIXED_MIN
      ? [
          found(
            "P3",
            "red-fixed",
            `CI was red and then fixed in ${fixed.length} of ${all.length} runs: ${names(fixed)}`,
          ),
        ]
      : []),
    ...(crashes >= CRASHES_MIN
      ? [found("P2", "crashes", `sessions crashed ${crashes} times: ${names(crashed)}`)]
      : []),
    ...(errors.length >= ERRORS_MIN
      ? [
          found(
            "P3",
            "log-errors",
            `${errors.length} errors in the daemon's log, the last: ${errors.at(-1) ?? ""}`,
          ),
        ]
      : []),
  ];
}

/** Too many are red, the same gate is red again and again, or none was green for a day. */
function checks({ checks: all, at }: RoleFacts): Finding[] {
  const seen = all.slice(0, CHECKS_SEEN);
  const red = seen.filter(({ passed }) => !passed);
  const gates = Map.groupBy(red, ({ gate }) => gate ?? "");
  const lastGreen = seen.find(({ passed }) => passed)?.at;
  const today = seen.filter((check) => at - check.at < DAY_MS);
  return [
    ...(seen.length >= CHECKS_MIN && red.length / seen.length > FAILED_SHARE
      ? [found("P2", "red-checks", `${red.length} of the last ${seen.length} checks were red`)]
      : []),
    ...[...gates]
      .filter(([gate, of]) => gate !== "" && of.length >= SAME_GATE_MIN)
      .map(([gate, of]) =>
        found("P2", `red-gate:${gate}`, `the gate ${gate} was red ${of.length} times`),
      ),
    ...(today.length >= SAME_GATE_MIN && (lastGreen === undefined || at - lastGreen >= DAY_MS)
      ? [found("P2", "no-green", "no check was green for a day")]
      : []),
  ];
}
