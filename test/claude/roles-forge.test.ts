// The standing roles with the real Claude Code at work on issues of a forge.
import { expect, test } from "vitest";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { askStub, claudeAgent, logIn, noClaude } from "../support/claude.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { playRoles, ROLE_FILES } from "../support/roles.ts";

/** A guard, not a claim: a dozen sessions one after the other on a busy machine. */
const GUARD_MS = 480_000;

test.skipIf(noClaude)(
  "all five roles are played by Claude Code on a forge",
  async () => {
    const stub = await startModelStub();
    try {
      await using factory = await makeForgeFactory({
        agent: claudeAgent(),
        env: askStub(stub),
        files: ROLE_FILES,
      });
      logIn(factory);
      const show = (path: string): string => factory.gitIn(factory.bare, "show", `main:${path}`);
      await playRoles(factory, show, (issue, body) =>
        factory.post(`/issues/${issue}/comments`, { body }),
      );
      const merged = factory.fake.state.issues.filter(({ pr }) => pr?.merged === true);
      expect(merged.length).toBeGreaterThanOrEqual(4);
    } finally {
      await stub.close();
    }
  },
  GUARD_MS,
);
