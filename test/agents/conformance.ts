// What every agent must do, whatever program it is: one suite, run against each runtime through the
// commands that people type. What a program cannot do is skipped under its own name, with the reason.
//
// One factory and one daemon serve most cases of an agent, an issue each: starting them again for
// every case would take longer than the cases.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimeNamed } from "../../src/adapters/runtimes.ts";
import type { CostsView } from "../../src/api/costs.ts";
import { CASES, NEEDS, type Case } from "../../src/cli/agent-check-cases.ts";
import {
  agentPid,
  COMMIT,
  conversations,
  makeAgentFactory,
  sessionOf,
  type AgentFactory,
  type TestedAgent,
} from "../support/agent-factory.ts";

function whyNot({ runtime, cannot = {} }: TestedAgent, name: Case): string | undefined {
  const need = NEEDS[name];
  const ability = need === undefined ? undefined : runtimeNamed(runtime)?.abilities?.[need];
  return ability !== undefined && "no" in ability ? ability.no : cannot[name];
}

/** Work that a script can do, too. */
const block = (commands: string, tag = ""): string => `\n\n\`\`\`sh${tag}\n${commands}\n\`\`\`\n`;
const work = (name: string): string => `[[bash: echo done > ${name}.txt && ${COMMIT}]]`;
const on = (kind: string, script: string): string => `[[on ${kind}]]${script}[[end]]`;
/** A command that says that it runs, and runs until it is told to end. */
const loop = (mark: string): string => `: > ${mark}; while [ ! -e ${mark}.go ]; do sleep 0.1; done`;

const landed = (factory: AgentFactory, issue: number): Promise<unknown> =>
  factory.until(`issue ${issue} has landed`, async () => {
    const { outcome } = await factory.runOf(issue);
    return outcome === "landed";
  });

const asked = (factory: AgentFactory, issue: number): Promise<string> =>
  factory.until("a person is asked", async () => {
    const { needs_you: reason } = await factory.runOf(issue);
    return reason === null ? undefined : JSON.stringify(reason);
  });

/** The case's own issue, its command at work. */
async function inTool(
  factory: AgentFactory,
  issue: {
    title: string;
    before?: string;
    /** What is done while the script before its command runs. */
    meanwhile?: (issue: number) => Promise<void>;
    after?: (mark: string) => string;
  },
) {
  const { title, before = "", meanwhile, after = () => "" } = issue;
  const mark = join(factory.root, title.toLowerCase().replaceAll(" ", "-"));
  const number = await factory.addIssue({
    title,
    body: `${before} [[bash: ${loop(mark)}]] ${after(mark)}`,
  });
  await meanwhile?.(number);
  await factory.until("its tool runs", async () => existsSync(mark));
  return { issue: number, mark };
}

/** `shared`: the agent's factory, with a daemon at work. */
type Sub = { agent: TestedAgent; shared: AgentFactory };

const RUNS: Record<Case, (sub: Sub) => Promise<void>> = {
  start: async ({ shared }) => {
    const issue = await shared.addIssue({
      title: "Start",
      body: block("echo done > start.txt"),
    });
    await landed(shared, issue);
    expect(await shared.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    expect(shared.git("show", "main:start.txt")).toBe("done");
  },

  "acknowledged prompt": async ({ agent, shared }) => {
    const issue = await shared.addIssue({
      title: "Make a mistake",
      body: `${block("echo x > mistake.txt")}${block("rm mistake.txt; echo done > fixed.txt", " on-ci-failure")}`,
    });
    await landed(shared, issue);
    const { messages, epoch } = await shared.runOf(issue);
    expect(epoch).toBe(1);
    expect(messages.find(({ kind }) => kind === "ci-failed")?.status).toBe("acknowledged");
    const times = timesSaid(shared, "Kind: ci-failed", "Make a mistake");
    expect(times).toBe(agent.builtIn === true ? 0 : 1);
    // With what CI has said of it.
    expect(timesSaid(shared, "a mistake is here", "Make a mistake")).toBe(times);
  },

  tool: async ({ shared }) => {
    // Its turn goes on until the tool is known: a turn that is over is nudged and ended after seconds.
    const after = (mark: string): string =>
      `[[bash: until [ -e ${mark}.known ]; do sleep 0.1; done]] ${work("tool")}`;
    const { issue, mark } = await inTool(shared, { title: "Use a tool", after });
    writeFileSync(`${mark}.go`, "");
    await shared.until("the tool is known", async () => {
      const hook = await shared.client.get(`/v1/runs/${issue}/hook`);
      return JSON.stringify(hook).includes(mark);
    });
    writeFileSync(`${mark}.known`, "");
    await landed(shared, issue);
  },

  steer: async ({ shared }) => {
    const { issue, mark } = await inTool(shared, { title: "Be steered" });
    await shared.ok("nudge", String(issue), `THE-NEWS ${work("steered")}`);
    writeFileSync(`${mark}.go`, "");
    await landed(shared, issue);
    expect(shared.git("show", "main:steered.txt")).toBe("done");
    expect(await shared.runOf(issue)).toMatchObject({ epoch: 1 });
    expect(timesSaid(shared, "THE-NEWS", "Be steered")).toBe(1);
  },

  interrupt: async ({ agent, shared }) => {
    const { screen, interrupt = "C-c" } = agent;
    const started = join(shared.root, "screen-started");
    const before = screen === undefined ? "" : `[[bash: ${loop(started)}]]`;
    const after = (): string => on("nudge", work("resumed"));
    const title = "Be interrupted";
    const meanwhile = async (issue: number): Promise<void> => {
      if (screen === undefined) return;
      await shows(await sessionOf(shared, issue), screen.started);
      writeFileSync(`${started}.go`, "");
    };
    const { issue, mark } = await inTool(shared, { title, before, meanwhile, after });
    const session = await sessionOf(shared, issue);
    if (screen !== undefined) await shows(session, screen.working);
    tmux(session, "send-keys", interrupt);
    await landed(shared, issue);
    expect(await shared.runOf(issue)).toMatchObject({ epoch: 1 });
    writeFileSync(`${mark}.go`, "");

    function tmux(name: string, command: string, ...words: string[]): string {
      const argv = ["-S", shared.socket, command, "-t", `=${name}:`, ...words];
      return execFileSync("tmux", argv, { encoding: "utf8" });
    }
    async function shows(name: string, text: string): Promise<void> {
      await shared.until(`its screen shows "${text}"`, async () =>
        tmux(name, "capture-pane", "-p").includes(text),
      );
    }
  },

  permission: async ({ agent }) => {
    await using factory = await makeAgentFactory(agent, { settings: agent.asking ?? "" });
    const issue = await factory.addIssue({ title: "Ask first", body: work("asked") });
    factory.background("run");
    const { allows = "Yes" } = agent;
    const reason = await asked(factory, issue);
    expect(reason).toContain("echo done > asked.txt");
    expect(reason).toContain(`1) ${allows}`);
    await factory.ok("escalation", "answer", String(issue), allows);
    await landed(factory, issue);
    expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
  },

  question: async ({ agent, shared }) => {
    const body = `${agent.question ?? ""} ${work("asked")}`;
    const issue = await shared.addIssue({ title: "Ask a person", body });
    expect(await asked(shared, issue)).toMatch(/Which\?.*Red.*Blue/s);
    await shared.ok("escalation", "answer", String(issue), "Blue");
    await landed(shared, issue);
    const said = conversations(shared).filter((text) => text.includes("Ask a person"));
    expect(said.at(-1)).toMatch(/tool_result[^}]*Blue/);
  },

  "429": async ({ agent }) => {
    await using factory = await makeAgentFactory(agent, { agent: 'limit_retry = "3 s"' });
    const limit = "[[error: 429 rate_limit_error too many requests]] [[header: retry-after 1]]";
    const body = `${limit} ${on("nudge", work("late"))}`;
    const issue = await factory.addIssue({ title: "Hit the limit", body });
    factory.background("run");
    await landed(factory, issue);
    const { warnings, epoch } = await factory.runOf(issue);
    expect(warnings.join()).toMatch(/usage limit until .*429|usage limit until .*too many/);
    expect(epoch).toBe(1);
  },

  "5xx": async ({ agent, shared }) => {
    const issue = await shared.addIssue({
      title: "Meet a broken service",
      body: `[[error${agent.retries === true ? "-once" : ""}: 500 api_error Internal]] ${agent.retries === true ? work("mended") : on("nudge", work("mended"))}`,
    });
    await landed(shared, issue);
    expect(await shared.runOf(issue)).toMatchObject({ epoch: 1, needs_you: null });
  },

  silence: async ({ shared }) => {
    const mark = join(shared.root, "answer");
    const body = `[[slow-until: ${mark}]] ${work("slow")}`;
    const issue = await shared.addIssue({ title: "Think for a long time", body });
    await shared.until("it is known to wait", async () => {
      const { doing } = await shared.runOf(issue);
      return doing.startsWith("waiting for the model");
    });
    writeFileSync(mark, "");
    await landed(shared, issue);
    expect(await shared.runOf(issue)).toMatchObject({ epoch: 1, needs_you: null });
  },

  "kill -9 and the same conversation": async ({ shared }) => {
    const find = "[[find: FOUND-OUT | echo one > notes.txt; echo FOUND-OUT]]";
    const mark = join(shared.root, "in-tool");
    const again = `${find} [[bash: echo two >> notes.txt && ${COMMIT}]]`;
    const issue = await shared.addIssue({
      title: "Work in steps",
      body: `${find} [[bash: ${loop(mark)}]] ${on("resume", again)}`,
    });
    await shared.until("its tool runs", async () => existsSync(mark));
    const { requests, replies } = shared.stub;
    const before = { asked: requests.length, answered: replies.length };
    process.kill(agentPid(await shared.runOf(issue)), "SIGKILL");
    await landed(shared, issue);
    expect(await shared.runOf(issue)).toMatchObject({ epoch: 2 });
    expect(shared.git("show", "main:notes.txt")).toBe("one\ntwo");
    const since = conversations(shared).slice(before.asked);
    const resumed = since.find((text) => text.includes("This conversation continues"));
    // What it had found out is in the conversation: it is not looked for again.
    expect(resumed).toContain("FOUND-OUT");
    const calls = replies.slice(before.answered).flatMap(({ tools }) => tools);
    expect(JSON.stringify(calls)).not.toContain("FOUND-OUT");
    const left = shared
      .leftovers()
      // Claude Code has its prompt, which names the command, among its arguments.
      .filter((line) => line.includes(`while [ ! -e ${mark}`) && !line.includes("epoch 2"));
    expect(left).toEqual([]);
    writeFileSync(`${mark}.go`, "");
  },

  "context and hand-off": async ({ agent, shared }) => {
    const { full = { tokens: 0 } } = agent;
    // The variables that make a context small would make it small for the other cases, too.
    const { env } = full;
    await using own =
      env === undefined ? undefined : await makeAgentFactory(agent, { agentEnv: env });
    await own?.ok("up");
    const factory = own ?? shared;
    const save = `echo half > half.txt && git add -A && git commit -q -m half && printf '{"v":1,"kind":"hook","summary":"half of it"}' > "$PAWL_SPOOL/tmp/h" && mv "$PAWL_SPOOL/tmp/h" "$PAWL_SPOOL/new/h.json"`;
    const usage = full.tokens === 0 ? "" : `[[usage: ${full.tokens} 20]]`;
    const issue = await factory.addIssue({
      title: "Fill the context",
      body: [
        `${usage} [[bash: echo begun]]`,
        on("hand-off", `[[bash: ${save}]]`),
        on("continuation", `[[bash: echo whole > whole.txt && ${COMMIT}]]`),
      ].join(" "),
    });
    await landed(factory, issue);
    expect((await factory.runOf(issue)).epoch).toBeGreaterThan(1);
    expect(factory.git("show", "main:half.txt")).toBe("half");
    expect(factory.git("show", "main:whole.txt")).toBe("whole");
    expect(await factory.ok("signals", "--json")).toContain("HANDOFF_COMPLETE");
  },

  usage: async ({ agent, shared }) => {
    // Some tell what a step has used when its tool is over: there is one before the tool that runs on.
    const steps = { before: "[[bash: echo begun]]", after: () => work("used") };
    const { issue, mark } = await inTool(shared, { title: "Use tokens", ...steps });
    const booked = async () => {
      const costs = await shared.client.get<CostsView>("/v1/costs?by=run");
      return costs.rows.find(({ key }) => key === `${shared.project}/${issue}.1`);
    };
    const { usage } = runtimeNamed(agent.runtime)?.abilities ?? {};
    if (usage !== undefined && "yes" in usage && /live|each step/.test(usage.yes)) {
      await shared.until("money is booked while it works", async () => {
        return ((await booked())?.cost_usd ?? 0) > 0;
      });
    }
    writeFileSync(`${mark}.go`, "");
    await landed(shared, issue);
    // The stub counts 1,000 tokens for every request: three tools, and the end of the turn, which may come
    // after the work has landed and is not waited for.
    await shared.until("all that it used is booked", async () => {
      return ((await booked())?.input_tokens ?? 0) >= 3000;
    });
    expect((await booked())?.cost_usd).toBeGreaterThan(0);
  },

  "orphans ended": async ({ shared }) => {
    const mark = join(shared.root, "orphan");
    const orphan = `(setsid sh -c 'while [ ! -e ${mark}.go ]; do sleep 0.2; done' > /dev/null 2>&1 &)`;
    const issue = await shared.addIssue({
      title: "Leave an orphan",
      body: block(`${orphan}\necho done > orphan.txt`),
    });
    await landed(shared, issue);
    await shared.until("nothing of it runs", async () => {
      const left = shared.leftovers().filter((line) => line.includes(`! -e ${mark}.go`));
      return left.length === 0;
    });
    writeFileSync(`${mark}.go`, "");
  },

  "agent missing": async ({ agent }) => {
    const command = "/nowhere/agent";
    await using factory = await makeAgentFactory(agent, { command });
    const issue = await factory.addIssue({ title: "Find no agent", body: work("never") });
    factory.background("run");
    expect(await asked(factory, issue)).toContain(command);
    const doctor = await factory.pawl("doctor");
    expect(`${doctor.stdout}${doctor.stderr}`).toContain(command);
  },

  "signed out": async ({ agent }) => {
    const { signedOut = agent.env } = agent;
    await using factory = await makeAgentFactory({ ...agent, env: signedOut, files: () => ({}) });
    const issue = await factory.addIssue({ title: "Know no account", body: work("never") });
    factory.background("run");
    expect(await asked(factory, issue)).toMatch(/is not signed in .*(run|set) /);
    // Asked about at once, and no crash.
    expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
    expect(await factory.ok("signals", "--json")).not.toContain("AGENT_CRASHED");
  },
};

/** In how many user messages of the issue's longest conversation it stands. */
function timesSaid({ stub }: AgentFactory, words: string, title: string): number {
  const texts = stub.requests.map(({ body }) =>
    body.messages
      .filter(({ role }) => role === "user")
      .flatMap(({ content }) =>
        typeof content === "string" ? [content] : content.map(({ text }) => text ?? ""),
      ),
  );
  const own = texts.filter((said) => said.some((text) => text.includes(title)));
  return (own.at(-1) ?? []).filter((text) => text.includes(words)).length;
}

/** What the agent cannot do is skipped with its reason, which the reporter shows. */
export function conformance(agent: TestedAgent): void {
  const skip = agent.program === undefined;
  const concurrent = agent.isHeavy !== true;
  describe(`runtime ${agent.runtime}`, { concurrent, skip }, () => {
    let shared: AgentFactory | undefined;
    beforeAll(async () => {
      const files = { "test.sh": "[ ! -e mistake.txt ] || { echo a mistake is here; exit 3; }\n" };
      const limits = 'quiet_warning = "3 s"';
      shared = await makeAgentFactory(agent, { parallel: 4, files, limits });
      // It serves when `up` returns: a case that files its issue before would hold the journal, and a
      // `pawl run` that waits for it in vain gives up.
      await shared.ok("up");
    });
    afterAll(async () => shared?.[Symbol.asyncDispose]());

    test.for(CASES)("%s", async (name, { skip }) => {
      const reason = whyNot(agent, name);
      if (reason !== undefined) skip(reason);
      if (shared !== undefined) await RUNS[name]({ agent, shared });
      expect(shared).toBeDefined();
    });
  });
}
