// How a life of an agent is started: its prompt, its conversation, its environment, its terminal.
import { lostInWalls } from "../../adapters/runtimes.ts";
import { inputsOf } from "../../core/formula/run.ts";
import { attemptOf } from "../../core/formula/start-attempt.ts";
import { composePrompt, protocolFor } from "../../core/words/prompt.ts";
import type { Run } from "../../core/run/run.ts";
import { TERMINAL_SIZE, type Spawned } from "../../ports/terminal.ts";
import { agentEnvironment } from "../sessions/recompose-environment.ts";
import { sessionRoom } from "../sessions/session-walls.ts";
import { guideFor } from "../roles/guide.ts";
import type { EffectContext, EffectOf } from "./executor.ts";
import { portVariables } from "./make-workspace.ts";
import { closeGateway, openGateway } from "./open-gateway.ts";

export type Life = {
  run: Run;
  effect: EffectOf<"spawn-session">;
  dir: string;
  env: Record<string, string>;
  /** The conversation to resume, where the agent has kept it. */
  resume: string | undefined;
};

export async function lifeOf(
  run: Run,
  effect: EffectOf<"spawn-session">,
  { ports, paths, project }: EffectContext,
): Promise<Life> {
  const agent = ports.agent(run.config.agent.runtime);
  const own = agentEnvironment(run, effect.epoch, { ports, paths });
  const { dir } = own;
  const env = { ...own.env, ...portVariables(run.config.workspace, run.slot) };
  const { resumes } = effect;
  const before = resumes === undefined ? undefined : paths.session(project, run.id, resumes);
  const resume =
    before === undefined ? undefined : await agent.conversation?.({ dir: before, env });
  return { run, effect, dir, env, resume };
}

export async function promptFor(life: Life, context: EffectContext): Promise<string> {
  const { run, effect, dir } = life;
  const { own, paths, project, ports } = context;
  const workspace = paths.workspace(project, run.identity);
  const { base } = run;
  const isBegun = run.session?.predecessor !== undefined || run.begun === true;
  const saved = run.checkpoint === undefined ? {} : { checkpoint: run.checkpoint };
  const summary =
    base === undefined || !isBegun
      ? undefined
      : await own.git.summary({ workspace, base, ...saved });
  const facts = {
    run,
    tell: effect.tell,
    workspace,
    phaseFile: `${dir}/phase`,
    resumed: life.resume !== undefined,
    typed: ports.agent(run.config.agent.runtime).confirms,
  };
  const guide = await guideFor(run, own);
  const prompt = composePrompt({
    ...facts,
    ...(summary === undefined ? {} : { summary }),
    ...(guide === undefined ? {} : { guide }),
  });
  return ports.redact(prompt);
}

/** What the earlier steps of its formula came to, whole: a brief shows only so much of it. */
export async function inputsFor(
  { work }: Run,
  { store, ports }: EffectContext,
): Promise<Record<string, string>> {
  if (work.kind !== "task") return {};
  const { by, key } = work.task;
  const asker = (await store.load(by))?.state;
  const step = asker?.kind === "formula" ? attemptOf(asker, key)?.step : undefined;
  if (asker?.kind !== "formula" || step === undefined) return {};
  const texts = Object.entries(inputsOf(asker, step));
  return Object.fromEntries(texts.map(([id, text]) => [id, ports.redact(text)]));
}

export async function startAgent(
  life: Life,
  context: EffectContext,
): Promise<{ spawned: Spawned; warnings: string[]; walls?: string[] }> {
  const { ports, paths, project } = context;
  const { run, dir, effect, resume } = life;
  const gateway = await openGateway(run, effect.epoch, context);
  const env = gateway.around(life.env);
  const workspace = paths.workspace(project, run.identity);
  const { agent } = run.config;
  const launch = await ports.agent(agent.runtime).launch({
    agent,
    promptFile: `${dir}/prompt.md`,
    protocol: protocolFor(run, ports.agent(agent.runtime).confirms),
    workspace,
    dir,
    resume,
    env,
    heartbeat: paths.heartbeat,
    quietMs: run.config.limits.quietWarningMs,
  });
  const whole = gateway.around({ ...env, ...launch.env });
  const inside = gateway.inside(launch.argv);
  // Of a hosted agent the launch begins with its host, which is readable anyway.
  const program = agent.command[0] ?? launch.argv[0];
  const { resumes } = effect;
  const before =
    resume === undefined || resumes === undefined
      ? undefined
      : paths.session(project, run.id, resumes);
  const room = await sessionRoom(run, { ...gateway, dir, before, env: whole, program }, context);
  // Looked at from inside before the agent is: walls that do not hold are not an agent's to find.
  const walls = room && (await ports.walls.probe(room));
  const argv = gateway.outside(
    room === undefined ? inside : await ports.walls.around(room, inside),
  );
  await gateway.giveKeys();
  const spawned = await ports.terminal
    .spawn({
      name: `${run.role}-${project}-${run.name}`,
      cwd: workspace,
      argv,
      env: whole,
      dir,
      logFile: paths.paneLog(project, run.id),
      size: TERMINAL_SIZE,
    })
    .catch(async (error: unknown) => {
      await closeGateway(run, effect.epoch, context);
      throw error;
    });
  const found = walls === undefined ? {} : { walls };
  const lost = room && lostInWalls(agent.runtime, room.isolation.write);
  const warnings = [...(launch.warnings ?? []), ...(lost === undefined ? [] : [lost])];
  return { spawned, warnings, ...found };
}
