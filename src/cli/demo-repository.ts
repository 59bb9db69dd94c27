// The demo's scratch repository and backlog: a small shell project whose tests are real.
import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationError } from "../lib/operation-error.ts";

const FILES: Record<string, string> = {
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

const config = (agent: string): string => `[project]
name = "demo"
target = "main"
parallel = 3

${agent}
[ci]
command = "sh test.sh"

[review]
required = false

# One commit per issue: whatever main ever was, it was green.
[merge]
strategy = "squash"
`;

const block = (script: string, tag = "sh"): string => `\`\`\`${tag}\n${script.trim()}\n\`\`\`\n`;

export type DemoIssue = { title: string; body: string; dependsOn?: number[] };

export const DEMO_ISSUES: DemoIssue[] = [
  {
    title: "Add a tool that counts words",
    body: `Count the words of standard input.\n\n${block(`
echo "wc -w | tr -d ' '" > tools/count.sh
echo '[ "$(echo one two three | sh tools/count.sh)" = 3 ]' > tests/count.sh
`)}`,
  },
  {
    title: "Add a tool that reverses lines",
    body: `The first attempt has a mistake; CI finds it, and the agent mends it.\n\n${block(`
echo "cat" > tools/reverse.sh
echo '[ "$(echo abc | sh tools/reverse.sh)" = cba ]' > tests/reverse.sh
`)}\n${block('echo "rev" > tools/reverse.sh', "sh on-ci-failure")}`,
  },
  {
    title: "Add a tool that sorts words",
    body: `One word a line, sorted, each once.\n\n${block(`
echo "tr -s ' ' '\\n' | sort -u" > tools/sort.sh
echo '[ "$(echo b a b | sh tools/sort.sh | tr "\\n" " ")" = "a b " ]' > tests/sort.sh
`)}`,
  },
  {
    title: "Count distinct words",
    body: `Builds on the tools for counting and sorting.\n\n${block(`
echo "sh tools/sort.sh | sh tools/count.sh" > tools/distinct.sh
echo '[ "$(echo b a b | sh tools/distinct.sh)" = 2 ]' > tests/distinct.sh
`)}`,
    dependsOn: [1, 3],
  },
  {
    title: "Describe the tools in the README",
    body: `List every tool.\n\n${block(`
printf '\\n## Tools\\n\\n' >> README.md
for tool in tools/*.sh; do echo "- $tool" >> README.md; done
echo 'grep -q "## Tools" README.md' > tests/readme.sh
`)}`,
  },
];

export type DemoPlace = {
  folder: string;
  repo: string;
  home: string;
  userHome: string;
  /** Pawl for this demo only, from wherever it is called. */
  command: string;
};

/** Everything below one private folder, which stays for looking around. `agentIn` writes [agent]. */
export async function makeDemoRepository(
  agentIn: (userHome: string) => string,
): Promise<DemoPlace> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-demo-"));
  const place = {
    folder,
    repo: join(folder, "repo"),
    home: join(folder, "home"),
    userHome: join(folder, "user"),
    command: join(folder, "pawl"),
  };
  for (const path of [place.repo, place.home, place.userHome]) mkdirSync(path);
  writeFileSync(place.command, commandOf(place), { mode: 0o755 });
  const files = { ...FILES, "pawl.toml": config(agentIn(place.userHome)) };
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
    `cannot make the demo repository: git ${args[0]} failed: ${result.stderr}`,
    {
      code: "demo-failed",
      hint: "is git installed?",
    },
  );
}
