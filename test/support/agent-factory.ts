// A factory whose agents are the real program of a runtime, pointed at a stub of its model: isolated
// HOME, nothing of the caller's environment, no account, no network but loopback.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startModelStub, type ModelStub } from "../../src/cli/model-stub/server.ts";
import { makeFactory, PATIENCE_MS, TEST_GATE, type Factory, type FactoryOptions } from "./pawl.ts";

type Place = { home: string; stub: string };

/** How a runtime is tested: what differs between agents, beside what they all must do. */
export type TestedAgent = {
  /** `runtime` in pawl.toml. */
  runtime: string;
  /** The program's path; undefined where it cannot be had: every test is then skipped. */
  program: string | undefined;
  /** It is Pawl's own, and no program is named in pawl.toml. */
  builtIn?: true;
  /** Variables of the agent, below [agent.env]. */
  env: (place: Place) => Record<string, string>;
  /** Variables of an agent that has no login. */
  signedOut?: (place: Place) => Record<string, string>;
  /** Files of its home, by their paths below it. */
  files: (place: Place) => Record<string, string>;
  /** Keys of [agent.NAME] for every case. */
  settings?: string;
  /** Keys of [agent.NAME] that make it ask before it runs a command. */
  asking?: string;
  /** The answer of a person that allows it. */
  allows?: string;
  /** A directive of the stub by which its model asks a person "Which?", Red or Blue. */
  question?: string;
  /** Tokens of one request that fill its context to 85 % or more, or variables that make it small. */
  full?: { tokens: number; env?: Record<string, string> };
  /** It tries a failed request again by itself, for longer than a test may take. */
  retries?: true;
  /** A key typed at its terminal that interrupts a turn. */
  interrupt?: string;
  /**
   * What its own screen shows once it is there and during a turn, where it is started after the turn:
   * it learns of a turn by what happens in it.
   */
  screen?: { started: string; working: string };
  /** Starting it takes seven seconds of a processor: its cases wait for each other. */
  isHeavy?: true;
  /** It stays where it is when its work has landed: no host of ours ends it after its turn. */
  stays?: true;
  /** Cases that are none for it, besides what its runtime lacks, and why. */
  cannot?: Record<string, string>;
};

export type AgentFactory = Factory & { stub: ModelStub };

export type AgentFactoryOptions = Omit<FactoryOptions, "config"> & {
  /** Below [agent]. */
  agent?: string;
  /** Below [agent.NAME]. */
  settings?: string;
  /** Below [agent.env], beside what the agent needs. */
  agentEnv?: Record<string, string>;
  command?: string;
  /** Below [limits]. */
  limits?: string;
  /** In place of the short limits. */
  calm?: string;
  /** Further agents, as accounts: `other-codex`. */
  others?: readonly TestedAgent[];
};

/** What takes a minute for people takes seconds here: six of these are the time to read a nudge. */
const QUICK = 'idle_check = "3 s"\n';

export async function makeAgentFactory(
  tested: TestedAgent,
  options: AgentFactoryOptions = {},
): Promise<AgentFactory> {
  const stub = await startModelStub();
  const factory = await makeFactory({ patienceMs: PATIENCE_MS, ...options });
  const place = { home: factory.env["HOME"] ?? "", stub: stub.url };
  const { others = [] } = options;
  const files = [tested, ...others].flatMap((one) => Object.entries(one.files(place)));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(place.home, path)), { recursive: true });
    writeFileSync(join(place.home, path), text);
  }
  const limits = `${limitsOf(tested)}${options.calm ?? QUICK}${options.limits ?? ""}`;
  const config = `${agentSection(tested, options, place)}\n${TEST_GATE}${limits}\n`;
  factory.commit({ "pawl.toml": factory.config(config) }, "Begin with Pawl");
  return {
    ...factory,
    stub,
    [Symbol.asyncDispose]: async () => {
      await factory[Symbol.asyncDispose]();
      await stub.close();
    },
  };
}

/** The issue's tmux session, which may become known after the agent's first tool has begun. */
export const sessionOf = (factory: AgentFactory, issue: number): Promise<string> =>
  factory.until("its tmux session is known", async () => {
    const { tmux_session: session } = await factory.runOf(issue);
    return session ?? undefined;
  });

/** A turn that goes on after the landing has its time: what it uses is told at its end. */
const limitsOf = ({ stays }: TestedAgent): string =>
  `[limits]\ngrace = "2 s"\n${stays === true ? 'farewell = "1 s"\n' : ""}`;

function agentSection(tested: TestedAgent, options: AgentFactoryOptions, place: Place): string {
  const { runtime, program, builtIn } = tested;
  const command = options.command ?? program;
  const env = Object.entries({ ...tested.env(place), ...options.agentEnv });
  return [
    `[agent]\nruntime = "${runtime}"`,
    builtIn === true ? "" : `command = ["${command ?? ""}"]`,
    options.agent ?? "",
    "[agent.env]",
    ...env.map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    builtIn === true
      ? ""
      : `[agent.${runtime}]\n${tested.settings ?? ""}\n${options.settings ?? ""}`,
    ...(options.others ?? []).map((other) => accountSection(other, place)),
  ].join("\n");
}

function accountSection({ runtime, program, env, settings = "" }: TestedAgent, place: Place) {
  const variables = Object.entries(env(place)).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  return [
    `[[agent.account]]\nname = "other-${runtime}"\nruntime = "${runtime}"\ncommand = ["${program ?? ""}"]`,
    `env = { ${variables.join(", ")} }`,
    `settings = { ${settings.split("\n").join(", ")} }`,
  ].join("\n");
}

/** Commits everything and asks for CI, as the last step of a turn. */
export const COMMIT = `git add -A && git commit -q -m "work on $ISSUE" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"`;

/** What a model is asked: every text and tool call of one request, in order, as one text. */
export const conversations = ({ stub }: AgentFactory): string[] =>
  stub.requests.map(({ body }) => JSON.stringify(body.messages));

type Run = Awaited<ReturnType<Factory["runOf"]>>;

/** A file of the folder of the life that works on this run. */
export const lifeFile = (run: Run, name: string): string =>
  join(dirname(run.log_path), String(run.epoch), name);

/** What runs in the pane: the agent itself, or its host. */
export const panePid = (run: Run): number => recordedPid(run, "agent");

/** What keeps the record of the life. */
export const wrapperPid = (run: Run): number => recordedPid(run, "wrapper");

function recordedPid(run: Run, name: "agent" | "wrapper"): number {
  const record = readFileSync(lifeFile(run, "process"), "utf8");
  const pid = new RegExp(`^${name} (\\d+) `, "m").exec(record)?.[1];
  if (pid === undefined) throw new Error(`no ${name} in ${lifeFile(run, "process")}`);
  return Number(pid);
}

/** A process and all that it has started, each before its children. */
export function processTree(pid: number): number[] {
  const children = ofProcess(pid, `task/${pid}/children`).trim().split(" ");
  return [pid, ...children.filter(Boolean).map(Number).flatMap(processTree)];
}

/** Empty where the process has ended meanwhile: short ones come and go while they are looked at. */
function ofProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

const isHost = (pid: number): boolean => /-host\.[jt]s\0/.test(ofProcess(pid, "cmdline"));

/** The host that drives the agent; walls may stand around it. */
export function hostPid(run: Run): number {
  const host = processTree(panePid(run)).findLast(isHost);
  if (host === undefined) throw new Error("no host runs in the pane");
  return host;
}

/** The agent's own program: what its host has started, or what runs in the pane. */
export function agentPid(run: Run): number {
  const all = processTree(panePid(run));
  const host = all.findLast(isHost);
  const [agent] = host === undefined ? all : processTree(host).slice(1);
  if (agent === undefined) throw new Error("the host has no agent");
  return agent;
}
