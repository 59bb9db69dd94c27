// A factory with something in every lane of the page: agents that work, ask, were held, and landed.
// Used by tests of the page and by scripts/screenshots.ts, which makes the README's pictures.
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "./pawl.ts";

/** What the agent of each issue does, by the issue's number. */
export const STORY = [
  { title: "Add a changelog", does: "land" },
  { title: "Answer --version", does: "land" },
  { title: "Choose a colour for warnings", does: "ask" },
  { title: "Publish the release notes", does: "vault" },
  { title: "Run the tests on two Nodes", does: "protected" },
  { title: "Sort the output by name", does: "work" },
  { title: "Read settings from a file", does: "work" },
  { title: "Say what is wrong with a path", does: "work" },
] as const;

const AGENT = `
n=0
spool() { n=$((n + 1)); printf '%s\\n' "$1" > "$PAWL_SPOOL/tmp/$n" && mv "$PAWL_SPOOL/tmp/$n" "$PAWL_SPOOL/new/$n.json"; }
phase() { printf "PHASE:$1\\n" > "$PAWL_PHASE_FILE.new" && mv "$PAWL_PHASE_FILE.new" "$PAWL_PHASE_FILE"; }
rest() { while :; do sleep 1; done; }
land() { git add -A && git commit -qm "$1" && phase awaiting_ci; rest; }
case "$PAWL_NAME" in
run-gardener-*) number=$(sed -n 's/.*#\\([0-9]*\\) is tech debt.*/\\1/p' "$PAWL_INPUTS/preflight" | head -1)
  printf '{"summary":"groomed","changes":[{"kind":"comment","issue":%s,"body":"Which dates?"}]}' "$number" > "$PAWL_RESULT_FILE"
  phase done; rest ;;
esac
echo "reading the issue"
case "$(sed -n "\${PAWL_ISSUE}p" story.txt)" in
land) echo "changed by $PAWL_ISSUE" > "file-$PAWL_ISSUE.txt"; spool '{"v":1,"kind":"usage","tokens":52000,"usd":0.41}'; land "Change $PAWL_ISSUE" ;;
ask) spool '{"v":1,"kind":"context","percent":31}'
  spool '{"v":1,"kind":"question","id":"q1","text":"Which colour shall warnings have?","choices":["yellow","orange"]}'
  rest ;;
vault) spool '{"v":1,"kind":"vault","id":"release","what":"Publish the release notes","risk":"high","reversible":false,"action":{"kind":"webhook","endpoint":"'"$(cat endpoint.txt)"'","method":"POST","headers":{},"body":"Version 1.2 is out"}}'
  rest ;;
protected) echo "true # also on Node 26" > test.sh; land "Run the tests on two Nodes" ;;
*) echo "const names = [];" > "work-$PAWL_ISSUE.js"
  spool '{"v":1,"kind":"hook","work_phase":"implementation","summary":"Writing the test first, then the change.","files":["work.js"]}'
  spool '{"v":1,"kind":"context","percent":47}'
  spool '{"v":1,"kind":"usage","tokens":81000,"usd":0.87}'
  spool '{"v":1,"kind":"tool","tool":"Edit","summary":"edits src/sort.ts","file":"src/sort.ts"}'
  [ "$PAWL_ISSUE" != 7 ] || spool '{"v":1,"kind":"mail","to":"operator","subject":"Two names for one setting","body":"I use the newer one."}'
  echo "running the tests"
  rest ;;
esac
`;

const RELEASE = `name = "release"
[[steps]]
id = "build"
title = "Build the packages"
run = "true"
[[steps]]
id = "try"
title = "Try them on Debian"
needs = ["build"]
run = "true"
[[steps]]
id = "notes"
title = "Write the release notes"
needs = ["build"]
run = "true"
[[steps]]
id = "ask"
title = "Publish version 1.2?"
needs = ["try", "notes"]
gate = "human"
[[steps]]
id = "publish"
title = "Publish"
needs = ["ask"]
run = "true"
`;
const SCHEDULE = `[schedule.weekly]
cron = "0 3 * * 1"
formula = "release"
`;
const PLUGIN = `---
description: Counts what is left to do.
gate: {type: manual}
run: [echo, none]
---
`;

/** `endpoint`: where the item of the vault goes once it is approved. */
export const pageWorld = (
  endpoint = "https://releases.example.org/notes",
  name?: string,
): Promise<Factory> =>
  makeFactory({
    ...(name === undefined ? {} : { name }),
    parallel: STORY.length,
    config: `${shellAgent()}${LIMITS}${TEST_GATE}[merge_queue]\nprotected = ["test.sh"]\n${SCHEDULE}`,
    files: {
      "test.sh": "true\n",
      "agent.sh": AGENT,
      ".pawl/formulas/release.toml": RELEASE,
      "plugins/count/plugin.md": PLUGIN,
      "endpoint.txt": `${endpoint}\n`,
      "story.txt": `${STORY.map(({ does }) => does).join("\n")}\n`,
    },
  });

/** Every agent has done what it does, and waits. */
export async function playStory(factory: Factory): Promise<void> {
  await factory.ok("init", "--yes");
  // Before the daemon runs: a PR of the first issue would take the number of the next one.
  for (const { title } of STORY) await factory.addIssue({ title });
  await factory.ok("up");
  const count = (does: (typeof STORY)[number]["does"]): number =>
    STORY.filter((one) => one.does === does).length;
  await factory.until("every agent has done its part", async () => {
    const { runs, waits } = await factory.status();
    const asks = (kind: string): boolean => waits.some(({ act }) => act?.kind === kind);
    return (
      runs.filter(({ outcome }) => outcome === "landed").length === count("land") &&
      runs.filter(({ work_summary }) => work_summary !== "").length >= count("work") &&
      waits.some(({ question }) => question === true) &&
      asks("vault") &&
      asks("approve-entry")
    );
  });
}

/** Something in every part of the factory, too: a formula at its gate, rounds of patrols and of a role. */
export async function fillFactory(factory: Factory): Promise<void> {
  await factory.ok("issue", "add", "--title", "March is missing", "--label", "tech-debt");
  await factory.ok("formula", "run", "run-gardener", "--detach");
  await factory.ok("formula", "run", "release", "--detach");
  await factory.ok("plugin", "run", "count");
  await factory.ok("patrol", "run", "deacon");
  await factory.until("the gardener has made its round", async () =>
    (await factory.ok("role", "log", "--json")).includes("gardener"),
  );
  await factory.until("the release waits at its gate", async () =>
    (await factory.ok("gate", "list", "--json")).includes("Publish version"),
  );
}

/** A merge queue with a batch under test, a conflict and a landing that is held. */
export async function busyQueue(): Promise<Factory> {
  const factory = await makeFactory({
    config: `[agent]\nruntime = "script"\n${TEST_GATE}${LIMITS}[merge_queue]\nprotected = ["policy.txt"]\n`,
    files: {
      "test.sh": "[ ! -e slow ] || sleep 600\n",
      "line.txt": "one\n",
      "policy.txt": "one\n",
    },
  });
  await factory.ok("init", "--yes");
  const branch = (name: string, files: Record<string, string>): void => {
    factory.git("checkout", "-q", "-b", name, "main");
    factory.commit(files, `Change ${name}`);
    factory.git("checkout", "-q", "main");
  };
  branch("quick", { "quick.txt": "new\n" });
  branch("sort-the-output", { slow: "yes\n", "line.txt": "two\n" });
  branch("explain-each-flag", { slow: "yes\n", "flags.txt": "new\n" });
  branch("read-settings-from-a-file", { slow: "yes\n", "line.txt": "three\n" });
  branch("tighten-the-policy", { slow: "yes\n", "policy.txt": "two\n" });
  await factory.ok("up");
  await factory.ok("merge-queue", "add", "quick");
  await factory.until("the quick one has landed", async () => factory.subjects().length > 0);
  const slow = ["sort-the-output", "explain-each-flag", "read-settings-from-a-file"];
  await factory.ok("merge-queue", "add", ...slow, "tighten-the-policy");
  await factory.until(
    "a test runs",
    async () =>
      (await factory.ok("merge-queue", "status", "--json")).match(/"testing_since": ?"/) !== null,
  );
  return factory;
}
