// The way to one repository of a forge that speaks over HTTP: a client per account, changes with
// their crash points, and the few words and statuses in which one forge differs from another.
// It never sees a token: clients come with theirs.
import type { ZodType } from "zod";
import type { CrashPoint } from "../../../lib/crash-point.ts";
import type { HttpAnswer, HttpClient, HttpRequest } from "../http-client.ts";
import type { RateLimits } from "../http-rate-limit.ts";
import { createSerial, type Serial } from "../serial.ts";
import { requiringRepository } from "./repository-there.ts";
import { account, type RawIssue, type RawPr } from "./shapes.ts";

export type Token = {
  value: string;
  /** The variable it was found in, for errors. */
  name: string;
};

export type RepositoryOptions = {
  /** Where its pages are, without /api. */
  url: string;
  owner: string;
  repo: string;
  token: Token;
  /** The second account, whose reviews count; without it reviews are comments with a mark. */
  reviewToken: Token | undefined;
  /** Values that are never sent or shown. */
  secrets: readonly string[];
  /**
   * Tells this factory from others: what they made under the same key is not ours. `home`: the
   * PAWL_HOME it is in, which outlives its journal.
   */
  factory: () => Promise<{ id: string; home: string }>;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  crash: CrashPoint;
  /** Shared by projects with one account: what one is told, all keep. Each has its own otherwise. */
  rateLimits?: RateLimits | undefined;
  /** How long an answer is waited for. */
  timeoutMs?: number | undefined;
};

/** Where nothing else is asked for. */
export const ANSWER_MAX_MS = 20_000;

/** Rights change rarely, and every review and claim of others asks for them. */
const RIGHTS_KEPT_MS = 300_000;

export type As = "dev" | "review";
type Written = { user?: { login: string } | null | undefined };

export type Query = Readonly<Record<string, string | number>>;

export type Dialect = {
  /** How sentences call the forge. */
  forge: string;
  /** The author of what an account wrote that is not there any more. */
  unknownAuthor: string;
  issue: ZodType<RawIssue>;
  pr: ZodType<RawPr>;
  /** The longest page of a list. */
  page: Query;
  /** The latest hundred or so of the PRs that are closed, the newest first. */
  lastEnded: { query: Query; pages: number };
  /** The longest page of comments; none where they come all at once. */
  commentsPage: Query;
  /** Statuses that say there is no such issue. */
  gone: readonly number[];
  /** Statuses that say an issue has not had the label that is taken off. */
  unlabelled: readonly number[];
  /** The longest description of a status. */
  descriptionMax: number;
  /** A push is followed after it was answered: how often and how long one looks for it. */
  follow: { attempts: number; waitMs: number };
  /** What is asked when a login is, for errors. */
  askWhose(as: As): string;
  /** Whether this account may write to the repository. */
  mayWrite(connection: Connection, login: string): Promise<boolean>;
  /** An error of the list of comments that only means that there is no such issue. */
  isMissing?(connection: Connection, number: number, error: unknown): Promise<boolean>;
};

export type Connection = {
  dialect: Dialect;
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
  /** Every account can write a mark: it counts only in what one of our own accounts wrote. */
  isOurs(written: Written): Promise<boolean>;
  /** Asked of the forge, and kept for a while. */
  mayWrite(login: string): Promise<boolean>;
  owner: string;
  /** A key of this factory. */
  key(key: string): Promise<string>;
  factory: RepositoryOptions["factory"];
  wait(ms: number): Promise<void>;
};

export function connect(
  options: RepositoryOptions,
  dialect: Dialect,
  clientFor: (token: Token) => HttpClient,
): Connection {
  const { owner, repo, crash } = options;
  const root = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const make = (token: Token): HttpClient =>
    requiringRepository(clientFor(token), { root, name: `${owner}/${repo}` });
  const dev = make(options.token);
  const review = options.reviewToken && make(options.reviewToken);
  const logins = new Map<As, string>();
  const clientOf = (as: As): HttpClient => (as === "review" ? (review ?? dev) : dev);
  const rights = createRights(options.now);
  const connection: Connection = {
    dialect,
    read: dev,
    async change(request, as = "dev") {
      await crash("forge.http.send");
      const answer = await clientOf(as).ask(request);
      await crash("forge.http.answered");
      return answer;
    },
    at: (path) => `${root}${path}`,
    serial: createSerial(),
    async login(as) {
      const known = logins.get(as);
      if (known !== undefined) return known;
      const what = dialect.askWhose(as);
      const { login } = await clientOf(as).get({ what, path: "/user", schema: account });
      logins.set(as, login);
      return login;
    },
    hasReviewer: review !== undefined,
    async isOurs({ user }) {
      if (user?.login === undefined) return false;
      if (user.login === (await connection.login("dev"))) return true;
      return review !== undefined && user.login === (await connection.login("review"));
    },
    mayWrite: (login) => rights(login, () => dialect.mayWrite(connection, login)),
    owner,
    key: async (key) => `${(await options.factory()).id} ${key}`,
    factory: options.factory,
    wait: options.wait,
  };
  return connection;
}

function createRights(now: () => number) {
  const known = new Map<string, { may: boolean; at: number }>();
  return async (login: string, ask: () => Promise<boolean>): Promise<boolean> => {
    const kept = known.get(login);
    if (kept !== undefined && now() - kept.at < RIGHTS_KEPT_MS) return kept.may;
    const may = await ask();
    known.set(login, { may, at: now() });
    return may;
  };
}
