// The demo's scratch repository: a small shell project whose tests are real.
import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationError } from "../lib/operation-error.ts";

const FILES: Record<string, string> = {
  "NEWS.md": "Nothing yet.\n",
  "README.md": "# Words\n\nSmall tools for text, each with a test.\n",
  "test.sh": `#!/bin/sh
# Runs every test; no test at all is a failure.
count=0
for test in tests/*.sh; do
  [ -e "$test" ] || break
  sh "$test" || { echo "FAILED: $test"; exit 1; }
  count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "no tests"; exit 1; }
echo "$count tests passed"
`,
  "tools/upper.sh": "tr '[:lower:]' '[:upper:]'\n",
  "tests/upper.sh": '[ "$(echo pawl | sh tools/upper.sh)" = PAWL ]\n',
};

const config = (name: string, agent: string): string => `[project]
name = "${name}"
target = "main"
parallel = 3

${agent}
[ci]
command = "sh test.sh"

[review]
required = false

# One commit per issue: every commit of main is green.
[merge]
strategy = "squash"
`;

export type DemoPlace = {
  folder: string;
  repo: string;
  home: string;
  userHome: string;
  /** Pawl for this demo only, from wherever it is called. */
  command: string;
};

export const DEMO_PREFIX = "pawl-demo-";

export const placeOf = (folder: string): DemoPlace => ({
  folder,
  repo: join(folder, "repo"),
  home: join(folder, "home"),
  userHome: join(folder, "user"),
  command: join(folder, "pawl"),
});

/** Everything below one private folder, which stays for looking around. `agentIn` writes [agent]. */
export async function makeDemoRepository(
  agentIn: (userHome: string) => string,
): Promise<DemoPlace> {
  const place = placeOf(mkdtempSync(join(tmpdir(), DEMO_PREFIX)));
  for (const path of [place.repo, place.home, place.userHome]) mkdirSync(path);
  writeFileSync(place.command, commandOf(place), { mode: 0o755 });
  const name = projectIn(place.folder);
  const files = { ...FILES, "pawl.toml": config(name, agentIn(place.userHome)) };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(place.repo, name, ".."), { recursive: true });
    writeFileSync(join(place.repo, name), content);
  }
  git(place, ["init", "-q", "-b", "main"]);
  git(place, ["config", "user.name", "Pawl demo"]);
  git(place, ["config", "user.email", "demo@pawl.invalid"]);
  git(place, ["add", "-A"]);
  git(place, ["commit", "-q", "-m", "Begin"]);
  return place;
}

/** Two demos at once must differ: the phase paths in /tmp have the name of their project. */
const projectIn = (folder: string): string =>
  `demo-${folder.slice(folder.lastIndexOf(DEMO_PREFIX) + DEMO_PREFIX.length).toLowerCase()}`;

/** The same Node and the same Pawl that run now, whichever those are. */
function commandOf(place: DemoPlace): string {
  const words = [process.execPath, ...process.execArgv, process.argv[1] ?? ""].map(quoted);
  return [
    "#!/bin/sh",
    "# Pawl for the demo beside this file.",
    `cd ${quoted(place.repo)} || exit 1`,
    `PAWL_HOME=${quoted(place.home)} exec ${words.join(" ")} "$@"`,
    "",
  ].join("\n");
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function git(place: Pick<DemoPlace, "repo" | "userHome">, args: string[]): void {
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: place.userHome,
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const result = spawnSync("git", ["-C", place.repo, ...args], { env, encoding: "utf8" });
  if (result.status === 0) return;
  throw new OperationError(
    `cannot create the demo repository: git ${args[0]} failed: ${result.stderr}`,
    {
      code: "demo-failed",
      hint: "is git installed?",
    },
  );
}
