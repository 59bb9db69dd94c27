// Bugs that are planted one at a time into a copy of the sources, to know that the simulator sees.
// Each replaces text that must occur exactly once, so that a mutant that no longer fits is noticed.
import { FORMULA_MUTANTS } from "./mutants-of-formulas.ts";
import { LIMIT_MUTANTS } from "./mutants-of-limits.ts";
import { VAULT_MUTANTS } from "./mutants-of-vault.ts";

type Edit = { file: string; from: string; to: string };

/** `also`: the second guard, where one hides that the other is missing. */
export type Mutant = Edit & { name: string; proves: string; also?: Edit };

const RUN = "src/core/run";

export const MUTANTS: Mutant[] = [
  {
    name: "forget an outbox row",
    proves: "liveness; the journal holds every obligation",
    file: "src/daemon/loop.ts",
    from: `    await tx.enqueue({ ...obligation, aggregate: fact.to });`,
    to: `    if (obligation.effect.kind !== "publish-branch") await tx.enqueue({ ...obligation, aggregate: fact.to });`,
  },
  {
    name: "a new daemon does not take up the outbox",
    proves: "liveness after a kill",
    file: "src/daemon/engine.ts",
    from: `    await outbox.resume();
    for (const`,
    to: `    for (const`,
  },
  {
    name: "land a batch where the forge merges one by one",
    proves: "liveness on a target that only the forge moves",
    file: "src/core/merge-queue/plan.ts",
    from: `  if (queue.oneByOne === true) return queue.stack`,
    to: `  if (queue.stack.length < 0) return queue.stack`,
  },
  {
    name: "accept a stale epoch",
    proves: "(d) stale epochs change nothing",
    file: `${RUN}/step-run.ts`,
    from: `  "epoch" in event && event.epoch !== run.session?.epoch;`,
    to: `  "epoch" in event && event.epoch > (run.session?.epoch ?? 0);`,
    also: {
      file: "src/daemon/watched-session.ts",
      from: `      if (!this.#closed) await work();`,
      to: `      await work();`,
    },
  },
  {
    name: "end only what was seen to start",
    proves: "(d) one live session per identity; terminal port: ending by marks",
    file: "src/daemon/effects/session-effects.ts",
    from: `    await ports.terminal.end({`,
    to: `    if (process !== undefined) await ports.terminal.end({`,
  },
  {
    name: "start a life beside the lane of its run",
    proves: "(a) effects of a run keep their order",
    file: `${RUN}/session-life.ts`,
    from: `    lane: aggregate,
    effect: {
      kind: "spawn-session",`,
    to: `    lane: \`\${aggregate}:spawn\`,
    effect: {
      kind: "spawn-session",`,
  },
  {
    name: "an unknown probe counts as dead",
    proves: "terminal port: a failed probe is never dead",
    file: "src/daemon/watched-session.ts",
    from: `    if (life !== "dead" || exit !== undefined) return life;`,
    to: `    if (life === "alive" || exit !== undefined) return life;`,
  },
  {
    name: "drop an acknowledgement",
    proves: "(e) acknowledged or visibly undelivered",
    file: "src/daemon/session-intake.ts",
    from: `      await submit({ kind: "message-acknowledged", at: at(), epoch, id });`,
    to: `      if (!id.endsWith("2")) await submit({ kind: "message-acknowledged", at: at(), epoch, id });`,
  },
  {
    name: "show a message in the prompt and in the inbox",
    proves: "(e) shown at most once per epoch",
    file: `${RUN}/session-life.ts`,
    from: `    isOpen(message) ? { ...message, status: "told", epoch } : message,`,
    to: `    isOpen(message) ? { ...message, status: "queued", epoch: undefined } : message,`,
  },
  {
    name: "forget open messages beyond a few",
    proves: "(e) an open message never vanishes",
    file: `${RUN}/post.ts`,
    from: `  if (surplus <= 0) return messages;`,
    to: `  if (surplus <= 0) return messages.slice(-3);`,
  },
  {
    name: "do not start a life for news",
    proves: "liveness of one-shot agents",
    file: `${RUN}/proceed.ts`,
    from: `  if (isWaiting(run)) return openMessages(run).some(isActionable) ? spawn(run, context) : run;`,
    to: `  if (isWaiting(run) || run.session?.verdict === "completed") return run;`,
  },
  {
    name: "remove a workspace without a checkpoint",
    proves: "(f) nothing removed that is not saved",
    file: `${RUN}/clear.ts`,
    from: `  saveLast(run, "before removal", context);`,
    to: ``,
  },
  {
    name: "remove the workspace of a living agent",
    proves: "(f) the session is gone first",
    file: `${RUN}/clear.ts`,
    from: `    if (stage.kind === "landed" || isAttended(run)) return run;`,
    to: `    if (stage.kind === "landed" && !stage.clearing.sessionGone) { removeWorkspace(run, context); return cleared(run, "sessionGone", context); }
    if (isAttended(run)) return run;`,
  },
  {
    name: "no checkpoint when a life ends",
    proves: "(a) what a life wrote is saved",
    file: `${RUN}/session-life.ts`,
    from: `      effect: { kind: "checkpoint", identity: run.identity, reason: \`session \${epoch} ended\` },`,
    to: `      effect: { kind: "notify", severity: "info", title: "no", body: "checkpoint" },`,
  },
  {
    name: "skip the escalation's deadline",
    proves: "liveness: every wait has a deadline",
    file: `${RUN}/deadlines.ts`,
    from: `      return [stage.escalation.remindAt, stage.escalation.deadline];`,
    to: `      return [stage.escalation.remindAt];`,
  },
  {
    name: "a limit of the account never ends",
    proves: "liveness: what keeps a project from starting anybody is over some day",
    file: "src/core/project/step-project.ts",
    from: `  config?.agent.limit?.ask === true && active.length > 0 && limited?.answered !== true;`,
    to: `  config !== undefined && active.length >= 0 && limited !== undefined;`,
  },
  {
    name: "skip the farewell",
    proves: "liveness: an agent that lingers is ended",
    file: `${RUN}/deadlines.ts`,
    from: `      return isLive(session) && session.status !== "ending" ? [stage.farewellAt] : [];`,
    to: `      return [];`,
  },
  {
    name: "nobody is ever stuck, and a life has no end",
    proves: "liveness: an agent that hangs is ended",
    file: `${RUN}/deadlines.ts`,
    from: `  return session.startedAt + run.config.limits.lifeMs;`,
    to: `  return session.startedAt + run.config.limits.lifeMs * 1000;`,
    also: {
      file: `${RUN}/silence.ts`,
      from: `    stuckAt: aliveSince(run, session) + stuckMs,`,
      to: `    stuckAt: aliveSince(run, session) + stuckMs * 1000,`,
    },
  },
  {
    name: "respawn without end",
    proves: "every retry has a budget: crashes",
    file: `${RUN}/proceed.ts`,
    from: `  if (sinceCommit > 0 && sinceCommit >= run.config.limits.crashesMax) {`,
    to: `  if (sinceCommit > 1000) {`,
  },
  {
    name: "retry without end",
    proves: "every retry has a budget: effects",
    file: "src/daemon/outbox.ts",
    from: `    if (retryable && row.attempts + 1 < attemptsMax) {`,
    to: `    if (retryable) {`,
  },
  {
    name: "CI fixes without end",
    proves: "every retry has a budget: fixes",
    file: `${RUN}/check-reactions.ts`,
    from: `  if (run.counts.ciFixes >= ciFixesMax) {`,
    to: `  if (run.counts.ciFixes > ciFixesMax) {`,
  },
  {
    name: "call a run landed that only says so",
    proves: "(c) merged is true; done is verified",
    file: `${RUN}/phase-reactions.ts`,
    from: `  if (done && known && event.landed) {`,
    to: `  if (done && known) {`,
  },
  {
    name: "comment with a key that changes",
    proves: "(h) no forge object twice",
    file: "src/daemon/effects/forge-effects.ts",
    from: `        author: "pawl",
        key: context.key,`,
    to: `        author: "pawl",
        key: \`\${context.key}:\${context.now()}\`,`,
  },
  {
    name: "land without a gate result",
    proves: "(b) the target's tree has passed its gates",
    file: "src/daemon/effects/check.ts",
    from: `  if (ci.none) return nothing;`,
    to: `  if (ci.none || wanted.key.startsWith("queue:")) return nothing;`,
  },
  {
    name: "land something else than what was tested",
    proves: "(b) the exact tree",
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
    file: "src/daemon/loop.ts",
    from: `  if (input.key !== undefined && !(await tx.takeIn(input.key, input.event.at))) return undefined;`,
    to: `  if (input.key !== undefined) await tx.takeIn(input.key, input.event.at);`,
  },
  {
    name: "ignore a cancelled effect",
    proves: "an effect nobody wants is called back",
    file: "src/daemon/loop.ts",
    from: `    await tx.settle(key);
    committed.cancelled.push(key);`,
    to: `    committed.cancelled.push(key);`,
  },
  {
    name: "write the journal without need",
    proves: "an idle factory stays idle",
    file: "src/daemon/look-at-project.ts",
    from: `isSameBacklog(inOrder(issues), project.backlog)`,
    to: `issues.length < 0`,
  },
  {
    name: "the same phase counts again",
    proves: "a reaction is carried out once",
    file: `${RUN}/phase-reactions.ts`,
    from: `  if (session === undefined || session.phaseStamp === event.stamp) return run;`,
    to: `  if (session === undefined) return run;`,
  },
  {
    name: "an issue keeps its run's place",
    proves: "liveness of the backlog",
    file: "src/core/project/step-project.ts",
    from: `        { ...project, leaving: project.leaving.filter((left) => left.run !== event.run) },`,
    to: `        project,`,
  },
  {
    name: "two runs of one issue",
    proves: "(d) an identity belongs to one run",
    file: "src/core/project/step-project.ts",
    from: `      ![...project.active, ...project.leaving].some((run) => run.issue === issue.number),`,
    to: `      !project.active.some((run) => run.issue === issue.number),`,
  },
  {
    name: "epochs begin anew with every attempt",
    proves: "(d) an epoch is never used twice",
    file: "src/core/project/step-project.ts",
    from: `      lastEpoch: past.epoch,`,
    to: `      lastEpoch: 0,`,
  },
  {
    name: "an escalation's answer is lost",
    proves: "(e) and liveness of escalations",
    file: `${RUN}/escalate.ts`,
    from: `  return post(fresh, { kind: "answer", text: answer(reply.by, text) }, context);`,
    to: `  return fresh;`,
  },
  {
    name: "two tasks of one identity at once",
    proves: "(d) an identity works on one task at a time",
    file: "src/core/project/tasks.ts",
    from: `    (next, task) => (mayBegin(next, task, context) ? begin(next, task, context) : next),`,
    to: `    (next, task) => begin(next, task, context),`,
  },
  {
    name: "an answer counts before it is judged",
    proves: "a task is answered only when its asker accepts",
    file: `${RUN}/task-reactions.ts`,
    from: `  return { ...run, stage: { kind: "judging", deadline } };`,
    to: `  return accepted({ ...run, stage: { kind: "judging", deadline } }, task.key, context);`,
  },
  {
    name: "a task is answered for ever",
    proves: "refusals have a budget",
    file: `${RUN}/task-reactions.ts`,
    from: `  if (work.refusals >= REFUSALS_MAX) {`,
    to: `  if (work.refusals >= 10 * REFUSALS_MAX) {`,
  },
  {
    name: "the deacon acts on what it saw only once",
    proves: "an orphan must be seen in two rounds",
    file: "src/core/patrol/orphan.ts",
    from: `    const isNew = before !== undefined && before.seen < SURE_AT && seen === SURE_AT;`,
    to: `    const isNew = before === undefined;`,
    also: {
      file: "src/daemon/patrol/find-orphans.ts",
      from: `    if (state !== undefined && !isOver(state)) continue;`,
      to: `    if (state === undefined || isOver(state)) continue;`,
    },
  },
  {
    name: "a letter is lost with its run",
    proves: "(e) mail is acknowledged or visibly undelivered",
    file: `${RUN}/mail-reactions.ts`,
    from: `    else if (isEnding && isOpen(message)) {`,
    to: `    else if (isEnding && isOpen(message) && message.status === "void") {`,
  },
  {
    name: "a patrol writes although all is well",
    proves: "an idle factory stays idle: patrols",
    file: "src/core/patrol/step-patrol.ts",
    from: `    return next === known ? patrol : next;`,
    to: `    return { ...next, acts: next.acts + 1 };`,
  },
  {
    name: "a head is reviewed as often as it is asked for",
    proves: "(h) no review is made twice",
    file: "src/core/review/step-reviews.ts",
    from: `    key: \`\${reviewsAggregate(reviews.project)}:post:\${pr}:\${head}\`,`,
    to: `    key: \`\${reviewsAggregate(reviews.project)}:post:\${pr}:\${head}:\${context.at}\`,`,
    also: {
      file: "src/core/review/step-reviews.ts",
      from: `  if (review?.state.kind !== "posting") return reviews;
  const event`,
      to: `  if (review === undefined) return reviews;
  if (review.errors === 0) return post({ ...reviews, prs: reviews.prs.map((one) => (one === review ? { ...one, errors: 1 } : one)) }, { ...review, errors: 1 }, { answer: { verdict: said.review.verdict, reason: "again", markdown: "again", followUps: [] }, context });
  const event`,
    },
  },
  {
    name: "a verdict reaches nobody",
    proves: "liveness of reviews",
    file: "src/core/review/step-reviews.ts",
    from: `  const event: Event = { kind: "reviews-observed", at: context.at, reviews: [said.review] };`,
    to: `  const event: Event = { kind: "reviews-observed", at: context.at, reviews: [] };`,
    also: {
      file: "src/daemon/look-at-project.ts",
      from: `  if (reviews.length === 0) return;`,
      to: `  if (reviews.length >= 0) return;`,
    },
  },
  {
    name: "a plugin is recorded as done when it starts",
    proves: "success is recorded at the end",
    file: "src/core/plugin/step-plugins.ts",
    from: `  const begun = { ...entry, count: number, running: { number, key }, wanted: undefined };`,
    to: `  const begun = { ...entry, count: number, running: undefined, wanted: undefined, lastEndAt: undefined };`,
  },
  {
    name: "a schedule is lost with one failed look",
    proves: "no schedule ever stops coming",
    file: "src/core/schedule/step-schedule.ts",
    from: `    dueAt: undefined,
    nextAt: at + PUT_OFF_MS,
    problem: message,`,
    to: `    problem: message,`,
  },
  {
    name: "a lease that nobody gives back",
    proves: "every wait has a deadline: schedules",
    file: "src/core/schedule/step-schedule.ts",
    from: `  return over(schedules, { name: entry.schedule.name, result, note: outcome.reason ?? "", at });`,
    to: `  return result === "finished" ? over(schedules, { name: entry.schedule.name, result, note: "", at }) : schedules;`,
    also: {
      file: "src/core/schedule/step-schedule.ts",
      from: `    if (lease === undefined || lease.until > at) continue;`,
      to: `    if (lease === undefined || lease.until > at || lease.until > 0) continue;`,
    },
  },
  {
    name: "anybody's comment is an answer",
    proves: "only operators answer",
    file: "src/daemon/look-for-answers.ts",
    from: `own !== true && isNamed(author, operators),`,
    to: `own !== true && (author !== "pawl" || isNamed(author, operators)),`,
  },
  ...LIMIT_MUTANTS,
  ...FORMULA_MUTANTS,
  ...VAULT_MUTANTS,
  {
    name: "a person's labels are ignored",
    proves: "labels are a projection that people overrule",
    file: `${RUN}/labels.ts`,
    from: `  if (run.work.kind !== "issue" || run.stage.kind === "claiming" || isOurs(labels)) return run;`,
    to: `  if (run.work.kind !== "issue" || run.stage.kind !== "claiming" || isOurs(labels)) return run;`,
  },
];
