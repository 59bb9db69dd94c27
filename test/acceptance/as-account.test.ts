// `--as ACCOUNT`: root starts Pawl as another account, and agents have that account's rights alone. The
// account exists only in a mount namespace of the test: nothing of the machine is changed.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { TEST_GATE } from "../support/pawl.ts";

const isPossible =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "setpriv", "--no-new-privs", "true"]).status === 0;
if (!isPossible) console.log("SKIPPED: --as needs root, setpriv and a mount namespace");

/** Of no account of this machine. */
const UID = 1_000_000 + process.pid;
const NAME = "pawl-tester";
const LANDED_MAX_MS = 120_000;

function makePlace() {
  const root = mkdtempSync("/tmp/pawl-as-");
  chmodSync(root, 0o755);
  // What is installed for all accounts; the checkout may be closed to them.
  const main = process.env["PAWL_TEST_MAIN"] ?? "";
  cpSync(dirname(main), join(root, "lib", "dist"), { recursive: true });
  copyFileSync(join(dirname(dirname(main)), "package.json"), join(root, "lib", "package.json"));
  chmodSync(join(root, "lib"), 0o755);
  const node = join(root, "node");
  try {
    linkSync(process.execPath, node);
  } catch {
    copyFileSync(process.execPath, node);
  }
  const passwd = join(root, "passwd");
  const home = join(root, "home");
  const line = `${NAME}:x:${UID}:${UID}::${home}:/bin/sh\n`;
  writeFileSync(passwd, readFileSync("/etc/passwd", "utf8") + line, { mode: 0o644 });
  mkdirSync(join(home, "repo"), { recursive: true });
  const secret = join(root, "secret");
  writeFileSync(secret, "of root", { mode: 0o600 });
  const inside = ["-m", "sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', passwd];
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(root, "root"), LANG: "C.UTF-8" };
  const run = (...argv: string[]) => {
    const cwd = join(home, "repo");
    return spawnSync("unshare", [...inside, ...argv], { encoding: "utf8", cwd, env });
  };
  const pawl = (...words: string[]) => {
    const { status, stdout, stderr } = run(node, join(root, "lib", "dist", "main.js"), ...words);
    return { code: status, stdout: stdout.trim(), stderr };
  };
  return {
    home,
    secret,
    run,
    pawl,
    /** In a terminal of its own, until it is killed. */
    inTerminal: (...words: string[]) => {
      const argv = ["unshare", ...inside, node, join(root, "lib", "dist", "main.js"), ...words];
      const quoted = argv.map((word) => `'${word}'`).join(" ");
      return spawn("script", ["-qefc", quoted, "/dev/null"], {
        cwd: join(home, "repo"),
        env,
        stdio: ["pipe", "ignore", "ignore"],
      });
    },
    as: (...words: string[]): string => {
      const { code, stdout, stderr } = pawl(...words, "--as", NAME);
      if (code !== 0) throw new Error(`pawl ${words.join(" ")} exited ${code}: ${stderr}`);
      return stdout;
    },
    [Symbol.dispose]: () => {
      pawl("down", "--kill-agents", "--as", NAME);
      rmSync(root, { recursive: true, force: true, maxRetries: 10 });
      rmSync(`/tmp/pawl-${UID}`, { recursive: true, force: true });
    },
  };
}

test.runIf(isPossible)(
  "with --as, the daemon and its agents have the rights of that account alone, and work lands",
  async () => {
    using place = makePlace();
    const { home, run, pawl } = place;
    const look = `{ id -u; id -G; grep NoNewPrivs /proc/self/status; cat ${place.secret}; } > seen.txt 2>&1 || true`;
    const config = `[project]\nname = "as${process.pid}"\ntarget = "main"\n[agent]\nruntime = "script"\n[isolation]\nmode = "none"\n${TEST_GATE}`;
    writeFileSync(join(home, "repo", "pawl.toml"), config);
    writeFileSync(join(home, "repo", "test.sh"), "exit 0\n");
    const body = join(home, "body.md");
    writeFileSync(body, `\`\`\`sh\n${look}\ngit add -A\ngit commit -qm Look\n\`\`\`\n`);
    run("chown", "-R", `${UID}:${UID}`, home);
    const git = (...words: string[]): string =>
      run("git", "-c", "safe.directory=*", "-C", join(home, "repo"), ...words).stdout.trim();
    const begin = `git init -q -b main && git config user.name Ada && git config user.email a@b.c && git add -A && git commit -qm Begin`;
    run(
      "setpriv",
      `--reuid=${UID}`,
      `--regid=${UID}`,
      "--clear-groups",
      "env",
      `HOME=${home}`,
      "sh",
      "-c",
      begin,
    );

    place.as("init", "--yes");
    place.as("issue", "add", "--title", "Look", "--body-file", body);
    const up = pawl("up", "--as", NAME);
    expect([up.code, up.stderr]).toEqual([
      0,
      expect.stringContaining(`the daemon runs as ${NAME}`),
    ]);
    const landed = (): string => git("show", "main:seen.txt");
    await expect.poll(landed, { timeout: LANDED_MAX_MS, interval: 200 }).toContain("NoNewPrivs");
    expect(landed().split("\n")).toEqual([
      String(UID),
      String(UID),
      "NoNewPrivs:\t1",
      expect.stringContaining("Permission denied"),
    ]);
    expect(JSON.parse(place.as("status", "--json"))).toMatchObject({
      daemon: { pid: expect.any(Number) },
    });

    for (const [account, why] of [
      ["no-such-account", "there is no such account"],
      ["root", "it has all the rights of root"],
    ] as const) {
      const { code, stderr } = pawl("up", "--as", account);
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  },
);

/** The processes of the account, as the kernel tells of them. */
const itsProcesses = (): { pid: number; terminal: string }[] =>
  readdirSync("/proc").flatMap((name) => {
    const read = (file: string): string => {
      try {
        return readFileSync(join("/proc", name, file), "utf8");
      } catch {
        return "";
      }
    };
    if (!new RegExp(`^Uid:\\s+${UID}\\s`, "m").test(read("status"))) return [];
    const fields = read("stat").slice(read("stat").lastIndexOf(")") + 2);
    return [{ pid: Number(name), terminal: fields.split(" ")[4] ?? "" }];
  });

test.runIf(isPossible)(
  "with --as, no program of that account has root's terminal, in which it could type",
  async () => {
    using place = makePlace();
    place.run("chown", "-R", `${UID}:${UID}`, place.home);
    const typed = place.inTerminal("daemon", "--as", NAME);
    try {
      const answers = (): number | null => place.pawl("status", "--as", NAME).code;
      await expect.poll(answers, { timeout: LANDED_MAX_MS, interval: 200 }).toBe(0);
      await expect
        .poll(itsProcesses, { timeout: LANDED_MAX_MS, interval: 200 })
        .not.toHaveLength(0);
      expect(itsProcesses().map(({ terminal }) => terminal)).not.toContainEqual(
        expect.stringMatching(/[^0]/),
      );
    } finally {
      const ended = once(typed, "exit");
      // One that is gone meanwhile is no error: a git, or a child of one that was ended just now.
      for (const { pid } of itsProcesses()) spawnSync("kill", ["-TERM", String(pid)]);
      await ended;
    }
  },
);
