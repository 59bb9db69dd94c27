import { expect, test } from "vitest";
import { ownAccounts } from "./own-accounts.ts";

test("on a forge only the accounts of the tokens are Pawl's own, also if others have similar names", async () => {
  const account = async () => ({ login: "factory-bot", reviewer: "review-bot" });
  expect([...(await ownAccounts({ account }))]).toEqual(["factory-bot", "review-bot"]);
});

test("on the built-in tracker Pawl writes under its own names", async () => {
  const account = async () => undefined;
  expect([...(await ownAccounts({ account }))]).toEqual(["pawl", "pawl-review"]);
});
