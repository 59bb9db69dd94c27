// `npm run bench -- deliveries [messages=1000]`: messages to an agent that speaks ACP, while agent,
// host and daemon are killed at random. It counts what was lost or said twice, and how long it takes
// until the agent's protocol has acknowledged a message.
import { createPrng } from "../../src/lib/prng.ts";
import { deliverWithKills } from "../../test/support/deliveries.ts";
import { ms, print, quantiles } from "./place.ts";

const MESSAGES = 1_000;
const KILL_EVERY = 10;

export async function benchDeliveries(): Promise<void> {
  const word = process.argv.find((one) => one.startsWith("messages="));
  const messages = word === undefined ? MESSAGES : Number(word.slice("messages=".length));
  const prng = createPrng(Date.now() % 1_000_000);
  const { lost, doubled, kills, acknowledgedMs } = await deliverWithKills({
    messages,
    killEvery: KILL_EVERY,
    random: () => prng.next(),
  });
  const killed = `${kills.agent} kills of the agent, ${kills.host} of its host, ${kills.daemon} of the daemon`;
  const found = `${lost.length} lost, ${doubled.length} doubled`;
  print(`acp: ${messages} messages, ${killed}`, found, "0 lost, 0 doubled");
  const { p50, p95 } = quantiles(acknowledgedMs);
  print("acp: sent → acknowledged", `p50 ${ms(p50)}, p95 ${ms(p95)}`, "p95 < 100 ms");
}
