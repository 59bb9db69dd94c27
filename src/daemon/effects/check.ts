// How a commit is checked: by the project's gates on this machine, by a CI server, or by both. The
// queue believes the gates on the merged tree; only a project without gates has it ask the server.
import type { CheckOutcome, ServerWord } from "../../core/check.ts";
import type { CiConfig } from "../../core/config.ts";
import type { Commit, Tree } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CiServer } from "../../ports/ci.ts";
import { pushOwn } from "./push-own.ts";
import { wallsOf, type EffectContext } from "./executor.ts";

type Wanted = {
  commit: Commit;
  tree: Tree;
  ci: CiConfig;
  key: string;
  tries?: 1 | 2;
  /** It runs, even if a result is remembered. */
  fresh?: true;
  /** The published head that the commit was made from: what a server has seen of a PR. */
  head?: Commit;
  /** Which commits may be checked next. */
  next?: () => Promise<Commit[]>;
};

/** A project that states it has no CI passes. */
export async function check(context: EffectContext, wanted: Wanted): Promise<CheckOutcome> {
  const { ci, tree, head } = wanted;
  const { gates, server: configured } = ci;
  const nothing: CheckOutcome = {
    kind: "passed",
    tree,
    results: [],
    remembered: false,
    flaky: false,
  };
  if (ci.none) return nothing;
  const byGates = gates.length === 0 ? nothing : await checkGates(context, wanted);
  if (byGates.kind !== "passed" || configured === undefined) return byGates;
  const server = serverOf(context);
  const { key, commit } = wanted;
  const { signal } = context;
  if (head !== undefined) {
    const byServer = await server.judge({ key, commit: head, tree, isPr: true, signal });
    if (byServer.kind === "infra") return byServer;
    return { ...byServer, results: [...byGates.results, ...byServer.results] };
  }
  if (gates.length > 0) return byGates;
  const { timeoutMs } = configured;
  return onQueueBranch(context, commit, () =>
    server.judge({ key, commit, tree, isPr: false, signal, timeoutMs }),
  );
}

/** What the CI server says of a commit now. */
export const lookAt = async (context: EffectContext, commit: Commit): Promise<ServerWord> =>
  serverOf(context).look(commit);

async function checkGates(context: EffectContext, wanted: Wanted): Promise<CheckOutcome> {
  const { key, commit, tree, tries = 2, fresh, next } = wanted;
  const { gates, setup, keep, history, sparse } = wanted.ci;
  const { signal } = context;
  const walls = await wallsOf(context);
  const request = { key, commit, tree, gates, setup, keep, history, tries, walls, signal };
  return context.own.ci.check({
    ...request,
    ...(sparse === undefined ? {} : { sparse }),
    ...(fresh === undefined ? {} : { fresh }),
    ...(next === undefined ? {} : { next }),
  });
}

/** A server checks only what it can fetch: the commit is on a branch of its own meanwhile. */
async function onQueueBranch(
  context: EffectContext,
  commit: Commit,
  judge: () => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  const { own } = context;
  const branch = `pawl/queue/${commit.slice(0, 12)}`;
  if (!(await isKnown(serverIn(own.ciServer), commit))) {
    await pushOwn(context, { branch, head: commit });
  }
  try {
    return await judge();
  } finally {
    await own.git.deleteBranch({ branch, head: commit });
  }
}

/** Where it cannot be asked now, the branch does no harm. */
async function isKnown(server: CiServer, commit: Commit): Promise<boolean> {
  try {
    return await server.knows(commit);
  } catch (error) {
    if (error instanceof OperationError) return false;
    throw error;
  }
}

const serverOf = ({ own }: EffectContext): CiServer => serverIn(own.ciServer);

/** A run keeps its configuration, also where the project's has no server any more. */
function serverIn(server: CiServer | undefined): CiServer {
  if (server !== undefined) return server;
  throw new OperationError("cannot ask the CI server: pawl.toml no longer names one", {
    code: "config-missing",
    hint: 'write [ci] server = "forge" or "woodpecker" again, or retry the run',
  });
}
