// A person restores an earlier state: beside the present one, or into the workspace itself once no
// agent works there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckpointView, RestoredView } from "../../src/api/checkpoints.ts";
import { makeFactory, PATIENT_LIMITS, shellAgent, TEST_GATE } from "../support/pawl.ts";

/** Destroys its work when it is told to end, as a careless clean-up does. */
const CARELESS = `
trap 'rm -f draft.txt; exit 1' TERM
[ ! -e draft.txt ] || cp draft.txt "$SEEN/inherited-$PAWL_EPOCH"
echo "by life $PAWL_EPOCH" >> draft.txt
: > "$SEEN/started-$PAWL_EPOCH"
while :; do sleep 0.1; done
`;

test("what an agent destroys when it is told to end is restored into its workspace", async () => {
  await using factory = await makeFactory({ files: { "agent.sh": CARELESS } });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  factory.commit(
    { "pawl.toml": factory.config(`${agent}${TEST_GATE}${PATIENT_LIMITS}`) },
    "Configure",
  );
  await factory.addIssue({ title: "One" });
  await factory.ok("up");
  const seen = (name: string): boolean => existsSync(join(factory.root, name));
  const run = await factory.until("the agent works", async () => {
    const now = await factory.runOf(1);
    return seen("started-1") && now.alive && now.pid !== null && now;
  });
  const draft = join(run.worktree_path, "draft.txt");
  const list = async (): Promise<CheckpointView[]> =>
    JSON.parse(await factory.ok("checkpoint", "list", "1", "--json")) as CheckpointView[];
  await factory.until("something is saved", async () => (await list()).length > 0);
  const refused = await factory.pawl("checkpoint", "restore", "1", "--into-workspace");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("dev-1 is at work there");
  expect(readFileSync(draft, "utf8")).toBe("by life 1\n");

  await factory.ok("stop", "1");
  await factory.until("it has ended", async () => !(await factory.runOf(1)).alive);
  expect(existsSync(draft)).toBe(false);
  const draftOf = async ({ number }: CheckpointView): Promise<string | undefined> => {
    const aside = await factory.ok("checkpoint", "restore", "1", String(number), "--json");
    const restored = join((JSON.parse(aside) as RestoredView).path, "draft.txt");
    return existsSync(restored) ? readFileSync(restored, "utf8") : undefined;
  };
  // Whichever look sees it first: a change of files, or the end of the session.
  const saved = await factory.until("the loss is saved too", async () => {
    const entries = await list();
    const [newest] = entries;
    return newest !== undefined && (await draftOf(newest)) === undefined && entries;
  });
  let before: CheckpointView | undefined;
  for (const entry of saved) if ((await draftOf(entry)) !== undefined) before ??= entry;
  expect(before && (await draftOf(before))).toBe("by life 1\n");

  await factory.ok("checkpoint", "restore", "1", String(before?.number), "--into-workspace");
  await factory.ok("retry", "1");
  await factory.until("the next life works", async () => seen("started-2"));
  expect(factory.read("inherited-2")).toBe("by life 1\n");
});
