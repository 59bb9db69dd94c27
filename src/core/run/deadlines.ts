// Every wait of a run has a deadline. They are read off the state, so that none can be forgotten
// or outlive what it was for; a clock that jumped moves them all by the gap.
import { shiftEvidence } from "../session/evidence.ts";
import { isLive, type Session } from "../session/session.ts";
import { lookDeadline } from "./look.ts";
import { handOffDeadline, type Run, type Stage } from "./run.ts";

/** The soonest instant at which something of this run is due. */
export function runDeadline(run: Run): number | undefined {
  const times = [
    run.respawnAt,
    ...stageDeadlines(run),
    lifeDeadline(run),
    lookDeadline(run),
    handOffDeadline(run),
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function stageDeadlines({ stage, session }: Run): (number | undefined)[] {
  switch (stage.kind) {
    case "checking":
    case "reviewing":
    case "judging":
      return [stage.deadline];
    case "escalated":
      return [stage.escalation.remindAt, stage.escalation.deadline];
    case "landed":
      // A life that is being ended waits for its effect: there is nothing left to hurry.
      return isLive(session) && session.status !== "ending" ? [stage.farewellAt] : [];
    default:
      return [];
  }
}

/** The end of the longest life a session may have; a person at the terminal is not hurried. */
export function lifeDeadline(run: Run): number | undefined {
  const { session } = run;
  if (!isLive(session) || session.status !== "live" || run.held !== undefined) return undefined;
  if (run.outcome !== undefined || session.attached) return undefined;
  return session.startedAt + run.config.limits.lifeMs;
}

/** A wall clock that jumped moves what is measured against it. */
export function shiftDeadlines(run: Run, gapMs: number): Run {
  const { session } = run;
  return {
    ...run,
    respawnAt: run.respawnAt === undefined ? undefined : run.respawnAt + gapMs,
    stage: shiftStage(run.stage, gapMs),
    session: session === undefined ? undefined : shiftSession(session, gapMs),
  };
}

/** `lastSeen` stays: it says when it was seen, and nothing is done because of it alone. */
function shiftSession(session: Session, gapMs: number): Session {
  const { startedAt, lastProgress, evidence, handOff } = session;
  return {
    ...session,
    startedAt: startedAt + gapMs,
    lastProgress: lastProgress + gapMs,
    evidence: shiftEvidence(evidence, gapMs),
    handOff: handOff === undefined ? undefined : { ...handOff, deadline: handOff.deadline + gapMs },
  };
}

function shiftStage(stage: Stage, gapMs: number): Stage {
  switch (stage.kind) {
    case "checking":
      return stage.deadline === undefined ? stage : { ...stage, deadline: stage.deadline + gapMs };
    case "reviewing":
    case "judging":
      return { ...stage, deadline: stage.deadline + gapMs };
    case "escalated": {
      const { escalation } = stage;
      const remindAt = escalation.remindAt === undefined ? undefined : escalation.remindAt + gapMs;
      return {
        ...stage,
        escalation: { ...escalation, remindAt, deadline: escalation.deadline + gapMs },
      };
    }
    case "landed":
      return { ...stage, farewellAt: stage.farewellAt + gapMs };
    default:
      return stage;
  }
}
