// The real Claude Code inside walls: everything that people do with a session works as it does without
// them, and what it left behind is found by its next life.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  claudePid,
  COMMIT,
  conversationOf,
  makeClaudeFactory,
  noClaude,
} from "../support/claude.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";
import { openPty } from "../support/pty.ts";
import { noWalls, walled } from "../support/walls.ts";

/** What it sees of the machine is part of what lands. */
const LOOK = `ls -A "$HOME" > home.txt; cat /proc/[0-9]*/comm | sort -u > processes.txt; echo FOUND-OUT`;
const SAVE = `git add -A && git commit -q -m half && printf '{"v":1,"kind":"hook","summary":"half of it"}' > "$PAWL_SPOOL/tmp/h" && mv "$PAWL_SPOOL/tmp/h" "$PAWL_SPOOL/new/h.json"`;

test.skipIf(noClaude || noWalls)(
  "inside walls Claude Code is watched, saved, killed, resumed and handed off, and its work lands",
  async () => {
    await using factory = await makeClaudeFactory({ config: `${TEST_GATE}${LIMITS}` });
    const notes = join(factory.root, "notes");
    mkdirSync(notes);
    factory.commit({ "pawl.toml": walled(factory.read("repo", "pawl.toml"), notes) });
    const mark = join(notes, "in-tool");
    const issue = await factory.addIssue({
      title: "Work in steps",
      body: [
        `[[find: FOUND-OUT | ${LOOK}]] [[bash: echo one > notes.txt; : > ${mark}; while [ ! -e ${mark}.never ]; do sleep 0.2; done]]`,
        `[[on resume]][[usage: 850000 20]] [[find: FOUND-OUT | ${LOOK}]] [[bash: echo two >> notes.txt]][[end]]`,
        `[[on hand-off]][[bash: ${SAVE}]][[end]]`,
        `[[on continuation]][[bash: echo three >> notes.txt && ${COMMIT}]][[end]]`,
      ].join(" "),
    });
    const running = factory.background("run", "--until-idle");
    await factory.until("its tool runs", async () => existsSync(mark));

    const number = String(issue);
    expect(await factory.ok("why", number)).toContain("walls: bwrap; checked before the start");
    await factory.until("its status line is in the log", async () =>
      (await factory.ok("logs", number)).includes("dev-1 | ctx"),
    );
    await factory.until("its work is saved", async () =>
      (await factory.ok("checkpoint", "diff", number)).includes("+one"),
    );
    expect(await factory.ok("diff", number)).toContain("+one");
    {
      using pty = openPty(factory, { columns: 100, rows: 30 }, ["attach", number]);
      await factory.until("its screen is seen", async () =>
        pty.screen().some((line) => line.includes("dev-1 | ctx")),
      );
    }

    const before = factory.stub.requests.length;
    process.kill(claudePid(factory, await factory.runOf(issue)), "SIGKILL");
    expect((await running.ended).code).toBe(0);
    const resumed = factory.stub.requests
      .slice(before)
      .map(conversationOf)
      .find((text) => text.includes("This conversation continues"));
    expect(resumed).toContain("FOUND-OUT");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 3 });
    expect(factory.git("show", "main:notes.txt")).toBe("one\ntwo\nthree");
    expect(await factory.ok("signals", "--json")).toContain("HANDOFF_COMPLETE");
    expect(factory.git("show", "main:home.txt")).not.toContain(".claude.json");
    expect(factory.git("show", "main:processes.txt")).not.toContain("tmux");
    expect(factory.leftovers().filter((line) => line.includes(`-e ${mark}`))).toEqual([]);
  },
);
