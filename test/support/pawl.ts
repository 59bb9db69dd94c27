// A factory of its own for a test, driven through the command a user types: private HOME, PAWL_HOME,
// runtime and temporary folders, a repository, and nothing of the caller's environment. Everything
// is ended by id: children by pid, tmux by its socket, agents by the marks in their environment.
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { StatusView } from "../../src/api/runs.ts";
import { createClient, type Client } from "../../src/cli/client.ts";
import { runtimeFolder } from "../../src/config/home.ts";
import { hasCode } from "../../src/lib/error-code.ts";
import { checkNoted, readNoted } from "./noted-answers.ts";
import { COMPILE_CACHE, MAIN, SOURCES } from "./program.ts";

/** Longer than any command takes on a machine that does much else; shorter than a test may take. */
const COMMAND_MAX_MS = 280_000;
/** A guard, not a claim: an idle project on a forge is looked at every 90 s, and machines are busy. */
const UNTIL_MAX_MS = 240_000;
/** For tests that may take ten minutes. */
export const PATIENCE_MS = 560_000;
/**
 * A look costs 4 ms of a processor, most of it in the daemon: ten looks each second were a twentieth of
 * what a test of a slow program takes. A wait that takes long therefore looks less often.
 */
const LOOK_FIRST_MS = 40;
const LOOK_LATER_MS = 400;
const OUTPUT_MAX_BYTES = 50_000_000;

export type Result = { code: number; stdout: string; stderr: string };
export type Background = {
  pid: number;
  ended: Promise<Result>;
  output(): string;
  kill(signal: NodeJS.Signals): void;
};

export type FactoryOptions = {
  /** pawl.toml without [project]; undefined writes none. */
  config?: string;
  parallel?: number;
  /** Its name, unless one that no other test has. */
  name?: string;
  files?: Record<string, string>;
  /** Where PAWL_HOME is, unless below the private folder. */
  home?: string;
  env?: Record<string, string>;
  /** How long commands and waits may take in a test whose own limit is longer than that of most. */
  patienceMs?: number;
  /** Runs the checkout's sources instead of the package, for what only a checkout does. */
  fromSources?: boolean;
};

export type Factory = Awaited<ReturnType<typeof makeFactory>>;

/** Short limits: what takes a minute for people takes a second here. */
export const LIMITS = '[limits]\nfarewell = "1 s"\ngrace = "2 s"\n';
/** For agents that do something when they are told to end, and then end by themselves. */
export const PATIENT_LIMITS = LIMITS.replace('grace = "2 s"', 'grace = "60 s"');
export const SCRIPT_AGENT = '[agent]\nruntime = "script"\n';
export const TEST_GATE = '[ci]\ncommand = "sh test.sh"\n';
export const shellAgent = (more = ""): string =>
  `[agent]\nruntime = "command"\ncommand = ["sh", "agent.sh"]\n${more}`;

/** It asks, and makes what it is answered. */
export const ASKS = `printf 'PHASE:escalate\\nReason: which colour?\\n' > "$PAWL_PHASE_FILE"
while :; do
  for message in "$PAWL_INBOX"/new/*.md; do
    [ -e "$message" ] || continue
    cp "$message" told.txt && mv "$message" "$PAWL_INBOX/cur/"
    if [ ! -e answer.txt ]; then
      mv told.txt answer.txt && git add answer.txt && git commit -qm Answer
      echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
    fi
    rm -f told.txt
  done
  sleep 0.2
done
`;

export async function makeFactory(options: FactoryOptions = {}) {
  const root = mkdtempSync("/tmp/pawl-acc-");
  const own = root
    .slice(-6)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "x");
  const project = options.name ?? `t${own}${process.pid}`;
  const repo = join(root, "repo");
  const env: Record<string, string> = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
    HOME: join(root, "user"),
    PAWL_HOME: options.home ?? join(root, "home"),
    XDG_RUNTIME_DIR: join(root, "run"),
    TMPDIR: join(root, "tmp"),
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // Every answer that a command gets is noted there, and checked by its schema at the end.
    PAWL_CHECK_ANSWERS: answersOf(root),
    ...options.env,
  };
  for (const name of ["user", "home", "run", "tmp", "repo"]) mkdirSync(join(root, name));
  const children = new Set<Background>();
  const main = options.fromSources === true ? SOURCES : MAIN;
  const { patienceMs } = options;
  const home = env["PAWL_HOME"] ?? "";
  const place = { root, repo, project, main, env, home, children, patienceMs };
  const client: Client = createClient({
    env: { ...env, PAWL_CHECK_ANSWERS: "1" },
    cwd: repo,
    version: "test",
    project: undefined,
  });
  const socket = join(runtimeFolder(env, place.home), "tmux.sock");
  const git = (...args: string[]): string => gitIn(place, repo, args);
  const status = (): Promise<StatusView> => client.get<StatusView>("/v1/status?all=true");
  const factory = {
    ...place,
    client,
    socket,
    git,
    status,
    gitIn: (cwd: string, ...args: string[]): string => gitIn(place, cwd, args),
    write: (files: Record<string, string | Buffer>): void => writeFiles(repo, files),
    commit: (files: Record<string, string>, message = "change"): string => {
      writeFiles(repo, files);
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
      return git("rev-parse", "HEAD");
    },
    config: (text: string): string =>
      withoutWalls(text) + projectSection(project, options.parallel ?? 3) + text,
    read: (...path: string[]): string => readFileSync(join(root, ...path), "utf8"),
    pawl: (...args: string[]): Promise<Result> => runPawl(place, args),
    /** The command must succeed; its stdout, trimmed. */
    ok: async (...args: string[]): Promise<string> => {
      const result = await runPawl(place, args);
      if (result.code === 0) return result.stdout.trim();
      throw new Error(`pawl ${args.join(" ")} exited ${result.code}: ${result.stderr}`);
    },
    background: (...args: string[]): Background => startPawl(place, args),
    /** Tells the factory of the repository, as `pawl init` does. */
    register: (): Promise<unknown> => client.post("/v1/projects", { folder: repo }),
    addIssue: (issue: { title: string; body?: string; dependsOn?: number[] }): Promise<number> =>
      addIssue(client, issue),
    runOf: async (issue: number) => {
      const { runs } = await status();
      const found = runs.filter((run) => run.issue === issue).at(-1);
      if (found === undefined) throw new Error(`issue ${issue} has no run`);
      return found;
    },
    until: <T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> =>
      until(place, { what, probe, status }),
    /** Commits that landed, oldest first, without the first one. */
    subjects: (ref = "main"): string[] =>
      git("log", "--first-parent", "--reverse", "--format=%s", ref).split("\n").slice(1),
    /** Runs a script with arguments as a newcomer's shell would; its exit code. */
    shell: (script: string, ...args: string[]): number =>
      spawnSync("sh", ["-c", script, "sh", ...args], { cwd: repo, env, stdio: "ignore" }).status ??
      -1,
    leftovers: (): string[] => leftovers(root),
    /** A git that a command or a killed daemon was still running ends a moment after it. */
    nothingLeft: (): Promise<true> =>
      until(place, {
        what: "nothing is left running",
        probe: async () => {
          const left = leftovers(root);
          if (left.length > 0) throw new Error(`still running: ${left.join("; ")}`);
          return true;
        },
        status,
      }),
    [Symbol.asyncDispose]: (): Promise<void> => close(place, socket),
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  const config = options.config;
  const files = {
    "test.sh": "exit 0\n",
    ...(config === undefined ? {} : { "pawl.toml": factory.config(config) }),
    ...options.files,
  };
  factory.commit(files, "Begin");
  return factory;
}

type Place = {
  root: string;
  repo: string;
  project: string;
  home: string;
  main: string;
  env: Record<string, string>;
  children: Set<Background>;
  patienceMs: number | undefined;
};

/** Said aloud, because the doctor notes where nothing is said; before all that tests add behind it. */
const withoutWalls = (text: string): string =>
  text.includes("[isolation]") ? "" : '[isolation]\nmode = "none"\n\n';

const projectSection = (name: string, parallel: number): string =>
  `[project]\nname = "${name}"\ntarget = "main"\nparallel = ${parallel}\n\n`;

const LOCK_TRIES_MAX = 100;

/** A person tries again while another git, or a landing, holds the index of the checkout. */
function gitIn(place: Place, cwd: string, args: string[]): string {
  for (let tries = 0; ; tries += 1) {
    try {
      const options = { cwd, env: place.env, encoding: "utf8", stdio: "pipe" } as const;
      return execFileSync("git", args, options).trim();
    } catch (error) {
      const isHeld = error instanceof Error && error.message.includes("index.lock': File exists");
      if (!isHeld || tries >= LOCK_TRIES_MAX) throw error;
      execFileSync("sleep", ["0.1"]);
    }
  }
}

export function writeFiles(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

async function addIssue(
  client: Client,
  issue: { title: string; body?: string; dependsOn?: number[] },
): Promise<number> {
  const key = `test-${issue.title}-${Math.random()}`;
  const made = await client.post<{ number: number }>("/v1/issues", {
    ...issue,
    key,
    author: "test",
  });
  return made.number;
}

function runPawl({ repo, env, main, patienceMs }: Place, args: string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: patienceMs ?? COMMAND_MAX_MS, maxBuffer: OUTPUT_MAX_BYTES };
    execFile(
      process.execPath,
      [main, ...args],
      { cwd: repo, env, ...limits },
      (error, out, err) => {
        const failed = error === null ? 0 : error.code;
        if (typeof failed === "number") resolve({ code: failed, stdout: out, stderr: err });
        else
          reject(
            new Error(`pawl ${args.join(" ")} did not end by itself: ${err}`, { cause: error }),
          );
      },
    ).stdin?.end();
  });
}

function startPawl(place: Place, args: string[]): Background {
  const { repo, env, main } = place;
  const child = spawn(process.execPath, [main, ...args], { cwd: repo, env, stdio: "pipe" });
  const out = { stdout: "", stderr: "" };
  child.stdin.end();
  child.stdout.on("data", (part: Buffer) => (out.stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (out.stderr += part.toString()));
  const background: Background = {
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => {
      child.on("close", (code) => {
        place.children.delete(background);
        resolve({ code: code ?? -1, ...out });
      });
    }),
    output: () => out.stdout + out.stderr,
    kill: (signal) => child.kill(signal),
  };
  place.children.add(background);
  return background;
}

async function until<T>(
  place: Place,
  wanted: {
    what: string;
    probe: () => Promise<T | undefined | false>;
    status: () => Promise<StatusView>;
  },
): Promise<T> {
  const end = Date.now() + (place.patienceMs ?? UNTIL_MAX_MS);
  let last: unknown;
  let pauseMs = LOOK_FIRST_MS;
  while (Date.now() < end) {
    try {
      const seen = await wanted.probe();
      if (seen !== undefined && seen !== false) return seen;
    } catch (error) {
      // A daemon that is just being started or ended cannot be asked; the next look can.
      last = error;
    }
    await wait(pauseMs);
    pauseMs = Math.min(LOOK_LATER_MS, pauseMs * 1.2);
  }
  const status = await wanted.status().catch((error: unknown) => String(error));
  throw new Error(
    `waited in vain: ${wanted.what}\n${JSON.stringify(status, null, 1)}\n${logTail(place)}`,
    { cause: last },
  );
}

function logTail({ home }: Place): string {
  try {
    return readFileSync(join(home, "daemon.log"), "utf8").slice(-5000);
  } catch {
    return "(no daemon.log)";
  }
}

/** Command lines of living processes whose environment or arguments name this folder. */
const leftovers = (root: string): string[] =>
  processesOf(root).map(({ pid, line }) => `${pid} ${line}`);

function processesOf(root: string): { pid: number; line: string }[] {
  const found: { pid: number; line: string }[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const state = /\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
      if (state === "Z" || Number(pid) === process.pid) continue;
      if (line.includes(root) || environment.includes(root)) found.push({ pid: Number(pid), line });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

/** Two looks: one that was killed may have started another, which the first look did not see. */
const CLEAR_LOOKS = 2;
const CLEAR_PAUSE_MS = 10;
const CLEAR_MAX_MS = 60_000;

/**
 * Ends everything of this factory at once, by pid: what a test made is removed, so that nothing has to
 * be saved first, and `pawl down` for each test was a tenth of what the tests take.
 */
async function close(place: Place, socket: string): Promise<void> {
  const { children, root, project } = place;
  spawnSync("tmux", ["-S", socket, "kill-server"], { stdio: "ignore" });
  const end = Date.now() + CLEAR_MAX_MS;
  for (let clear = 0; clear < CLEAR_LOOKS; await wait(CLEAR_PAUSE_MS)) {
    const left = processesOf(root);
    if (left.length > 0 && Date.now() > end) throw new Error(`cannot be ended: ${left[0]?.line}`);
    clear = left.length === 0 ? clear + 1 : 0;
    for (const { pid } of left) killIfThere(pid);
  }
  await Promise.all([...children].map((child) => child.ended));
  const answers = readNoted(answersOf(root));
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  for (const name of readdirSync("/tmp").filter((one) => one.includes(`-session-${project}-`))) {
    rmSync(join("/tmp", name), { force: true });
  }
  await checkNoted(answers);
}

const answersOf = (root: string): string => join(root, "answers.jsonl");

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!hasCode(error, ["ESRCH"])) throw error;
  }
}

export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
