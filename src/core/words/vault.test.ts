import { expect, test } from "vitest";
import { filed, REQUEST, VaultWorld } from "../../../test/support/vault.ts";
import {
  vaultAsks,
  vaultAsksOnForge,
  vaultEnded,
  vaultLooked,
  vaultPayload,
  vaultUnsure,
} from "./vault.ts";

test("an operator reads what would be sent, its hash, and how to answer", () => {
  const item = new VaultWorld().step(filed());
  const asks = vaultAsks(item, REQUEST);
  const { title, body } = asks;
  expect(title).toBe("vault v1: dev-1 requests a webhook");
  expect(body).toContain("Tell the world");
  expect(body).toContain(`Risk: high. Reversible: no. Payload (sha256 ${item.hash.slice(0, 12)})`);
  expect(body).toContain(vaultPayload(REQUEST));
  expect(body).toContain("`pawl vault approve v1` or `pawl vault reject v1`");
  expect(body).not.toContain("APPROVE");
  const posted = vaultAsksOnForge(asks, ["ada", "bob"]);
  expect(posted).toContain(`@ada, @bob: ${title}`);
  expect(posted).toContain("with a comment: `APPROVE v1` or `REJECT v1: why`");
});

test("secrets are shown by name only, because Pawl does not have their values here", () => {
  const action = { ...REQUEST.action, body: "{{secret:TOKEN}}" } as typeof REQUEST.action;
  expect(vaultPayload({ ...REQUEST, action })).toContain("{{secret:TOKEN}}");
});

test("what may have happened and what ended are said in one sentence", () => {
  const item = new VaultWorld().step(filed());
  expect(vaultUnsure(item, "answered 500").title).toBe("vault v1 may have been carried out");
  expect(vaultLooked(true, "")).toBe("it did happen");
  expect(vaultLooked(false, "no page")).toBe("it did not happen: no page");
  expect(vaultEnded(item, { end: "expired", by: "pawl", text: "" }).subject).toBe(
    "vault v1 was not decided in time, and counts as rejected",
  );
  expect(vaultEnded(item, { end: "fired", by: "ann", text: "answered 200" }).body).toBe(
    "Tell the world\n\nvault v1 was carried out (ann): answered 200",
  );
});
