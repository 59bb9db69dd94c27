// A project whose only CI is a Woodpecker server: a bare upstream, the fake server over real HTTP
// that runs test.sh of every push to pawl/*, and a factory configured for both.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startFakeWoodpecker, type FakePipeline, type FakeStep } from "./fake-woodpecker.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "./pawl.ts";

const GATE = "for t in tests/*.sh; do sh $t || exit 1; done\n";

export async function makeWoodpeckerWorld() {
  // Its address is known only once it runs, and pawl.toml is written before that.
  const upstream = mkdtempSync("/tmp/pawl-acc-up-");
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", upstream, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "-q", "--bare", "-b", "main");
  const infra = new Set<string>();
  const woodpecker = await startFakeWoodpecker({
    token: "wp-secret",
    repo: { id: 7, fullName: "ann/toy" },
    heads: () =>
      git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
        .split("\n")
        .filter((line) => line.startsWith("pawl/"))
        .map((line) => ({ branch: line.split(" ")[0] ?? "", commit: line.split(" ")[1] ?? "" })),
    run: (pipeline) => runIn(upstream, pipeline, infra),
  });
  const config = `${SCRIPT_AGENT}[ci]
server = "woodpecker"
poll = "1 s"
[ci.woodpecker]
url = "${woodpecker.url}"
repo = 7
events = ["push"]
[merge]
strategy = "merge"
${LIMITS}`;
  const env = { WOODPECKER_TOKEN: "wp-secret" };
  const files = { "test.sh": GATE, "tests/a.sh": "true\n" };
  const factory = await makeFactory({ config, env, files });
  factory.git("remote", "add", "origin", upstream);
  factory.git("push", "-q", "origin", "main");
  return {
    ...factory,
    woodpecker,
    infra,
    inUpstream: git,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await factory[Symbol.asyncDispose]();
      await woodpecker[Symbol.asyncDispose]();
      rmSync(upstream, { recursive: true, force: true });
    },
  };
}

/** As the local backend does: the commit is fetched, and its test is run. */
function runIn(upstream: string, { commit, branch }: FakePipeline, infra: Set<string>): FakeStep[] {
  if (infra.delete(branch.replace(/-.*/, ""))) {
    return [{ name: "clone", exitCode: 128, log: "fatal: could not read from remote" }];
  }
  const folder = mkdtempSync("/tmp/pawl-acc-wp-");
  mkdirSync(join(folder, "tests"));
  try {
    const script = 'git --git-dir="$1" archive "$2" | tar xf - && sh test.sh 2>&1';
    execFileSync("sh", ["-c", script, "sh", upstream, commit], { cwd: folder, stdio: "pipe" });
    return [
      { name: "clone", exitCode: 0 },
      { name: "test", exitCode: 0, log: "all good" },
    ];
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer };
    return [
      { name: "clone", exitCode: 0 },
      { name: "test", exitCode: status, log: stdout.toString() },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
