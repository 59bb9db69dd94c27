// Codex, Gemini CLI, Copilot CLI, opencode and claude-acp, the real programs, inside walls and through the
// gateway to their model: they work without the key and without a login, and their requests stop after the
// one that spent the run's budget. After a 429 no session of the key asks (Codex; how the gateway keeps them
// from asking is the same for all: test/acceptance/gateway.test.ts).
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  COMMIT,
  makeAgentFactory,
  type AgentFactory,
  type TestedAgent,
} from "../support/agent-factory.ts";
import { agentProgram } from "../support/agent-programs.ts";
import { noWalls, walled } from "../support/walls.ts";

const SECRET = "key-of-the-owner-0123456789";
/** What a program that was logged in keeps in the home. */
const LOGIN = "login-of-the-user-0123456789";
/** Beside it, and found by the same search: the settings of the user are there, the login is not. */
const KEPT = "kept-of-the-user-0123456789";

type Led = { agent: TestedAgent; provider: string };
const AGENTS: Led[] = [
  {
    provider: "openai",
    agent: {
      runtime: "codex",
      program: agentProgram("codex"),
      env: ({ home }) => ({ CODEX_HOME: `${home}/.codex` }),
      files: () => ({
        ".codex/config.toml": `# ${KEPT}\nmodel = "gpt-5.4"\n`,
        ".codex/auth.json": JSON.stringify({ OPENAI_API_KEY: LOGIN }),
      }),
    },
  },
  {
    provider: "gemini",
    agent: {
      runtime: "gemini",
      program: agentProgram("gemini"),
      env: () => ({ GEMINI_TELEMETRY_ENABLED: "false" }),
      files: () => ({
        // What its user has chosen who signed in with a browser.
        ".gemini/settings.json": JSON.stringify({
          security: { auth: { selectedType: "oauth-personal" } },
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          ui: { customThemes: { [KEPT]: { name: KEPT, type: "custom" } } },
        }),
        ".gemini/oauth_creds.json": JSON.stringify({ refresh_token: LOGIN }),
        ".gemini/.env": `GEMINI_API_KEY=${LOGIN}\n`,
      }),
      settings: 'model = "gemini-2.5-pro"',
    },
  },
  {
    provider: "anthropic",
    agent: {
      runtime: "copilot",
      program: agentProgram("copilot"),
      env: () => ({}),
      files: () => ({
        ".copilot/config.json": JSON.stringify({
          theme: KEPT,
          last_logged_in_user: { host: "https://github.com", login: "ada" },
          copilot_tokens: { "https://github.com:ada": LOGIN },
        }),
      }),
      settings: 'model = "claude-sonnet-4.5"',
    },
  },
  {
    provider: "anthropic",
    agent: {
      runtime: "opencode",
      program: agentProgram("opencode"),
      env: ({ home }) => ({
        OPENCODE_CONFIG: `${home}/opencode.json`,
        OPENCODE_DISABLE_MODELS_FETCH: "1",
      }),
      files: () => ({
        "opencode.json": JSON.stringify({
          model: "anthropic/claude-sonnet-4-5",
          small_model: "anthropic/claude-sonnet-4-5",
          autoupdate: false,
          share: "disabled",
          snapshot: false,
          provider: { anthropic: { models: { "claude-sonnet-4-5": { name: KEPT } } } },
        }),
        ".local/share/opencode/auth.json": JSON.stringify({
          anthropic: { type: "api", key: LOGIN },
        }),
      }),
    },
  },
  {
    provider: "anthropic",
    agent: {
      runtime: "claude-acp",
      program: agentProgram("claude-acp"),
      env: () => ({
        CLAUDE_CODE_MAX_RETRIES: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      }),
      files: () => ({
        ".claude/settings.json": JSON.stringify({ env: { KEPT } }),
        ".claude/.credentials.json": JSON.stringify({ claudeAiOauth: { accessToken: LOGIN } }),
      }),
    },
  },
];
const isTried = ({ agent }: Led): boolean => agent.program !== undefined && !noWalls;
const TRIED = AGENTS.filter(isTried);

/** A factory whose agents reach the stub through their gateway alone; `notes` is shared with them. */
async function withGateway(
  { agent, provider }: Led,
  more: string,
): Promise<{ factory: AgentFactory; notes: string }> {
  const factory = await makeAgentFactory(agent, {
    limits: `hand_off = "2 s"\n[gateway]\nkeys = ["work"]\n${more}`,
  });
  const notes = join(factory.root, "notes");
  mkdirSync(notes);
  factory.commit({ "pawl.toml": walled(factory.read("repo", "pawl.toml"), notes) });
  const key = `[gateway.keys.work]\nprovider = "${provider}"\nvariable = "WORK_KEY"\nurl = "${factory.stub.url}"\n`;
  writeFileSync(join(factory.home, "factory.toml"), key);
  writeFileSync(join(factory.home, ".env"), `WORK_KEY=${SECRET}\n`);
  chmodSync(join(factory.home, ".env"), 0o600);
  return { factory, notes };
}

test.for(TRIED)(
  "$agent.runtime lands an issue without the key and without a login, and exceeds a budget by at most one request",
  async (led) => {
    const made = await withGateway(led, "[budget]\nrun = { tokens = 40_000 }\n");
    await using factory = made.factory;
    const folders = [
      "CODEX_HOME",
      "GEMINI_CLI_HOME",
      "COPILOT_HOME",
      "XDG_DATA_HOME",
      "CLAUDE_CONFIG_DIR",
    ];
    const state = `"$HOME" ${folders.map((name) => `"\${${name}:-/nonexistent}"`).join(" ")}`;
    const find = (text: string): string =>
      `grep -rl ${text} ${state} --include=*.json --include=*.toml --include=.env`;
    const look = `env > seen.txt; ${find(LOGIN)} > login.txt; ${find(KEPT)} > kept.txt`;
    const landed = await factory.addIssue({
      title: "Work",
      body: `[[usage: 3000 10]] [[bash: ${look}; ${COMMIT}]]`,
    });
    const steps = Array.from({ length: 8 }, (_, step) => `[[bash: echo ${step} >> steps.txt]]`);
    const spending = `[[usage: 25000 0]] ${steps.join(" ")}`;
    await factory.addIssue({ title: "Spend it all", body: spending });
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(await factory.runOf(landed)).toMatchObject({ outcome: "landed" });
    expect(factory.git("show", "main:seen.txt")).not.toContain(SECRET);
    expect(factory.git("show", "main:kept.txt")).toMatch(
      /\/(?:config\.toml|config\.json|opencode\.json|settings\.json)$/m,
    );
    expect(factory.git("show", "main:login.txt")).toBe("");
    expect(new Set(factory.stub.keys)).toEqual(new Set([SECRET]));

    expect([code, stderr]).toEqual([
      8,
      expect.stringMatching(/budget: run spent [\d,]+ of 40,000/),
    ]);
    const { requests, replies } = factory.stub;
    const used = replies
      .filter((_, index) => JSON.stringify(requests[index]?.body).includes("Spend it all"))
      .map(({ usage }) => usage.input + usage.output);
    expect(used.length).toBeGreaterThan(1);
    const before = used.slice(0, -1).reduce((sum, one) => sum + one, 0);
    expect(before).toBeLessThan(40_000);
  },
);

const LIMITED_S = 8;

test.for(TRIED.filter(({ agent }) => agent.runtime === "codex"))(
  "$agent.runtime: after a 429 no session of the key asks before the limit's end, and both land afterwards",
  async (led) => {
    const made = await withGateway(led, "");
    await using factory = made.factory;
    const { stub } = factory;
    const mark = join(made.notes, "limited");
    const limit = `[[error-once: 429 rate_limit_error slow down]] [[header: retry-after ${LIMITED_S}]]`;
    const work = (name: string): string => `[[bash: echo ${name} > ${name}.txt && ${COMMIT}]]`;
    // The other one is in the middle of its work when the limit is met, and asks at once.
    const other = await factory.addIssue({
      title: "Other",
      body: `[[bash: : > ${mark}.begun; until [ -e ${mark} ]; do sleep 0.05; done]] ${work("other")}`,
    });
    factory.background("daemon");
    await factory.until("the other one works", async () => existsSync(`${mark}.begun`));
    const one = await factory.addIssue({ title: "One", body: `${limit} ${work("one")}` });
    const met = await factory.until("a 429 was met", async () => {
      const index = stub.replies.findIndex(({ failure }) => failure?.status === 429);
      return index === -1 ? undefined : index;
    });
    await factory.until("the run knows of it", async () =>
      (await factory.runOf(one)).warnings.join().includes("429"),
    );
    writeFileSync(mark, "");
    for (const issue of [one, other]) {
      await factory.until(`${issue} has landed`, async () => {
        const { outcome } = await factory.runOf(issue);
        return outcome === "landed";
      });
    }
    const at = stub.requests[met]?.at ?? NaN;
    const next = stub.requests.slice(met + 1).map((request) => request.at - at);
    expect(Math.min(...next)).toBeGreaterThanOrEqual(LIMITED_S * 1000);
  },
);
