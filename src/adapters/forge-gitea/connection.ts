// The way to one repository of a Gitea or Forgejo: a client per account, with errors that say which
// token is meant and what it must be allowed. Tokens stay in here.
import { ANSWER_MAX_MS, connect, type As, type Connection } from "../shared/forge/connection.ts";
import type { RepositoryOptions, Token } from "../shared/forge/connection.ts";
import { createHttpClient, type HttpClient } from "../shared/http-client.ts";
import { GITEA } from "./dialect.ts";

/** What every token needs; init and the documents say the same. */
export const SCOPES = "write:issue, write:repository and read:user";

export const createConnection = (options: RepositoryOptions): Connection =>
  connect(options, GITEA, (token) => clientFor(options, token));

/** The account that speaks for this author: the reviewer's for the reviewer, else the developer's. */
export async function speakerOf(connection: Connection, author: string): Promise<As> {
  if (!connection.hasReviewer) return "dev";
  return author === (await connection.login("review")) ? "review" : "dev";
}

function clientFor(options: RepositoryOptions, token: Token): HttpClient {
  const { url, now, wait, crash } = options;
  const base = url.replace(/\/+$/, "");
  return createHttpClient({
    server: `the forge at ${base}`,
    baseUrl: `${base}/api/v1`,
    headers: { authorization: `token ${token.value}` },
    access: `${token.name} needs ${SCOPES}, and its account must be allowed to write to ${options.owner}/${options.repo}`,
    secrets: options.secrets,
    timeoutMs: options.timeoutMs ?? ANSWER_MAX_MS,
    now,
    wait,
    rateLimit: options.rateLimits?.(options.url, token.value),
    onSent: () => crash("forge.http.sent"),
  });
}
