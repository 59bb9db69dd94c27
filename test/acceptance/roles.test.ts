// The standing roles through the commands a user types, with the script agent: rules find, an agent
// judges, code checks and carries out, on the built-in tracker and on a forge.
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { playRoles, ROLE_FILES } from "../support/roles.ts";

/** A guard, not a claim: some twenty sessions one after the other on a busy machine. */
const GUARD_MS = 480_000;

test(
  "all five roles on the built-in tracker: found, judged, sent back when wrong, carried out once",
  async () => {
    await using factory = await makeFactory({
      config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`,
      files: ROLE_FILES,
    });
    const rounds = await playRoles(factory, (path) => factory.git("show", `main:${path}`));
    // The log shows each of them once.
    expect(rounds).toHaveLength(4);
  },
  GUARD_MS,
);

test(
  "all five roles on a forge",
  async () => {
    await using factory = await makeForgeFactory({ files: ROLE_FILES });
    const show = (path: string): string => factory.gitIn(factory.bare, "show", `main:${path}`);
    await playRoles(factory, show, (issue, body) =>
      factory.post(`/issues/${issue}/comments`, { body }),
    );
    // Every change of the repository was a PR that was merged.
    const merged = factory.fake.state.issues.filter(({ pr }) => pr?.merged === true);
    expect(merged.length).toBeGreaterThanOrEqual(4);
  },
  GUARD_MS,
);
