// Messages to an agent while agent, host and daemon are killed at random: none may be lost, and none
// may be said twice.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { agentPid, hostPid, lifeFile } from "./agent-factory.ts";
import { LIMITS, makeFactory, TEST_GATE, type Background, type Factory } from "./pawl.ts";

const PROGRAM = join(import.meta.dirname, "acp-program.ts");

export type Deliveries = {
  lost: number[];
  doubled: number[];
  kills: Record<"agent" | "host" | "daemon", number>;
  /** From the answer to the sender until the agent's protocol has acknowledged it, without kills. */
  acknowledgedMs: number[];
};

/** Crashes are forgotten at once: here they are the rule. */
const FORGIVING = `${LIMITS}crash_window = "1 s"\nidle_check = "1 h"\n`;

export async function deliverWithKills(options: {
  messages: number;
  /** One of so many messages is followed by a kill. */
  killEvery: number;
  random: () => number;
}): Promise<Deliveries> {
  const { messages, killEvery, random } = options;
  const agent = (root: string): string =>
    `[agent]\nruntime = "acp"\ncommand = ["${process.execPath}", "${PROGRAM}", "${root}/said"]\n`;
  await using factory = await makeFactory();
  factory.commit({
    "pawl.toml": factory.config(`${agent(factory.root)}${TEST_GATE}${FORGIVING}`),
  });
  let daemon = factory.background("run");
  const issue = await factory.addIssue({ title: "Listen", body: "Listen." });
  await isUp(factory, issue);
  const kills = { agent: 0, host: 0, daemon: 0 };
  const acknowledgedMs: number[] = [];
  for (let number = 1; number <= messages; number += 1) {
    await factory.client.post(`/v1/runs/${issue}/nudge`, { by: "test", text: `N-${number};` });
    if (Math.floor(random() * killEvery) > 0) {
      acknowledgedMs.push(...(await acknowledged(factory, issue)));
      continue;
    }
    await wait(random() * 60);
    const victim = (["agent", "host", "daemon"] as const)[Math.floor(random() * 3)] ?? "agent";
    if (victim === "daemon") daemon = await restart(factory, daemon);
    else if (!(await killed(factory, issue, victim))) continue;
    kills[victim] += 1;
  }
  await factory.until("every message has been said", async () =>
    countsOf(factory.root, messages).every((count) => count > 0),
  );
  const counts = countsOf(factory.root, messages);
  const numbersWith = (isSo: (count: number) => boolean): number[] =>
    counts.flatMap((count, index) => (isSo(count) ? [index + 1] : []));
  return {
    lost: numbersWith((count) => count === 0),
    doubled: numbersWith((count) => count > 1),
    kills,
    acknowledgedMs,
  };
}

const isUp = (factory: Factory, issue: number): Promise<unknown> =>
  factory.until("the agent is up", async () => {
    const run = await factory.runOf(issue);
    return globSync("said/*.jsonl", { cwd: factory.root }).length > 0 && run.epoch > 0;
  });

/** Nothing where the life has changed meanwhile. */
async function acknowledged(factory: Factory, issue: number): Promise<number[]> {
  const started = performance.now();
  const run = await factory.runOf(issue);
  const id = run.messages.at(-1)?.id ?? "";
  const path = lifeFile(run, `inbox/cur/${id}.md`);
  for (let looks = 0; looks < 500; looks += 1) {
    if (existsSync(path)) return [performance.now() - started];
    await wait(2);
  }
  return [];
}

/** False where nothing runs just now. */
async function killed(factory: Factory, issue: number, victim: "agent" | "host"): Promise<boolean> {
  try {
    const run = await factory.runOf(issue);
    process.kill(victim === "agent" ? agentPid(run) : hostPid(run), "SIGKILL");
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

/** How often each message stands in what was said to the agent, over all of its conversations. */
function countsOf(root: string, messages: number): number[] {
  const said = globSync("said/*.jsonl", { cwd: root })
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");
  return Array.from({ length: messages }, (_, index) => said.split(`N-${index + 1};`).length - 1);
}
