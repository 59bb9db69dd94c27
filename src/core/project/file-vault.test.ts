import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { REQUEST, toy } from "../../../test/support/vault.ts";
import { emptyOutput } from "../effect.ts";
import { VAULT_DEFAULTS } from "../vault/policy.ts";
import { fileVault } from "./file-vault.ts";

const CLAIM = { ...REQUEST, risk: "low", reversible: true } as const;

test("the item hears what its request counts as here, and who decides", () => {
  const output = emptyOutput();
  fileVault({ name: toy, config: undefined }, CLAIM, { at: 5, output });
  expect(output.tells).toMatchObject([
    {
      to: "vault:toy/v1",
      event: { decision: "ask", request: { risk: "medium", reversible: false } },
    },
  ]);
  const allowed = emptyOutput();
  const vault = { ...VAULT_DEFAULTS, expiresMs: 7, policy: [{ decide: "allow" } as const] };
  const config = { ...testConfig(), vault };
  fileVault({ name: toy, config }, CLAIM, { at: 5, output: allowed });
  expect(allowed.tells).toMatchObject([{ event: { decision: "allow", expiresMs: 7 } }]);
});
