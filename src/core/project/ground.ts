// The ground that agents start on: the project asks the merge queue whether its gate passes on the
// bare target, once before the first agent and again when the target moves. Where it fails, no agent
// is started and one question is put before a person. It ends by itself when the target is green.
import type { Context } from "../context.ts";
import type { ProjectEvent } from "./project-event.ts";
import { projectAggregate, queueAggregate } from "../ids.ts";
import { needsProof, provenBy, type TargetFailure, type TargetTold } from "../target-proof.ts";
import type { FailedSetUp, Project } from "./project.ts";

type EventOf<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { kind: K }>;

/** For so long a server without a verdict is not asked again: agents that start together ask once. */
const OPEN_MS = 60_000;

/** Agents may be started on the target as it is. */
export const isGrounded = ({ config, proof }: Project, at: number): boolean =>
  config !== undefined &&
  (!needsProof(config.ci) ||
    proof?.kind === "green" ||
    proof?.kind === "waived" ||
    (proof?.kind === "open" && at - proof.at < OPEN_MS));

/** Why no agent can succeed now; undefined where one may, or where that is not known yet. */
export const groundFailure = (project: Project): GroundFailure | undefined =>
  groundFailures(project)[0];

export function groundFailures({ config, proof, setUp }: Project): GroundFailure[] {
  const counts = config !== undefined && needsProof(config.ci);
  const gate = counts && proof?.kind === "failed" ? [proof] : [];
  return setUp === undefined ? gate : [...gate, asFailure(setUp)];
}

export const asFailure = ({ since, failure }: FailedSetUp): GroundFailure => ({
  since,
  failure: { ...failure, kind: "set-up" },
});

/** What is wrong, in a few words. */
export function groundTitle({ config }: Project, { kind }: Pick<Failure, "kind">): string {
  if (kind === "set-up") return "set-up fails in a new workspace";
  return `the gate ${kind === "red" ? "fails" : "cannot run"} on ${config?.target ?? "the target"}`;
}

type Failure = Pick<TargetFailure, "kind" | "why" | "logTail"> & Partial<TargetFailure>;
export type GroundFailure = { since: number; failure: Failure };

/** Something waits to be started: the queue is asked, once. */
export function askForProof(project: Project, { at, output }: Context): Project {
  if (project.proof?.kind === "asked") return project;
  output.tells.push({ to: queueAggregate(project.name), event: { kind: "proof-wanted", at } });
  return { ...project, proof: { kind: "asked" } };
}

/** What the queue says of the target, or a person about it. */
export function grounded(project: Project, event: TargetTold, context: Context): Project {
  switch (event.kind) {
    case "target-proven":
      return { ...project, proof: { kind: "green" } };
    case "target-open":
      return proofOpen(project, event);
    case "target-failed":
      return proofFailed(project, event, context);
    case "target-unproven":
      return proofInDoubt(project, context);
    case "target-answered":
      return targetAnswered(project, event, context);
  }
}

/** Where a person said to start all the same, the next red of the same kind is no new question. */
function proofOpen(project: Project, { at, why }: EventOf<"target-open">): Project {
  if (project.proof?.kind === "waived") return project;
  return { ...project, proof: { kind: "open", at, why } };
}

function proofFailed(
  project: Project,
  { failure, at }: EventOf<"target-failed">,
  context: Context,
): Project {
  const { proof } = project;
  // Tried again with the same result: the person knows, and may have said to start all the same.
  const isKnown = proof !== undefined && "failure" in proof && proof.failure.why === failure.why;
  if (isKnown && proof.kind === "waived") return project;
  if (!isKnown) tellPerson(project, failure, context);
  const before = proof?.kind === "failed" ? proof : undefined;
  return { ...project, proof: { kind: "failed", since: before?.since ?? at, failure } };
}

/**
 * The target moved. What failed before is asked again, so that the question ends by itself. Where a
 * person said to start all the same, agents go on starting unless it fails in another way.
 */
function proofInDoubt(project: Project, { at, output }: Context): Project {
  const { proof } = project;
  if (proof?.kind !== "failed" && proof?.kind !== "waived") return { ...project, proof: undefined };
  output.tells.push({ to: queueAggregate(project.name), event: { kind: "proof-wanted", at } });
  return project;
}

function targetAnswered(
  project: Project,
  { answer, by }: EventOf<"target-answered">,
  { at, output }: Context,
): Project {
  const { proof, name } = project;
  if (proof?.kind !== "failed") return project;
  if (answer === "start") {
    return { ...project, proof: { kind: "waived", by, failure: proof.failure } };
  }
  const event = { kind: "proof-wanted", at, look: true, fresh: true } as const;
  output.tells.push({ to: queueAggregate(name), event });
  return project;
}

/** A daemon starts: what is red on a CI server may have been run again there meanwhile. */
export function lookAgain(project: Project, { at, output }: Context): Project {
  const { config, proof, name } = project;
  if (proof?.kind !== "failed" || config === undefined) return project;
  if (provenBy(config.ci) !== "server") return project;
  const event = { kind: "proof-wanted", at, look: true } as const;
  output.tells.push({ to: queueAggregate(name), event });
  return project;
}

/** Another gate: what was proven with the old one says nothing. */
export function withNewRules(before: Project, after: Project, { at, output }: Context): Project {
  const { proof, name } = before;
  if (proof === undefined || isSameGate(before, after)) return after;
  const event = { kind: "proof-wanted", at, look: true } as const;
  output.tells.push({ to: queueAggregate(name), event });
  return proof.kind === "failed" ? after : { ...after, proof: { kind: "asked" } };
}

const isSameGate = (before: Project, after: Project): boolean =>
  before.config === undefined ||
  JSON.stringify(before.config?.ci) === JSON.stringify(after.config?.ci);

export function tellPerson(project: Project, failure: Failure, { at, output }: Context): void {
  const { name } = project;
  output.effects.push({
    key: `${projectAggregate(name)}:${failure.kind === "set-up" ? "set-up" : "target"}:${at}`,
    lane: `notify:${name}`,
    effect: {
      kind: "notify",
      severity: "urgent",
      title: `no agent starts in ${name}: ${groundTitle(project, failure)}`,
      body: [failure.why, ...(failure.logTail === "" ? [] : [failure.logTail])].join("\n"),
    },
  });
}
