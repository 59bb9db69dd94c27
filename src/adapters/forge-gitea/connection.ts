// The way to one repository of a Gitea or Forgejo: a client per account, with errors that say which
// token is meant and what it must be allowed. Tokens stay in here.
import type { CrashPoint } from "../../lib/crash-point.ts";
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from "../shared/http-client.ts";
import { createSerial, type Serial } from "../shared/serial.ts";
import * as shape from "./shapes.ts";

/** What every token needs; init and the documents say the same. */
export const SCOPES = "write:issue, write:repository and read:user";

const TIMEOUT_MS = 20_000;

export type Token = {
  value: string;
  /** The variable it was found in, for errors. */
  name: string;
};

export type GiteaOptions = {
  /** Where the server is, without /api. */
  url: string;
  owner: string;
  repo: string;
  token: Token;
  /** The second account, whose reviews count; without it reviews are comments with a mark. */
  reviewToken: Token | undefined;
  /** Values that are never sent or shown. */
  secrets: readonly string[];
  /** Tells this factory from others: what they made under the same key is not ours. */
  factory: () => Promise<string>;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  crash: CrashPoint;
};

export type As = "dev" | "review";

export type Connection = {
  /** Reads are the developer's. */
  read: HttpClient;
  /** A change; crash points lie before it, between its sending and its answer, and after it. */
  change<T>(request: HttpRequest<T>, as?: As): Promise<HttpAnswer<T>>;
  /** The path of something in this repository. */
  at(path: string): string;
  /** One at a time per key. */
  serial: Serial;
  login(as: As): Promise<string>;
  hasReviewer: boolean;
  /** The account that speaks for this author: the reviewer's for the reviewer, else the developer's. */
  speaker(author: string): Promise<As>;
  /** A key of this factory. */
  key(key: string): Promise<string>;
  wait(ms: number): Promise<void>;
};

export function createConnection(options: GiteaOptions): Connection {
  const { owner, repo, crash } = options;
  const dev = clientFor(options, options.token);
  const review = options.reviewToken && clientFor(options, options.reviewToken);
  const logins = new Map<As, string>();
  const clientOf = (as: As): HttpClient => (as === "review" ? (review ?? dev) : dev);
  async function login(as: As): Promise<string> {
    const known = logins.get(as);
    if (known !== undefined) return known;
    const what = `ask whose token ${as === "dev" ? "FORGE_TOKEN" : "FORGE_REVIEW_TOKEN"} is`;
    const found = await clientOf(as).get({ what, path: "/user", schema: shape.account });
    logins.set(as, found.login);
    return found.login;
  }
  return {
    read: dev,
    async change(request, as = "dev") {
      await crash("forge.http.send");
      const answer = await clientOf(as).ask(request);
      await crash("forge.http.answered");
      return answer;
    },
    at: (path) => `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${path}`,
    serial: createSerial(),
    login,
    hasReviewer: review !== undefined,
    async speaker(author) {
      return review !== undefined && author === (await login("review")) ? "review" : "dev";
    },
    key: async (key) => `${await options.factory()} ${key}`,
    wait: options.wait,
  };
}

function clientFor(options: GiteaOptions, token: Token): HttpClient {
  const { url, now, wait, crash } = options;
  const base = url.replace(/\/+$/, "");
  return createHttpClient({
    server: `the forge at ${base}`,
    baseUrl: `${base}/api/v1`,
    headers: { authorization: `token ${token.value}` },
    access: `${token.name} needs ${SCOPES}, and its account must be allowed to write to ${options.owner}/${options.repo}`,
    secrets: options.secrets,
    timeoutMs: TIMEOUT_MS,
    now,
    wait,
    onSent: () => crash("forge.http.sent"),
  });
}
