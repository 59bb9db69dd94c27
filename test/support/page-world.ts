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
  echo "running the tests"
  rest ;;
esac
`;

/** `endpoint`: where the item of the vault goes once it is approved. */
export const pageWorld = (endpoint = "https://releases.example.org/notes"): Promise<Factory> =>
  makeFactory({
    parallel: STORY.length,
    config: `${shellAgent()}${LIMITS}${TEST_GATE}[merge_queue]\nprotected = ["test.sh"]\n`,
    files: {
      "test.sh": "true\n",
      "agent.sh": AGENT,
      "endpoint.txt": `${endpoint}\n`,
      "story.txt": `${STORY.map(({ does }) => does).join("\n")}\n`,
    },
  });

/** Every agent has done what it does, and waits. */
export async function playStory(factory: Factory): Promise<void> {
  await factory.ok("init", "--yes");
  await factory.ok("up");
  for (const { title } of STORY) await factory.addIssue({ title });
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
