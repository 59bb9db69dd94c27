// No message is lost and none is said twice, whichever process is killed; `npm run bench -- deliveries`
// does the same with 1,000 messages.
import { expect, test } from "vitest";
import { deliverWithKills, type Way } from "../support/deliveries.ts";

/** Another one with each run; `PAWL_SEED` repeats one. */
const SEED = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000);
const MESSAGES = 30;
const KILL_EVERY = 4;

export function killedDeliveries(ways: Way[]): void {
  test.for<Way>(ways)(
    `${MESSAGES} messages (%s), with kills of agent, host and daemon: none lost, none doubled`,
    async (way, { skip }) => {
      console.log(`${way}: PAWL_SEED=${SEED}`);
      const options = { way, messages: MESSAGES, killEvery: KILL_EVERY, seed: SEED };
      const result = await deliverWithKills(options);
      if (result === undefined) return skip("its program is not installed here");
      console.log(`${way}: ${JSON.stringify(result.kills)} kills`);
      if (result.story !== "") console.log(result.story);
      expect(result).toMatchObject({ lost: [], doubled: [] });
    },
  );
}
