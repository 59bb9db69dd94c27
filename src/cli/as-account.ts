// `--as ACCOUNT`: root runs a command of Pawl as another account, a second wall around agents. The
// command has that account's rights alone: none of its further groups (docker, say), no program that
// would give it more rights (sudo), and nothing of root's environment.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { sessionOf } from "../api/session-rights.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { Deps } from "./deps.ts";

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
    throw fail("there is no such account", `make one: useradd --create-home ${name}`);
  }
  if (account.uid === "0") {
    throw fail("it has all the rights of root", "name an account that is for Pawl alone");
  }
  const main = process.argv[1] ?? "";
  const become = becoming(account, deps.env);
  for (const path of [process.execPath, main]) {
    const { error, status } = spawnSync(become[0], [...become.slice(1), "test", "-r", path]);
    if (error !== undefined) throw fail("this needs setpriv", "install util-linux");
    if (status === 0) continue;
    const hint = "install Pawl and Node.js where all accounts can read them, such as /usr/local";
    throw fail(`it cannot read ${path}`, hint);
  }
  const can = spawnSync(become[0], [...become.slice(1), "test", "-x", deps.cwd]);
  const folder = can.status === 0 ? deps.cwd : account.home;
  const command = [process.execPath, ...process.execArgv, main, ...words];
  const code = await deps.runInTerminal([...become, "env", "-C", folder, ...command]);
  if (code === 0 && words[0] === "up") {
    deps.stderr(
      `it runs as ${name}: give every command for it the same option, such as \`pawl status --as ${name}\`\n`,
    );
  }
  return code;
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
  const path = [join(home, ".local", "bin"), "/usr/local/bin", "/usr/bin", "/bin"];
  const own = {
    HOME: home,
    USER: name,
    LOGNAME: name,
    PATH: path.concat(dirname(process.execPath)).join(":"),
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
    "env",
    "-i",
    ...Object.entries(own).map(([variable, value]) => `${variable}=${value}`),
    ...kept,
  ];
}
