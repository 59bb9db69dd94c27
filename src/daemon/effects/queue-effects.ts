// Effects of the merge queue: look at the target and at conflicts, build a chain of results in the
// hub, check exactly one of them, land exactly that.
import type { ProjectConfig } from "../../core/config.ts";
import type { Commit } from "../../core/ids.ts";
import { pluginFolders, protectedAmong } from "../../core/merge-queue/protected.ts";
import type {
  BuildConflict,
  ChangedBy,
  ConflictFact,
  QueuePolicy,
} from "../../core/merge-queue/queue.ts";
import { resolverName } from "../../core/merge-queue/resolver.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CandidateOutcome, CandidateRequest } from "../../ports/git.ts";
import { check, lookAt } from "./check.ts";
import { currentProject, type EffectContext, type EffectOf, type Executors } from "./executor.ts";
import { foreseeChecks } from "./foresee-checks.ts";
import { landByForge, landedBefore } from "./land-by-forge.ts";

export const queueEffects: Executors<
  | "survey-queue"
  | "build-candidate"
  | "release-candidates"
  | "check-candidate"
  | "check-target"
  | "look-at-target"
  | "land"
> = {
  "survey-queue": async (effect, context) => {
    const { own, now } = context;
    const { ref, fresh, others } = effect;
    const target = await own.git.fetchTarget();
    const [policy, found] = await Promise.all([
      policyAt(context, target),
      own.git.conflicts({ target, fresh, others }),
    ]);
    const conflicts = await withAuthors(context, target, found);
    return { kind: "conflicts-observed", at: now(), ref, target, policy, conflicts };
  },

  "build-candidate": async (effect, context) => {
    const { own, now } = context;
    const { ref, onto, heads, strategy, resolve, below = [onto] } = effect;
    const built = await own.git.buildCandidate({ onto, heads, strategy, ref, resolve });
    if (built.kind === "conflict") {
      const found = await conflictOf(effect, built, { ...context, below });
      return { kind: "candidate-conflicted", at: now(), ref, ...found };
    }
    const { tips } = built;
    const by = resolverName(resolve ?? []);
    const resolved = built.resolved.map((one) => ({ ...one, by }));
    const before = (index: number): Commit => tips[index - 1] ?? onto;
    const empty: { index: number; landed: boolean }[] = [];
    for (const [index, { head }] of heads.entries()) {
      const tip = tips[index];
      if (tip === undefined || tip !== before(index)) continue;
      empty.push({ index, landed: await own.git.contains({ target: tip, head }) });
    }
    const changes = await protectedChanges(context, [onto, ...tips]);
    const changesPolicy = changes.map(({ index }) => index);
    const protectedPaths = changes.map(({ paths }) => paths);
    const seen = { tips, empty, changesPolicy, protectedPaths };
    const marked = resolved.length === 0 ? {} : { resolved };
    return { kind: "candidate-built", at: now(), ref, ...seen, ...marked };
  },

  "release-candidates": async (effect, { own }) => {
    for (const ref of effect.refs) await own.git.releaseCandidate(ref);
    return undefined;
  },

  "check-candidate": async (effect, context) => {
    const { ref, commit, ci } = effect;
    const tree = await context.own.git.treeOf(commit);
    // One failure is enough to split a batch. No entry is blamed before the queue asked a second
    // time.
    const next = () => foreseeChecks(context, { ref, tree });
    const outcome = await check(context, { commit, tree, ci, key: context.key, tries: 1, next });
    return { kind: "candidate-checked", at: context.now(), ref, outcome };
  },

  "check-target": async (effect, context) => {
    const { ref, target: commit, ci, fresh } = effect;
    const tree = await context.own.git.treeOf(commit);
    const wanted = { commit, tree, ci, key: context.key, ...(fresh && { fresh }) };
    const outcome = await check(context, wanted);
    return { kind: "target-checked", at: context.now(), ref, target: commit, outcome };
  },

  "look-at-target": async ({ ref, target }, context) => {
    const word = await lookAt(context, target);
    return { kind: "target-looked", at: context.now(), ref, target, word };
  },

  land: async (effect, context) => {
    const { ref, candidate, expected } = effect;
    const { own } = context;
    const pushed = await own.git.land({ candidate, expected });
    let outcome = pushed;
    if (pushed.kind === "rejected") outcome = await landByForge(effect, pushed, context);
    if (pushed.kind === "target-moved") outcome = (await landedBefore(effect, context)) ?? pushed;
    return { kind: "landing-finished", at: context.now(), ref, outcome };
  },
};

const AUTHORS_MAX = 3;
/** Of so many conflicts with the target it is told who changed the files; the rest goes back without. */
const TOLD_MAX = 20;

async function withAuthors(
  { own }: EffectContext,
  target: Commit,
  found: ConflictFact[],
): Promise<ConflictFact[]> {
  const facts: ConflictFact[] = [];
  let told = 0;
  for (const fact of found) {
    const { a, b, files } = fact;
    const isWithTarget = a === target || b === target;
    if (!isWithTarget || told === TOLD_MAX) {
      facts.push(fact);
      continue;
    }
    told += 1;
    const head = a === target ? b : a;
    const limit = AUTHORS_MAX;
    facts.push({ ...fact, by: await own.git.changedBy({ onto: target, head, files, limit }) });
  }
  return facts;
}

type NotBuilt = Extract<CandidateOutcome, { kind: "conflict" }>;

async function conflictOf(
  { ref, onto, heads, strategy, resolve }: EffectOf<"build-candidate">,
  { index, files, tips, why }: NotBuilt,
  context: EffectContext & { below: Commit[] },
): Promise<BuildConflict> {
  const [head = { branch: "", head: onto, message: "" }] = heads.slice(index);
  const chain = [...context.below, ...tips];
  const whom = await withWhom(context, { chain, head: head.head, files });
  const found = { index, files, ...whom };
  if (resolve === undefined || why === undefined) return found;
  const [target = onto] = chain;
  // A look does not send it back where a resolver may help: so this tells whether it would go alone.
  const alone = { onto: target, heads: [head], strategy, ref, resolve };
  const isOnTarget = chain.length > 1 && (await fails(context, alone));
  return { ...found, unresolved: why, ...(isOnTarget ? { onTarget: true } : {}) };
}

const fails = async ({ own }: EffectContext, alone: CandidateRequest): Promise<boolean> =>
  (await own.git.buildCandidate(alone)).kind === "conflict";

/** What a head conflicts with: entries below it, or commits of the bare target. */
async function withWhom(
  { own }: EffectContext,
  { chain, head, files }: { chain: Commit[]; head: Commit; files: string[] },
): Promise<{ by: ChangedBy[] } | { with: number[] }> {
  const [onto = head] = chain;
  if (chain.length < 2) {
    return { by: await own.git.changedBy({ onto, head, files, limit: AUTHORS_MAX }) };
  }
  const changed = await own.git.changedPaths(chain);
  const isIn = (paths: string[]): boolean => paths.some((path) => files.includes(path));
  return { with: changed.flatMap((paths, position) => (isIn(paths) ? [position] : [])) };
}

/**
 * The rules at exactly this commit of the target. Where they cannot be read the last good ones
 * count, as for everything else, so that a fix of them can land.
 */
async function policyAt(context: EffectContext, target: Commit): Promise<QueuePolicy> {
  const { ci, merge } = await configAt(context, target);
  const { strategy, lanes, resolve } = merge;
  return { ci, strategy, lanes, step: undefined, ...(resolve === undefined ? {} : { resolve }) };
}

async function configAt(context: EffectContext, target: Commit): Promise<ProjectConfig> {
  const project = await currentProject(context);
  const read = await context.readConfig(project, context.own, target);
  const config = read.kind === "valid" ? read.config : project.config;
  if (config === undefined) {
    const problem = read.kind === "invalid" ? read.problem : "no configuration";
    throw new OperationError(`cannot plan the merge queue of ${context.project}: ${problem}`, {
      code: "config-missing",
      hint: "write one with `pawl init`",
    });
  }
  return config;
}

/** Which steps of a chain change files that the rules of its first commit protect. */
async function protectedChanges(
  context: EffectContext,
  chain: [Commit, ...Commit[]],
): Promise<{ index: number; paths: string[] }[]> {
  const [{ merge }, changed] = await Promise.all([
    configAt(context, chain[0]),
    context.own.git.changedPaths(chain),
  ]);
  const plugins = await pluginsAmong(context, chain[0], changed.flat());
  return changed
    .map((all, index) => ({ index, paths: protectedAmong(all, merge.protected ?? [], plugins) }))
    .filter(({ paths }) => paths.length > 0);
}

/** Plugins that are on the target, or are made here. */
async function pluginsAmong(
  { own }: EffectContext,
  target: Commit,
  changed: string[],
): Promise<string[]> {
  const plugins: string[] = [];
  for (const folder of pluginFolders(changed)) {
    const file = `${folder}/plugin.md`;
    const isNew = changed.includes(file);
    if (isNew || (await own.git.readFile(target, file)) !== undefined) plugins.push(folder);
  }
  return plugins;
}
