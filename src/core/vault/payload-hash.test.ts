import { expect, test } from "vitest";
import { payloadHash } from "./payload-hash.ts";
import type { VaultAction } from "./vault-action.ts";

const post = (body: string): VaultAction => ({
  kind: "webhook",
  endpoint: "https://deploy.test",
  method: "POST",
  headers: { b: "2", a: "1" },
  body,
});

test("the same payload has the same hash in whatever order its fields were written, and another one another", () => {
  const { headers: _, ...rest } = post("1.2") as Extract<VaultAction, { kind: "webhook" }>;
  const turned: VaultAction = { headers: { a: "1", b: "2" }, ...rest };
  expect(payloadHash(turned)).toBe(payloadHash(post("1.2")));
  expect(payloadHash(post("1.3"))).not.toBe(payloadHash(post("1.2")));
});
