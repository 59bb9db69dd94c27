// Results remembered by tree, gates and environment, so that a tree is tested once. Failures of the
// CI infrastructure and failures that depend on the load of the machine are never remembered.
import { createHash } from "node:crypto";
import type { CheckOutcome, CiGateResult } from "../../core/check.ts";
import type { CheckRequest } from "../../ports/ci.ts";
import { programsOf } from "./programs.ts";

const REMEMBERED_MS = 24 * 60 * 60 * 1000;
/** Raised when the same inputs would lead to another result than before. */
const VERSION = 2;

export type RememberedCheck = {
  at: number;
  outcome: Extract<CheckOutcome, { kind: "passed" | "failed" }>;
};

/** A collection of small documents; the daemon keeps it in the journal. */
export type CheckRecords = {
  get(key: string): Promise<RememberedCheck | undefined>;
  put(key: string, value: RememberedCheck): Promise<void>;
};

/** Undefined where results depend on more than the tree. Values of the environment are only hashed. */
export async function memoryKey(
  request: CheckRequest,
  environment: Record<string, string>,
): Promise<string | undefined> {
  if (request.history) return undefined;
  const { tree, gates, setup, keep, sparse, walls } = request;
  const variables = Object.entries(environment).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const commands = [...gates, ...(setup === undefined ? [] : [setup])].map((one) => one.command);
  const inputs = [
    VERSION,
    tree,
    gates.map(({ name, command, timeoutMs, report = null }) => [name, command, timeoutMs, report]),
    setup === undefined ? null : [setup.command, setup.timeoutMs],
    keep,
    ...(sparse === undefined ? [] : [sparse]),
    ...(walls === undefined ? [] : [walls.isolation]),
    [process.platform, process.arch, ...variables],
    await programsOf(commands, environment["PATH"] ?? ""),
  ];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
}

export async function recall(
  records: CheckRecords,
  key: string,
  now: number,
): Promise<CheckOutcome | undefined> {
  const found = await records.get(key);
  if (found === undefined || now - found.at >= REMEMBERED_MS || found.at > now) return undefined;
  return { ...found.outcome, remembered: true };
}

/** Red twice, at the same gate, with the same exit code, by its own doing. */
export function isDeterministic(first: CiGateResult[], second: CiGateResult[]): boolean {
  const [a, b] = [first.at(-1), second.at(-1)];
  if (a === undefined || b === undefined || a.gate !== b.gate) return false;
  const isOwn = [a, b].every((result) => !result.timedOut && result.signal === null);
  return isOwn && a.exitCode === b.exitCode;
}
