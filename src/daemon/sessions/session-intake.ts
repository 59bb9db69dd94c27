// Takes in what a session's folder says: spool events, acknowledgements, phase, exit record, in an
// order that never lets a later fact overtake an earlier one. Repeating it changes nothing.
import type { Event } from "../../core/event.ts";
import { runAggregate, type AggregateId } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { parseSpool } from "../../core/session/spool.ts";
import type { Run } from "../../core/run/run.ts";
import type { Agent } from "../../ports/agent.ts";
import type { SessionDir, SessionSnapshot } from "../../ports/session-files.ts";
import { agentEnvironment } from "./recompose-environment.ts";
import { answerTo, readQuestion, type AnswerCall } from "./answer-session.ts";
import type { Input, WholeLoop } from "../engine/loop.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import type { Store } from "../../ports/store.ts";
import { createMeter } from "./meter.ts";

/** A life that keeps writing while its folder is read is looked at again later. */
const READINGS_MAX = 100;

/** So long after it fell silent, a hook that was going to say so has said it. */
const IDLE_MS = 5_000;

export type IntakeDeps = {
  ports: Ports;
  paths: Paths;
  loop: WholeLoop;
  store: Store;
  /** Undefined where questions of sessions are not answered. */
  answer?: AnswerCall | undefined;
  onError?: (error: unknown) => void;
};

export type Intake = {
  /** Tells whether the spool is empty now. */
  take(snapshot: SessionSnapshot): Promise<boolean>;
  /** Everything a life has said, also where its spool holds more than one reading shows. */
  takeAll(): Promise<SessionSnapshot["exit"]>;
  /** The agent's own word on whether it works, where it gives one. */
  askAgent(): Promise<void>;
};

export function createIntake(deps: IntakeDeps, run: Run, epoch: number): Intake {
  const { ports, paths, loop } = deps;
  const to = runAggregate(run.project, run.id);
  const dir: SessionDir = { path: paths.session(run.project, run.id, epoch) };
  const acknowledged = new Set<string>();
  const agent = ports.agent(run.config.agent.runtime);
  const meter = createMeter(deps, run);
  const isAnswered = createAnswering(deps, run, dir);
  let seenPhase = "";
  const at = (): number => ports.clock.now();
  const inputOf = (event: Event): Input => ({ to, event });
  const submit = (event: Event, key?: string): Promise<boolean> =>
    loop.submit(key === undefined ? { to, event } : { to, event, key });

  /**
   * What lies there together is committed together: each commit is a write to the disk. Only the end
   * waits until what the life has used is recorded, and it does not wait for what the session itself
   * keeps from being read or removed.
   */
  async function take(snapshot: SessionSnapshot): Promise<boolean> {
    const { spool, acknowledged: read, phase, exit } = snapshot;
    const news = spool.filter((file) => !isAnswered(file));
    const told = await spoolInputs({ to, epoch, dir, at, agent }, news);
    const fresh = read.filter((id) => !acknowledged.has(id));
    const acks = fresh.map((id) => inputOf({ kind: "message-acknowledged", at: at(), epoch, id }));
    const isNewPhase = phase !== undefined && phase.stamp !== seenPhase;
    if (isNewPhase) acks.push(inputOf({ kind: "phase-observed", at: at(), epoch, ...phase }));
    await submitTogether(loop, [...told, ...acks]);
    for (const id of fresh) acknowledged.add(id);
    if (isNewPhase) seenPhase = phase.stamp;
    let isEmpty = true;
    if (spool.length > 0) {
      const when = told.some(({ event }) => changesUsage(event.text)) ? "now" : "if due";
      await asFarAsFilesAllow(deps, () => meter(when));
      isEmpty = await asFarAsFilesAllow(deps, () => removeAll(ports, dir, spool));
    }
    if (exit !== undefined) await submit({ kind: "session-exited", at: at(), epoch, exit });
    return isEmpty;
  }

  async function takeAll(): Promise<SessionSnapshot["exit"]> {
    for (let readings = 0; readings < READINGS_MAX; readings += 1) {
      const snapshot = await ports.sessionFiles.read(dir);
      const isEmpty = await take(snapshot);
      if (!isEmpty || snapshot.spool.length === 0) return snapshot.exit;
    }
    return undefined;
  }

  async function askAgent(): Promise<void> {
    await asFarAsFilesAllow(deps, () => meter("if due"));
    const since = await agent.idleSince?.(agentEnvironment(run, epoch, { ports, paths }));
    if (since === undefined || at() - since < IDLE_MS) return;
    const text = JSON.stringify({ v: 1, kind: "idle", at: at() });
    const event = { kind: "spool-received", at: at(), epoch, name: `idle-${since}`, text } as const;
    await submit(event, `${to}:${epoch}:idle:${since}`);
  }

  return { take, takeAll, askAgent };
}

/**
 * Answers the questions among the files of a spool. One at a time and beside the rest: an answer may
 * take long, and a session's news must not wait for it.
 */
function createAnswering(deps: IntakeDeps, run: Run, dir: SessionDir) {
  const { ports, paths, answer: call, onError = () => undefined } = deps;
  const workspace = paths.workspace(run.project, run.identity);
  let answered: Promise<void> = Promise.resolve();
  return ({ text }: { text: string }): boolean => {
    const question = readQuestion(text);
    if (question === undefined || call === undefined) return false;
    answered = answered
      .then(async () => {
        const answer = await answerTo(question, { run, workspace, call });
        await ports.sessionFiles.answer({ dir, id: question.id, text: answer });
      })
      .catch(onError);
    return true;
  };
}

type SpoolEvent = Extract<Event, { kind: "spool-received" }>;
type SpoolInput = Input & { event: SpoolEvent };

async function spoolInputs(
  life: { to: AggregateId; epoch: number; dir: SessionDir; at: () => number; agent: Agent },
  spool: SessionSnapshot["spool"],
): Promise<SpoolInput[]> {
  const { to, epoch, dir, at, agent } = life;
  const inputs: SpoolInput[] = [];
  for (const { name, text } of spool) {
    const told = await translated(agent, { dir: dir.path, text, at: at() });
    inputs.push(...fileInputs(to, { at: at(), epoch, name }, told));
  }
  return inputs;
}

async function removeAll(
  { sessionFiles }: Ports,
  dir: SessionDir,
  spool: SessionSnapshot["spool"],
): Promise<void> {
  for (const { name } of spool) await sessionFiles.removeSpool({ dir, name });
}

/** False, and reported, where the files of the session refuse it; the journal's errors are thrown. */
async function asFarAsFilesAllow(
  { onError }: Pick<IntakeDeps, "onError">,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof OperationError || onError === undefined) throw error;
    onError(error);
    return false;
  }
}

/** What one file tells; each is taken in once, however often the file is read. */
const fileInputs = (
  to: AggregateId,
  file: Pick<SpoolEvent, "at" | "epoch" | "name">,
  told: string[],
): SpoolInput[] =>
  told.map((text, index) => ({
    to,
    event: { kind: "spool-received", ...file, text },
    key: `${to}:${file.epoch}:spool:${file.name}:${index}`,
  }));

/** One that cannot be stepped, by a bug, must not take those before it down with it. */
async function submitTogether(loop: WholeLoop, inputs: readonly Input[]): Promise<void> {
  if (inputs.length === 0) return;
  try {
    await loop.submitAll(inputs);
  } catch (error) {
    // The journal itself: everything waits for it.
    if (error instanceof OperationError) throw error;
    for (const input of inputs) await loop.submit(input);
  }
}

/** Hooks of known agents speak their own language; what is in Pawl's own is taken as it is. */
const translated = async (
  agent: Agent,
  said: { dir: string; text: string; at: number },
): Promise<string[]> => (await agent.translate?.(said)) ?? [said.text];

function changesUsage(text: string): boolean {
  const parsed = parseSpool(text);
  return parsed.kind === "event" && ["stop", "usage"].includes(parsed.event.kind);
}
