// One life of a run's agent: how it starts, as the same agent or as another one, what is seen of it,
// how it ends. What follows an end is decided in proceed.ts.
import { accountOf, optionsOf } from "../agent-choice.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import { sessionId } from "../ids.ts";
import { newEvidence, type Evidence } from "../session/evidence.ts";
import { withPastLife } from "../session/past-life.ts";
import { isLive, type ExitFacts, type Session, type Verdict } from "../session/session.ts";
import { announce, sayOnIssue } from "./tell.ts";
import { isOpen, outlived, deliverQueued, mapMessages } from "./message.ts";
import { phaseLinkPath } from "./phase.ts";
import { isWaiting, warn, askedOn, type Run } from "./run.ts";
import type { AgentConfig } from "../config.ts";
import { anotherAgent } from "../words/messages.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

/** Starts the next life. The epoch is taken here, before anything runs. */
export function spawn(before: Run, context: Context): Run {
  const run = takeOver(mapMessages(before, outlived), context);
  const isOther = before.next !== undefined;
  const epoch = run.epoch + 1;
  const session: Session = {
    id: sessionId(run.project, run.identity, epoch),
    epoch,
    status: "spawning",
    startedAt: context.at,
    process: undefined,
    pane: undefined,
    lastSeen: context.at,
    lastProgress: context.at,
    attached: false,
    phaseStamp: undefined,
    spoke: false,
    exit: undefined,
    verdict: undefined,
    unended: false,
    predecessor: run.session?.id,
    after: run.session?.verdict,
    evidence: newEvidence(),
    handOff: undefined,
    ...(isOther ? { isOther } : {}),
    ...(run.config.agents === undefined ? {} : { agent: accountOf(run.config.agent) }),
  };
  const lives = withPastLife(run.lives ?? [], run.session);
  const past = lives === undefined ? {} : { lives };
  const next: Run = { ...run, ...past, epoch, session, respawnAt: undefined };
  announce(
    next,
    { kind: "AGENT_REGISTERED", detail: { epoch, ...predecessorOf(session) } },
    context,
  );
  // Told from here on, and not only once the start is reported: a quick agent may have read its
  // prompt, written a phase and gone by then. Until it speaks they stay open, so nothing is lost.
  return mapMessages(next, (message) =>
    isOpen(message) ? { ...message, status: "told", epoch } : message,
  );
}

const predecessorOf = (session: Session): { predecessor_id: string | null } => ({
  predecessor_id: session.predecessor ?? null,
});

/** Its process was started. */
export function spawned(run: Run, event: EventOf<"session-spawned">, context: Context): Run {
  const { session } = run;
  if (session?.status !== "spawning") return run;
  const { process, pane } = event;
  const walls = event.walls === undefined ? {} : { walls: event.walls };
  const started: Run = {
    ...run,
    session: { ...session, status: "live", process, pane, lastSeen: context.at, ...walls },
  };
  const live = (event.warnings ?? []).reduce((next, text) => warn(next, text, context), started);
  if (session.after === "handed_off") {
    announce(live, { kind: "HANDOFF_COMPLETE", detail: predecessorOf(session) }, context);
  }
  if (event.phaseLink === "linked") return deliverQueued(live);
  const problem = `the phase path ${phaseLinkPath(run)} belongs to another program, so Pawl left it unchanged`;
  return deliverQueued(warn(live, problem, context));
}

/** Ends the current life on Pawl's decision. */
export function endSession(run: Run, verdict: Verdict): Run {
  const { session } = run;
  if (!isLive(session) || session.status === "ending") return run;
  return ending(run, { ...session, verdict });
}

/** The agent's process is gone. Its verdict is read off the strongest evidence there is. */
export function sessionExited(run: Run, exit: ExitFacts | undefined, context: Context): Run {
  const { session } = run;
  if (!isLive(session) || session.status === "ending") return run;
  const verdict = verdictOf(run, exit);
  const next = ending(run, { ...session, exit, verdict, lastSeen: context.at });
  if (verdict === "crashed") return countCrash(next, context);
  return verdict === "incomplete" ? awaitLimit(next, session, context) : next;
}

/** An agent that left because of its account's limit is started again when that is over. */
function awaitLimit(run: Run, session: Session, context: Context): Run {
  const { limit } = session.evidence;
  if (limit === undefined || limit.until <= context.at) return run;
  return { ...run, respawnAt: limit.until };
}

function verdictOf(run: Run, exit: ExitFacts | undefined): Verdict {
  // Once its work has landed, how the agent exits does not matter.
  if (run.outcome?.kind === "landed") return "completed";
  // It was asked to exit; how it did does not matter either.
  if (run.session?.handOff !== undefined) return "handed_off";
  if (run.session?.evidence.limit !== undefined && !isWaiting(run)) return "incomplete";
  if (exit === undefined || exit.code !== 0) return "crashed";
  return isWaiting(run) ? "completed" : "incomplete";
}

/** Leftovers are ended and the work is saved before anything else happens. */
const ending = (run: Run, session: Session): Run => ({
  ...run,
  session: { ...session, status: "ending", unended: false },
});

/** Tries again to end a life that could not be ended, once no question about it is open. */
export function endAgain(run: Run): Run {
  const { session, stage } = run;
  if (session?.unended !== true || stage.kind === "escalated") return run;
  if (run.respawnAt !== undefined) return run;
  return ending(run, session);
}

function countCrash(run: Run, context: Context): Run {
  const { crashWindowMs } = run.config.limits;
  announce(run, { kind: "AGENT_CRASHED", detail: { exit: run.session?.exit ?? null } }, context);
  const recent = run.crashes.filter((crash) => crash.at > context.at - crashWindowMs);
  return { ...run, crashes: [...recent, { at: context.at, head: run.head }] };
}

/** Nothing of that life runs any more. */
export function sessionEnded(run: Run, epoch: number, context: Context): Run {
  const { session } = run;
  if (session === undefined || session.epoch !== epoch || session.status !== "ending") return run;
  const { verdict } = session;
  if (verdict !== "crashed") {
    announce(run, { kind: "AGENT_TERMINATED", detail: { verdict } }, context);
  }
  return { ...run, session: { ...session, status: "ended", unended: false } };
}

/** The evidence of the living session, changed. */
export function withEvidence(run: Run, change: Partial<Evidence>): Run {
  const { session } = run;
  if (!isLive(session)) return run;
  return { ...run, session: { ...session, evidence: { ...session.evidence, ...change } } };
}

// How the next life of a run becomes another agent's: in the same workspace, without the conversation
// of the one before. When that happens is decided in hand-off.ts.

/** Accounts that are limited in turn would pass a run on for ever: after so many it waits, or asks. */
const AGENTS_MAX = 6;

/** Agents that may continue instead of the present one, the one that was chosen first. */
export function othersOf(run: Run): AgentConfig[] {
  if ((run.agents?.length ?? 0) >= AGENTS_MAX) return [];
  const own = accountOf(run.config.agent);
  const options = optionsOf(run.config, run.choice?.first ?? run.config.agent);
  return options.filter((option) => accountOf(option) !== own);
}

/** The next life is the other agent's; said where people look. */
export function takeOver(run: Run, context: Context): Run {
  const { next, ...rest } = run;
  const agent = othersOf(run).find((other) => accountOf(other) === next?.account);
  if (next === undefined) return run;
  if (agent === undefined) return rest;
  const before = accountOf(run.config.agent);
  const said = anotherAgent({ before, after: next.account, reason: next.reason });
  const on = askedOn(run);
  if (on !== undefined)
    sayOnIssue(run, { name: `agent:${run.epoch + 1}`, on, body: said }, context);
  const past = { account: before, until: context.at, reason: next.reason };
  const switched: Run = {
    ...rest,
    config: { ...run.config, agent },
    agents: [...(run.agents ?? []), past],
  };
  return warn(switched, said, context);
}
