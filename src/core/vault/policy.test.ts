import { expect, test } from "vitest";
import type { VaultAction } from "./vault-action.ts";
import { decide, judge, VAULT_DEFAULTS, type VaultConfig } from "./policy.ts";

const WEBHOOK: VaultAction = {
  kind: "webhook",
  endpoint: "https://example.org",
  method: "POST",
  headers: {},
  body: "",
};
const CLAIMED = { risk: "low", reversible: true } as const;
const config = (change: Partial<VaultConfig>): VaultConfig => ({ ...VAULT_DEFAULTS, ...change });

test("a request may say that it is riskier than its kind, never safer", () => {
  expect(judge(WEBHOOK, CLAIMED, VAULT_DEFAULTS)).toEqual({ risk: "medium", reversible: false });
  expect(judge(WEBHOOK, { ...CLAIMED, risk: "high" }, VAULT_DEFAULTS).risk).toBe("high");
  const told = config({ risk: { webhook: "low" }, reversible: ["webhook"] });
  expect(judge(WEBHOOK, CLAIMED, told)).toEqual({ risk: "low", reversible: true });
  expect(judge(WEBHOOK, { risk: "high", reversible: false }, told)).toEqual({
    risk: "high",
    reversible: false,
  });
});

test("no configuration makes an action that names a secret less than high", () => {
  const named = { ...WEBHOOK, body: "{{secret:TOKEN}}" };
  expect(judge(named, CLAIMED, config({ risk: { webhook: "low" } })).risk).toBe("high");
});

test("the first rule that fits decides, and where none does a person is asked", () => {
  const policy: VaultConfig["policy"] = [
    { type: "command", decide: "deny" },
    { type: "webhook", risk: "low", reversible: true, decide: "allow" },
    { risk: "medium", decide: "deny" },
  ];
  const by = (action: VaultAction, judged: Parameters<typeof decide>[1]) =>
    decide(action, judged, config({ policy }));
  expect(by(WEBHOOK, { risk: "low", reversible: true })).toBe("allow");
  expect(by(WEBHOOK, { risk: "low", reversible: false })).toBe("deny");
  expect(by(WEBHOOK, { risk: "medium", reversible: true })).toBe("deny");
  expect(by(WEBHOOK, { risk: "high", reversible: true })).toBe("ask");
  const command: VaultAction = { kind: "command", argv: ["x"], env: {}, input: "" };
  expect(by(command, { risk: "high", reversible: false })).toBe("deny");
  expect(decide(WEBHOOK, { risk: "low", reversible: true }, VAULT_DEFAULTS)).toBe("ask");
});
