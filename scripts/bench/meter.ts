// What it costs to read a long session's own books, as the meter does after every turn and at least
// every 30 s where there is a budget: a transcript of 20 MB, whole and after another turn.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUsageReader } from "../../src/adapters/agent-claude/transcript.ts";
import { ms, print } from "./place.ts";

const ID = "b4810646-ebf0-4a2b-bcc1-d6f7035352d1";
const TURNS = 2_500;
const ROUNDS = 20;

const turn = (n: number): string =>
  [
    { type: "user", message: { role: "user", content: [{ content: "x".repeat(7000) }] } },
    {
      type: "assistant",
      isSidechain: false,
      timestamp: "2026-11-15T11:00:00.000Z",
      message: {
        id: `m${n}`,
        model: "opus",
        content: [{ type: "text", text: "y".repeat(700) }],
        usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 8 },
      },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

export async function benchMeter(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "pawl-bench-meter-"));
  const folder = join(root, ".claude", "projects", "p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "conversation"), `new ${ID}\n`);
  const path = join(folder, `${ID}.jsonl`);
  writeFileSync(path, Array.from({ length: TURNS }, (_, n) => turn(n)).join(""));
  const usage = createUsageReader();
  const read = () => usage({ dir: root, env: { HOME: root }, since: 0 });
  const used = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    print("a transcript of 20 MB read for the first time, CPU", ms(await used(read)));
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      appendFileSync(path, turn(TURNS + round));
      total += await used(read);
    }
    print(
      "… and again after another turn, CPU",
      ms(total / ROUNDS),
      "every 30 s: < 0.1 % of a core",
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
