import { expect, test } from "vitest";
import { filed, REQUEST, VaultWorld } from "../../../test/support/vault.ts";

test("an agent gets a letter, an operator who asked gets none", () => {
  const reject = { kind: "vault-rejected", at: 1, by: "ann", reason: "no" } as const;
  const agent = new VaultWorld();
  agent.step(filed());
  agent.step(reject);
  expect(agent.output.tells).toMatchObject([
    { to: "mail:toy", event: { letter: { to: "dev-1", subject: "vault v1 was rejected" } } },
  ]);
  const { run: _, ...own } = REQUEST;
  const operator = new VaultWorld();
  operator.step(filed({ request: { ...own, by: "ann" } }));
  operator.step(reject);
  expect(operator.output.tells).toEqual([]);
});
