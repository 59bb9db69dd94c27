// Factories whose agents are short shell scripts: what they do next is decided by files in the
// factory's own folder, so that a test never waits for a clock.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentView } from "../../src/api/agents.ts";
import type { HookView } from "../../src/api/hooks.ts";
import type { SignalView } from "../../src/api/signals.ts";
import { LIMITS, makeFactory, shellAgent } from "./pawl.ts";
import { MAIN } from "./program.ts";

/** What the scripts have at hand. */
const PRELUDE = `
number=0
note() { : > "$SEEN/$1-$PAWL_NAME-$PAWL_EPOCH"; }
await() { until [ -e "$SEEN/$1" ]; do sleep 0.05; done; }
phase() { printf 'PHASE:%s\\n' "$1" > "$PAWL_PHASE_FILE.new" && mv "$PAWL_PHASE_FILE.new" "$PAWL_PHASE_FILE"; }
spool() {
  number=$((number + 1))
  printf '%s\\n' "$1" > "$PAWL_SPOOL/tmp/$$-$number" && mv "$PAWL_SPOOL/tmp/$$-$number" "$PAWL_SPOOL/new/$$-$number.json"
}
pawl() { node "$MAIN" "$@"; }
# message KIND: waits for a message of that kind, acknowledges it, and prints its path.
message() {
  while :; do
    for file in "$PAWL_INBOX"/new/*.md; do
      [ -f "$file" ] || continue
      grep -q "^Kind: $1\\$" "$file" || continue
      mv "$file" "$PAWL_INBOX/cur/" && printf '%s\\n' "$PAWL_INBOX/cur/\${file##*/}"
      return
    done
    sleep 0.05
  done
}
cp "$PAWL_HOOK_FILE" "$SEEN/hook-$PAWL_NAME-$PAWL_EPOCH" 2>/dev/null
cp "$PAWL_PROMPT_FILE" "$SEEN/prompt-$PAWL_NAME-$PAWL_EPOCH"
note started
`;

export type SessionOptions = {
  /** Lines of [limits] besides the short ones. */
  limits?: string;
  /** Lines of [agent]. */
  agent?: string;
  /** Lines of [budget]. */
  budget?: string;
  parallel?: number;
  /** Of [ci]; without it everything is green. */
  ci?: string;
  /** Further sections. */
  more?: string;
};

export async function sessionFactory(script: string, options: SessionOptions = {}) {
  const { parallel = 3, ci = "none = true" } = options;
  const files = { "agent.sh": `${PRELUDE}\n${script}`, "test.sh": "exit 0\n" };
  const factory = await makeFactory({ files, parallel });
  const cache = factory.env["NODE_COMPILE_CACHE"];
  const env = `env = { SEEN = "${factory.root}", MAIN = "${MAIN}", NODE_COMPILE_CACHE = "${cache}" }`;
  const agent = shellAgent(`${env}\n${options.agent ?? ""}\n`);
  const budget = options.budget === undefined ? "" : `[budget]\n${options.budget}\n`;
  const rest = `[ci]\n${ci}\n${LIMITS}${options.limits ?? ""}\n${budget}${options.more ?? ""}`;
  const config = factory.config(`${agent}${rest}`);
  factory.commit({ "pawl.toml": config }, "Configure");
  const projectDir = join(factory.home, "projects", factory.project);
  const seen = (name: string): boolean => existsSync(join(factory.root, name));
  return {
    ...factory,
    projectDir,
    seen,
    /** Lets an agent that waits for it go on. */
    allow: (name: string): void => writeFileSync(join(factory.root, name), ""),
    /** What an agent left in the factory's folder. */
    left: (name: string): string => readFileSync(join(factory.root, name), "utf8"),
    epochDir: (epoch: number, run = "1.1"): string => join(projectDir, "runs", run, String(epoch)),
    started: (epoch: number, name = "1") =>
      factory.until(`life ${epoch} of dev-${name} works`, async () => {
        const agents = await list(factory.client);
        const found = agents.find((one) => one.identity === `dev-${name}` && one.epoch === epoch);
        if (!seen(`started-${name}-${epoch}`) || found === undefined) return undefined;
        return found.pid === null ? undefined : found;
      }),
    agents: (query = ""): Promise<AgentView[]> => list(factory.client, query),
    agent: async (identity = "dev-1"): Promise<AgentView> => {
      const found = (await list(factory.client)).find((one) => one.identity === identity);
      if (found === undefined) throw new Error(`no ${identity}`);
      return found;
    },
    identityFile: (identity = "dev-1"): AgentView =>
      JSON.parse(readFileSync(join(projectDir, "state/identities", `${identity}.json`), "utf8")),
    hookFile: (identity = "dev-1"): HookView =>
      JSON.parse(readFileSync(join(projectDir, "state/hooks", `${identity}.json`), "utf8")),
    /** Kinds of the signals about agents so far, oldest first. */
    signals: async (): Promise<SignalView[]> =>
      (await factory.client.get<SignalView[]>("/v1/signals")).filter(
        ({ identity }) => identity?.startsWith("dev-") === true,
      ),
    /** A daemon in the background that is served before this returns. */
    daemon: async () => {
      const daemon = factory.background("daemon");
      await factory.until("the daemon serves", async () => {
        return (await factory.status()).daemon?.pid === daemon.pid;
      });
      return daemon;
    },
  };
}

type Client = Awaited<ReturnType<typeof makeFactory>>["client"];

const list = (client: Client, query = ""): Promise<AgentView[]> =>
  client.get<AgentView[]>(`/v1/agents${query}`);
