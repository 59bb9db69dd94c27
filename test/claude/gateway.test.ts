// The real Claude Code through the gateway to its model: it works without the key, and stops where
// the run's budget is spent.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import { COMMIT, makeClaudeFactory, noClaude, type ClaudeFactory } from "../support/claude.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const SECRET = "key-of-the-owner-0123456789";

/** After its work has landed, an agent has time: a request that is cut off is counted by a guess. */
const PATIENT = LIMITS.replace('farewell = "1 s"', 'farewell = "10 min"');

/** What a program that was logged in keeps in the home. */
const LOGIN = "login-of-the-user-0123456789";

async function withGateway(config = "", limits = LIMITS): Promise<ClaudeFactory> {
  const factory = await makeClaudeFactory({
    config: `[gateway]\nkeys = ["anthropic"]\n${TEST_GATE}${limits}hand_off = "2 s"\n${config}`,
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_AUTH_TOKEN: "" },
  });
  writeFileSync(
    join(factory.home, "factory.toml"),
    `[gateway.keys.anthropic]\nprovider = "anthropic"\nvariable = "ANTHROPIC_API_KEY"\nurl = "${factory.stub.url}"\n`,
  );
  const secrets = join(factory.home, ".env");
  writeFileSync(secrets, `ANTHROPIC_API_KEY=${SECRET}\n`);
  chmodSync(secrets, 0o600);
  return factory;
}

test.skipIf(noClaude)(
  "Claude Code lands an issue without ever having the key, and every request is counted",
  async () => {
    await using factory = await withGateway("", PATIENT);
    await factory.addIssue({
      title: "Work",
      // It never says that it is done, which would end it at once.
      body: `[[usage: 3000 10]] [[bash: env > seen.txt; ${COMMIT}]] [[on landed]][[text: Good.]][[end]]`,
    });
    await factory.ok("up");
    const booked = async (): Promise<number> => {
      const { total } = await factory.client.get<CostsView>("/v1/costs");
      return total.input_tokens;
    };
    const sent = (): number =>
      factory.stub.replies.reduce((sum, { usage }) => sum + usage.input, 0);
    // The last thing that it asks its model about.
    await factory.until("it is told that its work has landed", async () =>
      factory.stub.requests.some(({ body }) =>
        JSON.stringify(body.messages).includes("Kind: landed"),
      ),
    );
    await factory.until("every request is counted", async () => (await booked()) === sent());
    await factory.ok("down", "--kill-agents");
    expect(await booked()).toBe(sent());
    expect(factory.subjects()).toContain("work on 1");
    expect(new Set(factory.stub.keys)).toEqual(new Set([SECRET]));
    expect(factory.git("show", "main:seen.txt")).not.toContain(SECRET);
  },
);

test.skipIf(noClaude)(
  "Claude Code's requests stop after the one that spent the run's budget",
  async () => {
    await using factory = await withGateway("[budget]\nrun = { tokens = 10_000 }\n");
    const steps = Array.from({ length: 8 }, (_, step) => `[[bash: echo ${step} >> steps.txt]]`);
    await factory.addIssue({ title: "Spend", body: `[[usage: 6000 0]] ${steps.join(" ")}` });
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect([code, stderr]).toEqual([
      8,
      expect.stringMatching(/budget: run spent [\d,]+ of 10,000/),
    ]);
    const used = factory.stub.replies.map(({ usage }) => usage.input + usage.output);
    const before = used.slice(0, -1).reduce((sum, one) => sum + one, 0);
    expect(before).toBeLessThan(10_000);
  },
);

test.skipIf(noClaude || noWalls)(
  "inside walls, Claude Code with a gateway does not find the login of its own program, and lands an issue",
  async () => {
    await using factory = await withGateway(WALLS);
    const home = factory.env["HOME"] ?? "";
    mkdirSync(join(home, ".claude"), { recursive: true });
    writeFileSync(join(home, ".claude", ".credentials.json"), JSON.stringify({ token: LOGIN }));
    const own = { hasCompletedOnboarding: true, primaryApiKey: LOGIN, theme: "kept" };
    writeFileSync(join(home, ".claude.json"), JSON.stringify(own));
    const look = `grep -rl ${LOGIN} "$HOME" "$CLAUDE_CONFIG_DIR" --include=*.json > seen.txt; grep -c kept "$CLAUDE_CONFIG_DIR/.claude.json" >> seen.txt`;
    await factory.addIssue({ title: "Look", body: `[[bash: ${look}; ${COMMIT}]]` });
    await factory.ok("run", "--until-idle");
    expect(factory.git("show", "main:seen.txt")).toBe("1");
    expect(new Set(factory.stub.keys)).toEqual(new Set([SECRET]));
  },
);
