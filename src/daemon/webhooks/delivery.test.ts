import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { deliveryId, hintOf, isSigned, SeenDeliveries } from "./delivery.ts";

const digest = createHmac("sha256", "secret").update("body").digest();
const hex = digest.toString("hex");

test.each([
  ["GitHub", { "x-hub-signature-256": `sha256=${hex}` }, true],
  ["Gitea", { "x-gitea-signature": hex }, true],
  ["Forgejo", { "x-forgejo-signature": hex }, true],
  ["no header", {}, false],
  ["another secret", { "x-gitea-signature": "0".repeat(64) }, false],
  ["a shorter signature", { "x-hub-signature-256": "sha256=00" }, false],
  ["an older algorithm", { "x-hub-signature": `sha1=${hex.slice(0, 40)}` }, false],
  ["two headers", { "x-gitea-signature": [hex, hex] }, false],
])("signature of a delivery, %s: %j is accepted: %s", (_, headers, signed) => {
  expect(isSigned(headers, digest)).toBe(signed);
});

test("a delivery has its id, and says what to look at", () => {
  expect(deliveryId({ "x-gitea-delivery": "a-1" })).toBe("a-1");
  expect(hintOf({ "x-github-event": "push" })).toBe("target");
  expect(hintOf({ "x-gitea-event": "status" })).toBe("checks");
  expect(hintOf({ "x-github-event": "issue_comment" })).toBe("issues");
  expect(hintOf({})).toBe("issues");
});

test("what was seen is known, and the oldest is forgotten first", () => {
  const seen = new SeenDeliveries(2);
  expect([seen.take("a"), seen.take("a"), seen.take("b"), seen.take("c")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(seen.take("a")).toBe(true);
  expect(seen.take("c")).toBe(false);
});
