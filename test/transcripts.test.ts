// Replays the stories in transcripts/: what happens, and what the core makes of it. After a wanted
// change, `PAWL_REWRITE=1 npx vitest run --project unit test/transcripts.test.ts` writes what the
// core says now into the files, and the difference is what a reviewer reads.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import {
  formatTranscript,
  parseCommand,
  parseTranscript,
} from "./support/transcript/transcript.ts";
import { perform } from "./support/transcript/verbs.ts";
import { newWorld, type World } from "./support/transcript/world.ts";

const REWRITE = process.env["PAWL_REWRITE"] === "1";

const FILES = globSync(join(import.meta.dirname, "transcripts", "*.txt")).toSorted();

test("there are stories to tell", () => {
  expect(FILES.length).toBeGreaterThanOrEqual(12);
});

for (const file of FILES) {
  test(`the story of ${basename(file, ".txt")} goes as it is written`, () => {
    const told = readFileSync(file, "utf8");
    const now = retell(told);
    if (REWRITE) writeFileSync(file, now);
    expect(now).toBe(REWRITE ? now : told);
  });
}

function retell(text: string): string {
  const world = newWorld();
  const blocks = parseTranscript(text).map((block) => {
    if (block.kind === "prose") return block;
    return { ...block, expected: play(world, block.lines) };
  });
  return formatTranscript(blocks);
}

function play(world: World, lines: string[]): string {
  world.lines = [];
  for (const line of lines) {
    const command = parseCommand(line);
    if (command !== undefined) perform(world, command);
  }
  return world.lines.length === 0 ? "nothing" : world.lines.join("\n");
}
