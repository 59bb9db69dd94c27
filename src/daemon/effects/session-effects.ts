// Effects on a session: an agent is started, told something, ended.
import { composePrompt } from "../../core/run/prompt.ts";
import type { Run } from "../../core/run/run.ts";
import { contractEnvironment } from "../contract.ts";
import { currentRun, type EffectContext, type EffectOf, type Executors } from "./executor.ts";
import { portVariables } from "./workspace-effects.ts";

const TERMINAL_SIZE = { columns: 200, rows: 50 };

export const sessionEffects: Executors<"spawn-session" | "deliver-message" | "end-session"> = {
  "spawn-session": async (effect, context) => {
    const run = await currentRun(context);
    const { ports, paths, project, now } = context;
    const dir = paths.session(project, run.id, effect.epoch);
    const phaseLink = paths.phaseLink(run);
    const prompt = await promptFor(run, effect, context);
    const prepared = await ports.sessionFiles.prepare({ dir: { path: dir }, prompt, phaseLink });
    // The registry knows a session before its process exists.
    await context.published();
    const spawned = await start(run, { effect, dir }, context);
    return {
      kind: "session-spawned",
      at: now(),
      epoch: effect.epoch,
      pane: { socket: spawned.socket, tmuxSession: spawned.tmuxSession, pane: spawned.pane },
      process: spawned.process,
      phaseLink: prepared.phaseLink,
      told: effect.tell.map((message) => message.id),
    };
  },

  "deliver-message": async (effect, { ports, paths, project, now }) => {
    const dir = { path: paths.session(project, effect.run, effect.epoch) };
    await ports.sessionFiles.deliver({ dir, id: effect.id, text: effect.text });
    return { kind: "message-delivered", at: now(), epoch: effect.epoch, id: effect.id };
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

async function promptFor(
  run: Run,
  effect: EffectOf<"spawn-session">,
  { own, paths, project }: EffectContext,
): Promise<string> {
  const workspace = paths.workspace(project, run.identity);
  const phaseFile = `${paths.session(project, run.id, effect.epoch)}/phase`;
  const { base } = run;
  const first = run.session?.predecessor === undefined || base === undefined;
  const summary = first ? undefined : await own.git.summary({ workspace, base });
  const facts = { run, tell: effect.tell, workspace, phaseFile };
  return composePrompt(summary === undefined ? facts : { ...facts, summary });
}

async function start(
  run: Run,
  life: { effect: EffectOf<"spawn-session">; dir: string },
  { ports, paths, project }: EffectContext,
) {
  const workspace = paths.workspace(project, run.identity);
  const { agent } = run.config;
  const launch = await ports.agent(agent.runtime).launch({
    agent,
    promptFile: `${life.dir}/prompt.md`,
    workspace,
    dir: life.dir,
    resume: undefined,
  });
  return ports.terminal.spawn({
    name: `${run.role}-${project}-${run.name}`,
    cwd: workspace,
    argv: launch.argv,
    env: {
      ...contractEnvironment(run, { epoch: life.effect.epoch, dir: life.dir }),
      ...portVariables(run.config.workspace, run.slot),
      ...launch.env,
    },
    dir: life.dir,
    logFile: paths.paneLog(project, run.id),
    size: TERMINAL_SIZE,
  });
}
