// No message is lost and none is said twice, whichever process is killed; `npm run bench -- deliveries`
// does the same with 1,000 messages.
import { expect, test } from "vitest";
import { deliverWithKills } from "../support/deliveries.ts";

test("30 messages to an ACP agent, with kills of agent, host and daemon: none lost, none doubled", async () => {
  const result = await deliverWithKills({ messages: 30, killEvery: 3, random: Math.random });
  expect(result).toMatchObject({ lost: [], doubled: [] });
});
