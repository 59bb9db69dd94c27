// The way to one repository on GitHub or GitHub Enterprise Server: a client per account, with errors
// that say which token is meant and which permissions it needs. Tokens stay in here.
import { ANSWER_MAX_MS, connect, type Connection } from "../shared/forge/connection.ts";
import type { RepositoryOptions, Token } from "../shared/forge/connection.ts";
import { createHttpClient, type HttpClient } from "../shared/http-client.ts";
import { GITHUB } from "./dialect.ts";

/** Of a fine-grained token; a classic one needs the scope `repo`. docs/forges/github.md has both. */
const PERMISSIONS =
  "Contents, Issues, Pull requests and Commit statuses (read and write) and Checks (read)";
const API_VERSION = "2022-11-28";

export const createConnection = (options: RepositoryOptions): Connection =>
  connect(options, GITHUB, (token) => clientFor(options, token));

function clientFor(options: RepositoryOptions, token: Token): HttpClient {
  const { now, wait, crash } = options;
  return createHttpClient({
    server: `GitHub at ${options.url}`,
    baseUrl: apiOf(options.url),
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token.value}`,
      "user-agent": "pawl",
      "x-github-api-version": API_VERSION,
    },
    access: `${token.name} needs ${PERMISSIONS} on ${options.owner}/${options.repo}`,
    secrets: options.secrets,
    timeoutMs: options.timeoutMs ?? ANSWER_MAX_MS,
    now,
    wait,
    rateLimit: options.rateLimits?.(options.url, token.value),
    onSent: () => crash("forge.http.sent"),
  });
}

/** An Enterprise Server has its API below its own address. */
function apiOf(url: string): string {
  const base = url.replace(/\/+$/, "");
  return /^https:\/\/(?:www\.)?github\.com$/.test(base)
    ? "https://api.github.com"
    : `${base}/api/v3`;
}
