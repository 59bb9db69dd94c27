// From Woodpecker's pipelines to a verdict. Restarting makes a pipeline with a new number, and a
// push and its pull request are events of their own: of each event, the newest one counts.
import type { CiGateResult } from "../../core/check.ts";
import { serverResult } from "./verdict.ts";
import { cutTail } from "../shared/cut-tail.ts";
import type { ListedPipeline, LogEntry, Pipeline, Step } from "./woodpecker-shapes.ts";

const EVENTS: ReadonlySet<string> = new Set(["push", "pull_request", "manual"]);
const UNFINISHED: ReadonlySet<string> = new Set(["created", "pending", "running", "blocked"]);
const SECOND_MS = 1000;
const OUTPUT_TYPES: ReadonlySet<number> = new Set([0, 1]);

export const isUnfinished = ({ status }: { status: string }): boolean => UNFINISHED.has(status);
export const isGreen = ({ status }: { status: string }): boolean => status === "success";

/** The newest pipeline of each event that checks this commit, oldest number first. */
export function countingFor(commit: string, listed: readonly ListedPipeline[]): ListedPipeline[] {
  const newest = new Map<string, ListedPipeline>();
  for (const pipeline of listed) {
    if (pipeline.commit !== commit || !EVENTS.has(pipeline.event)) continue;
    const known = newest.get(pipeline.event);
    if (known === undefined || known.number < pipeline.number) {
      newest.set(pipeline.event, pipeline);
    }
  }
  return [...newest.values()].toSorted((a, b) => a.number - b.number);
}

/** Of the newest of each event, and every other that is queued or runs. */
export function unfinishedOf(commit: string, listed: readonly ListedPipeline[]): ListedPipeline[] {
  const newest = countingFor(commit, listed);
  const about = listed.filter((one) => one.commit === commit && EVENTS.has(one.event));
  return about
    .filter((one) => isUnfinished(one) && (newest.includes(one) || one.status !== "blocked"))
    .toSorted((a, b) => a.number - b.number);
}

export const stepsOf = ({ workflows }: Pipeline): { name: string; step: Step }[] => {
  const all = workflows ?? [];
  return all.flatMap(({ name, children }) =>
    (children ?? []).map((step) => ({
      name: all.length === 1 ? step.name : `${name}/${step.name}`,
      step,
    })),
  );
};

export const hasFailed = ({ state }: Step): boolean =>
  state === "failure" || state === "error" || state === "killed";

/** `log`: of steps that failed, by the step's id. */
export function resultsOf(
  pipeline: Pipeline,
  from: { url: string; log: ReadonlyMap<number, string> },
): CiGateResult[] {
  const green = isGreen(pipeline);
  const results = stepsOf(pipeline)
    .filter(({ step }) => step.state !== "skipped")
    .map(({ name, step }) =>
      serverResult({
        name,
        // A step that may fail leaves its pipeline green.
        passed: green || !hasFailed(step),
        exitCode: step.exit_code,
        durationMs: spanMs(step),
        url: from.url,
        logTail: cutTail(from.log.get(step.id) ?? ""),
        reason: !green && hasFailed(step) ? reasonOf(step) : undefined,
      }),
    );
  return green || results.some(({ passed }) => !passed)
    ? results
    : [...results, wholeResult(pipeline, from.url)];
}

/** Red without a red step: it was declined, cancelled, or could not be read. */
function wholeResult({ status, errors }: Pipeline, url: string): CiGateResult {
  const said = (errors ?? []).filter(({ is_warning: warns }) => warns !== true);
  const logTail = said.map(({ message }) => message).join("\n");
  const reason = `the pipeline's status is ${status}`;
  return serverResult({
    name: "pipeline",
    passed: false,
    exitCode: null,
    durationMs: 0,
    url,
    logTail: cutTail(logTail),
    reason,
  });
}

function reasonOf({ state, error }: Step): string | undefined {
  if (error !== undefined && error !== "") return error;
  return state === "failure" ? undefined : state;
}

const spanMs = ({ started = 0, finished = 0 }: Step): number =>
  finished >= started && started > 0 ? (finished - started) * SECOND_MS : 0;

export const logText = (entries: readonly LogEntry[]): string =>
  entries
    .filter(({ type }) => OUTPUT_TYPES.has(type))
    .toSorted((a, b) => a.line - b.line)
    .map(({ data }) =>
      Buffer.from(data ?? "", "base64")
        .toString("utf8")
        .replace(/\n$/, ""),
    )
    .join("\n");
