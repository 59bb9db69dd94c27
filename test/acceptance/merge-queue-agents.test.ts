// The merge queue between agents, with a daemon: an entry that is sent back goes to the living
// author, who fixes it and is queued again.
import { expect, test } from "vitest";
import type { SignalView } from "../../src/api/signals.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "../support/pawl.ts";
import { GATE, list } from "../support/queue-cli.ts";

const AGAIN = "git fetch -q origin && git reset -q --hard origin/main";
const block = (script: string, tag = "sh"): string => `\`\`\`${tag}\n${script}\n\`\`\`\n`;

const CONFLICTING = (name: string): string =>
  block(`echo ${name} > same.txt`) + block(`${AGAIN}\necho ${name} >> same.txt`, "sh on-conflict");

const TOGETHER = (side: string): string =>
  block(`echo 1 > ${side}.txt`) + block(`${AGAIN}\necho 1 > ${side}-too.txt`, "sh on-ci-failure");

/** Both are green and queued while the queue is paused, so that they meet in the queue. */
async function queuedTogether(bodies: [string, string]): Promise<Factory> {
  const factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\ncommand = "sh test.sh"\n[merge]\nstrategy = "squash"\n${LIMITS}`,
    files: { "test.sh": GATE },
  });
  await factory.ok("merge-queue", "pause", "--why", "until both are there");
  for (const [index, body] of bodies.entries()) {
    await factory.addIssue({ title: `Issue ${index + 1}`, body });
  }
  await factory.ok("up");
  await factory.until("both are queued", async () => (await list(factory)).length === 2);
  return factory;
}

const signalsOf = (factory: Factory): Promise<SignalView[]> =>
  factory.client.get<SignalView[]>("/v1/signals");

async function storyOf(factory: Factory, branch: string): Promise<string[]> {
  return (await signalsOf(factory))
    .filter(({ kind, detail }) => kind.startsWith("MERGE_") && detail["branch"] === branch)
    .map(({ kind, detail }) => [kind, detail["reason"]].filter(Boolean).join(" "));
}

test.each([
  ["conflict", [CONFLICTING("one"), CONFLICTING("two")], ["same.txt"]],
  ["tests", [TOGETHER("left"), TOGETHER("right")], []],
] as const)(
  "an entry that is sent back for %s is fixed by its living author and lands",
  async (...[reason, bodies, files]) => {
    await using factory = await queuedTogether([...bodies]);
    const [first, second] = await list(factory);
    expect(first).toMatchObject({
      position: 1,
      identity_name: expect.stringMatching(/^dev-[12]$/),
      bead_id: expect.stringMatching(/^[12]$/),
      pr_number: expect.any(Number),
      worktree_path: expect.stringContaining(`workspaces/${first?.identity_name}`),
      node_id: null,
    });
    const epochs = async () => (await factory.status()).runs.map(({ epoch }) => epoch);
    await factory.ok("merge-queue", "resume");

    await factory.until("both have landed", async () =>
      (await factory.status()).runs.every((run) => run.outcome === "landed"),
    );
    const branch = second?.branch ?? "";
    expect(await storyOf(factory, first?.branch ?? "")).toEqual(["MERGE_READY", "MERGE_COMPLETE"]);
    expect(await storyOf(factory, branch)).toEqual([
      "MERGE_READY",
      `MERGE_CONFLICT ${reason}`,
      "MERGE_READY",
      "MERGE_COMPLETE",
    ]);
    const sent = (await signalsOf(factory)).find(({ kind }) => kind === "MERGE_CONFLICT");
    expect(sent?.detail["conflict_files"]).toEqual(files);
    expect(await epochs()).toEqual([1, 1]);
    expect(factory.subjects()).toEqual(
      [first, second].map((entry) => `Issue ${entry?.bead_id} (#${entry?.bead_id})`),
    );
    // With a daemon `process` only watches, and there is nothing left to see.
    const nothing = await factory.pawl("merge-queue", "process", "--all");
    expect(nothing).toMatchObject({ code: 0, stderr: "nothing to do\n" });
    const [merged] = await list(factory, "--all");
    expect(merged).toMatchObject({ branch, status: "merged", attempts: 2 });
  },
);
