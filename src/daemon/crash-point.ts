// PAWL_CRASH_AT=name:n ends this very process at the n-th passing of a crash point, as kill -9
// would; PAWL_CRASH_TRACE=file notes every name that is passed. They are how the tests prove that
// every point can be survived; nobody else sets them.
import { appendFileSync } from "node:fs";
import type { CrashPoint } from "../lib/crash-point.ts";
import { noCrash } from "../lib/crash-point.ts";
import { OperationError } from "../lib/operation-error.ts";

export function crashPointFrom(env: Readonly<Record<string, string | undefined>>): CrashPoint {
  const wanted = env["PAWL_CRASH_AT"];
  const trace = env["PAWL_CRASH_TRACE"];
  if (trace !== undefined && trace !== "") return (passed) => appendFileSync(trace, `${passed}\n`);
  return wanted === undefined || wanted === "" ? noCrash : crashAt(wanted);
}

function crashAt(wanted: string): CrashPoint {
  const match = /^(?<name>.+):(?<count>\d+)$/.exec(wanted);
  if (match?.groups === undefined) {
    throw new OperationError(`PAWL_CRASH_AT is "${wanted}", which names no crash point`, {
      code: "usage",
      hint: "write kind:before:1 or kind:after:1",
    });
  }
  const { name, count } = match.groups;
  let left = Number(count);
  return (passed) => {
    if (passed !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
}
