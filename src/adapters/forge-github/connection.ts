// The way to one repository on GitHub or GitHub Enterprise Server: a client per account, with errors
// that say which token is meant and which permissions it needs. Tokens stay in here.
import type { CrashPoint } from "../../lib/crash-point.ts";
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from "../shared/http-client.ts";
import { createSerial, type Serial } from "../shared/serial.ts";
import * as shape from "./shapes.ts";

/** Of a fine-grained token; a classic one needs the scope `repo`. docs/forges/github.md has both. */
const PERMISSIONS =
  "Contents, Issues, Pull requests and Commit statuses (read and write) and Checks (read)";
const API_VERSION = "2022-11-28";
const TIMEOUT_MS = 20_000;

type Token = { value: string; name: string };

export type GithubOptions = {
  /** Where its pages are: https://github.com, or an Enterprise Server's. */
  url: string;
  owner: string;
  repo: string;
  token: Token;
  /** The second account, whose reviews count; without it reviews are comments with a mark. */
  reviewToken: Token | undefined;
  secrets: readonly string[];
  /** Tells this factory from others: what they made under the same key is not ours. */
  factory: () => Promise<string>;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  crash: CrashPoint;
};

type As = "dev" | "review";

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
  owner: string;
  /** A key of this factory. */
  key(key: string): Promise<string>;
  wait(ms: number): Promise<void>;
};

export function createConnection(options: GithubOptions): Connection {
  const { owner, repo, crash } = options;
  const dev = clientFor(options, options.token);
  const review = options.reviewToken && clientFor(options, options.reviewToken);
  const logins = new Map<As, string>();
  const clientOf = (as: As): HttpClient => (as === "review" ? (review ?? dev) : dev);
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
    async login(as) {
      const known = logins.get(as);
      if (known !== undefined) return known;
      const what = "ask whose token this is";
      const { login } = await clientOf(as).get({ what, path: "/user", schema: shape.account });
      logins.set(as, login);
      return login;
    },
    hasReviewer: review !== undefined,
    owner,
    key: async (key) => `${await options.factory()} ${key}`,
    wait: options.wait,
  };
}

function clientFor(options: GithubOptions, token: Token): HttpClient {
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
    timeoutMs: TIMEOUT_MS,
    now,
    wait,
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
