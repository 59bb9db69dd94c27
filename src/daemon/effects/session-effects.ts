// Effects on a session: an agent is started, told something, ended.
import { runId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { Question } from "../../core/session/evidence.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { agentEnvironment } from "../sessions/recompose-environment.ts";
import { deliver, type Place } from "../sessions/deliver.ts";
import { recordUsage, spentIn } from "../sessions/usage.ts";
import { currentRun, type EffectContext, type Executors } from "./executor.ts";
import { ensureWorkspace } from "./make-workspace.ts";
import { closeGateway } from "./open-gateway.ts";
import { requireUsable } from "./usable-agent.ts";
import { inputsFor, lifeOf, promptFor, startAgent } from "./start-agent.ts";

/** Processes that a dead agent left behind get a short time to exit. */
const LEFTOVERS_GRACE_MS = 500;

export const sessionEffects: Executors<
  "spawn-session" | "deliver-message" | "look-at-session" | "end-session" | "unlink-phase"
> = {
  "spawn-session": async (effect, context) => {
    const run = await currentRun(context);
    const { ports, paths, now } = context;
    const life = await lifeOf(run, effect, context);
    const phaseLink = paths.phaseLink(run);
    const prepare = async () => {
      await ensureWorkspace(context, run);
      const workspace = paths.workspace(context.project, run.identity);
      const agent = ports.agent(run.config.agent.runtime);
      // Outside walls: what it keeps in the home is where the program itself looks for it.
      const { isolation: _, ...open } = run.config;
      const { env } = agentEnvironment({ ...run, config: open }, effect.epoch, { ports, paths });
      await requireUsable(run, { agent, env, workspace });
      const prompt = await promptFor(life, context);
      const inputs = await inputsFor(run, context);
      return ports.sessionFiles.prepare({ dir: { path: life.dir }, prompt, phaseLink, inputs });
    };
    // The registry knows a session before its process exists.
    const [prepared] = await Promise.all([prepare(), context.published()]);
    const { spawned, warnings, walls } = await startAgent(life, context);
    return {
      kind: "session-spawned",
      at: now(),
      epoch: effect.epoch,
      pane: { socket: spawned.socket, tmuxSession: spawned.tmuxSession, pane: spawned.pane },
      process: spawned.process,
      phaseLink: prepared.phaseLink,
      told: effect.tell.map((message) => message.id),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(walls === undefined ? {} : { walls }),
    };
  },

  "deliver-message": async (effect, context) => {
    const { id, epoch, text } = effect;
    const { ports, paths, project, now, signal } = context;
    const run = await currentRun(context);
    const agent = ports.agent(run.config.agent.runtime);
    const environment = agentEnvironment(run, epoch, { ports, paths });
    const held = async (error: unknown): Promise<never> => {
      if (error instanceof OperationError && error.retryable) {
        const { message, hint } = error;
        const reason = hint === undefined ? message : `${message} (${hint})`;
        await context.report({ kind: "message-held", at: now(), epoch, id, reason });
      }
      throw error;
    };
    const outcome = await deliver(
      {
        agent,
        dir: { path: paths.session(project, effect.run, epoch) },
        id,
        text: ports.redact(text),
        question: run.messages.find((message) => message.id === id)?.question,
        asks: async () => questionOf(await currentRun(context), epoch),
        place: async () => placeOf(await currentRun(context), { epoch, id }),
        isReported: async () => (await agent.reportsPrompts?.(environment)) !== false,
      },
      { terminal: ports.terminal, sessionFiles: ports.sessionFiles, clock: ports.clock, signal },
    ).catch(held);
    // A dialog takes an answer without a word: what was pressed is all there is to know.
    if (outcome === "answered") {
      await context.report({ kind: "message-acknowledged", at: now(), epoch, id });
    }
    return { kind: "message-delivered", at: now(), epoch, id };
  },

  "look-at-session": (effect, context) => context.look(effect.epoch),

  "unlink-phase": async (effect, context) => {
    const { ports, paths, project } = context;
    const run = await currentRun(context);
    await ports.sessionFiles.unlinkPhase({
      dir: { path: paths.session(project, effect.run, effect.lastEpoch) },
      phaseLink: paths.phaseLink(run),
    });
    return undefined;
  },

  "end-session": async (effect, context) => {
    const { ports, paths, project, now } = context;
    const { run, epoch, tmuxSession, process } = effect.marks;
    const life = process === undefined ? "unknown" : await ports.terminal.probe(process);
    if (life !== "dead") await saveFirst(context, epoch);
    await ports.terminal.end({
      tmuxSession,
      process,
      marks: { project, run, epoch, dir: paths.session(project, runId(run), epoch) },
      workspace: paths.workspace(project, (await currentRun(context)).identity),
      graceMs: life === "dead" ? Math.min(effect.graceMs, LEFTOVERS_GRACE_MS) : effect.graceMs,
    });
    await closeGateway(await currentRun(context), epoch, context);
    // It writes no more now: what it said in its last moment counts, and this is what it has used.
    await context.hearLast(await currentRun(context), epoch);
    const used = await recordUsage(await currentRun(context), context);
    const ended = { kind: "session-ended", at: now(), epoch } as const;
    return used === undefined ? ended : { ...ended, used: spentIn(used) };
  },
};

const questionOf = ({ session }: Run, epoch: number): Question | undefined =>
  session?.epoch === epoch ? session.evidence.question : undefined;

function placeOf(
  { session, messages }: Run,
  told: { epoch: number; id: string },
): Place | undefined {
  if (session?.epoch !== told.epoch || session.status !== "live") return undefined;
  if (messages.some(({ id, status }) => id === told.id && status === "void")) return undefined;
  const { process, pane } = session;
  return process === undefined || pane === undefined ? undefined : { process, pane: pane.pane };
}

/**
 * Before the kill as well as after it: what an agent does when it is told to end may destroy work.
 * Where this one fails the end goes on; the checkpoint after it is an obligation of its own, and
 * says what is wrong.
 */
async function saveFirst(context: EffectContext, epoch: number): Promise<void> {
  const { own, paths, project, now } = context;
  const { identity } = await currentRun(context);
  const workspace = paths.workspace(project, identity);
  const reason = `before session ${epoch} is ended`;
  try {
    const outcome = await own.git.checkpoint({ workspace, identity, reason });
    if (outcome.kind === "saved") {
      await context.report({ kind: "checkpoint-made", at: now(), outcome });
    }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}
