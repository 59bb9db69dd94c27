// The deacon beside the real Claude Code: a session that works is never told to begin.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { COMMIT, makeClaudeFactory, noClaude, prompts } from "../support/claude.ts";

/** Longer than a session may take to begin (src/daemon/patrol/pending-spawns.ts). */
const BUSY_MS = 25_000;
const ROUNDS = 10;

test.skipIf(noClaude)(
  "many rounds of the deacon leave a session alone whose first tool call runs on",
  async () => {
    await using factory = await makeClaudeFactory();
    const go = join(factory.root, "go");
    await factory.addIssue({
      title: "Work",
      body: `[[bash: until test -e ${go}; do sleep 0.2; done]] [[bash: echo done > out.txt && ${COMMIT}]]`,
    });
    const running = factory.background("run", "--until-idle");
    const started = await factory.until("the session works", async () => {
      const run = await factory.runOf(1).catch(() => undefined);
      return factory.stub.replies.length > 0 ? run : undefined;
    });
    // Spread over more time than a session may take to begin: one after the other would only be work.
    for (let round = 1; round <= ROUNDS; round += 1) {
      await factory.ok("patrol", "run", "deacon");
      await wait(BUSY_MS / ROUNDS);
    }
    expect(JSON.parse(await factory.ok("patrol", "pending", "--json"))).toEqual([]);
    expect((await factory.runOf(1)).messages).toEqual(started.messages);
    writeFileSync(go, "");
    expect((await running.ended).code).toBe(0);
    expect(prompts(factory).filter((prompt) => prompt.includes("Begin."))).toEqual([]);
    expect(factory.subjects()).toHaveLength(1);
  },
);
