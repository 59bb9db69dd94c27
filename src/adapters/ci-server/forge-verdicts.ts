// The forge's own statuses and checks of a commit as a verdict. Which of them must be green is
// written in pawl.toml or in the protection of the target; where it is neither, nothing passes. What
// is still queued or running is waited for, whether it is required or not.
import type { CiGateResult } from "../../core/check.ts";
import type { Commit } from "../../core/ids.ts";
import { isOwnContext, missingRequirement } from "../../core/required-checks.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Status } from "../../ports/forge.ts";
import { serverResult, type Verdict, type Verdicts } from "./verdict.ts";

/** Protection changes rarely; asking each time would double the requests. */
const REQUIRED_KEPT_MS = 600_000;
export type ForgeVerdictsOptions = {
  forge: Pick<Forge, "statuses" | "requiredContexts" | "running">;
  target: string;
  contexts: string[];
  now: () => number;
};

export function createForgeVerdicts(options: ForgeVerdictsOptions): Verdicts {
  const { forge, target } = options;
  const required = requiredOf(options);
  return {
    verdict: async (commit: Commit) => {
      const [all, contexts, running] = await Promise.all([
        forge.statuses(commit),
        required(),
        forge.running?.(commit) ?? [],
      ]);
      if (contexts.length === 0) throw unrequired(target, all);
      return verdictOf(all, contexts, running);
    },
  };
}

function unrequired(target: string, all: readonly Status[]): OperationError {
  const seen = all.map(({ context }) => context);
  const problem = missingRequirement(
    { kind: "forge", contexts: [], timeoutMs: 0, pollMs: 0 },
    { target, protection: [], seen },
  );
  return new OperationError(`cannot judge by the forge's checks: ${problem}`, {
    code: "config-missing",
  });
}

/** What the protection of the target requires, where pawl.toml names nothing. */
export function requiredOf(
  options: Pick<ForgeVerdictsOptions, "target" | "contexts" | "now"> & {
    forge: Pick<Forge, "requiredContexts">;
  },
): () => Promise<string[]> {
  const { forge, target, contexts, now } = options;
  let known: { at: number; contexts: string[] } | undefined;
  return async () => {
    if (contexts.length > 0 || forge.requiredContexts === undefined) return contexts;
    if (known === undefined || known.at + REQUIRED_KEPT_MS < now()) {
      known = { at: now(), contexts: await forge.requiredContexts(target) };
    }
    return known.contexts;
  };
}

/** `running`: what is under way for the commit and has no status of its own. */
export function verdictOf(
  all: readonly Status[],
  required: readonly string[],
  running: readonly string[] = [],
): Verdict {
  const counting = all.filter(({ context }) => required.some((name) => matches(name, context)));
  const failed = counting.filter(({ state }) => state === "failure" || state === "error");
  if (failed.length > 0) return failure(counting, failed);
  const missing = required.filter(
    (name) => !counting.some(({ context }) => matches(name, context)),
  );
  const pending = all.filter(({ context, state }) => state === "pending" && !isOwnContext(context));
  const waitsFor = [...pending.map(({ context }) => context), ...missing, ...running];
  if (counting.length === 0) return { kind: "missing" };
  if (waitsFor.length > 0) return { kind: "pending", waitsFor };
  return { kind: "passed", results: counting.map(resultOf) };
}

/** Gitea's protection has patterns, e.g. `ci/*`; a pattern is fulfilled by at least one context. */
function matches(required: string, context: string): boolean {
  if (!required.includes("*")) return required === context;
  const parts = required
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`).test(context);
}

function failure(counting: readonly Status[], failed: readonly Status[]): Verdict {
  const run = failed
    .map(({ context, state, url }) => `${context} ${state} ${url ?? ""}`)
    .join("\n");
  // `error` is what a checker says that could not do its work.
  const broken = failed.every(({ state }) => state === "error") ? failed[0] : undefined;
  const infra =
    broken === undefined
      ? undefined
      : { message: `${broken.context} could not run: ${broken.description}`, certain: true };
  return { kind: "failed", run, results: counting.map(resultOf), infra };
}

const resultOf = ({ context, state, description, url }: Status): CiGateResult =>
  serverResult({
    name: context,
    passed: state === "success" || state === "pending",
    exitCode: null,
    durationMs: 0,
    url: url ?? "",
    logTail: [description, url ?? ""].filter((line) => line !== "").join("\n"),
    reason: state === "success" ? undefined : state,
  });
