// `--as ACCOUNT`: root runs a command of Pawl as another account, a second wall around agents. The
// command has that account's rights alone: none of its further groups (docker, say), no program that
// would give it more rights (sudo), nothing of root's environment, and not root's terminal: as the
// controlling terminal of that account's programs they could type into root's shell.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import process from "node:process";
import { sessionOf } from "../api/session-rights.ts";
import { OperationError } from "../lib/operation-error.ts";
import { EXIT, type Deps } from "./deps.ts";

type Account = { name: string; uid: string; gid: string; home: string };

/** Its exit code is the command's own. */
export async function runAsAccount(name: string, words: string[], deps: Deps): Promise<number> {
  const fail = (why: string, hint: string): OperationError =>
    new OperationError(`cannot run \`pawl ${words.join(" ")}\` as ${name}: ${why}`, {
      code: "account",
      hint,
    });
  if (sessionOf(deps.env) !== undefined) {
    throw fail("an agent cannot become another account", "only people may use --as");
  }
  if (process.getuid?.() !== 0) {
    throw fail("only root can become another account", "run it as root, with sudo for example");
  }
  const account = accountNamed(name);
  if (account === undefined) {
    throw fail("there is no such account", `create one: useradd --create-home ${name}`);
  }
  if (account.uid === "0") {
    throw fail("it has all the rights of root", "name an account that only Pawl uses");
  }
  const main = process.argv[1] ?? "";
  const become = becoming(account, deps.env);
  const { error, status, stderr } = spawnSync(become[0], [...become.slice(1), TRUE]);
  if (error !== undefined) throw fail("this needs setpriv", "install util-linux");
  if (status !== 0) throw fail(`setpriv failed: ${stderr.toString().trim()}`, "install util-linux");
  for (const path of [process.execPath, main]) {
    if (can(become, "-r", path)) continue;
    const hint = "install Pawl and Node.js where all accounts can read them, such as /usr/local";
    throw fail(`it cannot read ${path}`, hint);
  }
  if (!can(become, "-x", deps.cwd)) {
    throw fail(
      `it cannot enter ${deps.cwd}`,
      `use a folder of that account, such as ${account.home}`,
    );
  }
  const command = [process.execPath, ...process.execArgv, main, ...words];
  const code = await runApart([...become, ...command], deps.cwd);
  if (code === 0 && words[0] === "up") {
    deps.stderr(
      `the daemon runs as ${name}: add the same option to every command for it, such as \`pawl status --as ${name}\`\n`,
    );
  }
  return code;
}

/** What is started with the account's PATH could be a program that an agent left in its home. */
const [TRUE, TEST, ENV] = ["/usr/bin/true", "/usr/bin/test", "/usr/bin/env"];

const can = ([setpriv, ...words]: [string, ...string[]], how: "-r" | "-x", path: string): boolean =>
  spawnSync(setpriv, [...words, TEST, how, path]).status === 0;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH"] as const;

/** In a session of its own, which has no controlling terminal: what the terminal sends is passed on. */
async function runApart([program, ...words]: [string, ...string[]], cwd: string): Promise<number> {
  const child = spawn(program, words, { cwd, stdio: "inherit", detached: true });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? EXIT.failed;
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn);
  }
}

function accountNamed(wanted: string): Account | undefined {
  const { stdout } = spawnSync("getent", ["passwd", "--", wanted], { encoding: "utf8" });
  const [name, , uid, gid, , home] = (stdout ?? "").trim().split(":");
  if (name === undefined || uid === undefined || gid === undefined || home === undefined) {
    return undefined;
  }
  return { name, uid, gid, home };
}

function becoming({ name, uid, gid, home }: Account, env: Deps["env"]): [string, ...string[]] {
  const path = ["/usr/local/bin", "/usr/bin", "/bin", dirname(process.execPath)];
  const own = {
    HOME: home,
    USER: name,
    LOGNAME: name,
    PATH: [...path, join(home, ".local", "bin")].join(":"),
  };
  const kept = ["TERM", "LANG", "LC_ALL", "NO_COLOR"].flatMap((variable) => {
    const value = env[variable];
    return value === undefined ? [] : [`${variable}=${value}`];
  });
  return [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    ENV,
    "-i",
    ...Object.entries(own).map(([variable, value]) => `${variable}=${value}`),
    ...kept,
  ];
}
