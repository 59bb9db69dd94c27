// A context that fills up: measured, told, handed off to a fresh conversation; and one that was
// compacted, which is told the protocol again.
import { expect, test } from "vitest";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";
import { startClaude } from "../support/claude-life.ts";
import {
  callsSince,
  COMMIT,
  conversationOf,
  makeClaudeFactory,
  noClaude,
  workToIdle,
} from "../support/claude.ts";

const SAVE = `git add -A && git commit -q -m half && printf '{"v":1,"kind":"hook","summary":"half of it: THE-CAUSE is known"}' > "$PAWL_SPOOL/tmp/h" && mv "$PAWL_SPOOL/tmp/h" "$PAWL_SPOOL/new/h.json"`;

test.skipIf(noClaude)(
  "a context of 85 % leads to a hand-off and a fresh conversation",
  async () => {
    await using factory = await makeClaudeFactory();
    const issue = await factory.addIssue({
      title: "Fill the context",
      body: [
        "[[usage: 850000 20]] [[bash: echo half > half.txt; echo THE-CAUSE and A-DETAIL]]",
        `[[on hand-off]][[bash: ${SAVE}]][[end]]`,
        `[[on continuation]][[find: THE-CAUSE | echo THE-CAUSE again]] [[find: A-DETAIL | echo A-DETAIL again]] [[bash: echo whole > whole.txt && ${COMMIT}]][[end]]`,
      ].join(" "),
    });
    await workToIdle(factory);
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 2 });
    expect(factory.git("show", "main:half.txt")).toBe("half");
    expect(factory.git("show", "main:whole.txt")).toBe("whole");
    const sessions = new Set(factory.stub.requests.map(({ session }) => session));
    expect(sessions.size).toBe(2);
    // AC-2.4: what the hook recorded is not looked for again; what was not recorded is.
    const again = callsSince(factory, 0).filter((call) => call.includes(" again"));
    expect(again).toEqual([expect.stringContaining("echo A-DETAIL again")]);
    const signals = await factory.ok("signals", "--json");
    for (const kind of ["CONTEXT_WARNING", "HANDOFF_REQUESTED", "HANDOFF_COMPLETE"]) {
      expect(signals).toContain(kind);
    }
  },
);

test.skipIf(noClaude)(
  "a context that Claude Code compacts by itself loses neither the work nor the protocol",
  async () => {
    await using factory = await makeClaudeFactory({
      claude: 'args = ["--autocompact", "100k"]',
      config: `${TEST_GATE}${LIMITS}idle_check = "3 s"\n`,
    });
    const issue = await factory.addIssue({
      title: "Be compacted",
      body: `[[usage: 90000 20]] [[bash: echo one > one.txt]] [[bash: echo two > two.txt]] [[on nudge]][[bash: ${COMMIT}]][[end]]`,
    });
    await workToIdle(factory);
    expect(factory.git("show", "main:one.txt")).toBe("one");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    const after = factory.stub.requests
      .map(conversationOf)
      .filter((text) => text.includes("STUB-SUMMARY"));
    expect(after[0]).toContain("PHASE:awaiting_ci");
    // The hook, too: where it was, and what it worked on.
    expect(after[0]).toContain("pawl/1-be-compacted");
  },
);

test.skipIf(noClaude)("after a compaction the phase protocol is told again", async () => {
  await using claude = await startClaude();
  await claude.until("a stop", async () => (await claude.payloads("Stop")).length > 0);
  claude.world.tmux("send-keys", "-t", claude.life.spawned.pane, "/compact", "Enter");
  await claude.until(
    "it is compacted",
    async () => (await claude.payloads("PostCompact")).length > 0,
  );
  expect(await claude.payloads("PreCompact")).toHaveLength(1);
  await claude.send("m1", "Id: m1\nKind: notice\n\ngo on\n");
  await claude.until("the next request", async () =>
    conversationOf(claude.stub.requests.at(-1)).includes("Id: m1"),
  );
  const told = conversationOf(claude.stub.requests.at(-1));
  expect(told).toContain("STUB-SUMMARY");
  expect(told).toContain("PHASE:awaiting_ci");
});
