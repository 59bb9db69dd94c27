// `pawl top` and `pawl run` on a real terminal of 80 × 24 and 160 × 50: a summary stays in the last
// line, everything fits, and leaving restores the terminal. In a pipe they print plain lines.
import { expect, test } from "vitest";
import { ASKS, LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { openPty } from "../support/pty.ts";

const CONFIG = `${shellAgent()}[ci]\nnone = true\n${LIMITS}`;
const SUMMARY = /^\d+ of 3 at work(?:, 1 waits for you)? · \d+ in the queue · \d+ landed/;
const TITLE =
  "A title that is long enough to be cut on a terminal of eighty columns, in between words";

test("top fills the screen, follows the work and its size, and leaves at q", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": ASKS } });
  await factory.addIssue({ title: TITLE });
  const daemon = factory.background("daemon");
  await factory.until("it serves", () => factory.client.daemonRuns());
  using pty = openPty(factory, { columns: 80, rows: 24 }, ["top"]);
  const shown = async (what: string, isShown: (lines: string[]) => boolean): Promise<string[]> =>
    factory.until(what, async () => {
      const lines = pty.screen();
      return isShown(lines) && lines;
    });
  const small = await shown(
    "the question and, below it, the summary",
    (lines) =>
      lines.join("\n").includes("needs you") && (lines.at(-1) ?? "").includes("1 waits for you"),
  );
  expect(small).toHaveLength(24);
  expect(small.at(-1)).toMatch(SUMMARY);
  expect(small.at(-1)).toContain("0 of 3 at work, 1 waits for you");
  expect(small.at(-1)).toMatch(/ q: leave$/);

  pty.resize(160, 50);
  const large = await shown("the larger screen", (lines) => SUMMARY.test(lines[49] ?? ""));
  expect(large[49]).toContain("next: the agent of #1 reaches its time limit in ");
  expect(large.filter((line) => SUMMARY.test(line))).toHaveLength(1);

  pty.type("q");
  const left = await shown("the end", (lines) => lines.some((line) => line.startsWith("EXIT ")));
  expect(left).toContain("EXIT 0");
  expect(left.some((line) => SUMMARY.test(line))).toBe(false);
  const piped = factory.background("top", "--all-projects");
  await factory.until("a line", async () => SUMMARY.test(piped.output()));
  piped.kill("SIGTERM");
  await piped.ended;
  daemon.kill("SIGTERM");
  await daemon.ended;
});

const WORKS = `echo done > "$PAWL_RUN.txt"; git add -A; git commit -qm done
echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
while [ ! -e "$HOME/go" ]; do sleep 0.1; done
`;

test.each([
  { columns: 80, rows: 24 },
  { columns: 160, rows: 50 },
])("run keeps its summary in the last line at $columns × $rows", async (size) => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": WORKS } });
  await factory.addIssue({ title: TITLE });
  using pty = openPty(factory, size, ["run", "--until-idle"]);
  const last = (): string => pty.screen().findLast((line) => line !== "") ?? "";
  await factory.until("the summary", async () => SUMMARY.test(last()));
  await factory.until("the landing", async () =>
    pty.screen().some((line) => line.includes("✓ landed as")),
  );
  factory.shell('touch "$HOME/go"');
  await factory.until("the end", async () => !pty.isRunning());
  const lines = pty.screen();
  expect(lines).toContain("EXIT 0");
  // The line in place is gone, and its last state is printed once.
  expect(lines.filter((line) => SUMMARY.test(line))).toHaveLength(1);
  expect(lines.find((line) => SUMMARY.test(line))).toContain("1 landed");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(size.columns);
});

test("merge-queue process says from the first second what is under way", async () => {
  const gate = `[ci]\ncommand = "while [ ! -e $HOME/go ]; do sleep 0.1; done"\n`;
  await using factory = await makeFactory({ config: `${shellAgent()}${gate}${LIMITS}` });
  factory.git("checkout", "-q", "-b", "feature/x");
  factory.commit({ "a.txt": "a\n" }, "Add a");
  factory.git("checkout", "-q", "main");
  await factory.ok("merge-queue", "add", "feature/x");
  using pty = openPty(factory, { columns: 80, rows: 24 }, ["merge-queue", "process"]);
  await factory.until("the progress", async () =>
    pty.screen().some((line) => /^\d+ s {2}1 entry in the queue · e1 feature\/x: /.test(line)),
  );
  factory.shell('touch "$HOME/go"');
  await factory.until("the end", async () => !pty.isRunning());
  const lines = pty.screen().filter((line) => line !== "");
  expect(lines[0]).toMatch(/^✓ e1 {2}feature\/x {2}landed as /);
  expect(lines.at(-1)).toBe("EXIT 0");
  expect(lines.some((line) => line.includes("in the queue"))).toBe(false);
});
