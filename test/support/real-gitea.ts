// A real Gitea on loopback, in a folder of its own: SQLite, an owner, two bot accounts and a
// stranger. All that is said to its API goes through a door that holds it against the description that
// the server gives of itself; `close` throws where something was not as described. Built by
// scripts/fetch-gitea.sh into a cache; where it cannot be had, tests say so and are skipped.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../src/adapters/shared/free-port.ts";

const FETCH = join(import.meta.dirname, "../../scripts/fetch-gitea.sh");
const FETCH_MAX_MS = 1_500_000;
const START_MAX_MS = 60_000;
const LOOK_EVERY_MS = 50;
const SCOPES = "write:issue,write:repository,read:user";

function findGitea(): { folder: string } | { missing: string } {
  const fetched = spawnSync("sh", [FETCH], { encoding: "utf8", timeout: FETCH_MAX_MS });
  if (fetched.status === 0) return { folder: fetched.stdout.trim() };
  return { missing: fetched.stderr.trim().split("\n").at(-1) ?? "unknown" };
}

const found = findGitea();

/** True where Gitea cannot be had: every test then says so and is skipped. */
export const noGitea = "missing" in found;
if ("missing" in found) console.log(`SKIPPED: Gitea cannot be had here (${found.missing})`);

export type RealGitea = Awaited<ReturnType<typeof startGitea>>;

export async function startGitea() {
  if (!("folder" in found)) throw new Error("there is no Gitea");
  const root = mkdtempSync("/tmp/pawl-gitea-");
  const port = await freePort();
  const inner = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(root, "app.ini");
  writeFileSync(config, appIni({ root, port, inner, statics: found.folder }));
  for (const name of ["data", "repositories", "log", "home"]) mkdirSync(join(root, name));
  const binary = join(found.folder, "gitea");
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(root, "home"),
    GITEA_WORK_DIR: root,
    USER: process.env["USER"] ?? "root",
  };
  const server = spawn(binary, ["--config", config, "web"], { env, stdio: "ignore" });
  const ended = new Promise((resolve) => {
    server.once("exit", resolve);
  });
  const direct = `http://127.0.0.1:${inner}`;
  await untilServing(direct, () => server.exitCode, join(root, "log", "gitea.log"));
  const owner = createOwner(binary, { config, env });
  const account = createAccounts(direct, owner);
  const dev = await account("pawl-dev", SCOPES);
  const review = await account("pawl-review", SCOPES);
  const stranger = await account("stranger", "all");
  const description: unknown = await (await fetch(`${direct}/swagger.v1.json`)).json();
  const door = await startDoor({ description, port, to: inner, api: "/api/v1/" });
  const call: Call = (token, what, body) => {
    const [method = "", path = ""] = what.split(" ");
    return ask(`${url}/api/v1${path}`, { authorization: `token ${token}`, method, body });
  };
  return {
    url,
    tokens: { owner, dev, review, stranger },
    /** Another token of an account, with these scopes. */
    token: (name: string, scopes: string): Promise<string> => tokenOf(direct, { name, scopes }),
    call,
    /** A new repository of the owner, where both bots may write and the stranger may read. */
    makeRepo: (name: string, permission: "write" | "admin", { isEmpty = false } = {}) =>
      makeRepo({ call, owner }, { name, permission, isEmpty }),
    remote: (name: string, token: string): string =>
      `http://pawl:${token}@127.0.0.1:${port}/team/${name}.git`,
    async close(): Promise<void> {
      server.kill("SIGTERM");
      await ended;
      const faults = await door();
      rmSync(root, { recursive: true, force: true });
      if (faults !== undefined) throw new Error(faults);
    },
  };
}

/** Closes it again; what was not as described, in one text. */
async function startDoor(at: object): Promise<() => Promise<string | undefined>> {
  const file = new URL("./api-description/door-worker.ts", import.meta.url);
  const worker = new Worker(file, { workerData: at });
  await once(worker, "message");
  return async () => {
    worker.postMessage("close");
    const [told] = (await once(worker, "message")) as [{ faults: string | undefined }];
    await worker.terminate();
    return told.faults;
  };
}

/** `what`: the method and the path, e.g. `GET /user`. */
type Call = <T>(token: string, what: string, body?: unknown) => Promise<T>;

async function makeRepo(
  { call, owner }: { call: Call; owner: string },
  of: { name: string; permission: "write" | "admin"; isEmpty: boolean },
): Promise<void> {
  const { name, permission, isEmpty } = of;
  const repo = { name, default_branch: "main", auto_init: !isEmpty, private: true };
  await call(owner, "POST /user/repos", repo);
  for (const [bot, may] of [
    ["pawl-dev", permission],
    ["pawl-review", "write"],
    ["stranger", "read"],
  ]) {
    await call(owner, `PUT /repos/team/${name}/collaborators/${bot}`, { permission: may });
  }
  const merging = { allow_manual_merge: true, autodetect_manual_merge: true };
  await call(owner, `PATCH /repos/team/${name}`, { has_pull_requests: true, ...merging });
}

const PASSWORD = "password-for-a-test";
const mailOf = (name: string): string => `${name}@example.org`;

/** The first account, which makes the others: its token. */
function createOwner(
  binary: string,
  { config, env }: { config: string; env: Record<string, string> },
): string {
  const user = ["--username", "team", "--password", PASSWORD, "--email", mailOf("team"), "--admin"];
  const token = ["--access-token", "--access-token-name", "pawl", "--access-token-scopes", "all"];
  const command = ["--config", config, "admin", "user", "create", ...user, ...token];
  const printed = execFileSync(binary, [...command, "--must-change-password=false"], {
    env,
    encoding: "utf8",
    stdio: "pipe",
  });
  const found = /\b[0-9a-f]{40}\b/.exec(printed);
  if (found === null) throw new Error(`Gitea gave no token for team: ${printed}`);
  return found[0];
}

const createAccounts =
  (url: string, owner: string) =>
  async (username: string, scopes: string): Promise<string> => {
    const account = { username, email: mailOf(username), password: PASSWORD };
    await ask(`${url}/api/v1/admin/users`, {
      authorization: `token ${owner}`,
      method: "POST",
      body: { ...account, must_change_password: false },
    });
    return tokenOf(url, { name: username, scopes });
  };

async function tokenOf(
  url: string,
  { name, scopes }: { name: string; scopes: string },
): Promise<string> {
  const { sha1 } = await ask<{ sha1: string }>(`${url}/api/v1/users/${name}/tokens`, {
    authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString("base64")}`,
    method: "POST",
    body: { name: `pawl for ${scopes}`, scopes: scopes.split(",") },
  });
  return sha1;
}

/** `port`: where it is spoken to, through the door; `inner`: its own. */
const appIni = (at: { root: string; port: number; inner: number; statics: string }): string => `
RUN_MODE = prod
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${at.inner}
ROOT_URL = http://127.0.0.1:${at.port}/
STATIC_ROOT_PATH = ${at.statics}
APP_DATA_PATH = ${at.root}/data
OFFLINE_MODE = true
DISABLE_SSH = true
LFS_START_SERVER = true
LFS_JWT_SECRET = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
[database]
DB_TYPE = sqlite3
PATH = ${at.root}/data/gitea.db
SQLITE_TIMEOUT = 20000
SQLITE_JOURNAL_MODE = WAL
[lfs]
PATH = ${at.root}/data/lfs
[repository]
ROOT = ${at.root}/repositories
DEFAULT_BRANCH = main
[security]
INSTALL_LOCK = true
SECRET_KEY = secret-for-a-test
INTERNAL_TOKEN = internal-for-a-test
PASSWORD_HASH_ALGO = pbkdf2_v1
[service]
DISABLE_REGISTRATION = true
[indexer]
ISSUE_INDEXER_TYPE = db
[webhook]
ALLOWED_HOST_LIST = loopback
[actions]
ENABLED = false
[cron]
ENABLED = false
[log]
MODE = file
LEVEL = Warn
ROOT_PATH = ${at.root}/log
`;

/** Nothing was done where it says 401, and of a good token it says so while its database is busy. */
const TOKEN_TRIES = 300;

async function ask<T>(
  url: string,
  { authorization, method, body }: { authorization: string; method: string; body: unknown },
): Promise<T> {
  const send = (): Promise<Response> =>
    fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let answer = await send();
  for (let tries = 1; answer.status === 401 && tries < TOKEN_TRIES; tries += 1) {
    await wait(LOOK_EVERY_MS);
    answer = await send();
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function untilServing(url: string, exit: () => number | null, log: string): Promise<void> {
  for (let waited = 0; waited < START_MAX_MS; waited += LOOK_EVERY_MS) {
    if (exit() !== null) break;
    const up = await fetch(`${url}/api/v1/version`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error(`Gitea did not start: ${readFileSync(log, "utf8").slice(-2000)}`);
}
