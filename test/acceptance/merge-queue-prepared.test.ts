// What comes after a suspect is stacked while the suspect is tested again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branch, gateRuns, list, makeQueue } from "../support/queue-cli.ts";

/** The second test of red.txt runs until the test below has looked. */
const HELD_GATE = `echo ran >> "$HOME/gate-runs"
[ -e red.txt ] || exit 0
echo ran >> "$HOME/red-runs"
[ $(wc -l < "$HOME/red-runs") -lt 2 ] && exit 1
while [ ! -e "$HOME/looked" ]; do sleep 0.05; done
exit 1
`;

test("while a suspect is tested again the next branches are stacked without it, and cost no further run", async () => {
  await using factory = await makeQueue("", HELD_GATE);
  branch(factory, "a", { "a.txt": "a\n" });
  branch(factory, "bad", { "red.txt": "red\n" });
  branch(factory, "c", { "c.txt": "c\n" });
  branch(factory, "d", { "d.txt": "d\n" });
  await factory.ok("merge-queue", "add", "a", "bad", "c", "d");
  const processing = factory.pawl("merge-queue", "process", "--until-idle");
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  /** The files of what is stacked on what. */
  const stacks = (): string[][] =>
    factory
      .gitIn(hub, "for-each-ref", "--format=%(refname)", "refs/pawl/queue")
      .split("\n")
      .filter(Boolean)
      .map((ref) => factory.gitIn(hub, "ls-tree", "--name-only", ref).split("\n"));
  await factory.until("the next ones are stacked while it is tested again", async () => {
    expect(factory.read("user", "red-runs")).toBe("ran\nran\n");
    const without = stacks().filter((files) => !files.includes("red.txt"));
    expect(without).toContainEqual(expect.arrayContaining(["a.txt", "c.txt", "d.txt"]));
    return true;
  });
  writeFileSync(join(factory.root, "user", "looked"), "");
  expect(await processing).toMatchObject({ code: 1 });
  const ends = (await list(factory, "--all")).map((entry) => [entry.branch, entry.status]);
  expect(Object.fromEntries(ends)).toEqual({
    a: "merged",
    bad: "returned",
    c: "merged",
    d: "merged",
  });
  expect(factory.subjects()).toEqual(["Work of a", "Work of c", "Work of d"]);
  // Both, a alone, both again; then c and d together.
  expect(gateRuns(factory)).toBe(4);
  expect(stacks()).toEqual([]);
});
