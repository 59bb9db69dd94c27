// From a checked answer to what is done on the forge: each operation once, in order, with what would
// undo it. What no longer fits the issues as they are now is left out, and said.
import { LABELS } from "../issue.ts";
import type { Bundle } from "./round.ts";
import type { Change, RoleResult, StandingRole } from "./result.ts";
import { isAlike, SAME_MIN, wordsOf } from "./titles.ts";

export type OpenIssue = { number: number; title: string; labels: string[] };

/** `name`: the same at every attempt, so that each is carried out once. */
export type Operation = { name: string } & Deed;

type Deed =
  | { kind: "create-issue"; title: string; body: string; labels: string[]; undo: string }
  | { kind: "comment"; issue: number; body: string; undo: string }
  | {
      kind: "edit-issue";
      issue: number;
      addLabels: string[];
      removeLabels: string[];
      body: string | undefined;
      close: boolean;
      undo: string;
    };

export type Plan = { operations: Operation[]; left: string[] };

type Context = { role: StandingRole; issues: readonly OpenIssue[] };

export function plan(
  result: Pick<RoleResult, "changes">,
  bundles: readonly Bundle[],
  context: Context,
): Plan {
  const made: Plan = { operations: [], left: [] };
  result.changes.forEach((change, index) => {
    const refusal = refused(change, context);
    if (refusal !== undefined) made.left.push(refusal);
    else made.operations.push(...named(`change-${index + 1}`, operationsOf(change, context)));
  });
  for (const bundle of bundles) {
    made.operations.push(...named(`bundle-${bundle.group}`, bundled(bundle, context)));
  }
  return made;
}

/** By what it is done to: what an earlier attempt has done already shifts no name. */
const named = (name: string, deeds: Deed[]): Operation[] =>
  deeds.map((deed) => ({ name: `${name}.${nameOf(deed)}`, ...deed }));

const nameOf = (deed: Deed): string =>
  deed.kind === "create-issue" ? "new" : `${deed.kind}-${deed.issue}`;

/** One line for people: what is going to be done, and what would undo it. */
export function describe(operation: Operation): string {
  const undo = `(to undo: ${operation.undo})`;
  if (operation.kind === "create-issue") return `make "${operation.title}" ${undo}`;
  if (operation.kind === "comment") return `comment on #${operation.issue} ${undo}`;
  return `${operation.close ? "close" : "change"} #${operation.issue} ${undo}`;
}

/** An issue that is gone or being worked on must not be changed; a duplicate is not made. */
function refused(change: Change, { role, issues }: Context): string | undefined {
  if (change.kind === "create-issue") {
    const words = wordsOf(change.title);
    const twin = issues.find(({ title }) => isAlike(words, wordsOf(title), SAME_MIN));
    return twin && `"${change.title}" is left out: #${twin.number} says the same`;
  }
  const issue = issues.find(({ number }) => number === change.issue);
  if (issue === undefined) return `${change.kind} of #${change.issue} is left out: it is not open`;
  if (issue.labels.includes(LABELS.inProgress) && change.kind !== "comment") {
    return `${change.kind} of #${change.issue} is left out: it is being worked on`;
  }
  if (change.kind === "triage" && !issue.labels.includes(LABELS.predictionUnreviewed)) {
    return `triage of #${change.issue} is left out: it is not a prediction that still needs a review`;
  }
  return role === "predictor" ? `${change.kind} is not allowed for the predictor` : undefined;
}

function operationsOf(change: Change, { role }: Context): Deed[] {
  switch (change.kind) {
    case "create-issue":
      return [create(change.title, change.body, labelsFor(role, change.labels))];
    case "comment":
      return [comment(change.issue, change.body)];
    case "add-label":
      return [
        edit(change.issue, { addLabels: [change.label] }, `remove the label ${change.label}`),
      ];
    case "remove-label":
      return [
        edit(change.issue, { removeLabels: [change.label] }, `add the label ${change.label}`),
      ];
    case "edit-body":
      return [edit(change.issue, { body: change.body }, "the forge keeps the earlier text")];
    case "close":
      return [
        comment(change.issue, change.reason),
        edit(change.issue, { close: true }, `pawl issue reopen ${change.issue}`),
      ];
    case "triage":
      return triage(change);
  }
}

/** Predictions are the predictor's only output; no other role makes them. */
const labelsFor = (role: StandingRole, labels: string[]): string[] =>
  role === "predictor" ? [LABELS.predictionUnreviewed] : labels;

function triage(change: Extract<Change, { kind: "triage" }>): Deed[] {
  const { issue, outcome, reason, title, body } = change;
  const from = [LABELS.predictionUnreviewed];
  if (outcome === "watch") {
    const labels = { addLabels: [LABELS.predictionBacklog], removeLabels: from };
    return [comment(issue, `Watched: ${reason}`), edit(issue, labels, "change the labels back")];
  }
  const done = { addLabels: [LABELS.predictionActioned], removeLabels: from, close: true };
  const end = edit(issue, done, `pawl issue reopen ${issue}`);
  if (outcome === "dismiss") return [comment(issue, `Dismissed: ${reason}`), end];
  const label = outcome === "action" ? LABELS.action : LABELS.backlog;
  const because = `${body}\n\nFrom the prediction #${issue}.`;
  return [create(title, because, [label]), comment(issue, `Actioned: ${reason}`), end];
}

function bundled({ group, dust }: Bundle, { issues }: Context): Deed[] {
  const open = dust.filter(({ issue }) => issues.some(({ number }) => number === issue));
  if (open.length === 0) return [];
  const lines = open.map(({ issue, title, reason }) => `- [ ] ${title} (#${issue}): ${reason}`);
  const body = `Small findings that belong together:\n\n${lines.join("\n")}`;
  return [
    create(`Sweep up: ${group}`, body, [LABELS.backlog]),
    ...open.flatMap(({ issue }) => [
      comment(issue, `Bundled with others of its kind ("${group}").`),
      edit(issue, { close: true }, `pawl issue reopen ${issue}`),
    ]),
  ];
}

const create = (title: string, body: string, labels: string[]): Deed => ({
  kind: "create-issue",
  title,
  body,
  labels,
  undo: "close the new issue",
});

const comment = (issue: number, body: string): Deed => ({
  kind: "comment",
  issue,
  body,
  undo: "delete the comment",
});

const edit = (
  issue: number,
  change: Partial<
    Pick<Extract<Deed, { kind: "edit-issue" }>, "addLabels" | "removeLabels" | "body" | "close">
  >,
  undo: string,
): Deed => ({
  kind: "edit-issue",
  issue,
  addLabels: [],
  removeLabels: [],
  body: undefined,
  close: false,
  ...change,
  undo,
});
