// Tries the property of checkpoints on thousands of random trees: `npm run trees -- [TREES] [SEED]`.
import { createPrng } from "../src/lib/prng.ts";
import { checkpointRounds } from "../test/support/checkpoint-rounds.ts";

const PER_SEED = 2_000;

const wanted = Number(process.argv[2] ?? 10_000);
let seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const began = Date.now();
let done = 0;
while (done < wanted) {
  const { trees, wrong } = await checkpointRounds(createPrng(seed), {
    trees: Math.min(PER_SEED, wanted - done),
    perRound: 250,
  });
  if (wrong.length > 0) {
    console.log(`seed ${seed}:\n${wrong.join("\n")}`);
    process.exit(1);
  }
  done += trees;
  seed += 1;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`${done} trees, all restored or listed, ${seconds} s`);
}
