// Invariant (g) with the real process: killed at any point of firing, an approved action reaches
// outside at most once, and what may have happened is put before a person. Defect 28 of the peers:
// there, a model with a shell both judged and fired, and an approval was good for any payload.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { VaultView } from "../../src/api/vault.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { startReceiver } from "../support/receiver.ts";

/** The commit that grants the beginning is the last before the deed; the outcome is the next. */
const POINTS = ["firing.carryOut:before:1", "firing.carryOut:after:1"];

test.each(POINTS)("killed at %s, it fires at most once and asks a person", async (point) => {
  await using receiver = await startReceiver();
  await using factory = await makeFactory({
    config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}`,
    files: { "agent.sh": "exit 0\n" },
  });
  await factory.ok(
    "vault",
    "request",
    "--id",
    "v1",
    "--what",
    "Once",
    "--webhook",
    `${receiver.url}/`,
  );
  await factory.ok("vault", "approve", "v1");
  factory.env["PAWL_CRASH_AT"] = point;
  const killed = factory.background("daemon");
  await killed.ended;
  delete factory.env["PAWL_CRASH_AT"];
  const reached = receiver.received.length;
  expect(reached).toBe(point.includes("after") ? 1 : 0);

  const daemon = factory.background("daemon");
  const item = await factory.until("a person is asked", async () => {
    const found = JSON.parse(await factory.ok("vault", "show", "v1", "--json")) as VaultView;
    return found.status === "unsure" && found;
  });
  expect(item.log.at(-1)?.text).toContain("may have happened");
  expect(receiver.received).toHaveLength(reached);
  // A second approval, by a person who has looked, is a new one.
  await factory.ok("vault", "approve", "v1");
  await factory.until("it is fired", async () => receiver.received.length === reached + 1);
  daemon.kill("SIGTERM");
  await daemon.ended;
  expect(readFileSync(join(factory.home, "daemon.log"), "utf8")).not.toContain("AssertionError");
});
