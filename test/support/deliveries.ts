// Messages to an agent while agent, host and daemon are killed at random: none may be lost, and none
// may be said twice. One agent for each way in which agents are driven: the real Claude Code in its
// terminal, the real Codex as a server, and a small program that speaks ACP.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createPrng } from "../../src/lib/prng.ts";
import {
  agentPid,
  hostPid,
  lifeFile,
  makeAgentFactory,
  wrapperPid,
  type AgentFactory,
  type TestedAgent,
} from "./agent-factory.ts";
import { DeliveryStory } from "./delivery-story.ts";
import { SaidNumbers } from "./said-numbers.ts";
import { CLAUDE, CODEX } from "./tested-agents.ts";
import { LIMITS, makeFactory, TEST_GATE, type Background, type Factory } from "./pawl.ts";

const PROGRAM = join(import.meta.dirname, "acp-program.ts");

export type Way = "terminal" | "served" | "acp";
type Victim = "agent" | "host" | "daemon";

export type Deliveries = {
  lost: number[];
  doubled: number[];
  kills: Record<Victim, number>;
  /** From the sender's request until the agent's protocol has acknowledged it, without kills. */
  acknowledgedMs: number[];
  /** Of these, until the daemon had put it into the session's inbox. */
  postedMs: number[];
  /** What happened, where a message was lost or said twice. */
  story: string;
};

/** Crashes are forgotten at once: here they are the rule. */
const FORGIVING = 'crash_window = "1 s"\nidle_check = "1 h"\n';

type World = {
  factory: Factory;
  isUp: () => boolean;
  /** Reads what was said since the last time. Called often, so that each time there is little. */
  read: () => void;
  /** How often each message was said to the agent. */
  counts: (messages: number) => number[];
  /** What the model was asked, where there is one. */
  requests: () => { at: number; text: string }[];
  host: (run: Run) => number;
  /** Messages lie in cur/ once they are acknowledged. */
  isHosted: boolean;
};
type Run = Awaited<ReturnType<Factory["runOf"]>>;

async function acpWorld(): Promise<World> {
  const factory = await makeFactory();
  const { root } = factory;
  const command = JSON.stringify([process.execPath, PROGRAM, `${root}/said`]);
  const agent = `[agent]\nruntime = "acp"\ncommand = ${command}\n`;
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}${FORGIVING}`) });
  const isUp = (): boolean => said(root).length > 0;
  const counts = (messages: number): number[] => {
    const numbers = new SaidNumbers();
    numbers.read(said(root));
    return numbers.counts(messages);
  };
  const nothing = { read: () => undefined, requests: () => [] };
  return { factory, isUp, counts, ...nothing, host: hostPid, isHosted: true };
}

/** Undefined where its program cannot be had. */
async function realWorld(
  agent: TestedAgent,
  place: Pick<World, "host" | "isHosted">,
): Promise<World | undefined> {
  if (agent.program === undefined) return undefined;
  const factory = await makeAgentFactory(agent, { calm: FORGIVING });
  const isUp = (): boolean => factory.stub.requests.length > 0;
  const numbers = new SaidNumbers();
  const asked: { at: number; text: string }[] = [];
  /** What is read is let go: each request has the whole conversation so far. */
  const read = (): void => {
    for (const request of factory.stub.requests.slice(asked.length)) {
      const text = numbers.read(saidIn(request)).map((number) => `N-${number};`);
      asked.push({ at: request.at, text: text.join(" ") });
      request.body = { ...request.body, messages: [] };
    }
  };
  const counts = (messages: number): number[] => {
    read();
    return numbers.counts(messages);
  };
  return { factory, isUp, read, counts, requests: () => asked, ...place };
}

const WORLDS: Record<Way, () => Promise<World | undefined>> = {
  acp: acpWorld,
  served: () => realWorld(CODEX, { host: hostPid, isHosted: true }),
  // Without a host of its own, the wrapper in its pane keeps its record.
  terminal: () => realWorld(CLAUDE, { host: wrapperPid, isHosted: false }),
};

/** What users have said in all conversations of the small program. */
const said = (root: string): string =>
  globSync("said/*.jsonl", { cwd: root })
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");

/** What users have said in the conversation that a request has, and what hooks have added to it. */
const saidIn = ({ body }: AgentFactory["stub"]["requests"][number]): string =>
  body.messages
    .filter(({ role }) => role === "user" || role === "system")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text }) => text ?? ""),
    )
    .join("\n");

/** Within it, a kill comes before, during or after a delivery. */
const MOMENT_MS = 60;

/** Undefined where the agent's program cannot be had. */
export async function deliverWithKills(options: {
  way: Way;
  messages: number;
  /** One of so many messages is followed by a kill. */
  killEvery: number;
  seed: number;
}): Promise<Deliveries | undefined> {
  const { messages, killEvery, way } = options;
  const world = await WORLDS[way]();
  if (world === undefined) return undefined;
  const random = createPrng(options.seed);
  await using factory = world.factory;
  const issue = await factory.addIssue({ title: "Listen", body: "Listen. [[text: ready]]" });
  let daemon = factory.background("run");
  await factory.until("the agent is up", async () => world.isUp());
  const kills = { agent: 0, host: 0, daemon: 0 };
  const story = new DeliveryStory();
  const acknowledgedMs: number[] = [];
  const postedMs: number[] = [];
  for (let number = 1; number <= messages; number += 1) {
    world.read();
    const sentAt = Date.now();
    story.note(`N-${number}; is sent`);
    await factory.client.post(`/v1/runs/${issue}/nudge`, { by: "test", text: `N-${number};` });
    if (random.int(killEvery) > 0) {
      // Typing takes its time: some come one by one, and some before the one before is typed.
      if (!world.isHosted && random.int(BURST) === 0) continue;
      const times = await acknowledged(factory, issue, world.isHosted ? WAIT_MS : TYPED_MS);
      if (times === undefined || !world.isHosted) continue;
      postedMs.push(times.postedAt - sentAt);
      acknowledgedMs.push(times.movedAt - sentAt);
      continue;
    }
    await wait(random.int(MOMENT_MS));
    const victim = random.pick(["agent", "host", "daemon"] as const);
    story.note(`the ${victim} is killed`);
    if (victim === "daemon") daemon = await restart(factory, daemon);
    else if (!(await killed(world, issue, victim))) continue;
    kills[victim] += 1;
  }
  const isOver = async () => world.counts(messages).every((count) => count > 0);
  // Where it never is, the counts say which were lost.
  await factory.until("every message has been said", isOver).catch(console.error);
  // What is still on its way would be said twice.
  const isSettled = async () => (await factory.runOf(issue)).messages.every(isSent);
  await factory.until("no message is on its way", isSettled).catch(console.error);
  const counts = world.counts(messages);
  const numbersWith = (isSo: (count: number) => boolean): number[] =>
    counts.flatMap((count, index) => (isSo(count) ? [index + 1] : []));
  const lost = numbersWith((count) => count === 0);
  const doubled = numbersWith((count) => count > 1);
  const troubled = [...lost, ...doubled];
  const told = troubled.length > 0 ? story.tell(factory.root, troubled, world.requests()) : "";
  return { lost, doubled, kills, acknowledgedMs, postedMs, story: told };
}

const isSent = ({ status }: { status: string }): boolean =>
  status !== "queued" && status !== "delivered";

/** Undefined where the life has changed meanwhile. */
async function acknowledged(factory: Factory, issue: number, withinMs: number) {
  const run = await factory.runOf(issue);
  const path = lifeFile(run, `inbox/cur/${run.messages.at(-1)?.id ?? ""}.md`);
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += LOOK_MS) {
    // A message that is moved there keeps the time at which it was written, but not this one.
    const file = statSync(path, { throwIfNoEntry: false });
    if (file !== undefined) return { postedAt: file.mtimeMs, movedAt: file.ctimeMs };
    await wait(LOOK_MS);
  }
  return undefined;
}

const LOOK_MS = 5;
const WAIT_MS = 1_000;
const TYPED_MS = 5_000;
/** One of so many messages to a terminal is followed by the next one at once. */
const BURST = 3;

/** False where nothing runs just now. */
async function killed(world: World, issue: number, victim: "agent" | "host"): Promise<boolean> {
  try {
    const run = await world.factory.runOf(issue);
    process.kill(victim === "agent" ? agentPid(run) : world.host(run), "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

async function restart(factory: Factory, daemon: Background): Promise<Background> {
  daemon.kill("SIGKILL");
  await daemon.ended;
  const next = factory.background("run");
  await factory.until("a daemon serves", async () => (await factory.client.daemonRuns()) === true);
  return next;
}
