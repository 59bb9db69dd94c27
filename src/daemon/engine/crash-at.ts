// PAWL_CRASH_AT=name:n[,name:n…] ends this very process at the n-th passing of one of these crash
// points, as kill -9 would; PAWL_CRASH_TRACE=file notes every name that is passed, or with both the
// one it ends at. PAWL_DIE_AT=name lets the process die of an error of its own at every passing of that
// point, as a bug would; PAWL_ABORT_AT=name aborts it there, as V8 does without memory. They are how the tests prove that every point can be survived; no other program sets
// them.
import { appendFileSync } from "node:fs";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";

export function crashPointFrom(env: Readonly<Record<string, string | undefined>>): CrashPoint {
  const wanted = env["PAWL_CRASH_AT"] ?? "";
  const trace = env["PAWL_CRASH_TRACE"] ?? "";
  const note = (passed: string): void => {
    if (trace !== "") appendFileSync(trace, `${passed}\n`);
  };
  const fatal = env["PAWL_DIE_AT"] ?? "";
  if (fatal !== "") return dieAt(fatal);
  const aborting = env["PAWL_ABORT_AT"] ?? "";
  if (aborting !== "") return (passed) => (passed === aborting ? process.abort() : undefined);
  if (wanted !== "") return crashAt(wanted, note);
  return trace === "" ? noCrash : note;
}

function crashAt(wanted: string, note: (passed: string) => void): CrashPoint {
  const left = new Map(wanted.split(",").map(pointFrom));
  return (passed) => {
    const count = left.get(passed);
    if (count === undefined) return;
    left.set(passed, count - 1);
    if (count !== 1) return;
    note(passed);
    process.kill(process.pid, "SIGKILL");
  };
}

/** Thrown outside every promise, where nothing can catch it. */
function dieAt(fatal: string): CrashPoint {
  return (passed) => {
    if (passed !== fatal) return;
    setImmediate(() => {
      throw new RangeError(`PAWL_DIE_AT is ${fatal}`);
    });
    return new Promise<void>(() => undefined);
  };
}

function pointFrom(wanted: string): [name: string, count: number] {
  const match = /^(?<name>.+):(?<count>\d+)$/.exec(wanted);
  if (match?.groups !== undefined) {
    return [match.groups["name"] ?? "", Number(match.groups["count"])];
  }
  throw new OperationError(`PAWL_CRASH_AT is "${wanted}", which names no crash point`, {
    code: "usage",
    hint: "write kind:before:1 or kind:after:1",
  });
}
