// What an agent's hooks say, and what follows from it. The strongest evidence after the process
// itself; what makes no sense is warned about, a few times per life, and changes nothing.
import { accountOf } from "../agent-choice.ts";
import type { Context } from "../context.ts";
import type { ProjectEvent } from "../project/project-event.ts";
import type { RunEvent } from "./run-event.ts";
import { toolCalled, turnEnded, type ContextUse } from "../session/context-use.ts";
import { clockSeen } from "../session/evidence.ts";
import { parseSpool, type SpoolEvent } from "../session/spool.ts";
import { projectAggregate } from "../ids.ts";
import { announce } from "./tell.ts";
import { mailAcked, mailWritten, noteBegun, pinged } from "./message-reactions.ts";
import { contextChanged, leaveIfSaved, savedForHandOff } from "./hand-off.ts";
import { usageTold } from "./run-budget.ts";
import { cannotStart, RETRY_DEFAULT_MS } from "./take-over.ts";
import { agentAsks, answeredThere, asked, escalate, hostRefused } from "./escalate.ts";
import { hookSet, toolUsed } from "./hook-record.ts";
import { beginIdle, progressed } from "./stuck.ts";
import { acknowledged } from "./message.ts";
import { withEvidence } from "./session-life.ts";
import { isActive, warn, askedOn, type Run } from "./run.ts";
import type { VaultAsk } from "../vault/ask.ts";
import { usageLimit } from "../words/messages.ts";

type EventOf<K extends SpoolEvent["kind"]> = Extract<SpoolEvent, { kind: K }>;

const REFUSED_SHOWN_MAX = 5;

export function spoolReceived(
  run: Run,
  event: Extract<RunEvent, { kind: "spool-received" }>,
  context: Context,
): Run {
  const { status } = run.session ?? {};
  if (status !== "live" && status !== "ending") return run;
  const parsed = parseSpool(event.text);
  if (parsed.kind === "refused") return refused(run, `${event.name}: ${parsed.why}`, context);
  if (status === "ending") return saidAtLast(run, parsed.event, context);
  return react(noteBegun(seenNow(run, context), parsed.event.kind), parsed.event, context);
}

/** What a life that is ended says to others and to its successor counts; its hooks' reports do not. */
const HEARD_AT_LAST: ReadonlySet<SpoolEvent["kind"]> = new Set([
  "help",
  "mail",
  "mail-ack",
  "hook",
  "vault",
]);

const saidAtLast = (run: Run, event: SpoolEvent, context: Context): Run =>
  HEARD_AT_LAST.has(event.kind) ? react(run, event, context) : run;

function refused(run: Run, why: string, context: Context): Run {
  const count = (run.session?.evidence.refused ?? 0) + 1;
  const counted = withEvidence(run, { refused: count });
  if (count > REFUSED_SHOWN_MAX) return counted;
  const last = count === REFUSED_SHOWN_MAX ? " (further ones of this session are not shown)" : "";
  return warn(counted, `an event in the spool was refused: ${why}${last}`, context);
}

const seenNow = (run: Run, context: Context): Run =>
  run.session === undefined ? run : { ...run, session: { ...run.session, lastSeen: context.at } };

function react(run: Run, event: SpoolEvent, context: Context): Run {
  switch (event.kind) {
    case "started":
      return run;
    case "ping":
      announce(run, { kind: "WITNESS_PING", detail: { silent_s: event.silent } }, context);
      return pinged(run, event.silent, context);
    case "tool":
      return tool(run, event, context);
    case "stop":
      return stop(run, event, context);
    case "idle":
      return idle(run, context);
    case "prompt":
      return prompt(run, event, context);
    case "context":
      return use(run, { percent: event.percent }, context);
    case "compact":
      return use(run, { compactions: useOf(run).compactions + 1 }, context);
    case "statusline":
      return statusline(run, event, context);
    case "question":
      return asked(run, event, context);
    case "answered":
      return answeredThere(progressed(run, context), event.id);
    case "usage":
      return modelAsked(usageTold(run, event, context), event.requests, context);
    case "refused-host":
      return hostRefused(run, event, context);
    case "limit":
      return limited(run, event, context);
    case "waiting":
      return waitsForModel(run, event, context);
    case "warning":
      return warn(run, event.text, context);
    case "hook":
      // A file of the agent's own may be read after the report of the turn's end.
      return leaveIfSaved(savedForHandOff(hookSet(progressed(run, context), event, context)));
    case "mail":
      return mailWritten(progressed(run, context), event, context);
    case "mail-ack":
      return mailAcked(progressed(run, context), event);
    case "vault":
      return askVault(progressed(run, context), event.ask, context);
    case "help":
      return helpWanted(progressed(run, context), event, context);
  }
}

/** An agent that cannot work is replaced where another one may continue. */
function helpWanted(run: Run, { text, unusable }: EventOf<"help">, context: Context): Run {
  const isFree = isActive(run) && run.seeks === undefined && run.next === undefined;
  const other = unusable === true && isFree ? cannotStart(run, text, context) : undefined;
  return other ?? agentAsks(run, { reason: text, stays: true }, context);
}

const useOf = (run: Run): Partial<ContextUse> & { compactions: number } =>
  run.session?.evidence.context ?? { compactions: 0 };

/** An agent asks; the project's configuration and an operator decide. */
function askVault(run: Run, ask: VaultAsk, context: Context): Run {
  const issue = askedOn(run);
  const about = issue === undefined ? {} : { issue };
  const request = { ...ask, by: run.identity, run: run.id, ...about };
  const to = projectAggregate(run.project);
  context.output.tells.push({ to, event: { kind: "vault-requested", at: context.at, request } });
  return run;
}

function tool(run: Run, event: EventOf<"tool">, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  const busy = worksAgain(run, context);
  const paced = withEvidence(busy, { context: toolCalled(session.evidence.context, context.at) });
  return contextChanged(toolUsed(paced, event, context), context);
}

/** The end of a turn is progress; whether the agent is done with its work is another question. */
function stop(run: Run, { background }: EventOf<"stop">, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  const { requests } = session.evidence;
  const stopped = withEvidence(progressed(run, context), {
    ...(requests === undefined ? {} : { requests: { ...requests, before: requests.total } }),
    stopped: { at: context.at, background },
    context: turnEnded(session.evidence.context),
  });
  const left = leaveIfSaved(stopped);
  return background === 0 ? beginIdle(left, context) : left;
}

/** An interrupt or a refusal ended its turn without a report (defect 19). One report is enough. */
function idle(run: Run, context: Context): Run {
  const { stopped, question } = run.session?.evidence ?? {};
  if (stopped !== undefined || question !== undefined) return run;
  return stop(run, { kind: "stop", background: 0 }, context);
}

/** A prompt that carries a message's id is the proof that it was read. */
function prompt(run: Run, { id }: EventOf<"prompt">, context: Context): Run {
  const busy = worksAgain(run, context);
  return id === undefined ? busy : acknowledged(busy, id);
}

function use(run: Run, change: Partial<ContextUse>, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  const next = { ...session.evidence.context, ...change };
  return contextChanged(withEvidence(run, { context: next }), context);
}

function statusline(run: Run, event: EventOf<"statusline">, context: Context): Run {
  const clock = clockSeen(run.session?.evidence.clock, event.clock, context.at);
  const ticked = withEvidence(run, { clock });
  return event.percent === undefined ? ticked : use(ticked, { percent: event.percent }, context);
}

/**
 * A model that was asked again is progress, and an account whose limit is over. Before its end it is
 * the report of an older request that ran beside the one that was refused.
 */
function modelAsked(run: Run, total: number | undefined, context: Context): Run {
  const { limit, requests } = run.session?.evidence ?? {};
  if (total === undefined || total <= (requests?.total ?? 0)) return run;
  const counted = withEvidence(run, { requests: { total, before: requests?.before ?? 0 } });
  if (limit === undefined) return progressed(counted, context);
  return limit.until > context.at ? counted : worksAgain(counted, context);
}

/** A model that answers late is no sign of work, and none of an agent that hangs. */
const waitsForModel = (run: Run, { silent }: EventOf<"waiting">, { at }: Context): Run =>
  withEvidence(run, { waiting: { since: at - silent * 1000, at } });

// A usage limit of the agent's account is a wait, never a failure: it is the agent's turn again when
// it is over, automatically or, where the user wants to be asked, after a person's answer. The
// project is told, because an agent that starts now would only meet the same limit.

const LIMIT_MAX_MS = 8 * 24 * 60 * 60_000;
/** A limit that ends sooner is a provider's pace, which agents wait for by themselves. */
const PACE_MAX_MS = 5 * 60_000;

/** `until`: undefined where the agent does not know when it is over. */
export function limited(
  run: Run,
  event: { until: number | undefined; reason: string },
  context: Context,
): Run {
  if (!isActive(run)) return run;
  const { at } = context;
  const { ask, retryMs } = run.config.agent.limit ?? { ask: false, retryMs: RETRY_DEFAULT_MS };
  const until = Math.min(event.until ?? at + retryMs, at + LIMIT_MAX_MS);
  const known = run.session?.evidence.limit?.until === until;
  const limit = { until, reason: event.reason };
  // Its turn is over; when the limit is, it is nudged like any other agent that has stopped.
  const stopped = withEvidence(run, { limit, stopped: { at, background: 0 } });
  const waiting = beginIdle(stopped, context);
  if (known) return waiting;
  const account = accountOf(run.config.agent);
  const isShort = until - at <= PACE_MAX_MS;
  const asks = ask && !isShort;
  const more = { ...(isShort ? { isShort } : {}), ...(asks ? { run: run.id } : {}) };
  const { reason } = event;
  tellProject(run, { kind: "account-limited", at, until, reason, account, ...more }, context);
  const said = usageLimit(until, event.reason);
  const warned = warn(waiting, said, context);
  return asks ? escalate(warned, { reason: said }, context) : warned;
}

/** It works, so that it no longer waits for the limit or for an answer. */
export function worksAgain(run: Run, context: Context): Run {
  if (run.session?.evidence.limit !== undefined) {
    const account = accountOf(run.config.agent);
    tellProject(run, { kind: "account-freed", at: context.at, account }, context);
  }
  const free = { stopped: undefined, limit: undefined, idle: undefined };
  return withEvidence(progressed(run, context), free);
}

function tellProject(run: Run, event: ProjectEvent, context: Context): void {
  context.output.tells.push({ to: projectAggregate(run.project), event });
}
