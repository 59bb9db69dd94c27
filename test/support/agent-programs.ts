// The real programs of agents, fetched by scripts/fetch-agent.sh into a cache, and how each is pointed
// at the stub of the model: a home of its own, no account, no network but loopback.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const FETCH = join(import.meta.dirname, "../../scripts/fetch-agent.sh");
const FETCH_MAX_MS = 300_000;

/** Its path; undefined, and said aloud, where it cannot be had: every test of it is then skipped. */
export function agentProgram(name: string): string | undefined {
  const options = { encoding: "utf8", timeout: FETCH_MAX_MS } as const;
  const fetched = spawnSync("sh", [FETCH, name], options);
  if (fetched.status === 0) return fetched.stdout.trim();
  const why = fetched.stderr.trim().split("\n").at(-1) ?? "unknown";
  console.log(`SKIPPED: ${name} cannot be had here (${why})`);
  return undefined;
}

type Place = { home: string; stub: string };

/** Variables and files (below `home`) with which a program asks the stub. */
type Stubbed = {
  env: (place: Place) => Record<string, string>;
  files: (place: Place) => Record<string, string>;
};

const CODEX_CONFIG = ({ stub }: Place): string => `
model = "gpt-5.4"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.stub]
name = "stub"
base_url = "${stub}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 1
stream_max_retries = 1
`;

/** As opencode's own list has them. */
const MODEL_FACTS = {
  attachment: true,
  reasoning: true,
  temperature: true,
  tool_call: true,
  release_date: "2025-09-29",
  last_updated: "2025-09-29",
  modalities: { input: ["text"], output: ["text"] },
  open_weights: false,
  cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
  limit: { context: 1_000_000, output: 64_000 },
};

const OPENCODE_MODEL = "claude-sonnet-4-5";

/**
 * Without it, every start reads the thousands of models that opencode knows: a third of what a session takes.
 * With those, opencode starts in gateway.test.ts, in demos.test.ts, and inside walls, which hide this file.
 */
const OPENCODE_MODELS = JSON.stringify({
  anthropic: {
    id: "anthropic",
    name: "Anthropic",
    env: ["ANTHROPIC_API_KEY"],
    npm: "@ai-sdk/anthropic",
    models: Object.fromEntries(
      [OPENCODE_MODEL, "claude-haiku-4-5"].map((id) => [id, { id, name: id, ...MODEL_FACTS }]),
    ),
  },
});

const opencodeConfig = ({ stub }: Place): string =>
  JSON.stringify({
    model: `anthropic/${OPENCODE_MODEL}`,
    small_model: `anthropic/${OPENCODE_MODEL}`,
    autoupdate: false,
    share: "disabled",
    // For undoing at its screen: four gits at every step.
    snapshot: false,
    provider: {
      anthropic: {
        options: { baseURL: `${stub}/v1`, apiKey: "stub" },
        models: { [OPENCODE_MODEL]: { name: "stub" } },
      },
    },
  });

const GEMINI_SETTINGS = JSON.stringify({
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
});

export const STUBBED = {
  codex: {
    env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, STUB_KEY: "stub" }),
    files: (place) => ({ ".codex/config.toml": CODEX_CONFIG(place) }),
  },
  opencode: {
    env: ({ home }) => ({
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_MODELS_PATH: `${home}/models.json`,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      XDG_CONFIG_HOME: `${home}/xdg`,
      XDG_DATA_HOME: `${home}/data`,
    }),
    files: (place) => ({
      "opencode.json": opencodeConfig(place),
      "models.json": OPENCODE_MODELS,
      // What moves on its screen takes a fifth of a processor.
      ".local/state/opencode/kv.json": JSON.stringify({ animations_enabled: false }),
    }),
  },
  gemini: {
    env: ({ stub }) => ({
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: stub,
      GEMINI_TELEMETRY_ENABLED: "false",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    files: () => ({ ".gemini/settings.json": GEMINI_SETTINGS }),
  },
  copilot: {
    env: ({ stub }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_BASE_URL: stub,
      COPILOT_PROVIDER_API_KEY: "stub",
      COPILOT_MODEL: "claude-sonnet-4.5",
      COPILOT_AUTO_UPDATE: "false",
    }),
    files: () => ({}),
  },
} satisfies Record<string, Stubbed>;

export const CLAUDE_ACP: Stubbed = {
  env: ({ home, stub }) => ({
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    ANTHROPIC_BASE_URL: stub,
    ANTHROPIC_API_KEY: "stub",
    CLAUDE_CODE_MAX_RETRIES: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  files: () => ({}),
};
