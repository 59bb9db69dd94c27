// The real Claude Code against a stub of the Messages API, in a factory of its own: isolated HOME,
// nothing of the caller's environment, no account, no network but loopback.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  startModelStub,
  type ModelStub,
  type SeenRequest,
} from "../../src/cli/model-stub/server.ts";
import { LIMITS, makeFactory, TEST_GATE, type Factory, type FactoryOptions } from "./pawl.ts";

const FETCH = join(import.meta.dirname, "../../scripts/fetch-claude.sh");
const FETCH_MAX_MS = 180_000;

/** The pinned binary; undefined where it cannot be had. */
function findClaude(): { path: string } | { missing: string } {
  const fetched = spawnSync("sh", [FETCH], { encoding: "utf8", timeout: FETCH_MAX_MS });
  if (fetched.status === 0) return { path: fetched.stdout.trim() };
  return { missing: fetched.stderr.trim().split("\n").at(-1) ?? "unknown" };
}

const found = findClaude();

/** The pinned binary. */
export const claudePath = "path" in found ? found.path : "claude";

/** True where the binary cannot be had: every test then says so and is skipped. */
export const noClaude = "missing" in found;
if ("missing" in found) {
  console.log(`SKIPPED: Claude Code cannot be had here (${found.missing})`);
}

export type ClaudeFactory = Factory & { stub: ModelStub };

export type ClaudeOptions = Omit<FactoryOptions, "config"> & {
  /** Below [agent]. */
  agent?: string;
  /** Below [agent.claude]. */
  claude?: string;
  /** Further sections; [ci] and [limits] have defaults. */
  config?: string;
  retries?: number;
  /** No pawl.toml: the test makes one as a user does. */
  bare?: boolean;
};

export async function makeClaudeFactory(options: ClaudeOptions = {}): Promise<ClaudeFactory> {
  const stub = await startModelStub();
  const { config: _, bare = false, ...plain } = options;
  const config = `${claudeAgent(options)}\n${options.config ?? `${TEST_GATE}${LIMITS}`}`;
  const factory = await makeFactory({
    ...plain,
    ...(bare ? {} : { config }),
    env: { ...askStub(stub), ...options.env },
  });
  logIn(factory);
  return {
    ...factory,
    stub,
    [Symbol.asyncDispose]: async () => {
      await factory[Symbol.asyncDispose]();
      await stub.close();
    },
  };
}

/** Everything below [agent]. */
export const claudeAgent = (options: ClaudeOptions = {}): string =>
  [
    `[agent]\nruntime = "claude"\ncommand = ["${claudePath}"]\n${options.agent ?? ""}\n`,
    `[agent.env]\nCLAUDE_CODE_MAX_RETRIES = "${options.retries ?? 1}"\nCLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = "1"\n`,
    `[agent.claude]\n${options.claude ?? ""}\n`,
  ].join("\n");

export const askStub = (stub: ModelStub): Record<string, string> => ({
  ANTHROPIC_BASE_URL: stub.url,
  ANTHROPIC_AUTH_TOKEN: "stub",
});

/** What a user who has logged in once has in his home. */
export const logIn = ({ env }: Pick<Factory, "env">): void =>
  writeFileSync(
    join(env["HOME"] ?? "", ".claude.json"),
    JSON.stringify({ hasCompletedOnboarding: true }),
  );

/** What `pawl run` exits with where a person must act, for example because an issue was given up. */
const NEEDS_PERSON = 8;

/** Works until nothing is left to do without a person; throws with what was said where that fails. */
export async function workToIdle(factory: ClaudeFactory): Promise<void> {
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  if (code !== 0 && code !== NEEDS_PERSON) throw new Error(`pawl run exited ${code}: ${stderr}`);
}

/** Commits everything and asks for CI, as the last step of a turn. */
export const COMMIT = `git add -A && git commit -q -m "work on $ISSUE" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"`;

/** What users said to the model over all conversations, in the order of requests. */
export const prompts = ({ stub }: ClaudeFactory): string[] =>
  stub.requests.flatMap(({ body }) =>
    body.messages
      .filter((message) => message.role === "user")
      .flatMap(({ content }) =>
        typeof content === "string" ? [content] : content.flatMap((block) => block.text ?? []),
      ),
  );

/** The process of Claude Code itself, which works on this run in the given life. */
export function claudePid(
  factory: ClaudeFactory,
  run: { log_path: string; epoch: number },
): number {
  const record = join(dirname(run.log_path), String(run.epoch), "process");
  const pid = /^agent (\d+) /m.exec(readFileSync(record, "utf8"))?.[1];
  if (pid === undefined) throw new Error(`no agent in ${record} of ${factory.root}`);
  return Number(pid);
}

/** What the model is asked: every text and tool call of one request, in order, as one text. */
export const conversationOf = (request: SeenRequest | undefined): string =>
  JSON.stringify(request?.body.messages ?? []);

/** The tool calls that the stub made in answer to the requests from this one on. */
export const callsSince = ({ stub }: ClaudeFactory, first: number): string[] =>
  stub.replies.slice(first).flatMap((reply) => reply.tools.map((tool) => JSON.stringify(tool)));

/** Claude Code has written down what it was asked. */
export function hasTranscript(factory: ClaudeFactory): boolean {
  const folder = join(factory.env["HOME"] ?? "", ".claude", "projects");
  return globSync("*/*.jsonl", { cwd: folder }).some((name) =>
    readFileSync(join(folder, name), "utf8").includes('"type":"user"'),
  );
}
