// Effects on a session: an agent is started, told something, ended.
import { deliverMessage } from "./deliver.ts";
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
    await deliverMessage(effect, context);
    return {
      kind: "message-delivered",
      at: context.now(),
      epoch: effect.epoch,
      id: effect.id,
    };
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
