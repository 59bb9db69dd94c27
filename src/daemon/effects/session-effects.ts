// Effects on a session: an agent is started, told something, ended.
import type { Run } from "../../core/run/run.ts";
import { deliver, type Place } from "../deliver.ts";
import { currentRun, type Executors } from "./executor.ts";
import { lifeOf, promptFor, startAgent } from "./start-agent.ts";

export const sessionEffects: Executors<"spawn-session" | "deliver-message" | "end-session"> = {
  "spawn-session": async (effect, context) => {
    const run = await currentRun(context);
    const { ports, paths, now } = context;
    const life = await lifeOf(run, effect, context);
    const phaseLink = paths.phaseLink(run);
    const prompt = await promptFor(life, context);
    const dir = { path: life.dir };
    const prepared = await ports.sessionFiles.prepare({ dir, prompt, phaseLink });
    // The registry knows a session before its process exists.
    await context.published();
    const { spawned, warnings } = await startAgent(life, context);
    return {
      kind: "session-spawned",
      at: now(),
      epoch: effect.epoch,
      pane: { socket: spawned.socket, tmuxSession: spawned.tmuxSession, pane: spawned.pane },
      process: spawned.process,
      phaseLink: prepared.phaseLink,
      told: effect.tell.map((message) => message.id),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  },

  "deliver-message": async (effect, context) => {
    const { id, epoch, text } = effect;
    const { ports, paths, project, now, signal } = context;
    const { config } = await currentRun(context);
    const outcome = await deliver(
      {
        agent: ports.agent(config.agent.runtime),
        dir: { path: paths.session(project, effect.run, epoch) },
        id,
        text,
        place: async () => placeOf(await currentRun(context), epoch),
      },
      { terminal: ports.terminal, sessionFiles: ports.sessionFiles, now, signal },
    );
    // A dialog takes an answer without a word: what was pressed is all there is to know.
    if (outcome === "answered") {
      await context.report({ kind: "message-acknowledged", at: now(), epoch, id });
    }
    return { kind: "message-delivered", at: now(), epoch, id };
  },

  "end-session": async (effect, { ports, project, now }) => {
    const { run, epoch, tmuxSession, process } = effect.marks;
    await ports.terminal.end({
      tmuxSession,
      process,
      marks: { project, run, epoch },
      graceMs: effect.graceMs,
    });
    return { kind: "session-ended", at: now(), epoch };
  },
};

function placeOf({ session }: Run, epoch: number): Place | undefined {
  if (session?.epoch !== epoch || session.status !== "live") return undefined;
  const { process, pane } = session;
  return process === undefined || pane === undefined ? undefined : { process, pane: pane.pane };
}
