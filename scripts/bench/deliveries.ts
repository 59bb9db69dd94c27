// `npm run bench -- deliveries [messages=1000] [way=acp] [seed=1] [every=10]`: messages to an agent in
// its terminal, to one that is a server and to one that speaks ACP, while agent, host and daemon are killed
// at random. It counts what was lost or said twice, and how long it takes until the agent's protocol
// has acknowledged a message.
import { deliverWithKills, type Way } from "../../test/support/deliveries.ts";
import { ms, print, quantiles } from "./place.ts";

const MESSAGES = 1_000;
const KILL_EVERY = 10;
const WAYS: Way[] = ["acp", "served", "terminal"];

export async function benchDeliveries(): Promise<void> {
  const messages = Number(word("messages") ?? MESSAGES);
  const seed = Number(word("seed") ?? Date.now() % 1_000_000);
  const killEvery = Number(word("every") ?? KILL_EVERY);
  for (const way of WAYS.filter((one) => (word("way") ?? one) === one)) {
    const result = await deliverWithKills({ way, messages, killEvery, seed });
    if (result === undefined) {
      print(way, "its program cannot be had here", "");
      continue;
    }
    const { lost, doubled, kills, acknowledgedMs } = result;
    const killed = `${kills.agent} kills of the agent, ${kills.host} of its host, ${kills.daemon} of the daemon`;
    const found = `${lost.length} lost, ${doubled.length} doubled`;
    print(`${way}: ${messages} messages, seed ${seed}, ${killed}`, found, "0 lost, 0 doubled");
    if (result.story !== "") console.log(result.story);
    if (acknowledgedMs.length === 0) continue;
    const posted = quantiles(result.postedMs);
    print(`${way}: sent → in the inbox`, `p50 ${ms(posted.p50)}, p95 ${ms(posted.p95)}`, "");
    const { p50, p95 } = quantiles(acknowledgedMs);
    print(`${way}: sent → acknowledged`, `p50 ${ms(p50)}, p95 ${ms(p95)}`, "p95 < 100 ms");
  }
}

const word = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
