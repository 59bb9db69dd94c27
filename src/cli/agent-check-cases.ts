// What Pawl asks of every agent, case by case: the names, and how `pawl agent check` tries each of them
// with an issue of its own. Pawl's own tests take the same cases (test/agents/conformance.ts).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RUNTIMES } from "../adapters/runtimes.ts";
import { hasCode } from "../lib/error-code.ts";
import type { RunView } from "../api/runs.ts";

export const CASES = [
  "start",
  "acknowledged prompt",
  "tool",
  "steer",
  "interrupt",
  "permission",
  "question",
  "429",
  "5xx",
  "silence",
  "kill -9 and the same conversation",
  "context and hand-off",
  "usage",
  "orphans ended",
  "agent missing",
  "signed out",
] as const;
export type Case = (typeof CASES)[number];

export type Runtime = (typeof RUNTIMES)[number];

/** What an agent lacks by its own table is no case for it. */
export const NEEDS: Partial<Record<Case, keyof NonNullable<Runtime["abilities"]>>> = {
  interrupt: "interrupt",
  permission: "permissions",
  question: "questions",
  "429": "limits",
  "kill -9 and the same conversation": "resumes",
  "context and hand-off": "context",
  usage: "usage",
};

export type World = {
  runtime: Runtime;
  /** A stub answers in place of the model: it fails, or is slow, where an issue says so. */
  hasStub: boolean;
  /** A host of Pawl's drives it. */
  isHosted: boolean;
  add: (issue: { title: string; body: string; labels?: string[] }) => Promise<number>;
  run: (issue: number) => Promise<RunView | undefined>;
  tell: (issue: number, text: string) => Promise<void>;
  /** Rejects where a person is asked before, or it takes too long. */
  until: (issue: number, probe: (run: RunView) => boolean) => Promise<RunView>;
};

/** Agents of this label have a program that is not there. */
export const MISSING = { label: "missing", command: "/nowhere/agent" };

const OWN_ACCOUNT = "it would change your settings or your login";
const LEFT_OUT: Partial<Record<Case, string>> = {
  interrupt: "it needs keys typed at its terminal (`pawl attach`)",
  permission: OWN_ACCOUNT,
  question: "a check cannot make the model ask",
  "context and hand-off": "it would take a whole context of tokens",
  "signed out": OWN_ACCOUNT,
};
const STUB_ONLY: ReadonlySet<Case> = new Set(["429", "5xx", "silence"]);

/** Why a case is left out; undefined: it is tried. */
export function whyLeftOut(name: Case, { runtime, hasStub, isHosted }: World): string | undefined {
  const need = NEEDS[name];
  const ability = need === undefined ? undefined : runtime.abilities?.[need];
  if (ability !== undefined && "no" in ability) return ability.no;
  if (name === "agent missing" && runtime.program === undefined) return "it is a part of Pawl";
  if (STUB_ONLY.has(name) && runtime.demo === undefined) return "this agent uses no model";
  if (STUB_ONLY.has(name) && !hasStub) return "it needs the stub: add --stub";
  if (name === "silence" && !isHosted) return "Pawl sees on its screen that it works";
  return LEFT_OUT[name];
}

const block = (script: string, tag = ""): string => `\`\`\`sh${tag}\n${script}\n\`\`\`\n`;
const task = (script: string): string =>
  `Run this block in a shell once, exactly as it is. Commit everything that it creates. That is the whole task.\n\n${block(script)}`;
/** For the stub, which does what stands in the brackets. */
const work = (name: string): string =>
  `[[bash: echo done > ${name}.txt && git add -A && git commit -q -m "${name}" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"]]`;
/** It says that it runs, and runs until it may end. */
const HOLD = `: > .git/check-started
until [ -e .git/check-go ]; do sleep 0.2; done`;

const landed = ({ outcome }: RunView): boolean => outcome === "landed";
const fileOf = ({ worktree_path: workspace }: RunView, name: string): string =>
  join(workspace ?? "/", ".git", name);
const release = (run: RunView): void => writeFileSync(fileOf(run, "check-go"), "");

/** An issue of its own, whose command runs. */
async function inTool(world: World, title: string, before = ""): Promise<[number, RunView]> {
  const body = task(`${before}${HOLD}\necho done > "${title.toLowerCase()}.txt"`);
  const issue = await world.add({ title, body });
  return [issue, await world.until(issue, (run) => existsSync(fileOf(run, "check-started")))];
}

async function lands(world: World, issue: number): Promise<string> {
  const { epoch } = await world.until(issue, landed);
  return `its issue landed, ${epoch === 1 ? "in one session" : `in ${epoch} sessions`}`;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, ["ESRCH"]);
  }
};

/** Each tells what was seen, or rejects. */
export const CHECKS: Partial<Record<Case, (world: World) => Promise<string>>> = {
  start: async (world) => {
    const body = task("echo checked > checked.txt");
    return lands(world, await world.add({ title: "Work in peace", body }));
  },
  "acknowledged prompt": async (world) => {
    const fix = block("echo 'exit 0' > tests/check.sh", " on-ci-failure");
    const body = `${task("echo 'exit 1' > tests/check.sh")}\nCI then fails. When you get that message, do the same with this block:\n\n${fix}`;
    const issue = await world.add({ title: "Make a mistake", body });
    const { messages } = await world.until(issue, landed);
    const told = messages.find(({ kind }) => kind === "ci-failed");
    if (told?.status !== "acknowledged")
      throw new Error(`the message is ${told?.status ?? "lost"}`);
    return "it got the message that CI failed, and acknowledged it";
  },
  tool: async (world) => {
    const [issue, run] = await inTool(world, "Use a tool");
    release(run);
    return lands(world, issue);
  },
  steer: async (world) => {
    const [issue, run] = await inTool(world, "Receive a message");
    await world.tell(issue, "You are being checked. Change nothing because of this.");
    release(run);
    const { messages } = await world.until(issue, landed);
    const status = messages.find(({ kind }) => kind === "notice" || kind === "nudge")?.status;
    if (status !== "acknowledged" && status !== "told") {
      throw new Error(`the message is ${status ?? "lost"}`);
    }
    return `a message during its turn is ${status}`;
  },
  "429": async (world) => {
    const limit = "[[error: 429 rate_limit_error too many requests]] [[header: retry-after 1]]";
    const body = `${limit} [[on nudge]]${work("late")}[[end]]`;
    const issue = await world.add({ title: "Hit the limit", body });
    const { warnings } = await world.until(issue, landed);
    if (!warnings.join().includes("usage limit until")) throw new Error("no limit was reported");
    return "it reported the limit, and Pawl waited for it";
  },
  "5xx": async (world) => {
    const body = `[[error-once: 500 api_error Internal]] ${work("fixed")}`;
    return lands(world, await world.add({ title: "Meet a broken service", body }));
  },
  silence: async (world) => {
    const issue = await world.add({
      title: "Think for a long time",
      body: `[[slow: 8000]] ${work("slow")}`,
    });
    // Its warning does not say so where the agent was slow to start: it is warned of once.
    await world.until(issue, ({ doing }) => doing.startsWith("waiting for the model"));
    return lands(world, issue);
  },
  "kill -9 and the same conversation": async (world) => {
    const [issue, before] = await inTool(world, "Survive");
    if (typeof before.pid === "number") process.kill(before.pid, "SIGKILL");
    await world.until(issue, ({ epoch, pid }) => epoch > before.epoch && pid !== before.pid);
    release(before);
    return lands(world, issue);
  },
  usage: async (world) => {
    const issue = await world.add({ title: "Use tokens", body: task("echo used > used.txt") });
    await world.until(issue, landed);
    const { tokens } = await world.until(issue, (run) => (run.tokens ?? 0) > 0);
    return `${(tokens ?? 0).toLocaleString("en-US")} tokens`;
  },
  "orphans ended": async (world) => {
    const orphan =
      "(setsid sh -c 'echo $$ > .git/orphan; while :; do sleep 1; done' > /dev/null 2>&1 &)\n";
    const [issue, run] = await inTool(world, "Leave an orphan", orphan);
    await world.until(issue, () => readPid(run) > 0);
    const pid = readPid(run);
    release(run);
    await world.until(issue, landed);
    await world.until(issue, () => isGone(pid));
    return "what it left running was ended";
  },
  "agent missing": async (world) => {
    const labels = ["backlog", MISSING.label];
    const issue = await world.add({ title: "Find no agent", body: task("true"), labels });
    await world.until(issue, (run) => run.needs_you?.includes(MISSING.command) === true);
    return "Pawl asks you, and names the program";
  },
};

const readPid = (run: RunView): number =>
  existsSync(fileOf(run, "orphan")) ? Number(readFileSync(fileOf(run, "orphan"), "utf8")) : 0;
