// Every command that docs/agents.md allows inside a session, tried by an agent with the daemon's socket and
// by one inside walls, which has none: both get the same exit code, and the same kind of answer.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionFactory } from "../support/sessions.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/agents.md"), "utf8");
const SECTION = PAGE.slice(
  PAGE.indexOf("## What a session may do"),
  PAGE.indexOf("`pawl doctor` is allowed only without"),
);
const NAMED = [...SECTION.matchAll(/`pawl (?<words>[a-z -]+)`/g)].map(
  ({ groups }) => groups?.["words"] ?? "",
);

/** Words that a command needs besides its name; those of a command that waits end it at once. */
const WORDS: Record<string, string> = {
  phase: "escalate --reason which",
  "hook set": "--summary working",
  "context report": "12",
  "mail send": "operator --subject hello --body hello",
  "mail reply": "nothing --body hello",
  "mail ack": "nothing",
  "vault request": "--what deploy --command -- true",
  why: "1",
  logs: "1",
  diff: "1",
  "mail read": "nothing",
  "escalation show": "1",
  "checkpoint list": "1",
  "checkpoint show": "1",
  "checkpoint diff": "1",
  "issue show": "1",
  "pr show": "1",
  "ci status": "1",
  "ci logs": "1",
  "ci failures": "1",
  "merge-queue explain": "1",
  "formula show": "tour",
  "vault show": "nothing",
  "tmux-wrapper name": "dev 1 1.1",
  "tmux-wrapper build-cmd": "dev 1.1",
  "tmux-wrapper exists": "nothing",
  "monitor-session": "nothing --timeout 1",
  "tmux-status-check": "nothing",
  "heartbeat-check": "nothing",
  "orchestrator-helper sprint-status get": "1.1",
  "orchestrator-helper sprint-status exists": "1.1",
  "orchestrator-helper sprint-status check-epic": "1",
  "orchestrator-helper parse-output": "agent.sh dev",
  "orchestrator-helper verify-step": "dev 1.1",
  "orchestrator-helper verify-code-review": "1.1",
  "orchestrator-helper next-attempt": "dev 1.1",
  "orchestrator-helper normalize-key": "1.1",
  "orchestrator-helper state-list": ".",
  "orchestrator-helper state-latest": ".",
  "orchestrator-helper state-latest-incomplete": ".",
  "orchestrator-helper state-summary": "agent.sh",
  "orchestrator-helper story-file-status": "1.1",
  "orchestrator-helper commit-ready": "1.1",
  "orchestrator-helper get-epic-stories": "1",
  "orchestrator-helper check-epic-complete": "1 1.1",
  completion: "bash",
};

const AGENT = `
git commit -q --allow-empty -m Work
while read -r words; do
  timeout 60 node "$MAIN" $words > "$SEEN/out" 2> "$SEEN/err" < /dev/null; code=$?
  printf '%s\\t%s\\t%s\\t%s\\n' "$words" "$code" "$(wc -c < "$SEEN/out")" "$(head -n 1 "$SEEN/err")" >> "$SEEN/tried"
done < "$SEEN/commands"
note tried
await finish
`;

type Tried = { words: string; code: number; bytes: number; said: string };

async function tryAll(walls: string): Promise<Tried[]> {
  await using factory = await sessionFactory(AGENT, { more: walls });
  const notes = join(factory.root, "notes");
  mkdirSync(notes);
  const commands = NAMED.map((name) => `${name} ${WORDS[name] ?? ""}`.trim());
  writeFileSync(join(notes, "commands"), `${commands.join("\n")}\n`);
  const config = factory
    .read("repo", "pawl.toml")
    .replace(`SEEN = "${factory.root}"`, `SEEN = "${notes}"`);
  const shared = walls === "" ? "" : `write = ["${notes}"]\n`;
  factory.commit({ "pawl.toml": config.replace(walls, `${walls}${shared}`) });
  await factory.ok("issue", "add", "--title", "Look around");
  await factory.daemon();
  await factory.until(
    "the agent has tried them all",
    async () => factory.shell('[ -e "$1" ]', join(notes, "tried-1-1")) === 0,
  );
  const lines = readFileSync(join(notes, "tried"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [words = "", code, bytes, said = ""] = line.split("\t");
    return { words, code: Number(code), bytes: Number(bytes), said };
  });
}

test("the page names commands, and each of them is tried once", () => {
  expect(NAMED.length).toBeGreaterThan(70);
  expect(NAMED).toEqual([...new Set(NAMED)]);
  expect(Object.keys(WORDS).filter((name) => !NAMED.includes(name))).toEqual([]);
});

test.skipIf(noWalls)(
  "every command that a session may use works inside walls as it does with the daemon's socket",
  async () => {
    const [outside, inside] = await Promise.all([tryAll(""), tryAll(WALLS)]);
    const shape = (tried: Tried[]): unknown[] =>
      tried.map(({ words, code, bytes }) => ({ words, code, answers: bytes > 0 }));
    expect(inside.map(({ words }) => words)).toHaveLength(NAMED.length);
    expect(shape(inside)).toEqual(shape(outside));
    // Neither unreachable (3) nor forbidden (4), nor unknown words (2).
    expect(inside.filter(({ code }) => [2, 3, 4].includes(code))).toEqual([]);
  },
);
