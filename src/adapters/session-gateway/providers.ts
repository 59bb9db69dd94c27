// What the APIs of models look like to the gateway: where they are, how a key is sent, which requests
// it passes on, and which variables lead an agent to it. One entry per vendor's API.
import type { ProviderName } from "../../ports/session-gateway.ts";

export type Provider = {
  /** Where the API is unless the key's entry says otherwise. */
  url: string;
  /** Requests that a model answers, and that cost. */
  asks: RegExp;
  /** Requests that cost nothing. All others are refused: a batch would cost without being seen. */
  free: RegExp;
  /** The header that carries the key. */
  header: (key: string) => readonly [string, string];
  /** What leads an agent here instead. `token` opens this session's gateway alone. */
  env: (place: { url: string; token: string }) => Record<string, string>;
  /** Variables that would give an agent another key or lead it elsewhere: they are emptied. */
  cleared: readonly string[];
  /** An error in the form that its clients read. */
  error: (failure: Failure) => Record<string, unknown>;
};

export type Failure = { status: number; type: "refused" | "limited" | "unknown"; message: string };

const MESSAGES: Provider = {
  url: "https://api.anthropic.com",
  asks: /^\/v1\/messages$/,
  free: /^\/v1\/(?:messages\/count_tokens|models(?:\/[\w.:@-]+)?)$/,
  header: (key) => ["x-api-key", key],
  env: ({ url, token }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: token }),
  cleared: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  error: ({ type, message }) => ({ type: "error", error: { type: MESSAGES_TYPES[type], message } }),
};

const MESSAGES_TYPES = {
  refused: "permission_error",
  limited: "rate_limit_error",
  unknown: "not_found_error",
} as const;

const RESPONSES: Provider = {
  url: "https://api.openai.com",
  asks: /^\/v1\/(?:responses(?:\/compact)?|chat\/completions)$/,
  free: /^\/v1\/models(?:\/[\w.:@-]+)?$/,
  header: (key) => ["authorization", `Bearer ${key}`],
  env: ({ url, token }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: token }),
  cleared: ["CODEX_API_KEY"],
  error: ({ type, message }) => ({
    error: { message, type: RESPONSES_TYPES[type], code: null, param: null },
  }),
};

const RESPONSES_TYPES = {
  refused: "insufficient_quota",
  limited: "rate_limit_exceeded",
  unknown: "invalid_request_error",
} as const;

const GENERATE: Provider = {
  url: "https://generativelanguage.googleapis.com",
  asks: /^\/v1(?:beta|alpha)?\/models\/[\w.-]+:(?:generateContent|streamGenerateContent)$/,
  free: /^\/v1(?:beta|alpha)?\/models(?:\/[\w.-]+(?::countTokens)?)?$/,
  header: (key) => ["x-goog-api-key", key],
  env: ({ url, token }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: token }),
  cleared: [
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_GENAI_USE_GCA",
    "GOOGLE_GENAI_USE_VERTEXAI",
  ],
  error: ({ status, type, message }) => ({
    error: { code: status, message, status: GENERATE_TYPES[type] },
  }),
};

const GENERATE_TYPES = {
  refused: "PERMISSION_DENIED",
  limited: "RESOURCE_EXHAUSTED",
  unknown: "NOT_FOUND",
} as const;

export const PROVIDERS: Record<ProviderName, Provider> = {
  anthropic: MESSAGES,
  openai: RESPONSES,
  gemini: GENERATE,
};
