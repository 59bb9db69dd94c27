// The published copies of a run: its hook, its identity, its last CI result.
import type { CheckOutcome } from "../../core/check.ts";
import { ciResult } from "../../core/words/messages.ts";
import { hookRecord } from "../../core/run/hook-record.ts";
import type { PastLife } from "../../core/session/past-life.ts";
import type { Run } from "../../core/run/run.ts";
import type { Session } from "../../core/session/session.ts";
import type { Paths } from "../host/paths.ts";
import type { AgentView } from "../../api/agents.ts";
import {
  agentView,
  hookPath,
  identityPath,
  iso,
  livenessOf,
  pastPath,
  pastView,
} from "../views/agents.ts";

export type Copy = { path: string; content: string };

type Known = Pick<Run, "phase" | "epoch"> & { session: string | undefined; copy: Copy };

/** What is around the time of the last sign of life in the text of an identity. */
type KnownIdentity = { agent: AgentView; before: string; after: string };

/** All copies of a run, but for its identity, which shows when it was last seen. */
type KnownCopies = { run: Run; liveness: AgentView["liveness"]; others: Copy[]; path: string };

/** Text of others has no line breaks in JSON: the copy has one such line. */
const SEEN_LINE = '\n  "last_seen": "';

export class RunCopies {
  readonly #paths: Paths;
  /** A session is seen far more often than its hook changes. */
  readonly #hooks = new WeakMap<Run["hook"], Known>();
  readonly #lives = new WeakMap<PastLife, Copy>();
  readonly #identities = new WeakMap<Run["hook"], KnownIdentity>();
  readonly #copies = new WeakMap<Run["hook"], KnownCopies>();

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  /** The hook comes first: an identity that names it must not be there without it. */
  of(run: Run, now: number): Copy[] {
    const seen = this.#seenAgain(run, now);
    if (seen !== undefined) return seen;
    const paths = this.#paths;
    const agent = agentView(run, { paths, now });
    if (agent === undefined) return [];
    const others = [...this.#past(run, now), this.#hook(run), ...lastResult(run, paths)];
    const path = identityPath(run, paths);
    this.#copies.set(run.hook, { run, liveness: agent.liveness, others, path });
    return [...others, { path, content: this.#identity(run, agent) }];
  }

  /** Of a session that only shows another sign of life, nothing else is made again. */
  #seenAgain(run: Run, now: number): Copy[] | undefined {
    const { hook, session, config } = run;
    const known = this.#copies.get(hook);
    const identity = this.#identities.get(hook);
    if (known === undefined || identity === undefined || session === undefined) return undefined;
    if (!isOnlySeen(known.run, run)) return undefined;
    const { lastSeen } = session;
    if (livenessOf(session, now - lastSeen, config.limits.staleMs) !== known.liveness) {
      return undefined;
    }
    const content = `${identity.before}${iso(lastSeen)}${identity.after}`;
    return [...known.others, { path: known.path, content }];
  }

  /** What a successor names as its predecessor stays readable by that name. */
  #past(run: Run, now: number): Copy[] {
    const paths = this.#paths;
    return (run.lives ?? []).map((life) => {
      let copy = this.#lives.get(life);
      if (copy === undefined) {
        copy = {
          path: pastPath(run, life, paths),
          content: json(pastView(run, life, { paths, now })),
        };
        this.#lives.set(life, copy);
      }
      return copy;
    });
  }

  /** All of it is mostly as it was, but for the time of the last sign of life. */
  #identity({ hook }: Run, agent: AgentView): string {
    const known = this.#identities.get(hook);
    if (known !== undefined && isSameButSeen(known.agent, agent)) {
      return `${known.before}${agent.last_seen}${known.after}`;
    }
    const text = json(agent);
    const at = text.indexOf(SEEN_LINE) + SEEN_LINE.length;
    const after = text.slice(at + agent.last_seen.length);
    this.#identities.set(hook, { agent, before: text.slice(0, at), after });
    return text;
  }

  #hook(run: Run): Copy {
    const { hook, phase, epoch } = run;
    const session = run.session?.id;
    const known = this.#hooks.get(hook);
    if (known?.phase === phase && known?.epoch === epoch && known?.session === session) {
      return known.copy;
    }
    const copy = { path: hookPath(run, this.#paths), content: json(hookRecord(run)) };
    this.#hooks.set(hook, { phase, epoch, session, copy });
    return copy;
  }
}

const results = new WeakMap<CheckOutcome, string>();

/** In the living session's own folder, so that the agent can read it. */
function lastResult({ project, id, session, check }: Run, paths: Paths): Copy[] {
  if (session?.status !== "live" || check === undefined) return [];
  const path = `${paths.session(project, id, session.epoch)}/ci-result.txt`;
  let content = results.get(check.outcome);
  if (content === undefined) {
    content = ciResult(check.outcome);
    results.set(check.outcome, content);
  }
  return [{ path, content }];
}

/**
 * Whether what the copies show of a run is as it was, but for the last sign of life. Compared by name:
 * going through all fields took longer than making the copies. What passes with time (an account's
 * limit, a budget) is always looked at again.
 */
function isOnlySeen(a: Run, b: Run): boolean {
  if (a.session === undefined || b.session === undefined) return false;
  return (
    a.stage === b.stage &&
    a.phase === b.phase &&
    a.held === b.held &&
    a.lives === b.lives &&
    a.check === b.check &&
    a.work === b.work &&
    a.config === b.config &&
    b.closed === undefined &&
    a.closed === undefined &&
    isOnlySeenIn(a.session, b.session)
  );
}

const isOnlySeenIn = (a: Session, b: Session): boolean =>
  a.id === b.id &&
  a.status === b.status &&
  a.verdict === b.verdict &&
  a.process === b.process &&
  a.pane === b.pane &&
  a.lastProgress === b.lastProgress &&
  a.evidence.question === b.evidence.question &&
  a.evidence.context === b.evidence.context &&
  b.evidence.limit === undefined &&
  a.evidence.limit === undefined;

function isSameButSeen(a: AgentView, b: AgentView): boolean {
  for (const name of Object.keys(a) as (keyof AgentView)[]) {
    if (a[name] !== b[name] && name !== "last_seen" && name !== "context") return false;
  }
  return isSameContext(a.context, b.context);
}

const isSameContext = (a: AgentView["context"], b: AgentView["context"]): boolean =>
  a === b ||
  (a?.percent === b?.percent &&
    a?.urgency === b?.urgency &&
    a?.symptoms.join() === b?.symptoms.join());

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
