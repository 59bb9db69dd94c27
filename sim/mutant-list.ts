// Bugs that are planted one at a time into a copy of the sources, to know that the simulator sees.
// Each replaces text that must occur exactly once, so that a mutant that no longer fits is noticed.
import { AGENT_MUTANTS } from "./mutants-of-agents.ts";
import { ARCHIVE_MUTANTS } from "./mutants-of-archive.ts";
import { CI_SERVER_MUTANTS } from "./mutants-of-ci-servers.ts";
import { CLAIM_MUTANTS } from "./mutants-of-claims.ts";
import { DELIVERY_MUTANTS } from "./mutants-of-deliveries.ts";
import { ERROR_MUTANTS } from "./mutants-of-errors.ts";
import { FORMULA_MUTANTS } from "./mutants-of-formulas.ts";
import { GATEWAY_MUTANTS } from "./mutants-of-gateway.ts";
import { LANE_MUTANTS } from "./mutants-of-lanes.ts";
import { GROUND_MUTANTS } from "./mutants-of-ground.ts";
import { POISON_MUTANTS } from "./mutants-of-poison.ts";
import { LIMIT_MUTANTS } from "./mutants-of-limits.ts";
import { SAVING_MUTANTS } from "./mutants-of-saving.ts";
import { LANDING_MUTANTS } from "./mutants-of-landing.ts";
import { ORDER_MUTANTS } from "./mutants-of-order.ts";
import { QUESTION_MUTANTS } from "./mutants-of-questions.ts";
import { REOPENING_MUTANTS } from "./mutants-of-reopening.ts";
import { ROLE_MUTANTS } from "./mutants-of-roles.ts";
import { SET_UP_MUTANTS } from "./mutants-of-set-up.ts";
import { SETTINGS_MUTANTS } from "./mutants-of-settings.ts";
import { STRANGER_MUTANTS } from "./mutants-of-strangers.ts";
import { TASK_MUTANTS } from "./mutants-of-tasks.ts";
import { VAULT_MUTANTS } from "./mutants-of-vault.ts";

type Edit = { file: string; from: string; to: string };

/**
 * `by`: the checkers that are there for it; that another one stumbles over it proves nothing.
 * `also`: the second guard, where one hides that the other is missing.
 */
export type Mutant = Edit & { name: string; proves: string; by: string[]; also?: Edit };

const RUN = "src/core/run";

export const MUTANTS: Mutant[] = [
  {
    name: "forget an outbox row",
    proves: "liveness; the journal holds every obligation",
    by: ["liveness"],
    file: "src/daemon/engine/loop.ts",
    from: `    await tx.enqueue({ ...obligation, aggregate: fact.to });`,
    to: `    if (obligation.effect.kind !== "publish-branch") await tx.enqueue({ ...obligation, aggregate: fact.to });`,
  },
  {
    name: "a new daemon does not take up the outbox",
    proves: "liveness after a kill",
    by: ["liveness"],
    file: "src/daemon/engine/engine.ts",
    from: `    await outbox.resume();
    for (const`,
    to: `    for (const`,
    // The deacon restarts an outbox that stands still.
    also: {
      file: "src/daemon/patrol/restart-component.ts",
      from: `      return parts.outbox.resume();`,
      to: `      return undefined;`,
    },
  },
  {
    name: "land a batch where the forge merges one by one",
    proves: "liveness on a target that only the forge moves",
    by: ["liveness", "busy"],
    file: "src/core/merge-queue/queue.ts",
    from: `  if (queue.oneByOne === true) return queue.stack`,
    to: `  if (queue.stack.length < 0) return queue.stack`,
  },
  {
    name: "accept a stale epoch",
    proves: "(d) stale epochs change nothing",
    by: ["one-life"],
    file: `${RUN}/step-run.ts`,
    from: `  "epoch" in event && event.epoch !== run.session?.epoch;`,
    to: `  "epoch" in event && event.epoch > (run.session?.epoch ?? 0);`,
    also: {
      file: "src/daemon/sessions/watched-session.ts",
      from: `      if (!this.#closed) await work();`,
      to: `      await work();`,
    },
  },
  {
    name: "end only what was seen to start",
    proves: "(d), (f) no session lives on that was to be ended; terminal port: ending by marks",
    by: ["one-life", "workspaces"],
    file: "src/daemon/effects/session-effects.ts",
    from: `    await ports.terminal.end({`,
    to: `    if (process !== undefined) await ports.terminal.end({`,
  },
  {
    name: "start a life beside the lane of its run",
    proves: "(a) effects of a run keep their order",
    by: ["saved-work", "one-life"],
    file: `${RUN}/obligations.ts`,
    from: `  "spawn-session": { needs: "session" },`,
    to: `  "spawn-session": { needs: "own" },`,
  },
  {
    name: "an unknown probe counts as dead",
    proves: "terminal port: a failed probe is never dead",
    by: ["one-life"],
    file: "src/daemon/sessions/watched-session.ts",
    from: `    if (life !== "dead" || exit !== undefined) return life;`,
    to: `    if (life === "alive" || exit !== undefined) return life;`,
  },
  {
    name: "drop an acknowledgement",
    proves: "(e) acknowledged or visibly undelivered",
    by: ["messages"],
    file: "src/daemon/sessions/session-intake.ts",
    from: `    const fresh = read.filter((id) => !acknowledged.has(id));`,
    to: `    const fresh = read.filter((id) => !acknowledged.has(id) && !id.endsWith("2"));`,
  },
  {
    name: "show a message in the prompt and in the inbox",
    proves: "(e) shown at most once per epoch",
    by: ["messages"],
    file: `${RUN}/session-life.ts`,
    from: `    isOpen(message) ? { ...message, status: "told", epoch } : message,`,
    to: `    isOpen(message) ? { ...message, status: "queued", epoch: undefined } : message,`,
    also: {
      file: `${RUN}/obligations.ts`,
      from: `message.status === "told" && message.epoch === epoch`,
      to: `message.status === "told" || message.status === "queued"`,
    },
  },
  {
    name: "forget open messages beyond a few",
    proves: "(e) an open message never vanishes",
    by: ["messages"],
    file: `${RUN}/message.ts`,
    from: `  if (surplus <= 0) return messages;`,
    to: `  if (surplus <= 0) return messages.slice(-3);`,
  },
  {
    name: "do not start a life for news",
    proves: "liveness of one-shot agents",
    by: ["liveness"],
    file: `${RUN}/proceed.ts`,
    from: `  if (isWaiting(run)) return openMessages(run).some(isActionable) ? spawn(run, context) : run;`,
    to: `  if (isWaiting(run) || run.session?.verdict === "completed") return run;`,
  },
  {
    name: "remove a workspace without a checkpoint",
    proves: "(f) nothing removed that is not saved",
    by: ["workspaces"],
    file: `${RUN}/obligations.ts`,
    from: `  add("checkpoint:last",`,
    to: `  if (workspaceGone) add("checkpoint:last",`,
  },
  {
    name: "remove the workspace of a living agent",
    proves: "(f) the session is gone first",
    by: ["workspaces"],
    file: `${RUN}/clear.ts`,
    from: `    if (stage.kind === "landed" || isAttended(run)) return run;`,
    to: `    if (stage.kind === "landed" && !stage.clearing.sessionGone) return cleared(run, "sessionGone", context);
    if (isAttended(run)) return run;`,
  },
  {
    name: "no checkpoint when a life ends",
    proves: "(a) what a life wrote is saved",
    by: ["saved-work"],
    file: `${RUN}/obligations.ts`,
    from: `    add(\`checkpoint:end:\${epoch}\`, "checkpoint", () => effect);\n`,
    to: ``,
  },
  {
    name: "skip the escalation's deadline",
    proves: "liveness: every wait has a deadline",
    by: ["deadlines", "liveness"],
    file: `${RUN}/proceed.ts`,
    from: `      return [stage.escalation.remindAt, stage.escalation.deadline];`,
    to: `      return [stage.escalation.remindAt];`,
  },
  {
    name: "a limit of the account never ends",
    proves: "liveness: what keeps a project from starting agents ends some day",
    by: ["liveness"],
    file: "src/core/project/accounts.ts",
    from: `  config?.agent.limit?.ask === true &&
  active.some(({ run }) => one.asking?.includes(run) ?? true) &&
  one.answered !== true &&
  one.cannotStart !== true &&
  one.isShort !== true;`,
    to: `  config !== undefined && active.length >= 0 && one !== undefined;`,
  },
  {
    name: "skip the exit time",
    proves: "liveness: an agent that lingers is ended",
    by: ["deadlines", "liveness"],
    file: `${RUN}/proceed.ts`,
    from: `      return isLive(session) && session.status !== "ending" ? [stage.exitBy] : [];`,
    to: `      return [];`,
  },
  {
    name: "no agent is ever stuck, and a life has no end",
    proves: "liveness: an agent that hangs is ended",
    by: ["liveness"],
    file: `${RUN}/run.ts`,
    from: `  return session.startedAt + run.config.limits.lifeMs;`,
    to: `  return session.startedAt + run.config.limits.lifeMs * 1000;`,
    also: {
      file: `${RUN}/stuck.ts`,
      from: `    stuckAt: aliveSince(run, session) + stuckMs,`,
      to: `    stuckAt: aliveSince(run, session) + stuckMs * 1000,`,
    },
  },
  {
    name: "respawn without end",
    proves: "every retry has a budget: crashes",
    by: ["budgets"],
    file: `${RUN}/proceed.ts`,
    from: `  if (sinceCommit > 0 && sinceCommit >= run.config.limits.crashesMax) {`,
    to: `  if (sinceCommit > 1000) {`,
  },
  {
    name: "retry without end",
    proves: "every retry has a budget: effects",
    by: ["budgets"],
    file: "src/daemon/engine/outbox.ts",
    from: `    if (retryable && row.attempts + 1 < attemptsMax) {`,
    to: `    if (retryable) {`,
  },
  {
    name: "CI fixes without end",
    proves: "every retry has a budget: fixes",
    by: ["budgets"],
    file: `${RUN}/branch-reactions.ts`,
    from: `  if (run.counts.ciFixes >= ciFixesMax) {`,
    to: `  if (run.counts.ciFixes > ciFixesMax) {`,
  },
  {
    name: "call a run landed that only says so",
    proves: "(c) merged is true; done is verified",
    by: ["landed-once"],
    file: `${RUN}/phase-reactions.ts`,
    from: `  if (done && known && event.landed) {`,
    to: `  if (done && known) {`,
  },
  {
    name: "comment with a key that changes",
    proves: "(h) no forge object twice",
    by: ["forge-once", "answers"],
    file: "src/daemon/effects/forge-effects.ts",
    from: `        author: "pawl",
        key: context.key,`,
    to: `        author: "pawl",
        key: \`\${context.key}:\${context.now()}\`,`,
  },
  {
    name: "land without a gate result",
    proves: "(b) the target's tree has passed its gates",
    by: ["proven-target"],
    file: "src/daemon/effects/check.ts",
    from: `  if (ci.none) return nothing;`,
    to: `  if (ci.none || wanted.key.startsWith("queue:")) return nothing;`,
  },
  {
    name: "land something else than what was tested",
    proves: "(b) the exact tree",
    by: ["proven-target"],
    file: "src/daemon/effects/queue-effects.ts",
    from: `    const pushed = await own.git.land({ candidate, expected });`,
    to: `    const target = await own.git.fetchTarget();
    const pushed = target === expected
      ? await own.git.land({ candidate, expected })
      : await own.git.buildCandidate({ onto: target, heads: [{ branch: "x", head: candidate, message: "x" }], strategy: "merge", ref: "x" })
          .then((built) => own.git.land({ candidate: built.kind === "built" ? built.commit : candidate, expected: target }));`,
  },
  {
    name: "take in what was seen twice",
    proves: "session-files port: observations repeat",
    by: ["taken-once"],
    file: "src/daemon/engine/loop.ts",
    from: `  if (input.key !== undefined && !(await tx.takeIn(input.key, input.event.at))) return false;`,
    to: `  if (input.key !== undefined) await tx.takeIn(input.key, input.event.at);`,
  },
  {
    name: "ignore a cancelled effect",
    proves: "an effect that is no longer wanted is cancelled; (d) no life that was given up starts",
    by: ["liveness", "one-life"],
    file: "src/daemon/engine/loop.ts",
    from: `    await tx.settle(key);
    // One that`,
    to: `    // One that`,
  },
  {
    name: "write the journal without need",
    proves: "an idle factory stays idle",
    by: ["idle"],
    file: "src/daemon/engine/loop.ts",
    from: `  if (worthKeeping && (changed || output.effects.length > 0)) await tx.append(fact.to, fact.event);`,
    to: `  if (worthKeeping) await tx.append(fact.to, fact.event);`,
  },
  {
    name: "the same phase counts again",
    proves: "a reaction is carried out once",
    by: ["taken-once"],
    file: `${RUN}/phase-reactions.ts`,
    from: `  event.kind === "phase-observed" && session?.phaseStamp === event.stamp;`,
    to: `  event.kind === "phase-observed" && session === undefined;`,
  },
  {
    name: "an issue keeps its run's place",
    proves: "liveness of the backlog",
    by: ["liveness"],
    file: "src/core/project/step-project.ts",
    from: `        { ...project, leaving: project.leaving.filter((left) => left.run !== event.run) },`,
    to: `        project,`,
  },
  {
    name: "two runs of one issue",
    proves: "(d) an identity belongs to one run",
    by: ["one-life"],
    file: "src/core/project/step-project.ts",
    from: `  new Set([...active, ...leaving].map((run) => run.issue));`,
    to: `  new Set(active.map((run) => run.issue));`,
  },
  {
    name: "epochs start over with every attempt",
    proves: "(d) an epoch is never used twice",
    by: ["one-life"],
    file: "src/core/project/step-project.ts",
    from: `      lastEpoch: past.epoch,`,
    to: `      lastEpoch: 0,`,
  },
  {
    name: "an escalation's answer is lost",
    proves: "(e) and liveness of escalations",
    by: ["messages"],
    file: `${RUN}/escalate.ts`,
    from: `    return post(fresh, { kind: "answer", text: words, question: about, ...resumes }, context);`,
    to: `    return fresh;`,
  },
  ...SET_UP_MUTANTS,
  ...SETTINGS_MUTANTS,
  ...STRANGER_MUTANTS,
  ...TASK_MUTANTS,
  ...LIMIT_MUTANTS,
  ...GATEWAY_MUTANTS,
  ...SAVING_MUTANTS,
  ...CI_SERVER_MUTANTS,
  ...CLAIM_MUTANTS,
  ...LANE_MUTANTS,
  ...GROUND_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...POISON_MUTANTS,
  ...AGENT_MUTANTS,
  ...ARCHIVE_MUTANTS,
  ...ERROR_MUTANTS,
  ...FORMULA_MUTANTS,
  ...LANDING_MUTANTS,
  ...ORDER_MUTANTS,
  ...QUESTION_MUTANTS,
  ...ROLE_MUTANTS,
  ...REOPENING_MUTANTS,
  ...VAULT_MUTANTS,
  {
    name: "a person's labels are ignored",
    proves: "labels are a projection that people overrule",
    by: ["labels"],
    file: `${RUN}/clear.ts`,
    from: `  if (run.work.kind !== "issue" || run.stage.kind === "claiming" || isOurs(labels)) return run;`,
    to: `  if (run.work.kind !== "issue" || run.stage.kind !== "claiming" || isOurs(labels)) return run;`,
  },
];
