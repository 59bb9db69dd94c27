// Planted bugs in tasks, reviews, patrols, schedules and plugins (see mutant-list.ts).
import type { Mutant } from "./mutant-list.ts";

const RUN = "src/core/run";

export const TASK_MUTANTS: Mutant[] = [
  {
    name: "two tasks of one identity at once",
    proves: "(d) an identity works on one task at a time",
    by: ["one-life"],
    file: "src/core/project/tasks.ts",
    from: `    (next, task) => (mayBegin(next, task, context) ? begin(next, task, context) : next),`,
    to: `    (next, task) => begin(next, task, context),`,
  },
  {
    name: "an answer counts before it is judged",
    proves: "a task is answered only when its asker accepts",
    by: ["tasks"],
    file: `${RUN}/task-reactions.ts`,
    from: `  return { ...run, stage: { kind: "judging", deadline } };`,
    to: `  return accepted({ ...run, stage: { kind: "judging", deadline } }, task.key, context);`,
  },
  {
    name: "a task is answered for ever",
    proves: "refusals have a budget",
    by: ["tasks"],
    file: `${RUN}/task-reactions.ts`,
    from: `  if (work.refusals >= REFUSALS_MAX) {`,
    to: `  if (work.refusals >= 10 * REFUSALS_MAX) {`,
  },
  {
    name: "the deacon acts on what it saw only once",
    proves: "an orphan must be seen in two rounds",
    by: ["orphans"],
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
    by: ["mail"],
    file: `${RUN}/mail-reactions.ts`,
    from: `    else if (isEnding && isOpen(message)) {`,
    to: `    else if (isEnding && isOpen(message) && message.status === "void") {`,
  },
  {
    name: "a patrol writes although all is well",
    proves: "an idle factory stays idle: patrols",
    by: ["idle"],
    file: "src/core/patrol/step-patrol.ts",
    from: `    return next === known ? patrol : next;`,
    to: `    return { ...next, acts: next.acts + 1 };`,
  },
  {
    name: "a head is reviewed as often as it is asked for",
    proves: "(h) no review is made twice",
    by: ["forge-once"],
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
    by: ["liveness"],
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
    by: ["schedules"],
    file: "src/core/plugin/step-plugins.ts",
    from: `  const begun = { ...entry, count: number, running: { number, key }, wanted: undefined };`,
    to: `  const begun = { ...entry, count: number, running: undefined, wanted: undefined, lastEndAt: undefined };`,
  },
  {
    name: "a schedule is lost with one failed look",
    proves: "no schedule ever stops coming",
    by: ["schedules"],
    file: "src/core/schedule/step-schedule.ts",
    from: `    dueAt: undefined,
    nextAt: at + PUT_OFF_MS,
    problem: message,`,
    to: `    problem: message,`,
  },
  {
    name: "a lease that nobody gives back",
    proves: "every wait has a deadline: schedules",
    by: ["schedules", "busy"],
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
    by: ["answers"],
    file: "src/daemon/look-for-answers.ts",
    from: `own !== true && isNamed(author, operators),`,
    to: `own !== true && (author !== "pawl" || isNamed(author, operators)),`,
  },
  {
    name: "a model is asked about every letter",
    proves: "a model is asked only within its budget",
    by: ["triage"],
    file: "src/core/patrol/triage.ts",
    from: `  if (rules === undefined || isUrgent || spent >= rules.perDay) return undefined;`,
    to: `  if (rules === undefined || isUrgent) return undefined;`,
  },
  {
    name: "a letter is judged for ever",
    proves: "every wait has a deadline: triage",
    by: ["triage"],
    file: "src/core/step.ts",
    from: `      return triageDeadline(state);`,
    to: `      return triageDeadline(state) === 0 ? 0 : undefined;`,
    also: {
      file: "src/core/patrol/triage.ts",
      from: `  if (outcome.kind === "failed") return giveUp(patrol, { open, why: outcome.reason }, context);`,
      to: `  if (outcome.kind === "failed") return patrol;`,
    },
  },
];
