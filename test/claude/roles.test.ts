// The standing roles with the real Claude Code at work: each gets the model that its formula names,
// answers what it is asked, and is sent back where it is wrong.
import { expect, test } from "vitest";
import { makeClaudeFactory, noClaude, prompts } from "../support/claude.ts";
import { LIMITS } from "../support/pawl.ts";
import { playRoles, ROLE_FILES } from "../support/roles.ts";

/** A guard, not a claim: a dozen sessions one after the other on a busy machine. */
const GUARD_MS = 480_000;

test.skipIf(noClaude)(
  "all five roles are played by Claude Code",
  async () => {
    await using factory = await makeClaudeFactory({
      config: `[ci]\nnone = true\n${LIMITS}`,
      files: ROLE_FILES,
    });
    await playRoles(factory, (path) => factory.git("show", `main:${path}`));
    const models = (words: string): Set<string> =>
      new Set(
        factory.stub.requests
          .filter(({ body }) => (body.tools ?? []).length > 0)
          .filter(({ body }) => JSON.stringify(body.messages).includes(words))
          .map(({ body }) => /opus|sonnet|haiku/.exec(body.model)?.[0] ?? body.model),
      );
    expect(models("step `strategic-planning` of the formula")).toEqual(new Set(["opus"]));
    expect(models("step `grooming` of the formula")).toEqual(new Set(["sonnet"]));
    expect(models("step `report` of the formula `operate`")).toEqual(new Set(["haiku"]));
    const refused = prompts(factory).filter((prompt) => prompt.includes("Kind: refused"));
    expect(refused.join("\n")).toContain(
      "6 new issues, promotions included, at most 5 are allowed",
    );
  },
  GUARD_MS,
);
