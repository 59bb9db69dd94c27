// One Claude Code in a terminal of its own, without a factory around it: for what is typed into it
// and what it reports.
import { systemClock } from "../../src/adapters/clock-system/system-clock.ts";
import { contractFor } from "../../src/core/words/prompt-contract.ts";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createClaudeAgent } from "../../src/adapters/agent-claude/claude-agent.ts";
import type { Question } from "../../src/core/session/evidence.ts";
import { startModelStub, type ModelStub } from "../../src/cli/model-stub/server.ts";
import { deliver } from "../../src/daemon/sessions/deliver.ts";
import { claudePath } from "./claude.ts";
import { makeWorld, type Life, type World } from "./terminal-world.ts";

/** A guard only: a busy machine takes its time. */
const WAIT_MAX_MS = 240_000;

const SETTINGS = { permissionMode: "dontAsk", allow: ["Bash", "Read"] };

export type Payload = { hook_event_name?: string; prompt?: string; [field: string]: unknown };

export type ClaudeLife = {
  world: World;
  stub: ModelStub;
  life: Life;
  workspace: string;
  /** `question`: what an answer is for. */
  send(id: string, text: string, question?: Question): Promise<"left" | "taken" | "answered">;
  /** What the hooks were told so far, oldest first. */
  payloads(event?: string): Promise<Payload[]>;
  until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T>;
  screen(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startClaude(
  options: { prompt?: string; claude?: Record<string, string | string[]> } = {},
): Promise<ClaudeLife> {
  const world = await makeWorld();
  const stub = await startModelStub();
  const agent = createClaudeAgent();
  const dir = world.dirOf("c");
  const workspace = join(world.root, "workspace");
  const home = join(world.root, "home");
  for (const folder of [dir, workspace, home]) await mkdir(folder, { recursive: true });
  await writeFile(join(home, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true }));
  const promptFile = join(world.root, "prompt.md");
  await writeFile(promptFile, options.prompt ?? "Say hello.");
  const env = environment({ home, dir, url: stub.url });
  const launch = await agent.launch({
    agent: {
      runtime: "claude",
      command: [claudePath],
      passEnv: [],
      env: {},
      settings: { ...SETTINGS, ...options.claude },
    },
    promptFile,
    workspace,
    dir,
    resume: undefined,
    env,
    protocol: contractFor({ typed: true, output: undefined }),
    heartbeat: join(world.root, "heartbeat"),
    quietMs: 60_000,
  });
  const life = await world.start({
    run: "c",
    argv: launch.argv,
    env: { ...env, ...launch.env },
    cwd: workspace,
  });
  const { pane, process } = life.spawned;
  return {
    world,
    stub,
    life,
    workspace,
    send: (id, text, question) =>
      deliver(
        {
          agent,
          dir: { path: dir },
          id,
          text,
          question,
          asks: async () => undefined,
          place: async () => ({ pane, process }),
          isReported: async () => (await agent.reportsPrompts?.({ dir, env })) !== false,
        },
        {
          terminal: world.terminal,
          sessionFiles: world.files,
          clock: systemClock,
          signal: new AbortController().signal,
        },
      ),
    payloads: (event) => payloadsIn(dir, event),
    until,
    screen: async () => {
      const captured = await world.terminal.capture({ pane, lines: 60 });
      return captured === "unknown" ? "" : captured.text;
    },
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await stub.close();
    },
  };
}

const environment = (at: { home: string; dir: string; url: string }): Record<string, string> => ({
  HOME: at.home,
  LANG: "C.UTF-8",
  ANTHROPIC_BASE_URL: at.url,
  ANTHROPIC_AUTH_TOKEN: "stub",
  CLAUDE_CODE_MAX_RETRIES: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  PAWL_SPOOL: join(at.dir, "spool"),
  PAWL_INBOX: join(at.dir, "inbox"),
});

async function payloadsIn(dir: string, event?: string): Promise<Payload[]> {
  const folder = join(dir, "spool", "new");
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const payloads = texts.map((text) => JSON.parse(text) as Payload);
  return event === undefined
    ? payloads
    : payloads.filter((payload) => payload.hook_event_name === event);
}

async function until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + WAIT_MAX_MS;
  while (Date.now() < end) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    await wait(50);
  }
  throw new Error(`waited in vain: ${what}`);
}
